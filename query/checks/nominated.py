"""Pairs of passages that may not fit together, though no rule says so: nominated by whoever read the text, or by lists that differ.

Plain values with where they stand, and the nominations of a reader taken from the records. Shown apart from findings; a judge may
decide them. Asks an engine; decides nothing, writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from narraworld.query.checks.findings import Finding, Passage
from narraworld.query.checks.gather import SpotOf, finding_key
from narraworld.query.names import rows
from narraworld.rules.engines import Engine

__all__ = [
    "BY_READER",
    "CONTRADICTION",
    "Nominated",
    "contradictions",
    "nominations_of",
    "not_told_yet",
    "undecided",
]

BY_READER = "the reader"
CONTRADICTION = "contradiction"


@dataclass(frozen=True, slots=True)
class Nominated:
    """Two passages, in the order of the telling; by whom they were nominated, in which matter and why; and a judge's word on them.

    ``by`` is `the reader`, `the style sheet` or the number of a check; ``verdict`` is none until a judge has given one.
    """

    key: str
    by: str
    kind: str
    why: str
    passages: tuple[Passage, ...]
    proof: str = ""
    verdict: str | None = None
    judged: str | None = None


def nominations_of(engine: Engine, spot_of: SpotOf) -> tuple[Nominated, ...]:
    """What the reader nominated, as far as both passages still stand in the text, in the order of the telling."""
    against = {str(record): str(span) for record, span in rows(engine, "nominated_against")}
    orders = {str(unit): int(order) for unit, order in rows(engine, "unit")}
    found = []
    for record, kind, why in rows(engine, "nomination"):
        spans = [str(span) for _, span in rows(engine, "evidence", str(record))]
        spans += [against[str(record)]] if str(record) in against else []
        passages = [one for span in spans for one in _passages(engine, str(record), span, spot_of)]
        passages.sort(key=lambda one: (orders.get(one.unit, 0), one.start))
        if len(passages) > 1:
            key = finding_key(BY_READER, (one.quote for one in passages))
            found.append(Nominated(key, BY_READER, str(kind), str(why), tuple(passages)))
    return tuple(
        sorted(found, key=lambda one: (orders.get(one.passages[-1].unit, 0), one.passages[-1].start, one.key))
    )


def _passages(engine: Engine, record: str, span: str, spot_of: SpotOf) -> Iterable[Passage]:
    for _, unit, start, end in rows(engine, "span", span):
        text = str(rows(engine, "quote", span)[0][1])
        spot = spot_of(str(unit), int(start))
        yield Passage(record, str(unit), int(start), int(end), text, *(spot or (None, None, None)))


# -- one pair, told once


def not_told_yet(candidates: Iterable[Nominated], findings: Iterable[Finding] = ()) -> list[Nominated]:
    """The pairs that no finding and no pair before them tells of: where both passages touch, it is the same pair."""
    told = [each.passages for one in findings for each in one.each()]
    kept: list[Nominated] = []
    for one in candidates:
        if not any(_same(one.passages, others) for others in told):
            told.append(one.passages)
            kept.append(one)
    return kept


def _same(some: Sequence[Passage], others: Sequence[Passage]) -> bool:
    return bool(some) and all(any(_touch(one, other) for other in others) for one in some)


def _touch(one: Passage, other: Passage) -> bool:
    return one.unit == other.unit and one.start < other.end and other.start < one.end


def contradictions(some: Iterable[Nominated]) -> list[Nominated]:
    """Those that a judge calls contradictions."""
    return [one for one in some if one.verdict == CONTRADICTION]


def undecided(some: Iterable[Nominated]) -> list[Nominated]:
    """Those of the reader on which no judge has given a word."""
    return [one for one in some if one.verdict is None and one.by == BY_READER]
