"""Words to tags: each word of a text becomes one sign that stands for all its tags, so that a pattern over signs is a small grammar.

The tags come from `words.toml` and from the names of a calendar. A word that bears none is an adjective for all we know (`adj`), or a
name (`cap`). Finds nothing itself.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files

from narraworld.kb.time.calendar import Calendar

__all__ = ["Tagged", "Tagger", "table"]

_TOKEN = re.compile(
    r"(?P<iso>\b\d{4}-\d\d-\d\d\b|\b\d{1,2}/\d{1,2}/\d{2,4}\b)"
    r"|(?P<digits>['’]?\d+(?:[:.,]\d+)*(?:st|nd|rd|th|s|am|pm)?\b)"
    r"|(?P<half>\b[ap]\.\s?m\b)"
    r"|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*(?:(?<=s)['’](?=\s))?)"
    r"|(?P<hyphen>(?<=\w)[-‐‑–](?=\w))"
    r"|(?P<comma>,)"
    r"|(?P<break>\n\s*\n|\S)"
)
# digits by their shape, the first that fits
_DIGITS = (
    (re.compile(r"['’]\d\d$"), "year"),
    (re.compile(r"\d{1,2}:\d\d$"), "clock"),
    (re.compile(r"(?:[01]?\d|2[0-3])\.[0-5]\d$"), "clock_dot"),
    (re.compile(r"\d{1,2}(?:am|pm)$"), "hour_pm"),
    (re.compile(r"[1-3]?[4-9]th$|[12][0-3](?:th|st|nd|rd)$|3[01](?:th|st)$"), "ordinal high"),
    (re.compile(r"\d+(?:st|nd|rd|th)$"), "ordinal"),
    (re.compile(r"(?:1\d|20)?\d0s$"), "decade_digits"),
    (re.compile(r"0\d{3}$"), "military"),
    (re.compile(r"1\d{3}$|20\d\d$"), "year number"),
    (re.compile(r"[1-9]$|1\d$|2[0-4]$"), "number small day_number hour"),
    (re.compile(r"2[5-9]$|3[01]$"), "number small day_number"),
    (re.compile(r"[3-5]\d$"), "number small"),
)  # fmt: skip
_PROPER = frozenset({"weekday", "weekdays", "month", "holiday"})  # written with a capital
_NAMES = _PROPER | {"season", "seasons", "part", "parts", "instant"}  # which people may bear too
KEPT = 1 << 14  # words whose signs are remembered
_MONEY = frozenset("£$€#")
_OWN = re.compile(r"['’]s$|(?<=s)['’]$")
Tags = frozenset[str]


def table(name: str) -> Mapping[str, object]:
    """A table that stands beside this module."""
    return tomllib.loads(files(__package__).joinpath(f"{name}.toml").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Tagged:
    """A text as signs, with the place of each."""

    signs: str
    places: list[tuple[int, int]]


@dataclass
class Tagger:
    """The tags of every word for one calendar; `literal` are words that a grammar names outright."""

    calendar: Calendar
    literal: Iterable[str] = ()
    known: dict[tuple[str, ...], Tags] = field(default_factory=dict)
    signs: dict[Tags, str] = field(default_factory=dict)
    openings: dict[str, int] = field(default_factory=dict)  # words that begin a key → how long one can be
    met: dict[tuple[str, str | None, bool], str] = field(
        default_factory=dict
    )  # the signs of words by themselves

    def __post_init__(self) -> None:
        for tag, words in (*_common(), *_of_calendar(self.calendar), *((f"={w}", w) for w in self.literal)):
            key = _key(words)
            self.known[key] = self.known.get(key, frozenset()) | {tag}
        for key, tags in self.known.items():
            if all(tag.startswith("=") for tag in tags):  # the grammar names it, the tables say nothing of it
                self.known[key] = tags | {"adj"}
        for tags in [*self.known.values(), *_shapes()]:
            for variant in (tags, tags - _PROPER, tags - _NAMES, frozenset({"cap"}), tags | {"cap"}):
                self._sign(variant or frozenset({"adj"}))
        for key in self.known:
            self.openings[key[0]] = max(len(key), self.openings.get(key[0], 1))

    def bearing(self, tags: Iterable[str]) -> str:
        """The signs that bear one of these tags."""
        return "".join(sorted({sign for tag in tags for sign in self._bearers.get(tag, ())}))

    @cached_property
    def _bearers(self) -> dict[str, list[str]]:
        """The signs by tag; asked by the grammar, when all signs of the tables are there."""
        found: dict[str, list[str]] = {}
        for tags, sign in self.signs.items():
            for tag in tags:
                found.setdefault(tag, []).append(sign)
        return found

    def tag(self, text: str, names: frozenset[str] = frozenset()) -> Tagged:
        """The text's signs; ``names`` are words that people bear here."""
        tokens = list(_TOKEN.finditer(text))
        signs, places, at = list[str](), list[tuple[int, int]](), 0
        words = [_plain(token[0]) for token in tokens]
        while at < len(tokens):
            size = self._phrase(words, at)
            start, end = tokens[at].start(), tokens[at + size - 1].end()
            first = at == 0 or tokens[at - 1].lastgroup == "break"
            alone = size == 1 and not names
            signs.append(
                self._alone(tokens[at], words[at], first)
                if alone
                else self._sign(self._tags(tokens[at], tuple(words[at : at + size]), first, names))
            )
            places.append((start, end))
            at += size
        return Tagged("".join(signs), places)

    def _alone(self, token: re.Match[str], word: str, first: bool) -> str:
        """The sign of a word by itself, where nobody bears a name of the calendar: the same wherever it stands so."""
        shape = token[0], token.lastgroup, first
        sign = self.met.get(shape)
        if sign is None:
            if len(self.met) >= KEPT:
                self.met.clear()
            sign = self.met[shape] = self._sign(self._tags(token, (word,), first, frozenset()))
        return sign

    def _phrase(self, words: list[str], at: int) -> int:
        longest = self.openings.get(words[at], 1)
        sizes = range(min(longest, len(words) - at), 1, -1)
        return next((size for size in sizes if tuple(words[at : at + size]) in self.known), 1)

    def _tags(self, token: re.Match[str], key: tuple[str, ...], first: bool, names: frozenset[str]) -> Tags:
        if token["word"] is None:
            return _shape(token)
        text = token[0]
        if (text in names and self.known.get(key, frozenset()) & _NAMES) or _OWN.sub("", text) in names:
            return frozenset({"cap"})
        return self._word(text, key, first)

    def _word(self, text: str, key: tuple[str, ...], first: bool) -> Tags:
        capital = text[:1].isupper()
        bare = (_OWN.sub("", key[0]),)
        own = len(key) == 1 and bare != key
        tags = self.known.get(key) or self.known.get(bare if own else key, frozenset())
        tags = _as_written(tags, capital, first)
        if own and key not in self.known:
            tags = _as_owner(tags)
        other = frozenset({"cap" if capital and not first else "adj"})
        return tags or (other | {"own"} if own else other)

    def _sign(self, tags: Tags) -> str:
        return self.signs.setdefault(tags, chr(0xE000 + len(self.signs)))


