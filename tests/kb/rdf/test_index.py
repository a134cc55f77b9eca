"""SPARQL, export and import: in step with the journal, read-only, offline, and free to be deleted."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st

from narraworld.kb.errors import BadQuads, QueryRefused, UnknownRdfFormat
from narraworld.kb.journal.store import Store
from narraworld.kb.rdf.exchange import RefusedStatement, export, read_export
from narraworld.kb.rdf.sparql import Index, IndexOptions

MEMORY, DISK = IndexOptions(), IndexOptions(disk_from=0, batch=2)
RDFLIB_WARNS_ABOUT_ITSELF = pytest.mark.filterwarnings(
    "ignore:.*is deprecated, use Dataset:DeprecationWarning"
)
NAMES = "SELECT ?name { ?who nw:name ?name } ORDER BY ?name"


def says(*names: str) -> str:
    return "".join(f'<urn:nw:{name}> <https://w3id.org/narraworld/name> "{name}" .\n' for name in names)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store.create(tmp_path)
    store.commit("ch01", says("leo"))
    store.commit("ch02", says("mara", "leo"))
    store.commit("ch03", says("ada"))
    return store


def names(index: Index, revision: int | None = None, store: Store | None = None) -> list[str]:
    snapshot = store.snapshot(revision) if store else None
    return [str(name) for (name,) in index.sparql(NAMES, snapshot).rows]


@pytest.mark.parametrize("options", [MEMORY, DISK], ids=["memory", "disk"])
class TestInStep:
    def test_it_follows_commits_and_retractions(self, store: Store, options: IndexOptions) -> None:
        with Index(store, options=options) as index:
            assert names(index) == ["ada", "leo", "mara"], "said twice, shown once"
            store.commit("ch02", says("tom"))
            store.retract("ch03")
            assert names(index) == ["leo", "tom"]

    def test_it_goes_back_and_forth_between_revisions(self, store: Store, options: IndexOptions) -> None:
        with Index(store, options=options) as index:
            assert names(index, 3, store) == ["ada", "leo", "mara"]
            assert names(index, 1, store) == ["leo"]
            assert names(index, 0, store) == []
            assert names(index, 2, store) == ["leo", "mara"]

    def test_a_branch_has_its_own(self, store: Store, options: IndexOptions) -> None:
        store.new_branch("if", revision=1)
        store.commit("ch01", says("eve"), branch="if")
        with Index(store, "if", options) as branch, Index(store, options=options) as main:
            assert (names(branch), names(main)) == (["eve"], ["ada", "leo", "mara"])


def forget_the_stamp(cache: Path) -> None:
    (cache / "rdf" / "stamp.json").unlink()


def garble_the_stamp(cache: Path) -> None:
    (cache / "rdf" / "stamp.json").write_text('[["main", "x"')


def forge_the_stamp(cache: Path) -> None:
    stamp = json.loads((cache / "rdf" / "stamp.json").read_text())
    (cache / "rdf" / "stamp.json").write_text(json.dumps([[*stamp[0][:2], "0" * 64]]))


def break_the_database(cache: Path) -> None:
    for path in (cache / "rdf" / "oxigraph").glob("MANIFEST-*"):
        path.write_bytes(b"not a manifest")


def delete_the_database(cache: Path) -> None:
    shutil.rmtree(cache / "rdf" / "oxigraph")


def delete_everything(cache: Path) -> None:
    shutil.rmtree(cache)


@pytest.mark.parametrize(
    "harm",
    [
        forget_the_stamp,
        garble_the_stamp,
        forge_the_stamp,
        break_the_database,
        delete_the_database,
        delete_everything,
    ],
)
def test_a_harmed_cache_is_built_anew(store: Store, harm: Callable[[Path], None]) -> None:
    with Index(store, options=DISK) as index:
        assert names(index) == ["ada", "leo", "mara"]
    harm(store.cache())
    store.commit("ch03", says("tom"))
    with Index(store, options=DISK) as index:
        assert names(index) == ["leo", "mara", "tom"]


def test_a_kept_cache_is_only_brought_up_to_date(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with Index(store, options=DISK) as index:
        names(index)
    store.commit("ch03", says("tom"))
    read: list[str] = []
    real = Store.body
    monkeypatch.setattr(Store, "body", lambda self, entry: read.append(entry.unit) or real(self, entry))
    with Index(store, options=DISK) as index:
        assert names(index) == ["leo", "mara", "tom"]
    assert read == ["ch03"]


def test_a_cache_left_half_updated_is_not_believed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with Index(store, options=DISK) as index:
        names(index)
        store.commit("ch03", says("tom"))
        with monkeypatch.context() as patch, pytest.raises(ZeroDivisionError):
            patch.setattr(Index, "_load", lambda *_: 1 / 0)
            names(index)
        assert names(index, 3, store) == ["ada", "leo", "mara"]
        assert names(index) == ["leo", "mara", "tom"]


def test_who_cannot_have_the_disk_uses_memory(store: Store) -> None:
    with Index(store, options=DISK) as first, Index(store, options=DISK) as second:
        assert names(first) == names(second) == ["ada", "leo", "mara"]
        store.retract("ch03")
        assert names(second) == names(first) == ["leo", "mara"]


# Questions


def test_the_four_kinds_of_question(store: Store) -> None:
    index = Index(store)
    leo, name = rdflib.URIRef("urn:nw:leo"), rdflib.URIRef("https://w3id.org/narraworld/name")
    assert index.sparql("ASK { story:leo ?p ?o }").truth is True
    assert index.sparql("ASK { story:eve ?p ?o }").truth is False
    select = index.sparql("SELECT ?g ?none { GRAPH ?g { story:ada nw:name 'ada' } }")
    assert (select.variables, select.rows) == (("g", "none"), ((rdflib.URIRef("urn:nw:graph/ch03"), None),))
    for query in ("CONSTRUCT { ?s ?p 1 } { ?s ?p 'leo' }", "DESCRIBE story:leo"):
        assert [row[:2] for row in index.sparql(query).rows] == [(leo, name)]
    assert index.sparql("SELECT (COUNT(*) AS ?n) { ?s ?p 'leo' }").rows == ((rdflib.Literal(1),),), (
        "said by two units"
    )
    assert index.sparql("SELECT ('secret service' AS ?x) {}").rows[0][0] == rdflib.Literal("secret service")


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("INSERT DATA { <urn:a> <urn:b> <urn:c> }", "INSERT would change the data"),
        ("PREFIX x: <urn:x#> # harmless\nDELETE WHERE { ?s ?p ?o }", "DELETE would change the data"),
        ("LOAD <file:///etc/passwd>", "LOAD would change the data"),
        ("DROP ALL", "DROP would change the data"),
        ("SELECT * { SERVICE <http://127.0.0.1:8/> { ?s ?p ?o } }", "SERVICE would ask another server"),
        ("SELECT * { { service silent ?x { ?s ?p ?o } } }", "SERVICE would ask another server"),
        ("PREFIX : <http://h/>\nSELECT * {SERVICE:x{?s ?p ?o}}", "SERVICE would ask another server"),
        ("SELECT * { FILTER(?a<?b)SERVICE?x#>\n{ ?s ?p ?o } }", "SERVICE"),
        (r'SELECT * { ?s ?p "\u0022" . SERVICE <http://h/> {} #" }', r"SERVICE together with \\u escapes"),
        (r"SELECT * { \u0053ERVICE <http://h/> {} }", "not a SPARQL query"),
        ("SELECT ?x {", "not a SPARQL query: error at 1:12"),
        ("who knows?", "not a SPARQL query"),
    ],
)
def test_a_question_can_neither_change_nor_reach_anything(store: Store, query: str, why: str) -> None:
    index = Index(store)
    with pytest.raises(QueryRefused, match=why):
        index.sparql(query)
    assert names(index) == ["ada", "leo", "mara"]


def test_from_reads_no_file(store: Store, tmp_path: Path) -> None:
    (tmp_path / "x.ttl").write_text("<urn:a> <urn:b> <urn:c> .")
    assert Index(store).sparql(f"SELECT * FROM <file://{tmp_path}/x.ttl> {{ ?s ?p ?o }}").rows == ()


@RDFLIB_WARNS_ABOUT_ITSELF
def test_the_same_as_an_rdflib_dataset(store: Store) -> None:
    dataset = Index(store).dataset()
    leo, name = rdflib.URIRef("urn:nw:leo"), rdflib.URIRef("https://w3id.org/narraworld/name")
    assert [str(value) for value in dataset.objects(leo, name)] == ["leo"]
    assert len(dataset.graph(rdflib.URIRef("urn:nw:graph/ch02"))) == 2


# Files


@pytest.mark.parametrize("suffix", ["trig", "nq"])
def test_an_export_comes_back_as_the_same_units(store: Store, tmp_path: Path, suffix: str) -> None:
    store.commit("ch00", says("zed"), order=0)
    export(store.snapshot(), tmp_path / f"story.{suffix}")
    back = read_export(tmp_path / f"story.{suffix}")
    assert back.units == tuple((entry.unit, store.body(entry)) for entry in store.snapshot().entries)
    assert back.refused == ()


@pytest.mark.filterwarnings(
    "ignore:Dataset.default_context is deprecated"
)  # rdflib's parsers use it themselves
@RDFLIB_WARNS_ABOUT_ITSELF
@pytest.mark.parametrize(
    ("suffix", "format"), [("ttl", "turtle"), ("jsonld", "json-ld"), ("trig", "trig"), ("nq", "nquads")]
)
def test_rdflib_reads_every_export(store: Store, tmp_path: Path, suffix: str, format: str) -> None:
    export(store.snapshot(), tmp_path / f"story.{suffix}")
    dataset = rdflib.Dataset(default_union=True)
    dataset.parse(tmp_path / f"story.{suffix}", format=format)
    assert sorted(str(name) for name in dataset.objects(unique=True)) == ["ada", "leo", "mara"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [".narraworld", f"story.{suffix}"]


def test_what_an_import_cannot_take_is_told_and_spares_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "story.trig"
    path.write_text(
        "<urn:a> <urn:b> <urn:free> .\n"
        "<urn:nw:graph/ch01> { <urn:a> <urn:b> <urn:c>, _:x . }\n"
        "<urn:nw:graph/..> { <urn:a> <urn:b> <urn:trick> . }\n"
        "<urn:other> { <urn:a> <urn:b> <urn:d> . }\n"
    )
    imported = read_export(path)
    assert imported.units == (("ch01", "<urn:a> <urn:b> <urn:c> <urn:nw:graph/ch01> .\n"),)
    assert [refused.why for refused in imported.refused] == [
        "it stands in no unit's graph",
        "it has a blank or quoted node",
        "<urn:nw:graph/..> is not the graph of a unit",
        "<urn:other> is not the graph of a unit",
    ]
    assert imported.refused[3] == RefusedStatement(
        "<urn:a> <urn:b> <urn:d> <urn:other>", "<urn:other> is not the graph of a unit"
    )


def test_formats_we_do_not_speak(store: Store, tmp_path: Path) -> None:
    with pytest.raises(UnknownRdfFormat, match="the format 'xml' is not among trig, nq, ttl, jsonld"):
        export(store.snapshot(), tmp_path / "story.xml")
    with pytest.raises(UnknownRdfFormat, match="the format 'ttl' is not among trig, nq"):
        read_export(tmp_path / "story.ttl")
    (tmp_path / "bad.nq").write_text("<urn:a> <urn:b> .\n")
    with pytest.raises(BadQuads, match=r"bad\.nq: .*line 1"):
        read_export(tmp_path / "bad.nq")


TEXTS = st.dictionaries(st.sampled_from(["a", "b", "c"]), st.text(st.characters(codec="utf-8"), max_size=20))


@settings(max_examples=20, deadline=None)
@given(TEXTS, TEXTS)
def test_an_updated_index_equals_a_new_one(tmp_path_factory: pytest.TempPathFactory, before: dict[str, str], after: dict[str, str]) -> None:  # fmt: skip
    store = Store.create(tmp_path_factory.mktemp("index"))
    updated = Index(store)
    for texts in (before, after):
        for unit in set(store.snapshot()) - set(texts):
            store.retract(unit)
        for unit, text in texts.items():
            graph = rdflib.Graph().add(
                (rdflib.URIRef("urn:nw:leo"), rdflib.URIRef("urn:p"), rdflib.Literal(text))
            )
            store.commit(unit, graph)
        everything = "SELECT ?g ?o { GRAPH ?g { ?s ?p ?o } } ORDER BY ?g"
        assert updated.sparql(everything) == Index(store).sparql(everything)
        assert [str(row[1]) for row in updated.sparql(everything).rows] == [
            texts[unit] for unit in sorted(texts)
        ]
