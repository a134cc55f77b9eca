"""The vocabulary as values: classes, properties, codes and dimensions, read from the Turtle files on first use.

What a class takes, required or not, once or often, is read from its shape, so that it is said in one place only.
Nothing here imports rdflib before `vocabulary()` is called; names and symbols are plain strings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cache
from typing import Literal, TypeAlias, TypeVar

from narraworld.base.quick_dataclass import dataclass
from narraworld.ontology.errors import OntologyError

__all__ = [
    "DATA",
    "NW",
    "NWC",
    "PREDICATE",
    "ClassTerm",
    "Dimension",
    "PropertyTerm",
    "TermKind",
    "Vocabulary",
    "compact",
    "expand",
    "vocabulary",
]  # fmt: skip

NW = "https://w3id.org/narraworld/"
NWC = "https://w3id.org/narraworld/code/"
DATA = "urn:nw:"
PREDICATE = DATA + "predicate/"

# `literal` is any number, word or truth value; `mixed` differs by class, so ask the class.
TermKind: TypeAlias = Literal["node", "code", "text", "integer", "boolean", "iri", "literal", "mixed"]

T = TypeVar("T")

_NOT_IN_AN_IRI = re.compile(r'[\s<>"{}|\\^`]')


def compact(iri: str) -> str:
    """The symbol of an IRI: `urn:nw:leo` is `leo`, a code or predicate its last part; foreign IRIs stay whole."""
    for space in (PREDICATE, DATA, NWC, NW):  # the longer of two nested spaces first
        if iri.startswith(space):
            return iri[len(space) :]
    return iri


def expand(symbol: str, kind: TermKind = "node") -> str:
    """The IRI of a symbol that stands where values of ``kind`` stand; see `PropertyTerm.kind`."""
    if _NOT_IN_AN_IRI.search(symbol) or not symbol:
        raise OntologyError(
            f"{symbol!r} cannot be an id", fix="leave out spaces, quotes, brackets, | ^ ` and \\"
        )
    if kind == "code":
        return NWC + symbol
    if kind == "iri":
        return (NWC if symbol in vocabulary().dimensions else PREDICATE) + symbol
    return DATA + symbol


@dataclass(frozen=True, slots=True)
class PropertyTerm:
    """A property; within a `ClassTerm` as that class takes it, in `Vocabulary.properties` as it is in general.

    In general a property is `many` if some class takes it often, and `required` only if every class demands it.
    """

    name: str
    label: str
    definition: str
    kind: TermKind
    ranges: tuple[str, ...] = ()
    many: bool = False
    required: bool = False


@dataclass(frozen=True, slots=True)
class ClassTerm:
    """A class, its direct parents, all its ancestors, and the properties its shape allows by name."""

    name: str
    label: str
    definition: str
    parents: tuple[str, ...] = ()
    ancestors: frozenset[str] = frozenset()
    properties: Mapping[str, PropertyTerm] = field(default_factory=dict)

    def property(self, name: str) -> PropertyTerm:
        """The property as this class takes it."""
        return _lookup(self.properties, name, f"property of {self.name}")

    def is_a(self, name: str) -> bool:
        return name == self.name or name in self.ancestors


@dataclass(frozen=True, slots=True)
class Dimension:
    """A respect in which things can be thus or otherwise; `functional` when one value at a time."""

    name: str
    functional: bool
    phrase: str


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All we have words for. `codes` lists the members of each code class by name."""

    classes: Mapping[str, ClassTerm]
    properties: Mapping[str, PropertyTerm]
    codes: Mapping[str, tuple[str, ...]]
    dimensions: Mapping[str, Dimension]

    def cls(self, name: str) -> ClassTerm:
        return _lookup(self.classes, name, "class")

    def property(self, name: str) -> PropertyTerm:
        return _lookup(self.properties, name, "property")

    def dimension(self, name: str) -> Dimension:
        return _lookup(self.dimensions, name, "dimension")

    def code(self, code_class: str, name: str) -> str:
        """``name`` itself, if it is a code of ``code_class``."""
        members = _lookup(self.codes, code_class, "code list")
        return _lookup({member: member for member in members}, name, code_class)


@cache
def vocabulary() -> Vocabulary:
    """The vocabulary, read from the Turtle files once, and again only when they have changed."""
    from narraworld.base.compiled import compiled, digest
    from narraworld.ontology.files import MODULES, ROOM, SHAPES, TABLES

    key = digest((), [*MODULES, *SHAPES, *TABLES, *sorted(ROOM.glob("*.py"))])
    return compiled("vocabulary", key, _read, (Vocabulary, ClassTerm, PropertyTerm, Dimension))


def _read() -> Vocabulary:
    from narraworld.ontology.load import read_vocabulary

    return read_vocabulary()


def _lookup(known: Mapping[str, T], name: str, what: str) -> T:
    if name in known:
        return known[name]
    raise OntologyError(f"there is no {what} {name!r}", fix=_did_you_mean(name, known))


def _did_you_mean(name: str, known: Iterable[str]) -> str:
    from rapidfuzz import fuzz, process, utils

    names = list(known)
    close = process.extract(
        name, names, scorer=fuzz.ratio, processor=utils.default_process, score_cutoff=60, limit=3
    )
    if close:
        return f"did you mean {' or '.join(match for match, *_ in close)}?"
    return f"known are: {', '.join(sorted(names))}"