def _as_written(tags: Tags, capital: bool, first: bool) -> Tags:
    """What is left of the tags of a word by its first letter: `Dawn`, `Summer` inside a sentence are names."""
    if not capital:
        return tags - _PROPER
    return tags if first or tags & _PROPER else tags - _NAMES


def _as_owner(tags: Tags) -> Tags:
    """What is left of them where the word owns something: `an hour's walk`, `Monday's paper`."""
    return frozenset({"own_unit"}) if tags & {"unit", "units"} else tags & (_PROPER | {"fixed"})


def _plain(word: str) -> str:
    return word.casefold().replace("’", "'")


def _key(words: str) -> tuple[str, ...]:
    return tuple(_plain(token[0]) for token in _TOKEN.finditer(words.replace("_", " ")))


def _common() -> Iterator[tuple[str, str]]:
    for tag, words in table("words").items():
        if tag.endswith("_name"):  # no tag of an expression's own words
            continue
        yield from ((tag, word) for word in str(words).split())


def _of_calendar(calendar: Calendar) -> Iterator[tuple[str, str]]:
    named = (
        ("weekday", calendar.weekdays),
        ("month", [month.name for month in calendar.months]),
        ("season", [season.name for season in calendar.seasons]),
        ("part", [part.name for part in calendar.parts]),
        ("unit", [name for name, _ in calendar.units]),
        ("holiday", [holiday.name for holiday in calendar.holidays]),
        ("era", [era.name for era in calendar.eras]),
    )
    for tag, names in named:
        for name in names:
            yield tag, name
            if tag in ("weekday", "season", "unit"):
                yield f"{tag}s", f"{name}s"


def _shape(token: re.Match[str]) -> Tags:
    """The tags of what is no word: digits by their shape, marks."""
    if digits := token["digits"]:
        plain = digits.casefold().replace(",", "")
        return next(
            (frozenset(tags.split()) for way, tags in _DIGITS if way.match(plain)), frozenset({"number"})
        )
    kind = str(token.lastgroup)
    if token[0] in _MONEY:
        return frozenset({"money", "stop"})
    return {
        "half": frozenset({"am_pm"}),
        "comma": frozenset({"comma", "stop"}),
        "break": frozenset({"stop"}),
    }.get(kind, frozenset({kind}))


def _shapes() -> Iterator[Tags]:
    for sample in ("2001-01-01", "a.m", "a-b", ",", ".", "$"):
        yield from (_shape(token) for token in _TOKEN.finditer(sample) if token["word"] is None)
    yield from (frozenset(tags.split()) for _, tags in _DIGITS)
    yield from (frozenset({tag}) for tag in ("number", "own_unit", "adj", "cap", "fixed", *sorted(_PROPER)))
    yield from (frozenset({tag, "own"}) for tag in ("adj", "cap"))
