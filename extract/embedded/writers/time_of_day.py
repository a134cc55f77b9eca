"""What time of day it is said to be, sentence by sentence: patterns over the narration (`daylight.toml`).

Written as states of the sky, one wherever the time of day changes, so that a check can see a sun that sets at night. Speech,
similes, habits and memories say nothing of now. Says what time it is, never that two times clash. Asks no grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from narraworld.extract.embedded.layout.quotations import without_speech
from narraworld.extract.embedded.layout.sentences import paragraphs, sentences
from narraworld.extract.embedded.lexicon.function_words import pattern
from narraworld.extract.embedded.lexicon.tables import daylight
from narraworld.extract.embedded.unit import UnitState
from narraworld.kb.propositions import Statement
from narraworld.kb.spans import TextRange

__all__ = ["Light", "lights", "write_daylight"]

SKY, LIGHT = "sky", "light"
EVENING = "evening"  # goes with the sunset and with the night
SHORT = 8  # letters: `***`, `IV.`
NEW_DAY = frozenset({"morning", "later"})
_COMMA = re.compile(r"[,;:—.!?…”]\s*|\s{2,}")


@dataclass(frozen=True, slots=True)
class Light:
    """A time of day, and the words that tell it."""

    time: str
    where: TextRange


def write_daylight(unit: UnitState) -> None:
    """Add how the time of day changes in the unit; a unit that tells of one time only has nothing to compare."""
    changes = list(_changes(list(lights(unit.delta.unit.text))))
    if len({one.time for one in changes} - NEW_DAY) < 2:
        return
    sky = _sky(unit, changes[0].where)
    for one in changes:
        unit.add("State", one.where, proposition=Statement(sky, LIGHT, value=one.time))


def lights(text: str) -> Iterator[Light]:
    """Every mark of the time of day in the narration, in order."""
    told = without_speech(text)
    for where in (one for paragraph in paragraphs(told) for one in sentences(told, paragraph)):
        sentence = where.cut(told)
        marks = list(_marks(sentence)) if _worth_a_look(sentence) else []
        plain = [one for one in marks if one[1] != EVENING] or marks
        if (
            len({time for _, time in plain}) == 1
        ):  # where one gives way to another, the sentence tells of neither
            yield Light(plain[0][1], _phrase(told, where, plain[0][0]))
        elif any(time in NEW_DAY for _, time in marks):
            yield Light("later", where)


def _marks(sentence: str) -> Iterator[tuple[re.Match[str], str]]:
    """What tells the time in a sentence, unless it is in doubt."""
    for time, way in daylight().ways:
        for mark in way.finditer(sentence):
            if time in NEW_DAY or not _doubtful(sentence, mark.start()):
                yield mark, time


def _worth_a_look(sentence: str) -> bool:
    """Whether a sentence may tell the time at all: most do not, and patterns are dear."""
    letters = sentence.lower()
    return len(letters) < SHORT or any(cue in letters for cue in daylight().cues)


def _doubtful(sentence: str, at: int) -> bool:
    """Whether a question, or a word before the mark in its own part of the sentence, takes away that it is so now."""
    part = pattern("daylight.part").split(sentence[:at])[-1]
    return sentence.rstrip().endswith("?") or daylight().doubtful.search(part) is not None


def _phrase(told: str, sentence: TextRange, mark: re.Match[str]) -> TextRange:
    """The words around a mark that no comma divides: what an author wants to see quoted."""
    start, end = sentence.start + mark.start(), sentence.start + mark.end()
    before = [one.end() for one in _COMMA.finditer(told, sentence.start, start)]
    after = _COMMA.search(told, end, sentence.end)
    return TextRange(before[-1] if before else sentence.start, after.start() if after else sentence.end)


def _changes(marks: Sequence[Light]) -> Iterator[Light]:
    """The marks beside which another time is told: where each time of day begins, and where it was last said."""
    for before, one, after in zip([None, *marks], marks, [*marks[1:], None], strict=False):
        if any(other is None or other.time != one.time for other in (before, after)):
            yield one


def _sky(unit: UnitState, where: TextRange) -> str:
    """The sky of this story: the one that is known already, here or from earlier units, or a new one."""
    here = [one.id for one in unit.company.figures.values() if SKY in one.names]
    known = [one.id for one in unit.company.roster.bearing(SKY)]
    for id in (*here, *known):
        return id
    id = unit.company.roster.free_id(SKY, set(unit.company.figures) | unit.used)
    unit.used.add(id)
    return unit.delta.add("Object", id, quote=where, name=SKY)
