"""What becomes of what a mind says that a scene needs: lines it was shown, in the order in which they are to be packed, and the needs that
none of them meets. Its own words are names of needs, never lines of memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from narraworld.base.settings import ChoosingSettings
from narraworld.query.memory.lines.given_lines import with_numbers
from narraworld.query.memory.needs import FoundRecord, Need

if TYPE_CHECKING:
    from narraworld.query.memory.by_mind.offered import Offered
    from narraworld.query.memory.by_mind.scene_shown import SaidNeed, SaidNeeds, SceneShown
    from narraworld.query.memory.lines.given_lines import GivenLine

__all__ = ["NAMED", "ChosenLines", "chosen_lines", "need_of"]

NAMED = "named by a mind"


class ChosenLines(NamedTuple):
    """The named lines with what each is worth, the needs they meet, those that none meets, and what was left out of what was said."""

    found: tuple[FoundRecord, ...]
    met: tuple[Need, ...]
    unmet: tuple[Need, ...]
    notes: tuple[str, ...] = ()


def chosen_lines(
    said: SaidNeeds, shown: SceneShown, offered: Offered, settings: ChoosingSettings
) -> ChosenLines:
    """The lines of all needs: the first of each before the second of any."""
    kept = {one.words: one for one in reversed(said.needs[: settings.needs]) if one.words}
    needs = [kept[words] for words in dict.fromkeys(one.words for one in said.needs) if words in kept]
    named = {one.words: with_numbers(one.rests_on, shown.lines)[0][: settings.rests_on] for one in needs}
    places: dict[GivenLine, tuple[int, set[str]]] = {}
    for words, lines in named.items():
        for nth, line in enumerate(lines):
            first, serves = places.get(line, (nth, set()))
            places[line] = min(first, nth), {*serves, words}
    found = tuple(
        FoundRecord(offered[line], settings.named / (1 + nth), frozenset(serves), (NAMED,))
        for line, (nth, serves) in places.items()
    )
    met, unmet = (
        [need_of(one, said.by) for one in needs if bool(named[one.words]) == how] for how in (True, False)
    )
    return ChosenLines(found, tuple(met), tuple(unmet), tuple(_left_out(said, shown, settings)))


def need_of(said: SaidNeed, by: str) -> Need:
    return Need(said.words, "asked", f"{by} says that the scene needs it", said.words)


def _left_out(said: SaidNeeds, shown: SceneShown, settings: ChoosingSettings) -> list[str]:
    """What was not taken, and why."""
    most, each = settings.needs, settings.rests_on
    asked = said.needs[:most]
    notes = [
        f"{said.by} names line {number}, and there are {len(shown.lines)}"
        for one in asked
        for number in with_numbers(one.rests_on, shown.lines)[1]
    ]
    if len(said.needs) > most:
        notes.append(f"{said.by} names {len(said.needs)} needs, and {most} are taken")
    if long := _several(asked, each):
        notes.append(f"{said.by} names up to {long} lines for a need, and {each} are taken")
    return notes


def _several(asked: Sequence[SaidNeed], each: int) -> int:
    most = max((len(set(one.rests_on)) for one in asked), default=0)
    return most if most > each else 0
