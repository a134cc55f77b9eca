"""What an author can say to a world about its findings and its people. The part of `World` that hears decisions.

Each verb calls one function of `checking`; decides nothing by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from narraworld.query.situation import Situation

if TYPE_CHECKING:
    from pathlib import Path

    from narraworld.checking.authors_word import AuthorsDecision, WorldDecision
    from narraworld.project.opened import OpenStory
    from narraworld.query.checks.decisions import Decisions
    from narraworld.query.checks.report import Report

__all__ = ["AuthorsVerbs"]


class AuthorsVerbs:
    """The author's word: what is known, intended, the same, or so."""

    story: OpenStory

    def keep_baseline(self, report: Report, file: Path | None = None) -> tuple[Path, int]:
        """Take what a check found as known from now on: in which file, and how many."""
        from narraworld.checking.checkup import baseline_file
        from narraworld.query.checks.baseline import write_baseline

        path = file or baseline_file(self.story)
        return path, write_baseline(path, report.findings)

    def waive(
        self, key: str, reason: str = "", *, keep: str | None = None, branch: str = "main"
    ) -> AuthorsDecision:
        """Say that a finding is intended; or, with ``keep``, which unit's passage holds. A beginning of the key will do."""
        from narraworld.checking.authors_word import finding_by_key, waive
        from narraworld.checking.checkup import CheckRequest, examine

        checked = examine(self.story, CheckRequest(least="note", situation=Situation(branch=branch))).checked
        return waive(self.story, finding_by_key(key, (*checked.findings, *checked.waived)), reason, keep=keep)

    def decide(self, kind: WorldDecision, *words: str, reason: str = "") -> AuthorsDecision:
        """`decide("same", "Tom", "Mr Thomas")`, `decide("different", …)`, `decide("fact", "magic.impossible:flying")`."""
        from narraworld.checking.authors_word import decide

        return decide(self.story, kind, *words, reason=reason)

    def decisions(self) -> tuple[Decisions, tuple[str, ...]]:
        """All that the author decided, put into effect, and what of it was refused."""
        from narraworld.checking.authors_word import hear

        return hear(self.story)
