"""A situation's own world: the base facts it may see, with everything derived again from those alone.

The cut is made before derivation, by `admissible.dl`, so that no view, summary or plotline built on the rest can
leak. Reads a living world, changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from narraworld.kb.carriers import Carriers
from narraworld.rules.engines import Engine, Limits
from narraworld.rules.engines.choose import EngineName, engine_for
from narraworld.rules.ir import Atom, Program, Row, Var
from narraworld.rules.reach import needed

__all__ = ["Horizon", "cut", "every_row"]

ALWAYS = frozenset({"switch"})  # what the caller says is seen from everywhere
FAR = 2**62  # later than any tick or position

Rows: TypeAlias = dict[str, list[Row]]
Mentions: TypeAlias = set[tuple[str, str]]  # a node, and a unit that says something of it


@dataclass(frozen=True, slots=True)
class Horizon:
    """How far a situation sees: ``story`` in ticks, ``told`` in positions; None means to the end."""

    story: int | None = None
    told: int | None = None

    @property
    def everything(self) -> bool:
        return self.story is None and self.told is None

    @property
    def rows(self) -> dict[str, list[Row]]:
        return {
            "story_now": [(FAR if self.story is None else self.story,)],
            "told_now": [(FAR if self.told is None else self.told,)],
        }


def every_row(engine: Engine, relation: str) -> list[Row]:
    columns = tuple(Var(f"V{i}") for i in range(engine.program.relations[relation].arity))
    return engine.ask(Atom(relation, columns))


def cut(
    engine: Engine,
    carriers: Carriers,
    horizon: Horizon,
    *,
    name: EngineName = "auto",
    limits: Limits | None = None,
) -> Engine:
    """A new engine that knows only what lies within ``horizon``."""
    program = engine.program
    facts = {relation: every_row(engine, relation) for relation in program.base()} | horizon.rows
    kept = _within(facts, carriers, _admissible(program, facts, limits)) | horizon.rows
    return engine_for(program, kept, name, limits=limits)


def _admissible(program: Program, facts: Rows, limits: Limits | None) -> Mentions:
    part = needed(program, ["admissible"])
    given = {name: rows for name, rows in facts.items() if name in part.relations}
    deciding = engine_for(part, given, limits=limits)
    try:
        return {(str(node), str(unit)) for node, unit in every_row(deciding, "admissible")}
    finally:
        deciding.close()


def _within(facts: Rows, carriers: Carriers, admissible: Mentions) -> Rows:
    """Records go with their unit; a row about something shared stays if an admissible mention carries it."""
    units = {unit for _, unit in admissible}
    kept = {name: rows for name, rows in facts.items() if name in ALWAYS}
    for relation in facts.keys() - ALWAYS:
        kept[relation] = [row for row in facts[relation] if _mention(str(row[0]), units) in admissible]
    for relation, row in carriers.shared(lambda node, unit: (node, unit) in admissible):
        kept.setdefault(relation, []).append(row)
    return kept


def _mention(node: str, units: set[str]) -> tuple[str, str]:
    return node, node if node in units else node.partition("/")[0]
