"""Moments as people say them: a chapter by number, file or title, one of its scenes, or a tick of the story clock.

One resolver for the command, Python and questions. The first way of reading that fits one chapter wins, and says how the text
was read; several are refused by title, none with the nearest. A bare number is a chapter, never a tick. Asks an engine only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import PurePath
from typing import Literal, TypeAlias

from narraworld.base.quick_dataclass import dataclass
from narraworld.kb.time.time_words import number_of, number_word
from narraworld.kb.units import RESERVED
from narraworld.query.errors import AmbiguousMoment, QueryError, UnknownMoment
from narraworld.query.name_finder import tokens
from narraworld.query.names import ReadAs, rows
from narraworld.rules.engines import Engine

__all__ = ["Moment", "MomentText", "Telling", "Tick", "moment_of", "revision_of"]

_TICK = re.compile(r"tick:\s*(-?\d{1,99})", re.IGNORECASE)
_SCENE = re.compile(r"(?P<rest>.*\S)(?:\s*,\s*|\s+|/)(?:scene|sc\.?)[\s-]*(?P<number>\d{1,9})", re.IGNORECASE)
_CHAPTER = re.compile(
    r"(?:the\s+)?(?:chapter|chap\.?|ch\.?)?\s*(?P<number>[\w-]+?)(?:\s+chapter)?", re.IGNORECASE
)
_IN_ID = (
    re.compile(r"(?:^|[-_.])ch(?:ap(?:ter)?)?[-_.]?0*(\d{1,9})(?!\d)", re.IGNORECASE),
    re.compile(r"^0*(\d{1,9})(?=$|[-_.])"),
)
_IN_TITLE = (re.compile(r"^chapter\s+([\w-]+)", re.IGNORECASE), re.compile(r"^([\w-]+)(?:[.:)]|$)"))
_ROMAN = re.compile(r"(?=[ivxlc])(c{0,3})(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})", re.IGNORECASE)
_NUMERALS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
MOST_DIGITS = 99  # of a number that is worth reading: Python gives up on thousands of them
StoryEdge: TypeAlias = Literal["start", "now"]
EDGES: dict[str, StoryEdge] = {"start": "start", "now": "now", "end": "now"}


@dataclass(frozen=True, slots=True)
class Tick:
    """A moment of the story clock."""

    number: int


MomentText: TypeAlias = str | int | Tick


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment that was found: the end of a unit or of a scene in it, a tick, or an edge of the story."""

    text: str
    unit: str | None = None
    scene: int | None = None
    tick: int | None = None
    edge: StoryEdge | None = None
    said: str = ""

    @property
    def id(self) -> str:
        """The moment as it can always be given."""
        if self.unit is not None:
            return f"{self.unit} scene {self.scene}" if self.scene else self.unit
        return self.edge or f"tick:{self.tick}"

    @property
    def read_as(self) -> ReadAs:
        """How the text was understood."""
        return ReadAs(self.text, self.id, self.said or self.id)


@dataclass(frozen=True, slots=True)
class _Chapter:
    unit: str
    title: str

    def __str__(self) -> str:
        named = f"chapter {self.unit}" if self.unit[:1].isdigit() else self.unit
        return f"{named}, {self.title}" if self.title else named


def moment_of(engine: Engine, given: MomentText) -> Moment:
    """The moment that somebody means."""
    if isinstance(given, Tick):
        return Moment(f"tick:{given.number}", tick=given.number)
    text = str(given).strip()
    if rows(engine, "unit", text):
        return Moment(text, text)
    if match := _TICK.fullmatch(text):
        return Moment(text, tick=int(match[1]))
    if text.casefold() in EDGES:
        return Moment(text, edge=EDGES[text.casefold()])
    telling = Telling(engine)
    scene = _SCENE.fullmatch(text)
    if scene is None:
        chapter, said = telling.chapter(text)
        return Moment(text, chapter.unit, said=said)
    return telling.scene(text, scene["rest"].strip(" ,"), int(scene["number"]))


def revision_of(given: str | int | None) -> int | None:
    """A revision as `r3`, or as its number."""
    number = str(given).removeprefix("r")
    if given is not None and (not number.isdecimal() or len(number) > MOST_DIGITS):
        raise QueryError(f"{given!r} is not a revision", fix="write r3, as `narraworld log` shows them")
    return None if given is None else int(number)


