"""What colour something is, which of its kind, what somebody was, what became of them: by how a sentence words it.

`Which hand?` is answered by the word before the hand, where all else that was asked stands in the sentence. Shapes and words stand in
`deeds.toml`. Never used through a character's eyes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from narraworld.base.settings import DEFAULTS
from narraworld.kb.english import either
from narraworld.query.ask.from_sentences.by_deeds import DeedAnswer, answer_at, clause_behind, stems_in
from narraworld.query.ask.from_sentences.by_relation import Belongings
from narraworld.query.ask.from_sentences.deed_questions import deed_table, deed_words, is_small, verb_stems
from narraworld.query.ask.from_sentences.meant_by import Pronouns
from narraworld.query.ask.from_sentences.tellings import Tellings, is_question, words_in

if TYPE_CHECKING:
    from narraworld.query.memory.index.admission import AdmittedPassage
    from narraworld.query.scope import Scope

__all__ = ["Qualities"]

Scored = tuple[tuple[float, ...], DeedAnswer]
LIMITS = DEFAULTS.memory.deeds
_COLOUR = re.compile(
    rf"(?:of )?what colou?r (?:{either('verbs.be')}) (?:the )?(?:(?P<owner>[^?]+?)['’]s? )?(?P<noun>[\w-]+)", re.IGNORECASE
)  # fmt: skip
_WHICH = re.compile(rf"(?:(?:{either('questions.before')}) )?(?:which|what) (?P<noun>[a-z-]+) (?P<rest>(?:{either('verbs.helping')}) .+)", re.IGNORECASE)  # fmt: skip
_BEFALLEN = re.compile(
    r"what (?:happened|happens|has happened|had happened) to (?P<who>[^?]+)|what (?:became|has become) of (?P<whom>[^?]+)", re.IGNORECASE
)  # fmt: skip


class Qualities:
    """The recorded sentences of one situated world, as they describe."""

    def __init__(self, scope: Scope) -> None:
        self._scope, self._tellings = scope, scope.once(Tellings)
        self._belongings, self._pronouns = scope.once(Belongings), scope.once(Pronouns)

    def _sentences(self) -> Iterator[tuple[int, AdmittedPassage]]:
        for nth, one in enumerate(self._tellings.passages):
            if not is_question(one.words) and self._tellings.records_of(one):
                yield nth, one

    def coloured(self, question: str) -> Iterator[Scored]:
        """`What colour is Mara's coat?`: the colour beside the noun, in a sentence that says whose it is."""
        asked = _COLOUR.fullmatch(question)
        if asked is None:
            return
        pattern = _coloured(asked["noun"].lower())
        for nth, passage in self._sentences():
            for found in pattern.finditer(passage.words):
                if self._belongings.belongs(asked["owner"] or "", nth, found.start()):
                    yield (
                        (0.0,),
                        answer_at(
                            self._tellings,
                            (found["before"] or found["after"]).strip(),
                            passage,
                            found.start(),
                        ),
                    )

    def of_kind(self, question: str) -> Iterator[Scored]:
        """`In which ear is he deaf?`: the word before the noun, where all else that was asked is in the sentence."""
        asked = _WHICH.fullmatch(question)
        wanted = _telling(asked["rest"]) if asked else []
        if asked is None or len(wanted) < LIMITS.which or asked["noun"].lower() in _elsewhere():
            return
        for nth, passage in self._sentences():
            if self._all_there(wanted, nth, passage):
                for found in _kinds(asked["noun"].lower()).finditer(passage.words):
                    known = stems_in(question) | stems_in(" ".join(wanted))
                    if stems_in(found["kind"]) - known:
                        yield (0.0,), answer_at(self._tellings, found[0].strip(), passage, found.start())

    def _all_there(self, wanted: list[str], nth: int, passage: AdmittedPassage) -> bool:
        """Whether a sentence has all these words; one name may stand there as a pronoun."""
        missing = [word for word in wanted if not _has(passage.words, word)]
        if not missing:
            return True
        meant = frozenset(self._scope.mentions.resolve(" ".join(missing)))
        return (
            bool(meant) and len(missing) < len(wanted) and self._pronouns.may_mean(meant, nth, passage.words)
        )

    def had_been(self, question: str) -> Iterator[Scored]:
        """`What was Mara before the war?`, `What did Mara use to be?`: what the sentence says she was."""
        shapes = deed_table()["been"]
        asked = next(
            (one for shape in shapes["asked"] if (one := re.fullmatch(shape, question, re.IGNORECASE))), None
        )
        if asked is None or not (meant := frozenset(self._scope.mentions.resolve(asked["who"]))):
            return
        for nth, passage in self._sentences():
            for found in re.finditer(shapes["says"], passage.words):
                subject = passage.words[: found.start("verb")]
                named = stems_in(asked["who"]) & stems_in(found["who"])
                if named or (found["pronoun"] and self._pronouns.may_mean(meant, nth, subject)):
                    earlier = found["verb"].strip().lower() in shapes["earlier"]
                    yield (
                        (float(earlier), float(-nth)),
                        answer_at(self._tellings, found["as"].strip(), passage, found.start()),
                    )

    def befallen(self, question: str) -> Iterator[Scored]:
        """`What happened to Mara?`: what the sentence tells whose verb is one of harm, with her as who it befell."""
        asked = _BEFALLEN.fullmatch(question)
        meant = (
            frozenset(self._scope.mentions.resolve(asked["who"] or asked["whom"])) if asked else frozenset()
        )
        harm = frozenset(stem for verb in deed_words("befalling", "verbs") for stem in verb_stems(verb))
        for told in self._tellings.of(harm) if meant else ():
            suffering = told.sufferers or told.doers
            if meant & suffering and not (told.denied or told.supposed or told.pronoun):
                verb = told.passage.words[told.start : told.end]
                words = f"{verb}{clause_behind(told.behind)}".rstrip(" ,”\"’'")
                rank = deed_words("befalling", "ends")
                yield (
                    (float(bool(verb_stems(verb) & {s for v in rank for s in verb_stems(v)})),),
                    DeedAnswer(words, told.passage, told.records, told.speaker),
                )


def _telling(text: str) -> list[str]:
    small = deed_words("question", "helping") | deed_words("question", "beside")
    return [word for word in words_in(text) if not is_small(word) and word.lower() not in small]


def _has(sentence: str, word: str) -> bool:
    return stems_in(word) <= stems_in(sentence)


@cache
def _elsewhere() -> frozenset[str]:
    """Nouns that ask for a time, a place or a person, which other ways answer."""
    return frozenset(word for kind in deed_table()["nouns"] for word in deed_words("nouns", kind))


@cache
def _coloured(noun: str) -> re.Pattern[str]:
    shade = deed_table()["colours"]["shade"]
    colour = rf"(?:{shade}[ -])?(?:{'|'.join(sorted(deed_words('colours', 'words')))})"
    return re.compile(
        rf"\b(?P<before>{colour}) (?:[a-z-]+ )?{re.escape(noun)}\b|\b{re.escape(noun)} (?:{either('verbs.be')}) (?P<after>{colour})\b", re.IGNORECASE
    )  # fmt: skip


@cache
def _kinds(noun: str) -> re.Pattern[str]:
    never = "|".join(sorted(deed_words("colours", "no_kind")))
    return re.compile(rf"\b(?P<kind>(?:(?!(?:{never})\b)[\w’'-]+ ){{1,2}}?){re.escape(noun)}\b")
