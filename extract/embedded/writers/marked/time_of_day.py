"""When it is said to be, sentence by sentence: dates of what is done, and the time of day (`daylight.toml`).

Dates are written as anchors of events; one that stands alone (`It was Saturday.`) dates what is done next. The time of day is written as states of the
sky, one wherever it changes, so that a check can see a sun that sets at night. Speech, similes, habits and memories say nothing
of now. Says what time it is, never that two times clash.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.grammar.time_expressions import goes_back
from narraworld.extract.embedded.layout.document import Sentence
from narraworld.extract.embedded.layout.quotations import without_speech
from narraworld.extract.embedded.layout.sentences import paragraphs, sentences
from narraworld.extract.embedded.lexicon.function_words import pattern, wordset
from narraworld.extract.embedded.lexicon.tables import daylight
from narraworld.extract.embedded.unit import UnitState
from narraworld.kb.propositions import Statement
from narraworld.kb.roster import SKY
from narraworld.kb.spans import TextRange
from narraworld.kb.time.finding.finder import TimeExpression

__all__ = ["Light", "lights", "write_dates", "write_daylight"]

LIGHT = "light"
EVENING = "evening"  # goes with the sunset and with the night
SHORT = 8  # letters: `***`, `IV.`
NEW_DAY = frozenset({"morning", "later"})
_COMMA = re.compile(r"[,;:—.!?…”]\s*|\s{2,}")


NEXT_PARAGRAPH = 1  # breaks between a time that stands alone, or in a heading, and the deed it dates
# what an expression is in its sentence when it dates nothing: somebody's, a doer, a thing done
NO_DATE = frozenset({"nsubj", "obj", "iobj", "compound", "nmod", "amod", "nummod", "appos", "acl", "csubj"})


def write_dates(unit: UnitState, sentence: Sentence) -> None:
    """Add when the deeds of a sentence happened, where the narration says so."""
    said = [one for one in _dating(sentence) if _adverbial(one, sentence.words)]
    events = unit.sentence.events
    if not events:
        unit.held.times = said if said and not _doubted(unit, said[0], sentence) else unit.held.times
        return
    for one in unit.held.times:
        if len(list(paragraphs(unit.delta.unit.text[one.end : sentence.where.start]))) <= NEXT_PARAGRAPH:
            _anchor(unit, one, min(events.items())[1])
    unit.held.times = []
    for one in said:
        if (event := _event_of(unit, one, sentence)) is not None:
            _anchor(unit, one, event)


def _anchor(unit: UnitState, one: TimeExpression, event: str) -> None:
    back = True if goes_back(one.words) else None
    unit.add("TimeAnchor", TextRange(one.start, one.end), event=event, expression=one.words, flashback=back)


def _dating(sentence: Sentence) -> Iterator[TimeExpression]:
    """The expressions that can date a deed: they tell when, and not only since when or until when; a habit is no deed."""
    for one in () if sentence.time.usual else sentence.time.placed:
        if not pattern("time.bounding").match(one.words):
            yield one


def _adverbial(one: TimeExpression, words: Sequence[Word]) -> bool:
    """Whether an expression says when: it begins with a preposition, or is nobody's doer, thing or adjective."""
    inside = [word for word in words if one.start <= word.start < one.end]
    own = {word.position for word in inside}
    tops = (word for word in inside if word.head not in own or word.head == word.position)
    return bool(pattern("time.hanging").match(one.words)) or all(
        word.relation not in NO_DATE for word in tops
    )


def _event_of(unit: UnitState, one: TimeExpression, sentence: Sentence) -> str | None:
    """The event that an expression dates: that of its own clause, if it is told as done, or else the first of the sentence."""
    number = _clause_of(one, sentence, unit.delta.unit.text)
    if number is None:
        return min(unit.sentence.events.items())[1]
    clause = sentence.clauses[number]
    memory = clause.earlier and not goes_back(
        one.words
    )  # `had left at six` goes back, and nobody says from where
    if clause.realis != "actual" or memory or clause.marker in wordset("conjunctions.conditional"):
        return None
    return unit.sentence.events.get(number, min(unit.sentence.events.items())[1])


def _clause_of(one: TimeExpression, sentence: Sentence, text: str) -> int | None:
    """The clause of the last verb before an expression; of the next verb where the expression opens a clause."""
    heads = sorted((clause.head.start, number) for number, clause in enumerate(sentence.clauses))
    before, behind = (
        [number for start, number in heads if (start < one.start) is side] for side in (True, False)
    )
    opens = not before or pattern("time.joint").search(text, sentence.where.start, one.start)
    if opens and behind:
        return behind[0]
    return before[-1] if before else None


def _doubted(unit: UnitState, one: TimeExpression, sentence: Sentence) -> bool:
    """Whether a sentence without a deed only supposes, asks or recalls the time it names."""
    behind = any(clause.earlier or clause.realis != "actual" or clause.negated for clause in sentence.clauses)
    return behind or _doubtful(sentence.where.cut(unit.delta.unit.text), one.start - sentence.where.start)


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
        if found := _light(told, where):
            yield found


def _light(told: str, where: TextRange) -> Light | None:
    """What one sentence tells of the time of day; where one time gives way to another, it tells of neither."""
    sentence = where.cut(told)
    marks = list(_marks(sentence)) if _worth_a_look(sentence) else []
    plain = [one for one in marks if one[1] != EVENING] or marks
    if len({time for _, time in plain}) == 1:
        return Light(plain[0][1], _phrase(told, where, plain[0][0]))
    return Light("later", where) if any(time in NEW_DAY for _, time in marks) else None


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
