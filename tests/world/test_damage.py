"""When files are not what they were: damage is named, the rest still answers, and caches are made anew without a word."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from places import STORIES

from narraworld.kb.errors import JournalDamaged
from narraworld.world import World

Command = Callable[..., Any]


def leaf(novel: Path, unit: str) -> Path:
    [found] = (novel / ".narraworld" / "journal").glob(f"*-{unit}.nq")
    return found


def cut_short(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-40])


def scribble(file: Path) -> None:
    """The first line is gone; nobody can tell any more what the file was."""
    file.write_bytes(b"dear diary\n" + file.read_bytes().partition(b"\n")[2])


def forget(novel: Path) -> None:
    shutil.rmtree(novel / ".narraworld" / "cache")


# -- the journal


@pytest.mark.parametrize(
    ("harm", "unit", "left"),
    [
        (cut_short, "ch01", ["ch02/move", "ch03/take", "ch03/telling"]),
        (scribble, "ch03", ["ch01/depart", "ch01/leave", "ch02/move"]),
    ],
    ids=["cut short", "the newest, without its first line"],
)
def test_a_damaged_unit_is_named_and_the_others_answer(
    narraworld: Command, key_copy: Path, harm: Callable[[Path], None], unit: str, left: list[str]
) -> None:
    harm(leaf(key_copy, unit))
    forget(key_copy)

    said = narraworld("query", "happened(E)", "-w", key_copy, "--json")

    assert said.code == 0
    assert [event for event in left if f'"{event}"' in said.out] == left
    assert said.out.count('"ch0') == len(left)
    assert said.err.startswith(f"narraworld: left out of the answer: {leaf(key_copy, unit)}: unit {unit}: ")
    assert "restore the file from a copy" in said.err


def test_it_is_named_each_time_until_it_is_whole_again(narraworld: Command, key_copy: Path) -> None:
    file = leaf(key_copy, "ch02")
    whole = file.read_bytes()
    cut_short(file)
    forget(key_copy)

    for _ in range(2):
        said = narraworld("query", "happened(E)", "-w", key_copy)
        assert (said.code, said.err.count("unit ch02")) == (0, 1)

    file.write_bytes(whole)
    said = narraworld("query", "happened(E)", "-w", key_copy)
    assert said.err == ""
    assert "Mara moved the key" in said.out


def test_reading_the_unit_again_heals_it(narraworld: Command, key_copy: Path) -> None:
    cut_short(leaf(key_copy, "ch01"))
    forget(key_copy)

    assert narraworld("read", STORIES / "key" / "01-the-drawer.toml", "-w", key_copy).code == 0
    said = narraworld("query", "happened(E)", "-w", key_copy, "--json")

    assert said.err == ""
    assert '"ch01/leave"' in said.out


def test_an_export_is_whole_or_not_at_all(narraworld: Command, key_copy: Path, tmp_path: Path) -> None:
    cut_short(leaf(key_copy, "ch02"))

    said = narraworld("export", tmp_path / "key.nq", "-w", key_copy)

    assert said.code == 2
    assert f"{leaf(key_copy, 'ch02')}: unit ch02: the file was cut short" in said.err
    assert not (tmp_path / "key.nq").exists()


def test_the_doctor_sees_what_the_caches_hide(narraworld: Command, key_copy: Path) -> None:
    cut_short(leaf(key_copy, "ch02"))

    assert narraworld("query", "happened(E)", "-w", key_copy).err == "", "the caches are from better days"
    said = narraworld("doctor", "-w", key_copy)

    assert said.code == 1
    assert f"fail  {leaf(key_copy, 'ch02')} (unit ch02, revision 2): the file was cut short\n" in said.out
    assert "ok    2 units, 0 branches, head r3\n" in said.out


def test_damage_is_data_too(key_copy: Path) -> None:
    cut_short(leaf(key_copy, "ch02"))
    forget(key_copy)
    with World.open(key_copy) as world:
        assert world.damage == []
        world.views()
        [trouble] = world.damage

    assert isinstance(trouble, JournalDamaged)
    assert trouble.unit == "ch02"


# -- the caches


@pytest.mark.parametrize("name", ["world.sqlite", "carriers.sqlite"])
@pytest.mark.parametrize("content", [b"dear diary" * 1000, None], ids=["no database", "cut in half"])
def test_a_damaged_cache_is_made_anew(
    narraworld: Command, key_copy: Path, name: str, content: bytes | None
) -> None:
    file = key_copy / ".narraworld" / "cache" / "main" / name
    for log in file.parent.glob("*-wal"):
        log.unlink()
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2] if content is None else content)

    said = narraworld("query", "knows(Mara, P)", "-w", key_copy)

    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines()[-1] == "the key is not in the hollow book"


def test_a_cache_of_another_story_is_not_believed(
    narraworld: Command, key_copy: Path, tmp_path: Path
) -> None:
    """Same revision, other text: the seal of the journal's head tells them apart."""
    narraworld(
        "read",
        *sorted((STORIES / "gate").glob("*.toml")),
        STORIES / "lamp" / "01-the-lamp.toml",
        "-w",
        tmp_path / "b",
    )
    forget(key_copy)
    shutil.copytree(tmp_path / "b" / ".narraworld" / "cache", key_copy / ".narraworld" / "cache")

    assert '"ch03/take"' in narraworld("query", "happened(E)", "-w", key_copy, "--json").out


def test_caches_of_another_process_are_followed(key_copy: Path) -> None:
    """Two worlds on one folder take turns; each sees what the other has read, and neither applies it twice."""
    with World.open(key_copy) as one, World.open(key_copy) as other:
        assert one.views() == other.views()
        one.retract("ch03")
        assert other.views() == one.views()
        other.read(STORIES / "key" / "03-the-telling.toml")
        other.retract("ch01")
        assert one.views() == other.views()
        one.reindex()
        assert one.views() == other.views()


# -- a folder nobody may write in


@contextmanager
def unprivileged() -> Iterator[None]:
    """Permissions mean nothing to root; be nobody for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def shelf(key_folder: Path) -> Iterator[Path]:
    """The key story in a library: to be read, not to be written in."""
    folder = Path(tempfile.mkdtemp())
    novel = Path(shutil.copytree(key_folder, folder / "novel"))
    forget(novel)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield novel
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions are another matter here")
def test_a_library_copy_can_be_read(narraworld: Command, key_copy: Path, shelf: Path) -> None:
    expected = narraworld("views", "-w", key_copy)
    with unprivileged():
        said = narraworld("views", "-w", shelf)

    assert said == expected


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions are another matter here")
def test_a_library_copy_cannot_be_changed(narraworld: Command, key_copy: Path, shelf: Path) -> None:
    narraworld("retract", "ch03", "-w", key_copy)  # imports what it needs while it may
    with unprivileged():
        said = narraworld("retract", "ch03", "-w", shelf)

    assert (said.code, said.out) == (2, "")
    assert said.err == f"narraworld: {shelf / '.narraworld' / 'lock'}: Permission denied\n"
