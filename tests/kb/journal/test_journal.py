"""Leaves and their chain: what is written stays, what is damaged is named, what is sound stays readable."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narraworld.kb.errors import BadName, BadUnit, JournalDamaged
from narraworld.kb.journal import leaf
from narraworld.kb.journal.folder import EntryKind, Journal, LeafFault
from narraworld.kb.units import Unit, branch_name, unit_id

UNITS = ("ch01", "ch02", "ch03", "ch04")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Four units, one revision each: 000001-ch01.nq to 000004-ch04.nq."""
    (tmp_path / "journal").mkdir()
    journal = Journal(tmp_path / "journal")
    for order, unit in enumerate(UNITS):
        journal.append(unit, EntryKind.UNIT, f'<urn:nw:{unit}> <urn:p> "{unit}" .\n', order=order)
    return journal.folder


def opened(folder: Path) -> Journal:
    journal = Journal(folder)
    journal.refresh()
    return journal


def test_a_leaf_is_a_header_line_and_the_body(folder: Path) -> None:
    line, _, body = (folder / "000002-ch02.nq").read_text().partition("\n")
    header = json.loads(line.removeprefix("# narraworld "))
    assert (header["revision"], header["unit"], header["kind"], header["order"]) == (2, "ch02", "unit", 1)
    assert header["previous"] == leaf.digest((folder / "000001-ch01.nq").read_bytes())
    assert header["body"] == leaf.digest(body.encode())
    assert body == '<urn:nw:ch02> <urn:p> "ch02" .\n'


def test_the_same_commits_give_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "again").mkdir()
    again = Journal(tmp_path / "again")
    for order, unit in enumerate(UNITS):
        again.append(unit, EntryKind.UNIT, f'<urn:nw:{unit}> <urn:p> "{unit}" .\n', order=order)
    assert [path.read_bytes() for path in sorted(folder.iterdir())] == [
        path.read_bytes() for path in sorted(again.folder.iterdir())
    ]


def test_an_existing_revision_is_never_overwritten(folder: Path) -> None:
    late, early = opened(folder), opened(folder)
    early.append("ch05", EntryKind.UNIT, "", order=5)
    kept = (folder / "000005-ch05.nq").read_bytes()
    with pytest.raises(JournalDamaged, match="another file has the same revision"):
        late.append("ch05", EntryKind.UNIT, '<urn:a> <urn:b> "other" .\n', order=5)
    assert (folder / "000005-ch05.nq").read_bytes() == kept
    late.refresh()
    assert late.append("ch06", EntryKind.UNIT, "", order=6).revision == 6, "after a failure it looks again"


def test_opening_reads_no_file(folder: Path) -> None:
    for path in folder.iterdir():
        path.write_bytes(b"")
    journal = opened(folder)
    assert (journal.head, set(journal.units(4))) == (4, set(UNITS))


def test_what_a_crash_left_is_ignored_and_swept_by_the_next_writer(folder: Path) -> None:
    stray = folder / ".writing-000005-ch05.nq"
    stray.write_bytes(b"# narra")
    journal = opened(folder)
    assert (journal.head, journal.verify()) == (4, [])
    journal.sweep()
    assert not stray.exists()


def flip(name: str, where: bytes) -> Callable[[Path], None]:
    """Flip the lowest bit of the first byte after `where`."""

    def damage(folder: Path) -> None:
        data = bytearray((folder / name).read_bytes())
        data[data.index(where) + len(where)] ^= 1
        (folder / name).write_bytes(data)

    return damage


