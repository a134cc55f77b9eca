"""Rule text in, surface values out: the only door to lark, opened when the first text is read.

Reads the subset of Soufflé described in docs/architecture.md. Checks nothing but spelling: whether relations
exist and variables are bound is the business of `check`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import count
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, cast
from typing import Literal as OneOf

from narraworld.rules.errors import RuleSyntaxError
from narraworld.rules.language.ir import (
    Aggregate,
    Arithmetic,
    Atom,
    Column,
    ColumnType,
    Compare,
    Const,
    Literal,
    Not,
    Relation,
    Rule,
    SourcePlace,
    Term,
    Var,
)
from narraworld.rules.language.syntax_errors import Stop, advice, complaint
from narraworld.rules.language.terms import is_anonymous, outer_names

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

__all__ = [
    "ANSWER",
    "ESCAPES",
    "QUERY",
    "Directive",
    "RuleText",
    "SurfaceRule",
    "SurfaceStatement",
    "parse",
    "parse_conjunction",
]  # fmt: skip

ANSWER = "answer"  # the relation a query defines; no rule file may declare it
QUERY = "<query>"  # the file name in the errors of a query
ESCAPES = {
    '"': '"', "'": "'", "\\": "\\", "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
}  # fmt: skip
DEEPEST = 100  # arithmetic within arithmetic: more is a mistake, or somebody trying
WIDEST = 2**63  # numbers are 64-bit integers in every engine
MOST_DIGITS = 99  # of a number that is worth reading: Python gives up on thousands of them


@dataclass(frozen=True, slots=True)
class SurfaceRule:
    """A rule as written, and the places of its head and its literals.

    Places stand in reading order; the literals inside an aggregate follow the aggregate.
    """

    rule: Rule
    places: tuple[SourcePlace, ...]


@dataclass(frozen=True, slots=True)
class Directive:
    """`.input r` makes r a base relation; `.output r` is Soufflé's business and only checked."""

    keyword: OneOf["input", "output"]
    relation: str
    place: SourcePlace


SurfaceStatement: TypeAlias = Relation | Directive | SurfaceRule


@dataclass(frozen=True, slots=True)
class RuleText:
    """One rule file: its head comment and its statements in order."""

    file: str
    head: str
    statements: tuple[SurfaceStatement, ...]

    @property
    def relations(self) -> tuple[Relation, ...]:
        return tuple(part for part in self.statements if isinstance(part, Relation))

    @property
    def directives(self) -> tuple[Directive, ...]:
        return tuple(part for part in self.statements if isinstance(part, Directive))

    @property
    def clauses(self) -> tuple[SurfaceRule, ...]:
        return tuple(part for part in self.statements if isinstance(part, SurfaceRule))

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(clause.rule for clause in self.clauses)


def parse(text: str, file: str = "<memory>") -> RuleText:
    """Read one rule file; the first thing that cannot be read is a RuleSyntaxError at its place."""
    text = text.removeprefix("\ufeff")
    tree = _tree(text, file, "start")
    reader = _Reader(file, text)
    head = [reader.note(part) for part in tree.children if not _is_tree(part)]
    return RuleText(
        file, "\n".join(head), tuple(reader.statement(part) for part in tree.children if _is_tree(part))
    )


def parse_conjunction(text: str) -> SurfaceRule:
    """Read conditions without a head; the head becomes `answer` of their variables in order of appearance.

    A question without variables is answered by the single row ("yes",).
    """
    tree = _tree(text, QUERY, "query")
    body, places = _Reader(QUERY, text).body(tree.children)
    asked = [Var(name) for name in outer_names(Rule(Atom(ANSWER, ()), body)) if not is_anonymous(name)]
    head = Atom(ANSWER, tuple(asked) or (Const("yes"),))
    place = SourcePlace(QUERY, 1, 1)
    return SurfaceRule(Rule(head, body, place=place), (place, *places))


@cache
def _lark() -> Lark:
    from lark import Lark

    grammar = files("narraworld.rules.language").joinpath("grammar.lark").read_text("utf-8")
    return Lark(grammar, parser="lalr", lexer="basic", start=["start", "query"], propagate_positions=True)


