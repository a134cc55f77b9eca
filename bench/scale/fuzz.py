"""Hostile inputs over all formats and commands: tracebacks, lost units, silenced stories, and what went over the limits.

Each input is one command in a forked process of its own, in a story that twenty inputs share. A unit is lost when the journal
had it before a command that takes nothing away, and has it no longer; a story is silenced when it cannot be asked afterwards.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from bench.frame import Figures, show
from bench.scale.hostile import Hostile, hostile_inputs
from narraworld.kb.journal.store import Store

__all__ = ["Limits", "Tally", "add_options", "fuzz", "run"]

STORY = "Ann took the key. Tom saw Ann. Ann went to the hall.\n"
TOGETHER = 20  # inputs in one story
CRASHED = 70  # EX_SOFTWARE: what no command ends with by itself
ENDS = frozenset({0, 1, 2})
MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """What one command may take: processor time, for on a busy machine the clock says nothing, and memory."""

    seconds: float = 30.0
    megabytes: float = 500.0
    patience: float = (
        60.0  # so many times the seconds by the clock, then it hangs: a crowded machine is slow, not stuck
    )


USUAL = Limits()


@dataclass(slots=True)
class Tally:
    """What happened, by kind of input; every trouble with how to make it again."""

    inputs: Counter[str] = field(default_factory=Counter)
    ends: Counter[int] = field(default_factory=Counter)
    troubles: list[tuple[str, int, str, str]] = field(default_factory=list)
    slowest: float = 0.0
    largest: float = 0.0

    def count(self, what: str) -> int:
        return sum(trouble == what for trouble, *_ in self.troubles)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--inputs", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=13)
    parser.add_argument("--first", type=int, default=0, help="begin with this input, to make one again")
    parser.add_argument("--seconds", type=float, default=USUAL.seconds)
    parser.add_argument("--megabytes", type=float, default=USUAL.megabytes)


def run(options: argparse.Namespace) -> Figures:
    limits = Limits(options.seconds, options.megabytes)
    tally = fuzz(options.seed, options.first + options.inputs, limits, first=options.first)
    show("inputs", ["kind", "inputs"], sorted(tally.inputs.items()))
    for what, number, command, said in tally.troubles:
        print(f"{what}: --seed {options.seed} --first {number} --inputs 1: {command}\n    {said}")
    return {
        "inputs": tally.inputs.total(), "seed": options.seed, "ends": {str(end): n for end, n in sorted(tally.ends.items())},
        **{what: tally.count(what) for what in ("traceback", "odd end", "too slow", "too large", "lost unit", "silenced")},
        "slowest_s": round(tally.slowest, 1), "largest_mb": round(tally.largest),
    }  # fmt: skip


def fuzz(seed: int, last: int, limits: Limits, *, first: int = 0) -> Tally:
    """Try the inputs from ``first`` to before ``last`` of a seed."""
    _warm_up()
    tally, inputs = Tally(), islice(enumerate(hostile_inputs(seed, last)), first, None)
    while batch := list(islice(inputs, TOGETHER)):
        with tempfile.TemporaryDirectory() as folder:
            _try_all(Path(folder), batch, limits, tally)
    return tally


def _warm_up() -> None:
    """Load once what every fork needs: grammar, shapes, rules."""
    with tempfile.TemporaryDirectory() as folder:
        from narraworld.extract.sources import read_sources
        from narraworld.reading.with_embedded import read_embedded
        from narraworld.world import World

        (Path(folder) / "ch01.md").write_text(STORY)
        with World.open(folder, create=True) as world:
            list(read_embedded(world.story, read_sources([Path(folder) / "ch01.md"])))


def _try_all(folder: Path, batch: Sequence[tuple[int, Hostile]], limits: Limits, tally: Tally) -> None:
    novel = folder / "novel"
    novel.mkdir()
    (novel / "ch01.md").write_text(STORY)
    _run(novel, ("read", "ch01.md"), limits)
    for number, one in batch:
        tally.inputs[one.kind] += 1
        before = _units(novel)
        with _prepared(novel, one):
            ended = _run(novel, one.command, limits, one.stdin)
        _judge(tally, number, one, ended, limits)
        if one.command[0] != "retract" and (lost := before - _units(novel)):
            tally.troubles.append(("lost unit", number, _shown(one), ", ".join(lost)))
    asked = _run(novel, ("query", "happened(E)"), limits)
    if asked.code != 0 or "left out" in asked.said:
        tally.troubles.append(("silenced", batch[0][0], f"some of {len(batch)} inputs", asked.said[-300:]))


def _units(novel: Path) -> set[str]:
    return set(Store.open(novel).snapshot())


@contextlib.contextmanager
def _prepared(novel: Path, one: Hostile) -> Iterator[None]:
    """The input's files, there for a while; what else it does stays."""
    for name, data in one.files.items():
        (novel / name).parent.mkdir(exist_ok=True)
        (novel / name).write_bytes(data)
    if one.prepare:
        one.prepare(novel)
    yield
    for path in novel.glob("no.*"):
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    for name in one.files:
        (novel / name).unlink(missing_ok=True)


