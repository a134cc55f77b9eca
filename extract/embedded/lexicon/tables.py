"""The small tables of the language that is read, each as a value: the light of day, details, goodbyes, doubtful names.

Patterns are compiled once; what they find, and what that means, is for whoever asks. Holds no word itself.
"""

from __future__ import annotations

import re

from narraworld.base.quick_dataclass import dataclass
from narraworld.extract.embedded.lexicon.function_words import pattern
from narraworld.extract.embedded.lexicon.language import Language, of_spoken
from narraworld.extract.embedded.lexicon.person_names import names

__all__ = [
    "DaylightTable",
    "Detail",
    "DetailTable",
    "LeavingWords",
    "StrangerTable",
    "TwoNamesTable",
    "daylight",
    "details",
    "leaving_words",
    "stranger_table",
    "two_names_table",
]


@dataclass(frozen=True, slots=True)
class DaylightTable:
    """What tells the time of day (`daylight.toml`)."""

    ways: tuple[tuple[str, re.Pattern[str]], ...]
    doubtful: re.Pattern[str]
    cues: tuple[str, ...]


def daylight() -> DaylightTable:
    return of_spoken(_daylight)


def _daylight(language: Language) -> DaylightTable:
    said = language.table("daylight")
    ways = tuple((one["time"], re.compile("|".join(one["patterns"]), re.IGNORECASE)) for one in said["light"])
    doubtful = re.compile(rf"\b(?:{'|'.join(said['doubtful'])})\b|n['’]t\b", re.IGNORECASE)
    return DaylightTable(ways, doubtful, tuple(said["cues"].split()))


@dataclass(frozen=True, slots=True)
class Detail:
    """One way of saying a detail: what it says, which group holds the word, and how the sentence must be."""

    says: str
    word: str
    patterns: tuple[str, ...]
    alone: bool = False
    negative: bool = False


@dataclass(frozen=True, slots=True)
class DetailTable:
    """How looks, ages, families and skills are told (`details.toml`)."""

    details: tuple[Detail, ...]
    words: dict[str, str]
    doubtful: re.Pattern[str]


def details() -> DetailTable:
    return of_spoken(_details)


def _details(language: Language) -> DetailTable:
    said = language.table("details")
    found = tuple(Detail(**one | {"patterns": tuple(one["patterns"])}) for one in said["detail"])
    lists = {
        name: "|".join(words) for name, words in said.items() if isinstance(words, list) and name != "detail"
    }
    doubtful = lists.pop("doubtful").replace("n't|", "")
    words = {name: f"(?P<{name}>{some})" for name, some in lists.items()}
    words |= {
        "number": f"(?P<number>{pattern('number.plain').pattern})",
        "adjectives": said["adjectives"],
        "owner": said["owner"],
    }
    return DetailTable(found, words, re.compile(rf"\b(?:{doubtful})\b|n['’]t\b", re.IGNORECASE))


@dataclass(frozen=True, slots=True)
class LeavingWords:
    """How talkers say that they come and go (`leaving.toml`)."""

    leaving: re.Pattern[str]
    plans: re.Pattern[str]
    another_time: re.Pattern[str]
    staying: re.Pattern[str]
    coming: re.Pattern[str]
    newcomer: re.Pattern[str]
    announced: re.Pattern[str]
    greeting: re.Pattern[str]
    farewell: re.Pattern[str]
    thanks: re.Pattern[str]
    parting: re.Pattern[str]
    spoken_of: re.Pattern[str]
    welcome: re.Pattern[str]
    missing: re.Pattern[str]
    another: re.Pattern[str]


def leaving_words() -> LeavingWords:
    return of_spoken(_leaving_words)


def _leaving_words(language: Language) -> LeavingWords:
    said = language.table("leaving")
    return LeavingWords(
        **{name: re.compile("|".join(shapes), re.IGNORECASE) for name, shapes in said.items()}
    )


@dataclass(frozen=True, slots=True)
class TwoNamesTable:
    """Words for sorts of places and houses, and how letters sound (`two_names.toml`)."""

    sort_of: dict[str, int]
    common: frozenset[str]
    sounds: tuple[tuple[str, str], ...]


def two_names_table() -> TwoNamesTable:
    return of_spoken(_two_names)


def _two_names(language: Language) -> TwoNamesTable:
    said = language.table("two_names")
    sorts = {word: number for number, line in enumerate(said["sorts"]) for word in line.split()}
    sounds = tuple((old, new) for old, new in said["sounds"])
    return TwoNamesTable(sorts, frozenset(said["common"].split()), sounds)


@dataclass(frozen=True, slots=True)
class StrangerTable:
    """First names, and the pattern of somebody who acts (`strangers.toml`)."""

    given: frozenset[str]
    act: re.Pattern[str]


def stranger_table() -> StrangerTable:
    return of_spoken(_strangers)


def _strangers(language: Language) -> StrangerTable:
    said, known = language.table("strangers"), names()
    given = frozenset(said["given"].split()) | known.men | known.women | frozenset(known.long)
    deeds = "|".join(said["deeds"].split())
    return StrangerTable(given, re.compile(said["acts"].replace("<deeds>", deeds)))
