"""What one unit adds, built record by record and kept as RDF.

Callers name classes, properties and codes of the ontology; identifiers and offsets are ours. There is one way in,
`Delta.add`, for every class, driven by the vocabulary, so that a new record type needs no code here. A record whose
quote is not in the text is refused here; everything else is left to SHACL. Touches no disk and no engine.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from narraworld.kb.english import wordset
from narraworld.kb.propositions import Statement, parse_statement
from narraworld.kb.spans import NotLocated, TextRange, locate
from narraworld.kb.units import Unit
from narraworld.kb.withdrawing import unspoken_of, with_dependents
from narraworld.ontology.validate import Refusal
from narraworld.ontology.vocabulary import (
    DATA,
    NW,
    NWC,
    PREDICATE,
    ClassTerm,
    PropertyTerm,
    compact,
    vocabulary,
)

if TYPE_CHECKING:
    from rdflib import Graph, URIRef
    from rdflib.term import Node

__all__ = ["Delta", "is_described", "lasts", "references", "slug"]

TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
LASTING = frozenset({"Entity", "Development"})
DENIALS = {"State": ("truth", "false"), "Attitude": ("attitude", "disbelieves")}
UNSAID = {"realis": "actual", "truth": "asserted", "manner": "asserts", "uncertainty": "medium"}


def lasts(term: ClassTerm) -> bool:
    """Whether things of this class outlive their unit and so have names of their own."""
    return term.name in LASTING or bool(LASTING & term.ancestors)


def slug(name: str) -> str:
    """A name as an identifier, in its own letters: `slug("The Hollow Book") == "hollow-book"`."""
    letters = (sign for sign in unicodedata.normalize("NFKD", name) if not unicodedata.combining(sign))
    words = re.findall(r"[^\W_]+", "".join(letters).lower())
    kept = words[1:] if len(words) > 1 and words[0] in wordset("text.articles") else words
    return "-".join(kept) or "x" + sha256(name.encode()).hexdigest()[:12]


class Delta:
    """The records of one unit version. `refusals` holds those whose quotes could not be found."""

    def __init__(self, unit: Unit) -> None:
        from narraworld.kb.delta_store import heap_graph

        self.unit = unit
        self.graph: Graph = heap_graph()
        self.refusals: list[Refusal] = []
        self._described: set[str] = set()  # spans and propositions, which many records share
        self._locals: set[str] = set()
        self._counts: dict[str, int] = {}
        self._describe_unit()

    def add(self, kind: str, local: str | None = None, /, *, quote: Any = None, **fields: Any) -> str:
        """Add one record of class ``kind`` and return its id.

        ``quote`` is the supporting text, a ``Range``, or a list of them; ``fields`` are ontology properties.
        References may use the local id of a record of this unit, an entity id, a full record id, or, for
        propositions, the notation of `kb.propositions`.
        """
        term = vocabulary().cls(kind)
        node = self._mint(term, local, fields)
        ranges = self._located(node, quote)
        if ranges is None:
            return node
        self._put(node, "type", self._iri(NW + term.name))
        for name, value in (_defaults(term) | fields).items():
            for one in _several(value):
                self._put(node, name, self._object(term.property(name), one))
        for where in ranges:
            self._put(node, "evidence", self._iri(DATA + self._span(where)))
        self._say_what_is_denied(term.name, fields)
        return node

    def _say_what_is_denied(self, kind: str, fields: dict[str, Any]) -> None:
        """Whoever denies a proposition holds its opposite, which needs a node of its own to be spoken of."""
        name, code = DENIALS.get(kind, ("", ""))
        denied = fields.get("proposition") if fields.get(name) == code else None
        if denied is not None:
            said = denied if isinstance(denied, Statement) else parse_statement(str(denied))
            self.proposition(said.negated())

    def withdraw(self, records: Iterable[str]) -> set[str]:
        """Take records back, with those that cannot stand without them; all that are gone. What nobody says or quotes any more goes too."""
        said = list(self.graph)
        gone = with_dependents(said, {_iri(DATA + one) for one in records})
        kept = [triple for triple in said if triple[0] not in gone and triple[2] not in gone]
        lost = unspoken_of(kept)
        for triple in said:
            if triple[0] in gone or triple[2] in gone or triple[0] in lost:
                self.graph.remove(triple)
        self._described -= {compact(str(one)) for one in lost}
        return {compact(str(one)) for one in gone}

    def omit(self, record: str, name: str) -> None:
        """Take one property of a record back."""
        self.graph.remove((_iri(DATA + record), _iri(NW + name), None))

    def proposition(self, statement: Statement | str) -> str:
        """The shared node of a proposition; saying it twice is harmless."""
        said = parse_statement(statement) if isinstance(statement, str) else statement
        node = said.id
        if self._is_described(node):
            return node
        dimension = vocabulary().dimensions.get(said.predicate)
        self._put(node, "type", self._iri(NW + "Proposition"))
        self._put(node, "subject", self._iri(DATA + said.subject))
        self._put(node, "predicate", self._iri(_predicate(said.predicate, dimension is not None)))
        if said.value is not None:
            self._put(node, "value", self._literal(said.value))
        elif said.object is not None:
            nested = "." in said.object or ":" in said.object
            self._put(
                node, "object", self._iri(DATA + (self.proposition(said.object) if nested else said.object))
            )
        self._put(node, "polarity", self._iri(NWC + ("negative" if said.negative else "positive")))
        self._put(node, "slot", self._literal(said.slot(dimension is not None and dimension.functional)))
        self._put(node, "matter", self._literal(said.matter))
        return node

    def reserve(self, locals_: Iterable[str]) -> None:
        """Announce local ids that will be added, so that earlier records may refer to them."""
        self._locals.update(locals_)

    # -- identifiers

    def _mint(self, term: ClassTerm, local: str | None, fields: dict[str, Any]) -> str:
        if lasts(term):
            called = next(iter(_several(fields.get("name", fields.get("title", term.name)))))
            return local or slug(str(called))
        unnamed = local is None
        while local is None or (unnamed and local in self._locals):
            self._counts[term.name] = self._counts.get(term.name, 0) + 1
            local = f"{term.name.lower()}-{self._counts[term.name]}"
        self._locals.add(local)
        return f"{self.unit.id}/{local}"

    def _reference(self, text: str) -> str:
        return f"{self.unit.id}/{text}" if text in self._locals else text

    # -- values

    def _object(self, prop: PropertyTerm, value: Any) -> Node:
        if prop.kind == "code":
            return self._iri(NWC + str(value))
        if prop.kind == "node":
            return self._iri(DATA + self._node(prop.ranges, value))
        if prop.kind == "iri":
            return self._iri(_predicate(str(value), str(value) in vocabulary().dimensions))
        return self._literal(value)

    def _node(self, ranges: Iterable[str], value: Any) -> str:
        if isinstance(value, Statement):
            return self.proposition(value)
        text = str(value)
        notation = "Proposition" in ranges and ("." in text or ":" in text) and "/" not in text.split(".")[0]
        return self.proposition(text) if notation else self._reference(text)

    def _located(self, node: str, quote: Any) -> list[TextRange] | None:
        """Where the quotes stand; None when one of them cannot be found, and the record is refused with it."""
        places = [
            one if isinstance(one, TextRange) else locate(self.unit.text, str(one)) for one in _several(quote)
        ]
        lost = [place for place in places if isinstance(place, NotLocated)]
        self.refusals += [Refusal(node, "Span-quote", place.why, place.quote) for place in lost]
        return None if lost else [place for place in places if isinstance(place, TextRange)]

    def _span(self, where: TextRange) -> str:
        node = f"{self.unit.id}/@{where.start}-{where.end}"
        if self._is_described(node):
            return node
        self._put(node, "type", self._iri(NW + "Span"))
        self._put(node, "unit", self._iri(DATA + self.unit.id))
        self._put(node, "start", self._literal(where.start))
        self._put(node, "end", self._literal(where.end))
        self._put(node, "quote", self._literal(where.cut(self.unit.text)))
        return node

    def told_by(self, teller: str) -> None:
        """Say who of the story tells the unit, unless its heading or front matter said so."""
        if self.unit.teller is None:
            self._put(self.unit.id, "teller", self._iri(DATA + teller))

    # -- triples

    def _describe_unit(self) -> None:
        unit, node = self.unit, self.unit.id
        self._put(node, "type", self._iri(NW + "SourceUnit"))
        plain = {"text": unit.text, "order": unit.order, "title": unit.title, "source": unit.source, "sourceMap": unit.source_map,
                 "branch": unit.branch, "sha256": unit.sha256, "timeAnchor": unit.time_anchor}  # fmt: skip
        for name, value in plain.items():
            if value is not None:
                self._put(node, name, self._literal(value))
        self._put(node, "authority", self._iri(NWC + unit.authority))
        linked = {"participant": unit.participants, "teller": unit.teller, "focalizer": unit.focalizer}
        for name, ids in linked.items():
            for one in _several(ids):
                self._put(node, name, self._iri(DATA + one))

    def _is_described(self, node: str) -> bool:
        """Whether it has been; from now on it has."""
        known = node in self._described
        self._described.add(node)
        return known

    def _put(self, node: str, name: str, value: Node) -> None:
        self.graph.add((_iri(DATA + node), _iri(TYPE if name == "type" else NW + name), value))

    @staticmethod
    def _iri(text: str) -> URIRef:
        return _iri(text)

    @staticmethod
    def _literal(value: Any) -> Node:
        return _literal(value, type(value).__name__)


@lru_cache(maxsize=1 << 16)
def _iri(text: str) -> URIRef:
    from rdflib import URIRef

    return URIRef(text)


@lru_cache(maxsize=1 << 12)
def _literal(value: Any, kind: str) -> Node:
    """The kind is there for the cache: to it 1 and True are one."""
    from rdflib import Literal

    return Literal(value)


def references(graph: Graph) -> set[str]:
    """Every story node the graph names as a value, described in it or not."""
    from rdflib import URIRef

    named = {str(value) for value in graph.objects() if isinstance(value, URIRef)}
    return {compact(iri) for iri in named if iri.startswith(DATA) and not iri.startswith(PREDICATE)}


def is_described(graph: Graph, unit: str) -> bool:
    """Whether the graph says that there is this unit at all."""
    from rdflib import RDF, URIRef

    return (URIRef(DATA + unit), RDF.type, URIRef(NW + "SourceUnit")) in graph


def _defaults(term: ClassTerm) -> dict[str, Any]:
    """What goes without saying, for the properties this class must have."""
    return {
        name: value
        for name, value in UNSAID.items()
        if name in term.properties and term.properties[name].required
    }


def _several(value: Any) -> Iterable[Any]:
    if value is None:
        return ()
    return value if isinstance(value, (list, tuple, set, frozenset)) else (value,)


def _predicate(name: str, known: bool) -> str:
    return NWC + name if known else PREDICATE + name
