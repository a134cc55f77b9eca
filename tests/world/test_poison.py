"""No input that `read` takes can stop the rest of the story from answering: what cannot be placed is refused, or left out."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from narraworld.kb.journal.store import Store

Command = Callable[..., Any]

HUGE = "99999999999999999999"  # more than 64 bits hold
ANSWERED = ["ch01/depart", "ch01/leave", "ch02/move", "ch03/take", "ch03/telling"]


def happened(narraworld: Command, novel: Path) -> list[str]:
    said = narraworld("query", "happened(E)", "-w", novel, "--json")
    assert said.code == 0, said.err
    return sorted(re.findall(r'"(ch0\d/\w+)"', said.out))


def test_a_huge_number_in_a_name_is_no_place_in_the_telling(
    narraworld: Command, key_copy: Path, tmp_path: Path
) -> None:
    file = tmp_path / f"scene-20261116-{HUGE}.md"
    file.write_text("Tom left the hall.")

    assert narraworld("read", file, "-w", key_copy).code == 0

    entry = Store.open(key_copy).snapshot()[file.stem]
    assert entry.order == 4, "after the three that were there"
    assert happened(narraworld, key_copy) == ANSWERED


@pytest.mark.parametrize(
    "order", [HUGE, "1000000000", "9" * 5000], ids=["20 digits", "10 digits", "5000 digits"]
)
def test_a_huge_order_in_front_matter_is_refused(
    narraworld: Command, key_copy: Path, tmp_path: Path, order: str
) -> None:
    file = tmp_path / "late.md"
    file.write_text(f"---\norder: {order}\n---\nTom left the hall.")

    said = narraworld("read", file, "-w", key_copy)

    assert (said.code, said.out) == (2, "")
    assert said.err == (
        f"narraworld: {file}: states the order {order[:40]}\n  orders count from 0 to 999999999\n"
    )
    assert happened(narraworld, key_copy) == ANSWERED


@pytest.mark.parametrize(
    ("order", "says"),
    [
        (HUGE, f"the order of unit late is {HUGE}\n  orders count from 0 to 999999999"),
        ("0x" + "f" * 9000, "is not TOML: it has a number of more than a hundred digits"),
    ],
    ids=["20 digits", "thousands of digits"],
)
def test_a_huge_order_in_records_is_refused(
    narraworld: Command, key_copy: Path, tmp_path: Path, order: str, says: str
) -> None:
    file = tmp_path / "late.toml"
    file.write_text(f'[unit]\nid = "late"\norder = {order}\ntext = "Tom left."\n')

    assert narraworld("read", file, "-w", key_copy).err == f"narraworld: {file}: {says}\n"
    assert happened(narraworld, key_copy) == ANSWERED


def test_a_huge_order_in_an_import_is_refused(narraworld: Command, key_copy: Path, tmp_path: Path) -> None:
    file = tmp_path / "all.nq"
    narraworld("export", file, "-w", key_copy)
    file.write_text(re.sub(r'(order> )"2"', rf'\1"{HUGE}"', file.read_text()))

    said = narraworld("import", file, "-w", tmp_path / "other")

    assert said.code == 1
    assert (
        f"ch02  not committed  no records\n  refused ch02: the order of a unit is one whole number"
        f" from 0 to 999999999 ({HUGE})\n" in said.out
    )


def test_the_last_place_can_be_stated_and_others_still_follow(
    narraworld: Command, key_copy: Path, tmp_path: Path
) -> None:
    for name, text in (("end.md", "---\norder: 999999999\n---\nTom left."), ("more.md", "Tom came.")):
        (tmp_path / name).write_text(text)
        assert narraworld("read", tmp_path / name, "-w", key_copy).code == 0
    assert happened(narraworld, key_copy) == ANSWERED


def test_a_unit_longer_than_the_clock_counts_is_refused(narraworld: Command, tmp_path: Path) -> None:
    file = tmp_path / "long.md"
    file.write_text("Tom left. " * 100_001)

    assert narraworld("read", file, "-w", tmp_path).err == (
        "narraworld: long.md: unit long has 1000009 characters, more than 1000000\n"
        "  give each chapter a heading or a file of its own\n"
    )


def test_a_time_farther_away_than_can_be_counted_stops_nothing(narraworld: Command, tmp_path: Path) -> None:
    file = tmp_path / "ch01.md"
    file.write_text("90000000000 years later Tom left the barn. " * 250)

    assert narraworld("read", file, "-w", tmp_path).code == 0
    assert narraworld("query", "dated(E, M)", "-w", tmp_path).code == 0


# -- a journal of before the bound


@pytest.fixture
def poisoned(key_copy: Path) -> Path:
    """The key story, whose second unit has a place that no table can hold."""
    store = Store.open(key_copy)
    body = store.body(store.snapshot()["ch02"])
    store.commit("ch02", re.sub(r'(order> )"\d+"', rf'\1"{HUGE}"', body))
    shutil.rmtree(key_copy / ".narraworld" / "cache")
    return key_copy


def test_a_unit_that_gives_no_rows_is_left_out_by_name(narraworld: Command, poisoned: Path) -> None:
    [file] = (poisoned / ".narraworld" / "journal").glob("*4-ch02.nq")

    said = narraworld("query", "happened(E)", "-w", poisoned)

    assert said.code == 0
    assert said.err == (
        f"narraworld: left out of the answer: {file}: unit ch02: nothing can be derived from it:"
        " ValueError: the number 999999999999999999… is too long\n"
        "  retract the unit, or read it again; other units are not affected\n"
    )
    assert happened(narraworld, poisoned) == [one for one in ANSWERED if "ch02" not in one]


def test_the_doctor_derives_for_real(narraworld: Command, poisoned: Path, key_folder: Path) -> None:
    assert (
        "ok    everything that is sound on main can be derived\n"
        in narraworld("doctor", "-w", key_folder).out
    )

    said = narraworld("doctor", "-w", poisoned)

    assert said.code == 1
    assert ": unit ch02: nothing can be derived from it: ValueError: the number 9" in said.out


def test_a_unit_that_gives_no_rows_can_be_retracted(narraworld: Command, poisoned: Path) -> None:
    assert narraworld("retract", "ch02", "-w", poisoned).code == 0
    assert narraworld("query", "happened(E)", "-w", poisoned).err == ""


# -- the property

NUMBERS = st.one_of(
    st.integers(-(10**30), 10**30), st.sampled_from([2**31, 2**63 - 1, 2**63, 2**64, 999_999_999])
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=NUMBERS, start=NUMBERS, end=NUMBERS)
def test_whatever_numbers_a_file_holds_the_others_answer(
    narraworld: Command,
    key_folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
    order: int,
    start: int,
    end: int,
) -> None:
    novel = Path(shutil.copytree(key_folder, tmp_path_factory.mktemp("numbers") / "novel"))
    file = novel / "odd.toml"
    scene = f'[[scene]]\nid = "s"\nstart = {start}\nend = {end}\n'
    file.write_text(f'[unit]\nid = "odd"\norder = {order}\ntext = "Tom left."\n{scene}')

    assert narraworld("read", file, "-w", novel).code in (0, 1, 2)
    assert set(happened(narraworld, novel)) >= set(ANSWERED)


def test_an_import_cannot_put_a_unit_without_itself_in_the_place_of_another(
    narraworld: Command, key_copy: Path, tmp_path: Path
) -> None:
    file = tmp_path / "all.nq"
    narraworld("export", file, "-w", key_copy)
    kept = [line for line in file.read_text().splitlines() if not line.startswith("<urn:nw:ch02> ")]
    file.write_text("\n".join(kept))

    said = narraworld("import", file, "-w", key_copy)

    assert said.code == 1
    assert "  refused ch02: the unit itself is not described\n" in said.out
    assert happened(narraworld, key_copy) == ANSWERED
