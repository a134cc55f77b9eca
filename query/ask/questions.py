"""A question in English read into rule queries, by the table in `questions.toml`.

A light grammar of our own: words, alternatives and slots. What fills a slot must be something the situated world knows, so a
question is only read in a way that means something here. Reads names; answers nothing (that is `answer.py`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from narraworld.base.quick_dataclass import dataclass
from narraworld.kb.english import wordset
from narraworld.query.ask.patterns import Pattern, compiled
from narraworld.query.ask.slots import Filling, fillings, is_mind, words_of
from narraworld.query.errors import AmbiguousName
from narraworld.query.name_finder import ARTICLES

if TYPE_CHECKING:
    from narraworld.query.scope import Scope

__all__ = [
    "Form",
    "QuestionReading",
    "asks_for",
    "fill",
    "forms",
    "is_over",
    "nearest",
    "plain_words",
    "read",
    "read_without_aside",
    "readings_of",
    "without_asides",
]

"""Turns a question into a rule query; what it returns is parsed, checked and shown, never trusted."""

Slots: TypeAlias = Mapping[str, str]

OPEN = wordset("questions.open")  # words that begin a question which is not answered by a yes
_SLOT = re.compile(r"\{(\w+)\}")
_MACRO = re.compile(r"@(\w+)\(([^()]*)\)")
CONTRACTIONS = ((r"n['’]t\b", " not"), (r"['’]s\b", " s"), (r"['’]re\b", " are"), (r"['’]ve\b", " have"))
OTHERS_MINDS = "mind"


@dataclass(frozen=True, slots=True)
class Form:
    """One kind of question, as its table in `questions.toml` says."""

    name: str
    patterns: tuple[Pattern, ...]
    ask: tuple[str, ...]
    answer: str
    about: str = "world"
    deny: tuple[str, ...] = ()
    unaware: tuple[str, ...] = ()
    holder: str | None = None
    no: str = "no"
    yes: bool = False
    count: bool = False
    named: bool = False  # the words it rests on must name a thing that answers
    sweeping: bool = False  # tells all there is, so that a question that says when is not answered by it


@dataclass(frozen=True, slots=True)
class QuestionReading:
    """A question understood: its form, and the symbols its slots stand for."""

    form: Form
    slots: Slots
    eyes: str | None = None
    loose: tuple[str, ...] = ()  # what was said beside the verb and fills no slot
    aside: str = ""  # when or where it is asked about, in words that fill no slot

    def queries(self, which: Sequence[str]) -> tuple[str, ...]:
        """The rule queries, with symbols in their slots."""
        return tuple(fill(template, self.slots, self.eyes) for template in which)


def read(question: str, scope: Scope) -> tuple[list[QuestionReading], list[str]]:
    """Every way the first form that fits can be read here; or none, and the names nobody in this world goes by.

    A form whose verb the story tells nothing of is taken only when no other form fits.
    """
    words, unknown, torn = plain_words(question), list[str](), list[AmbiguousName]()
    open_one = words.strip().partition(" ")[0] in OPEN  # as "what became of her" is
    for guess in (False, True):
        for form in forms():
            if form.yes and open_one:
                continue
            found = list(readings_of(form, words, scope, guess, unknown, torn))
            if found:
                return found, []
    if torn:
        raise torn[0]
    names = dict.fromkeys(text for text in unknown if not set(text.split()) <= ARTICLES)
    return [], sorted(names, key=len)[:1]


def read_without_aside(question: str, scope: Scope) -> list[QuestionReading]:
    """The readings of a question whose last part only says when or where, with that part put aside; the shortest part first."""
    for words, aside in islice(without_asides(plain_words(question)), 1, None):
        found, _ = read(words, scope)
        if found and not (found[0].form.sweeping and aside):
            return [replace(one, aside=aside) for one in found]
    return []


def without_asides(words: str) -> Iterator[tuple[str, str]]:
    """The question as it is, then with more and more of its end put aside that may only say when or where."""
    yield words, ""
    for mark in reversed(list(_asides().finditer(words))):
        yield words[: mark.start()], words[mark.start() :].strip()


@cache
def _asides() -> re.Pattern[str]:
    return re.compile(rf" (?:{'|'.join(_table()['asides']['begin'])})(?= )")


def readings_of(
    form: Form, words: str, scope: Scope, guess: bool, unknown: list[str], torn: list[AmbiguousName]
) -> Iterator[QuestionReading]:
    """Every way in which this form reads these words here, by the first of its patterns that does."""
    for pattern in form.patterns:
        for taken in pattern.matches(words):
            asked = [(slot, kind, taken[slot]) for slot, kind in pattern.slots if taken[slot]]
            try:
                found = fillings(asked, scope, guess)
            except AmbiguousName as error:
                torn.append(error)
                continue
            loose = tuple(text.partition(" ")[2] for _, kind, text in asked if kind == "verb")
            yield from (QuestionReading(form, one.symbols, scope.focalizer, loose) for one in found)
            if found:
                return
            unknown += [
                text for _, kind, text in asked if kind in ("who", "thing") and not _known(scope, text)
            ]


def asks_for(question: str) -> str | None:
    """What a question asks for by its wording alone, whoever and whatever it names; None where it is no question we know."""
    words = plain_words(question).strip()
    return next((name for name, shape in _shapes() if shape.search(words)), None)


@cache
def _shapes() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((one["name"], re.compile("|".join(one["says"]))) for one in _table()["shape"])


def is_over(quote: str) -> bool:
    """Whether the words say that something was so once, and need not be so now."""
    return _over().search(quote) is not None


@cache
def _over() -> re.Pattern[str]:
    return re.compile("|".join(_table()["over"]["says"]), re.IGNORECASE)


def _known(scope: Scope, text: str) -> bool:
    return bool(scope.mentions.resolve(text))


def nearest(question: str, scope: Scope) -> QuestionReading:
    """The form that shares most words with the question; slots take what the question names, or stay variables."""
    asked = set(plain_words(question).split())
    best = max(forms()[:-1], key=lambda form: max(_alike(pattern, asked) for pattern in form.patterns))
    pattern = max(best.patterns, key=lambda one: _alike(one, asked))
    named = [mention.symbols[0] for mention in scope.mentions.find(question)]
    slots = dict[str, str]()
    for slot, kind in pattern.slots:
        fitting = [one for one in named if kind == "thing" or (kind == "who" and is_mind(one, scope))]
        slots[slot] = Filling.constant(fitting[0]) if fitting else Filling.variable(slot)
        named = [one for one in named if one not in fitting[:1]]
    return QuestionReading(best, slots, scope.focalizer)


def _alike(pattern: Pattern, asked: set[str]) -> float:
    known = {word for part in _SLOT_OR_WORDS.findall(pattern.text) for word in part.split("|")}
    first = pattern.text.split()[0].split("|")
    return float(len(known & asked) / (1 + len(known) ** 0.5) + (0.5 if set(first) & asked else 0.0))


_SLOT_OR_WORDS = re.compile(r"(?<![{\w])[a-z|]+(?![:\w}])")


def fill(template: str, slots: Slots, eyes: str | None) -> str:
    """A query template with its phrases spelled out and its slots filled, as the world or as these eyes have it."""
    text = _MACRO.sub(lambda match: _phrase(match, slots, eyes), template)
    values = {**slots, "eyes": Filling.constant(eyes or "")}
    return _SLOT.sub(lambda match: values[match[1]], text)


def _phrase(match: re.Match[str], slots: Slots, eyes: str | None) -> str:
    name, arguments = match[1], [one.strip() for one in match[2].split(",")]
    own = (
        name == OTHERS_MINDS
        and eyes is not None
        and fill(arguments[0], slots, None) == Filling.constant(eyes)
    )
    phrases: Mapping[str, str] = _table()["world" if eyes is None or own else "eyes"]
    return re.sub(r"\{(\d)\}", lambda slot: arguments[int(slot[1])], phrases[name])


def plain_words(question: str) -> str:
    """The question as words in small letters, contractions spelled out, each led by a blank."""
    text = question.casefold()
    for short, long in CONTRACTIONS:
        text = re.sub(short, long, text)
    return "".join(f" {word}" for word in words_of(text))


# -- the table


@cache
def forms() -> tuple[Form, ...]:
    """All questions, in the order in which they are tried."""
    return tuple(_form(table) for table in _table()["question"])


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads((files("narraworld.query.ask") / "questions.toml").read_text(encoding="utf-8"))


def _form(table: Mapping[str, Any]) -> Form:
    told = {key: value for key, value in table.items() if key != "says"}
    lists = {key: tuple(value) for key, value in told.items() if isinstance(value, list)}
    return Form(patterns=tuple(compiled(text) for text in table["says"]), **(told | lists))
