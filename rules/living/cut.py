"""A situation's own world: the base facts it may see, with everything derived again from those alone.

The cut is made before derivation, by `admissible.dl`, so that no view, summary or plotline built on the rest can
leak. What is told later may also date or reorder what was told before, so the clocks are set anew by what has been
told. Reads a living world, changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from narraworld.kb.rows.carriers import Carriers
from narraworld.kb.rows.times import from_text, told_until
from narraworld.kb.time.clock import assign
from narraworld.rules.engines import Engine, Limits
from narraworld.rules.engines.choose import EngineName, engine_for
from narraworld.rules.language.dependencies import needed
from narraworld.rules.language.ir import Atom, Program, Relation, Row, Var
from narraworld.rules.living.living_world import WorldSetup

__all__ = ["FAR", "Horizon", "ToldStretch", "cut", "every_row", "is_always_seen"]

ALWAYS = frozenset({"switch", "chosen_threshold"})  # what the caller says is seen from everywhere
WORDS = ("words", "table")  # … and what a word means, whose bindings begin so
FAR = 2**62  # later than any tick or position

Rows: TypeAlias = dict[str, list[Row]]
MentionRows: TypeAlias = set[tuple[str, str]]  # a node, and a unit that says something of it


@dataclass(frozen=True, slots=True)
class ToldStretch:
    """A piece of the telling: from one position of ``unit`` to another, both included."""

    unit: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Horizon:
    """How far a situation sees: ``story`` is a tick, or the piece of the telling at whose end one stands; ``told`` is
    a position. None means to the end."""

    story: int | ToldStretch | None = None
    told: int | None = None

    @property
    def everything(self) -> bool:
        return self.story is None and self.told is None


def every_row(engine: Engine, relation: str) -> list[Row]:
    columns = tuple(Var(f"V{i}") for i in range(engine.program.relations[relation].arity))
    return engine.ask(Atom(relation, columns))


def cut(
    engine: Engine,
    carriers: Carriers,
    horizon: Horizon,
    frame: WorldSetup,
    *,
    name: EngineName = "auto",
) -> Engine:
    """A new engine that knows only what lies within ``horizon``."""
    program = engine.program
    facts = {relation: every_row(engine, relation) for relation in program.base()}
    if horizon.told is not None:
        facts |= _clocks_at(horizon.told, carriers, frame)
    situation: Rows = {
        "story_now": [(_tick(horizon.story, facts, frame),)],
        "told_now": [(FAR if horizon.told is None else horizon.told,)],
    }
    admissible = _admissible(program, facts | situation, frame.limits)
    always = frozenset(one.name for one in program.relations.values() if is_always_seen(one))
    seen = _within(facts, carriers, admissible, always)
    return engine_for(program, seen | situation, name, limits=frame.limits)


def is_always_seen(relation: Relation) -> bool:
    """Whether its rows are no part of the story, and so are seen from everywhere."""
    return relation.name in ALWAYS or any(line.startswith(WORDS) for line in relation.bindings)


def _clocks_at(told: int, carriers: Carriers, frame: WorldSetup) -> Rows:
    """When things happen, as far as one can tell from what has been told."""
    units = (told_until(from_text(times), told, frame.clock) for times in carriers.times())
    times = assign((unit for unit in units if unit), frame.calendar, frame.clock)
    return {"at": list(times.tick.items()), "dated": list(times.minutes.items())}


def _tick(story: int | ToldStretch | None, facts: Rows, frame: WorldSetup) -> int:
    """The story time at the end of a piece of the telling; a flashback in it does not turn the clock back."""
    if not isinstance(story, ToldStretch):
        return FAR if story is None else story
    inside = {node for node, unit in facts["occurs"] if unit == story.unit}
    told = {
        node: int(at) for node, at in facts["told"] if node in inside and story.start <= int(at) <= story.end
    }
    ticks = {node: int(tick) for node, tick in facts["at"] if node in told}
    in_place = [tick for node, tick in ticks.items() if tick == told[node] * frame.clock.step]
    return max(in_place or ticks.values(), default=story.end * frame.clock.step)


def _admissible(program: Program, facts: Rows, limits: Limits | None) -> MentionRows:
    part = needed(program, ["admissible"])
    given = {name: rows for name, rows in facts.items() if name in part.relations}
    deciding = engine_for(part, given, limits=limits)
    try:
        return {(str(node), str(unit)) for node, unit in every_row(deciding, "admissible")}
    finally:
        deciding.close()


def _within(facts: Rows, carriers: Carriers, admissible: MentionRows, always: frozenset[str]) -> Rows:
    """Records go with their unit; a row about something shared stays if an admissible mention carries it."""
    units = {unit for _, unit in admissible}
    kept = {name: rows for name, rows in facts.items() if name in always}
    for relation in facts.keys() - always:
        kept[relation] = [row for row in facts[relation] if _mention(str(row[0]), units) in admissible]
    for relation, row in carriers.shared(lambda node, unit: (node, unit) in admissible):
        kept.setdefault(relation, []).append(row)
    return kept


def _mention(node: str, units: set[str]) -> tuple[str, str]:
    return node, node if node in units else node.partition("/")[0]
