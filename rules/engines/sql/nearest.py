"""The nearest moment: folds that look for the first row after, or the last before, a given time.

`E = min U : { mark(K, U), U > T }` read naively pairs every moment of a key with every later one. Here the pattern
is recognised in the core form and written so that each moment looks at one neighbour only: a window function where a
relation is its own timetable, an ASOF join in DuckDB, an index look-up in SQLite otherwise. Pure text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from narraworld.base.quick_dataclass import dataclass
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
    fold, target = rule.fold, _nearest_of(rule)
    nearest = target and _candidate(rule, target)
    if not fold or not nearest or nearest.function != fold.function or not _is_closed(nearest):
        return None
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


def _nearest_of(rule: Rule) -> Var | None:
    """What a rule folds, if it looks for the least or the greatest of one whole-numbered variable."""
    fold = rule.fold
    if fold is None or fold.fractional or fold.function not in ("min", "max"):
        return None
    return fold.target if isinstance(fold.target, Var) else None


def _looked_up(body: Sequence[Literal], target: Var) -> tuple[Atom, str, Var] | None:
    """`timetable, target op time`: the only two literals that speak of the target."""
    match sorted((one for one in body if target.name in names_in(one)), key=_is_comparison):
        case [Atom() as timetable, Compare() as compare] if bound := _bound(compare, target):
            return timetable, *bound
    return None


def _is_comparison(literal: Literal) -> bool:
    return isinstance(literal, Compare)


def _candidate(rule: Rule, target: Var) -> Nearest | None:
    """The rule taken apart, if two of its literals look the target up in a timetable."""
    looked_up = _looked_up(rule.body, target)
    if looked_up is None:
        return None
    timetable, op, time = looked_up
    outer = tuple(literal for literal in rule.body if target.name not in names_in(literal))
    groups = tuple(term for term in rule.head.args[:-1] if isinstance(term, Var | Const))
    keys = _keys(timetable, target, outer, groups)
    return None if keys is None else Nearest(outer, timetable, target, op, time, keys, groups)


def _is_closed(nearest: Nearest) -> bool:
    """Whether the outer atoms bind whatever else is spoken of, and the moment is no key."""
    bound = {name for one in nearest.outer if isinstance(one, Atom) for name in names_in(one)}
    needed = variables(*nearest.groups, nearest.time, *nearest.keys)
    return nearest.time not in nearest.keys and needed <= bound


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
    if nearest.op not in ("<", ">"):
        return False
    match nearest.outer:
        case (Atom(relation=relation) as moments,) if relation == nearest.timetable.relation:
            seen = Counter(moments.args)
            pairs = zip(moments.args, nearest.timetable.args, strict=True)
            return all(
                (isinstance(one, Const) or seen[one] == 1) and _reads_the_same(nearest, one, other)
                for one, other in pairs
            )
    return False


def _reads_the_same(nearest: Nearest, one: Term, other: Term) -> bool:
    return one == other or (one, other) == (nearest.time, nearest.target) or _idle(nearest, one, other)


def _idle(nearest: Nearest, one: Term, other: Term) -> bool:
    """Two variables that nothing else looks at."""
    used = {nearest.time, nearest.target, *nearest.keys, *nearest.groups}
    return isinstance(one, Var) and isinstance(other, Var) and one not in used and other not in used
