"""However often chapters were edited, put in, taken out and read again: the world is that of a fresh reading of the same files."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from narraworld.checking.check_world import check_world
from narraworld.extract.embedded import reader
from narraworld.world import World

SENTENCES = (
    "Mara put the letter in the tin box.",
    "The letter was torn.",
    "Signe found a letter under the bench.",
    "The old tin box stood under the bench.",
    "Mara looked into the box. It was empty.",
    "Mrs. Quill left the kitchen.",
    "Ada Quill was dead.",
    "He gave her the lamp.",
    "Her brother Tom was a baker.",
    "Tom broke the lamp.",
    "She promised to find the key.",
    "Leo found the key in the box.",
    "Ida said that the lamp was broken.",
    "I walked to the harbour. The sun set.",
)
Story: TypeAlias = dict[int, list[str] | None]
Change: TypeAlias = tuple[int, list[str] | None]

chapters = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=3)
stories = st.fixed_dictionaries({1: chapters}, optional={2: chapters, 3: chapters})
changes = st.lists(st.tuples(st.integers(1, 3), chapters | st.none()), min_size=1, max_size=3)


def read(world: World, book: Path, number: int, sentences: list[str] | None) -> None:
    """Save a chapter and read it alone; without sentences it is taken out."""
    file, unit = book / f"ch0{number}.md", f"ch0{number}"
    if sentences is None:
        file.unlink(missing_ok=True)
        if unit in world.store.snapshot():
            world.retract(unit)
        return
    file.write_text(" ".join(sentences))
    world.read(file)


def said(world: World, book: Path) -> tuple[dict[str, str], list[str]]:
    """Every record of every unit, and what the checks find."""
    entries = world.store.snapshot().entries
    records = {one.unit: _without_place(world.store.body(one), book) for one in entries}
    return records, [f"{one.rule.id} {one.message}" for one in check_world(world.story).findings]


def _without_place(body: str, book: Path) -> str:
    """How a chapter is counted is no part of what it says: a book of two is the first and the second, whatever they were called."""
    lines = body.replace(str(book), "").splitlines()
    return "\n".join(line for line in lines if "/order> " not in line)


def afresh(book: Path) -> tuple[dict[str, str], list[str]]:
    with tempfile.TemporaryDirectory() as folder, World.open(folder, create=True) as world:
        if any(book.iterdir()):
            world.read(book)
        return said(world, book)


@settings(
    deadline=None,
    max_examples=12,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
@example(  # the letter of the last chapter was one of its own
    {1: ["Leo found the key in the box."], 2: ["Signe found a letter under the bench."]},
    [(1, ["Mara put the letter in the tin box."])],
)
@example(  # what a chapter was told of it is no longer told
    {1: ["Mara put the letter in the tin box."], 2: ["The letter was torn."], 3: ["Tom broke the lamp."]},
    [(1, None), (3, ["The letter was torn."])],
)
@example(  # the last chapter is read first, and the first one last
    {
        3: ["I walked to the harbour. The sun set.", "The old tin box stood under the bench."],
        2: ["Mara put the letter in the tin box."],
        1: ["Leo found the key in the box."],
    },
    [
        (3, ["She promised to find the key."]),
        (3, None),
        (2, ["Mara put the letter in the tin box.", "She promised to find the key."]),
    ],
)
@given(story=stories, edits=changes)
def test_the_world_is_that_of_a_fresh_reading(story: Story, edits: list[Change]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder) / "book"
        book.mkdir()
        with World.open(folder, create=True) as world:
            for number, sentences in (*story.items(), *edits):
                read(world, book, number, sentences)
            for unit in sorted(book.iterdir())[:1]:  # a reading after the last chapter was taken out
                world.read(unit)
            assert said(world, book) == afresh(book)


def test_another_process_goes_on_where_the_last_one_stopped(tmp_path: Path) -> None:
    """Nothing but what stands beside the journal tells it what each chapter was told."""
    book = tmp_path / "book"
    book.mkdir()
    edits: list[Change] = [
        (1, ["Leo found the key in the box."]),
        (2, ["Signe found a letter under the bench."]),
        (1, ["Mara put the letter in the tin box."]),
    ]
    for number, sentences in edits:
        with World.open(tmp_path, create=True) as world:
            read(world, book, number, sentences)
    with World.open(tmp_path) as world:
        assert said(world, book) == afresh(book)


def test_a_check_reads_again_what_a_chapter_that_was_taken_out_concerned(tmp_path: Path) -> None:
    book = tmp_path / "book"
    book.mkdir()
    with World.open(tmp_path, create=True) as world:
        read(world, book, 1, ["Mara was in the den. Mara took the key."])
        read(world, book, 2, ["Mara dropped the key."])
        read(world, book, 1, None)
        told: list[str] = []
        world.check(tell=lambda done, total, unit: told.append(unit))
        world.check(tell=lambda done, total, unit: told.append(unit))

        assert told == ["ch02 read again: it speaks of key, Mara"]
        assert said(world, book) == afresh(book)


def test_only_what_an_edit_concerns_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read_so_far: list[str] = []
    real = reader.read_prose
    monkeypatch.setattr(
        reader,
        "read_prose",
        lambda unit, *rest, **more: (read_so_far.append(unit.id), real(unit, *rest, **more))[1],
    )
    book = tmp_path / "book"
    book.mkdir()
    with World.open(tmp_path, create=True) as world:
        read(world, book, 1, ["Mara was in the den. Mara took the key."])
        read(world, book, 2, ["Mara dropped the key."])
        read(world, book, 3, ["Tom broke the lamp."])
        del read_so_far[:]
        (book / "ch01.md").write_text("Mara was in the attic. Mara took the key.")
        done = [(one.unit, one.again) for one in world.read(book / "ch01.md")]

    assert done == [("ch01", ()), ("ch02", ("Mara",))]
    assert read_so_far == ["ch01", "ch02"]


def test_a_file_of_the_story_is_looked_for_in_the_story_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever checks from another folder may have a file of that name there."""
    book = tmp_path / "book"
    book.mkdir()
    (tmp_path / "ch01.md").write_text("Ida slept.")
    (book / "ch01.md").write_text("Leo slept.")
    monkeypatch.chdir(book)
    with World.open(book, create=True) as world:
        world.read("ch01.md")
        monkeypatch.chdir(tmp_path)
        world.check()

        assert len(world.log()) == 1