class Telling:
    """The chapters of a story in the order in which they are told."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @cached_property
    def chapters(self) -> list[_Chapter]:
        titles = {str(node): str(title) for node, title in rows(self._engine, "titled")}
        told = sorted(
            (int(order), str(unit)) for unit, order in rows(self._engine, "unit") if unit not in RESERVED
        )
        return [_Chapter(unit, titles.get(unit, "")) for _, unit in told]

    def chapter(self, text: str) -> tuple[_Chapter, str]:
        """The chapter that a text means, and how it was read."""
        for way in (self._by_name, self._by_file, self._by_title, self._by_number, *self._beginnings(text)):
            found = way(text)
            if len(found) == 1:
                return found[0], f"{found[0]}{self._besides(text, found[0])}"
            if found:
                titled = all(_plain(chapter.title) == _plain(text) for chapter in found)
                raise AmbiguousMoment(text, [chapter.unit for chapter in found], titled=titled)
        raise UnknownMoment(text, [*self._known()], self._how_many() if _number(text) is not None else None)

    def scene(self, text: str, rest: str, number: int) -> Moment:
        """A scene of what the rest means; a chapter without marked scenes has one."""
        chapter, said = self.chapter(rest)
        scenes = len(rows(self._engine, "scene", None, chapter.unit))
        if scenes == 0 and number == 1:
            return Moment(text, chapter.unit, said=f"the whole of {said}, which has one scene")
        if not 1 <= number <= scenes:
            has = f"{chapter.unit} has {_count(max(scenes, 1), 'scene')}"
            raise UnknownMoment(text, (), has)
        return Moment(text, chapter.unit, number, said=f"{said}, scene {number}")

    # -- ways of reading, in order

    def _by_name(self, text: str) -> list[_Chapter]:
        wanted = text.casefold()
        return [chapter for chapter in self.chapters if chapter.unit.casefold() == wanted]

    def _by_file(self, text: str) -> list[_Chapter]:
        wanted = text.casefold()
        found = [chapter for chapter in self.chapters if wanted in self._files(chapter.unit)]
        return found or (self._by_name(PurePath(text).stem) if PurePath(text).suffix else [])

    def _by_title(self, text: str) -> list[_Chapter]:
        return [
            chapter for chapter in self.chapters if chapter.title and _plain(chapter.title) == _plain(text)
        ]

    def _by_number(self, text: str) -> list[_Chapter]:
        number = _number(text)
        if number is None:
            return []
        return [chapter for chapter in self.chapters if number in _numbers(chapter)] or self._nth(number)

    def _nth(self, number: int) -> list[_Chapter]:
        return self.chapters[number - 1 : number] if number > 0 else []

    def _beginnings(self, text: str) -> Iterable[Callable[[str], list[_Chapter]]]:
        if _number(text) is not None or not _plain(text):
            return ()  # a number that no chapter has is not the beginning of another
        return (
            lambda text: [one for one in self.chapters if one.unit.casefold().startswith(text.casefold())],
            lambda text: [one for one in self.chapters if _plain(one.title).startswith(_plain(text))],
            lambda text: [one for one in self.chapters if _has_words(one, tokens(text))],
        )

    # -- what is known of the chapters

    def _files(self, unit: str) -> set[str]:
        """The file of a unit as its map names it (`kb` keeps the map, `sources` writes it), by path, name and stem."""
        found = set[str]()
        for _, map_ in rows(self._engine, "mapped", unit):
            (_, *files), _ = json.JSONDecoder().raw_decode(str(map_))
            for path in map(PurePath, files):
                found |= {path.as_posix().casefold(), path.name.casefold(), path.stem.casefold()}
        return found

    def _besides(self, text: str, chapter: _Chapter) -> str:
        """Where a number is the name of one chapter and the place of another."""
        number = _number(text)
        nth = self._nth(number) if number is not None else []
        return (
            f", by its number; chapter {number} of the telling is {nth[0].unit}"
            if nth and nth[0] != chapter
            else ""
        )

    def _known(self) -> Iterable[str]:
        for chapter in self.chapters:
            yield chapter.unit
            if chapter.title:
                yield chapter.title

    def _how_many(self) -> str:
        if not self.chapters:
            return "nothing has been read yet"
        last = self.chapters[-1]
        there_are = "there is" if len(self.chapters) == 1 else "there are"
        named = f"{last.unit}, {last.title}" if last.title else last.unit
        return f"{there_are} {_count(len(self.chapters), 'chapter')}; the last is {named}"


def _count(number: int, noun: str) -> str:
    return f"{number_word(number)} {noun}" + ("" if number == 1 else "s")


def _plain(text: str) -> str:
    return " ".join(tokens(text))


def _has_words(chapter: _Chapter, words: list[str]) -> bool:
    said = {*tokens(chapter.title), *tokens(chapter.unit.replace("-", " ").replace("_", " "))}
    return bool(words) and set(words) <= said


def _numbers(chapter: _Chapter) -> set[int]:
    """The numbers that stand in a chapter's id or title as its own."""
    in_id = next((int(match[1]) for form in _IN_ID if (match := form.search(chapter.unit))), None)
    said = next((_value(match[1]) for form in _IN_TITLE if (match := form.match(chapter.title))), None)
    return {number for number in (in_id, said) if number is not None}


def _number(text: str) -> int | None:
    """`2`, `02`, `ch2`, `ch. 2`, `chapter two`, `II`, `the second chapter`."""
    match = _CHAPTER.fullmatch(text.strip())
    return _value(match["number"]) if match else None


def _value(word: str) -> int | None:
    if word.isascii() and word.isdecimal():
        return int(word) if len(word) < 10 else None
    if (known := number_of(word)) is not None:
        return known
    return _roman(word.lower()) if _ROMAN.fullmatch(word) else None


def _roman(word: str) -> int:
    values = [_NUMERALS[letter] for letter in word]
    return sum(-one if one < max(values[at:]) else one for at, one in enumerate(values))
