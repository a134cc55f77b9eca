"""Questions answered by how a sentence is worded: where something is, who somebody is, how many there are, what was replied.

For what has no verb of its own to match: `The hens are in the bath`, `a widow called Ines`, `there were five boats`, and a question
that somebody in the story asks, with the reply. As in `by_deeds` the sentence has a record and the answer quotes it.
Never used through a character's eyes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from narraworld.query.ask.answer_phrases import LENGTHS, amounts, number_of, places
from narraworld.query.ask.by_deeds import NEAR, DeedAnswer, best_of, stems_in
from narraworld.query.ask.deed_questions import deed_table, deed_words, is_small
from narraworld.query.ask.tellings import Tellings, clause_before, is_question, words_in

if TYPE_CHECKING:
    from narraworld.query.memory.index.admission import AdmittedPassage
    from narraworld.query.scope import Scope

__all__ = ["answers_by_wording"]

Scored = tuple[tuple[float, ...], DeedAnswer]
_WHERE = re.compile(
    r"(?:(?P<by>in|at|on) (?:which|what) (?P<of>\w+)|where) (?:is|are|was|were|had|did|does|do|has)\b (?P<rest>.+)", re.IGNORECASE
)
_WHO = re.compile(r"who (?:is|was|are|were) (?P<who>[^?]+)", re.IGNORECASE)
_MANY = re.compile(r"how many (?P<rest>.+)", re.IGNORECASE)
_FAR = re.compile(r"(?P<measure>how (?:far|deep|high|tall|wide|old)) (?:is|are|was|were) (?P<rest>.+)", re.IGNORECASE)
_ASKS = re.compile(r"(?:who|whom|what|which|where|when|why|how)\b", re.IGNORECASE)


def answers_by_wording(question: str, scope: Scope) -> tuple[str, list[DeedAnswer]]:
    """What was asked for, and the answers; the first way to answer that has one."""
    wording, asked = scope.once(Wordings), question.strip().rstrip("?!. ")
    for name, ways in (
        ("who, by an introduction", wording.introduced), ("where, by where it is", wording.whereabouts), ("how far, by a measure", wording.measured),
        ("how many, by a number", wording.counted), ("what somebody replied", wording.replied),
    ):  # fmt: skip
        if found := best_of(list(ways(asked))):
            return name, found
    return "", []


class Wordings:
    """The recorded sentences of one situated world, by their wording."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._tellings = scope.once(Tellings)

    def _sentences(self) -> Iterator[tuple[int, AdmittedPassage]]:
        return ((nth, one) for nth, one in enumerate(self._tellings.passages) if self._tellings.records_of(one))

    def _answer(self, words: str, passage: AdmittedPassage, at: int) -> DeedAnswer:
        speech = self._tellings.speech_at(passage, passage.start + at)
        records = (speech.record,) if speech else self._tellings.records_of(passage)[:1]
        return DeedAnswer(words, passage, records, speech.speaker if speech else None)

    def _near(self, nth: int) -> set[str]:
        return {stem for words in self._tellings.near(nth, NEAR) for stem in stems_in(words)}

    # -- who somebody is

    def introduced(self, question: str) -> Iterator[Scored]:
        """`a widow called Ines`, `Ines was a widow`, `Ines, the widow of the smith`."""
        asked = _WHO.fullmatch(question)
        if asked is None or not asked["who"][0].isupper():
            return
        name = re.escape(asked["who"])
        for _, passage in self._sentences():
            for rank, pattern in enumerate(deed_table()["introductions"]["says"]):
                if found := re.search(pattern.replace("NAME", name), passage.words):
                    yield (float(-rank),), self._answer(found["as"].strip(" ,"), passage, found.start())

    # -- where something is

    def whereabouts(self, question: str) -> Iterator[Scored]:
        asked = _WHERE.fullmatch(question)
        if asked is None or (asked["of"] and asked["of"].lower() not in deed_words("nouns", "where")):
            return
        what, times = _what_and_when(asked["rest"])
        if not what:
            return
        for nth, passage in self._sentences():
            said = stems_in(passage.words)
            if stems_in(what[-1]) <= said and stems_in(" ".join(what)) <= said | self._near(nth):
                near = self._near(nth)
                if 2 * len(times & near) >= len(times):
                    for at, words in _placed(passage.words, what[-1]):
                        yield (len(times & near) / (len(times) or 1), float(-nth)), self._answer(words, passage, at)

    # -- how far, deep, high

    def measured(self, question: str) -> Iterator[Scored]:
        asked = _FAR.fullmatch(question)
        wanted = stems_in(" ".join(word for word in words_in(asked["rest"]) if not is_small(word))) if asked else frozenset()
        for _, passage in self._sentences() if asked and wanted else ():
            if wanted <= stems_in(passage.words):
                for words in amounts(passage.words, LENGTHS.get(asked["measure"].lower(), "length")):
                    yield (0.0,), self._answer(words, passage, passage.words.index(words))

    # -- how many

    def counted(self, question: str) -> Iterator[Scored]:
        """The number of something, where the whole story has no other for it and the rest of the question is near."""
        asked = _MANY.fullmatch(question)
        words = words_in(asked["rest"]) if asked else []
        noun = next((words[nth - 1] for nth, word in enumerate(words) if nth and word.lower() in deed_words("question", "helping")), "")
        rest = stems_in(" ".join(word for word in words if not is_small(word) and word != noun))
        found = [(nth, passage, one) for nth, passage in self._sentences() for one in number_of(passage.words, noun)] if noun else []
        if len({number.lower() for _, _, (number, _) in found}) == 1:
            for nth, passage, (_, phrase) in found:
                whole = re.search(rf"\bthere (?:is|are|was|were) {re.escape(phrase)}", passage.words, re.IGNORECASE)
                if whole or 2 * len(rest & self._near(nth)) >= len(rest):
                    yield (float(whole is not None),), self._answer(phrase.lower(), passage, passage.words.index(phrase))

    # -- what somebody replied

    def replied(self, question: str) -> Iterator[Scored]:
        """A question that somebody asks in these words, and what is said next."""
        asks = _ASKS.match(question)
        wanted = stems_in(" ".join(word for word in words_in(question) if not is_small(word)))
        passages = self._tellings.passages
        for nth, passage in enumerate(passages[:-1]) if asks and wanted else ():
            if is_question(passage.words) or "?" in passage.words:
                yield from self._reply(nth, asks[0].lower(), wanted)

    def _reply(self, nth: int, asks: str, wanted: frozenset[str]) -> Iterator[Scored]:
        passage = self._tellings.passages[nth]
        said = stems_in(passage.words)
        missing = wanted - said
        heard = {stem for words in self._tellings.near(nth, 2) for stem in stems_in(words)}
        if asks not in [word.lower() for word in words_in(passage.words)] or len(wanted & said) < 2 or not missing <= heard:
            return
        for after in self._tellings.passages[nth + 1 : nth + 4]:
            speech = self._tellings.speech_at(after, after.start + 1)
            if speech and speech.speaker and not is_question(after.words):
                yield (float(len(wanted & said)),), DeedAnswer(_spoken(after.words), after, (speech.record,), speech.speaker)
                return


