"""What each command costs in a process of its own on a novel: processor seconds against what it may cost.

The novel is read once into a folder (`--world` keeps it there for the next run), every cache is made by a first round, and what is
measured is a later one: user and system seconds of the whole process and its children. Bytecode is kept, in a folder of our own,
whatever the environment says. Edits a copy of the manuscript for `check` after an edit, never the novel itself.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.frame import Figures, dataset, show, the_file

__all__ = ["add_options", "run"]

NOVEL = "1342*.txt"
CHARACTERS = "SELECT ?one WHERE { ?one a <https://narraworld.org/ontology#Character> }"
REQUEST = "the next scene: somebody keeps a promise, late at night"


@dataclass(frozen=True, slots=True)
class ColdCommand:
    """A command and the processor seconds it may take; a situated one is held against the same without its situation."""

    name: str
    words: tuple[str, ...]
    bar: float | None = None
    against: str | None = None


COMMANDS = (
    ColdCommand("--help", ("--help",), 0.15),
    ColdCommand("log", ("log",), 0.3),
    ColdCommand("ask", ("ask", "Where is Jane?"), 0.6),
    ColdCommand("ask, a deed", ("ask", "What did Mr. Collins say about the parsonage?"), 0.6),
    ColdCommand("ask, no rule", ("ask", "Who paid Wickham's debts in London?"), 0.6),
    ColdCommand("query", ("query", "mistaken(Who, P, Truth)"), 0.6),
    ColdCommand("knows", ("knows",), 0.6),
    ColdCommand("preview", ("preview",), 0.6),
    ColdCommand("views", ("views",), 0.8),
    ColdCommand("check", ("check",), 0.9),
    ColdCommand("context", ("context", REQUEST), 1.5),
    ColdCommand("sparql", ("sparql", CHARACTERS), 1.0),
    ColdCommand("why", ("why", "holds(P)"), 1.2),
    ColdCommand("diff", ("diff", "r60", "r61"), 1.8),
    ColdCommand("views --at, first", ("views", "--at", "{chapter}"), against="views"),
    ColdCommand("views --at, kept", ("views", "--at", "ch30"), against="views"),
    ColdCommand("context --at, first", ("context", REQUEST, "--at", "{chapter}"), against="context"),
    ColdCommand("context --at, kept", ("context", REQUEST, "--at", "ch30"), against="context"),
)
AFTER_EDIT = ColdCommand("check after an edit", ("check",), 3.5)
TWICE = 2.0  # what a situation may cost, against the same without one


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--world", type=Path, help="read the novel into this folder, or use it if it is there"
    )
    parser.add_argument("--rounds", type=int, default=3, help="runs of each command; the median counts")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only these commands")


def run(options: argparse.Namespace) -> Figures:
    with _world(options) as (world, environment):
        chosen = [one for one in COMMANDS if not options.only or one.name in options.only]
        for command in chosen:
            _spent(world, environment, command, "ch29")  # fills every cache
        found = {one.name: _median(world, environment, one, options.rounds) for one in chosen}
        if not options.only or AFTER_EDIT.name in options.only:
            _edited(world, environment)  # compiles the reader's modules, which no command above has imported
            found[AFTER_EDIT.name] = statistics.median(
                _edited(world, environment) for _ in range(options.rounds)
            )
    bars = {one.name: one.bar for one in (*COMMANDS, AFTER_EDIT)}
    against = {one.name: one.against for one in COMMANDS if one.against in found}
    show("cold commands on a novel", ["command", "processor s", "bar", "ratio"],
         ([name, f"{spent:.2f}", f"{bars[name]:.2f}" if bars[name] else "", _ratio(name, found, against)] for name, spent in found.items()))  # fmt: skip
    over = sorted(name for name, spent in found.items() if (bars[name] or spent) < spent)
    slow = sorted(
        name for name, other in against.items() if name in found and found[name] > TWICE * found[other or ""]
    )
    return {"seconds": found, "over_their_bar": over, "situated_over_twice": slow}


def _ratio(name: str, found: Mapping[str, float], against: Mapping[str, str | None]) -> str:
    other = against.get(name)
    return f"{found[name] / found[other]:.2f} × {other}" if other else ""


@contextmanager
def _world(options: argparse.Namespace) -> Iterator[tuple[Path, dict[str, str]]]:
    """The novel's world, and the environment of a command: bytecode kept."""
    with tempfile.TemporaryDirectory() as scratch:
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = str(Path(scratch) / "bytecode")
        world = options.world or Path(scratch) / "world"
        if not (world / ".narraworld").is_dir():
            world.mkdir(parents=True, exist_ok=True)
            novel = the_file(dataset("novels", options.data), NOVEL)
            shutil.copyfile(novel, world / "novel.txt")
            (world / "novel.txt").chmod(0o644)
            _run(world, environment, ["read", "novel.txt"])
        yield world, environment


def _median(world: Path, environment: dict[str, str], command: ColdCommand, rounds: int) -> float:
    if command.name.endswith("kept"):
        _spent(world, environment, command, "")
    chapters = iter(f"ch{number}" for number in range(28, 28 - rounds, -1))
    return statistics.median(
        _spent(world, environment, command, chapter)
        for chapter, _ in zip(chapters, range(rounds), strict=True)
    )


def _spent(world: Path, environment: dict[str, str], command: ColdCommand, chapter: str) -> float:
    """Processor seconds of the command; a situation that is wanted for the first time has its cuts removed before."""
    if "{chapter}" in command.words:
        shutil.rmtree(world / ".narraworld/cache/main/cuts", ignore_errors=True)
    return _run(world, environment, [word.replace("{chapter}", chapter) for word in command.words])


def _edited(world: Path, environment: dict[str, str]) -> float:
    """One sentence more in a chapter near the end, then `check`; the manuscript and the world are put back."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "world"
        shutil.copytree(world, copy)
        text = (copy / "novel.txt").read_text("utf-8")
        place = text.find("\n\n", int(len(text) * 0.9))
        (copy / "novel.txt").write_text(f"{text[:place]} The horse was lame.{text[place:]}", "utf-8")
        return _run(copy, environment, ["check"])


def _run(world: Path, environment: dict[str, str], words: Sequence[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "narraworld", *words],
        cwd=world, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False, text=True,
    )  # fmt: skip
    if done.returncode not in (0, 1):
        raise RuntimeError(f"narraworld {' '.join(words)}: {done.stderr.strip()}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
