"""Conditions joined by commas, answered from derived tables: each condition looks up what those before it have bound.

A question that a person or a planner asks is small and names something, so it costs a few look-ups, however long the story
is. What looks further than look-ups can (an aggregate, a relation on demand) is left to the goal-directed engine.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import TypeAlias
from weakref import WeakKeyDictionary

from narraworld.rules.engines import Engine
from narraworld.rules.engines.choose import engine_over
from narraworld.rules.goal import parse_query, with_answer
from narraworld.rules.ir import (
    Aggregate,
    Arithmetic,
    Atom,
    Compare,
    Const,
    Literal,
    Not,
    Program,
    Row,
    Rule,
    Term,
    Value,
    Var,
)
from narraworld.rules.syntax import ANSWER, ESCAPES

__all__ = ["Binding", "bindings", "checked"]

Binding: TypeAlias = dict[str, Value]
MARK = "\N{SECTION SIGN}"  # stands for a name while a shape is parsed
_QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_ESCAPED = re.compile(r"\\(.)")
OFTEN = 64  # look-ups of one condition, from which on it is read whole
MOST_KEPT = 4096  # answers remembered for one engine
_ASKED: WeakKeyDictionary[Engine, dict[tuple[str, int | None], list[Binding]]] = WeakKeyDictionary()
COMPARISONS = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def bindings(engine: Engine, text: str, *, latest: int | None = None) -> list[Binding]:
    """Every way to make the conditions true, in a fixed order; constants are symbols, not names.

    With ``latest``, so many at most, those whose records come last: what somebody has done a thousand times is not read out.
    An engine shows one state of the world, so what it was asked once it is not asked again.
    """
    kept = _ASKED.setdefault(engine, {})
    if (text, latest) not in kept:
        if len(kept) >= MOST_KEPT:
            kept.clear()
        kept[text, latest] = _answered(engine, text, latest)
    return list(kept[text, latest])


def _answered(engine: Engine, text: str, latest: int | None) -> list[Binding]:
    rule = checked(text, engine.program)
    if _is_plain(rule.body):
        found = list(islice(_joined(_Lookups(engine), list(rule.body), {}, latest is not None), latest))
    else:
        found = list(_derived(engine, rule))
    unique = {tuple(one.get(name, "") for name in _variables(rule)): one for one in found}
    return [unique[key] for key in sorted(unique, key=_sortable)]


def checked(text: str, program: Program) -> Rule:
    """The query, parsed and checked like any rule; RuleError says what is wrong with it and where.

    Queries of one shape differ only in whom they name, so it is the shape that is parsed, and once.
    """
    if any(escape not in ESCAPES for escape in _ESCAPED.findall(text)):
        return _parsed(text, _Same(program))  # which says what is wrong
    named = [_unquoted(one) for one in _QUOTED.findall(text)]
    numbers = iter(range(len(named)))
    shape = _QUOTED.sub(lambda _: f'"{MARK}{next(numbers)}"', text)
    rule = _parsed(shape, _Same(program))
    symbols = {f"{MARK}{number}": symbol for number, symbol in enumerate(named)}
    return replace(rule, body=tuple(_put(literal, symbols) for literal in rule.body))


def _unquoted(text: str) -> str:
    return _ESCAPED.sub(lambda escape: ESCAPES.get(escape[1], escape[0]), text[1:-1])


def _put(literal: Literal, symbols: Mapping[str, str]) -> Literal:
    """The literal with the names that belong there."""
    match literal:
        case Atom(relation, args):
            return Atom(relation, tuple(_named(term, symbols) for term in args))
        case Not(Atom(relation, args)):
            return Not(Atom(relation, tuple(_named(term, symbols) for term in args)))
        case Compare(op, left, right):
            return Compare(op, _named(left, symbols), _named(right, symbols))
        case Aggregate(result, function, target, body):
            return Aggregate(result, function, target, tuple(_put(one, symbols) for one in body))


def _named(term: Term, symbols: Mapping[str, str]) -> Term:
    return Const(symbols.get(str(term.value), term.value)) if isinstance(term, Const) else term


@dataclass(frozen=True, slots=True)
class _Same:
    """A program by identity: one world asks the same few questions many times."""

    program: Program

    def __hash__(self) -> int:
        return id(self.program)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.program is self.program


@lru_cache(maxsize=4096)
def _parsed(text: str, same: _Same) -> Rule:
    return parse_query(text, same.program)


def _is_plain(body: Iterable[Literal]) -> bool:
    return not any(
        isinstance(one, Aggregate) or (isinstance(one, Compare) and _has_arithmetic(one)) for one in body
    )


def _has_arithmetic(one: Compare) -> bool:
    return isinstance(one.left, Arithmetic) or isinstance(one.right, Arithmetic)


def _derived(engine: Engine, rule: Rule) -> Iterator[Binding]:
    head = rule.head if rule.head.args else Atom(ANSWER, (Const("yes"),))
    whole = Rule(head, rule.body, place=rule.place)
    asked = engine_over(with_answer(engine.program, whole), engine, ANSWER)
    names = [term.name for term in rule.head.args if isinstance(term, Var)]
    for row in asked.ask(Atom(ANSWER, head.args)):
        yield dict(zip(names, row, strict=False))


def _joined(tables: _Lookups, body: list[Literal], known: Binding, backwards: bool) -> Iterator[Binding]:
    if not body:
        yield known
        return
    nearest = min(range(len(body)), key=lambda at: (_cost(body[at], known), at))
    literal, rest = body[nearest], body[:nearest] + body[nearest + 1 :]
    for more in _matches(tables, literal, known, backwards):
        yield from _joined(tables, rest, known | more, backwards)


class _Lookups:
    """The rows that one query looks up. A condition that is looked up again and again for other values is read once, whole,
    if its own constants narrow it: who was ever with whom is then two readings, however often either acted."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._times: Counter[Atom] = Counter()
        self._whole: dict[tuple[Atom, tuple[int, ...]], dict[Row, list[Row]]] = {}

    def find(self, atom: Atom, known: Binding) -> list[Row]:
        """Rows that match the atom with what is known, in order."""
        filled = {
            at: known[term.name]
            for at, term in enumerate(atom.args)
            if isinstance(term, Var) and term.name in known
        }
        self._times[atom] += 1
        if self._times[atom] > OFTEN and any(isinstance(term, Const) for term in atom.args):
            return self._sorted_by(atom, tuple(filled)).get(tuple(filled.values()), [])
        terms = (Const(filled[at]) if at in filled else term for at, term in enumerate(atom.args))
        return self._engine.ask(Atom(atom.relation, tuple(terms)))

    def _sorted_by(self, atom: Atom, columns: tuple[int, ...]) -> dict[Row, list[Row]]:
        if (atom, columns) not in self._whole:
            groups: dict[Row, list[Row]] = {}
            for row in self._engine.ask(atom):
                groups.setdefault(tuple(row[at] for at in columns), []).append(row)
            self._whole[atom, columns] = groups
        return self._whole[atom, columns]


