"""One unit's delta in, refusals out. The only door to pyshacl.

Refuse, never repair: a refusal is data for the author. `validate` lists what breaks a shape; `sift` parts the delta
into what can be committed and what cannot, taking no good neighbour along. A delta describes its nodes whole; nodes
committed before are only named, and `known` says what they are. Touches neither disk nor store; changes no graph it is
given.

Two engines give the same answer: `fast` (our own reading of the shapes) and `pyshacl` (the reference).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from narraworld.base.quick_dataclass import dataclass
from narraworld.ontology.vocabulary import compact

if TYPE_CHECKING:
    from rdflib import Graph
    from rdflib.term import Node

    from narraworld.ontology.fast import Break
    from narraworld.ontology.nodes import Nodes

__all__ = ["REFERS_TO_REFUSED", "Engine", "Refusal", "reasons", "sift", "validate"]

Engine = Literal["fast", "pyshacl"]
REFERS_TO_REFUSED = "refers-to-refused"
PARTS = frozenset({"Span", "Proposition"})  # what exists only for the records that use it


@dataclass(frozen=True, slots=True, order=True)
class Refusal:
    """Why one record is not committed.

    ``shape`` is the name of the reason, such as `EventShape-realis`; ``value`` is what breaks it, if anything does: the
    offending value, or for a `…-closed` reason the property that the record may not have.
    """

    record: str
    shape: str
    message: str
    value: str | None = None


def validate(
    graph: Graph, known: Mapping[str, str] | None = None, *, engine: Engine = "fast"
) -> list[Refusal]:
    """Everything in a delta that breaks a shape, in order of record and reason.

    ``known`` gives the class of each committed node that the delta names, by symbol: `{"leo": "Character"}`.
    """
    from narraworld.ontology.nodes import Nodes

    return _refusals(Nodes.of(graph, known or {}), engine)


def sift(
    graph: Graph, known: Mapping[str, str] | None = None, *, engine: Engine = "fast"
) -> tuple[Graph, list[Refusal]]:
    """The part of a delta that can be committed, and why the rest cannot.

    A record that refers to a refused one is refused too. Spans and propositions that only refused records used are left
    out without a refusal of their own. When nothing is refused the very graph comes back.
    """
    from rdflib import Graph as NewGraph

    from narraworld.ontology.nodes import Nodes, address, symbol

    nodes = Nodes.of(graph, known or {})
    refusals = _refusals(nodes, engine)
    if not refusals:
        return graph, []
    refused = {refusal.record for refusal in refusals}
    links = _links(nodes)
    dragged = _dragged_along(links, refused)
    for record, culprit in dragged.items():
        refusals.append(Refusal(record, REFERS_TO_REFUSED, f"refers to a refused record: {culprit}", culprit))
    gone = _with_orphans(_parts(nodes), links, refused | dragged.keys())
    accepted = NewGraph()
    for statement in graph:
        if symbol(address(statement[0])) not in gone:
            accepted.add(statement)
    return accepted, sorted(refusals, key=_order)


@cache
def reasons() -> Mapping[str, str]:
    """Every named reason for a refusal with its message."""
    from rdflib import SH

    from narraworld.ontology.files import shapes_graph

    return {
        _reason(shape): str(message) for shape, message in sorted(shapes_graph().subject_objects(SH.message))
    }


def _refusals(nodes: Nodes, engine: Engine) -> list[Refusal]:
    if engine == "fast":
        from narraworld.ontology.fast import check

        breaks = check(nodes)
    else:
        breaks = _check_with_pyshacl(nodes)
    return sorted({_refusal(one) for one in breaks}, key=_order)


def _refusal(broken: Break) -> Refusal:
    from narraworld.ontology.nodes import symbol

    reason = _reason(broken.shape)
    if broken.path is not None:
        value: str | None = symbol(broken.path)
    else:
        value = None if broken.value in (None, broken.focus) else symbol(broken.value)
    return Refusal(symbol(broken.focus), reason, reasons()[reason], value)


def _reason(shape: Node) -> str:
    """The name of a shape as a reason. A shape without a dash is a whole class, and is broken only by being closed."""
    name = compact(str(shape))
    return name if "-" in name else f"{name}-closed"


def _order(refusal: Refusal) -> tuple[str, str, bool, str]:
    """Nothing before an empty text: the two are different refusals of one record."""
    return refusal.record, refusal.shape, refusal.value is not None, refusal.value or ""


# -- sifting, on symbols


def _links(nodes: Nodes) -> dict[str, frozenset[str]]:
    """For each node of the delta the others of the delta that it names."""
    from narraworld.ontology.nodes import symbol

    return {
        symbol(node): frozenset(
            symbol(value)
            for values in said.values()
            for value in values
            if value in nodes.about and value != node
        )
        for node, said in nodes.about.items()
    }


def _parts(nodes: Nodes) -> set[str]:
    from narraworld.ontology.nodes import symbol

    return {symbol(node) for node in nodes.about if PARTS & {symbol(one) for one in nodes.classes(node)}}


def _dragged_along(links: Mapping[str, frozenset[str]], refused: Iterable[str]) -> dict[str, str]:
    """Records that name a refused one, or one that is dragged along itself, each with the one it names."""
    bad, dragged = set(refused), dict[str, str]()
    while fresh := {one: min(named & bad) for one, named in links.items() if one not in bad and named & bad}:
        dragged |= fresh
        bad |= fresh.keys()
    return dragged


def _with_orphans(parts: set[str], links: Mapping[str, frozenset[str]], gone: set[str]) -> set[str]:
    """What is gone, and the parts that nobody uses any more."""
    users: dict[str, set[str]] = {}
    for one, named in links.items():
        for part in named & parts:
            users.setdefault(part, set()).add(one)
    while orphans := {part for part, by in users.items() if part not in gone and by <= gone}:
        gone = gone | orphans
    return gone


# -- the reference engine
#
# pyshacl 0.40.1 filters *nested* checks too when given focus nodes alone: a sh:or over a value outside the delta would
# silently hold. Given shapes by name as well, it silently skips named property shapes that are not listed. So the shapes
# are harvested once, whole, and each is handed the nodes that answer to it.


def _check_with_pyshacl(nodes: Nodes) -> Iterator[Break]:
    from pyshacl.graph_abstraction import DataGraph
    from pyshacl.pytypes import SHACLExecutor

    data = DataGraph.from_rdflib(_with_context(nodes))
    answering: dict[Node, list[Node]] = {}
    for node in nodes.about:
        for shape in nodes.shapes(node):
            answering.setdefault(shape, []).append(node)
    for name, focus in answering.items():
        _, results = _harvested().lookup_shape_from_node(name).validate(SHACLExecutor(), data, focus=focus)
        yield from (_break(statements) for _, _, statements in results)


def _break(statements: Iterable[tuple[Node, Node, Any]]) -> Break:
    """One validation result; pyshacl pairs nodes with the graph they come from."""
    from rdflib import SH

    from narraworld.ontology.fast import Break

    said = {p: o[1] if isinstance(o, tuple) else o for _, p, o in statements}
    closed = said[SH.sourceConstraintComponent] == SH.ClosedConstraintComponent
    path = said[SH.resultPath] if closed else None
    return Break(said[SH.focusNode], said[SH.sourceShape], said.get(SH.value), path)


@cache
def _harvested() -> Any:
    from pyshacl.shapes_graph import ShapesGraph

    from narraworld.ontology.files import SHAPES, parsed

    shapes = ShapesGraph(parsed(SHAPES))  # a copy of its own: pyshacl adds statements to it
    assert shapes.shapes, "no shapes"  # reading this property harvests all of them
    return shapes


def _with_context(nodes: Nodes) -> Graph:
    """The delta, the classes of what it names, and which class is under which."""
    from rdflib import RDF, RDFS, Graph

    from narraworld.ontology.nodes import ancestry

    graph = Graph(bind_namespaces="none")
    for node, said in nodes.about.items():
        for predicate, values in said.items():
            for value in values:
                graph.add((node, predicate, value))
                if predicate != RDF.type and value not in nodes.about:
                    for one in nodes.classes(value):
                        graph.add((value, RDF.type, one))
    for one, line in ancestry().items():
        for up in line - {one}:
            graph.add((one, RDFS.subClassOf, up))
    return graph
