"""Lines that a mind is shown, numbered, and how a page of them reads: plain values. Asks nothing, decides nothing."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import groupby
from typing import Any, Literal, TypeAlias

from narraworld.base.quick_dataclass import dataclass
from narraworld.query.evidence import Span

__all__ = ["GivenLine", "LinePart", "fenced", "lines_table", "mark_of", "numbered", "with_numbers"]

LinePart: TypeAlias = Literal["text", "minds", "holders", "developments", "records"]
"""A line is a piece of the text, says who holds what, with how they came by it or in brief, what developed, or tells what records and rules
have besides."""


@dataclass(frozen=True, slots=True)
class GivenLine:
    """One line: what it says, in which chapter, and what it rests on; of a matter on minds, which."""

    part: LinePart
    words: str
    chapter: str = ""
    records: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    matter: str = ""


def numbered(lines: Sequence[GivenLine]) -> Iterator[str]:
    """The lines with their numbers, under a heading for each part and chapter."""
    titles = lines_table()["parts"]
    for (part, chapter), several in groupby(
        enumerate(lines, 1), key=lambda one: (one[1].part, one[1].chapter)
    ):
        yield f"[{titles[part].format(chapter=chapter)}]"
        yield from (f"{number}. {line.words}" for number, line in several)


def with_numbers(
    numbers: Iterable[int], lines: Sequence[GivenLine]
) -> tuple[tuple[GivenLine, ...], tuple[int, ...]]:
    """The lines of these numbers, each once, and the numbers that no line has."""
    once = tuple(dict.fromkeys(numbers))
    unknown = tuple(one for one in once if not 0 < one <= len(lines))
    return tuple(lines[one - 1] for one in once if one not in unknown), unknown


def fenced(parts: Mapping[str, str]) -> str:
    """Every part between marks that its words cannot close."""
    mark = mark_of(parts)
    return "\n".join(f"<{name} {mark}>\n{text or '(none)'}\n</{name} {mark}>" for name, text in parts.items())


def mark_of(parts: Mapping[str, str]) -> str:
    """What tells these parts from any others, and stands in none of them."""
    return sha256("\x1f".join(parts.values()).encode()).hexdigest()[:8]


@cache
def lines_table() -> Mapping[str, Any]:
    """How lines are headed and said, and through whose eyes and when they are."""
    return tomllib.loads((files(__package__) / "lines.toml").read_text(encoding="utf-8"))
