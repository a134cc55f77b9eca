"""A disk that fills up: one message, nothing lost, and all is well again once there is room."""

from __future__ import annotations

from collections.abc import Callable
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest
from places import STORIES

from narraworld.kb.journal.store import Store
from narraworld.rules.engines.sqlite.engine import SqliteEngine
from narraworld.rules.errors import EngineError
from narraworld.rules.language.ir import Atom, Var
from narraworld.rules.language.program import load_program
from narraworld.rules.language.surface.syntax import parse

Command = Callable[..., Any]


def test_full_in_the_middle_of_the_journal(
    key_copy: Path, narraworld: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, chapters = Path.write_bytes, sorted((STORIES / "gate").glob("*.toml"))

    def full(path: Path, data: bytes) -> int:
        if "000005-" not in path.name:
            return write(path, data)
        write(path, data[: len(data) // 2])
        raise OSError(ENOSPC, "No space left on device", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        said = narraworld("read", *chapters, "-w", key_copy)
    assert said.code == 2 and "Traceback" not in said.err
    assert said.err.splitlines()[-1].endswith("No space left on device")
    store = Store.open(key_copy)
    assert ([entry.revision for entry in store.log()], store.verify()) == ([1, 2, 3, 4], [])
    assert not list((store.root / "journal").glob(".*"))
    again = narraworld("read", *chapters, "-w", key_copy)
    assert again.code == 0 and Store.open(key_copy).verify() == []


def test_full_in_the_middle_of_the_tables(tmp_path: Path) -> None:
    """SQLite is told that it may have no more pages than it has; as on a disk without room."""
    rules = ".decl told(who:symbol)\n.input told\n.decl knows(who:symbol)\nknows(W) :- told(W).\n"
    engine = SqliteEngine(load_program([parse(rules, "house.dl")]), tmp_path / "world.sqlite")
    engine.load({"told": [("leo",)]}, stamp="r1")
    pages = engine._connected().execute("PRAGMA page_count").fetchone()[0]
    engine._connected().execute(f"PRAGMA max_page_count = {pages}")
    crowd = [(f"p{number:09}",) for number in range(5_000)]
    with pytest.raises(EngineError) as full:
        engine.load({"told": crowd}, stamp="r2")
    assert str(full.value) == (
        f"{tmp_path / 'world.sqlite'}: SQLite could not derive 'base facts': database or disk is full\n"
        "  free some space and ask again: this is only a cache, what was read is safe"
    )
    knows = Atom("knows", (Var("W"),))
    assert (engine.stamp, engine.ask(knows)) == ("r1", [("leo",)])
    engine._connected().execute("PRAGMA max_page_count = 1000000")
    engine.load({"told": crowd}, stamp="r2")
    assert (engine.stamp, len(engine.ask(knows))) == ("r2", 5_000)
    engine.close()
