"""Items as lines for a mind, those that fit a budget, in the order of the story. Chooses and orders; derives nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from narraworld.query.ask.answer_evidence import chapter_of, spans_of
from narraworld.query.memory.index.search import Search
from narraworld.query.memory.lines.given_lines import GivenLine, lines_table
from narraworld.query.memory.tokens import counter
from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.query.memory.needs import MemoryItem
    from narraworld.query.scope import Scope

__all__ = ["as_line", "causes", "cost_of", "fitting", "in_order", "moment_of_scope"]

NUMBER = "00. "  # what stands before each line


def fitting(lines: Iterable[GivenLine], budget: int) -> Iterator[GivenLine]:
    """The first that fit, each once."""
    seen = set[str]()
    for line in lines:
        cost = cost_of(line)
        if line.words not in seen and cost <= budget:
            seen.add(line.words)
            budget -= cost
            yield line


def cost_of(line: GivenLine) -> int:
    return counter()(f"{NUMBER}{line.words}\n")


def as_line(item: MemoryItem, scope: Scope) -> GivenLine:
    """A piece of memory as a line; what is not of the text says whose it is."""
    if item.section == "T":
        units = [*(span.unit for span in item.spans), *(record.partition("/")[0] for record in item.records)]
        chapter = chapter_of(units[0], scope) if units else ""
        return GivenLine("text", item.words, chapter, item.records, item.spans)
    words = f"{scope.names(item.holder)} {item.words}" if item.holder else item.words
    return GivenLine("records", "; ".join((words, *item.conditions)), "", item.records, item.spans)


def in_order(
    told: Mapping[GivenLine, MemoryItem], chosen: Iterable[GivenLine], scope: Scope
) -> list[GivenLine]:
    """As the story tells it: by the place of its words, or where they may not be quoted, of its record."""
    position = scope.once(Search).position

    def place(line: GivenLine) -> tuple[int, str]:
        item = told[line]
        first = item.spans[0] if item.spans else None
        return position(first.unit, first.start) if first else item.told or 0, item.key

    return sorted(chosen, key=place)


def causes(near: Mapping[str, float], scope: Scope) -> Iterator[GivenLine]:
    """Why the nearest events came about, and what came of them."""
    found: dict[tuple[str, str], float] = {}
    for event, because, _ in rows(scope.at_once, "caused"):
        pair = str(event), str(because)
        found[pair] = max(near.get(one, 0.0) for one in pair)
    form = lines_table()["lines"]["caused"]
    for pair in sorted(found, key=lambda one: (-found[one], one)):
        if found[pair]:
            event, because = map(scope.names.in_sentence, pair)
            yield GivenLine(
                "records", form.format(event=event, because=because), "", pair, spans_of(pair, scope)
            )


def moment_of_scope(scope: Scope, forms: Mapping[str, str], besides: Iterable[str] = ()) -> str:
    """Through whose eyes and up to when, as far as the text goes that may be seen, and what is to be said besides."""
    passages = scope.once(Search).passages
    eyes = forms["eyes"].format(name=scope.names(scope.focalizer)) if scope.focalizer else forms["author"]
    moment = [forms["moment"].format(chapter=chapter_of(passages[-1].unit, scope))] if passages else []
    return " ".join([eyes, *besides, *moment])
