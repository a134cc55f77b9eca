"""Questions answered by how a sentence is worded: where something is, who somebody is, how many there are, what was replied.

For what has no verb of its own to match: `The hens are in the bath`, `a widow called Ines`, `there were five boats`, and a question
that somebody in the story asks, with the reply. As in `by_deeds` the sentence has a record and the answer quotes it.
Never used through a character's eyes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from narraworld.base.settings import DEFAULTS
from narraworld.kb.english import either
from narraworld.kb.search.stems import base_form
from narraworld.query.ask.from_sentences.answer_phrases import amounts, number_of, places
from narraworld.query.ask.from_sentences.by_deeds import (
    DeedAnswer,
    alike,
    answer_at,
    best_of,
    stems_in,
    stems_near,
)
from narraworld.query.ask.from_sentences.by_quality import Qualities
from narraworld.query.ask.from_sentences.by_relation import Belongings
from narraworld.query.ask.from_sentences.deed_questions import (
    deed_questions,
    deed_table,
    deed_words,
    is_small,
    verb_stems,
)
from narraworld.query.ask.from_sentences.tellings import Tellings, clause_before, is_question, words_in

if TYPE_CHECKING:
    from narraworld.query.memory.index.admission import AdmittedPassage
    from narraworld.query.scope import Scope

__all__ = ["answers_by_wording"]

Scored = tuple[tuple[float, ...], DeedAnswer]
_WHERE = re.compile(
    rf"(?:(?P<by>in|at|on) (?:which|what) (?P<of>\w+)|where) (?:{either('verbs.helping')})\b (?P<rest>.+)",
    re.IGNORECASE,
)
_WHO = re.compile(rf"who (?:{either('verbs.be')}) (?P<who>[^?]+)", re.IGNORECASE)
_MANY = re.compile(r"how many (?P<rest>.+)", re.IGNORECASE)
_FAR = re.compile(
    rf"(?P<measure>how (?:{either('questions.measures')})) (?:{either('verbs.be')}) (?P<rest>.+)",
    re.IGNORECASE,
)
_PRICE = re.compile(rf"how much (?:{either('verbs.helping')}) (?P<rest>.+)", re.IGNORECASE)
_WHY_SO = re.compile(rf"why (?:{either('verbs.be')}) (?P<rest>.+)", re.IGNORECASE)
_EARLIER = re.compile(
    r"(?P<tells>(?:He|She|They|It)(?: had|['’]d) (?:not |never |just )?(?P<verb>\w+)[^.!?]*)"
)
_EARLIER_SAID = re.compile(r"[“\"‘]?(?P<tells>(?:He|She|They|It)(?: had|['’]d)? (?P<verb>\w+)[^.!?“”\"]*)")
_SAID_TO_ASK = r"\b(?:asked|asks|wondered|wanted to know)\b"
_ASKED = rf"\b{{0}}\b[^.!?]*\?|{_SAID_TO_ASK}[^.!?]*\b{{0}}\b"
_MAY_ASK = re.compile(rf"\?|{_SAID_TO_ASK}", re.IGNORECASE)
OF_THEM = "of them"
LIMITS = DEFAULTS.memory.deeds
_ASKS = re.compile(rf"(?:{either('questions.words')})\b", re.IGNORECASE)


def answers_by_wording(question: str, scope: Scope) -> tuple[str, list[DeedAnswer]]:
    """What was asked for, and the answers; the first way to answer that has one."""
    wording, asked = scope.once(Wordings), question.strip().rstrip("?!. ")
    belongings, qualities = scope.once(Belongings), scope.once(Qualities)
    for name, ways in (
        ("who or what, by a name", belongings.related), ("who, by having it", belongings.holding), ("who, by what a sentence calls them", belongings.described),
        ("what colour, by its name", qualities.coloured), ("which, by the word before it", qualities.of_kind),
        ("who, by an introduction", wording.introduced), ("where, by where it is", wording.whereabouts), ("how far, by a measure", wording.measured),
        ("how much, by a sum", wording.paid), ("in which town, by its name", wording.in_town),
        ("how many, by a number", wording.counted), ("what somebody replied", wording.replied), ("why, by what came before it", wording.explained),
        ("what, by what somebody was", qualities.had_been), ("what befell somebody", qualities.befallen),
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
        return (
            (nth, one) for nth, one in enumerate(self._tellings.passages) if self._tellings.records_of(one)
        )

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
                    yield (
                        (float(-rank),),
                        answer_at(self._tellings, found["as"].strip(" ,"), passage, found.start()),
                    )

    # -- where something is

    def whereabouts(self, question: str) -> Iterator[Scored]:
        """`The hens are in the bath`: the first place that is told, at the time that is asked about."""
        asked = _WHERE.fullmatch(question)
        if asked is None or not _is_town(asked, but=True):
            return
        what, times = _what_and_when(asked["rest"])
        for nth, passage in self._sentences() if what else ():
            said = stems_in(passage.words)
            if not stems_in(what[-1]) <= said:
                continue
            near = stems_near(self._tellings, nth)
            if stems_in(" ".join(what)) <= said | near and 2 * len(times & near) >= len(times):
                for at, words in _placed(passage.words, what[-1]):
                    yield (
                        (len(times & near) / (len(times) or 1), float(-nth)),
                        answer_at(self._tellings, words, passage, at),
                    )

    def in_town(self, question: str) -> Iterator[Scored]:
        """In which town something is, where it is named together with it: `the kitchen in Odessa`."""
        asked = _WHERE.fullmatch(question)
        if asked is None or not _is_town(asked):
            return
        wanted = [word for word in words_in(asked["rest"]) if not is_small(word)]
        for nth, passage in self._sentences():
            nouns = [noun for noun in wanted if f"{noun} " in passage.words]
            near = stems_in(" ".join(wanted)) & stems_near(self._tellings, nth) if nouns else frozenset[str]()
            for noun in nouns if 2 * len(near) >= len(wanted) else ():
                if found := re.search(
                    rf"\b{re.escape(noun)} (?P<town>(?:in|at|near) (?:[A-Z][\w-]+ ?)+)", passage.words
                ):
                    yield (0.0,), answer_at(self._tellings, found["town"].strip(), passage, found.start())

    # -- how far, deep, high; how much

    def measured(self, question: str) -> Iterator[Scored]:
        """An amount in the sentence that names what is measured; or near one, in the very words of such a measure."""
        asked = _FAR.fullmatch(question)
        if asked is None or not (wanted := _telling(asked["rest"])):
            return
        measure = asked["measure"].lower()
        kind = deed_table()["measured_in"][measure]
        behind = re.compile(deed_table()["measures"].get(measure, "(?!)"))
        for nth, passage in self._sentences():
            here = wanted <= stems_in(passage.words)
            for words in amounts(passage.words, kind):
                at = passage.words.index(words)
                fits = behind.match(passage.words[at + len(words) :].lstrip()) is not None
                if here or (fits and wanted <= stems_near(self._tellings, nth)):
                    yield (float(here), float(fits)), answer_at(self._tellings, words, passage, at)

    def paid(self, question: str) -> Iterator[Scored]:
        """What something costs: a sum of money beside the names of what is paid for."""
        asked = _PRICE.fullmatch(question)
        wanted = (
            _telling(asked["rest"]) - stems_in(deed_table()["measures"]["paying"]) if asked else frozenset()
        )
        for nth, passage in self._sentences() if wanted else ():
            here = wanted & stems_in(passage.words)
            if 2 * len(here) >= len(wanted) and wanted <= stems_near(self._tellings, nth):
                for words in amounts(passage.words, "money"):
                    yield (
                        (float(len(here)),),
                        answer_at(self._tellings, words, passage, passage.words.index(words)),
                    )

    # -- how many

    def counted(self, question: str) -> Iterator[Scored]:
        """The number of something, where the whole story has no other for it and the rest of the question is near."""
        asked = _MANY.fullmatch(question)
        if asked is None:
            return
        noun, rest = _noun_and_rest(words_in(asked["rest"]))
        found = list(self._numbers(noun)) or list(self._numbers(OF_THEM))
        if len({number.lower() for _, _, number, _ in found}) != 1:
            return
        for nth, passage, _, phrase in found:
            whole = re.search(
                rf"\bthere (?:{either('verbs.be')}) {re.escape(phrase)}", passage.words, re.IGNORECASE
            )
            if whole or 2 * len(rest & stems_near(self._tellings, nth)) >= len(rest):
                yield (
                    (float(whole is not None),),
                    answer_at(self._tellings, phrase.lower(), passage, passage.words.index(phrase)),
                )

    def _numbers(self, noun: str) -> Iterator[tuple[int, AdmittedPassage, str, str]]:
        for nth, passage in self._sentences():
            for number, phrase in number_of(passage.words, noun):
                if noun != OF_THEM or number.lower() != "one":
                    yield nth, passage, number, phrase

    # -- what somebody replied

    @cached_property
    def _asking(self) -> list[tuple[int, AdmittedPassage]]:
        """The sentences in which anything at all is asked."""
        return [(nth, one) for nth, one in enumerate(self._tellings.passages) if _MAY_ASK.search(one.words)]

    def replied(self, question: str) -> Iterator[Scored]:
        """A question that somebody asks in such words, or is said to ask, and what is said next."""
        asks, wanted = _ASKS.match(question), _telling(question)
        if asks is None:
            return
        verbs = {
            stem
            for one in deed_questions(question)
            for verb in (one.verb, *alike(one.verb))
            for stem in verb_stems(verb)
        }
        asked = re.compile(_ASKED.format(asks[0]), re.IGNORECASE)
        for nth, passage in self._asking:
            same = asked.search(passage.words) and any(
                verb_stems(word) & verbs for word in words_in(passage.words)
            )
            if same and len(wanted & stems_near(self._tellings, nth)) >= LIMITS.enough * len(wanted):
                yield from self._reply(nth, float(len(wanted & stems_in(passage.words))))

    def explained(self, question: str) -> Iterator[Scored]:
        """Why something is so, where the next sentence tells what had come before: `Mara was late. She had missed the tram.`"""
        asked = _WHY_SO.fullmatch(question)
        wanted = _telling(asked["rest"]) if asked else frozenset()
        for nth, (passage, after) in enumerate(pairwise(self._tellings.passages)) if len(wanted) > 1 else ():
            if (
                wanted <= stems_in(passage.words)
                and passage.unit == after.unit
                and (tells := self._earlier(after))
            ):
                yield (float(-nth),), answer_at(self._tellings, tells, after, 1)

    def _earlier(self, passage: AdmittedPassage) -> str:
        """What a sentence tells of an earlier time than the one before it; in speech the plain past is enough."""
        said = self._tellings.speech_at(passage, passage.start + 1)
        found = (_EARLIER_SAID if said else _EARLIER).match(passage.words)
        recorded = found and self._tellings.records_of(passage)
        return found["tells"] if found and recorded and _past(found["verb"]) else ""

    def _reply(self, nth: int, score: float) -> Iterator[Scored]:
        """The first words that somebody says after a question, with what the same speech goes on to say."""
        after = self._tellings.passages[nth + 1 : nth + 1 + LIMITS.patience]
        said = [(one, speech) for one in after if (speech := self._tellings.speech_at(one, one.start + 1))]
        said = [(one, speech) for one, speech in said if speech.record == said[0][1].record]
        if said and said[0][1].speaker and not is_question(said[0][0].words):
            words = " ".join(_spoken(one.words) for one, _ in said)
            yield (score,), DeedAnswer(words, said[0][0], (said[0][1].record,), said[0][1].speaker)


def _past(verb: str) -> bool:
    return verb.endswith("ed") or base_form(verb.lower()) != verb.lower()


def _is_town(asked: re.Match[str], *, but: bool = False) -> bool:
    """Whether a town, a street or the like is asked for; with ``but``, or nothing in particular."""
    return asked["of"].lower() in deed_words("nouns", "where") if asked["of"] else but


def _noun_and_rest(words: Sequence[str]) -> tuple[str, frozenset[str]]:
    """What is counted, which stands before the helping verb, and what else the question says."""
    helps = next(
        (nth for nth, word in enumerate(words) if nth and word.lower() in deed_words("question", "helping")),
        1,
    )
    noun = words[helps - 1]
    return noun, _telling(" ".join(words)) - stems_in(noun)


def _telling(text: str) -> frozenset[str]:
    return stems_in(
        " ".join(
            word
            for word in words_in(text)
            if not is_small(word) and word.lower() not in deed_words("question", "beside")
        )
    )


def _spoken(words: str) -> str:
    found = re.search(r"[“\"‘]([^”\"]+)", words)
    return (found[1] if found else words).strip(" ,")


def _what_and_when(rest: str) -> tuple[list[str], frozenset[str]]:
    """What is looked for, and the words that only say when."""
    words, times = words_in(rest), deed_words("question", "times")
    cut = next((nth for nth, word in enumerate(words) if nth and word.lower() in times), len(words))
    what = [
        word
        for word in words[:cut]
        if not is_small(word) and word.lower() not in deed_words("place", "keeping")
    ]
    return what, stems_in(" ".join(word for word in words[cut:] if not is_small(word)))


def _placed(sentence: str, noun: str) -> Iterator[tuple[int, str]]:
    """The places in a sentence where it says that something is somewhere: `lay in the drawer`, `on the sill stood a jug`."""
    [stem] = list(stems_in(noun))[:1] or [""]
    for found in _being().finditer(sentence):
        before, behind = clause_before(sentence[: found.start()]), sentence[found.end() :]
        first = next(iter(places(behind, going=False, source=False)), "")
        if (
            first
            and behind.lstrip().lower().startswith(first.lower()[:12])
            and _means(before, sentence, stem)
        ):
            yield found.start(), first
        elif stem in stems_in(" ".join(words_in(behind)[:5])) and (
            there := list(places(sentence[: found.start()], going=False, source=False))
        ):
            yield found.start(), there[0]


def _means(before: str, sentence: str, stem: str) -> bool:
    """Whether the subject before the verb is the noun, or a pronoun in a sentence that has the noun further on."""
    last = [word.lower() for word in words_in(before)[-4:]]
    return stem in stems_in(" ".join(last)) or (
        last[-1:] in (["it"], ["they"]) and stem in stems_in(sentence)
    )


@cache
def _being() -> re.Pattern[str]:
    return re.compile(
        rf"\b(?:{'|'.join(sorted(deed_words('place', 'being')))})\b(?: still| now| hidden| kept| lying)?",
        re.IGNORECASE,
    )
