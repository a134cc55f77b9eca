"""Story Intention Graphs: closure and patterns of the pack `sig` against the reference, tuple by tuple.

The encodings of DramaBank and the synthetic ones beside them, each derived on SQLite and on DuckDB. A number here proves the
rules and the engines, not a reading.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from contextlib import closing
from pathlib import Path
from time import process_time

from bench.frame import Figures, dataset, show
from narraworld.query.theories.fact_tables import fact_rows
from narraworld.rules.engines import Engine
from narraworld.rules.engines.choose import EngineName, engine_for
from narraworld.rules.language.dependencies import needed
from narraworld.rules.language.ir import Atom, Program, Relation, Var
from narraworld.rules.language.program import load_builtin
from narraworld.rules.packs.pack import load_pack_named

__all__ = ["DATA", "add_options", "run"]

DATA = "dramabank"
ENGINES: tuple[EngineName, ...] = ("sqlite", "duckdb")
Tuples = Counter[tuple[str, ...]]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--engine", action="append", choices=ENGINES, help="only this engine; may be repeated"
    )
    parser.add_argument("--only", default="", help="only encodings whose folder's name holds this")


def run(options: argparse.Namespace) -> Figures:
    folder = dataset(DATA, options.data)
    encodings = [one for one in sorted(folder.glob("*/*/facts.tsv")) if options.only in one.parent.name]
    names = [line.split("\t")[0] for line in _lines(folder / "relations.tsv")[1:]]
    pack = load_pack_named("sig", load_builtin())
    relations = {name: _relation(name, pack.program) for name in names}
    program = needed(pack.program, [one.name for one in relations.values()])
    figures: dict[str, object] = {"encodings": len(encodings), "relations": len(relations)}
    for engine in options.engine or ENGINES:
        start, outcome = process_time(), Counter[str]()
        for facts in encodings:
            outcome.update(_compared(facts, program, relations, engine))
        seconds = round(process_time() - start, 1)
        figures |= {f"{engine}_{key}": outcome[key] for key in ("tuples", "missing", "wrong", "equal")}
        figures[f"{engine}_seconds"] = seconds
    show(
        "Story Intention Graphs against the reference",
        ["engine", "encodings equal", "tuples", "missing", "wrong", "seconds"],
        [
            [one, *(figures[f"{one}_{key}"] for key in ("equal", "tuples", "missing", "wrong", "seconds"))]
            for one in options.engine or ENGINES
        ],
    )
    return figures


def _relation(name: str, program: Program) -> Relation:
    """`actualizesTransitive/3` is ours as `sig_actualizes_transitive_3`; the shortest form has no number."""
    said, _, arity = name.partition("/")
    ours = "sig_" + re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", said)
    return next(
        program.relations[one]
        for one in (f"{ours}_{arity}", ours)
        if one in program.relations and program.relations[one].arity == int(arity)
    )


def _compared(
    facts: Path, program: Program, relations: dict[str, Relation], name: EngineName
) -> dict[str, int]:
    expected = {tuple(line.split("\t")) for line in _lines(facts.parent / "expected.tsv")}
    with closing(engine_for(program, {"sig_fact": fact_rows(facts, 3)}, name)) as engine:
        found = {(said, *row) for said, one in relations.items() for row in _rows(engine, one)}
    missing, wrong = len(expected - found), len(found - expected)
    return {"tuples": len(found), "missing": missing, "wrong": wrong, "equal": int(not missing and not wrong)}


def _rows(engine: Engine, relation: Relation) -> list[tuple[str, ...]]:
    goal = Atom(relation.name, tuple(Var(f"V{i}") for i in range(relation.arity)))
    return [tuple(map(str, row)) for row in engine.ask(goal)]


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").rstrip("\n").split("\n")
