"""One situated world: everything that can be asked of it, in words or in rules, with the words on the page at the end.

Holds an engine whose facts were already cut to the situation and, with a focalizer, to what that mind could tell (`eyes`). Writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import field, replace
from functools import cached_property, partial
from typing import Any, TypeVar, cast

from narraworld.base.quick_dataclass import dataclass
from narraworld.query.at_once import AtOnce
from narraworld.query.errors import Outdated
from narraworld.query.figures.result_tables import TabledResult, prose_row
from narraworld.query.goals import derived
from narraworld.query.knows import Matrix, who_knows_what
from narraworld.query.name_finder import NameFinder
from narraworld.query.names import NameBook, ReadAs, rows
from narraworld.query.resolve import MINDS, GoalText, Named, NameResolver, goal_text, kinds_for
from narraworld.query.views import Views, views_of
from narraworld.rules.engines import Engine
from narraworld.rules.language.goal import parse_goal, parse_query
from narraworld.rules.language.ir import Aggregate, Atom, Column, Compare, Const, Literal, Not, Row, Term, Var
from narraworld.rules.language.surface.syntax import ANSWER
from narraworld.rules.proofs.explain import explain
from narraworld.rules.proofs.proof import Proof
from narraworld.rules.proofs.prose import Quote, as_prose, why_not_prose
from narraworld.rules.proofs.why_not import WhyNot, why_not

__all__ = ["Explanation", "GoalAnswer", "Scope"]

PlaceOf = Callable[[str, int], str]
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True, repr=False)
class GoalAnswer(TabledResult):
    """Rows for the variables of a query; ``read_as`` says which texts were taken for what."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    words: tuple[tuple[str, ...], ...]
    read_as: tuple[ReadAs, ...]

    def to_dicts(self) -> list[dict[str, str]]:
        return [dict(zip(self.columns, row, strict=True)) for row in self.words]

    def in_short(self) -> str:
        return f"Answer: {len(self.rows)} rows of {', '.join(self.columns) or 'yes'}"


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(TabledResult):
    """A goal and either its proofs or why it does not hold; as a text, in plain prose down to the words on the page."""

    goal: Atom
    proofs: tuple[Proof, ...]
    missing: WhyNot | None
    read_as: tuple[ReadAs, ...]
    prose: Callable[[Explanation], str] = field(default=repr, repr=False, compare=False)

    def __str__(self) -> str:
        return self.prose(self)

    def to_dicts(self) -> list[dict[str, Any]]:
        return [prose_row(line) for line in str(self).splitlines() if line.strip()]

    def in_short(self) -> str:
        many = len(self.proofs)
        return f"Why {self.goal.relation}: {f'{many} proofs' if many else 'it does not hold'}"


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
        shelf: Callable[[], object] | None = None,
        is_current: Callable[[], bool] = lambda: True,
        read_as: Sequence[ReadAs] = (),
    ) -> None:
        self.engine, self.shelf, self._is_current = engine, shelf, is_current
        self.at_once = AtOnce(engine, engine.count)  # a long list of names and quotes is a few questions
        self.names = NameBook(self.at_once)
        self.resolver = NameResolver(engine, self.names)
        self.focalizer = focalizer  # the symbol of the mind whose world the engine is; None for an author
        self.read_as = tuple(read_as)  # how the situation was understood
        self.place_of = place_of or (lambda unit, start: "")
        self._made: dict[Callable[[Scope], object], object] = {}

    def forget(self) -> None:
        """Drop what was made on the way and can be made again; it holds this scope, which could not go before it."""
        self.__dict__.pop("mentions", None)
        self._made.clear()

    def steady(self) -> AbstractContextManager[object]:
        """Many questions in a row: all see one state, whatever others write, and each is cheaper."""
        self._check_current()
        return self.engine.reading()

    def _check_current(self) -> None:
        if not self._is_current():
            raise Outdated

    def views(self, called: Mapping[str, str] | None = None) -> Views:
        """What is so, believed, open and possible; with ``called``, in these names."""
        with self.steady():
            found = views_of(self.engine, focalizer=self.focalizer, called=called or {})
            return replace(found, read_as=self.read_as)

    def knows(self, who: Sequence[str] = ()) -> Matrix:
        """Who knows what; the minds of ``who`` alone, where somebody is named."""
        with self.steady():
            found = replace(who_knows_what(self.engine, self.focalizer), read_as=self.read_as)
            named = [self.resolver.read(one, MINDS) for one in who]
        return found.only(named) if named else found

    @cached_property
    def mentions(self) -> NameFinder:
        """Finds the names of this world in texts."""
        return NameFinder(self.engine, self.names)

    def once(self, make: Callable[[Scope], Made]) -> Made:
        """What ``make`` makes of this scope, made when first asked for and kept with it."""
        if make not in self._made:
            self._made[make] = make(self)
        return cast("Made", self._made[make])

    def query(self, text: str) -> GoalAnswer:
        """Ask a goal or a conjunction; words that name something stand for it."""
        self._check_current()
        typed, known = goal_text(text), _Known()
        rule = parse_query(
            typed.text, self.engine.program, partial(self._only_compared, typed=typed, known=known)
        )
        body = tuple(self._named(literal, typed, known) for literal in rule.body)
        head = Atom(ANSWER, tuple(term for term in rule.head.args if term in _variables(body)))
        found = derived(self.engine, replace(rule, head=head, body=body))
        columns = tuple(term.name for term in head.args if isinstance(term, Var))
        words = tuple(tuple(self._word(value) for value in row) for row in found)
        return GoalAnswer(columns, tuple(found), words, (*self.read_as, *known.values()))

    def why(self, text: str, *, as_written: bool = False) -> Explanation:
        """A proof of each answer to the goal, or what is missing for it to hold; ``as_written`` no word of it is read as a name."""
        self._check_current()
        typed, known = goal_text(text), _Known()
        parsed = parse_goal(typed.text, self.engine.program)
        goal = parsed if as_written else self._named(parsed, typed, known)
        assert isinstance(goal, Atom)
        answers = [Atom(goal.relation, tuple(Const(v) for v in row)) for row in self.engine.ask(goal)]
        proofs = tuple(proof for one in answers if (proof := explain(self.engine, one)))
        missing = None if proofs else why_not(self.engine, goal)
        return Explanation(goal, proofs, missing, (*self.read_as, *known.values()), self._in_prose)

    def _in_prose(self, found: Explanation) -> str:
        if found.missing is not None:
            return why_not_prose(found.missing, self.names.in_sentence, self.quotes)
        return "\n\n".join(as_prose(proof, self.names.in_sentence, self.quotes) for proof in found.proofs)

    def quotes(self, record: str) -> Sequence[Quote]:
        """The words a record rests on, where they stand."""
        found = []
        asked = self.at_once
        for _, span in rows(asked, "evidence", record):
            for _, unit, start, end in rows(asked, "span", span):
                text = str(rows(asked, "quote", span)[0][1])
                place = self.place_of(str(unit), int(start))
                found.append(Quote(str(unit), int(start), int(end), " ".join(text.split()), place))
        return sorted(found, key=lambda quote: (quote.unit, quote.start))

    # -- words into symbols

    def _named(self, literal: Literal, typed: GoalText, known: _Known) -> Literal:
        match literal:
            case Atom(relation, args):
                columns = self.engine.program.relations[relation].columns
                terms = (
                    self._term(term, column, typed, known) for term, column in zip(args, columns, strict=True)
                )
                return Atom(relation, tuple(terms))
            case Not(atom):
                return Not(self._named(atom, typed, known))  # type: ignore[arg-type]
            case Compare(op, left, right):
                return Compare(op, _compared(left, known), _compared(right, known))
            case Aggregate(result, function, target, body):
                named = tuple(self._named(one, typed, known) for one in body)
                return Aggregate(result, function, target, named)

    def _only_compared(self, word: str, typed: GoalText, known: _Known) -> str | None:
        """What a word names that stands in a comparison and nowhere else; None where it names nothing."""
        found = self.resolver.named(word) if word not in typed.free else None
        return known.take(found) if found else None

    def _term(self, term: Term, column: Column, typed: GoalText, known: _Known) -> Term:
        """A text or a capitalised word becomes the symbol it names; other variables stay variables.

        A capitalised word that is a name or part of one is never a variable, even where several bear it.
        """
        if column.type != "symbol" or not isinstance(text := _text_of(term), str) or text in typed.free:
            return term
        kinds = kinds_for(column)
        found = self.resolver.named(text, kinds)
        if found is not None:
            return Const(known.take(found))
        if text in typed.bare and kinds is not None:
            self.resolver.symbol(text)  # which says that nobody is called so, and who nearly is
        return term

    def _word(self, value: str | float) -> str:
        return self.names(value) if isinstance(value, str) else str(value)


class _Known(dict[str, ReadAs]):
    """The words of one goal that were understood."""

    def take(self, found: Named) -> str:
        if found.text != found.symbol:
            self[found.text] = found.read_as
        return found.symbol


def _compared(term: Term, known: _Known) -> Term:
    return Const(known[term.name].meant) if isinstance(term, Var) and term.name in known else term


def _text_of(term: Term) -> object:
    """The word that a term is, if it may be a name."""
    if isinstance(term, Var):
        return None if term.anonymous else term.name
    return term.value if isinstance(term, Const) else None


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
