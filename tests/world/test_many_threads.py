"""Worlds share a process without hearing of each other, and a world is shared by threads that take turns."""

from __future__ import annotations

import shutil
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from threading import Barrier

import pytest
from places import STORIES

from narraworld.query.scope import Scope
from narraworld.query.situation import Situation
from narraworld.world import World

HERE = Situation(at="ch01")
A_MOMENT = 0.5  # seconds in which another thread could do mischief; a shorter one would only let more pass
QUESTIONS = {
    "key": [
        ("mistaken(Who, P, Truth)", Situation(at="ch02"), (("leo", "key.location.drawer", "ch02/state-1"),)),
        ("knows(Leo, P)", HERE, (("key.location.drawer",),)),
        ("status(D, S, _)", Situation(), (("fetching-the-key", "resolved"),)),
        ('believes2("mara", "leo", "Leo has the key")', Situation(), (("yes",),)),
    ],
    "gate": [
        ("mistaken(Who, P, Truth)", Situation(), ()),
        ("knows(Mara, P)", Situation(), (("gate.open:unlocked",),)),
        ("status(D, S, _)", HERE, (("getting-leon-out", "opened"),)),
        ("possible(H, D)", Situation(), (("ch02/rescue", "getting-leon-out"),)),
    ],
}


def test_two_worlds_and_four_threads(stories: dict[str, World]) -> None:
    """Each thread asks both worlds by turns, all at once; nobody gets another's answer."""
    start = Barrier(4)
    with World.open(stories["key"].path) as key, World.open(stories["gate"].path) as gate:
        worlds = {"key": key, "gate": gate}

        def ask(shift: int) -> list[str]:
            start.wait()
            wrong = []
            for turn in range(4):
                for story in ("key", "gate"):
                    text, situation, expected = QUESTIONS[story][(turn + shift) % 4]
                    found = worlds[story].query(text, situation).rows
                    if found != expected:
                        wrong.append(f"{story}: {text}: {found}")
            return wrong

        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(ask, range(4))) == [[], [], [], []]


def test_one_reads_while_others_ask(tmp_path: Path, key_folder: Path) -> None:
    """Answers are from before or from after, never from between: what is retracted and read again is whole."""
    shutil.copytree(key_folder, tmp_path / "novel")
    with World.open(tmp_path / "novel") as world:
        whole, without = world.views(), None
        world.retract("ch03")
        without = world.views()

        def edit() -> None:
            for _ in range(3):
                world.read(STORIES / "key" / "03-the-telling.toml")
                world.retract("ch03")

        def look(_: int) -> bool:
            return all(len(world.query("happened(E)").rows) in (3, 5) for _ in range(6))

        with ThreadPoolExecutor(4) as pool:
            editing = pool.submit(edit)
            assert all(pool.map(look, range(3)))
            editing.result()
        assert world.views() == without != whole


def test_another_world_beside_the_same_story_answers_while_one_writes(
    tmp_path: Path, key_folder: Path
) -> None:
    """As two processes would: they share the tables on the disk and nothing else. Old or new, never between."""
    shutil.copytree(key_folder, tmp_path / "novel")
    with World.open(tmp_path / "novel") as writer, World.open(tmp_path / "novel") as reader:
        writer.retract("ch03")

        def edit() -> list[int]:
            found = []
            for _ in range(3):
                writer.read(STORIES / "key" / "03-the-telling.toml")
                found.append(len(writer.query("happened(E)").rows))
                writer.retract("ch03")
                found.append(len(writer.query("happened(E)").rows))
            return found

        def look(_: int) -> set[int]:
            return {len(reader.query("happened(E)").rows) for _ in range(6)}

        with ThreadPoolExecutor(3) as pool:
            editing = pool.submit(edit)
            assert set().union(*pool.map(look, range(2))) <= {3, 5}
            assert editing.result() == [5, 3] * 3
        assert len(reader.query("happened(E)").rows) == 3


def test_no_scope_is_outdated_while_it_answers(
    tmp_path: Path, key_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another thread reads and asks just when one has its scope and has not asked yet: it has to wait for its turn."""
    shutil.copytree(key_folder, tmp_path / "novel")
    with World.open(tmp_path / "novel") as world, ThreadPoolExecutor(1) as other:
        scope = world.scope
        edits: list[Future[object]] = []

        def interrupted(situation: Situation = HERE) -> Scope:
            found = scope(situation)
            monkeypatch.undo()
            edits.append(other.submit(lambda: (world.retract("ch03"), world.views())))
            wait(edits, timeout=A_MOMENT)  # without turns the other is done by then, mostly
            return found

        monkeypatch.setattr(world, "scope", interrupted)
        assert len(world.query("happened(E)", Situation()).rows) == 5
        edits[0].result()
        assert len(world.query("happened(E)", Situation()).rows) == 3
