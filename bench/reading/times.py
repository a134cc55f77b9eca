"""Times: how many of the time expressions that an annotator marked in four chapters the finder finds.

The chapters are our own text (`bench/data/times`), marked by somebody who had not seen the finder. An expression is *found* when one of ours covers
at least four fifths of it, *touched* when one of ours overlaps it, *understood* when the calendar makes something of the words alone. Those marked
`soft` count neither as missed nor as wrong.
"""

from __future__ import annotations

import argparse
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.frame import Figures, show
from narraworld.kb.time.expressions import understand
from narraworld.kb.time.finding.finder import TimeExpression, find_times
from narraworld.kb.time.when import When

__all__ = ["MarkedTime", "add_options", "chapters", "run"]

DATA = Path(__file__).parents[1] / "data" / "times"
WHOLE = 0.8  # share of an expression's characters that must be covered
PLACED = frozenset({"clock", "date", "weekday", "part", "relative", "season", "holiday"})


@dataclass(frozen=True, slots=True)
class MarkedTime:
    """A gold expression: where it stands, its words and its sort; a soft one is not counted."""

    start: int
    words: str
    sort: str
    soft: bool

    @property
    def end(self) -> int:
        return self.start + len(self.words)

    def overlap(self, other: TimeExpression) -> int:
        return max(0, min(self.end, other.end) - max(self.start, other.start))

    def covered(self, found: list[TimeExpression]) -> float:
        return max((self.overlap(one) / len(self.words) for one in found), default=0.0)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--wrong", action="store_true", help="print what was missed and what was found beside it"
    )


def chapters(folder: Path = DATA) -> Iterator[tuple[str, str, list[MarkedTime]]]:
    """Name, text and marks of each chapter."""
    for chapter in tomllib.loads((folder / "gold.toml").read_text("utf-8"))["chapter"]:
        text = (folder / chapter["path"]).read_text("utf-8")
        marks = [
            MarkedTime(one["at"], one["words"], one["sort"], one.get("soft", False))
            for one in chapter["time"]
        ]
        yield chapter["path"], text, marks


def run(options: argparse.Namespace) -> Figures:
    marked, found, touched, meant = (Counter[str]() for _ in range(4))
    said = beside = 0
    for name, text, marks in chapters():
        ours = find_times(text)
        said += len(ours)
        for mark in (mark for mark in marks if not mark.soft):
            share = mark.covered(ours)
            marked[mark.sort] += 1
            touched[mark.sort] += share > 0
            found[mark.sort] += share >= WHOLE
            meant[mark.sort] += isinstance(understand(mark.words), When)
            if options.wrong and share < WHOLE:
                print(f"{name}: missed {mark.words!r} ({mark.sort}, {share:.0%})")
        for one in ours:
            if not any(mark.overlap(one) for mark in marks):
                beside += 1
                if options.wrong:
                    print(f"{name}: beside {one.words!r} ({one.sort}) in {_around(text, one)!r}")
    _table(marked, found, touched, meant)
    total, placed = marked.total(), sum(marked[sort] for sort in PLACED)
    return {
        "marked": total,
        "found": round(found.total() / total, 3),
        "touched": round(touched.total() / total, 3),
        "said": said,
        "precision": round(1 - beside / said, 3),
        "understood": round(sum(meant[sort] for sort in PLACED) / placed, 3),
    }


def _around(text: str, one: TimeExpression) -> str:
    return " ".join(text[max(0, one.start - 30) : one.end + 30].split())


def _table(marked: Counter[str], found: Counter[str], touched: Counter[str], meant: Counter[str]) -> None:
    rows = [(sort, n, found[sort], touched[sort], meant[sort]) for sort, n in marked.most_common()]
    show("time expressions", ("sort", "marked", "found", "touched", "understood"), rows)
