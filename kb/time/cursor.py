"""Reading words from the front: where we are, what was found, and the numbers and amounts on the way.

Used by `expressions.py`, which knows what the words mean together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from narraworld.kb.time.calendar import Calendar
from narraworld.kb.time.time_words import Guesses, TimeWord

__all__ = ["Amount", "NoSuchDay", "NotUnderstood", "TimePhrase", "amount", "and_a_half", "number"]

Amount = tuple[Fraction, Fraction]
_END = TimeWord("", "end")


class NotUnderstood(Exception):
    """Why a reader gave up; caught where the reading began, never shown as an error."""


class NoSuchDay(NotUnderstood):
    """What is said is plain, and no calendar day is so."""


@dataclass
class TimePhrase:
    """One expression being read: its words, how far we are, and what was found so far."""

    words: Sequence[TimeWord]
    calendar: Calendar
    guesses: Guesses
    at: int = 0
    found: dict[str, Any] = field(default_factory=dict)

    def peek(self, ahead: int = 0) -> TimeWord:
        place = self.at + ahead
        return self.words[place] if 0 <= place < len(self.words) else _END

    def take(self, kind: str, *values: object) -> TimeWord | None:
        """The next word, if it is of this kind and has one of these values."""
        word = self.peek()
        if word.kind != kind or (values and word.value not in values):
            return None
        self.at += 1
        return word

    def take_texts(self, *texts: str) -> bool:
        if any(self.peek(ahead).text != text for ahead, text in enumerate(texts)):
            return False
        self.at += len(texts)
        return True

    def put(self, name: str, value: object) -> None:
        if self.found.get(name, value) != value:
            raise NotUnderstood(f"it gives two answers for the {name}")
        self.found[name] = value


def number(reading: TimePhrase) -> int | None:
    """Number words and digits: "twenty one", "a hundred and twenty", "three dozen", "1204"."""
    start, total, current = reading.at, 0, 0
    while True:
        if scale := reading.take("scale"):
            current = max(current, 1) * scale.value
            total, current = (total + current, 0) if scale.value >= 1000 else (total, current)
        elif _continues(reading, current, begun=reading.at > start):
            reading.take("filler", "and")
            current += reading.peek().value
            reading.at += 1
        else:
            return total + current if reading.at > start else None


def _continues(reading: TimePhrase, current: int, *, begun: bool) -> bool:
    """Whether the next word adds to the number: a first one, "twenty|one", "hundred|and twenty"."""
    word = reading.peek()
    if not begun:
        return word.kind == "number"
    if word.text == "and":
        after = reading.peek(1)
        return current % 100 == 0 and after.kind == "number" and after.text not in ("a", "an")
    if word.kind != "number" or word.text.isdecimal():
        return False
    room = 100 if current % 100 == 0 else 10 if current % 10 == 0 and current % 100 >= 20 else 0
    return int(word.value) < room


def amount(reading: TimePhrase) -> Amount | None:
    """How many, as least and most: "three", "half a", "two and a half", "a few", "about ten"."""
    about = reading.take("about") is not None
    if vague := _vague(reading):
        least, most = vague.value
        return Fraction(least), Fraction(most)
    if reading.take("half"):
        number(reading)  # "half an hour": the article adds nothing
        exact = Fraction(1, 2)
    elif (whole := number(reading)) is not None:
        exact = whole + and_a_half(reading)
    else:
        return None
    spread = exact / reading.guesses.about if about else Fraction(0)
    return exact - spread, exact + spread


def and_a_half(reading: TimePhrase) -> Fraction:
    return Fraction(1, 2) if reading.take_texts("and", "a", "half") else Fraction(0)


def _vague(reading: TimePhrase) -> TimeWord | None:
    if reading.peek(1).kind == "vague" and reading.peek().text in ("a", "the"):
        reading.at += 1
    return reading.take("vague")
