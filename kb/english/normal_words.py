"""The words and shapes by which values are taken apart before they are given a normal form, and the form itself. Pure; knows no table."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from narraworld.kb.english import either, wordmap, wordrow, wordset

__all__ = [
    "ALWAYS",
    "BELONGING",
    "CLAUSES",
    "FAR_FROM",
    "GROWN",
    "HEAD_ENDS",
    "HOUSE",
    "IDLE",
    "LIKENESS",
    "NEVER",
    "ONLY_BY",
    "OWNED",
    "PREPOSITION",
    "SIDE",
    "SPOKEN",
    "STREET",
    "WAY",
    "Pair",
    "any_of",
    "as_words",
    "bare_name",
    "clause_with",
    "head_noun",
    "is_idle",
    "singular",
    "struck_hour",
    "verb_stem",
]

IDLE = wordset("values.idle")
STRUCK = re.compile(rf"^.*\b(?:{either('values.striking')}) ")
# an age then, and the years since: `nine when she came, and seven years had gone since`
GROWN = re.compile(rf"^(.+?)(?: when\b|,)(?:.*(?:,| and))?(.+\b(?:{either('values.years_gone')}))\b")
LIKENESS = re.compile(r"\b(?:like|as|colou?r of|shade of)\b|-colou?red\b")
CLAUSES = re.compile(r"[,;:]|\band\b|\bwith\b|\bbut\b")
SIDE = re.compile(rf"\b({either('text.sides')})\b")
NEVER = re.compile(rf"\b(?:{either('values.never')})\b")
ALWAYS = re.compile(rf"\b(?:{either('values.always')})\b")
OWNED = re.compile(r"^(?:the |an? )?(.+?)['’]s? (?:\w+ )?([\w-]+)$")
BELONGING = re.compile(r"^(?:the |an? )?(?:\w+ )?([\w-]+) (?:of|to) (.+)$")
WAY = re.compile(r"\b(north|south|east|west) of (?:the )?(.+)$")
FAR_FROM = re.compile(r"\b(?:from|to|of) (?:the )?(.+)$")
STREET = re.compile(rf"\b((?:[A-Z][\w'-]*\.? )+(?:{either('values.streets')}))\b")
HOUSE = re.compile(rf"\b(?:no\. ?|(?:{either('values.dwellings')}) )?(\d+[a-zA-Z]?)\b")
PREPOSITION = re.compile(rf"^(?:(?:{either('values.before_places')}) )?(?:the |an? )?", re.IGNORECASE)
ONLY_BY = re.compile(r"\bonly (?:by|to|for) (?:the )?(.+)$|\b(?:but|except|save|without) (?:the )?(.+)$")
SPOKEN = re.compile(rf"\b(?:{either('values.speaking')})\s+(?:(?:{either('values.how_spoken')}) )?([A-Z]\w+)")
HEAD_ENDS = re.compile(rf"\b(?:{either('values.ending_heads')})\b|[,;(]")


@cache
def any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    """Any of these phrases as whole words, the longest first."""
    some = sorted((re.escape(word.lower()) for word in words), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(some) or '(?!)'})(?!\w)")


def clause_with(cue: re.Pattern[str], text: str) -> str:
    """The part of a list of particulars in which the cue stands: `long black curls, green eyes`."""
    return next((part for part in CLAUSES.split(text) if cue.search(part.lower())), text).strip()


def as_words(predicate: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[-_]", " ", predicate).lower()


def is_idle(rest: str, cues: Iterable[str]) -> bool:
    """Whether nothing is left but small words and the respect's own."""
    return all(word in IDLE or word in cues for word in re.findall(r"\w+", rest))


def bare_name(name: str) -> str:
    return re.sub(r"^(?:the|an?) ", "", name.strip(" .,;"), flags=re.IGNORECASE).lower()


def head_noun(text: str) -> str:
    """The noun that a title comes down to: `a joiner at the harbour` is a joiner."""
    words = re.findall(r"[^\W\d_][\w-]*", HEAD_ENDS.split(text)[0].lower())
    kept = [word for word in words if word not in IDLE]
    return kept[-1] if kept else ""


def verb_stem(verb: str) -> str:
    """A verb without its ending, roughly, so that `opened`, `opens` and `open` are one."""
    for ending in wordrow("verbs.endings"):
        if verb.endswith(ending) and len(verb) - len(ending) > 2:
            return verb[: -len(ending)]
    return verb


def singular(noun: str) -> str:
    """A noun without its plural, roughly: `looms` are looms of which one is a `loom`."""
    for ending, one in wordmap("text.plural_endings").items():
        if noun.endswith(ending) and len(noun) > len(ending) + 1:
            return noun[: -len(ending)] + str(one)
    plural = noun.endswith("s") and not noun.endswith(wordrow("text.singular_endings"))
    return noun[:-1] if plural and len(noun) > 3 else noun


def struck_hour(text: str) -> str:
    """What a clock strikes: `the church clock was striking two` is two; anything else is itself."""
    return STRUCK.sub("", text.lower())


class Pair(NamedTuple):
    """One thing that a value says: in which respect, of which part or thing (`aspect`), the normal word or number.

    ``so`` is false where it says that this is not so. ``owner`` is the name of somebody of whom the subject is the value
    (`Ida's mother`), ``named`` the name of whatever is the value (`north of Bren`). ``exact`` pairs say all that is said.
    """

    respect: str
    word: str
    aspect: str = ""
    so: bool = True
    least: int | None = None
    most: int | None = None
    owner: str | None = None
    named: str | None = None
    exact: bool = False

    @property
    def full_respect(self) -> str:
        """The respect with its aspect, so that the left arm is not compared with the left leg."""
        return f"{self.respect}-of-{self.aspect.replace(' ', '-')}" if self.aspect else self.respect
