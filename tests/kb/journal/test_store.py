"""Commits, retractions and snapshots: the newest version wins, and what was seen once is seen for ever."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st

from narraworld.kb import quads as rdf
from narraworld.kb.errors import (
    BadName,
    BadQuads,
    JournalDamaged,
    KbError,
    NotAStore,
    UnknownRevision,
    UnknownUnit,
)
from narraworld.kb.journal.store import Diff, Snapshot, Store


def says(text: str) -> str:
    return f'<urn:nw:leo> <https://w3id.org/narraworld/name> "{text}" .'


def shown(store: Store, snapshot: Snapshot) -> dict[str, str]:
    """Unit → the one thing it says."""
    return {unit: str(store.quads(entry)[0].object.value) for unit, entry in snapshot.items()}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """ch01 and ch02 read, ch01 read again, ch02 retracted."""
    store = Store.create(tmp_path)
    store.commit("ch01", says("a"))
    store.commit("ch02", says("b"))
    store.commit("ch01", says("c"))
    store.retract("ch02", note="cut by the editor")
    return store


@pytest.mark.parametrize(
    ("revision", "expected"),
    [
        (0, {}),
        (1, {"ch01": "a"}),
        (2, {"ch01": "a", "ch02": "b"}),
        (3, {"ch01": "c", "ch02": "b"}),
        (4, {"ch01": "c"}),
    ],
)
def test_every_revision_stays_readable(store: Store, revision: int, expected: dict[str, str]) -> None:
    assert shown(store, store.snapshot(revision)) == expected


def test_a_snapshot_does_not_change_when_the_store_does(store: Store) -> None:
    asked, unasked = store.snapshot(), store.snapshot()
    assert shown(store, asked) == {"ch01": "c"}
    store.commit("ch01", says("d"))
    store.commit("ch03", says("e"))
    assert shown(store, asked) == shown(store, unasked) == {"ch01": "c"}
    assert "ch03" not in unasked


def test_a_snapshot_of_nothing_is_still_a_snapshot(store: Store) -> None:
    nothing = store.snapshot(0)
    assert len(nothing) == 0
    assert (nothing or store.snapshot()) is nothing


def test_the_log_tells_everything_in_order(store: Store) -> None:
    assert [(entry.revision, entry.unit, entry.kind) for entry in store.log()] == [
        (1, "ch01", "unit"),
        (2, "ch02", "unit"),
        (3, "ch01", "unit"),
        (4, "ch02", "retract"),
    ]
    assert store.log()[3].note == "cut by the editor"


def test_a_retracted_unit_can_come_back(store: Store) -> None:
    store.commit("ch02", says("back"))
    assert shown(store, store.snapshot()) == {"ch01": "c", "ch02": "back"}


ORDERS = [
    pytest.param([("b", "", None), ("a", "", None)], ["b", "a"], id="first-come"),
    pytest.param([("b", "", 7), ("a", "", 3)], ["a", "b"], id="given"),
    pytest.param([("b", "2", None), ("a", "1", None)], ["a", "b"], id="stated"),
    pytest.param([("b", "2", 0), ("a", "1", None)], ["b", "a"], id="given-beats-stated"),
    pytest.param([("b", "", 7), ("a", "", 9), ("b", "", None)], ["b", "a"], id="kept"),
    pytest.param([("b", "", 1), ("a", "", 1)], ["a", "b"], id="tie-by-name"),
]


@pytest.mark.parametrize(("commits", "expected"), ORDERS)
def test_units_come_in_the_order_of_the_telling(
    tmp_path: Path, commits: list[tuple[str, str, int | None]], expected: list[str]
) -> None:
    store = Store.create(tmp_path)
    for unit, stated, order in commits:
        number = f'"{stated}"^^<http://www.w3.org/2001/XMLSchema#integer>'
        store.commit(unit, f"<urn:nw:{unit}> <{rdf.NW}order> {number} ." if stated else "", order=order)
    assert [entry.unit for entry in store.units(store.snapshot())] == expected


def test_the_prose_of_a_unit(store: Store) -> None:
    prose = 'Leo said: "Wait."\n\n\tThen he left. \\ é'
    graph = rdflib.Graph()
    graph.add((rdflib.URIRef("urn:nw:ch09"), rdflib.URIRef(rdf.NW + "text"), rdflib.Literal(prose)))
    assert store.text(store.commit("ch09", graph)) == prose
    with pytest.raises(KbError, match="unit ch01 was committed without its text"):
        store.text(store.snapshot()["ch01"])


def test_diff_names_what_came_went_and_changed(store: Store) -> None:
    at = store.snapshot
    assert store.diff(at(0), at(2)) == Diff(added=("ch01", "ch02"))
    assert store.diff(at(2), at(4)) == Diff(removed=("ch02",), changed=("ch01",))
    assert store.diff(at(4), at(2)) == Diff(added=("ch02",), changed=("ch01",))
    store.commit("ch01", says("c"), note="read again, nothing new")
    assert not store.diff(at(4), at(5))


def test_mistakes_are_answered_with_advice(store: Store, tmp_path: Path) -> None:
    with pytest.raises(UnknownUnit, match=r"main@4: no unit 'ch1'\n  did you mean ch0"):
        store.snapshot()["ch1"]
    with pytest.raises(UnknownUnit):
        store.retract("ch02")
    with pytest.raises(UnknownRevision, match=r"no revision 5\n  revisions go from 0 \(empty\) to 4"):
        store.snapshot(5)
    with pytest.raises(NotAStore, match=r"no \.narraworld/ here"):
        Store.open(tmp_path / "elsewhere")
    with pytest.raises(BadName):
        store.commit("../ch01", "")
    assert store.snapshot().get("ch1") is None


def test_creating_twice_keeps_everything(store: Store, tmp_path: Path) -> None:
    assert shown(store, Store.create(tmp_path).snapshot()) == {"ch01": "c"}


def test_a_damaged_unit_does_not_take_the_others_with_it(store: Store) -> None:
    store.commit("ch03", says("e"))
    entry = store.snapshot()["ch03"]
    entry.file.write_bytes(entry.file.read_bytes()[:-3])
    fresh = Store(store.root)
    whole, damaged = fresh.snapshot().sound()
    assert [entry.unit for entry in whole] == ["ch01"]
    assert [(trouble.unit, trouble.file) for trouble in damaged] == [("ch03", str(entry.file))]
    with pytest.raises(JournalDamaged, match="unit ch03: the file was cut short"):
        fresh.body(fresh.snapshot()["ch03"])


def test_what_was_read_again_after_damage_is_whole_again(store: Store) -> None:
    path = store.root / "journal" / "000003-ch01.nq"
    path.write_bytes(b"?")
    fresh = Store(store.root)
    with pytest.raises(JournalDamaged):
        fresh.snapshot()["ch01"]
    fresh.commit("ch01", says("again"), order=1)
    assert shown(fresh, fresh.snapshot()) == {"ch01": "again"}
    assert [damage.file for damage in fresh.verify()] == [path]


# What a commit takes

SAME = '<urn:nw:leo> <urn:p> "x" <urn:nw:graph/ch01> .\n'
FORMS = [
    pytest.param('<urn:nw:leo>  <urn:p>   "x"  .', id="triple-text"),
    pytest.param('<urn:nw:leo> <urn:p> "\\u0078" <urn:nw:graph/ch01> .\n' * 2, id="quad-text-twice"),
    pytest.param([ox.Triple(ox.NamedNode("urn:nw:leo"), ox.NamedNode("urn:p"), ox.Literal("x"))], id="oxigraph"),
    pytest.param(rdflib.Graph().add((rdflib.URIRef("urn:nw:leo"), rdflib.URIRef("urn:p"), rdflib.Literal("x"))), id="rdflib"),
]  # fmt: skip


@pytest.mark.parametrize("quads", FORMS)
def test_the_same_statements_are_the_same_text(store: Store, quads: rdf.Quads) -> None:
    assert store.body(store.commit("ch01", quads)) == SAME


@pytest.mark.parametrize(
    ("quads", "why"),
    [
        pytest.param("_:b <urn:p> <urn:o> .", "a blank or quoted node", id="blank-subject"),
        pytest.param("<urn:s> <urn:p> _:b .", "a blank or quoted node", id="blank-object"),
        pytest.param("<urn:s> <urn:p> <urn:o> _:g .", "a statement in graph _:", id="blank-graph"),
        pytest.param("<urn:s> <urn:p> <urn:o> <urn:nw:graph/ch02> .", "ch02> stands among", id="other-unit"),
        pytest.param(
            "<urn:s> <urn:p> <<( <urn:a> <urn:b> <urn:c> )>> .", "a blank or quoted node", id="quoted"
        ),
        pytest.param("<urn:s> <urn:p> .", "not N-Quads", id="syntax"),
        pytest.param("<s> <urn:p> <urn:o> .", "not N-Quads", id="relative-iri"),
        pytest.param(
            f'<urn:nw:ch01> <{rdf.NW}order> "first" .', "nw:order of unit ch01 is 'first'", id="order"
        ),
    ],
)
def test_other_statements_are_refused_and_nothing_is_written(store: Store, quads: str, why: str) -> None:
    with pytest.raises(BadQuads, match=why):
        store.commit("ch01", quads)
    assert store.snapshot().revision == 4


TERMS = st.builds(lambda number: ox.NamedNode(f"urn:nw:n{number}"), st.integers(0, 5))
LITERALS = st.builds(ox.Literal, st.text(st.characters(codec="utf-8"))) | st.builds(ox.Literal, st.integers())
TRIPLES = st.lists(st.builds(ox.Triple, TERMS, TERMS, TERMS | LITERALS), max_size=8)


@given(TRIPLES, st.randoms())
def test_canonical_text_depends_on_the_set_alone_and_loses_nothing(
    triples: list[ox.Triple], chance: st.Random
) -> None:
    text = rdf.canonical(triples, "ch01")
    chance.shuffle(triples)
    assert rdf.canonical(triples + triples[:2], "ch01") == rdf.canonical(text, "ch01") == text
    assert {quad.triple for quad in rdf.parse(text)} == set(triples)
    assert rdf.canonical(rdf.graph_of(text), "ch01") == text


# Readers and other processes

WRITER = """
import sys
from narraworld.kb.journal.store import Store
store = Store.open(sys.argv[1])
for last in map(int, sys.stdin):
    for number in range(last - 29, last + 1):
        store.commit(f"ch{number % 7}", f'<urn:nw:leo> <urn:p> "{number}" .')
