"""The nodes of a unit read straight from its canonical text are those that Oxigraph's parser leads to; what it refuses is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from narraworld.kb import quads as rdf
from narraworld.kb.delta import Delta
from narraworld.kb.errors import BadQuads
from narraworld.kb.rows import canonical_nodes
from narraworld.kb.rows.bindings import NodeFacts, nodes_of
from narraworld.kb.rows.canonical_nodes import nodes_in
from narraworld.kb.units import Unit
from narraworld.world import World

STORIES = Path(__file__).parents[3] / "src/narraworld/stories"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
GRAPH = "<urn:nw:graph/ch01>"


@pytest.fixture
def no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever goes to Oxigraph's parser fails."""

    def refuse(text: str) -> None:
        raise AssertionError(f"parsed: {text}")

    monkeypatch.setattr(canonical_nodes.rdf, "parse", refuse)


def canonical(*statements: str) -> str:
    return "".join(sorted(f"{one} {GRAPH} .\n" for one in statements))


def test_a_record_with_its_links_numbers_and_words(no_parser: None) -> None:
    said = canonical(
        f"<urn:nw:ch01/go> {TYPE} <https://w3id.org/narraworld/Event>",
        "<urn:nw:ch01/go> <https://w3id.org/narraworld/agent> <urn:nw:leo>",
        "<urn:nw:ch01/go> <https://w3id.org/narraworld/agent> <urn:nw:mara>",
        "<urn:nw:ch01/go> <https://w3id.org/narraworld/realis> <https://w3id.org/narraworld/code/actual>",
        "<urn:nw:ch01/go> <https://w3id.org/narraworld/predicate> <urn:nw:predicate/hums>",
        '<urn:nw:ch01/go> <https://w3id.org/narraworld/start> "12"^^<http://www.w3.org/2001/XMLSchema#integer>',
        '<urn:nw:ch01/go> <https://w3id.org/narraworld/value> "12"^^<http://www.w3.org/2001/XMLSchema#integer>',
        '<urn:nw:ch01/go> <https://w3id.org/narraworld/flashback> "true"^^<http://www.w3.org/2001/XMLSchema#boolean>',
        '<urn:nw:ch01/go> <https://w3id.org/narraworld/sha256> ""',
    )

    assert nodes_in(said) == {
        "ch01/go": NodeFacts(
            "ch01/go",
            "Event",
            {
                "agent": ["leo", "mara"],
                "flashback": ["true"],
                "predicate": ["hums"],
                "realis": ["actual"],
                "sha256": [""],
                "start": [12],
                "value": ["12"],
            },
            ["leo", "mara"],
        )
    }


@pytest.mark.parametrize(
    "text",
    [
        "“No,” said Leo. \"Not – today.\"\n\n\tHe left\\went.\r\nÉté 日本 \U0001f98a",
        "a bell \x07, a form feed \x0c, a back space \x08, nothing \x00, a delete \x7f, a next line \x85 and \u2028",
        "\\u0041 \\n \\' ^^<x> > . <urn:nw:graph/ch01> .",
        "",
    ],
)  # fmt: skip
def test_a_text_comes_back_letter_by_letter(text: str, no_parser: None) -> None:
    made = Delta(Unit("ch01", 1, text))

    assert nodes_in(rdf.canonical(made.graph, "ch01"))["ch01"].values["text"] == [text]


@pytest.mark.parametrize(
    "statement",
    [
        '<urn:nw:leo> <https://w3id.org/narraworld/name> "Löwe"@de',
        "<urn:nw:leo> <https://w3id.org/narraworld/source> <https://example.org/a%20b>",
        '<https://example.org/leo> <https://w3id.org/narraworld/name> "Leo"',
        '<urn:nw:predicate/hums> <https://w3id.org/narraworld/name> "hums"',
    ],
)
def test_what_is_not_ours_is_read_by_the_parser(statement: str) -> None:
    said = canonical('<urn:nw:leo> <https://w3id.org/narraworld/name> "Leo"', statement)

    assert nodes_in(said) == nodes_of(rdf.parse(said))


@pytest.mark.parametrize(
    "line",
    [
        '<urn:nw:le o> <https://w3id.org/narraworld/name> "Leo" <urn:nw:graph/ch01> .',
        '<urn:nw:leo> <https://w3id.org/narraworld/name> "Le"o" <urn:nw:graph/ch01> .',
        '<urn:nw:leo> <https://w3id.org/narraworld/name> "Le\\xo" <urn:nw:graph/ch01> .',
        '<urn:nw:leo> <https://w3id.org/narraworld/name> "Leo" <urn:nw:graph/ch01>',
        "<urn:nw:leo> <https://w3id.org/narraworld/name",
        '<urn:nw:leo> <https://w3id.org/narraworld/age> "1"^^<integer> <urn:nw:graph/ch01> .',
    ],
)
def test_one_broken_line_among_good_ones_is_never_passed_over(line: str) -> None:
    good = canonical('<urn:nw:leo> <https://w3id.org/narraworld/name> "Leo"')

    with pytest.raises(BadQuads):
        nodes_in(f"{good}{line}\n{good}")


@pytest.mark.parametrize("story", ["key", "crossing"])
def test_the_units_of_bundled_stories(story: str, tmp_path: Path) -> None:
    with World.open(tmp_path, create=True) as world:
        world.read(*sorted((STORIES / story).glob("*.toml")))
        store = world.store
        for entry in store.snapshot().entries:
            assert nodes_in(store.body(entry)) == nodes_of(store.quads(entry))
