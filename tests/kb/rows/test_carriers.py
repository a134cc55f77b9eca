"""A row about something shared stays as long as one unit still carries it, and not a moment longer."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narraworld.kb.rows.bindings import BaseRow, Carried
from narraworld.kb.rows.carriers import Carriers, Overtaken, RowChange, owned

LEO = Carried("leo", "entity", ("leo", "character"))
MARA = Carried("mara", "entity", ("mara", "character"))
EVENT = Carried("ch01/go", "event", ("ch01/go", "go"))


@pytest.fixture
def carriers() -> Iterator[Carriers]:
    made = Carriers()
    yield made
    made.close()


def replaced(carriers: Carriers, unit: str, old: list[Carried], new: list[Carried]) -> RowChange:
    change = RowChange()
    with carriers.changing("now"):
        carriers.replace(unit, old, new, change)
    return RowChange(
        {k: v for k, v in change.added.items() if v}, {k: v for k, v in change.removed.items() if v}
    )


@pytest.mark.parametrize(
    ("node", "mine"),
    [("ch01", True), ("ch01/go", True), ("leo", False), ("ch011/go", False), ("ch02/go", False)],
)
def test_what_a_unit_owns(node: str, mine: bool) -> None:
    assert owned(node, "ch01") is mine


def test_the_first_to_speak_of_leo_brings_him_and_the_last_takes_him_away(carriers: Carriers) -> None:
    assert replaced(carriers, "ch01", [], [LEO, EVENT]) == RowChange(
        {"entity": {LEO.row}, "event": {EVENT.row}}
    )
    assert replaced(carriers, "ch02", [], [LEO, MARA]) == RowChange({"entity": {MARA.row}})
    assert replaced(carriers, "ch01", [LEO, EVENT], []) == RowChange({}, {"event": {EVENT.row}})
    assert replaced(carriers, "ch02", [LEO, MARA], [MARA]) == RowChange({}, {"entity": {LEO.row}})


def test_what_stays_in_an_edit_is_no_change(carriers: Carriers) -> None:
    replaced(carriers, "ch01", [], [LEO, EVENT])

    assert replaced(carriers, "ch01", [LEO, EVENT], [LEO, EVENT]) == RowChange()


def test_two_of_one_unit_say_the_same_and_one_of_them_goes(carriers: Carriers) -> None:
    """That the cup is in the hall, and that it is not, are two propositions with one normal form."""
    affirmed = Carried("cup.location.hall", "says_just", ("cup.location.hall", "cup.location.hall"))
    denied = affirmed._replace(node="not.cup.location.hall")
    replaced(carriers, "ch01", [], [affirmed, denied])

    assert replaced(carriers, "ch01", [affirmed, denied], [denied]) == RowChange()
    assert replaced(carriers, "ch01", [denied], []) == RowChange({}, {"says_just": {affirmed.row}})


def test_units_put_in_all_at_once_are_carried_like_units_put_in_one_by_one(carriers: Carriers) -> None:
    rows = defaultdict[str, list[BaseRow]](list)
    with carriers.changing("now"):
        carriers.fill([("ch01", [LEO, EVENT, LEO]), ("ch02", [LEO, MARA])], rows)

    assert {name: set(some) for name, some in rows.items()} == {
        "entity": {LEO.row, MARA.row},
        "event": {EVENT.row},
    }
    assert replaced(carriers, "ch01", [LEO, EVENT], []) == RowChange({}, {"event": {EVENT.row}})
    assert replaced(carriers, "ch02", [LEO, MARA], [MARA]) == RowChange({}, {"entity": {LEO.row}})


def test_filling_forgets_what_was_there(carriers: Carriers) -> None:
    replaced(carriers, "ch01", [], [LEO])
    with carriers.changing("now"):
        carriers.fill([("ch02", [MARA])], defaultdict(list))

    assert list(carriers.shared(lambda node, unit: True)) == [("entity", MARA.row)]


def test_a_file_of_an_older_layout_vouches_for_nothing(tmp_path: Path) -> None:
    path = tmp_path / "carriers.sqlite"
    with closing(sqlite3.connect(path)) as older:
        older.executescript(
            "create table stamp (only_row integer primary key, value text); insert into stamp values (1, 'now')"
        )

    with closing(Carriers(path)) as carriers:
        assert carriers.stamp is None


def test_coming_and_going_cancel_out() -> None:
    change = RowChange()
    change.add("r", ("a",))
    change.remove("r", ("a",))
    change.remove("r", ("b",))
    change.add("r", ("b",))

    assert not any(change.added.values())
    assert not any(change.removed.values())


def test_shared_rows_of_those_who_are_let_in(carriers: Carriers) -> None:
    replaced(carriers, "ch01", [], [LEO])
    replaced(carriers, "ch02", [], [LEO, MARA])

    assert sorted(carriers.shared(lambda node, unit: unit == "ch01")) == [("entity", LEO.row)]
    assert sorted(carriers.shared(lambda node, unit: True)) == [("entity", LEO.row), ("entity", MARA.row)]


def test_an_error_leaves_everything_as_it_was(carriers: Carriers) -> None:
    replaced(carriers, "ch01", [], [LEO])
    with pytest.raises(ZeroDivisionError), carriers.changing("later"):
        carriers.replace("ch01", [LEO], [], RowChange())
        carriers.keep_times("ch01", "{}")
        raise ZeroDivisionError

    assert carriers.stamp == "now"
    assert carriers.times() == []
    assert list(carriers.shared(lambda node, unit: True)) == [("entity", LEO.row)]


def test_whoever_comes_too_late_is_told(tmp_path: Path) -> None:
    mine, other = Carriers(tmp_path / "c.sqlite"), Carriers(tmp_path / "c.sqlite")
    with mine.changing("r1"):
        pass
    with other.changing("r2", after="r1"):
        pass
    with pytest.raises(Overtaken), mine.changing("r2", after="r1"):
        raise AssertionError("nobody gets this far")

    assert mine.stamp == "r2"
    mine.close()
    other.close()


def test_a_file_is_remembered_and_a_broken_one_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    first = Carriers(path)
    replaced(first, "ch01", [], [LEO])
    first.close()
    again = Carriers(path)
    assert again.stamp == "now"
    again.close()
    path.write_bytes(b"no database" * 500)

    broken = Carriers(path)

    assert broken.stamp is None
    assert list(broken.shared(lambda node, unit: True)) == []
    broken.close()


def test_what_units_say_about_time(carriers: Carriers) -> None:
    with carriers.changing("now"):
        carriers.keep_times("ch02", "two")
        carriers.keep_times("ch01", "one")
        carriers.keep_times("ch02", "two again")
        carriers.keep_times("ch01", None)

    assert carriers.times() == ["two again"]


units = st.sampled_from(["ch01", "ch02", "ch03"])
versions = st.frozensets(st.sampled_from("abcd").map(lambda name: Carried(name, "entity", (name,))))


@settings(deadline=None)
@given(st.lists(st.tuples(units, versions), max_size=12))
def test_after_any_edits_a_row_is_there_exactly_if_some_unit_has_it(
    edits: list[tuple[str, frozenset[Carried]]],
) -> None:
    carriers, rows, now = Carriers(), set[BaseRow](), dict[str, frozenset[Carried]]()
    for unit, version in edits:
        change = replaced(carriers, unit, list(now.get(unit, ())), list(version))
        rows |= change.added.get("entity", set())
        rows -= change.removed.get("entity", set())
        now[unit] = version

    assert rows == {one.row for version in now.values() for one in version}
    carriers.close()