def _spoken(words: str) -> str:
    found = re.search(r"[“\"‘]([^”\"]+)", words)
    return (found[1] if found else words).strip(" ,")


def _what_and_when(rest: str) -> tuple[list[str], frozenset[str]]:
    """What is looked for, and the words that only say when."""
    words, times = words_in(rest), deed_words("question", "times")
    cut = next((nth for nth, word in enumerate(words) if nth and word.lower() in times), len(words))
    what = [word for word in words[:cut] if not is_small(word) and word.lower() not in deed_words("place", "keeping")]
    return what, stems_in(" ".join(word for word in words[cut:] if not is_small(word)))


def _placed(sentence: str, noun: str) -> Iterator[tuple[int, str]]:
    """The places in a sentence where it says that something is somewhere: `lay in the drawer`, `on the sill stood a jug`."""
    [stem] = list(stems_in(noun))[:1] or [""]
    for found in _being().finditer(sentence):
        before, behind = clause_before(sentence[: found.start()]), sentence[found.end() :]
        first = next(iter(places(behind, going=False, source=False)), "")
        if first and behind.lstrip().lower().startswith(first.lower()[:12]) and _means(before, sentence, stem):
            yield found.start(), first
        elif stem in stems_in(" ".join(words_in(behind)[:5])) and (there := list(places(sentence[: found.start()], going=False, source=False))):
            yield found.start(), there[0]


def _means(before: str, sentence: str, stem: str) -> bool:
    """Whether the subject before the verb is the noun, or a pronoun in a sentence that has the noun further on."""
    last = [word.lower() for word in words_in(before)[-4:]]
    return stem in stems_in(" ".join(last)) or (last[-1:] in (["it"], ["they"]) and stem in stems_in(sentence))


@cache
def _being() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(sorted(deed_words('place', 'being')))})\b(?: still| now| hidden| kept| lying)?", re.IGNORECASE)