def _tree(text: str, file: str, start: str) -> Tree[Token]:
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    try:
        return _lark().parse(text, start=start)
    except UnexpectedToken as error:
        _refuse(text, file, error)
    except UnexpectedCharacters as error:
        at = error.pos_in_stream or 0
        stop = Stop(text[:at], text[at:], repr(text[at]))
        raise RuleSyntaxError(
            complaint(stop), SourcePlace(file, error.line, error.column), fix=advice(stop)
        ) from None


def _refuse(text: str, file: str, error: Any) -> NoReturn:
    """Say what lark's error means; what is missing is reported where it is missing, not a line later."""
    token, parser = error.token, error.interactive_parser
    accepted, ended = frozenset(parser.accepts()), token.type == "$END"
    at = len(text) if ended else token.start_pos
    found = "the end of the text" if ended else repr(str(token))
    line, column = _end_of_last(parser.parser_state.value_stack)
    unfinished = not {"NAME", "_DECL"} <= accepted
    if not ended and unfinished and token.line > line:
        found += f" in line {token.line}"
    elif not ended:
        line, column = token.line, token.column
    stop = Stop(text[:at], text[at:], found, accepted)
    raise RuleSyntaxError(complaint(stop), SourcePlace(file, line, column), fix=advice(stop)) from None


def _after(start: str, lines: list[str]) -> tuple[str, ...]:
    return tuple(line.removeprefix(start).strip() for line in lines if line.startswith(start))


def _end_of_last(values: list[Any]) -> tuple[int, int]:
    """The end of what was read last, or the beginning of the text."""
    if not values:
        return 1, 1
    last = values[-1].meta if _is_tree(values[-1]) else values[-1]
    return last.end_line, last.end_column


def _is_tree(part: Any) -> bool:
    return hasattr(part, "children")


