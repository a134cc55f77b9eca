"""Whoosh's query language over a few thousand small documents: fields, phrases, wild cards, fuzzy words, AND, OR and NOT.

An index is made in memory of exactly the documents handed in, so frequencies and lengths are counted over these alone. Whoosh comes
through `search_words`, its one door. Knows no situation: whoever calls has admitted what is searched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from narraworld.kb.errors import KbError
from narraworld.kb.search.inverted_index import Hit
from narraworld.kb.search.search_words import whoosh_library

__all__ = ["FIELDS", "BadSearch", "SearchDocument", "SearchIndex"]

_QUOTED = re.compile(r'"[^"]*"')
_FIELD = re.compile(r"(?<![\w:])([A-Za-z_]\w*):(?=\S)")
FIELDS = ("text", "speaker", "who", "place", "kind", "chapter")


class BadSearch(KbError):
    """A query that Whoosh cannot read."""


@dataclass(frozen=True, slots=True)
class SearchDocument:
    """One thing to find: its id, and what each field says."""

    id: str
    fields: Mapping[str, str]


class SearchIndex:
    """Documents that can be asked for in Whoosh's own words."""

    def __init__(self, documents: Iterable[SearchDocument]) -> None:
        whoosh = whoosh_library()
        named = whoosh.fields.TEXT(analyzer=whoosh.analysis.StandardAnalyzer(stoplist=None), phrase=True)
        self._schema = whoosh.fields.Schema(
            id=whoosh.fields.ID(stored=True, unique=True), text=whoosh.fields.TEXT(analyzer=_stemming(), phrase=True),
            **dict.fromkeys(FIELDS[1:], named),
        )  # fmt: skip
        # Whoosh writes through a temporary folder named after the index: under one name, processes delete each other's files.
        own = f"narraworld{uuid4().hex}"
        self._index = whoosh.filedb.filestore.RamStorage().create_index(self._schema, indexname=own)
        writer = self._index.writer()
        for one in documents:
            writer.add_document(id=one.id, **one.fields)
        writer.commit()

    def found(self, query: str, limit: int) -> list[Hit]:
        """The best documents for a query, by BM25F; `BadSearch` where it cannot be read."""
        whoosh = whoosh_library()
        parser = whoosh.qparser.QueryParser("text", self._schema)
        parser.add_plugin(whoosh.qparser.FuzzyTermPlugin())
        if unknown := _unknown_fields(query):
            raise BadSearch(f"there is no field {unknown!r}", fix=f"fields are {', '.join(FIELDS)}")
        try:
            parsed = parser.parse(query)
            with self._index.searcher() as searcher:
                return [Hit(str(hit["id"]), float(hit.score)) for hit in searcher.search(parsed, limit=limit)]
        except (ValueError, TypeError, whoosh.query.QueryError, whoosh.qparser.QueryParserError) as error:
            raise BadSearch(f"cannot read the query {query!r}: {error}", fix="see docs/memory.md") from error


def _stemming() -> Any:
    return whoosh_library().analysis.StemmingAnalyzer()


def _unknown_fields(query: str) -> str:
    """The first field asked for that there is not; what stands in quotation marks asks for none."""
    asked = _FIELD.findall(_QUOTED.sub("", query))
    return next((name for name in asked if name not in FIELDS), "")
