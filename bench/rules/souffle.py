"""Soufflé's own tests: how many of its programs are taken as they are, and whether every engine gives the rows it expects.

`--data` is the folder `tests` of a checkout of souffle-lang/souffle; nothing of it is kept here. Programs are read exactly
as they stand. Those that are accepted run on every engine, each in a process of its own with a limit in processor time,
and are compared with the rows that Soufflé's authors left beside them. Programs that must fail are checked, not run.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import resource
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.frame import Figures, MissingDataError
from narraworld.rules.engines import Limits
from narraworld.rules.engines.choose import engine_for
from narraworld.rules.errors import EngineError, RuleError
from narraworld.rules.language.ir import Atom, Facts, Relation, Row, Var
from narraworld.rules.language.program import RuleBook, load_program
from narraworld.rules.language.surface.inputs import read_rows
from narraworld.rules.language.surface.statements import Directive
from narraworld.rules.language.surface.syntax import parse

__all__ = ["add_options", "run"]

FOLDERS = ("evaluation", "example", "semantic", "syntactic")
ENGINES = ("sqlite", "duckdb", "pydatalog")
WALL = 10  # clock seconds for each second of processor time: the machine may be busy with other things
MEMORY = 8 << 30

# What a refusal is about, by words of the message: the table by feature.
FEATURES = (
    ("records", "records"), ("algebraic types", "algebraic types"), ("components", "components"),
    ("fractions have no place|float is not|no fractions|no mean", "fractions"), ("sign", "unsigned numbers"),
    ("eqrel", "eqrel"), ("no choices", "choice-domain"), ("subsumption|take nothing back", "subsumption"),
    ("functions of your own", "functions of one's own"), ("preprocessor|name both files", "includes and macros"),
    ("powers", "powers"), ("bits", "bits"), ("ranges", "range"), ("functions on text|called match|called contains", "text"),
    ("counters", "counters"), ("casts", "casts"), ("inside another", "aggregate in an aggregate"), ("lattices", "lattices"),
)  # fmt: skip


@dataclass
class Outcome:
    """What became of one test."""

    name: str
    must_fail: bool
    refused: str = ""
    unread: str = ""  # why there is nothing to compare with
    engines: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)


def add_options(options: argparse.ArgumentParser) -> None:
    options.add_argument("--only", nargs="*", default=[], help="names of tests, such as evaluation/neg1")
    options.add_argument("--engines", nargs="*", default=list(ENGINES))
    options.add_argument(
        "--seconds", type=float, default=10.0, help="processor time for each test and engine"
    )
    options.add_argument("--lines", type=Path, help="write one JSON line for each test here")


def run(options: argparse.Namespace) -> Figures:
    tests = list(_tests(options))
    if not tests:
        raise MissingDataError(
            f"no tests of Soufflé in {options.data}: give --data, the folder `tests` of its repository"
        )
    outcomes = [_examined(test, must_fail, options) for test, must_fail in tests]
    if options.lines:
        options.lines.write_text("".join(f"{json.dumps(vars(one))}\n" for one in outcomes))
    return _report(outcomes, options.engines)


# ---- the tests


def _tests(options: argparse.Namespace) -> Iterator[tuple[Path, bool]]:
    for folder in (options.data / name for name in FOLDERS) if options.data else ():
        failing = _must_fail(folder)
        for test in sorted(path.parent for path in folder.glob("*/*.dl") if path.stem == path.parent.name):
            if not options.only or f"{folder.name}/{test.name}" in options.only:
                yield test, test.name in failing


def _must_fail(folder: Path) -> set[str]:
    listed = folder / "CMakeLists.txt"
    text = listed.read_text() if listed.is_file() else ""
    said = {
        path.parent.name for path in folder.glob("*/*.err") if "Error:" in path.read_text(errors="replace")
    }
    return said | set(re.findall(r"^\s*negative_test\((\S+?)\s*\)", text, re.MULTILINE))


def _examined(test: Path, must_fail: bool, options: argparse.Namespace) -> Outcome:
    found = Outcome(f"{test.parent.name}/{test.name}", must_fail)
    text = (test / f"{test.name}.dl").read_text(errors="replace")
    try:
        program = load_program([parse(text, f"{test.name}.dl")])
    except RuleError as error:
        found.refused = str(error)
        return found
    if must_fail:
        return found
    try:
        facts, expected = _facts(test, program), _expected(test, program)
    except (RuleError, OSError) as error:
        found.unread = str(error)
        return found
    for engine in options.engines:
        said, found.seconds[engine] = _asked(program, facts, expected, engine, options.seconds)
        found.engines[engine] = said
    return found


def _facts(test: Path, program: RuleBook) -> Facts:
    found: dict[str, list[Row]] = {}
    for directive in _directives(program, "input"):
        file = dict(directive.parameters).get("filename", f"{directive.relation}.facts")
        path = next(
            (one for one in (test / "facts" / file, test / file) if one.is_file()), test / "facts" / file
        )
        rows = read_rows(program.relations[directive.relation], path, dict(directive.parameters))
        found.setdefault(directive.relation, []).extend(rows)
    return found


def _directives(program: RuleBook, keyword: str) -> Iterator[Directive]:
    return (one for source in program.sources for one in source.directives if one.keyword == keyword)


Expected = dict[str, "set[Row] | int"]


def _expected(test: Path, program: RuleBook) -> Expected:
    """Rows, or just their number, of each relation for which Soufflé's authors left an expectation."""
    said = test / f"{test.name}.out"
    printed = said.read_text(errors="replace") if said.is_file() else ""
    found: Expected = {}
    for one in _directives(program, "printsize"):
        if size := re.search(rf"^{re.escape(one.relation)}\t(\d+)$", printed, re.MULTILINE):
            found[one.relation] = int(size[1])
    for one in _directives(program, "output"):
        given = dict(one.parameters)
        path = test / given.pop("filename", f"{one.relation}.csv")
        if given.get("IO", "file") == "file" and path.is_file():
            found[one.relation] = set(read_rows(program.relations[one.relation], path, given))
    return found


