"""The evidence of an answer: the records it rests on, their words on the page, the chapter, and the words that date it. Reads only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from narraworld.query.evidence import Span
from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.query.goals import GoalBinding
    from narraworld.query.scope import Scope

__all__ = ["chapter_of", "date_of", "records_among", "spans_of"]


def chapter_of(unit: str, scope: Scope) -> str:
    titles = [str(title) for _, title in rows(scope.engine, "titled", unit)]
    return f"{unit} ({titles[0]})" if titles else unit


def date_of(found: GoalBinding, since: str, scope: Scope) -> str:
    """The words that date it; of those that date only what came before it in its chapter, the latest."""
    event = str(found.get("E", ""))
    if own := [str(words) for _, _, words in rows(scope.engine, "anchored", None, event)]:
        return f"{own[0]}, {since}"
    here = scope.quotes(event)[:1]
    before = [
        (quote.start, str(words))
        for record, _, words in rows(scope.engine, "anchored")
        for quote in scope.quotes(str(record))
        if here and quote.unit == here[0].unit and quote.start < here[0].start
    ]
    return f"after “{max(before)[1]}”, {since}" if before else since


def records_among(symbols: Sequence[str], scope: Scope) -> tuple[str, ...]:
    return tuple(symbol for symbol in symbols if rows(scope.engine, "evidence", symbol))


def spans_of(records: Sequence[str], scope: Scope) -> tuple[Span, ...]:
    return tuple(dict.fromkeys(_each_span(records, scope)))


def _each_span(records: Sequence[str], scope: Scope) -> Iterator[Span]:
    for record in records:
        for quote in scope.quotes(record):
            yield Span(quote.unit, quote.start, quote.end, quote.text, quote.place)
