"""Answers to one question at a time, by pyDatalog; the only door to that library.

A question becomes a call of its relation for one key, and calls call each other as `demand` plans them, sets of keys at
a time; what nobody calls is never derived. pyDatalog does the joins (`clauses`) and holds no facts: base rows and rows
derived so far are looked up as it asks for them.

Recursion goes in semi-naive rounds, each joining only what the last one found. pyDatalog's own recursion tables
every sub-question: on a chain of a thousand, written the wrong way round, it takes 22 seconds.

pyDatalog's state belongs to the thread and its predicates to the process. Each question has a `Logic` of its own
and predicates that nobody else has, so that worlds and threads cannot meet.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import version
from typing import Any

from narraworld.rules.engines import Engine, Limits
from narraworld.rules.engines.deadline import Deadline
from narraworld.rules.engines.pydatalog.clauses import Clauses, Question
from narraworld.rules.engines.pydatalog.demand import DemandedCall, DemandPlan, DemandPlanner
from narraworld.rules.engines.sql.lookup import Bound, LookupTable, MemorySource, RowLookup
from narraworld.rules.errors import EngineError, NumberTooLarge
from narraworld.rules.language.ir import Atom, Const, Facts, Literal, Not, Program, Row, Rule, Term
from narraworld.rules.language.terms import atom_of, ordered, variables

__all__ = ["PyDatalogEngine"]

_VERSION = "0.22.4"
_importing = threading.Lock()


class PyDatalogEngine(Engine):
    """The goal-directed engine: between questions it keeps base facts and plans, but nothing derived."""

    name = "pydatalog"

    def __init__(
        self,
        program: Program,
        source: RowLookup | None = None,
        *,
        facts: Facts | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.program = program
        self.limits = limits or Limits()
        self._source = source or MemorySource(program.with_given(facts or {}), program.relations)
        self._planner = DemandPlanner(program)
        self._lock = threading.Lock()
        _library()

    @property
    def compiled(self) -> bool:
        """Whether pyDatalog's compiled engine is loaded; the one in Python answers the same, slower."""
        return not str(_library().pyEngine.__file__).endswith(".py")

    def load(self, facts: Facts) -> None:
        self._source = MemorySource(self.program.with_given(facts), self.program.relations)

    def ask(self, goal: Atom) -> list[Row]:
        self._check(goal)
        with self._lock:
            return sorted(_matching(goal, self._rows(goal)))

    def close(self) -> None:
        self.load({})

    def _check(self, goal: Atom) -> None:
        relation = self.program.relations.get(goal.relation)
        if relation is None:
            raise EngineError(f"no relation is called {goal.relation!r}")
        if relation.arity != len(goal.args):
            raise EngineError(f"{goal.relation!r} has {relation.arity} columns, the goal {len(goal.args)}")

    def _rows(self, goal: Atom) -> Iterable[Row]:
        if self.program.relations[goal.relation].base:
            return self._source.find(goal.relation, _constants(goal))
        deadline = Deadline(self.limits, otherwise="")
        with _own_logic(), _Evaluation(self._planner, self._source, deadline) as evaluation:
            try:
                return evaluation.answer(goal)
            except NumberTooLarge as error:
                raise deadline.too_wide() from error


def _constants(goal: Atom) -> Bound:
    return tuple((i, term.value) for i, term in enumerate(goal.args) if isinstance(term, Const))


def _matching(goal: Atom, rows: Iterable[Row]) -> Iterator[Row]:
    """The rows, each once, that carry the goal's constants and agree where a variable stands twice."""
    wanted = _constants(goal)
    first: dict[Term, int] = {}
    same = [(i, first[t]) for i, t in enumerate(goal.args) if first.setdefault(t, i) != i]
    for row in set(rows):
        if all(row[i] == value for i, value in wanted) and all(row[i] == row[j] for i, j in same):
            yield row


@dataclass(slots=True)
class _Answers:
    """What one call has been asked for and what was found; `fresh` is what the next round will look at."""

    call: DemandedCall
    name: str
    keys: LookupTable = field(default_factory=LookupTable)
    rows: LookupTable = field(default_factory=LookupTable)
    fresh_keys: set[Row] = field(default_factory=set)
    fresh_rows: set[Row] = field(default_factory=set)