def _cost(literal: Literal, known: Binding) -> int:
    """How many columns a look-up leaves open; what only tests goes first once it can, and never before."""
    terms = _terms(literal)
    open_ = sum(1 for term in terms if isinstance(term, Var) and term.name not in known)
    if isinstance(literal, Atom):
        bound = len(terms) - open_
        return 10 + open_ if bound else 100 + open_
    named = [term for term in terms if isinstance(term, Var) and not term.anonymous]
    return 1000 if any(term.name not in known for term in named) else 0


def _matches(tables: _Lookups, literal: Literal, known: Binding, backwards: bool) -> Iterator[Binding]:
    match literal:
        case Atom():
            yield from _rows(tables, literal, known, backwards)
        case Not(atom):
            if not any(True for _ in _rows(tables, atom, known)):
                yield {}
        case Compare("=", Var(name), right) if name not in known:
            yield {name: _value(right, known)}
        case Compare("=", left, Var(name)) if name not in known:
            yield {name: _value(left, known)}
        case Compare(op, left, right):
            if COMPARISONS[op](_value(left, known), _value(right, known)):
                yield {}


def _rows(tables: _Lookups, atom: Atom, known: Binding, backwards: bool = False) -> Iterator[Binding]:
    found = tables.find(atom, known)
    for row in reversed(found) if backwards else found:
        yield {term.name: value for term, value in zip(atom.args, row, strict=True) if isinstance(term, Var)}


def _value(term: Term, known: Binding) -> Value:
    return known[term.name] if isinstance(term, Var) else term.value  # type: ignore[union-attr]


def _terms(literal: Literal) -> tuple[Term, ...]:
    match literal:
        case Atom(_, args) | Not(Atom(_, args)):
            return args
        case Compare(_, left, right):
            return left, right
    return ()


def _variables(rule: Rule) -> tuple[str, ...]:
    return tuple(term.name for term in rule.head.args if isinstance(term, Var))


def _sortable(key: tuple[Value, ...]) -> tuple[tuple[bool, Value], ...]:
    return tuple((isinstance(value, str), value) for value in key)