class _Reader:
    """Turns lark's trees into our values; each method reads one kind of node."""

    def __init__(self, file: str, text: str) -> None:
        self._file, self._lines = file, text.split("\n")
        self._anonymous: Iterator[int] = count(1)

    def statement(self, tree: Any) -> SurfaceStatement:
        if tree.data == "declaration":
            return self._declaration(tree)
        if tree.data == "directive":
            keyword, name = tree.children
            kind = cast('OneOf["input", "output"]', keyword.removeprefix("."))
            return Directive(kind, str(name), self._place(keyword))
        return self._clause(tree)

    def note(self, token: Any) -> str:
        """The words of a meaningful comment, which stands alone on its line."""
        if self._lines[token.line - 1][: token.column - 1].strip():
            self._fail(
                token,
                f"{token[:3]} stands on a line of its own",
                "a plain comment starts with // and a blank",
            )
        return str(token[3:].strip())

    def body(self, trees: list[Any]) -> tuple[tuple[Literal, ...], list[SourcePlace]]:
        """Literals, and their places in reading order."""
        places: list[SourcePlace] = []
        literals = tuple(self._literal(tree, places) for tree in trees)
        return literals, places

    def _declaration(self, tree: Any) -> Relation:
        notes = [part for part in tree.children if getattr(part, "type", "") in ("DOC", "ORIGIN")]
        name, *columns = tree.children[len(notes) :]
        origins = [(note, self.note(note)) for note in notes if note.type == "ORIGIN"]
        for note, words in origins:
            if words not in ("on demand", "quiet") and not words.startswith(("from ", "absent: ")):
                known = "write '//@ from …', '//@ on demand', '//@ quiet' or '//@ absent: …'"
                self._fail(note, f"'//@ {words}' says nothing we know", known)
        said = [words for _, words in origins]
        return Relation(
            self._relation_name(name),
            self._columns(columns),
            doc=" ".join(self.note(note) for note in notes if note.type == "DOC"),
            on_demand="on demand" in said,
            bindings=_after("from ", said),
            quiet="quiet" in said,
            absence=" ".join(_after("absent: ", said)),
            place=self._place(name),
        )

    def _relation_name(self, token: Any) -> str:
        if "__" in token:
            self._fail(token, f"{token}: two underscores in a row are kept for relations we make ourselves")
        if token == ANSWER:
            self._fail(token, f"{token} is the name of what a query asks for", "choose another name")
        return self._small(token)

    def _columns(self, trees: list[Any]) -> tuple[Column, ...]:
        columns: dict[str, Column] = {}
        for tree in trees:
            name, kind = tree.children
            if kind not in ("symbol", "number"):
                self._fail(kind, f"{kind} is not a type", "a column is a symbol or a number")
            if name in columns:
                self._fail(name, f"column {name} stands twice")
            columns[str(name)] = Column(self._small(name), cast(ColumnType, str(kind)))
        return tuple(columns.values())

    def _small(self, token: Any) -> str:
        if not token.islower():
            self._fail(token, f"{token}: names of relations and columns have small letters only")
        return str(token)

    def _clause(self, tree: Any) -> SurfaceRule:
        self._anonymous = count(1)
        sentences = [part for part in tree.children if not _is_tree(part) and part is not None]
        head, *literals = [part for part in tree.children if _is_tree(part)]
        sentence = " ".join(self.note(part) for part in sentences) or None
        place, atom = self._place(head), self._atom(head)
        body, places = self.body(literals)
        return SurfaceRule(Rule(atom, body, sentence=sentence, place=place), (place, *places))

    def _literal(self, tree: Any, places: list[SourcePlace]) -> Literal:
        places.append(self._place(tree))
        match tree.data:
            case "atom":
                return self._atom(tree)
            case "negation":
                return Not(self._atom(tree.children[0]))
            case "comparison":
                left, op, right = tree.children
                return Compare(str(op), self._term(left), self._term(right))  # type: ignore[arg-type]
        return self._aggregate(tree, places)

    def _aggregate(self, tree: Any, places: list[SourcePlace]) -> Aggregate:
        left, _, function, target, *body = tree.children
        result = self._term(left)
        if not isinstance(result, Var):
            self._fail(
                left, "the result of an aggregate is a variable", "compare it in a condition of its own"
            )
        if function == "count" and target is not None:
            self._fail(target, "count counts the conditions in its braces", "write N = count : { … }")
        if function != "count" and target is None:
            self._fail(function, f"{function} of what?", f"write X = {function} T : {{ … }}")
        value = None if target is None else self._term(target)
        literals = tuple(self._literal(inner, places) for inner in body)
        return Aggregate(result, str(function), value, literals)  # type: ignore[arg-type]

    def _atom(self, tree: Any) -> Atom:
        name, *args = tree.children
        return Atom(str(name), tuple(self._term(arg) for arg in args))

    def _term(self, tree: Any, depth: int = 0) -> Term:
        if depth > DEEPEST:
            self._fail(tree, "this is nested too deeply", "name the parts with comparisons of their own")
        match tree.data:
            case "variable":
                return Var(str(tree.children[0]))
            case "anonymous":
                return Var(f"_{next(self._anonymous)}")
            case "symbol":
                return Const(self._symbol(tree.children[0]))
            case "number":
                return Const(self._number(*tree.children))
        left, op, right = tree.children
        operands = self._term(left, depth + 1), self._term(right, depth + 1)
        return Arithmetic(str(op), *operands)  # type: ignore[arg-type]

    def _symbol(self, token: Any) -> str:
        def plain(escape: re.Match[str]) -> str:
            if escape[1] not in ESCAPES:
                self._fail(token, f"{escape[0]} is no escape we know", "a backslash is written twice: \\\\")
            return ESCAPES[escape[1]]

        return re.sub(r"\\(.)", plain, token[1:-1])

    def _number(self, minus: Any, digits: Any) -> int:
        value = int(f"{minus or ''}{digits}") if len(digits) <= MOST_DIGITS else WIDEST
        if not -WIDEST <= value < WIDEST:
            self._fail(digits, f"{minus or ''}{digits} does not fit in 64 bits")
        return value

    def _place(self, part: Any) -> SourcePlace:
        at = part.meta if _is_tree(part) else part
        return SourcePlace(self._file, at.line, at.column)

    def _fail(self, at: Any, what: str, fix: str | None = None) -> NoReturn:
        raise RuleSyntaxError(what, self._place(at), fix=fix)
