"""What `world.check` does, in order: read what changed, check, hear the author, tell.

    files → units that changed → `check_world` → waivers, remarks, baseline → Report

The manuscript is never written to. An unsaved buffer is checked on a what-if that is forgotten afterwards.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from narraworld.base.errors import NarraWorldError
from narraworld.base.version import __version__
from narraworld.checking.authors_word import hear
from narraworld.query.checks.baseline import FILE as BASELINE
from narraworld.query.checks.baseline import read_baseline
from narraworld.query.checks.findings import Checked, Severity
from narraworld.query.checks.nominated import Nominated, nominations_of, not_told_yet
from narraworld.query.checks.report import Report
from narraworld.query.checks.sifting import AuthorsAnswer, answered, at_least, concerning, lost_since, without
from narraworld.query.situation import NOW, Situation
from narraworld.reading.changed import (
    NO_FILES,
    FilesAtHand,
    manuscript_of,
    read_changed,
    with_buffer,
    with_remarks,
)

if TYPE_CHECKING:
    from narraworld.extract.sources import Piece
    from narraworld.project.opened import OpenStory
    from narraworld.reading.outcome import Tell

__all__ = ["CheckRequest", "baseline_file", "check_story", "examine"]


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """What of a check is wanted."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    rules: tuple[Path, ...] = ()
    least: Severity = "warning"
    since: int | None = None
    baseline: Path | None = None
    explain: bool = False
    knows: bool = False
    units: frozenset[str] = frozenset()  # told only where one of these has a part in it; none means all
    situation: Situation = NOW

    @property
    def branch(self) -> str:
        return self.situation.branch

    @property
    def is_past(self) -> bool:
        """Whether an earlier state is asked about, for which nothing is read."""
        return self.situation != Situation(branch=self.branch)


def baseline_file(story: OpenStory) -> Path:
    return story.store.root / BASELINE


def check_story(
    story: OpenStory,
    asked: CheckRequest,
    *,
    pieces: Sequence[Piece] | None = None,
    whole: bool = True,
    buffer: tuple[str, str | TextIO] | None = None,
    tell: Tell | None = None,
) -> Report:
    """Read what changed and check. ``pieces`` are files at hand, ``whole`` if they are all there are; without any, the files
    that the story was read from. ``buffer`` is a file's name and its unsaved text, which is checked and forgotten."""
    if buffer is not None:
        return _of_buffer(story, asked, *buffer)
    if asked.is_past:
        return examine(story, asked)
    manuscript = manuscript_of(story, pieces, branch=asked.branch)
    read_changed(story, manuscript, branch=asked.branch, tell=tell)
    return examine(story, asked, manuscript if whole else with_remarks(story, branch=asked.branch))


def _of_buffer(story: OpenStory, asked: CheckRequest, name: str, text: str | TextIO) -> Report:
    with _what_if(story, asked.branch) as branch:
        manuscript, units = with_buffer(story, name, text, branch=branch)
        read_changed(story, manuscript, branch=branch)
        there = replace(asked, situation=replace(asked.situation, branch=branch), units=frozenset(units))
        return examine(story, there, manuscript)


@contextmanager
def _what_if(story: OpenStory, parent: str = "main") -> Iterator[str]:
    """A branch for a text nobody saved; gone when its check is."""
    name = f"unsaved-{os.getpid()}"
    story.store.new_branch(name, parent=parent)
    try:
        yield name
    finally:
        for one in story.beside.values():
            one.close()
        story.delete_branch(name)


# -- the author's remarks


def _remarks(pieces: Iterable[Piece]) -> tuple[list[AuthorsAnswer], list[str]]:
    from narraworld.query.checks.remarks import Comment, remarks_in

    answers, troubles = list[AuthorsAnswer](), list[str]()
    for piece in pieces:
        comments = [
            Comment(note.value, note.start, str(piece.places.at(note.start)))
            for note in piece.notes
            if note.kind == "comment"
        ]
        remarks, unclear = remarks_in(piece.unit.id, piece.unit.text, comments)
        answers += [remark.answer() for remark in remarks]
        troubles += unclear
    return answers, troubles


# -- the check


