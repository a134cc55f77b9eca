"""The pairs that a judge is asked about: what rules only suspect, what the reader nominated, and where the style sheet has two values.

Findings that a rule only nominates come first, then the reader's, then notes of rules (among them who knows what nobody told, and who is not in the room), then the sheet's: same
owner, same respect, unequal values. One pair is asked once, whoever raised it; what a rule has found already is not asked at all. Asks no model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from narraworld.base.settings import JudgeSettings
from narraworld.query.checks.findings import Passage
from narraworld.query.checks.gather import finding_key
from narraworld.query.checks.nominated import Nominated, not_told_yet
from narraworld.query.situation import NOW, Situation

if TYPE_CHECKING:
    from narraworld.project.opened import OpenStory
    from narraworld.query.checks.findings import Finding
    from narraworld.query.checks.report import Report
    from narraworld.query.scope import Scope
    from narraworld.query.sheet.style_rows import SheetRow

__all__ = ["BY_SHEET", "pairs_of"]

BY_SHEET = "the style sheet"
SUSPECTED = frozenset({"nominates", "explicit half"})  # verdicts of rules that do not decide by themselves
USUAL = JudgeSettings()


def pairs_of(
    story: OpenStory, report: Report, there: Situation = NOW, settings: JudgeSettings = USUAL
) -> list[Nominated]:
    """At most as many pairs as the settings allow, the likeliest first."""
    from narraworld.checking.check_world import checks_scope

    scope = checks_scope(story, there)
    suspected = [one for one in report.findings if one.rule.verdict in SUSPECTED]
    decided = [one for one in report.findings if one.rule.verdict not in SUSPECTED]
    candidates = [
        *(_of_finding(one, scope) for one in suspected if one.passages),
        *report.nominated,
        *(_of_finding(one, scope) for one in _noted(report, settings.of_cause)),
        *_of_sheet(story, there, settings),
    ]
    in_story = [replace(one, passages=_in_order(one.passages, report)) for one in candidates]
    return not_told_yet(in_story, decided)[: settings.most_pairs]


def _noted(report: Report, of_cause: int) -> Iterator[Finding]:
    """Notes that set two passages side by side, so many of each cause."""
    for finding in report.slight:
        yield from (one for one in finding.each()[:of_cause] if len(one.passages) > 1)


def _in_order(passages: tuple[Passage, ...], report: Report) -> tuple[Passage, ...]:
    """As the story is told."""
    told = {unit: place for place, unit in enumerate(report.chapters)}
    return tuple(sorted(passages, key=lambda one: (told.get(one.unit, 0), one.start)))


def _of_finding(one: Finding, scope: Scope) -> Nominated:
    """What a rule suspects or notes, with its proof in words; without the quotes, which name files of this machine."""
    from narraworld.rules.proofs.prose import as_prose
    from narraworld.rules.proofs.words import no_quotes

    proofs = scope.why(one.goal).proofs
    proof = as_prose(proofs[0], scope.names, no_quotes) if proofs else ""
    return Nominated(one.key, one.rule.id, one.rule.subtype, one.message, one.passages, proof)


def _of_sheet(story: OpenStory, there: Situation, settings: JudgeSettings) -> Iterator[Nominated]:
    """The first row of each value beside the first row of the list."""
    from narraworld.reading.style_sheet import style_sheet

    for rows in style_sheet(story, story.scope(there), there).differing.values():
        firsts: dict[tuple[str, ...], SheetRow] = {}
        for row in sorted(rows, key=lambda row: (row.told, row.start)):
            firsts.setdefault(row.normal or (row.value.casefold(),), row)
        one, *others = firsts.values()
        for other in others[: settings.of_list]:
            passages = (_passage(one), _passage(other))
            key = finding_key(BY_SHEET, (row.quote for row in (one, other)))
            why = f"{one.owner or 'the world'}, {one.respect}: {one.value} and {other.value}"
            yield Nominated(key, BY_SHEET, one.kind, why, passages)


def _passage(row: SheetRow) -> Passage:
    return Passage(row.record, row.unit, row.start, row.end, row.quote, row.file, row.line, row.column)
