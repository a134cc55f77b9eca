"""The bundled stories, read once, and the command run inside this process."""

from __future__ import annotations

import contextlib
import io
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from places import STORIES

from narraworld.commands import app as cli
from narraworld.world import World


@dataclass(frozen=True)
class Said:
    """What a command printed, where, and how it ended."""

    code: int
    out: str
    err: str


@pytest.fixture(scope="session")
def stories(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, World]]:
    """A world for each bundled story. Nobody may write in these: take a copy."""
    worlds = {}
    for story in ("key", "lamp", "gate"):
        worlds[story] = World.open(tmp_path_factory.mktemp(story), create=True)
        for file in sorted((STORIES / story).glob("*.toml")):
            assert [unit.refusals for unit in worlds[story].read(file)] == [()]
    yield worlds
    for world in worlds.values():
        world.close()


@pytest.fixture(scope="session")
def key_folder(stories: dict[str, World], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The key story as it lies on the disk, caches and all; for those who only look."""
    stories["key"].story.living()
    folder = tmp_path_factory.mktemp("key-on-disk") / "novel"
    shutil.copytree(stories["key"].path, folder)
    return folder


@pytest.fixture
def key_copy(key_folder: Path, tmp_path: Path) -> Path:
    """A copy of the key story of one's own."""
    return Path(shutil.copytree(key_folder, tmp_path / "novel"))


@pytest.fixture
def narraworld(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Said]:
    """`narraworld("views", "--at", "ch02")`: the command as a shell would run it, without the shell."""

    def run(*words: str | Path) -> Said:
        out, err = io.StringIO(), io.StringIO()
        monkeypatch.setattr(sys, "argv", ["narraworld", *map(str, words)])
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            pytest.raises(SystemExit) as ended,
        ):
            cli.main()
        return Said(int(ended.value.code or 0), out.getvalue(), err.getvalue())

    return run
