"""A situation's own world: the base facts it may see, with everything derived again from those alone.

The cut is made before derivation, by `admissible.dl`, so that no view, summary or plotline built on the rest can
leak. What is told later may also date or reorder what was told before, so the clocks are set anew by what has been
told. Reads a living world, changes nothing.
"""

from __future__ import annotations

from functools import partial
from typing import TypeAlias

from narraworld.base.quick_dataclass import dataclass
from narraworld.kb.rows.carriers import Carriers
from narraworld.kb.rows.times import from_text, told_until
from narraworld.kb.time.clock import assign
from narraworld.rules.engines import Engine, Limits
from narraworld.rules.engines.choose import ChosenEngine, EngineName, engine_for
from narraworld.rules.engines.sqlite.engine import MEMORY, SqliteEngine
from narraworld.rules.language.dependencies import needed
from narraworld.rules.language.ir import Atom, Program, Relation, Row, Var
from narraworld.rules.living.kept_cuts import KeptCuts
from narraworld.rules.living.living_world import WorldSetup

__all__ = ["FAR", "Horizon", "ToldStretch", "cut", "every_row", "same_for_all", "seen_from_everywhere"]

ALWAYS = ("settings", "table")  # whence rows are read that no story tells: they are seen from everywhere
WORDS = "words"  # … and so is what a word means
OF_RECORDS = frozenset({"clash", "words_of"})  # worked out from words, and yet about records
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
    kept: KeptCuts | None = None,
) -> Engine:
    """A new engine that knows only what lies within ``horizon``; with ``kept``, one that was made before may be it.

    It will be asked row by row, which SQLite does best at any size; another engine must be named.
    """
    tables = engine.tables if isinstance(engine, ChosenEngine) else engine
    seen = partial(_Seen, engine, carriers, horizon, frame)
    if name not in ("auto", "sqlite") or not isinstance(tables, SqliteEngine):
        return engine_for(engine.program, seen().rows(), name, limits=frame.limits)
    made = kept.place(horizon, tables) if kept else None
    cut_tables = SqliteEngine(engine.program, made.path if made else MEMORY, frame.limits)
    if made is None or not made.is_in(cut_tables):
        _fill(cut_tables, tables, seen(), made.key if made else "")
    if made:
        made.used()
        cut_tables.rest()
    return ChosenEngine(cut_tables, frame.limits)


def _fill(cut_tables: SqliteEngine, tables: SqliteEngine, seen: _Seen, key: str) -> None:
    """Load what is seen, as far as it can be by copying rows from one file of tables to the other."""
    elsewhere = tables.rows_for_another(whole=seen.always, nodes=seen.nodes, but=frozenset(seen.clocks))
    cut_tables.load(seen.beside_the_copy() if elsewhere else seen.rows(), key, elsewhere)


class _BaseRows(dict[str, list[Row]]):
    """The base rows of an engine, each relation fetched when it is first looked at."""

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine

    def __missing__(self, relation: str) -> list[Row]:
        return self.setdefault(relation, every_row(self._engine, relation))


class _Seen:
    """What one situation may see of a world."""

    def __init__(self, engine: Engine, carriers: Carriers, horizon: Horizon, frame: WorldSetup) -> None:
        self._engine, self._carriers = engine, carriers
        self._facts = _BaseRows(engine)
        self.clocks = {} if horizon.told is None else _clocks_at(horizon.told, carriers, frame)
        self._facts.update(self.clocks)
        self.situation: Rows = {
            "story_now": [(_tick(horizon.story, self._facts, frame),)],
            "told_now": [(FAR if horizon.told is None else horizon.told,)],
        }
        self.admissible = _admissible(engine, self._facts, self.clocks | self.situation, frame.limits)
        units = {unit for _, unit in self.admissible}
        self.nodes = {node for node, unit in self.admissible if unit == _own_unit(node, units)}
        self.always = seen_from_everywhere(engine.program)

    def rows(self) -> Rows:
        """Records go with their unit; a row about something shared stays if an admissible mention carries it."""
        names = [name for name in self._engine.program.base() if name not in self.situation]
        whole = {name: self._facts[name] for name in names if name in self.always}
        owned = {name: self._about_nodes(name) for name in names if name not in self.always}
        return self._with_shared(whole | owned | self.situation)

    def beside_the_copy(self) -> Rows:
        """What is not copied from file to file: clocks set anew, what is shared, and the situation itself."""
        clocks = {name: self._about_nodes(name) for name in self.clocks}
        return self._with_shared(clocks | self.situation)

    def _about_nodes(self, relation: str) -> list[Row]:
        return [row for row in self._facts[relation] if row[0] in self.nodes]

    def _with_shared(self, rows: Rows) -> Rows:
        for relation, row in self._carriers.shared(lambda node, unit: (node, unit) in self.admissible):
            rows.setdefault(relation, []).append(row)
        return rows


def _own_unit(node: str, units: set[str]) -> str:
    return node if node in units else node.partition("/")[0]


def same_for_all(program: Program) -> frozenset[str]:
    """The base relations that do not depend on what is told: what the caller says, and what our tables say."""
    return frozenset(one.name for one in program.relations.values() if _is_read_from(one, ALWAYS))


def seen_from_everywhere(program: Program) -> frozenset[str]:
    """… and what a word means, however late it is told."""
    words = {one.name for one in program.relations.values() if _is_read_from(one, (WORDS,))}
    return same_for_all(program) | words - OF_RECORDS


def _is_read_from(relation: Relation, sources: tuple[str, ...]) -> bool:
    return any(line.startswith(sources) for line in relation.bindings)


def _clocks_at(told: int, carriers: Carriers, frame: WorldSetup) -> Rows:
    """When things happen, as far as one can tell from what has been told."""
    units = (told_until(from_text(times), told, frame.clock) for times in carriers.times())
    times = assign((unit for unit in units if unit), frame.calendar, frame.clock)
    return {"at": list(times.tick.items()), "dated": list(times.minutes.items())}


def _tick(story: int | ToldStretch | None, facts: Rows, frame: WorldSetup) -> int:
    """The story time at the end of a piece of the telling; a flashback in it does not turn the clock back."""
    if not isinstance(story, ToldStretch):
        return FAR if story is None else story
    told = _told_in(story, facts)
    ticks = {node: int(tick) for node, tick in facts["at"] if node in told}
    in_place = [tick for node, tick in ticks.items() if tick == told[node] * frame.clock.step]
    return max(in_place or ticks.values(), default=story.end * frame.clock.step)


def _told_in(story: ToldStretch, facts: Rows) -> dict[str | float, int]:
    """What the stretch tells, by when it tells it."""
    inside = {node for node, unit in facts["occurs"] if unit == story.unit}
    told = {node: int(at) for node, at in facts["told"] if node in inside}
    return {node: at for node, at in told.items() if story.start <= at <= story.end}


def _admissible(engine: Engine, facts: Rows, own: Rows, limits: Limits) -> MentionRows:
    """``own``: what the situation says in place of the base rows of that name."""
    part = needed(engine.program, ["admissible"])
    tables = engine.tables if isinstance(engine, ChosenEngine) else engine
    copied = tables.rows_for_another(but=frozenset(own)) if isinstance(tables, SqliteEngine) else None
    names = (name for name in part.base() if not copied or name in own)
    deciding = SqliteEngine(part, limits=limits)
    try:
        deciding.load({name: own[name] if name in own else facts[name] for name in names}, elsewhere=copied)
        return {(str(node), str(unit)) for node, unit in every_row(deciding, "admissible")}
    finally:
        deciding.close()