def examine(story: OpenStory, asked: CheckRequest, manuscript: FilesAtHand = NO_FILES) -> Report:
    """What a check finds and what the author has said of it, ready to be told."""
    decisions, refused = hear(story, branch=asked.branch)
    remarks, unclear = _remarks(manuscript.pieces)
    answers = [*decisions.answers(), *remarks]
    checked = decisions.directed(answered(_checked(story, asked, asked.situation), answers))
    _check_selected(asked.select, checked)
    if asked.units:
        checked = concerning(checked, asked.units)
    report = Report(checked, _title(story), _chapters(story, asked), since=asked.since, version=__version__)
    report = _only_new(story, asked, report, answers)
    told, quiet = at_least(report.checked, asked.least)
    kept = {one.key for one in told.findings}
    slight = tuple(one for one in report.checked.findings if one.key not in kept)
    damage = [f"left out: {trouble}" for trouble in story.damage]
    return replace(
        report,
        checked=told,
        quiet=quiet,
        errors=(*manuscript.troubles, *refused, *unclear, *damage),
        nominated=tuple(not_told_yet(_nominated(story, asked), told.findings)),
        slight=slight,
        least=asked.least,
        understood=_understood(story, asked.situation),
        proofs=_proofs(story, asked, told) if asked.explain else {},
        knows=story.scope(asked.situation).knows() if asked.knows else None,
    )


def _checked(story: OpenStory, asked: CheckRequest, situation: Situation) -> Checked:
    from narraworld.checking.check_world import check_world

    return check_world(
        story, situation=situation, select=asked.select, ignore=asked.ignore, rules=asked.rules
    )


def _nominated(story: OpenStory, asked: CheckRequest) -> tuple[Nominated, ...]:
    """What the reader nominated, with the author's own lines; of a check of some units, those with a part in it."""
    from narraworld.checking.check_world import checks_scope, spots

    engine = checks_scope(story, asked.situation, asked.rules).engine
    found = nominations_of(engine, spots(engine))
    return tuple(one for one in found if not asked.units or {p.unit for p in one.passages} & asked.units)


def _check_selected(prefixes: Sequence[str], checked: Checked) -> None:
    """No finding of a check that does not exist would look like a clean manuscript."""
    numbers = [report.rule.id for report in checked.reports]
    for prefix in prefixes:
        if not any(number.startswith(prefix) for number in numbers):
            raise NarraWorldError(
                f"no check has a number that begins with {prefix}", fix="all checks: narraworld rule"
            )


def _only_new(
    story: OpenStory, asked: CheckRequest, report: Report, answers: Sequence[AuthorsAnswer]
) -> Report:
    checked, known, lost = report.checked, 0, report.lost
    if asked.since is not None:
        before = answered(_checked(story, asked, replace(asked.situation, revision=asked.since)), answers)
        lost = lost_since(checked, before)
        checked, _ = without(checked, {each.key for one in before.findings for each in one.each()})
    if asked.baseline is not None:
        checked, known = without(checked, read_baseline(asked.baseline))
    return replace(report, checked=checked, known=known, lost=lost)


def _proofs(story: OpenStory, asked: CheckRequest, checked: Checked) -> dict[str, str]:
    from narraworld.checking.check_world import checks_scope
    from narraworld.rules.proofs.prose import as_prose

    scope = checks_scope(story, asked.situation, asked.rules)
    proofs = {}
    for finding in checked.findings:
        found = scope.why(finding.goal).proofs
        if found:
            proofs[finding.key] = as_prose(found[0], scope.names.in_sentence, scope.quotes)
    return proofs


def _understood(story: OpenStory, situation: Situation) -> tuple[int, int] | None:
    """How many sentences were understood, of how many; None where no reader counted them."""
    from narraworld.reading.how_read import how_read

    entries = story.store.snapshot(situation.revision, situation.branch).entries
    counted = [how.coverage for how in (how_read(story.store, entry) for entry in entries) if how is not None]
    return (sum(one.read for one in counted), sum(one.sentences for one in counted)) if counted else None


def _title(story: OpenStory) -> str:
    return story.path.resolve().name


def _chapters(story: OpenStory, asked: CheckRequest) -> dict[str, str]:
    """Titles by unit in the order of the telling, from the tables that the check has opened anyway."""
    from narraworld.checking.check_world import checks_scope
    from narraworld.query.names import rows

    engine = checks_scope(story, asked.situation, asked.rules).engine
    titles = {str(unit): str(title) for unit, title in rows(engine, "titled")}
    units = sorted((int(order), str(unit)) for unit, order in rows(engine, "unit"))
    return {unit: titles.get(unit, unit) for _, unit in units}
