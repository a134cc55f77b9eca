"""A store for rdflib graphs that are filled once and gone through whole, as a unit's delta is.

Statements lie in one heap, in the order in which they came; there are no indexes to keep, which is most of what adding
to rdflib's own store costs. Looking for a pattern goes through everything.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rdflib import Graph
from rdflib.store import Store

__all__ = ["Heap", "heap_graph"]


def heap_graph() -> Graph:
    """An empty graph on a heap of its own."""
    return Graph(store=Heap(), bind_namespaces="none")


class Heap(Store):
    """What was said, each statement once."""

    def __init__(self, configuration: str | None = None, identifier: Any = None) -> None:
        super().__init__(configuration)
        self._said: dict[Any, None] = {}
        self._prefixes: dict[str, Any] = {}

    def add(self, triple: Any, context: Any, quoted: bool = False) -> None:
        self._said[triple] = None

    def remove(self, triple: Any, context: Any = None) -> None:
        for said in [one for one, _ in self.triples(triple)]:
            del self._said[said]

    def triples(self, triple_pattern: Any, context: Any = None) -> Iterator[tuple[Any, Iterator[Any]]]:
        wanted = [(place, term) for place, term in enumerate(triple_pattern) if term is not None]
        if len(wanted) == len(triple_pattern):
            found = [triple_pattern] if triple_pattern in self._said else []
        else:
            found = [one for one in self._said if all(one[place] == term for place, term in wanted)]
        return ((one, iter(())) for one in found)

    def __len__(self, context: Any = None) -> int:
        return len(self._said)

    # -- prefixes, which serializers ask for

    def bind(self, prefix: str, namespace: Any, override: bool = True) -> None:
        if override or prefix not in self._prefixes:
            self._prefixes[prefix] = namespace

    def namespace(self, prefix: str) -> Any:
        return self._prefixes.get(prefix)

    def prefix(self, namespace: Any) -> str | None:
        return next((prefix for prefix, bound in self._prefixes.items() if bound == namespace), None)

    def namespaces(self) -> Iterator[tuple[str, Any]]:
        yield from self._prefixes.items()
