"""Conditions joined by commas, answered from derived tables: each condition looks up what those before it have bound.

A question that a person or a planner asks is small and names something, so it costs a few look-ups, however long the story
is. What looks further than look-ups can, an aggregate, is left to the goal-directed engine.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import TypeAlias
from weakref import WeakKeyDictionary

from narraworld.base.settings import QuestionLimits
from narraworld.query.at_once import AtOnce, repeats
from narraworld.rules.engines import Engine, Limits
from narraworld.rules.engines.choose import engine_over
from narraworld.rules.engines.deadline import Deadline
from narraworld.rules.engines.sql.lookup import LookupTable
from narraworld.rules.language.goal import parse_query, with_answer
from narraworld.rules.language.ir import (
    Aggregate,
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
from narraworld.rules.language.surface.syntax import ANSWER, ESCAPES
from narraworld.rules.proofs.matching import (
    Answers,
    AskedLiteral,
    ground,
    in_order,
    row_of,
    solutions,
    solutions_in_turn,
)

__all__ = ["GoalBinding", "bindings", "checked", "derived"]

GoalBinding: TypeAlias = dict[str, Value]
MARK = "\N{SECTION SIGN}"  # stands for a name while a shape is parsed
_QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_ESCAPED = re.compile(r"\\(.)")
MANY_COLUMNS = 1000  # more than any relation has
OFTEN = 64  # look-ups of one condition, from which on it is read whole
MOST_KEPT = 4096  # answers remembered for one engine
_ASKED: WeakKeyDictionary[Engine, dict[tuple[str, int | None], list[GoalBinding]]] = WeakKeyDictionary()


def bindings(
    engine: Engine, text: str, *, latest: int | None = None, at_hand: Answers | None = None
) -> list[GoalBinding]:
    """Every way to make the conditions true, in a fixed order; constants are symbols, not names.

    With ``latest``, so many at most, those whose records come last: what somebody has done a thousand times is not read out.
    An engine shows one state of the world, so what it was asked once it is not asked again; ``at_hand`` answers as it does.
    """
    kept = _ASKED.setdefault(engine, {})
    if (text, latest) not in kept:
        if len(kept) >= MOST_KEPT:
            kept.clear()
        kept[text, latest] = _answered(engine, text, latest, at_hand or engine)
    return list(kept[text, latest])


def _answered(engine: Engine, text: str, latest: int | None, at_hand: Answers) -> list[GoalBinding]:
    rule = checked(text, engine.program)
    names = _variables(rule)
    if any(isinstance(literal, Aggregate) for literal in rule.body):
        found = [dict(zip(names, row, strict=False)) for row in derived(engine, rule)]
    else:
        lookups = _Lookups(at_hand, backwards=latest is not None, body=rule.body)
        found = list(islice(lookups.solutions(_in_order(text, rule, lookups)), latest))
    unique = {tuple(one.get(name, "") for name in names): one for one in found}
    return [unique[key] for key in sorted(unique, key=_sortable)]


def _in_order(text: str, rule: Rule, lookups: _Lookups) -> list[Literal]:
    """The conditions as they are looked up: of queries of one shape, worked out once."""
    key = _shape_of(text)[0], _Same(lookups.program)
    if key not in _ORDERS:
        if len(_ORDERS) >= MOST_KEPT:
            _ORDERS.clear()
        places = {id(literal): nth for nth, literal in enumerate(rule.body)}
        _ORDERS[key] = [places[id(literal)] for literal in in_order(lookups, rule.body, {})]
    return [rule.body[nth] for nth in _ORDERS[key]]


def checked(text: str, program: Program) -> Rule:
    """The query, parsed and checked like any rule; RuleError says what is wrong with it and where.

    Queries of one shape differ only in whom they name, so it is the shape that is parsed, and once.
    """
    if any(escape not in ESCAPES for escape in _ESCAPED.findall(text)):
        return _parsed(text, _Same(program))  # which says what is wrong
    shape, symbols = _shape_of(text)
    rule = _parsed(shape, _Same(program))
    return replace(rule, body=tuple(_put(literal, symbols) for literal in rule.body))


def _shape_of(text: str) -> tuple[str, dict[str, str]]:
    """A query with marks in the place of its names, and which names those are."""
    named = [_unquoted(one) for one in _QUOTED.findall(text)]
    numbers = iter(range(len(named)))
    shape = _QUOTED.sub(lambda _: f'"{MARK}{next(numbers)}"', text)
    return shape, {f"{MARK}{number}": symbol for number, symbol in enumerate(named)}


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


_ORDERS: dict[tuple[str, _Same], list[int]] = {}  # of conditions, by the shape of the query


@lru_cache(maxsize=4096)
def _parsed(text: str, same: _Same) -> Rule:
    return parse_query(text, same.program)


def derived(engine: Engine, query: Rule) -> list[Row]:
    """The rows of a query's head; a query that asks for no value has one row where it holds. Ends at the limits of a question.

    By look-ups, one answer at a time, so that conditions which share nothing cost no memory for the pairs they make; what
    looks further, an aggregate, by the goal-directed engine.
    """
    head = query.head if query.head.args else Atom(ANSWER, (Const("yes"),))
    if any(isinstance(literal, Aggregate) for literal in query.body):
        program = with_answer(engine.program, replace(query, head=head))
        return engine_over(program, engine, ANSWER).ask(head)
    found = set[Row]()
    budget = Deadline(Limits(), question=QuestionLimits())
    for env in solutions(_Lookups(engine, budget=budget), query.body, {}):
        found.add(row_of(head.args, env))
        budget.check_answers(len(found))
    return sorted(found, key=_sortable)


class _NothingMeets(Exception):
    """A condition is met by nothing, whatever the others are met by: there is no answer to the whole. Never shown."""


def _only_repeats(literal: Literal, body: Sequence[Literal]) -> bool:
    """Whether this is one of two conditions, says nothing of anything but X, and the other is about X and names something:
    `happened(X)` beside `role(X, "ada", R)`. What it would find first, the longer the story the more of it, is found in the
    same order by the other."""
    if len(body) != 2 or not isinstance(literal, Atom) or len(literal.args) != 1:
        return False
    other = body[1] if literal is body[0] else body[0]
    if not isinstance(other, Atom) or not isinstance(literal.args[0], Var):
        return False
    return other.args[:1] == literal.args and any(isinstance(term, Const) for term in other.args)


class _Lookups(AskedLiteral):
    """The rows that one query looks up, the last ones first if it is ``backwards``.

    A condition that is looked up again and again for other values is read once, whole, if its own constants narrow it: who
    was ever with whom is then two readings, however often either acted.
    """

    def __init__(
        self,
        engine: Answers,
        *,
        backwards: bool = False,
        budget: Deadline | None = None,
        body: Sequence[Literal] = (),
    ) -> None:
        super().__init__(engine)
        self._backwards, self._budget = backwards, budget
        self._times: Counter[int] = Counter()  # by the condition itself, which the query holds
        self._whole: dict[Atom, LookupTable] = {}
        self._needed = {id(literal) for literal in body if isinstance(literal, Atom)}
        self._later = {id(literal) for literal in body if _only_repeats(literal, body)}
        self._hand = engine if isinstance(engine, AtOnce) else None
        self._plain = {
            id(literal) for literal in body if isinstance(literal, Atom) and not repeats(literal.args)
        }

    def solutions(self, in_turn: Sequence[Literal]) -> Iterator[GoalBinding]:
        """All bindings, the conditions looked up in this order; none where one turns out to be met by nothing."""
        with suppress(_NothingMeets):
            yield from solutions_in_turn(self, in_turn, {})

    def looseness(self, atom: Atom, env: GoalBinding) -> tuple[bool, bool, int, int]:
        closure, loose, free, height = super().looseness(atom, env)
        return closure, loose, free + (MANY_COLUMNS if loose and id(atom) in self._later else 0), height

    def rows(self, atom: Atom, env: GoalBinding) -> list[Row]:
        self._times[id(atom)] += 1
        narrowed = any(isinstance(term, Const) for term in atom.args)
        if narrowed and self._times[id(atom)] > OFTEN and self._pays(atom):
            found = self._read_whole(atom, env)
        else:
            found = self._at_hand(atom, env)
        if self._budget:
            self._budget.read(len(found))
        return found[::-1] if self._backwards else found

    def _pays(self, atom: Atom) -> bool:
        """Whether reading all that a condition's own constants leave costs no more than the look-ups made so far."""
        return self._hand is None or self._hand.pays(atom, self._times[id(atom)])

    def _at_hand(self, atom: Atom, env: GoalBinding) -> list[Row]:
        """Without a goal where the rows lie at hand: making one, and finding it among those asked before, takes longer than the look-up."""
        if self._hand is None or id(atom) not in self._plain:
            return super().rows(atom, env)
        known = list[tuple[int, Value]]()
        for place, term in enumerate(atom.args):
            if isinstance(term, Const):
                known.append((place, term.value))
            elif isinstance(term, Var) and term.name in env:
                known.append((place, env[term.name]))
        found = self._hand.at_hand(atom.relation, tuple(known))
        return self._hand.alone(ground(atom, env)) if found is None else found

    def _read_whole(self, atom: Atom, env: GoalBinding) -> list[Row]:
        if atom not in self._whole:
            self._whole[atom] = LookupTable(self.ask(atom))
            if not self._whole[atom].rows and id(atom) in self._needed:
                raise _NothingMeets
        terms = enumerate(atom.args)
        known = tuple((at, env[t.name]) for at, t in terms if isinstance(t, Var) and t.name in env)
        return sorted(self._whole[atom].find(known))


def _variables(rule: Rule) -> tuple[str, ...]:
    return tuple(term.name for term in rule.head.args if isinstance(term, Var))


def _sortable(key: tuple[Value, ...]) -> tuple[tuple[bool, Value], ...]:
    return tuple((isinstance(value, str), value) for value in key)
