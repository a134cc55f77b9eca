"""An import says what a file says, once: the same file again changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from narraworld.kb.journal.store import Store
from narraworld.world import World

Command = Callable[..., Any]


def units(folder: Path, branch: str = "main") -> list[str]:
    return [entry.unit for entry in Store.open(folder).log(branch)]


@pytest.mark.parametrize("suffix", ["trig", "nq"])
def test_the_second_import_of_a_file_makes_no_revision(
    suffix: str, key_folder: Path, tmp_path: Path, narraworld: Command
) -> None:
    file, novel = tmp_path / f"key.{suffix}", tmp_path / "novel"
    assert narraworld("export", file, "--world", key_folder).code == 0
    first = narraworld("import", file, "--world", novel)
    second = narraworld("import", file, "--world", novel)
    assert (first.code, second.code) == (0, 0)
    assert second.out == first.out
    assert units(novel) == ["ch01", "ch02", "ch03"]


def test_what_was_changed_or_taken_out_since_is_imported_again(key_copy: Path, tmp_path: Path) -> None:
    with World.open(key_copy) as world:
        world.export(tmp_path / "key.nq")
        world.retract("ch03")
        readings, _ = world.import_(tmp_path / "key.nq")
        assert [(one.unit, one.entry.revision if one.entry else 0) for one in readings] == [
            ("ch01", 1), ("ch02", 2), ("ch03", 5),
        ]  # fmt: skip


def test_a_branch_takes_what_it_shows_from_its_parent(key_copy: Path, tmp_path: Path) -> None:
    with World.open(key_copy) as world:
        world.export(tmp_path / "key.nq")
        world.branch("what-if")
        world.import_(tmp_path / "key.nq", branch="what-if")
        assert world.log("what-if") == []


def test_reindex_sweeps_what_is_left_of_branches_that_are_no_more(
    key_copy: Path, narraworld: Command
) -> None:
    with World.open(key_copy) as world:
        left = world.store.cache("deleted-long-ago")
        left.mkdir(parents=True)
        world.reindex()
        assert not left.exists() and world.store.cache().is_dir()
