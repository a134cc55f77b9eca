"""What a pack says of itself in the head of its `pack.dl`, read by machine. Pure values; opens no file.

    //! Order, duration, frequency, voice.
    //! cite: G. Genette, "Discours du récit", in Figures III, 1972
    //! needs: event
    //! needs: teller for gen_voice, gen_told_by
    //! features: analepses = count gen_analepsis in events
    //! features: largest reach = max gen_analepsis.reach in events
    //! features: successes = count sig_ending where ending "success" in endings

The first line is the title. A line `needs` names a relation without which nothing, or only the results named after `for`,
can be evaluated; `teller or told_in` is met by either. A line `features` names one column of the table stories × features: how to fold (count, distinct, sum, mean, min,
max, value), which relation, which of its columns, and in what unit the number is. A line `table` names a base relation of the
pack that a file of tab-separated rows fills, for encodings that have no world.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, NoReturn, TypeAlias, cast

from narraworld.rules.errors import RuleError
from narraworld.rules.language.ir import Row, SourcePlace

__all__ = ["Feature", "FoldName", "PackHead", "PackNeed", "read_head"]

FoldName: TypeAlias = Literal["count", "distinct", "sum", "mean", "min", "max", "value"]
FOLDS = ("count", "distinct", "sum", "mean", "min", "max", "value")
DIGITS = 4  # of a mean
_LINE = re.compile(r"(?P<word>cite|needs|features|table): *(?P<said>.+)")
_NEED = re.compile(r"(?P<relations>\w+(?:(?: *, *| or )\w+)*)(?: +for +(?P<results>\w+(?: *, *\w+)*))?")
_FEATURE = re.compile(
    r"(?P<name>[^=]+?) *= *(?P<fold>\w+) +(?P<relation>\w+)(?:\.(?P<column>\w+))?"
    r'(?: +where +(?P<where>\w+) +"(?P<value>[^"]*)")?(?: +in +(?P<unit>.+))?'
)


@dataclass(frozen=True, slots=True)
class PackNeed:
    """A relation without whose rows ``results`` (all, where none is named) have nothing to say."""

    relation: str  # or several, joined by "or": one of them is enough
    results: tuple[str, ...] = ()

    @property
    def relations(self) -> tuple[str, ...]:
        return tuple(self.relation.split(" or "))

    def concerns(self, result: str) -> bool:
        return not self.results or result in self.results

    def __str__(self) -> str:
        return f"Not evaluated: no record of kind {self.relation}"


@dataclass(frozen=True, slots=True)
class Feature:
    """One number of a story: a fold over the rows of a relation."""

    name: str
    fold: FoldName
    relation: str
    column: str | None = None
    where: tuple[str, str] | None = None
    unit: str = "count"

    def of(self, columns: tuple[str, ...], rows: list[Row]) -> float | int | str | None:
        """The number; None where there is nothing to fold. Counts of nothing are 0."""
        if self.where:
            at = columns.index(self.where[0])
            rows = [row for row in rows if row[at] == self.where[1]]
        if self.fold == "count":
            return len(rows)
        at = columns.index(self.column) if self.column else -1
        return _folded(self.fold, [row[at] for row in rows])


def _folded(fold: FoldName, values: list[str | int | float]) -> float | int | str | None:
    if fold == "distinct":
        return len(set(values))
    numbers = [value for value in values if not isinstance(value, str)]
    if fold == "sum":
        return sum(numbers)
    if not values:
        return None
    if fold == "value":
        return values[0]
    if fold == "mean":
        return round(sum(numbers) / len(numbers), DIGITS)
    return min(numbers) if fold == "min" else max(numbers)


@dataclass(frozen=True, slots=True)
class PackHead:
    """Title, citations, needs and features, in the order of the lines."""

    title: str
    cite: tuple[str, ...]
    needs: tuple[PackNeed, ...]
    features: tuple[Feature, ...]
    table: str | None = None  # the relation that a fact table fills where there is no world


def read_head(text: str, file: str) -> PackHead:
    """The head of a pack's file; a line that says nothing we know is refused with its number."""
    title, table = "", None
    cite, needs, features = list[str](), list[PackNeed](), list[Feature]()
    for number, line in enumerate(text.split("\n"), 1):
        place = SourcePlace(file, number, 1)
        found = _LINE.fullmatch(line.strip())
        if found is None:
            title = title or line.strip()
        elif found["word"] == "cite":
            cite.append(found["said"])
        elif found["word"] == "table":
            table = found["said"]
        elif found["word"] == "needs":
            needs += _needs(found["said"], place)
        else:
            features.append(_feature(found["said"], place))
    if not cite:
        _fail("a pack says whose theory it is", SourcePlace(file, 1, 1), "//! cite: author, title, year")
    return PackHead(title, tuple(cite), tuple(needs), tuple(features), table)


def _needs(said: str, place: SourcePlace) -> list[PackNeed]:
    found = _NEED.fullmatch(said)
    if found is None:
        _fail(f"this need cannot be read: {said}", place, "//! needs: relation, relation for result")
    results = tuple(_words(found["results"] or ""))
    return [PackNeed(relation, results) for relation in _words(found["relations"])]


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _feature(said: str, place: SourcePlace) -> Feature:
    found = _FEATURE.fullmatch(said)
    if found is None:
        _fail(f"this feature cannot be read: {said}", place, "//! features: name = count relation in unit")
    if found["fold"] not in FOLDS:
        _fail(f"a feature cannot be a {found['fold']}", place, f"known are: {', '.join(FOLDS)}")
    if found["fold"] != "count" and not found["column"]:
        _fail(f"{found['fold']} of which column?", place, f"{found['fold']} {found['relation']}.column")
    where = (found["where"], found["value"]) if found["where"] else None
    fold = cast("FoldName", found["fold"])
    return Feature(found["name"], fold, found["relation"], found["column"], where, found["unit"] or "count")


def _fail(what: str, place: SourcePlace, fix: str) -> NoReturn:
    raise RuleError(what, place, fix=fix)
