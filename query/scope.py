"""One situated world: everything that can be asked of it, in words or in rules, with the words on the page at the end.

Holds an engine whose facts were already cut to the situation. Writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from narraworld.query.errors import Outdated, UnknownName
from narraworld.query.goals import derived
from narraworld.query.knows import Matrix, who_knows_what
from narraworld.query.memory.preview import Preview, preview_of
from narraworld.query.name_finder import NameFinder
from narraworld.query.names import NameBook, rows
from narraworld.query.views import Views, views_of
from narraworld.rules.engines import Engine
from narraworld.rules.language.goal import parse_goal, parse_query
from narraworld.rules.language.ir import Aggregate, Atom, Compare, Const, Literal, Not, Row, Term, Var
from narraworld.rules.language.syntax import ANSWER
from narraworld.rules.proofs.explain import explain
from narraworld.rules.proofs.proof import Proof
from narraworld.rules.proofs.prose import Quote
from narraworld.rules.proofs.why_not import WhyNot, why_not

if TYPE_CHECKING:
    from narraworld.query.memory.find import Finder
    from narraworld.query.memory.items import Teller
    from narraworld.query.memory.search import Search, Shelf

__all__ = ["Explanation", "GoalAnswer", "Scope"]

PlaceOf = Callable[[str, int], str]


@dataclass(frozen=True, slots=True)
class GoalAnswer:
    """Rows for the variables of a query; ``read_as`` says which words were taken for which symbols."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    words: tuple[tuple[str, ...], ...]
    read_as: dict[str, str]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A goal and either its proofs or why it does not hold."""

    goal: Atom
    proofs: tuple[Proof, ...]
    missing: WhyNot | None
    read_as: dict[str, str]


class Scope:
    """The world as one situation sees it, and as it was when the scope was made.

    Kept across a commit, it goes on answering from the old state until somebody asks the world anew; from then on it says
    that it is `Outdated`, because names and answers it remembers belong to tables that are gone.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        focalizer: str | None = None,
        place_of: PlaceOf | None = None,
        shelf: Callable[[], Shelf] | None = None,
        is_current: Callable[[], bool] = lambda: True,
    ) -> None:
        self.engine, self.shelf, self._is_current = engine, shelf, is_current
        self.names = NameBook(engine)
        self.focalizer = self.names.symbol(focalizer) if focalizer else None
        self.place_of = place_of or (lambda unit, start: "")

    def steady(self) -> AbstractContextManager[object]:
        """Many questions in a row: all see one state, whatever others write, and each is cheaper."""
        self._check_current()
        return self.engine.reading()

    def _check_current(self) -> None:
        if not self._is_current():
            raise Outdated

    def views(self) -> Views:
        with self.steady():
            return views_of(self.engine, focalizer=self.focalizer)

    def knows(self) -> Matrix:
        with self.steady():
            return who_knows_what(self.engine)

    @cached_property
    def mentions(self) -> NameFinder:
        """Finds the names of this world in texts."""
        return NameFinder(self.engine, self.names, self.focalizer)

    @cached_property
    def search(self) -> Search:
        """Finds records of this world by word, by meaning and by name."""
        from narraworld.query.memory.search import Search

        return Search(self)

    @cached_property
    def finder(self) -> Finder:
        """Finds sentences of this world by a query with fields, phrases and wild cards."""
        from narraworld.query.memory.find import Finder

        return Finder(self)

    @cached_property
    def teller(self) -> Teller:
        """Tells records of this world as items of memory."""
        from narraworld.query.memory.items import Teller

        return Teller(self)

    @cached_property
    def preview(self) -> Preview:
        """A compact look at what is here; made once."""
        return preview_of(self)

    def query(self, text: str) -> GoalAnswer:
        """Ask a goal or a conjunction; capitalised words that name something stand for it."""
        self._check_current()
        read_as: dict[str, str] = {}
        rule = parse_query(text, self.engine.program, partial(self._only_compared, read_as=read_as))
        body = tuple(self._named(literal, read_as) for literal in rule.body)
        head = Atom(ANSWER, tuple(term for term in rule.head.args if term in _variables(body)))
        found = derived(self.engine, replace(rule, head=head, body=body))
        columns = tuple(term.name for term in head.args if isinstance(term, Var))
        words = tuple(tuple(self._word(value) for value in row) for row in found)
        return GoalAnswer(columns, tuple(found), words, read_as)

    def why(self, text: str) -> Explanation:
        """A proof of each answer to the goal, or what is missing for it to hold."""
        self._check_current()
        read_as: dict[str, str] = {}
        goal = self._named(parse_goal(text, self.engine.program), read_as)
        assert isinstance(goal, Atom)
        answers = [Atom(goal.relation, tuple(Const(v) for v in row)) for row in self.engine.ask(goal)]
        proofs = tuple(proof for one in answers if (proof := explain(self.engine, one)))
        return Explanation(goal, proofs, None if proofs else why_not(self.engine, goal), read_as)

    def quotes(self, record: str) -> Sequence[Quote]:
        """The words a record rests on, where they stand."""
        found = []
        for _, span in rows(self.engine, "evidence", record):
            for _, unit, start, end in rows(self.engine, "span", span):
                text = str(rows(self.engine, "quote", span)[0][1])
                place = self.place_of(str(unit), int(start))
                found.append(Quote(str(unit), int(start), int(end), " ".join(text.split()), place))
        return sorted(found, key=lambda quote: (quote.unit, quote.start))

    # -- words into symbols

    def _named(self, literal: Literal, read_as: dict[str, str]) -> Literal:
        match literal:
            case Atom(relation, args):
                symbols = [
                    column.type == "symbol" for column in self.engine.program.relations[relation].columns
                ]
                terms = (
                    self._term(t, is_symbol, read_as) for t, is_symbol in zip(args, symbols, strict=True)
                )
                return Atom(relation, tuple(terms))
            case Not(atom):
                return Not(self._named(atom, read_as))  # type: ignore[arg-type]
            case Compare(op, left, right):
                return Compare(op, self._compared(left, read_as), self._compared(right, read_as))
            case Aggregate(result, function, target, body):
                return Aggregate(result, function, target, tuple(self._named(one, read_as) for one in body))

    def _only_compared(self, word: str, read_as: dict[str, str]) -> str | None:
        """What a word names that stands in a comparison and nowhere else; None where it names nothing."""
        try:
            read_as[word] = self.names.symbol(word)
        except UnknownName:
            return None
        return read_as[word]

    def _compared(self, term: Term, read_as: dict[str, str]) -> Term:
        return Const(read_as[term.name]) if isinstance(term, Var) and term.name in read_as else term

    def _term(self, term: Term, is_symbol: bool, read_as: dict[str, str]) -> Term:
        """A quoted text or a capitalised word becomes the symbol it names; other variables stay variables."""
        if not is_symbol:
            return term
        if isinstance(term, Var) and not term.anonymous:
            found = self.names.candidates(term.name) if term.name not in read_as else [read_as[term.name]]
            if len(found) != 1:
                return term
            read_as[term.name] = found[0]
            return Const(found[0])
        if isinstance(term, Const) and isinstance(term.value, str):
            return Const(self._symbol(term.value, read_as))
        return term

    def _symbol(self, text: str, read_as: dict[str, str]) -> str:
        """The symbol a quoted text names; a text that names nothing is taken as it stands (a mode, a status …)."""
        try:
            found = self.names.symbol(text)
        except UnknownName:
            return text
        if found != text:
            read_as[text] = found
        return found

    def _word(self, value: str | int) -> str:
        return self.names(value) if isinstance(value, str) else str(value)


def _variables(body: Sequence[Literal]) -> set[Term]:
    found: set[Term] = set()
    for literal in body:
        match literal:
            case Atom(_, args) | Not(Atom(_, args)):
                found.update(args)
            case Compare(_, left, right):
                found.update((left, right))
            case Aggregate(result, _, _, _):
                found.add(result)
    return found
