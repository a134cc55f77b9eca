"""Words that make a heading: `CHAPTER IV. The Rabbit`, `Book the Second`, `VII. THE ADVENTURE …`, `Epilogue`, `12`.

Used to find headings in plain text, to see which heading level of a marked-up text is the chapter, and to name units.
English, as tables. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from narraworld.kb.english import wordmap, wordrow

__all__ = ["HeadingReading", "Rank", "is_title", "read_heading"]

Rank: TypeAlias = Literal["part", "chapter", "scene", "numeral"]

RANKS: Mapping[str, Rank] = wordmap("headings.ranks")
ALONE = wordrow("headings.alone")
SHORT: Mapping[str, str] = wordmap("headings.short")

_ONES = wordrow("numbers.ones")[1:]
_TENS = wordrow("numbers.tens")
_FIRST = wordrow("numbers.ordinals")
CARDINALS = {word: n for n, word in enumerate(_ONES, 1)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}
ORDINALS = {word: n for n, word in enumerate(_FIRST, 1)}
LETTERS = 12  # in a word of a heading, on average, with room to spare
ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}

_ROMAN = r"(?=[IVXLCDM])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
_TENS_WORD = "|".join(_TENS)
_CARDINAL = rf"(?:(?:{_TENS_WORD})(?:[ -](?:{'|'.join(_ONES[:9])}))?|{'|'.join(reversed(_ONES))})"
_ORDINAL = "|".join(reversed(_FIRST))
_NUMBER = rf"(?:\d{{1,4}}|{_ROMAN}|{_CARDINAL}|(?:the )?(?:{_ORDINAL}))"
_REST = r"(?P<mark>\s*[.:)\]–—-]+)?(?:\s+(?P<name>\S.*))?"

_NUMBERED = re.compile(rf"(?P<word>{'|'.join(RANKS)})\.?\s+(?P<number>{_NUMBER})\b{_REST}", re.IGNORECASE)
_LEADING = re.compile(
    rf"(?:the )?(?P<number>{_ORDINAL})\s+(?P<word>{'|'.join([*RANKS, *ALONE])})\b{_REST}", re.IGNORECASE
)
_NAMED = re.compile(rf"(?P<word>{'|'.join(ALONE)})\b(?P<number>\s+{_NUMBER}\b)?{_REST}", re.IGNORECASE)
_NUMERAL = re.compile(rf"(?P<number>(?![CDM]\b){_ROMAN}|\d{{1,3}})(?P<mark>[.:)])?(?:\s+(?P<name>\S.*))?")
_SMALL_WORD = re.compile(r"[a-z]{4,}")
_WORDS = re.compile(r"[\w’']+(?:-[\w’']+)*")
_PAGE_NUMBER = re.compile(r"(?:\s?\.){2,}\s?\d+$")


@dataclass(frozen=True, slots=True)
class HeadingReading:
    """A heading understood. A `numeral` alone may be a chapter or a part of one; `word` is empty then."""

    rank: Rank
    word: str
    number: int | None
    name: str

    @property
    def key(self) -> str:
        """A short name for ids, equal for all headings that mean the same: `ch04`, `book02`, `epilogue`."""
        word = SHORT.get(self.word, self.word) or "ch"
        return word if self.number is None else f"{word}{self.number:02d}"


def read_heading(text: str, longest: int) -> HeadingReading | None:
    """What a line means as a heading, or None when it is not one."""
    words = text.replace("_", "").split()
    if not 0 < len(words) <= longest or len(text) > LETTERS * longest:
        return None
    line = _PAGE_NUMBER.sub("", " ".join(words))
    for pattern in (_NUMBERED, _LEADING, _NAMED):
        if (match := pattern.fullmatch(line)) and _separated(match, line):
            return _worded(match)
    return _by_numeral(line, longest)


def _by_numeral(line: str, longest: int) -> HeadingReading | None:
    """`IV`, `IV. The Ferry`: a numeral alone, or a mark and a title behind it."""
    match = _NUMERAL.fullmatch(line)
    if not match or (match["name"] and not (match["mark"] and is_title(match["name"], longest))):
        return None
    rank: Rank = "chapter" if match["name"] else "numeral"
    return HeadingReading(rank, "", _value(match["number"]), match["name"] or "")


def is_title(text: str, longest: int) -> bool:
    """Whether a line could be the name of a chapter: few words, the longer ones capitalised, no end of a sentence."""
    if not text or text[0] in "\"'“‘«(" or text[-1] in ".,;:\"”’'»":
        return False
    words = _WORDS.findall(text)
    return 0 < len(words) <= longest and words[0][0].isupper() and not any(map(_SMALL_WORD.match, words))


def _separated(match: re.Match[str], line: str) -> bool:
    """`Chapter 1. Loomings`, `CHAPTER 1 LOOMINGS`; not `Part one of the plan was done.`"""
    name = match["name"]
    return not name or (bool(match["mark"]) and line[:1].isupper()) or is_title(name, len(line))


def _worded(match: re.Match[str]) -> HeadingReading:
    word = match["word"].lower()
    number = match["number"]
    return HeadingReading(
        RANKS.get(word, "chapter"), word, _value(number) if number else None, match["name"] or ""
    )


def _value(written: str) -> int:
    word = written.strip().lower().removeprefix("the ")
    if word.isdigit():
        return int(word)
    if word in ORDINALS:
        return ORDINALS[word]
    parts = re.split("[ -]", word)
    if all(part in CARDINALS for part in parts):
        return sum(CARDINALS[part] for part in parts)
    return _roman(word)


def _roman(word: str) -> int:
    values = [ROMAN[sign] for sign in word]
    return sum(
        -value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True)
    )
