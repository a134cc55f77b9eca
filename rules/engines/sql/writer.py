"""How relations, terms and literals are written in SQL: one writer, three dialects.

Pure text in, text out: no connection, no file. Values from stories never pass through here; only constants that
stand in a rule file are written as literals, everything else is bound by the engines as parameters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter

from narraworld.base.quick_dataclass import dataclass
from narraworld.rules.errors import EngineError
from narraworld.rules.language.few import FewRows
from narraworld.rules.language.ir import (
    Arithmetic,
    Atom,
    Call,
    Compare,
    Const,
    Literal,
    Not,
    Program,
    Relation,
    Rule,
    Term,
    Value,
    Var,
)

__all__ = [
    "DUCKDB",
    "KINDS",
    "MATCH",
    "NUMBER",
    "PHANTOM",
    "SPARK",
    "SQLITE",
    "Dialect",
    "Writer",
    "check_rows",
    "names_in",
    "quoted",
    "reads",
    "stored",
    "variables",
]

PHANTOM = '"_"'  # a table needs a column; a relation without columns gets this one, always 1


@dataclass(frozen=True, slots=True)
class Dialect:
    """What the databases spell differently."""

    name: str
    symbol: str
    number: str
    fraction: str
    divide: str  # the operator that divides integers, rounding towards zero
    integer: str  # how an integer of a rule file is written
    table: str  # how a table is made
    asof: bool  # has ASOF JOIN
    functions: Mapping[str, str]  # by name; {0} … are the arguments
    whole: str = "{0}"  # a number that arithmetic gave, or an error where it left 64 bits
    looks_up: bool = True  # can look the nearest moment up, row by row


SUBSTR = "CASE WHEN {1} < 0 OR {1} > length({0}) THEN '' WHEN {2} < 0 THEN substr({0}, {1} + 1) ELSE %s END"
SHORTENED = "substr({0}, {1} + 1, %s({2}, length({0})))"  # DuckDB refuses to be asked for billions
FINITE = (
    "CASE WHEN abs({0}) <= 1.7976931348623157e308 THEN {0} END"  # a fraction that is too large has no value
)
KINDS: Mapping[str, type] = {"number": int, "float": float, "symbol": str}
# SQLite has no patterns and reads numbers out of anything: the engine brings these two
MATCH, NUMBER = "narraworld_match", "narraworld_number"

SQLITE = Dialect(
    name="sqlite",
    symbol="TEXT",
    number="INTEGER",
    fraction="REAL",
    divide="/",
    integer="{}",
    # The rows are the key, so a table is a set and finding a row needs no second index.
    table="CREATE {kind} {name} ({columns}, PRIMARY KEY ({key})) STRICT, WITHOUT ROWID",
    asof=False,
    functions={
        "strlen": "length({0})",
        "substr": SUBSTR % (SHORTENED % "min"),
        "to_number": f"{NUMBER}({{0}})",
        "to_string": "CAST({0} AS TEXT)",
        "to_float": "CAST({0} AS REAL)",
        "contains": "(instr({1}, {0}) > 0)",
        "match": f"{MATCH}({{0}}, {{1}})",
    },
    # SQLite goes on in floating point, in silence; `abs` of the smallest number is its one way to stop a statement.
    whole="CASE typeof({0}) WHEN 'real' THEN abs(-9223372036854775807 - 1) ELSE {0} END",
)
# What DuckDB and Spark say alike.
COLUMNAR = {
    "strlen": "CAST(length({0}) AS BIGINT)",
    "substr": SUBSTR % (SHORTENED % "least"),
    "to_float": "CAST({0} AS DOUBLE)",
    "contains": "CAST(contains({1}, {0}) AS BIGINT)",
    "min": "least({all})",
    "max": "greatest({all})",
}
DUCKDB = Dialect(
    name="duckdb",
    symbol="VARCHAR",
    number="BIGINT",
    fraction="DOUBLE",
    divide="//",
    integer="CAST({} AS BIGINT)",
    table="CREATE {kind} {name} ({columns})",
    asof=True,
    functions=COLUMNAR
    | {
        "to_number": "CASE WHEN regexp_full_match({0}, '-?(0x[0-9a-fA-F]{{1,15}}|0b[01]{{1,60}}|[0-9]{{1,18}})')"
        " THEN CASE WHEN {0} LIKE '-%' THEN -1 ELSE 1 END * CAST(ltrim({0}, '-') AS BIGINT) END",
        "to_string": "CAST({0} AS VARCHAR)",
        "match": "CAST(regexp_full_match({1}, {0}) AS BIGINT)",
    },
)


SPARK = Dialect(
    name="spark",
    symbol="STRING",
    number="BIGINT",
    fraction="DOUBLE",
    divide="div",
    integer="CAST({} AS BIGINT)",
    table="",  # relations are views over rows that were made; nothing is created
    asof=False,
    functions=COLUMNAR
    | {
        "to_number": "CASE WHEN {0} RLIKE '^-?[0-9]{{1,18}}$' THEN CAST({0} AS BIGINT) END",
        "to_string": "CAST({0} AS STRING)",
        "match": "CAST({1} RLIKE concat('^(?:', {0}, ')$') AS BIGINT)",
    },
    looks_up=False,
)


def quoted(name: str) -> str:
    """An identifier that may be spelt like a keyword (`in`) or hold anything else."""
    return '"' + name.replace('"', '""') + '"'


class Writer:
    """Names and expressions of one program in one dialect."""

    def __init__(self, program: Program, dialect: Dialect) -> None:
        self.program, self.dialect = program, dialect
        self.few = FewRows(program)  # look-ups whose cost does not grow with the story
        self.names = _told_apart(program.relations)
        self._columns = {
            name: tuple(quoted(column) for column in _told_apart(c.name for c in relation.columns).values())
            or (PHANTOM,)
            for name, relation in program.relations.items()
        }
        self._tables: dict[tuple[str, str], str] = {}  # asked for some thousand times a unit

    def table(self, relation: str, mark: str = "") -> str:
        """The table of a relation; `mark` names one of its companions (`+` fresh rows, `-` gone rows …)."""
        key = relation, mark
        if key not in self._tables:
            self._tables[key] = quoted(mark + self.names[relation])
        return self._tables[key]

    def columns(self, relation: str) -> tuple[str, ...]:
        return self._columns[relation]

    def create(self, relation: str, mark: str = "") -> str:
        """The statement that makes the table; companions are temporary."""
        columns = self.columns(relation)
        types = [self._type(column.type) for column in self.program.relations[relation].columns]
        return self.create_table(
            self.table(relation, mark), columns, types or [self.dialect.number], temporary=bool(mark)
        )

    def create_table(
        self, table: str, columns: Sequence[str], types: Sequence[str], *, temporary: bool
    ) -> str:
        return self.dialect.table.format(
            kind="TEMP TABLE IF NOT EXISTS" if temporary else "TABLE",
            name=table,
            columns=", ".join(f"{column} {kind}" for column, kind in zip(columns, types, strict=True)),
            key=", ".join(columns),
        )

    def types(self, relation: str) -> list[str]:
        return [self._type(column.type) for column in self.program.relations[relation].columns]

    def _type(self, column_type: str) -> str:
        kinds = {"number": self.dialect.number, "float": self.dialect.fraction}
        return kinds.get(column_type, self.dialect.symbol)

    def literal(self, value: Value) -> str:
        """A constant of a rule file, safely."""
        if isinstance(value, float):
            return f"CAST({value!r} AS {self.dialect.fraction})"
        if isinstance(value, int):
            return self.dialect.integer.format(f"({value})" if value < 0 else value)
        if "\0" in value:
            raise EngineError("a constant holds the character NUL", fix="Take it out of the rule file.")
        return "'" + value.replace("'", "''") + "'"

    def expression(self, term: Term, known: Mapping[str, str]) -> str:
        match term:
            case Const(value):
                return self.literal(value)
            case Var(name):
                return known[name]
            case Arithmetic():
                return self._arithmetic(term, known)
            case Call(function, args):
                values = [self.whole(arg, known) for arg in args]
                if function == "cat":
                    return f"({' || '.join(values)})"
                text = self.dialect.functions.get(function, f"{function}({{all}})")
                return text.format(*values, all=", ".join(values))

    def whole(self, term: Term, known: Mapping[str, str]) -> str:
        """The same, made sure that it has stayed a whole number: what is compared, assigned or folded."""
        text = self.expression(term, known)
        if not isinstance(term, Arithmetic):
            return text
        return (FINITE if term.fractional else self.dialect.whole).format(text)

    def _arithmetic(self, term: Arithmetic, known: Mapping[str, str]) -> str:
        # Both databases round towards zero and give the remainder the sign of the left side; we floor, as Python does.
        # Dividing by zero gives NULL, which no comparison accepts.
        if term.op == "/" and term.fractional:
            return f"({self.expression(term.left, known)} / nullif({self.expression(term.right, known)}, 0))"
        if term.op not in ("/", "%"):
            return f"({self.expression(term.left, known)} {term.op} {self.expression(term.right, known)})"
        left, right = self.whole(term.left, known), self.whole(term.right, known)
        inexact = f"{left} % {right} <> 0 AND ({left} < 0) <> ({right} < 0)"
        if term.op == "%":
            return f"({left} % {right} + CASE WHEN {inexact} THEN {right} ELSE 0 END)"
        return f"({left} {self.dialect.divide} {right} - CASE WHEN {inexact} THEN 1 ELSE 0 END)"

    def same_row(self, relation: str, one: str, other: str) -> str:
        """The condition that two aliases show the same row of a relation."""
        return " AND ".join(f"{one}.{column} = {other}.{column}" for column in self.columns(relation))


def variables(*terms: Term) -> set[str]:
    """Names of all variables in the terms."""
    names: set[str] = set()
    for term in terms:
        if isinstance(term, Var):
            names.add(term.name)
        elif isinstance(term, Arithmetic):
            names |= variables(term.left, term.right)
        elif isinstance(term, Call):
            names |= variables(*term.args)
    return names


def names_in(literal: Literal) -> set[str]:
    """Names of all variables in a core literal."""
    match literal:
        case Atom(_, args) | Not(Atom(_, args)):
            return variables(*args)
        case Compare(_, left, right):
            return variables(left, right)
    raise EngineError(f"engines run core rules only, not {literal}")


def stored(program: Program) -> frozenset[str]:
    """The relations that get a table: all but those asked on demand, those that read them, and their helpers."""
    on_demand = {name for name, relation in program.relations.items() if relation.on_demand}
    for stratum in program.strata:
        rules = [rule for name in stratum.relations for rule in program.rules_for(name)]
        if on_demand.intersection(stratum.relations) or any(reads(rule) & on_demand for rule in rules):
            on_demand.update(stratum.relations)
    return frozenset(program.relations.keys() - on_demand)


def check_rows(relation: Relation, rows: Sequence[Sequence[Value]]) -> None:
    """Refuse rows whose values are not of the declared types; databases would convert them in silence."""
    wanted = [KINDS[column.type] for column in relation.columns]
    if set(map(len, rows)) - {len(wanted)}:
        raise EngineError(f"a row of {relation.name!r} does not have {len(wanted)} columns")
    for position, kind in enumerate(wanted):
        if set(map(type, map(itemgetter(position), rows))) - {kind}:
            stranger = next(row for row in rows if type(row[position]) is not kind)
            name = relation.columns[position].name
            raise EngineError(
                f"{relation.name}.{name} is a {relation.columns[position].type}, not {stranger[position]!r}",
                fix=f"Give {kind.__name__} values to column {name!r} of {relation.name!r}.",
            )


def reads(rule: Rule) -> set[str]:
    atoms = [literal.atom if isinstance(literal, Not) else literal for literal in rule.body]
    return {atom.relation for atom in atoms if isinstance(atom, Atom)}


def _told_apart(names: Iterable[str]) -> dict[str, str]:
    """Names as the database may see them: it takes `Key` and `key` for one, and `sqlite_…` for its own."""
    taken: set[str] = set()
    apart: dict[str, str] = {}
    for name in names:
        spelling, number = name, 1
        while spelling.lower() in taken or spelling.lower().startswith("sqlite_"):
            number += 1
            spelling = f"~{number}{name}"
        taken.add(spelling.lower())
        apart[name] = spelling
    return apart
