"""Questions about deeds taken apart: what is asked for, who did it, the verb, and what else was said. Knows no world.

There is no grammar of questions here: every way to cut one into subject, verb and the rest is offered, and those that make no
sense match nothing that was told. The words it goes by stand in `deeds.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import takewhile
from typing import Any, NamedTuple

from narraworld.base.settings import DEFAULTS
from narraworld.kb.english import either, wordset
from narraworld.kb.search.search_words import analyse
from narraworld.kb.search.stems import base_form
from narraworld.query.name_finder import stem

__all__ = [
    "Besides",
    "DeedQuestion",
    "deed_questions",
    "deed_table",
    "deed_words",
    "is_pronoun",
    "is_small",
    "verb_stems",
    "whether_questions",
]

_WORD = re.compile(r"[^\W_]+(?:[-.][^\W_]+)*|['’]s\b")
_OWN = ("'s", "’s")
LIMITS = DEFAULTS.memory.deeds


class Besides(NamedTuple):
    """What stands behind the verb: what it is done to, what is said beside it, and what only says when."""

    objects: tuple[str, ...]
    beside: tuple[str, ...]
    times: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeedQuestion:
    """One way to take a question apart. ``asked`` is what is wanted of the deed; with no subject, who did it is wanted."""

    asked: str
    of: tuple[str, ...]  # the noun behind which, whose or how many
    subject: tuple[str, ...]
    verb: str
    rest: tuple[str, ...]
    by: str = ""  # the preposition of what is asked for: `from` whom, die `of`
    modal: bool = False
    passive: bool = False
    negated: bool = False

    @property
    def wanted(self) -> str:
        """What is wanted of the deed, by the word that asks and the noun behind it."""
        if self.asked in ("which", "what") and self.of:
            noun = self.of[-1].lower().removesuffix("s")
            return next(
                (kind for kind in deed_table()["nouns"] if noun in deed_words("nouns", kind)), "of a kind"
            )
        if self.asked in wordset("questions.whom"):
            return "what" if self.subject else "who"
        return self.asked

    @property
    def noun(self) -> str:
        return self.of[-1].lower() if self.of else ""

    @property
    def besides(self) -> Besides:
        particles, beside, times = (deed_words("question", name) for name in ("particles", "beside", "times"))
        parts: tuple[list[str], list[str], list[str]] = ([], [], [])
        at = 0
        for word in self.rest:
            small = word.lower()
            if small in beside or small in particles:
                at = 2 if small in times else max(at, 1)
            elif not is_small(small):
                parts[at].append(word)
        _, tail = self.doer
        return Besides(
            tuple(parts[0]), (*parts[1], *(word for word in tail if not is_small(word))), tuple(parts[2])
        )

    @property
    def doer(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The subject: its own words, and those behind a preposition (`the key`, `the kiln house`)."""
        words = tuple(word for word in self.subject if word not in _OWN)
        cut = next(
            (
                nth
                for nth, word in enumerate(words)
                if nth and word.lower() in deed_words("question", "beside")
            ),
            len(words),
        )
        return words[:cut], words[cut + 1 :]

    @property
    def sound(self) -> bool:
        """Whether the verb can be one, and the subject somebody or something."""
        return self._has_verb and (not self.subject or self._has_subject)

    @property
    def _has_verb(self) -> bool:
        first = self.rest[0].lower() if self.rest else ""
        never = (
            is_small(self.verb)
            or self.verb[0].isupper()
            or self.verb.lower() in deed_words("question", "no_deeds")
        )
        return not never and bool(verb_stems(self.verb)) and first not in deed_words("question", "helping")

    @property
    def _has_subject(self) -> bool:
        ends, begins = self.subject[-1].lower(), self.subject[0].lower()
        if len(self.subject) > 1 and begins in deed_words("question", "pronouns"):
            return False  # `it` is all there is of a subject, and not `it a lucky`
        torn = deed_words("question", "helping") | deed_words("question", "times") | {"because"}
        if (
            ends in deed_words("question", "beside")
            or ends in _OWN
            or any(word.lower() in torn for word in self.subject)
        ):
            return False
        return ends == "it" or not is_small(ends)


