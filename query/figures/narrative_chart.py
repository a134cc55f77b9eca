"""The narrative chart: lines are people, columns are scenes; lines that run together are people in one room. Values in, SVG out.

Each person has a home lane. In a column the people of one place form a block at the mean of their lanes, everybody else is a block
of one; blocks are stacked with fixed gaps and centred, so that no two lines ever overlap.
"""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from narraworld.query.figures.figure import StoryFigure, element, text_at
from narraworld.query.figures.ruler import heading

__all__ = ["ChartStyle", "narrative_chart", "told_against_happened"]


@dataclass(frozen=True, slots=True)
class ChartStyle:
    """Distances of a chart."""

    column: int = 76
    row: int = 25
    gap: int = 15
    margin: int = 92
    head: int = 62
    foot: int = 34  # below the last scene, where time runs down
    turn: int = 26  # room for a chapter's title, where time runs down
    dot: float = 5.5
    letter: float = 5.6  # of a chapter's title, on the average
    small: float = 5.2  # of a day
    place: float = 6.2  # of a place with some air around it
    bold: float = 7.0  # of a name that is followed
    line: int = 12  # from one line of a day to the next
    widest: int = 180  # a column of a short story
    page: int = 860  # as wide as a page shows a drawing whole


USUAL = ChartStyle()
LONGEST_TITLE, LONGEST_NAME, LONGEST_BESIDE = 32, 18, 12
LONGEST_BELOW = 18  # of a place, where time runs down
DAY_LINES = 2
LEVELS = 3  # of names beside each other, where time runs down


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where somebody is in a column: across the lanes, and whether the text places them there."""

    across: float
    placed: bool


def narrative_chart(
    drawn: Mapping[str, Any], *, tall: bool = False, style: ChartStyle = USUAL
) -> StoryFigure:
    """The chart of a story map; ``tall`` lets time run down the page."""
    style = style if tall else _fitted(style, drawn)
    people = [person["id"] for person in drawn["people"]]
    groups = [[group for group in column if group["people"]] for column in drawn["groups"]]
    lanes = _lanes(people, groups)
    columns = [_column(lanes, column, style) for column in groups]
    height = max((max(spot.across for spot in column.values()) for column in columns if column), default=0.0)
    height = max(height, len(people) * (style.row + style.gap) / 2) + style.row
    centred = [_centred(column, height) for column in columns]
    pen = _Pen(style, [scene["chapter"] for scene in drawn["scenes"]], height, tall)
    return pen.figure(drawn, centred, groups)


# -- layout


def _fitted(style: ChartStyle, drawn: Mapping[str, Any]) -> ChartStyle:
    """Columns as wide as a short story allows, beside them room for the longest name, above them for the days."""
    longest = max((len(_clipped(one["name"], LONGEST_NAME)) for one in drawn["people"]), default=0)
    margin = max(style.margin, round(longest * style.bold) + 20)
    room = (style.page - 2 * margin) // max(1, len(drawn["scenes"]) - 1)
    fitted = replace(style, margin=margin, column=min(style.widest, max(style.column, room)))
    lines = max((len(_day_lines(scene, fitted)) for scene in drawn["scenes"]), default=1)
    return replace(fitted, head=style.head + (lines - 1) * style.line)


def _day_lines(scene: Mapping[str, Any], style: ChartStyle) -> list[str]:
    """The day of a scene, or its number, in the lines that fit over its column."""
    most = int((style.column - 4) / style.small)
    return textwrap.wrap(scene["day"] or scene["label"], most, max_lines=DAY_LINES, placeholder="…")


def _lanes(people: Sequence[str], groups: Sequence[Sequence[Mapping[str, Any]]]) -> dict[str, int]:
    """Home lanes: by first appearance, then one pass that puts those who share scenes side by side."""
    first = {who: len(groups) for who in people}
    together: dict[tuple[str, str], int] = {}
    for n, column in enumerate(groups):
        for group in column:
            for who in group["people"]:
                first[who] = min(first[who], n)
                for other in group["people"]:
                    together[who, other] = together.get((who, other), 0) + 1
    order = sorted(people, key=lambda who: (first[who], people.index(who)))
    placed = order[:1]
    for who in order[1:]:
        beside = max(
            placed, key=lambda other: (together.get((who, other), 0), -abs(placed.index(other) - len(placed)))
        )
        placed.insert(placed.index(beside) + 1, who)
    return {who: n for n, who in enumerate(placed)}


def _column(
    lanes: Mapping[str, int], groups: Iterable[Mapping[str, Any]], style: ChartStyle
) -> dict[str, _Spot]:
    """The blocks of one column, stacked by the mean of their lanes."""
    grouped = [sorted(group["people"], key=lambda who: lanes[who]) for group in groups]
    there = {who for block in grouped for who in block}
    blocks = [*grouped, *([who] for who in lanes if who not in there)]
    blocks.sort(key=lambda block: sum(lanes[who] for who in block) / len(block))
    spots, across = dict[str, _Spot](), 0.0
    for block in blocks:
        for who in block:
            spots[who] = _Spot(across, who in there)
            across += style.row
        across += style.gap
    return spots


def _centred(column: Mapping[str, _Spot], height: float) -> dict[str, _Spot]:
    if not column:
        return {}
    used = max(spot.across for spot in column.values())
    return {who: _Spot(spot.across + (height - used) / 2, spot.placed) for who, spot in column.items()}


# -- drawing


class _Pen:
    """Knows which way time runs; everything else is drawn once."""

    def __init__(self, style: ChartStyle, chapters: Sequence[int], height: float, tall: bool) -> None:
        self.style, self.tall = style, tall
        begun = itertools.accumulate(one != other for one, other in itertools.pairwise(chapters))
        room = (
            style.turn if tall else 0
        )  # titles stand between the scenes where time runs down, else above them
        self._along = [style.margin + n * style.column + room * k for n, k in enumerate([0, *begun])]
        self.length = self._along[-1] + (style.foot if tall else style.margin)
        self.breadth = height + style.head + style.row

    def point(self, n: int, across: float) -> tuple[float, float]:
        along, beside = self._along[n], across + self.style.head
        return (beside, along) if self.tall else (along, beside)

    def figure(
        self,
        drawn: Mapping[str, Any],
        columns: Sequence[Mapping[str, _Spot]],
        groups: Sequence[Sequence[Mapping[str, Any]]],
    ) -> StoryFigure:
        body = [
            *self._bands(drawn), *self._lines(drawn["people"], columns), *self._rooms(columns, groups),
            *self._dots(drawn["people"], columns), *self._heads(drawn), *self._labels(columns, groups),
            *self._names(drawn["people"], columns),
        ]  # fmt: skip
        width, height = (self.breadth, self.length) if self.tall else (self.length, self.breadth)
        names = ", ".join(str(person["name"]) for person in drawn["people"])
        return StoryFigure(
            "Who is with whom, scene by scene",
            round(width) + 1,
            round(height) + 1,
            "".join(body),
            f"Lines for {names}.",
        )

    def _bands(self, drawn: Mapping[str, Any]) -> Iterable[str]:
        return (self._band(n) for n, scene in enumerate(drawn["scenes"]) if scene["back"])

    def _heads(self, drawn: Mapping[str, Any]) -> Iterable[str]:
        titles = {chapter["n"]: heading(chapter["n"], chapter["title"]) for chapter in drawn["chapters"]}
        before = None
        for n, scene in enumerate(drawn["scenes"]):
            x, y = self.point(n, 0)
            if scene["chapter"] != before:
                wide = sum(one["chapter"] == scene["chapter"] for one in drawn["scenes"])
                yield from self._chapter(n, titles.get(scene["chapter"], ""), wide)
            before = scene["chapter"]
            if not self.tall:
                yield from self._day(x, scene)
            else:
                yield text_at(4, y + 4, scene["label"], size=10, anchor="start", class_="t-soft")

    def _day(self, x: float, scene: Mapping[str, Any]) -> Iterable[str]:
        top = USUAL.head - 26
        for n, words in enumerate(_day_lines(scene, self.style)):
            yield text_at(x, top + n * self.style.line, words, size=10, class_="t-soft")

    def _chapter(self, n: int, title: str, wide: int) -> Iterable[str]:
        """The head of a chapter over so many columns; a title that is wider than they are gives way.

        A rule stands between two chapters: before the first, where the names are, is none.
        """
        along = self._along[n] - 0.5 * self.style.column
        if self.tall:
            yield from self._chapter_below(n, along - self.style.turn, title)
            return
        if n:
            yield element("line", x1=along, y1=8, x2=along, y2=self.breadth, class_="rule")
        most = min(LONGEST_TITLE, int((wide * self.style.column - 12) / self.style.letter))
        yield text_at(along + 8, 20, _clipped(title, most), size=11, anchor="start", class_="t-serif")

    def _chapter_below(self, n: int, along: float, title: str) -> Iterable[str]:
        """The same where time runs down the page: a rule, and under it the title, as long as the page is wide."""
        if n:
            yield element("line", x1=0, y1=along, x2=self.breadth, y2=along, class_="rule")
        most = int((self.breadth - 8) / self.style.letter)
        below = along + (16 if n else -8)
        yield text_at(4, below, _clipped(title, most), size=11, anchor="start", class_="t-serif halo")

    def _band(self, n: int) -> str:
        along, wide = self._along[n] - 0.46 * self.style.column, self.style.column * 0.92
        if self.tall:
            return element(
                "rect",
                x=self.style.head - 12,
                y=along,
                width=self.breadth - self.style.head,
                height=wide,
                rx=6,
                class_="then",
            )
        return element(
            "rect",
            x=along,
            y=self.style.head - 12,
            width=wide,
            height=self.breadth - self.style.head + 4,
            rx=6,
            class_="then",
        )

    def _lines(
        self, people: Sequence[Mapping[str, Any]], columns: Sequence[Mapping[str, _Spot]]
    ) -> Iterable[str]:
        for person in sorted(people, key=lambda one: bool(one["followed"])):
            for n in range(len(columns) - 1):
                here, there = columns[n][person["id"]], columns[n + 1][person["id"]]
                away = "" if here.placed and there.placed else " away"
                follow = " follow" if person["followed"] else ""
                yield element(
                    "path", d=self._curve(n, here.across, there.across), class_=f"line{follow}{away}"
                )

    def _curve(self, n: int, here: float, there: float) -> str:
        (x1, y1), (x2, y2) = self.point(n, here), self.point(n + 1, there)
        mx, my = (x1 + x2) / 2, (y1 + y2) / 2
        bend = f"{x1:.1f} {my:.1f} {x2:.1f} {my:.1f}" if self.tall else f"{mx:.1f} {y1:.1f} {mx:.1f} {y2:.1f}"
        return f"M{x1:.1f} {y1:.1f}C{bend} {x2:.1f} {y2:.1f}"

    def _rooms(
        self, columns: Sequence[Mapping[str, _Spot]], groups: Sequence[Sequence[Mapping[str, Any]]]
    ) -> Iterable[str]:
        for n, column in enumerate(groups):
            for group in column:
                low, high = _extent(columns[n], group["people"])
                (x1, y1), (x2, y2) = self.point(n, low), self.point(n, high)
                yield element(
                    "rect",
                    x=x1 - 12,
                    y=y1 - 12,
                    width=x2 - x1 + 24,
                    height=y2 - y1 + 24,
                    rx=12,
                    class_="room",
                )

    def _dots(
        self, people: Sequence[Mapping[str, Any]], columns: Sequence[Mapping[str, _Spot]]
    ) -> Iterable[str]:
        for person in people:
            follow = " follow" if person["followed"] else ""
            for n, column in enumerate(columns):
                if column[person["id"]].placed:
                    x, y = self.point(n, column[person["id"]].across)
                    title = element("title", _escaped(person["name"]))
                    yield element("circle", title, cx=x, cy=y, r=self.style.dot, class_=f"dot{follow}")

    def _labels(
        self, columns: Sequence[Mapping[str, _Spot]], groups: Sequence[Sequence[Mapping[str, Any]]]
    ) -> Iterable[str]:
        for n, column in enumerate(groups):
            named = [
                (group["place"], _extent(columns[n], group["people"])) for group in column if group["place"]
            ]
            for place, (low, high) in named:
                x, y = self.point(n, (low + high) / 2 if self.tall else low)
                words = _clipped(place, self._letters((low + high) / 2, [sum(ends) / 2 for _, ends in named]))
                yield text_at(x, y - 16, words, size=10, class_="t-soft halo")

    def _letters(self, middle: float, middles: Sequence[float]) -> int:
        """As many as a place may have: up to the next column or, where time runs down the page, up to the place beside it."""
        room = min((abs(one - middle) for one in middles if one != middle), default=self.breadth)
        if not self.tall:
            return int(self.style.column / self.style.place)
        return min(LONGEST_BELOW, int(room / self.style.small))

    def _names(
        self, people: Sequence[Mapping[str, Any]], columns: Sequence[Mapping[str, _Spot]]
    ) -> Iterable[str]:
        if not columns:
            return
        order = sorted(people, key=lambda one: columns[0][one["id"]].across)
        for nth, person in enumerate(order):
            class_ = f"name halo{' follow' if person['followed'] else ''}"
            (x, y), (u, v) = (self.point(n, columns[n][person["id"]].across) for n in (0, len(columns) - 1))
            name = _clipped(person["name"], LONGEST_BESIDE if self.tall else LONGEST_NAME)
            if self.tall:
                yield text_at(x, y - 32 - 13 * (nth % LEVELS), name, size=10, class_=class_)
            else:
                yield text_at(x - 16, y + 4, name, anchor="end", class_=class_)
                yield text_at(u + 16, v + 4, name, anchor="start", class_=class_)


def _extent(column: Mapping[str, _Spot], people: Sequence[str]) -> tuple[float, float]:
    spots = [column[who].across for who in people]
    return min(spots), max(spots)


def _clipped(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _escaped(text: str) -> str:
    from html import escape

    return escape(text)


# -- told against happened


def told_against_happened(drawn: Mapping[str, Any], *, tall: bool = False) -> StoryFigure:
    """Scenes in the order told on one side, in the order they happened on the other; only what is out of order stands out.

    ``tall`` lets time run down the page.
    """
    style = TALL_SLOPE if tall else SLOPE
    body = [
        style.text(0, side, words, "t-serif")
        for side, words in enumerate(("As it is told", "As it happened"))
    ]
    for scene in sorted(drawn["scenes"], key=lambda one: one["told"]):
        ends = (style.head + scene["told"] * style.step, style.head + scene["happened"] * style.step)
        body.append(style.curve(*ends, "jump" if scene["back"] else "slope"))
        bold = "name follow" if scene["back"] else ""
        body += [style.text(end, side, scene["label"], bold) for side, end in enumerate(ends)]
    length = style.head + len(drawn["scenes"]) * style.step
    width, height = (style.breadth, length) if tall else (length, style.breadth)
    return StoryFigure("Told against happened", width, height, "".join(body))


@dataclass(frozen=True, slots=True)
class _Slope:
    """Distances of the slopes: along the scenes, and from one side to the other."""

    head: int
    step: int
    sides: tuple[int, int]  # where the words stand
    curves: tuple[int, int]  # where the curves begin and end
    breadth: int
    tall: bool

    def text(self, along: float, side: int, words: str, class_: str) -> str:
        if self.tall:
            return text_at(self.sides[side], along or 18, words, class_=class_)
        return text_at(
            along or 8, self.sides[side], words, anchor="middle" if along else "start", class_=class_
        )

    def curve(self, here: float, there: float, class_: str) -> str:
        (one, two), middle = self.curves, sum(self.curves) / 2
        if self.tall:
            bend = f"M{one} {here - 4}C{middle} {here - 4} {middle} {there - 4} {two} {there - 4}"
        else:
            bend = f"M{here} {one}C{here} {middle} {there} {middle} {there} {two}"
        return element("path", d=bend, class_=class_)


SLOPE = _Slope(130, 68, (20, 104), (28, 88), 116, tall=False)
TALL_SLOPE = _Slope(44, 26, (56, 264), (82, 238), 320, tall=True)
