"""The nodes of a unit, straight from its canonical text: one pass of one pattern, with no object of RDF in between.

The pattern takes only what `quads.canonical` writes of our own names. A text with any other line (a foreign name, a language,
a line that is broken) goes to Oxigraph's parser whole, which reads it or says what is wrong: nothing is passed over, and
`nodes_of` stays the one that says what a node is. Touches no disk.
"""

from __future__ import annotations

import json
import re

from narraworld.kb import quads as rdf
from narraworld.kb.rows.bindings import INTEGER, NodeFacts, nodes_of, whole_number
from narraworld.ontology.vocabulary import DATA, NW, NWC, PREDICATE

__all__ = ["nodes_in"]

_NAME = r"[^\x00-\x20<>\"{}|^`\\%\x7f-\x9f]*"  # of letters that need no look at what an IRI may hold
_WORDS = r'[^\x00-\x1f"\\\x7f]*'
_ESCAPED = r'\\(?:[bfnrt"\\]|u00[01][0-9A-F]|u007F)'  # those that Oxigraph writes; JSON knows them all
_LINE = re.compile(
    rf"^<{DATA}({_NAME})> "
    rf"<(?:{re.escape(NW)}([A-Za-z0-9]+)|http://www\.w3\.org/1999/02/22-rdf-syntax-ns#type)> "
    rf"(?:<({PREDICATE}|{DATA}|{re.escape(NWC)}|{re.escape(NW)})({_NAME})>"
    rf'|"({_WORDS}(?:{_ESCAPED}{_WORDS})*)"(?:\^\^<({_NAME}:{_NAME})>)?) '
    rf"<{re.escape(rdf.GRAPH)}{_NAME}> \.$",
    re.MULTILINE,
)


def nodes_in(text: str) -> dict[str, NodeFacts]:
    """`nodes_of` the statements of a canonical text; `BadQuads` if it is none."""
    lines = _LINE.findall(text)
    if len(lines) != text.count("\n"):
        return nodes_of(rdf.parse(text))
    found: dict[str, NodeFacts] = {}
    known, node = None, NodeFacts("", "", {}, [])
    values = node.values
    for subject, name, space, value, words, datatype in lines:
        if subject != known:
            known, node = subject, _node(found, subject)
            values = node.values
        if not name:
            node.kind = value
            continue
        if space == DATA:
            node.links.append(value)
        elif not space:
            value = _literal(words, datatype, name)
        if name in values:
            values[name].append(value)
        else:
            values[name] = [value]
    return found


def _literal(words: str, datatype: str, name: str) -> str | int:
    value = json.loads(f'"{words}"') if "\\" in words else words
    return whole_number(value) if datatype == INTEGER and name != "value" else value


def _node(found: dict[str, NodeFacts], subject: str) -> NodeFacts:
    name = subject.removeprefix(PREDICATE.removeprefix(DATA))
    if name not in found:
        found[name] = NodeFacts(name, "Record", {}, [])
    return found[name]
