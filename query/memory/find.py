"""`search`: sentences of one situation by Whoosh's query language, with who speaks, who is in them, where and in which chapter.

Only admitted passages are handed to Whoosh, so nothing outside the situation moves a rank. Names are those this situation knows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from narraworld.kb.search.query_language import SearchDocument, SearchIndex
from narraworld.query.errors import EmptyRequest
from narraworld.query.evidence import Span
from narraworld.query.memory.items import Teller
from narraworld.query.memory.search import Search
from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.query.memory.admission import Passage
    from narraworld.query.scope import Scope

__all__ = ["Finder", "FoundPassage"]


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A sentence that a query found: its place and words, how well it matches, who says it and the records on it."""

    span: Span
    score: float
    speaker: str
    records: tuple[str, ...]


class Finder:
    """The passages of one scope as an index of Whoosh, made when first asked."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._passages = {passage.id: passage for passage in scope.once(Search).passages}
        self._index = SearchIndex(map(self._document, self._passages.values()))

    def found(self, query: str, limit: int) -> list[FoundPassage]:
        """The best sentences for a query."""
        if not query.strip():
            raise EmptyRequest("query")
        return [self._told(self._passages[hit.id], hit.score) for hit in self._index.found(query, limit)]

    def _told(self, passage: Passage, score: float) -> FoundPassage:
        place = self._scope.place_of(passage.unit, passage.start)
        span = Span(passage.unit, passage.start, passage.end, passage.words, place)
        speakers = ", ".join(dict.fromkeys(self._scope.names(one) for one in self._speakers(passage)))
        return FoundPassage(span, score, speakers, passage.rests)

    def _document(self, passage: Passage) -> SearchDocument:
        about = list(dict.fromkeys(self._about(passage)))
        kinds = {kind for record in passage.rests for kind in self._scope.once(Teller).kinds(record)}
        titles = [str(title) for _, title in rows(self._scope.engine, "titled", passage.unit)]
        return SearchDocument(passage.id, {
            "text": passage.words,
            "speaker": self._called(list(self._speakers(passage))),
            "who": self._called(about),
            "place": self._called([one for one in about if rows(self._scope.engine, "entity", one, "place")]),
            "kind": " ".join(sorted(kinds)),
            "chapter": " ".join([passage.unit, *titles]),
        })  # fmt: skip

    def _speakers(self, passage: Passage) -> Iterator[str]:
        for record in passage.rests:
            yield from (str(speaker) for _, speaker, _ in rows(self._scope.engine, "speech", record))

    def _about(self, passage: Passage) -> Iterator[str]:
        for record in passage.rests:
            yield from (str(who) for _, who, _ in rows(self._scope.engine, "role", record))
            yield from (str(where) for _, where in rows(self._scope.engine, "placed", record))
            yield from (str(node) for _, node in rows(self._scope.engine, "refers", record))

    def _called(self, entities: list[str]) -> str:
        """Every name of these."""
        return " ".join(
            str(name) for one in entities for _, _, name in rows(self._scope.engine, "named", None, one)
        )