# ---- one engine


def _asked(
    program: RuleBook, facts: Facts, expected: Expected, engine: str, seconds: float
) -> tuple[str, float]:
    """`equal`, or what is wrong, worked out in a process of its own; and the processor time it took."""
    here, there = multiprocessing.Pipe(duplex=False)
    worker = multiprocessing.Process(target=_work, args=(there, program, facts, expected, engine, seconds))
    worker.start()
    there.close()
    try:
        got = here.recv() if here.poll(seconds * WALL + 10) else ("over the time limit", seconds)
    except EOFError:
        worker.join()
        over = worker.exitcode in (-signal.SIGXCPU, -signal.SIGKILL)
        got = ("over the time limit" if over else f"died with {worker.exitcode}", seconds)
    if worker.is_alive():
        worker.terminate()
    worker.join()
    return got


def _work(
    pipe: Any, program: RuleBook, facts: Facts, expected: Expected, engine: str, seconds: float
) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    start = time.process_time()
    try:
        limits = Limits(seconds=seconds * WALL)
        with closing(engine_for(program, facts, engine, limits=limits)) as made:  # type: ignore[arg-type]
            asked = expected or dict.fromkeys(name for name in program.derived())
            rows = {name: made.ask(_whole(program.relations[name])) for name in asked}
        wrong = [_difference(name, rows[name], expected[name]) for name in expected]
        said = next(filter(None, wrong), "equal" if expected else "ran")
    except (EngineError, MemoryError) as error:
        said = f"{type(error).__name__}: {error}"
    pipe.send((said, round(time.process_time() - start, 2)))


def _whole(relation: Relation) -> Atom:
    return Atom(relation.name, tuple(Var(f"V{place}") for place in range(relation.arity)))


def _difference(name: str, rows: list[Row], wanted: set[Row] | int) -> str:
    if isinstance(wanted, int):
        return "" if len(rows) == wanted else f"differs: {name} has {len(rows)} rows, expected {wanted}"
    if set(rows) == wanted and len(rows) == len(wanted):
        return ""
    more, less = sorted(set(rows) - wanted)[:2], sorted(wanted - set(rows))[:2]
    return f"differs: {name} has {len(rows)} rows, expected {len(wanted)}; too many {more}, missing {less}"


# ---- the report


def _report(outcomes: list[Outcome], engines: list[str]) -> Figures:
    running = [one for one in outcomes if not one.must_fail]
    failing = [one for one in outcomes if one.must_fail]
    accepted = [one for one in running if not one.refused]
    print(f"Soufflé's tests: {len(running)} programs that must run, {len(failing)} that must be refused")
    print(
        f"  accepted as written {len(accepted)}; refused programs that must be refused {sum(bool(o.refused) for o in failing)}"
    )
    _print_engines(accepted, engines)
    missed = [one.name for one in failing if not one.refused]
    print(f"  accepted though Soufflé refuses them: {', '.join(missed) or 'none'}")
    print("  refused, by what the message is about:")
    for feature, number in Counter(_feature(one.refused) for one in running if one.refused).most_common():
        print(f"    {number:4}  {feature}")
    wrong = [one for one in accepted if any(said.startswith("differs") for said in one.engines.values())]
    return {
        "accepted": len(accepted),
        "programs": len(running),
        "wrong": len(wrong),
        "refused_right": sum(bool(one.refused) for one in failing),
        "must_be_refused": len(failing),
        **{
            f"equal_{engine}": sum(one.engines.get(engine) == "equal" for one in accepted)
            for engine in engines
        },
    }


def _print_engines(accepted: list[Outcome], engines: list[str]) -> None:
    for engine in engines:
        said = Counter(_short(one.engines[engine]) for one in accepted if engine in one.engines)
        spent = sum(one.seconds.get(engine, 0) for one in accepted)
        print(
            f"  {engine:10} {', '.join(f'{what} {number}' for what, number in said.most_common())}; {spent:.0f} s"
        )
    for one in accepted:
        strange = {engine: said for engine, said in one.engines.items() if said not in ("equal", "ran")}
        if strange or one.unread:
            print(f"    {one.name}: {one.unread or strange}")


def _short(said: str) -> str:
    return said.partition(":")[0]


def _feature(message: str) -> str:
    return next((name for words, name in FEATURES if re.search(words, message)), "something else")
