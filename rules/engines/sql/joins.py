"""A rule body as FROM … WHERE …: which table is read when, what each variable stands for, what must hold.

Pure text. Read in body order the database may choose its own plan; read in greedy order (next the atom that has few rows however
long the story, or else the most bound one) the plan is ours, and the probes say which indexes it lives on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from narraworld.base.quick_dataclass import dataclass
from narraworld.rules.engines.sql.components import set_apart
from narraworld.rules.engines.sql.writer import Writer, variables
from narraworld.rules.errors import EngineError
from narraworld.rules.language.ir import Arithmetic, Atom, Call, Compare, Const, Literal, Not, Rule, Term, Var

__all__ = ["Join", "Probe", "Query", "plain_select"]


@dataclass(frozen=True, slots=True)
class Probe:
    """A table is looked up by these columns, and then read in order of `tail`."""

    relation: str
    bound: frozenset[int]
    tail: int | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """A SELECT and the look-ups it makes."""

    text: str
    probes: frozenset[Probe] = frozenset()


class Join:
    """One FROM … WHERE … in the making."""

    def __init__(self, sql: Writer, *, known: Mapping[str, str] | None = None, prefix: str = "b") -> None:
        self.sql = sql
        self.prefix = prefix
        self.known: dict[str, str] = dict(known or {})
        self.tables: list[str] = []
        self.conditions: list[str] = []
        self.probes: set[Probe] = set()
        self.ours = False  # whether the order of the join is ours, or the database's
        self.ranged: Term | None = (
            None  # a variable that a range will restrict, so an index should end with it
        )

    def read(self, atom: Atom, table: str | None = None) -> None:
        """Join the atom's own table, or another one with the same columns."""
        columns = self.sql.columns(atom.relation)
        if table is None:
            bound = frozenset(i for i, term in enumerate(atom.args) if self._is_known(term))
            tail = atom.args.index(self.ranged) if self.ranged in atom.args else None
            probe = self._probe(atom, bound, None if tail in bound else tail)
            self.probes.add(probe)
            self.read_table(self.sql.table(atom.relation), columns, atom.args, bound - probe.bound)
        else:
            self.read_table(table, columns, atom.args)

    def read_table(
        self, table: str, columns: Sequence[str], terms: Sequence[Term], aside: Collection[int] = ()
    ) -> None:
        alias = f"{self.prefix}{len(self.tables)}"
        self.tables.append(f"{table} {alias}")
        self.bind(alias, columns, terms, aside)

    def bind(
        self, alias: str, columns: Sequence[str], terms: Sequence[Term], aside: Collection[int] = ()
    ) -> None:
        """Columns of an alias name the variables not known yet and restrict the others; no row is looked up by those `aside`."""
        for place, (column, term) in enumerate(zip(columns, terms, strict=False)):  # a phantom has no term
            if isinstance(term, Var) and term.name not in self.known:
                self.known[term.name] = f"{alias}.{column}"
            else:  # a plus keeps SQLite from using an index
                self.conditions.append(f"{'+' * (place in aside)}{alias}.{column} = {self.value(term)}")

    def _probe(self, atom: Atom, bound: frozenset[int], tail: int | None = None) -> Probe:
        """How the atom is looked up: where the plan is ours, by no more columns than it takes, so that few indexes do."""
        if not self.ours or tail is not None or len(bound) == len(atom.args):
            return Probe(atom.relation, bound, tail)
        told = frozenset(i for i in bound if not isinstance(atom.args[i], Const))
        return Probe(atom.relation, self.sql.few.enough(atom.relation, told if len(told) > 1 else bound))

    def absorb(
        self,
        literals: Iterable[Literal],
        *,
        greedy: bool,
        until: Collection[str] | None = None,
        cheap: bool = False,
    ) -> list[Literal]:
        """Take in the literals; with `until`, only as many atoms as it takes to know these variables, and give back the rest.

        With `cheap` it then goes on as long as a look-up gives few rows.
        """
        self.ours = greedy
        waiting = self._settled(list(literals))
        while atoms := [literal for literal in waiting if isinstance(literal, Atom)]:
            following = max(atoms, key=self._boundness) if greedy else atoms[0]
            enough = until is not None and self.known.keys() >= set(until)
            if enough and not (cheap and any(self._boundness(following)[:2])):
                return waiting
            waiting.remove(following)
            self.read(following)
            waiting = self._settled(waiting)
        if waiting and until is None:
            raise EngineError(f"no order of evaluation binds {waiting[0]}")
        return waiting

    def follow(
        self, body: Sequence[Literal], wanted: Iterable[Term], *, greedy: bool, joined: Collection[str] = ()
    ) -> None:
        """Take in a body of which these terms are wanted; what has nothing to do with them must only be possible."""
        needed = self.known.keys() | variables(*wanted)
        told, possible = set_apart(body, needed, joined)
        self.absorb(told, greedy=greedy)
        for part in possible:
            self.exists(part, greedy=greedy)

    def exists(self, literals: Iterable[Literal], *, greedy: bool) -> None:
        """Ask only that the literals can be satisfied, however often."""
        inner = Join(self.sql, known=self.known, prefix=f"{self.prefix}{len(self.conditions)}x")
        inner.absorb(literals, greedy=greedy)
        self.conditions.append(f"EXISTS ({inner.select(['1'], greedy=greedy)})")
        self.probes |= inner.probes

    def value(self, term: Term) -> str:
        return self.sql.expression(term, self.known)

    def whole(self, term: Term) -> str:
        return self.sql.whole(term, self.known)

    def select(self, columns: Sequence[str], *, greedy: bool, distinct: bool = False) -> str:
        """The finished SELECT; SQLite keeps the order of a CROSS JOIN."""
        source = (" CROSS JOIN " if greedy else ", ").join(self.tables)
        return (
            f"SELECT {'DISTINCT ' if distinct else ''}{', '.join(columns)}"
            + (f" FROM {source}" if source else "")
            + (f" WHERE {' AND '.join(self.conditions)}" if self.conditions else "")
        )

    def named(self, relation: str, terms: Sequence[Term]) -> list[str]:
        """Terms under the column names of a relation."""
        values = [self.value(term) for term in terms] or [self.sql.literal(1)]
        return [
            f"{value} AS {column}" for value, column in zip(values, self.sql.columns(relation), strict=True)
        ]

    # ---- comparisons and absences

    def _settled(self, waiting: list[Literal]) -> list[Literal]:
        """What still waits for variables after everything else became a condition or an assignment."""
        left = [literal for literal in waiting if not self._settle(literal)]
        return left if len(left) == len(waiting) else self._settled(left)

    def _settle(self, literal: Literal) -> bool:
        match literal:
            case Compare(op, left, right) if self._is_known(left) and self._is_known(right):
                spelling = "<>" if op == "!=" else op
                self.conditions.append(f"{self.whole(left)} {spelling} {self.whole(right)}")
            case Compare("=", Var(name), term) if self._is_known(term):
                self._assign(name, term)
            case Compare("=", term, Var(name)) if self._is_known(term):
                self._assign(name, term)
            case Not(atom) if all(self._is_known(term) or _whatever(term) for term in atom.args):
                self._deny(atom)
            case _:
                return False
        return True

    def _assign(self, name: str, term: Term) -> None:
        self.known[name] = self.value(term)
        if isinstance(term, Arithmetic | Call):  # a division by zero has no value
            self.conditions.append(f"{self.whole(term)} IS NOT NULL")

    def _deny(self, atom: Atom) -> None:
        columns = self.sql.columns(atom.relation)
        fixed = [i for i, term in enumerate(atom.args) if not _whatever(term)]
        probe = self._probe(atom, frozenset(fixed))
        same = " AND ".join(
            f"{'+' * (i not in probe.bound)}n.{columns[i]} = {self.value(atom.args[i])}" for i in fixed
        )
        source = f"SELECT 1 FROM {self.sql.table(atom.relation)} n" + (f" WHERE {same}" if same else "")
        self.conditions.append(f"NOT EXISTS ({source})")
        self.probes.add(probe)

    def _is_known(self, term: Term) -> bool:
        return variables(term) <= self.known.keys()

    def _boundness(self, atom: Atom) -> tuple[bool, bool, int, int]:
        """What is looked up first: a row that is wholly known, then what gives few rows however long the story."""
        bound = frozenset(i for i, term in enumerate(atom.args) if self._is_known(term))
        constants = sum(isinstance(atom.args[i], Const) for i in bound)
        told = len(bound) - constants
        few = told > 0 and self.sql.few(atom.relation, bound)
        return len(bound) == len(atom.args), few, told, constants


def plain_select(sql: Writer, rule: Rule, *, distinct: bool = True, joined: Collection[str] = ()) -> Query:
    """All rows a rule without a fold concludes; the database chooses the plan, but joins what it is told to join."""
    join = Join(sql)
    join.follow(rule.body, rule.head.args, greedy=False, joined=joined)
    columns = join.named(rule.head.relation, rule.head.args)
    return Query(join.select(columns, greedy=False, distinct=distinct), frozenset(join.probes))


def _whatever(term: Term) -> bool:
    return isinstance(term, Var) and term.anonymous
