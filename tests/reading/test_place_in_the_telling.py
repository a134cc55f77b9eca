"""A chapter stands where the name of its file puts it, whichever was read first."""

from __future__ import annotations

from pathlib import Path

import pytest

from narraworld.world import World


@pytest.fixture
def book(tmp_path: Path) -> Path:
    (tmp_path / "book").mkdir()
    return tmp_path / "book"


def told(book: Path, *readings: str) -> list[tuple[str, int]]:
    """The units in the order of the telling after these readings; `a+b` are files read together, `-a` is taken out."""
    with World.open(book, create=True) as world:
        for reading in readings:
            if reading.startswith("-"):
                world.retract(reading[1:])
                continue
            files = [book / f"{name}.md" for name in reading.split("+")]
            for file in files:
                file.write_text(f"Mara read page {file.stem}.")
            world.read(*files)
        entries = world.store.snapshot().entries
        return sorted(((one.unit, one.order) for one in entries), key=lambda one: one[1])


def test_the_last_chapter_may_be_read_first(book: Path) -> None:
    assert told(book, "ch03", "ch02", "ch01") == [("ch01", 1), ("ch02", 2), ("ch03", 3)]


def test_a_story_begun_in_the_middle_has_room_before_it(book: Path) -> None:
    assert told(book, "ch02+ch04", "ch01", "ch03") == [("ch01", 1), ("ch02", 2), ("ch03", 3), ("ch04", 4)]


def test_a_number_that_starts_again_does_not_go_to_the_front(book: Path) -> None:
    days = "2026-11-20", "2026-12-01", "2026-11-05"
    assert [unit for unit, _ in told(book, *days)] == sorted(days)


def test_a_chapter_without_a_number_goes_between_its_neighbours_where_there_is_room(book: Path) -> None:
    assert [unit for unit, _ in told(book, "dawn+noon+rain", "-noon", "night")] == ["dawn", "night", "rain"]


def test_where_there_is_no_room_it_goes_to_the_end(book: Path) -> None:
    assert [unit for unit, _ in told(book, "dawn+rain", "noon")] == ["dawn", "rain", "noon"]


def test_files_of_another_folder_say_nothing(book: Path) -> None:
    (book / "notes").mkdir()
    assert told(book, "ch05", "notes/ch09", "notes/ash") == [("ch05", 5), ("ash", 8), ("ch09", 9)]


def test_nobody_else_is_passed_over_for_a_neighbour(book: Path) -> None:
    (book / "notes").mkdir()
    assert told(book, "ch05", "notes/zebra", "notes/ash") == [("ch05", 5), ("zebra", 6), ("ash", 7)]


def test_a_unit_keeps_the_place_it_has(book: Path) -> None:
    assert told(book, "dawn+rain", "noon", "dawn+noon+rain") == [("dawn", 1), ("rain", 2), ("noon", 3)]


def test_an_order_that_the_author_states_stands(book: Path) -> None:
    (book / "ch01.md").write_text("---\norder: 7\n---\nMara left.")
    with World.open(book, create=True) as world:
        world.read(book / "ch01.md")
        assert world.store.snapshot()["ch01"].order == 7
    assert told(book, "ch02") == [("ch01", 7), ("ch02", 8)]


def test_files_that_do_not_stand_in_the_order_of_their_names_say_nothing(book: Path) -> None:
    (book / "ch01.md").write_text("---\norder: 30\n---\nMara left.")
    (book / "ch09.md").write_text("---\norder: 20\n---\nMara came.")
    with World.open(book, create=True) as world:
        world.read(book / "ch01.md", book / "ch09.md")
    assert told(book, "ch02") == [("ch02", 2), ("ch09", 20), ("ch01", 30)]