def rewrite(name: str, change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    return lambda folder: (folder / name).write_bytes(change((folder / name).read_bytes())) and None


def swap(folder: Path) -> None:
    (folder / "000002-ch02.nq").rename(folder / "x")
    (folder / "000003-ch03.nq").rename(folder / "000002-ch02.nq")
    (folder / "x").rename(folder / "000003-ch03.nq")


def replace_by_another_sound_leaf(folder: Path) -> None:
    path = folder / "000002-ch02.nq"
    old = leaf.check(path, path.read_bytes())
    assert isinstance(old, leaf.Entry)
    forged = leaf.Entry(
        path, 2, "ch02", EntryKind.UNIT, 1, old.previous, leaf.digest(b"<urn:f> <urn:o> <urn:r> .\n"), 26
    )
    path.write_bytes(forged.header() + b"<urn:f> <urn:o> <urn:r> .\n")


DAMAGES = [
    pytest.param(flip("000002-ch02.nq", b'<urn:p> "'), [("000002-ch02.nq", "ch02", 2, LeafFault.BODY)], id="bit-flip-body"),
    pytest.param(flip("000002-ch02.nq", b'"previous":"'), [("000002-ch02.nq", "ch02", 2, LeafFault.SEAL)], id="bit-flip-link"),
    pytest.param(flip("000004-ch04.nq", b'"note":'), [("000004-ch04.nq", "ch04", 4, LeafFault.HEADER)], id="bit-flip-json"),
    pytest.param(flip("000003-ch03.nq", b"# "), [("000003-ch03.nq", "ch03", 3, LeafFault.HEADER)], id="bit-flip-mark"),
    pytest.param(rewrite("000002-ch02.nq", lambda data: data[:-5]), [("000002-ch02.nq", "ch02", 2, LeafFault.SHORT)], id="cut"),
    pytest.param(rewrite("000004-ch04.nq", lambda data: b""), [("000004-ch04.nq", "ch04", 4, LeafFault.HEADER)], id="emptied"),
    pytest.param(
        rewrite("000001-ch01.nq", lambda data: data + b"\0"), [("000001-ch01.nq", "ch01", 1, LeafFault.LONG)], id="garbage-at-end"
    ),
    pytest.param(
        lambda folder: (folder / "000002-ch02.nq").unlink(), [("000002-?.nq", None, 2, LeafFault.MISSING)], id="missing"
    ),
    pytest.param(
        swap, [("000002-ch02.nq", "ch02", 2, LeafFault.PLACE), ("000003-ch03.nq", "ch03", 3, LeafFault.PLACE)], id="swapped"
    ),
    pytest.param(
        lambda folder: (folder / "000002-ch02.nq").rename(folder / "000009-ch02.nq"),
        [("000009-ch02.nq", "ch02", 9, LeafFault.PLACE)],
        id="renamed-revision",
    ),
    pytest.param(
        lambda folder: (folder / "000002-ch02.nq").rename(folder / "000002-ch07.nq"),
        [("000002-ch07.nq", "ch07", 2, LeafFault.PLACE)],
        id="renamed-unit",
    ),
    pytest.param(
        lambda folder: shutil.copy(folder / "000002-ch02.nq", folder / "000005-ch02.nq") and None,
        [("000005-ch02.nq", "ch02", 5, LeafFault.PLACE)],
        id="copied",
    ),
    pytest.param(
        lambda folder: (folder / "notes.txt").write_text("mine") and None,
        [("notes.txt", None, None, LeafFault.STRANGER)],
        id="strange-file",
    ),
    pytest.param(
        lambda folder: (folder / "000005-ch05.nq").mkdir(), [("000005-ch05.nq", "ch05", 5, LeafFault.UNREADABLE)], id="folder"
    ),
    pytest.param(replace_by_another_sound_leaf, [("000002-ch02.nq", "ch02", 2, LeafFault.CHAIN)], id="forged"),
]  # fmt: skip


@pytest.mark.parametrize(("damage", "expected"), DAMAGES)
def test_damage_is_named_exactly_and_spares_the_others(
    folder: Path,
    damage: Callable[[Path], None],
    expected: list[tuple[str, str | None, int | None, LeafFault]],
) -> None:
    whole = {unit: (folder / f"{place:06d}-{unit}.nq").read_bytes() for place, unit in enumerate(UNITS, 1)}
    damage(folder)
    journal = opened(folder)
    assert [(one.file.name, one.unit, one.revision, one.fault) for one in journal.verify()] == expected
    hurt = {unit for _, unit, _, _ in expected} | {"ch02" if "000002" in expected[0][0] else None}
    for unit in set(UNITS) - hurt:
        entry = journal.version(unit, 99)
        assert entry is not None
        assert leaf.read_body(entry).encode() == whole[unit].partition(b"\n")[2]


@pytest.mark.parametrize(
    ("damage", "unit"),
    [pytest.param(case.values[0], case.values[1][0][1], id=case.id) for case in DAMAGES if case.id not in {"forged", "missing", "strange-file"}],
)  # fmt: skip
def test_reading_a_damaged_leaf_raises_with_file_and_unit(
    folder: Path, damage: Callable[[Path], None], unit: str
) -> None:
    damage(folder)
    journal = opened(folder)
    with pytest.raises(JournalDamaged) as caught:
        entry = journal.version(unit, 99)
        assert entry is not None
        leaf.read_body(entry)
    assert caught.value.unit == unit
    assert f"-{unit}.nq" in caught.value.file


def test_nothing_is_built_upon_a_damaged_newest_leaf(folder: Path) -> None:
    flip("000004-ch04.nq", b'<urn:p> "')(folder)
    with pytest.raises(JournalDamaged, match="ch04"):
        opened(folder).append("ch05", EntryKind.UNIT, "", order=5)
    assert not list(folder.glob("000005-*"))


def test_a_leaf_exchanged_after_it_was_looked_up_is_noticed(folder: Path) -> None:
    entry = opened(folder).entry(2)
    replace_by_another_sound_leaf(folder)
    with pytest.raises(JournalDamaged, match="written after a different file"):
        leaf.read_body(entry)


@given(st.text(st.characters(codec="utf-8")), st.integers(0, 10**6), st.none() | st.text(max_size=40))
def test_any_header_comes_back_as_it_was_written(body: str, order: int, note: str | None) -> None:
    data = body.encode()
    path = Path("000007-ch07.nq")
    entry = leaf.Entry(path, 7, "ch07", EntryKind.UNIT, order, "0" * 64, leaf.digest(data), len(data), note)
    assert leaf.check(path, entry.header() + data) == entry


@given(st.data())
def test_no_single_changed_byte_goes_unnoticed(data: st.DataObject) -> None:
    body = b'<urn:nw:ch07> <urn:p> "x" .\n'
    path = Path("000007-ch07.nq")
    entry = leaf.Entry(path, 7, "ch07", EntryKind.UNIT, 7, "0" * 64, leaf.digest(body), len(body), "a note")
    content = bytearray(entry.header() + body)
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    assert isinstance(leaf.check(path, bytes(content)), leaf.Damage)


@pytest.mark.parametrize("name", ["ch01", "part-2.ch07", "_draft", "A", "0", "x" * 80])
def test_good_names(name: str) -> None:
    assert unit_id(name) == branch_name(name) == name


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "is empty"),
        ("x" * 81, "has 81 characters"),
        ("../ch01", "has a dot where a path could hide"),
        ("a..b", "has a dot where a path could hide"),
        ("ch01.", "has a dot where a path could hide"),
        (".hidden", "begins with '.'"),
        ("-rf", "begins with '-'"),
        ("ch/01", "has '/' in it"),
        ("ch\\01", r"has '\\\\' in it"),
        ("ch 01", "has ' ' in it"),
        ("chapitre-é", "has 'é' in it"),
        ("ch01\n", r"has '\\n' in it"),
    ],
)
def test_bad_names_say_what_is_wrong(name: str, says: str) -> None:
    with pytest.raises(BadName, match=says):
        unit_id(name)


def test_a_unit_is_checked_when_made() -> None:
    assert Unit("ch01", 0, "").sha256 == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    with pytest.raises(BadUnit, match="orders count from 0 to 999999999"):
        Unit("ch01", -1, "")