def _judge(tally: Tally, number: int, one: Hostile, ended: Ended, limits: Limits) -> None:
    tally.ends[ended.code] += 1
    tally.slowest, tally.largest = max(tally.slowest, ended.seconds), max(tally.largest, ended.megabytes)
    troubles = {
        "traceback": "Traceback (most recent call last)" in ended.said,
        "odd end": ended.code not in ENDS and ended.code != CRASHED and ended.seconds < limits.seconds,
        "too slow": ended.seconds >= limits.seconds,
        "too large": ended.megabytes > limits.megabytes,
    }
    tally.troubles += [
        (what, number, _shown(one), ended.said[-600:]) for what, happened in troubles.items() if happened
    ]


def _shown(one: Hostile) -> str:
    return f"{one.kind} {' '.join(one.command)!r:.200}"


# -- one command in a process of its own


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended, what it printed, and what it took."""

    code: int
    said: str
    seconds: float
    megabytes: float


def _run(novel: Path, command: Sequence[str], limits: Limits, stdin: bytes = b"") -> Ended:
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as printed:
        given.write(stdin)
        given.seek(0)
        child = os.fork()
        if child == 0:
            _end_after(limits)
            _be_the_command(novel, command, given.fileno(), printed.fileno())
        code, usage = _waited(child, time.monotonic() + limits.seconds * limits.patience)
        printed.seek(0)
        said = printed.read(MIB).decode("utf-8", "replace")
    seconds = max(usage.ru_utime + usage.ru_stime, limits.seconds if code == -signal.SIGKILL else 0.0)
    return Ended(code, said, seconds, usage.ru_maxrss / 1024)


def _end_after(limits: Limits) -> None:
    """In the fork: twice the processor time that is too slow, and the kernel ends it."""
    most = int(2 * limits.seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))


def _waited(child: int, deadline: float) -> tuple[int, resource.struct_rusage]:
    """The end of a child and what it used; past the deadline it is killed."""
    while True:
        done, status, usage = os.wait4(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status), usage
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            deadline += 60
        time.sleep(0.005)


def _be_the_command(novel: Path, command: Sequence[str], stdin: int, stdout: int) -> None:
    """In the fork: run the command as a shell would, and never return."""
    code = CRASHED
    try:
        os.chdir(novel)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for stream, number in ((stdin, 0), (stdout, 1), (stdout, 2)):
            os.dup2(stream, number)
        sys.stdin, sys.argv = os.fdopen(0, encoding="utf-8"), ["narraworld", *command]
        sys.stdout, sys.stderr = (
            os.fdopen(number, "w", encoding="utf-8", closefd=False) for number in (1, 2)
        )
        from narraworld.commands.app import main

        main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(BaseException):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)
