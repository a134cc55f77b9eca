"""Questions that want a number, a sum, a length of time or a time, answered from the sentence that accounts for what was asked.

The word that asks says what kind of words can answer, and those have a shape: `twelve geese`, `for a week`, `on Monday`. A
sentence is as good as the words of the question that stand in it, the rarer the better; a name may stand there as a pronoun, and what
stands just beside it counts half. It answers where no sentence with another answer is nearly as good. Never used
through a character's eyes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import log
from typing import TYPE_CHECKING, NamedTuple

from narraworld.base.settings import DEFAULTS
from narraworld.kb.english import either
from narraworld.query.ask.from_sentences.answer_phrases import (
    ages,
    amounts,
    bare_numbers,
    counts,
    number_of,
    times_in,
)
from narraworld.query.ask.from_sentences.by_deeds import DeedAnswer, alike, answer_at, joined_in
from narraworld.query.ask.from_sentences.deed_questions import deed_table, deed_words, is_small, verb_stems
from narraworld.query.ask.from_sentences.meant_by import Pronouns
from narraworld.query.ask.from_sentences.tellings import Tellings, is_question, stems_in, words_in

if TYPE_CHECKING:
    from narraworld.query.scope import Scope

__all__ = ["KindQuestion", "Kinds", "answers_by_kind", "kind_question"]

LIMITS = DEFAULTS.memory.deeds
_ENDS = re.compile(rf"[;:—–“”\"(]|, |\b(?:{either('questions.clause_ends')})\b")
HALF = 0.5  # of what stands only beside the sentence, or only says when
TELLER = "narrator"


@dataclass(frozen=True, slots=True)
class KindQuestion:
    """What kind of words can answer, of what if something is counted, and the words that a sentence must account for."""

    kind: str
    noun: str
    words: tuple[str, ...]
    aside: tuple[str, ...] = ()  # those that only say when: `after the war`


class AskedWord(NamedTuple):
    """A word of a question, or those of one name; how much it weighs, and whether it tells more than who or what is counted."""

    words: tuple[str, ...]
    weight: float
    telling: bool

    @property
    def named(self) -> bool:
        return self.words[0][0].isupper()


class _Place(NamedTuple):
    """Where words of the wanted kind stand: the sentence before them, its text with what it goes on from, its clause, its neighbours."""

    nth: int
    at: int
    before: str
    here: str
    clause: str
    beside: str


class _KindAnswer(NamedTuple):
    """Words of the wanted kind in a sentence, and how much of the question stands around them."""

    share: float
    nth: int
    at: int
    words: str


def kind_question(question: str) -> KindQuestion | None:
    """The question as one that wants words of a certain shape; None for others."""
    for kind, shapes in deed_table()["asks_for"].items():
        for shape in shapes:
            if asked := re.match(shape, question, re.IGNORECASE):
                noun = (asked.groupdict().get("noun") or "").lower()
                counted = [noun] if kind == "count" else []
                told, aside = _and_when(question[asked.end() :])
                return KindQuestion(
                    kind, noun, (*counted, *_telling(told, kind)), tuple(_telling(aside, kind))
                )
    return None


def _and_when(text: str) -> tuple[str, str]:
    """What is asked about, and what is said beside it of the time."""
    times = "|".join(sorted(deed_words("question", "times")))
    told, *aside = re.split(rf"(?<=\w),? (?=(?:{times})\b)", text, maxsplit=1, flags=re.IGNORECASE)
    return told, " ".join(aside)


def _telling(text: str, kind: str) -> Iterator[str]:
    """The words that tell what is asked about; a sum needs no word of paying beside it."""
    idle = frozenset[str]().union(
        *(
            deed_words(*where)
            for where in (("question", "helping"), ("question", "beside"), ("asked_beside", kind))
        )
    )
    for word in words_in(re.sub(r"['’]s\b", "", text)):
        if not is_small(word) and word.lower() not in idle and stems_in(word):
            yield word


def answers_by_kind(question: str, scope: Scope) -> tuple[str, list[DeedAnswer]]:
    """What was asked for, and the answer; none where no sentence is clearly the best."""
    asked = kind_question(question.strip())
    found = scope.once(Kinds).answers(asked) if asked else []
    return (f"{asked.kind}, by the words around it", found) if asked and found else ("", [])


class Kinds:
    """The sentences of one situated world, by the words of a question that stand in them."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._tellings, self._pronouns = scope.once(Tellings), scope.once(Pronouns)

    def answers(self, asked: KindQuestion) -> list[DeedAnswer]:
        """The one answer that is clearly the best; none where there is none. Two in one sentence are equally good."""
        found = list(self._found(asked)) if asked.words else []
        best = max(found, key=lambda one: one.share, default=_KindAnswer(0.0, 0, 0, ""))
        others = [one for one in found if not _same(one.words, best.words)]
        second = max((best.share if one.nth == best.nth else one.share for one in others), default=0.0)
        if best.share < LIMITS.accounted or best.share - second < LIMITS.margin:
            return []
        return [answer_at(self._tellings, best.words, self._tellings.passages[best.nth], best.at)]

    def _found(self, asked: KindQuestion) -> Iterator[_KindAnswer]:
        wanted = list(self._weighed(asked))
        for nth, passage in enumerate(self._tellings.passages):
            for words, sure in () if is_question(passage.words) else _of_kind(asked, passage.words):
                at = passage.words.index(words)
                said = LIMITS.said if self._tellings.speech_at(passage, passage.start + at) else 1.0
                if share := said * sure * self._share(wanted, self._place(nth, at)):
                    yield _KindAnswer(share, nth, at, words)

    # -- the words of the question

    def _weighed(self, asked: KindQuestion) -> Iterator[AskedWord]:
        """The words one by one, those of one name together, the rarer the weightier."""
        for words in self._together(asked.words):
            yield AskedWord(words, self._rarity(words), words[0].islower() and words[0] != asked.noun)
        for word in asked.aside:
            yield AskedWord((word,), HALF * self._rarity((word,)), word.islower())

    def _together(self, words: Sequence[str]) -> list[tuple[str, ...]]:
        found = list[tuple[str, ...]]()
        for word in words:
            name = (*found[-1], word) if found else (word,)
            one = len(name) > 1 and all(part[0].isupper() for part in name)
            if one and self._scope.mentions.resolve(" ".join(name)):
                found[-1] = name
            else:
                found.append((word,))
        return found

    def _rarity(self, words: Sequence[str]) -> float:
        return max(
            log(1 + len(self._stems) / (1 + sum(stems_in(word) <= one for one in self._stems)))
            for word in words
        )

    @cached_property
    def _stems(self) -> list[frozenset[str]]:
        return [stems_in(one.words) for one in self._tellings.passages]

    # -- where they stand

    def _place(self, nth: int, at: int) -> _Place:
        words = self._tellings.passages[nth].words
        near = list(self._tellings.near(nth, LIMITS.beside))
        goes_on = len(words_in(words)) <= LIMITS.fragment  # a fragment has the words of what it goes on from
        here = " ".join(near[: near.index(words) + 1]) if goes_on else words
        return _Place(nth, at, words[:at], here, _clause_at(words, at), " ".join(near))

    def _share(self, wanted: Sequence[AskedWord], place: _Place) -> float:
        """How much of the question stands in a sentence, where something that it tells does."""
        standing = [(one, self._stands(one, place)) for one in wanted]
        told = [one.telling and share > HALF for one, share in standing]
        if not any(told) and any(one.telling for one in wanted):
            return 0.0
        return sum(one.weight * share for one, share in standing) / sum(one.weight for one in wanted)

    def _stands(self, asked: AskedWord, place: _Place) -> float:
        if self._meant(asked, place) or _in(asked, place.clause):
            return 1.0
        if _in(asked, place.here):
            return 1.0 if asked.named else LIMITS.apart
        may_be = asked.named and _says(place.before, "theirs")
        return HALF if may_be or _in(asked, place.beside) else 0.0

    def _meant(self, asked: AskedWord, place: _Place) -> bool:
        """Whether somebody is meant by a pronoun of the sentence, or is whoever says I there; of a clause about I nobody else is."""
        name = " ".join(asked.words)
        meant = self._tellings.narrator if name == TELLER else frozenset(self._scope.mentions.resolve(name))
        if not meant:
            return False
        if _says(place.here, "self") and meant & self._saying(place):
            return True
        if _says(place.clause, "self"):
            return False
        return _says(place.before, "theirs") and self._pronouns.may_mean(meant, place.nth, place.before)

    def _saying(self, place: _Place) -> frozenset[str]:
        passage = self._tellings.passages[place.nth]
        speech = self._tellings.speech_at(passage, passage.start + place.at)
        if speech is None:
            return self._tellings.narrator
        return frozenset({speech.speaker} if speech.speaker else ())


