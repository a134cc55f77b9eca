"""Which sentences a situation may see: by the same cut as records, and through eyes only what those eyes met.

A sentence has been told when its last letter has; it has happened when it would have in the order of the telling and every record
that rests on it may be seen (where none does, the nearest ones before and after it). Through a character's eyes it is shown only
where records that those eyes could tell of cover all its words; what lies between them they may never have met. Decides
on stored places alone: reads no text, ranks nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from narraworld.kb.search.passages import passage_id
from narraworld.kb.spans import TextRange
from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.kb.time.clock_values import ClockSettings
    from narraworld.rules.engines import Engine

__all__ = ["AdmittedPassage", "admitted_passages"]

_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class AdmittedPassage:
    """One sentence of a unit: its number in the index, where it stands, the records that rest on it, and its words."""

    number: int
    unit: str
    start: int
    end: int
    rests: tuple[str, ...]
    words: str

    @property
    def id(self) -> str:
        return passage_id(self.unit, TextRange(self.start, self.end))


def admitted_passages(
    told: Sequence[AdmittedPassage],
    order: Mapping[str, int],
    visible: frozenset[str],
    engine: Engine,
    eyes: str | None,
    clock: ClockSettings,
) -> list[AdmittedPassage]:
    """Of the passages of the units that are seen at all, in the order of the telling, those that may be seen."""
    cut = list(_within_the_cut(told, order, visible if eyes is None else None, engine, clock))
    return cut if eyes is None else list(_through_eyes(cut, visible, engine))


def _within_the_cut(
    told: Sequence[AdmittedPassage],
    order: Mapping[str, int],
    visible: frozenset[str] | None,
    engine: Engine,
    clock: ClockSettings,
) -> Iterator[AdmittedPassage]:
    """What has been told and has happened; ``visible`` are the records of the cut, asked of the engine where not given."""
    horizons = [rows(engine, "told_now"), rows(engine, "story_now")]
    if not any(horizons):
        yield from told
        return
    seen = visible if visible is not None else {str(node) for node, _ in rows(engine, "instance")}
    told_now, story_now = (int(found[0][0]) if found else None for found in horizons)
    for passage, bearing in zip(told, _bearing(told), strict=True):
        begins = order[passage.unit] * clock.unit_length
        in_telling = _has_come(begins + passage.end - 1, told_now)
        in_story = _has_come((begins + passage.start) * clock.step, story_now)
        if in_telling and in_story and seen.issuperset(bearing):
            yield passage


def _has_come(when: int, now: int | None) -> bool:
    return now is None or when <= now


def _bearing(told: Sequence[AdmittedPassage]) -> Iterator[tuple[str, ...]]:
    """For each passage the records that say whether it has happened: its own, else the nearest before and after it."""
    ahead = list[tuple[str, ...]]()
    unit, nearest = "", tuple[str, ...]()
    for passage in reversed(told):
        nearest = passage.rests or (nearest if passage.unit == unit else ())
        unit = passage.unit
        ahead.append(nearest)
    unit, before = "", tuple[str, ...]()
    for passage, after in zip(told, reversed(ahead), strict=True):
        before = passage.rests or (before if passage.unit == unit else ())
        unit = passage.unit
        yield passage.rests or (*before, *after)


def _through_eyes(
    cut: Sequence[AdmittedPassage], visible: frozenset[str], engine: Engine
) -> Iterator[AdmittedPassage]:
    quoted = _quoted(visible, engine)
    for passage in cut:
        met = bool(passage.rests) and visible.issuperset(passage.rests)
        if met and _covered(passage, [place for one in passage.rests for place in quoted.get(one, ())]):
            yield passage


def _quoted(visible: frozenset[str], engine: Engine) -> dict[str, list[tuple[str, int, int]]]:
    """By visible record: the places that it quotes."""
    spans = {str(span): (str(unit), int(start), int(end)) for span, unit, start, end in rows(engine, "span")}
    quoted: dict[str, list[tuple[str, int, int]]] = {}
    for record, span in rows(engine, "evidence"):
        if str(record) in visible and str(span) in spans:
            quoted.setdefault(str(record), []).append(spans[str(span)])
    return quoted


def _covered(passage: AdmittedPassage, quoted: Sequence[tuple[str, int, int]]) -> bool:
    """Whether no word of the passage stands outside these places."""
    open_ = [True] * (passage.end - passage.start)
    for unit, start, end in quoted:
        if unit == passage.unit:
            for at in range(max(0, start - passage.start), min(len(open_), end - passage.start)):
                open_[at] = False
    left = (letter for letter, free in zip(passage.words, open_, strict=False) if free)
    return len(passage.words) == len(open_) and not any(map(_WORD.match, left))