"""


def test_a_reader_beside_a_writer_always_sees_a_prefix_of_history(tmp_path: Path) -> None:
    reader = Store.create(tmp_path)
    seen: list[int] = []
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, text=True, bufsize=1) as writer:
        assert writer.stdin
        for wanted in range(30, 301, 30):  # the reader sets the pace, so that the two do run side by side
            writer.stdin.write(f"{wanted}\n")
            while writer.poll() is None and (not seen or seen[-1] < wanted):
                snapshot = reader.snapshot()
                revisions = range(max(0, snapshot.revision - 6), snapshot.revision + 1)
                assert shown(reader, snapshot) == {f"ch{n % 7}": str(n) for n in revisions if n > 0}
                seen.append(snapshot.revision)
    assert writer.returncode == 0
    assert seen == sorted(seen)
    assert reader.snapshot().revision == 300, "a reader that waits sees everything"
    assert {*range(30, 301, 30)} <= set(seen)


def test_a_folder_listed_while_it_grows_shows_no_gap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a folder may pass over a new file and still meet a newer one."""
    store = Store.create(tmp_path)
    for unit in ("a", "b", "c", "d", "e"):
        store.commit(unit, says(unit))
    names = sorted(path.name for path in (store.root / "journal").iterdir())
    looks = [[names[0], names[2]], [*names[:3], names[4]]]
    monkeypatch.setattr(os, "listdir", lambda _: looks.pop(0))
    assert list(Store(store.root).snapshot()) == ["a", "b", "c"], "e waits for d"
    assert looks == []


def test_two_commits_within_one_tick_of_the_clock_are_both_seen(store: Store) -> None:
    reader, folder = Store(store.root), store.root / "journal"
    assert reader.snapshot().revision == 4
    tick = folder.stat().st_mtime_ns
    store.commit("ch05", says("f"))
    os.utime(folder, ns=(tick, tick))
    assert reader.snapshot().revision == 5


def test_a_store_looks_at_the_folder_only_when_somebody_else_wrote(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[object] = []
    real = os.listdir
    monkeypatch.setattr(os, "listdir", lambda path: looks.append(path) or real(path))
    for number in range(5):
        store.commit("ch01", says(str(number)))
        store.snapshot()
    assert looks == []
    Store(store.root).commit("ch01", says("other"))
    looks.clear()
    assert shown(store, store.snapshot()) == {"ch01": "other"}
    assert len(looks) == 1


def test_importing_and_reading_costs_no_rdflib(store: Store) -> None:
    program = (
        "import sys; from narraworld.kb.journal.store import Store; "
        f"s = Store.open({str(store.root.parent)!r}); s.body(s.snapshot()['ch01']); "
        "s.commit('ch05', '<urn:a> <urn:b> <urn:c> .'); sys.exit('rdflib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
