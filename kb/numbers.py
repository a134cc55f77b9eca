"""Numbers as English writes them, in words, digits and by the dozen, and how old or how long that is. Pure: words in, numbers out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from narraworld.kb.english import wordmap, wordrow, wordset

__all__ = ["COMPARED", "NUMBER_WORDS", "decade", "is_number_word", "measured_in", "number_in", "whole_number"]

SMALL = {word: number for number, word in enumerate(wordrow("numbers.ones"))}
TENS = {word: 10 * number for number, word in enumerate(wordrow("numbers.tens"), 2)}
LARGE: Mapping[str, int] = wordmap("numbers.large")
GROUPS: Mapping[str, int] = wordmap("numbers.groups")
ORDINALS = {"ground": 0} | {word: number for number, word in enumerate(wordrow("numbers.ordinals"), 1)}
ORDINALS |= {f"{word[:-1]}ieth": number for word, number in TENS.items()}
DECADES = {"teens": (13, 19)} | {f"{word[:-1]}ies": (number, number + 9) for word, number in TENS.items()}
NUMBER_WORDS = frozenset({*SMALL, *TENS, *LARGE, *GROUPS, *ORDINALS})
SHARES: Mapping[str, int] = wordmap("numbers.shares")  # in quarters
COMPARED = wordset("numbers.compared")
_WORD = re.compile(r"[^\W\d_]+|\d[\d,]*")


def is_number_word(word: str) -> bool:
    return word in NUMBER_WORDS or word[:1].isdecimal()


def whole_number(words: Iterable[str]) -> int | None:
    """The number that these words are, all of them; None where one is no number.

    >>> whole_number(["four", "hundred", "and", "twelve"])
    412
    """
    whole, part, seen = 0, 0, False
    for word in words:
        if word in ("and", "a"):
            continue
        if word[0].isdecimal():  # not `²`, which no number is made of
            part += int(word.replace(",", "").rstrip("sthndr") or 0)
        elif word in SMALL or word in TENS:
            part += SMALL.get(word, TENS.get(word, 0))
        elif word == "hundred":
            part = max(part, 1) * LARGE[word]
        elif word in LARGE:
            whole, part = whole + max(part, 1) * LARGE[word], 0
        else:
            return None
        seen = True
    return whole + part if seen else None


def number_in(text: str) -> tuple[int, tuple[str, ...]] | None:
    """The one number of a text, and the words after it; None where there is none, or more than one.

    >>> number_in("half a dozen brown eggs"), number_in("the third floor")
    ((6, ('brown', 'eggs')), (3, ('floor',)))
    """
    words = [word.lower() for word in _WORD.findall(text)]
    runs = list(_runs(words))
    if len(runs) != 1:
        return None
    start, end = runs[0]
    number = _run_value(words[start:end], words[max(0, start - 2) : start])
    return None if number is None else (number, tuple(words[end:]))


def _runs(words: list[str]) -> Iterable[tuple[int, int]]:
    """Where number words stand side by side; `one` alone is a pronoun more often than a number."""
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and (is_number_word(words[end]) or (words[end] == "and" and end > at)):
            end += 1
        while end > at and words[end - 1] == "and":
            end -= 1
        if end > at and words[at:end] != ["no"]:
            yield at, end
        at = max(end, at + 1)


def _run_value(run: list[str], before: list[str]) -> int | None:
    if len(run) == 1 and run[0] in GROUPS:
        return GROUPS[run[0]] // 2 if "half" in before else GROUPS[run[0]]
    if len(run) == 2 and run[1] in GROUPS and (many := whole_number(run[:1])) is not None:
        return many * GROUPS[run[1]]
    if len(run) == 1 and run[0] in ORDINALS:
        return ORDINALS[run[0]]
    return whole_number(run)


def decade(text: str) -> tuple[int, int] | None:
    """The years of life that `in her thirties` leaves open; narrower with early, middle or late."""
    parts = "|".join(wordmap("numbers.parts_of_ten"))
    found = re.search(rf"\b(?:({parts})[- ])?({'|'.join(DECADES)})\b", text.lower())
    if found is None:
        return None
    return _part_of(DECADES[found[2]], found[1])


def _part_of(years: tuple[int, int], part: str | None) -> tuple[int, int]:
    if part is None:
        return years
    first, last = map(int, wordmap("numbers.parts_of_ten")[part].split())
    return years[0] + first, min(years[0] + last, years[1])


def measured_in(text: str, units: Mapping[str, str], size: Callable[[str], int]) -> tuple[int, str] | None:
    """A number with one of these units, in the smallest unit, and what follows it.

    >>> measured_in("inside half an hour", {"hour": "60"}, int), measured_in("an hour and a half", {"hour": "60"}, int)
    ((30, ''), (90, ''))
    """
    low, named = text.lower(), "|".join(sorted(units, key=len, reverse=True))
    part = re.search(rf"\b({'|'.join(SHARES)}) (?:an?|the) ({named})\b", low)
    if part is not None:
        return SHARES[part[1]] * size(units[part[2]]) // 4, text[part.end() :]
    found = re.search(rf"([\w,-]+(?: [\w,-]+){{0,3}}?)[ -]({named})\b'?( and a half)?", low)
    many = _amount(found[1]) if found else None
    if found is None or many is None:
        return None
    unit = size(units[found[2]])
    return round(many * unit) + (unit // 2 if found[3] else 0), text[found.end() :]


def _amount(words: str) -> float | None:
    """How many units: `four`, `four point two`, `a`."""
    whole, point, decimals = words.partition(" point ")
    number = number_in(whole) or ((1, ()) if whole in {"a", "an"} else None)
    if number is None or number[1]:
        return None
    digits = [whole_number([word]) for word in decimals.split()]
    if None in digits or any(digit is not None and digit > 9 for digit in digits):
        return None
    return float(f"{number[0]}.{''.join(map(str, digits))}") if point else number[0]
