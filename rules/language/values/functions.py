"""Functions on values that rules may use: what each takes and gives, and what it means.

Every engine has all of them and means the same; this module says what that is, in Python. Text is counted in characters,
from 0 as in Soufflé. A function without a value (`to_number("noon")`) makes its condition untrue. Pure.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import fsum
from typing import Any

from narraworld.base.quick_dataclass import dataclass
from narraworld.rules.language.ir import ColumnType, Value

__all__ = [
    "DIGITS",
    "FUNCTIONS",
    "TESTS",
    "Function",
    "applied",
    "folded",
    "matches",
    "number_in",
    "pattern_problem",
]

DIGITS = 12  # of a sum or a mean of fractions
NUMERAL = re.compile(r"(-?)(0x[0-9a-fA-F]{1,15}|0b[01]{1,60}|[0-9]{1,18})")  # what certainly fits in 64 bits


@dataclass(frozen=True, slots=True)
class Function:
    """The types of its arguments, of its value, and whether the last argument may be repeated or left out."""

    takes: tuple[ColumnType, ...]
    gives: ColumnType
    means: Callable[..., Value | None]
    repeats: bool = False
    optional: int = 0

    def fits(self, size: int) -> bool:
        return size >= len(self.takes) - self.optional and (self.repeats or size <= len(self.takes))

    @property
    def size(self) -> str:
        """How many arguments it takes, in words."""
        most = len(self.takes)
        return f"{most} or more" if self.repeats else f"{most - 1} or {most}" if self.optional else f"{most}"

    def sort(self, place: int) -> ColumnType:
        return self.takes[min(place, len(self.takes) - 1)]


def _part(text: str, start: int, size: int) -> str:
    if not 0 <= start <= len(text):
        return ""
    return text[start:] if size < 0 else text[start : start + size]


def number_in(text: str) -> int | None:
    """The whole number that a text is, with Soufflé's 0x and 0b; most texts are none."""
    if not (found := NUMERAL.fullmatch(text)):
        return None
    size = int(found[2], 0 if found[2][1:2] in ("x", "b") else 10)
    return -size if found[1] else size


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


def matches(pattern: str, text: str) -> int:
    """Whether a pattern describes the whole text."""
    return int(_compiled(pattern).fullmatch(text) is not None)


FUNCTIONS: Mapping[str, Function] = {
    "cat": Function(("symbol", "symbol"), "symbol", lambda *parts: "".join(parts), repeats=True),
    "strlen": Function(("symbol",), "number", len),
    "substr": Function(("symbol", "number", "number"), "symbol", _part),
    "to_number": Function(("symbol",), "number", number_in),
    "to_string": Function(("number",), "symbol", str),
    "to_float": Function(("number",), "float", float),
    "min": Function(("number", "number"), "number", min, repeats=True),
    "max": Function(("number", "number"), "number", max, repeats=True),
    "range": Function(
        ("number", "number", "number"), "number", lambda *ends: None, optional=1
    ),  # see ranges.py
    "contains": Function(("symbol", "symbol"), "number", lambda part, text: int(part in text)),
    "match": Function(("symbol", "symbol"), "number", matches),
}
TESTS = ("contains", "match")  # these stand as conditions, not as values


def folded(function: str, values: Sequence[Any]) -> Any:
    """What an aggregate makes of the values of one group.

    Sums and means of fractions are rounded: databases add in any order, and the last digits would tell.
    """
    match function:
        case "mean":
            return rounded(sum(values) / len(values))
        case "sum" if any(isinstance(value, float) for value in values):
            return rounded(fsum(values))
        case "sum":
            return sum(values)
        case "count":
            return len(values)
    return min(values) if function == "min" else max(values)


def rounded(fraction: float) -> float:
    return float(f"{fraction:.{DIGITS}g}")


def applied(name: str, args: Sequence[Any]) -> Value | None:
    return None if any(arg is None for arg in args) else FUNCTIONS[name].means(*args)


def pattern_problem(pattern: str) -> str | None:
    """Why a pattern is not taken: one that is no pattern, means different things elsewhere, or may never end."""
    bare = re.sub(r"\\\\|\\[^1-9A-Zbux]|\[[^\]]*\]", "x", pattern)
    if found := re.search(r"\\.|\(\?|[*+?}][?+]|\{[^}]*\{", bare):
        return f"{found[0]} has no place in it"
    if found := re.search(r"\{(?!\d+(,\d*)?\})", bare):
        return "{ stands for itself only as \\{, and else says how often: a{2}, a{2,3}"
    while group := re.search(r"\(([^()]*)\)([*+?{]?)", bare):
        if group[2] in ("*", "+", "{") and re.search(r"[*+?{|]", group[1]):
            return f"({group[1]}){group[2]} repeats what itself repeats or chooses"
        bare = bare[: group.start()] + (f"x{group[2]}" if group[2] else group[1]) + bare[group.end() :]
    try:
        with warnings.catch_warnings(action="error"):
            _compiled(pattern)
    except (re.error, FutureWarning) as error:
        return str(error)
    return None
