"""Words that make a heading: `CHAPTER IV. The Rabbit`, `Book the Second`, `VII. THE ADVENTURE …`, `Epilogue`, `12`.

Used to find headings in plain text, to see which heading level of a marked-up text is the chapter, and to name units.
English, as tables. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["HeadingReading", "Rank", "is_title", "read_heading"]

Rank: TypeAlias = Literal["part", "chapter", "scene", "numeral"]

RANKS: dict[str, Rank] = {
    "part": "part", "book": "part", "volume": "part",
    "chapter": "chapter", "chap": "chapter", "adventure": "chapter", "stave": "chapter", "canto": "chapter",
    "letter": "chapter", "act": "chapter",
    "scene": "scene",
}  # fmt: skip
ALONE = (
    "prologue", "epilogue", "preface", "foreword", "introduction", "afterword", "postscript", "interlude",
    "conclusion", "prelude", "coda",
)  # fmt: skip
SHORT = {"chapter": "ch", "chap": "ch", "adventure": "ch", "stave": "ch", "canto": "ch", "volume": "vol"}

_ONES = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_FIRST = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
    "twentieth",
)  # fmt: skip
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
    match = _NUMERAL.fullmatch(line)
    if match and (not match["name"] or (match["mark"] and is_title(match["name"], longest))):
        rank: Rank = "chapter" if match["name"] else "numeral"
        return HeadingReading(rank, "", _value(match["number"]), match["name"] or "")
    return None


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
