"""Rule bodies as pyDatalog clauses, and the resolvers that answer them.

Clauses are built from objects, never from text, because pyDatalog executes text. Every literal is a predicate of its
own that Python answers: an atom by looking rows up, an absence by finding none, a comparison by comparing, so that all of
them mean exactly what `rules.ir` says. Handed its library and its rows; imports neither.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from narraworld.rules.engines.sql.lookup import Bound
from narraworld.rules.engines.sql.nearest import Nearest, recognise
from narraworld.rules.language.ir import Atom, Compare, Const, Fold, Literal, Not, Row, Rule, Term, Value, Var
from narraworld.rules.language.terms import calculate, compare, in_64_bits, variables
from narraworld.rules.language.values.functions import folded

__all__ = ["Clauses", "Question"]

Find: TypeAlias = Callable[[str, Bound], Iterable[Row]]
Resolver: TypeAlias = Callable[..., Iterable[Row]]
ClauseBinding: TypeAlias = Mapping[str, Value]

_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class Question:
    """One rule body as a clause; its answers bind `names`, and rows are made from them. Can be asked again."""

    literal: Any
    names: tuple[str, ...]
    rule: Rule

    def rows(self) -> Iterator[Row]:
        answers: Collection[Row] = self.literal.ask()
        bindings = (dict(zip(self.names, answer, strict=True)) for answer in answers)
        if self.rule.fold:
            return _folded(self.rule.head.args[:-1], self.rule.fold, bindings)
        return (_values(self.rule.head.args, binding) for binding in bindings)


class Clauses:
    """The clauses of one evaluation. pyDatalog's predicates are known to the whole process, so names are numbered,
    never used twice, and taken back by `close`."""

    def __init__(self, engine: Any, find: Find) -> None:
        self._engine, self._find = engine, find
        self._predicates: dict[object, str] = {}

    def close(self) -> None:
        for name in self._predicates.values():
            del self._engine.Python_resolvers[name]
        self._predicates.clear()

    def question(self, rule: Rule) -> Question:
        """Assert the rule, whose body can be followed from left to right, as a clause that can be asked."""
        nearest = recognise(rule)
        known: set[str] = set()
        body = nearest.outer if nearest else rule.body
        literals = [part for literal in body for part in self._translated(literal, known)]
        if nearest:
            literals.append(self._nearest(nearest))
        names = tuple(dict.fromkeys(_needed(rule)))
        head = self._literal(f"nw{next(_numbers)}_", map(Var, names))
        self._engine.assert_(self._engine.Clause(head, literals))
        return Question(head, names, rule)

    # ---- literals

    def _translated(self, literal: Literal, known: set[str]) -> Iterator[Any]:
        match literal:
            case Atom(relation, args):
                yield from self._atom(relation, args)
            case Not(Atom(relation, args)):
                columns = [i for i, term in enumerate(args) if known.issuperset(variables(term))]
                asked = [args[column] for column in columns]
                yield self._asked(("!", relation, *columns), self._absent(relation, columns), asked)
            case Compare():
                yield self._compared(literal, known)
        if not isinstance(literal, Not):
            known.update(variables(literal))

    def _atom(self, relation: str, args: tuple[Term, ...]) -> Iterator[Any]:
        """A variable that stands twice gets a second name: pyDatalog finds no row for p(X, X)."""
        apart, twins = list[Term](), list[Compare]()
        for column, term in enumerate(args):
            if isinstance(term, Var) and term in apart:
                twins.append(Compare("=", term, Var(f"{term.name} {column}")))
                apart.append(twins[-1].right)
            else:
                apart.append(term)
        yield self._asked(relation, self._present(relation), apart)
        yield from (self._compared(twin, {*variables(twin)}) for twin in twins)

    def _compared(self, literal: Compare, known: Collection[str]) -> Any:
        names = tuple(dict.fromkeys(variables(literal)))
        unknown = [name for name in names if name not in known]
        resolver = _assigned(literal, names, unknown[0]) if unknown else _tested(literal, names)
        return self._asked(("?", literal, *unknown), resolver, map(Var, names))

    def _nearest(self, pattern: Nearest) -> Any:
        """The timetable and the comparison with it as one literal over its keys, the moment and the nearest one."""
        table = pattern.timetable
        columns = [i for i, term in enumerate(table.args) if isinstance(term, Const) or term in pattern.keys]
        resolver = self._neighbour(table.relation, columns, table.args.index(pattern.target), pattern.op)
        asked = [*(table.args[column] for column in columns), pattern.time, pattern.target]
        return self._asked(pattern, resolver, asked)

    def _asked(self, what: object, resolver: Resolver, args: Iterable[Term]) -> Any:
        """A literal over a predicate that Python answers; what means the same shares one predicate."""
        terms = list(args)
        if what not in self._predicates:
            # the name ends in no digit: pyDatalog also tries the name with the arity added to it
            self._predicates[what] = f"nw{next(_numbers)}_/{len(terms)}"
            self._engine.Python_resolvers[self._predicates[what]] = resolver
        return self._literal(self._predicates[what].partition("/")[0], terms)

    def _literal(self, name: str, terms: Iterable[Term]) -> Any:
        return self._engine.Literal(name, [self._term(term) for term in terms])

    def _term(self, term: Term) -> Any:
        if isinstance(term, Const):
            return self._engine.Const(term.value)
        assert isinstance(term, Var), "arithmetic stands only in comparisons"
        return self._engine.Var(term.name)

    # ---- resolvers: pyDatalog's terms in, rows out; a row of the wrong length would be lost in silence

    def _present(self, relation: str) -> Resolver:
        def rows(*terms: Any) -> Iterable[Row]:
            return self._find(relation, tuple((i, t.id) for i, t in enumerate(terms) if t.is_const()))

        return rows

    def _absent(self, relation: str, columns: list[int]) -> Resolver:
        def itself(*terms: Any) -> Iterable[Row]:
            values = tuple(term.id for term in terms)
            found = any(True for _ in self._find(relation, tuple(zip(columns, values, strict=True))))
            return () if found else (values,)

        return itself

    def _neighbour(self, relation: str, columns: list[int], target: int, op: str) -> Resolver:
        timetables: dict[Row, list[Value]] = {}

        def extended(*terms: Any) -> Iterable[Row]:
            *keys, time = (term.id for term in terms[:-1])
            key = tuple(keys)
            if key not in timetables:
                rows = self._find(relation, tuple(zip(columns, key, strict=True)))
                timetables[key] = sorted({row[target] for row in rows})
            found = _next_to(timetables[key], op, time)
            return () if found is None else ((*key, time, found),)

        return extended


def _next_to(moments: list[Any], op: str, time: Value) -> Value | None:
    """The nearest moment that stands in this relation (`>`, `>=`, `<`, `<=`) to the time."""
    place = (bisect_right if op in (">", "<=") else bisect_left)(moments, time)
    place -= op in ("<", "<=")
    return moments[place] if 0 <= place < len(moments) else None


def _tested(literal: Compare, names: tuple[str, ...]) -> Resolver:
    def itself(*terms: Any) -> Iterable[Row]:
        values = tuple(term.id for term in terms)
        return (values,) if compare(literal, dict(zip(names, values, strict=True))) else ()

    return itself


def _assigned(literal: Compare, names: tuple[str, ...], unknown: str) -> Resolver:
    expression = literal.right if literal.left == Var(unknown) else literal.left

    def extended(*terms: Any) -> Iterable[Row]:
        known = {name: term.id for name, term in zip(names, terms, strict=True) if name != unknown}
        value = calculate(expression, known)
        return () if value is None else (tuple(known.get(name, value) for name in names),)

    return extended


# ---- from answers to rows


def _needed(rule: Rule) -> Iterator[str]:
    """The variables whose values a row is made from; folds that count need what they count over."""
    if not rule.fold:
        yield from variables(*rule.head.args)
        return
    yield from variables(*rule.head.args[:-1])
    if rule.fold.target is not None:
        yield from variables(rule.fold.target)
    if rule.fold.each:
        yield from variables(*rule.fold.over)


def _values(terms: Iterable[Term], binding: ClauseBinding) -> Row:
    return tuple(t.value if isinstance(t, Const) else binding[t.name] for t in terms)  # type: ignore[union-attr]


def _folded(group: tuple[Term, ...], fold: Fold, bindings: Iterable[ClauseBinding]) -> Iterator[Row]:
    groups: dict[Row, dict[Row, Any]] = {}
    for binding in bindings:
        value = 1 if fold.target is None else calculate(fold.target, binding)
        if value is not None:
            over = _values(fold.over, binding) if fold.each else (value,)
            groups.setdefault(_values(group, binding), {})[over] = value
    for key, values in groups.items():
        found = folded(fold.function, list(values.values()))
        yield (*key, found if isinstance(found, float) else in_64_bits(found))
