"""Rules whose last head column is a min, max, count or sum, as SELECT … GROUP BY.

Pure text. Literals that only say "such a group exists" become EXISTS, so that a group is never multiplied by its
witnesses; the nearest-moment pattern goes to `successor`. With a table of keys only those groups are computed.
"""

from __future__ import annotations

from narraworld.rules.engines.sql.components import parts
from narraworld.rules.engines.sql.joins import Join, Probe, Query
from narraworld.rules.engines.sql.nearest import nearest_rows, recognise
from narraworld.rules.engines.sql.writer import PHANTOM, Writer, names_in, variables
from narraworld.rules.language.ir import Arithmetic, Atom, Call, Fold, Literal, Rule
from narraworld.rules.language.values.functions import DIGITS

__all__ = ["fold_select", "group_columns"]

AGGREGATE = {"min": "min(v)", "max": "max(v)", "count": "count(*)", "sum": "CAST(sum(v) AS BIGINT)"}
# fractions are added in any order, so the last digits go
ROUNDED = f"CASE WHEN {{0}} IS NOT NULL THEN CAST(printf('%.{DIGITS}g', {{0}}) AS {{1}}) END"
FRACTIONS = {"sum": "sum(v)", "mean": "avg(v)"}


def group_columns(rule: Rule) -> tuple[str, ...]:
    """Columns of a table of groups: g0, g1 …, or a phantom where there is one group only."""
    return tuple(f"g{i}" for i in range(len(rule.head.args) - 1)) or (PHANTOM,)


def fold_select(sql: Writer, rule: Rule, keys: str | None = None) -> Query:
    """All rows the fold concludes; with `keys`, a table of groups, those of these groups only."""
    assert rule.fold is not None
    join = Join(sql)
    if keys is not None:
        join.read_table(keys, group_columns(rule), rule.head.args[:-1])
    greedy = keys is not None
    nearest = recognise(rule)
    if nearest and (nearest.own_timetable or sql.dialect.looks_up):
        rows = nearest_rows(sql, nearest, join, greedy=greedy)
        return Query(_finished(sql, rule, rows.text, folded=nearest.exact), rows.probes)
    main, witnesses = _witnesses(rule, rule.fold)
    existing = _mere_conditions(join, main, witnesses, variables(*rule.head.args[:-1]))
    main += [literal for part in witnesses if part not in existing for literal in part]
    column = _single_look_up(rule.fold, main)
    if greedy and column is not None:
        found = _look_up(sql, rule.fold, join, main, column)
        return _per_group(sql, rule, join, existing, found)
    join.absorb(main, greedy=greedy)
    _require(join, existing, greedy=greedy)
    inner = join.select(_inner_columns(rule, rule.fold, join), greedy=greedy, distinct=_distinct(rule.fold))
    return Query(_finished(sql, rule, inner, folded=False), frozenset(join.probes))


def _inner_columns(rule: Rule, fold: Fold, join: Join) -> list[str]:
    columns = [f"{join.value(term)} AS g{i}" for i, term in enumerate(rule.head.args[:-1])]
    if _distinct(fold):
        columns += [f"{join.value(var)} AS o{i}" for i, var in enumerate(fold.over)]
    if fold.target is None:
        return columns or ["1 AS v"]
    if isinstance(fold.target, Arithmetic | Call):  # a division by zero has no value to fold
        join.conditions.append(f"{join.whole(fold.target)} IS NOT NULL")
    return [*columns, f"{join.value(fold.target)} AS v"]


def _finished(sql: Writer, rule: Rule, rows: str, *, folded: bool) -> str:
    """Fold rows g0 …, v per group and give the columns their names; nothing to fold gives no row."""
    assert rule.fold is not None
    names = sql.columns(rule.head.relation)
    groups = [f"g{i}" for i in range(len(names) - 1)]
    value = "v" if folded else _aggregate(sql, rule.fold)
    columns = [f"{place} AS {name}" for place, name in zip([*groups, value], names, strict=True)]
    some = "" if rule.fold.target is None else " WHERE v IS NOT NULL"
    text = f"SELECT {', '.join(columns)} FROM ({rows}) z{some}"
    if folded:
        return text
    if groups:
        return f"{text} GROUP BY {', '.join(groups)}"
    return f"SELECT * FROM ({text}) y WHERE {names[-1]} {_something(rule.fold)}"


def _aggregate(sql: Writer, fold: Fold) -> str:
    if fold.fractional and fold.function in FRACTIONS:
        return ROUNDED.format(FRACTIONS[fold.function], sql.dialect.fraction)
    return AGGREGATE[fold.function]


def _something(fold: Fold) -> str:
    return "> 0" if fold.function == "count" else "IS NOT NULL"


def _distinct(fold: Fold) -> bool:
    return fold.each


# ---- one look-up per group


def _single_look_up(fold: Fold, main: list[Literal]) -> int | None:
    """The column of the only atom that min or max reads, if an index can answer alone."""
    if _distinct(fold) or len(main) != 1 or not isinstance(main[0], Atom) or fold.target not in main[0].args:
        return None
    return main[0].args.index(fold.target)


def _look_up(sql: Writer, fold: Fold, join: Join, main: list[Literal], column: int) -> str:
    """The first or last value in an index, as a subquery of the group."""
    atom = main[0]
    assert isinstance(atom, Atom)
    bound = frozenset(i for i, term in enumerate(atom.args) if variables(term) <= join.known.keys())
    join.probes.add(Probe(atom.relation, bound, column))
    inner = Join(sql, known=join.known, prefix="i")
    inner.read(atom)
    return inner.select([f"{fold.function}({inner.value(atom.args[column])})"], greedy=True)


def _per_group(sql: Writer, rule: Rule, join: Join, existing: list[list[Literal]], found: str) -> Query:
    _require(join, existing, greedy=True)
    groups = [f"{join.value(term)} AS g{i}" for i, term in enumerate(rule.head.args[:-1])]
    rows = join.select([*groups, f"({found}) AS v"], greedy=True)
    return Query(_finished(sql, rule, rows, folded=True), frozenset(join.probes))


# ---- witnesses


def _witnesses(rule: Rule, fold: Fold) -> tuple[list[Literal], list[list[Literal]]]:
    """The literals that are folded over, and the groups of literals that only have to be satisfiable.

    Literals belong together when they share a variable that is no group column.
    """
    groups = variables(*rule.head.args[:-1])
    folded: set[str] = set() if fold.target is None else variables(fold.target)
    if _distinct(fold):
        folded |= variables(*fold.over)
    main: list[Literal] = []
    witnesses: list[list[Literal]] = []
    for part in parts(rule.body, groups):
        if _names(part) & folded - groups:
            main += part
        else:
            witnesses.append(part)
    return main, witnesses


def _mere_conditions(
    join: Join, main: list[Literal], witnesses: list[list[Literal]], groups: set[str]
) -> list[list[Literal]]:
    """Witnesses that bind no group column which nobody else binds."""
    atoms = [literal for literal in main if isinstance(literal, Atom)]
    known = join.known.keys() | set().union(*(names_in(atom) for atom in atoms))
    return [part for part in witnesses if _names(part) & groups <= known]


def _require(join: Join, existing: list[list[Literal]], *, greedy: bool) -> None:
    for part in existing:
        if any(isinstance(literal, Atom) for literal in part):
            join.exists(part, greedy=greedy)
        else:
            join.absorb(part, greedy=greedy)


def _names(literals: list[Literal]) -> set[str]:
    return set().union(*(names_in(literal) for literal in literals))
