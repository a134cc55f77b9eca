"""Writers killed at any moment: the journal opens, is whole, and has every commit that was acknowledged.

200 crashes by default; `NARRAWORLD_CRASHES=1000` for more. One process forks the writers, so that a crash costs
milliseconds and not the start of an interpreter; each writer prints a revision once its commit has returned.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from narraworld.kb.journal.store import Store

CRASHES = int(os.environ.get("NARRAWORLD_CRASHES", "200"))
BODY = "".join(f'<urn:nw:ch/r{n}> <urn:p> "{"word " * 40}" .\n' for n in range(40))

# Forks one writer per line of input, prints its process id, and waits for its end before the next.
NURSERY = """
import os, sys
from narraworld.kb import quads as rdf
from narraworld.kb.journal.store import Store
path, body = sys.argv[1], sys.argv[2]
rdf.canonical(body, "warm-up")
for crash in sys.stdin:
    child = os.fork()
    if child == 0:
        store = Store.open(path)
        os.write(1, f"{os.getpid()}\\n".encode())
        number = 0
        while True:
            number += 1
            gone = number % 3 == 0
            unit = f"ch{int(crash)}-{number - gone}"
            entry = store.retract(unit) if gone else store.commit(unit, body)
            os.write(1, f"{entry.revision} {unit} {entry.kind}\\n".encode())
    os.waitpid(child, 0)
    os.write(1, b"crashed\\n")
"""


class Nursery:
    """Writers to be killed. `pace` is how long one of their commits takes, which is up to the disk."""

    pace = 0.001

    def __init__(self, path: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", NURSERY, str(path), BODY],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def crash(self, number: int, chance: random.Random) -> list[tuple[int, str, str]]:
        """Kill a writer at a random point of one of its first commits; return what it acknowledged."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(f"{number}\n")
        writer = int(self.process.stdout.readline())
        acknowledged = [self._acknowledged() for _ in range(chance.randrange(4))]
        time.sleep(chance.uniform(0, 1.5 * self.pace))
        os.kill(writer, signal.SIGKILL)
        while (line := self.process.stdout.readline()) != "crashed\n":
            acknowledged.append(_parsed(line))
        return acknowledged

    def _acknowledged(self) -> tuple[int, str, str]:
        assert self.process.stdout
        start = time.perf_counter()
        line = self.process.stdout.readline()
        self.pace = (self.pace + time.perf_counter() - start) / 2
        return _parsed(line)


def _parsed(line: str) -> tuple[int, str, str]:
    revision, unit, kind = line.split()
    return int(revision), unit, kind


@pytest.fixture
def nursery(tmp_path: Path) -> Iterator[Nursery]:
    Store.create(tmp_path)
    nursery = Nursery(tmp_path)
    yield nursery
    nursery.process.communicate()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")
def test_no_crash_loses_or_halves_a_commit(nursery: Nursery, tmp_path: Path) -> None:
    chance = random.Random(20)
    reader = Store.open(tmp_path)
    acknowledged: list[tuple[int, str, str]] = []
    strays = unacknowledged = 0
    for number in range(CRASHES):
        acknowledged += nursery.crash(number, chance)
        strays += any(path.name.startswith(".") for path in (tmp_path / ".narraworld" / "journal").iterdir())
        head = Store.open(tmp_path).snapshot().revision
        known = acknowledged[-1][0] if acknowledged else 0
        assert known <= head
        unacknowledged += head > known
        assert reader.snapshot().revision == head
    store = Store.open(tmp_path)
    assert store.verify() == []
    log = {entry.revision: (entry.revision, entry.unit, str(entry.kind)) for entry in store.log()}
    assert [log[revision] for revision, _, _ in acknowledged] == acknowledged
    assert len({revision for revision, _, _ in acknowledged}) == len(acknowledged) >= CRASHES
    bodies = {store.body(entry).count("\n") for entry in store.log()}
    assert bodies == {0, 40}, "a commit is there whole, or a retraction"
    assert strays or unacknowledged, "some crashes did hit a writer in the middle"


def test_the_next_writer_sweeps_and_continues(nursery: Nursery, tmp_path: Path) -> None:
    journal = tmp_path / ".narraworld" / "journal"
    known = max((revision for revision, _, _ in nursery.crash(0, random.Random(1))), default=0)
    (journal / ".writing-000999-ch0-0.nq").write_bytes(b"# narraworld {")
    store = Store.open(tmp_path)
    entry = store.commit("ch99", BODY)
    assert entry.revision - known in (1, 2), "one commit may have been done, but not yet acknowledged"
    assert [path for path in journal.iterdir() if path.name.startswith(".")] == []
    assert store.verify() == []


def test_a_full_disk_is_no_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store.create(tmp_path)
    store.commit("ch01", BODY)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left"):
            store.commit("ch02", BODY)
    assert [path.name for path in (store.root / "journal").iterdir()] == ["000001-ch01.nq"]
    assert store.commit("ch02", BODY).revision == 2
    assert store.verify() == []


def test_a_commit_interrupted_after_it_got_its_name_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may or may not survive a power cut, so it is not acknowledged; but its number is not given twice."""
    store = Store.create(tmp_path)

    def interrupted(_: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("narraworld.kb.journal.leaf.sync_folder", interrupted)
        with pytest.raises(KeyboardInterrupt):
            store.commit("ch01", BODY)
    assert store.commit("ch02", BODY).revision == 2
    assert [entry.unit for entry in store.log()] == ["ch01", "ch02"]
    assert store.verify() == []
