"""The nearest moment: folds that look for the first row after, or the last before, a given time.

`E = min U : { mark(K, U), U > T }` read naively pairs every moment of a key with every later one. Here the pattern
is recognised in the core form and written so that each moment looks at one neighbour only: a window function where a
relation is its own timetable, an ASOF join in DuckDB, an index look-up in SQLite otherwise. Pure text.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from narraworld.rules.engines.sql.joins import Join, Probe, Query
from narraworld.rules.engines.sql.writer import Writer, names_in, variables
from narraworld.rules.language.ir import Atom, Compare, Const, Literal, Rule, Term, Var

__all__ = ["Nearest", "between", "nearest_rows", "recognise"]

FLIP = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
DIRECTION = {">": "min", ">=": "min", "<": "max", "<=": "max"}


@dataclass(frozen=True, slots=True)
class Nearest:
    """For each moment `time` of the outer literals: the nearest `target` in the timetable, per keys."""

    outer: tuple[Literal, ...]
    timetable: Atom
    target: Var
    op: str  # target op time
    time: Var
    keys: tuple[Var, ...]
    groups: tuple[Var | Const, ...]
    own_timetable: bool = False  # the moments are the timetable itself: next or previous row of the same key

    @property
    def function(self) -> str:
        return DIRECTION[self.op]

    @property
    def exact(self) -> bool:
        """Each group holds one moment of one key, so there is nothing left to fold."""
        return {*self.keys, self.time} <= set(self.groups)


def recognise(rule: Rule) -> Nearest | None:
    """The pattern in a core rule, or nothing; refusing is always safe."""
    if (
        rule.fold is None
        or rule.fold.fractional
        or rule.fold.function not in ("min", "max")
        or not isinstance(rule.fold.target, Var)
    ):
        return None
    target = rule.fold.target
    users = [literal for literal in rule.body if target.name in names_in(literal)]
    outer = tuple(literal for literal in rule.body if literal not in users)
    timetables = [literal for literal in users if isinstance(literal, Atom)]
    bounds = [_bound(literal, target) for literal in users if isinstance(literal, Compare)]
    if len(users) != 2 or len(timetables) != 1 or len(bounds) != 1 or bounds[0] is None:
        return None
    op, time = bounds[0]
    groups = tuple(term for term in rule.head.args[:-1] if isinstance(term, Var | Const))
    keys = _keys(timetables[0], target, outer, groups)
    known = {name for literal in outer if isinstance(literal, Atom) for name in names_in(literal)}
    needed = variables(*groups) | {time.name} | variables(*(keys or ()))
    if keys is None or DIRECTION[op] != rule.fold.function or time in keys or not needed <= known:
        return None
    nearest = Nearest(outer, timetables[0], target, op, time, keys, groups)
    return replace(nearest, own_timetable=_is_own_timetable(nearest))


def nearest_rows(sql: Writer, nearest: Nearest, join: Join, *, greedy: bool) -> Query:
    """Rows g0, g1 …, v: groups and their nearest moment; `join` may already hold the groups to look at."""
    if nearest.own_timetable and not greedy:
        return Query(_window(sql, nearest))
    join.absorb(nearest.outer, greedy=greedy)
    columns = [f"{join.value(term)} AS g{i}" for i, term in enumerate(nearest.groups)]
    columns += [f"{join.value(key)} AS k{i}" for i, key in enumerate(nearest.keys)]
    moments = join.select([*columns, f"{join.value(nearest.time)} AS t"], greedy=greedy, distinct=True)
    write = _asof if sql.dialect.asof else _look_up
    return Query(write(sql, nearest, moments), frozenset(join.probes | {_probe(nearest)}))


def between(sql: Writer, nearest: Nearest, join: Join) -> list[str]:
    """Conditions on the outer moment when one row of the timetable, already read, came or went.

    Only moments between that row and its neighbour can see it as the nearest one.
    """
    here, time = join.value(nearest.target), join.value(nearest.time)
    column = _column(sql, nearest)
    same = " AND ".join([*_fixed(sql, nearest, join.known), f"i.{column} {_before(nearest)} {here}"])
    other = "max" if nearest.function == "min" else "min"
    neighbour = f"(SELECT {other}(i.{column}) FROM {sql.table(nearest.timetable.relation)} i WHERE {same})"
    edge = str(-(2**63)) if nearest.function == "min" else str(2**63 - 1)
    far = ">=" if nearest.function == "min" else "<="
    return [f"{time} {FLIP[nearest.op]} {here}", f"{time} {far} coalesce({neighbour}, {edge})"]


# ---- the three ways to write it


def _window(sql: Writer, nearest: Nearest) -> str:
    join = Join(sql)
    join.read(nearest.timetable)
    columns = [f"{join.value(key)} AS k{i}" for i, key in enumerate(nearest.keys)]
    marks = join.select([*columns, f"{join.value(nearest.target)} AS t"], greedy=False, distinct=True)
    keys = ", ".join(f"k{i}" for i in range(len(nearest.keys)))
    over = (f"PARTITION BY {keys} " if keys else "") + "ORDER BY t"
    step = "lead" if nearest.function == "min" else "lag"
    places = {key: f"k{i}" for i, key in enumerate(nearest.keys)} | {nearest.time: "t"}
    groups = [
        f"{places[term] if isinstance(term, Var) else sql.literal(term.value)} AS g{i}"
        for i, term in enumerate(nearest.groups)
    ]
    return f"SELECT {', '.join([*groups, f'{step}(t) OVER ({over}) AS v'])} FROM ({marks}) m"


def _asof(sql: Writer, nearest: Nearest, moments: str) -> str:
    join = Join(sql)
    join.read(nearest.timetable)
    columns = [f"{join.value(key)} AS k{i}" for i, key in enumerate(nearest.keys)]
    marks = join.select([*columns, f"{join.value(nearest.target)} AS t"], greedy=False)
    same = [f"m.k{i} = i.k{i}" for i in range(len(nearest.keys))]
    on = " AND ".join([*same, f"m.t {FLIP[nearest.op]} i.t"])
    groups = [f"m.g{i}" for i in range(len(nearest.groups))]
    return f"SELECT {', '.join([*groups, 'i.t AS v'])} FROM ({moments}) m ASOF JOIN ({marks}) i ON {on}"


def _look_up(sql: Writer, nearest: Nearest, moments: str) -> str:
    places = {key.name: f"m.k{i}" for i, key in enumerate(nearest.keys)}
    column = _column(sql, nearest)
    same = " AND ".join([*_fixed(sql, nearest, places), f"i.{column} {nearest.op} m.t"])
    table = sql.table(nearest.timetable.relation)
    found = f"(SELECT {nearest.function}(i.{column}) FROM {table} i WHERE {same}) AS v"
    groups = [f"m.g{i}" for i in range(len(nearest.groups))]
    return f"SELECT {', '.join([*groups, found])} FROM ({moments}) m"


def _fixed(sql: Writer, nearest: Nearest, known: dict[str, str]) -> list[str]:
    """Conditions that pick the timetable `i` of the right keys and constants."""
    pairs = zip(sql.columns(nearest.timetable.relation), nearest.timetable.args, strict=True)
    return [
        f"i.{column} = {sql.expression(term, known)}"
        for column, term in pairs
        if isinstance(term, Const) or term in nearest.keys
    ]


def _column(sql: Writer, nearest: Nearest) -> str:
    return sql.columns(nearest.timetable.relation)[nearest.timetable.args.index(nearest.target)]


def _probe(nearest: Nearest) -> Probe:
    terms = list(enumerate(nearest.timetable.args))
    bound = frozenset(i for i, term in terms if isinstance(term, Const) or term in nearest.keys)
    return Probe(nearest.timetable.relation, bound, nearest.timetable.args.index(nearest.target))


def _before(nearest: Nearest) -> str:
    return "<" if nearest.function == "min" else ">"


# ---- recognising


def _bound(compare: Compare, target: Var) -> tuple[str, Var] | None:
    """`target op time`, whichever way round it was written."""
    match compare:
        case Compare(op, left, Var() as time) if left == target and time != target and op in FLIP:
            return op, time
        case Compare(op, Var() as time, right) if right == target and time != target and op in FLIP:
            return FLIP[op], time
    return None


def _keys(
    timetable: Atom, target: Var, outer: tuple[Literal, ...], groups: tuple[Var | Const, ...]
) -> tuple[Var, ...] | None:
    """Variables the timetable shares with the rest; none at all if it repeats a variable."""
    args = [term for term in timetable.args if isinstance(term, Var)]
    if len(set(args)) != len(args):
        return None
    elsewhere = {name for literal in outer for name in names_in(literal)} | variables(*groups)
    return tuple(term for term in args if term != target and term.name in elsewhere)


def _is_own_timetable(nearest: Nearest) -> bool:
    """Whether the moments are the timetable read a second time, column by column."""
    if len(nearest.outer) != 1 or nearest.op not in ("<", ">"):
        return False
    moments = nearest.outer[0]
    if not isinstance(moments, Atom) or moments.relation != nearest.timetable.relation:
        return False
    seen = Counter(moments.args)
    pairs = list(zip(moments.args, nearest.timetable.args, strict=True))
    return all(isinstance(one, Const) or seen[one] == 1 for one, _ in pairs) and all(
        one == other or (one, other) == (nearest.time, nearest.target) or _idle(nearest, one, other)
        for one, other in pairs
    )


def _idle(nearest: Nearest, one: Term, other: Term) -> bool:
    """Two variables that nothing else looks at."""
    used = {nearest.time, nearest.target, *nearest.keys, *nearest.groups}
    return isinstance(one, Var) and isinstance(other, Var) and one not in used and other not in used
