"""kill -9 at every step a writer takes on the disk: does the store open, is it whole, is anything lost or left behind?

One life of a writer: chapters written, rewritten and taken out, a what-if made, written on and deleted. A child lives it
and is killed before its first, second, third … touch of the disk (opening for writing, half a write, fsync, link, rename,
removal); a new store for each. Nothing here waits or hopes to hit the moment: the moments are counted.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import process_time

from bench.frame import Figures, show
from narraworld.kb import quads as rdf
from narraworld.kb.journal.store import FOLDER, Store

__all__ = ["add_options", "run"]

KILLS, MANY = 200, 1_000
SECRET = "the butler did it"  # only ever said on the what-if that is deleted
TOUCHES = frozenset({"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "os.chmod", "os.truncate"})
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
DELETED = b"deleted\n"
IN_MEMORY = Path("/dev/shm")  # a kill is no power cut: the disk may as well be memory, which is quicker


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--kills", type=int, default=KILLS, metavar="N", help=f"writers to kill ({KILLS})")
    parser.add_argument("--many", action="store_true", help=f"kill {MANY:,}")


def run(options: argparse.Namespace) -> Figures:
    kills = MANY if options.many else options.kills
    rdf.canonical(_says("warm-up"), "warm-up")  # what is imported once need not be imported by every child
    started, steps = process_time(), _steps_of_a_life()
    found: Counter[str] = Counter()
    for number in range(kills):
        with _folder() as folder:
            found.update(_killed(Path(folder), 1 + number % steps))
    troubles = {name: found[name] for name in ("not whole", "lost", "left behind", "not writable")}
    show(f"{kills} writers killed, each before one of {steps} steps", ["found afterwards", "times"],
         [[name, str(times)] for name, times in sorted({**found, **troubles}.items())])  # fmt: skip
    return {"kills": found["killed"], "steps": steps, "seconds": process_time() - started, **troubles}


def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(dir=IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None)


def _steps_of_a_life() -> int:
    """How many times a writer touches the disk who is not killed."""
    with _folder() as folder:
        says, hears = os.pipe()
        child = os.fork()
        if child == 0:
            steps = _Steps(sys.maxsize)
            _life(Path(folder), lambda _: None)
            os.write(hears, str(steps.taken).encode())
            os._exit(0)
        os.waitpid(child, 0)
        os.close(hears)
        with os.fdopen(says) as said:
            return int(said.read())


def _killed(folder: Path, step: int) -> list[str]:
    """Kill one writer before this step; what is to be said of its store then."""
    says, hears = os.pipe()
    child = os.fork()
    if child == 0:
        _Steps(step)
        _life(folder, lambda line: os.write(hears, line))
        os._exit(0)
    os.close(hears)
    with os.fdopen(says, "rb") as said:
        acknowledged = said.read()
    _, ended = os.waitpid(child, 0)
    killed = ["killed"] if os.WIFSIGNALED(ended) else ["lived"]
    return killed + _troubles(folder, acknowledged)


class _Steps:
    """Counts touches of the disk in this process, and kills it before one of them. There is no way back."""

    def __init__(self, last: int) -> None:
        self.taken, self._last = 0, last
        self._sync, self._write = os.fsync, Path.write_bytes
        sys.addaudithook(self._look)
        os.fsync, Path.write_bytes = self._synced, self._halved(self)  # type: ignore[assignment,method-assign]

    def step(self) -> None:
        self.taken += 1
        if self.taken == self._last:
            os.kill(os.getpid(), signal.SIGKILL)

    def _look(self, event: str, about: tuple[object, ...]) -> None:
        if event in TOUCHES or (event == "open" and isinstance(about[2], int) and about[2] & WRITING):
            self.step()

    def _synced(self, fd: int) -> None:
        self.step()
        self._sync(fd)

    @staticmethod
    def _halved(steps: _Steps) -> Callable[[Path, bytes], int]:
        def write(path: Path, data: bytes) -> int:
            with path.open("wb", buffering=0) as file:
                file.write(data[: len(data) // 2])
                steps.step()
                file.write(data[len(data) // 2 :])
            return len(data)

        return write


def _life(folder: Path, acknowledge: Callable[[bytes], object]) -> None:
    """Each commit is acknowledged once it has returned."""
    store = Store.create(folder)

    def told(unit: str, text: str, branch: str = "main") -> None:
        entry = store.commit(unit, _says(text), branch=branch)
        acknowledge(f"{branch} {entry.revision} {unit}\n".encode())

    told("ch01", "a letter came")
    told("ch02", "it was burnt")
    told("ch01", "two letters came")
    store.new_branch("what-if")
    told("ch03", SECRET, "what-if")
    _cached(store, "what-if")
    entry = store.retract("ch02")
    acknowledge(f"main {entry.revision} ch02\n".encode())
    store.delete_branch("what-if")
    acknowledge(DELETED)
    told("ch04", "nobody asked")


def _says(text: str) -> str:
    return f'<urn:nw:leo> <urn:said> "{text}" .\n'


def _cached(store: Store, branch: str) -> None:
    """A cache with words in it, as derived tables and search indexes have them."""
    store.cache(branch).mkdir(parents=True)
    (store.cache(branch) / "words.txt").write_text(SECRET, encoding="utf-8")


def _troubles(folder: Path, acknowledged: bytes) -> list[str]:
    if not (folder / FOLDER / "journal").is_dir():
        return ["lost"] if acknowledged else []  # killed before there was a store
    store = Store.open(folder)
    troubles = ["not whole"] if store.verify() else []
    lines = acknowledged.decode().splitlines()
    there = {
        f"{name} {entry.revision} {entry.unit}" for name in _branches(store) for entry in store.log(name)
    }
    gone = any(line.startswith("deleted") for line in lines) or "what-if" not in _branches(store)
    wanted = {line for line in lines if line != "deleted" and not (gone and line.startswith("what-if"))}
    troubles += ["lost"] if wanted - there else []
    troubles += ["left behind"] if gone and _is_said(SECRET, store.root) else []
    return troubles + _goes_on(store)


def _branches(store: Store) -> list[str]:
    return ["main", *(branch.name for branch in store.branches())]


def _is_said(words: str, root: Path) -> bool:
    return any(words.encode() in path.read_bytes() for path in root.rglob("*") if path.is_file())


def _goes_on(store: Store) -> list[str]:
    """The next writer sweeps and continues."""
    before = store.snapshot().revision
    entry = store.commit("ch99", _says("the next writer"))
    strays = [
        path for path in store.root.rglob(".*") if path.is_file() or path.name.startswith((".new", ".old"))
    ]
    return [] if entry.revision == before + 1 and not store.verify() and not strays else ["not writable"]