class _Evaluation:
    """One question, answered by calls. Tables have names, under which rules read them through pyDatalog:
    the call's name for its rows, with a suffix for its keys and for what is new of either."""

    def __init__(self, planner: DemandPlanner, source: RowLookup, deadline: Deadline) -> None:
        self._planner, self._source, self._deadline = planner, source, deadline
        self._answers: dict[DemandedCall, _Answers] = {}
        self._tables: dict[str, LookupTable] = {}
        self._running: set[str] = set()
        self._questions: dict[tuple[str, DemandPlan, int, int], Question] = {}
        self._clauses = Clauses(_library().pyEngine, self._find)

    def __enter__(self) -> _Evaluation:
        return self

    def __exit__(self, *_: object) -> None:
        self._clauses.close()

    def answer(self, goal: Atom) -> Iterable[Row]:
        call = self._planner.call(goal, ())
        self._want(call, [tuple(value for column, value in _constants(goal) if column in call.columns)])
        return self._answers[call].rows.rows

    def _find(self, name: str, bound: Bound) -> Iterable[Row]:
        self._deadline.check_time()
        table = self._tables.get(name)
        return self._source.find(name, bound) if table is None else table.find(bound)

    # ---- calls

    def _want(self, call: DemandedCall, keys: Iterable[Row]) -> None:
        """See to it that the call is answered for these keys: now, or in the next round of its own group."""
        answers, group = self._of(call), self._planner.group(call)
        new = answers.keys.add(keys)
        if group in self._running:
            answers.fresh_keys |= new
            return
        answers.fresh_keys |= new - self._copied(answers, new)
        if answers.fresh_keys:
            self._running.add(group)
            self._settle(group)
            self._running.remove(group)

    def _is_whole(self, call: DemandedCall) -> bool:
        """Whether the call has no key and has been made: it cannot be asked for more."""
        return not call.columns and call in self._answers and bool(self._answers[call].keys.rows)

    def _of(self, call: DemandedCall) -> _Answers:
        if call not in self._answers:
            answers = self._answers[call] = _Answers(call, f"{call.relation} by {call.columns}")
            self._tables[answers.name] = answers.rows
            self._tables[f"{answers.name}, keys"] = answers.keys
        return self._answers[call]

    def _copied(self, answers: _Answers, keys: Iterable[Row]) -> set[Row]:
        """Take over the rows that a wider call of the same relation has found; returns the keys this settles."""
        done: set[Row] = set()
        columns = answers.call.columns
        for call, other in self._answers.items():
            if call.relation == answers.call.relation and set(call.columns) < set(columns):
                places = [columns.index(column) for column in call.columns]
                for key in keys:
                    if tuple(key[place] for place in places) in other.keys.rows:
                        answers.rows.add(other.rows.find(tuple(zip(columns, key, strict=True))))
                        done.add(key)
        return done

    # ---- rounds

    def _settle(self, group: str) -> None:
        """Rounds over the calls of one group, until none has a key or a row that is new."""
        members = self._members(group)
        while any(one.fresh_keys or one.fresh_rows for one in members):
            self._deadline.working_on = members[0].call.relation
            for one in members:
                self._tables[f"{one.name}, new keys"] = LookupTable(one.fresh_keys)
                self._tables[f"{one.name}, new"] = LookupTable(one.fresh_rows)
                one.fresh_keys, one.fresh_rows = set(), set()
            for one in members:
                for plan in self._planner.plans(one.call):
                    for place in self._news(one, plan):
                        self._follow(one, plan, place)
            members = self._members(group)

    def _members(self, group: str) -> list[_Answers]:
        return [one for one in self._answers.values() if self._planner.group(one.call) == group]

    def _news(self, answers: _Answers, plan: DemandPlan) -> Iterator[int]:
        """Places in the body where the last round found something; -1 stands for the key."""
        if self._tables[f"{answers.name}, new keys"].rows:
            yield -1
        for place, call in enumerate(plan.calls):
            if call and isinstance(plan.body[place], Atom) and self._planner.group(call) in self._running:
                new = self._tables.get(f"{self._of(call).name}, new")
                if new and new.rows:
                    yield place

    def _follow(self, answers: _Answers, plan: DemandPlan, news: int) -> None:
        """Go through the body with what is new in one place: make each call behind it, then conclude."""
        for place, call in enumerate(plan.calls):
            if call and place > news and not self._is_whole(call):
                keys = set(self._question(answers, plan, news, place).rows())
                if not keys:
                    return
                self._want(call, keys)
        new = answers.rows.add(self._question(answers, plan, news, len(plan.body)).rows())
        answers.fresh_rows |= new
        self._deadline.spend(len(new))

    def _question(self, answers: _Answers, plan: DemandPlan, news: int, place: int) -> Question:
        """What the body says before this place: the keys of the call there, or at its end the rule's own rows."""
        asked = (answers.name, plan, news, place)
        if asked not in self._questions:
            rule = replace(plan.rule, body=tuple(self._body(answers, plan, news, place)))
            if place < len(plan.body):
                call, atom = plan.calls[place], atom_of(plan.body[place])
                assert call and atom
                rule = Rule(Atom(call.relation, call.key(atom.args)), rule.body)
            self._questions[asked] = self._clauses.question(rule)
        return self._questions[asked]

    def _body(self, answers: _Answers, plan: DemandPlan, news: int, end: int) -> list[Literal]:
        """The body up to a place, reading tables; the literal with the news first."""
        suffix = ", new keys" if news == -1 else ", keys"
        key = Atom(f"{answers.name}{suffix}", plan.key)
        body = [self._reading(plan, place, "" if place != news else ", new") for place in range(end)]
        if news == -1:
            return [key, *body]
        first = body.pop(news)
        return [first, *ordered([key, *body], variables(first))]

    def _reading(self, plan: DemandPlan, place: int, suffix: str) -> Literal:
        literal, call = plan.body[place], plan.calls[place]
        atom = atom_of(literal)
        if call is None or atom is None:
            return literal
        table = Atom(f"{self._of(call).name}{suffix}", atom.args)
        return Not(table) if isinstance(literal, Not) else table


# ---- the library


@cache
def _library() -> Any:
    """pyDatalog, checked: its state and its traps are known for one version only."""
    with _importing, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "invalid escape sequence" in its sources
        import pyDatalog
        from pyDatalog import Logic, pyEngine  # noqa: F401 (makes pyDatalog.pyEngine an attribute)
    found = version("pyDatalog")
    if found != _VERSION:
        raise EngineError(f"pyDatalog {found} is installed", fix=f"pip install pyDatalog=={_VERSION}")
    pyEngine.Float_Precision = None  # it would round fractions to eight digits
    return pyDatalog


@contextmanager
def _own_logic() -> Iterator[None]:
    """A new state for this thread, and the former one back afterwards, even after an error."""
    local = _library().Logic.tl
    before = getattr(local, "logic", None)
    _library().Logic()
    try:
        yield
    finally:
        if before is None:
            del local.logic
        else:
            local.logic = before
