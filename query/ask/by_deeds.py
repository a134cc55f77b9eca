"""Questions about deeds answered from what the records tell, sentence by sentence: who did it, where, when, why, how much.

A deed matches where the sentence has the verb (or one much like it), whoever the question names is who did it by the record of
the event or by the words before the verb, and all else that was asked stands in the sentence or near it. The answer is the part
of the sentence that was asked for, with the record it rests on; what somebody only says is told as theirs. Never used
through a character's eyes: a sentence says more than a mind may have met.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from narraworld.kb.search.inverted_index import analyse
from narraworld.query.ask.answer_phrases import MEASURES, amounts, behind_preposition, objects, of_kind, owners, places, reasons
from narraworld.query.ask.deed_questions import DeedQuestion, deed_questions, deed_table, deed_words, is_pronoun, verb_stems
from narraworld.query.ask.slots import is_mind
from narraworld.query.ask.tellings import Tellings, Told, clause_before, words_in
from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.query.memory.index.admission import AdmittedPassage
    from narraworld.query.scope import Scope

__all__ = ["DeedAnswer", "NEAR", "answers_by_deeds", "best_of", "stems_in"]

NEAR = 4  # sentences on either side in which the words may stand that only say when or where
NAMED = 6  # words before a verb in which a subject that is nobody's name must stand
MOST = 2  # different answers, from which on none is given


@dataclass(frozen=True, slots=True)
class DeedAnswer:
    """An answer in the words of the page, the sentence it stands in, the record it rests on, and who says it if nobody tells it."""

    words: str
    passage: AdmittedPassage
    records: tuple[str, ...]
    speaker: str | None = None
    symbols: tuple[str, ...] = ()


class TimeWords(NamedTuple):
    """Words of the text that say when, or for how long."""

    unit: str
    start: int
    end: int
    words: str
    lasting: bool


def answers_by_deeds(question: str, scope: Scope) -> tuple[str, list[DeedAnswer]]:
    """What was asked for, and the best answers; none where too many deeds would fit."""
    deeds = scope.once(Deeds)
    for asked in deed_questions(question):
        if found := deeds.answers(asked):
            return f"{asked.asked}, of a deed", found
    return "", []


def best_of(found: Sequence[tuple[tuple[float, ...], DeedAnswer]]) -> list[DeedAnswer]:
    """The answers that fit best; none where they are too many to be one answer."""
    best = max((score for score, _ in found), default=())
    different = {one.words.casefold(): one for score, one in reversed(found) if score == best}
    return list(reversed(different.values())) if len(different) <= MOST else []


class Deeds:
    """The deeds of one situated world, as its recorded sentences tell them."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._tellings = scope.once(Tellings)

    def answers(self, asked: DeedQuestion) -> list[DeedAnswer]:
        exact = verb_stems(asked.verb)
        alike = frozenset(stem for verb in _alike(asked.verb) for stem in verb_stems(verb))
        found = list[tuple[tuple[float, ...], DeedAnswer]]()
        for told in self._tellings.of(exact | alike):
            same = bool(verb_stems(told.passage.words[told.start : told.end]) & exact)
            if score := self._fit(asked, told, same):
                found += [(score, one) for one in self._answered(asked, told)]
        return best_of(found)

    # -- whether it is the deed that is asked about

    def _fit(self, asked: DeedQuestion, told: Told, same: bool) -> tuple[float, ...]:
        """How well a deed fits, or nothing: the very verb, how much that was said beside it is there, whether it has a record."""
        if told.denied != asked.negated or (told.supposed and not asked.modal) or (asked.passive and not told.passive and not told.recorded):
            return ()
        subject, _ = asked.doer
        if subject and not self._is_doer(subject, asked, told, same):
            return ()
        besides = asked.besides
        said = stems_in(told.passage.words) | self._named(told.others | ({told.speaker} if told.speaker else set()))
        near = said | {stem for words in self._tellings.near(told.nth, NEAR) for stem in stems_in(words)}
        if not all(self._stands(word, said, near) for word in besides.objects):
            return ()
        beside, times = stems_in(" ".join(besides.beside)), stems_in(" ".join(besides.times))
        elsewhere = said - _clause_stems(told) if asked.wanted == "what" else set()
        if not beside <= near - elsewhere or 2 * len(times & near) < len(times):
            return ()
        asides = beside | times
        return (float(same), len(asides & said) / (len(asides) or 1), float(told.recorded), float(not told.pronoun))

    def _is_doer(self, subject: tuple[str, ...], asked: DeedQuestion, told: Told, same: bool) -> bool:
        """Whether whoever the question names is who did it, or had it done to them."""
        words = " ".join(subject)
        meant = frozenset(self._scope.mentions.resolve(words))
        taking = (told.sufferers | told.doers if told.recorded else told.sufferers) if asked.passive else told.doers
        if meant & taking:
            return True
        before = clause_before(told.before)
        if words == "it":
            return "it" in before.lower().split()[-3:]
        if not meant or not taking:
            stems = stems_in(words)
            if stems and stems <= stems_in(" ".join(words_in(before)[-NAMED:])) and not told.pronoun:
                return True
        return told.pronoun and same and bool(asked.besides.objects) and self._just_named(subject, told)

    def _just_named(self, subject: tuple[str, ...], told: Told) -> bool:
        """Whether a pronoun may well mean the subject: nobody else was named since it was."""
        meant = set(self._scope.mentions.resolve(" ".join(subject)))
        before = [*self._tellings.near(told.nth, 2)]
        place = before.index(told.passage.words)
        named = [one.symbols for text in (*before[:place], told.before) for one in self._scope.mentions.find(text)]
        minds = [symbols for symbols in named if any(is_mind(one, self._scope) for one in symbols)]
        return bool(meant) and bool(minds) and all(meant & set(symbols) for symbols in minds[-1:])

    def _stands(self, word: str, said: set[str], near: set[str]) -> bool:
        """Whether a word of what it is done to is there; of whoever is named, somewhere near."""
        stems = stems_in(word)
        return stems <= (near if word[:1].isupper() else said)

    def _named(self, entities: frozenset[str] | set[str]) -> set[str]:
        return {stem for one in entities for stem in stems_in(self._scope.names(one))}

    # -- what the sentence answers

    def _answered(self, asked: DeedQuestion, told: Told) -> Iterator[DeedAnswer]:
        known = stems_in(" ".join((*asked.subject, asked.verb, *asked.rest, *asked.of)))
        for words, symbols in self._phrases(asked, told):
            if words and set(analyse(words)) - known and not all(map(is_pronoun, words.split())) and self._is_somebody(asked, words):
                yield DeedAnswer(words, told.passage, told.records, told.speaker, symbols)
                return

    def _is_somebody(self, asked: DeedQuestion, words: str) -> bool:
        """Whom did she meet wants somebody of the story; what did she meet may be answered by any words."""
        found = self._scope.mentions.find(words) if asked.asked in ("who", "whom") else ()
        return asked.asked not in ("who", "whom") or any(is_mind(one, self._scope) for mention in found for one in mention.symbols)

    def _phrases(self, asked: DeedQuestion, told: Told) -> Iterator[tuple[str, tuple[str, ...]]]:
        if asked.wanted == "who":
            taking = told.sufferers if asked.passive else told.doers
            if taking and not told.pronoun:
                yield " and ".join(sorted(self._scope.names(one) for one in taking)), tuple(sorted(taking))
        else:
            yield from ((words, ()) for words in self._words(asked, told))

    def _words(self, asked: DeedQuestion, told: Told) -> Iterator[str]:
        wanted, sentence = asked.wanted, told.passage.words
        if wanted == "where":
            yield from _where(asked, told)
        elif wanted in ("when", "how long"):
            yield from self._times(told, asked)
        elif wanted == "why":
            yield from reasons(told.behind, purpose=True)
            yield from reasons(told.before, purpose=False)
        elif wanted == "how many" and asked.of:
            yield from amounts(sentence, "", asked.noun)
        elif wanted in MEASURES:
            yield from amounts(sentence, MEASURES[wanted])
        elif wanted == "whose" and asked.of:
            yield from owners(sentence, asked.noun)
        elif wanted == "what":
            yield from behind_preposition(told.behind, asked.by) if asked.by else objects(told.behind)

    def _times(self, told: Told, asked: DeedQuestion) -> Iterator[str]:
        """What the sentence says of when, nearest to the verb first."""
        here, at = told.passage, told.passage.start + told.start
        within = [one for one in self._dates if one.unit == here.unit and here.start <= one.start and one.end <= here.end]
        lasting = asked.wanted == "how long"
        for one in sorted(within, key=lambda one: abs(one.start - at)):
            if one.lasting is lasting and of_kind(one.words, asked.noun):
                yield one.words

    @cached_property
    def _dates(self) -> list[TimeWords]:
        engine, found = self._scope.engine, list[TimeWords]()
        for record, _, value, _, _ in rows(engine, "detail", None, "when"):
            lasting = any(kind == "duration" for _, kind in rows(engine, "detail_thing", record))
            for quote in self._scope.quotes(str(record)):
                found.append(TimeWords(quote.unit, quote.start, quote.end, str(value), lasting))
        return found


def _where(asked: DeedQuestion, told: Told) -> Iterator[str]:
    going = bool(verb_stems(asked.verb) & _going())
    yield from places(told.behind, going=going, source=asked.by == "from")
    if asked.by != "from":
        yield from places(clause_before(told.before), going=False, source=False)


def _clause_stems(told: Told) -> set[str]:
    """What is said in the clause of the verb, up to the next stop."""
    behind = re.split(r"[;:.!?—–]|, (?:and|but) ", told.behind)[0]
    return stems_in(behind) | stems_in(clause_before(told.before))


@cache
def _alike(verb: str) -> frozenset[str]:
    mine = verb_stems(verb)
    groups = deed_table()["alike"].items()
    return frozenset(word for name, words in groups if mine & verb_stems(name) for word in words.split())


@cache
def _going() -> frozenset[str]:
    return frozenset(stem for verb in deed_words("place", "going") for stem in verb_stems(verb))


@cache
def stems_in(text: str) -> frozenset[str]:
    return frozenset(analyse(text))