def deed_questions(question: str) -> Iterator[DeedQuestion]:
    """Every way to take the question apart that can be meant, the shortest subject first."""
    start = _start().match(question.strip())
    if start is None:
        return
    words = _WORD.findall(re.sub(r"n['’]t\b", " not", question.strip()[start.end() :]))
    asked, by = start["asked"].lower(), (start["by"] or "").lower()
    if words and words[-1].lower() in deed_words("question", "beside"):
        by, words = words[-1].lower(), words[:-1]
    for many in range(LIMITS.noun + 1) if asked in wordset("questions.with_noun") else (0,):
        helped = any(_helps(word) or word.lower() in deed_words("place", "articles") for word in words[:many])
        if many < len(words) and not helped:
            yield from filter(lambda one: one.sound, _apart(asked, by, tuple(words[:many]), words[many:]))


def whether_questions(question: str) -> Iterator[DeedQuestion]:
    """Every way to take a question apart that wants yes or no: `Did Mara sell the boat?`"""
    words = _WORD.findall(re.sub(r"n['’]t\b", " not", question.strip()))
    if words and words[0].lower() in deed_words("question", "leads"):
        words = words[1:]
    if words and _helps(words[0]) and words[0].lower() not in wordset("verbs.being"):
        yield from (one for one in _apart("whether", "", (), words) if one.subject and one.sound)


def _apart(asked: str, by: str, of: tuple[str, ...], words: Sequence[str]) -> Iterator[DeedQuestion]:
    helps = [word.lower() for word in takewhile(_helps, words)]
    said = words[len(helps) :]
    behind = [word for word in said if word.lower() != "not"]
    modal, negated = bool(set(helps) & deed_words("question", "modal")), len(behind) < len(said)

    def cut(size: int) -> DeedQuestion:
        at = size + len(list(takewhile(_helps, behind[size:-1])))  # she has `been` working
        helped = [*helps, *(word.lower() for word in behind[size:at])]
        passive = (
            helped[-1:] != []
            and helped[-1] in wordset("verbs.being")
            and not behind[at].lower().endswith("ing")
        )
        rest = tuple(behind[at + 1 :])
        source = asked == "where" and not by and rest[:1] == ("from",)  # come `from` to the feast
        return DeedQuestion(
            asked, of, tuple(behind[:size]), behind[at], rest[1:] if source else rest, "from" if source else by, modal, passive, negated
        )  # fmt: skip

    if (
        behind
        and asked in wordset("questions.of_doer")
        and not set(helps) & deed_words("question", "asking_for_object")
    ):
        yield cut(0)  # who paid, what was put: who did it or had it done is asked for
    if helps:
        yield from (cut(size) for size in range(1, min(LIMITS.subject, len(behind) - 1) + 1))


def _helps(word: str) -> bool:
    return word.lower() in deed_words("question", "helping")


@cache
def _start() -> re.Pattern[str]:
    """How a question begins: perhaps `so`, perhaps a preposition, the word that asks."""
    by, measures = ("|".join(sorted(deed_words("question", name))) for name in ("beside", "measures"))
    lead = "|".join(sorted(deed_words("question", "leads")))
    return re.compile(
        rf"(?:(?:{lead}),? )?(?:(?P<by>{by}) )?(?P<asked>how (?:{measures})|whose|{either('questions.words')})\b",
        re.IGNORECASE,
    )


def is_small(word: str) -> bool:
    """Whether a word of a question says nothing that a sentence must have."""
    return word.lower() in deed_words("question", "small")


def is_pronoun(word: str) -> bool:
    return word.lower() in deed_words("question", "pronouns") or word.lower() in deed_words(
        "question", "objective"
    )


@cache
def verb_stems(word: str) -> frozenset[str]:
    """What a verb is compared by; nothing for a word that is no verb of its own."""
    small = word.casefold()
    verb = _verbs_by_form().get(small) or base_form(small)
    return frozenset((*analyse(verb), stem(verb))) if analyse(verb) else frozenset()


@cache
def _verbs_by_form() -> dict[str, str]:
    """The verb of each form that the table has; of two with one form, the first."""
    pairs = [(form, verb) for verb, forms in deed_table()["forms"].items() for form in forms.split()]
    return dict(reversed(pairs))


@cache
def deed_table() -> dict[str, Any]:
    return tomllib.loads(
        (files("narraworld.query.ask.from_sentences") / "deeds.toml").read_text(encoding="utf-8")
    )


@cache
def deed_words(part: str, name: str) -> frozenset[str]:
    """A list of words of the table as a set."""
    return frozenset(deed_table()[part][name].split())