def _says(text: str, whose: str) -> bool:
    """Whether a text has a pronoun of these."""
    return bool(deed_words("owners", whose) & {word.lower() for word in words_in(text)})


def _in(asked: AskedWord, text: str) -> bool:
    return any(_stands_in(word, text) for word in asked.words)


def _stands_in(word: str, text: str) -> bool:
    """Whether a word stands in a text: itself, a verb much like it, or joined with another."""
    if stems_in(word) <= stems_in(text):
        return True
    verbs = frozenset(stem for verb in (word, *alike(word)) for stem in verb_stems(verb))
    return bool(verbs & _verbs_in(text)) or joined_in(word, text)


@cache
def _verbs_in(text: str) -> frozenset[str]:
    """The stems of all words of a text, as if each were a verb: `slept` is to sleep."""
    return frozenset().union(*(verb_stems(word) for word in words_in(text)))


def _clause_at(sentence: str, at: int) -> str:
    """The clause of a sentence in which something stands."""
    behind = _ENDS.search(sentence, at)
    before = max((found.end() for found in _ENDS.finditer(sentence, 0, at)), default=0)
    return sentence[before : behind.start() if behind else len(sentence)]


def _same(one: str, other: str) -> bool:
    """Whether two answers say the same, one of them perhaps in more words."""
    less, more = sorted((stems_in(one), stems_in(other)), key=len)
    return one.casefold() == other.casefold() or bool(less and less <= more)


def _of_kind(asked: KindQuestion, sentence: str) -> Iterator[tuple[str, float]]:
    """The words of a sentence that have the shape of an answer, and how sure that is: a number may count anything."""
    match asked.kind:
        case "count":
            counted = [phrase for _, phrase in number_of(sentence, asked.noun)]
            yield from ((phrase, 1.0) for phrase in counted)
            if not counted and not stems_in(asked.noun) <= stems_in(sentence):
                yield from ((number, LIMITS.bare) for number in bare_numbers(sentence))
        case "time":
            yield from ((words, 1.0) for words in times_in(sentence, asked.noun))
        case "age":
            yield from ((words, 1.0) for words in ages(sentence))
        case _:
            yield from (
                (words.removeprefix("and "), 1.0) for words in amounts(sentence, asked.kind) if counts(words)
            )
