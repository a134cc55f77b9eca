"""Rule text in, statements out: the only door to lark, opened when the first text is read.

Reads the language described in docs/rules.md. Checks nothing but spelling: whether relations exist and variables are
bound is the business of `check`. Everything that cannot be read is told, not only the first thing.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from narraworld.base.compiled import compiled_bytes, digest
from narraworld.rules.errors import RuleSyntaxError
from narraworld.rules.language.ir import Atom, Const, Rule, SourcePlace, Var
from narraworld.rules.language.surface.reader import ANSWER, ESCAPES, StatementReader, is_tree
from narraworld.rules.language.surface.statements import (
    Directive,
    Extension,
    RuleText,
    SouffleAdvice,
    SurfaceRule,
    SurfaceStatement,
    TypeName,
)
from narraworld.rules.language.surface.syntax_errors import Stop, advice, complaint
from narraworld.rules.language.terms import is_anonymous, outer_names

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

__all__ = [
    "ANSWER",
    "ESCAPES",
    "QUERY",
    "Directive",
    "Extension",
    "RuleText",
    "SouffleAdvice",
    "SurfaceRule",
    "SurfaceStatement",
    "TypeName",
    "parse",
    "parse_conjunction",
    "parse_whole",
]  # fmt: skip

QUERY = "<query>"  # the file name in the errors of a query
MOST_ERRORS = 20  # of one file: more of them help nobody
# Where reading can begin again after a mistake: behind a directive's line or a full stop, at a line that begins like a
# statement, and after an empty one.
NEXT_STATEMENT = re.compile(
    r"(?m)^[ \t]*\.[a-z][^\n]*\n|\.(?=\s|\Z)|\n(?=[ \t]*(?:\.[a-z]|//[/>@]))|\n[ \t]*(?=\n)"
)


def parse(text: str, file: str = "<memory>") -> RuleText:
    """Read one rule file; the first thing that cannot be read is a RuleSyntaxError at its place."""
    source, errors = parse_whole(text, file)
    if errors:
        raise errors[0]
    return source


def parse_whole(text: str, file: str = "<memory>") -> tuple[RuleText, list[RuleSyntaxError]]:
    """Read one rule file as far as it can be read, and say what cannot."""
    text = text.removeprefix("\ufeff")
    tree, errors = _recovered(text, file)
    reader = StatementReader(file, text)
    head, statements = list[str](), list[SurfaceStatement]()
    for part in tree.children if tree else ():
        try:
            if is_tree(part):
                statements += reader.statements(part)
            else:
                head.append(reader.note(part))
        except RuleSyntaxError as error:
            errors.append(error)
    errors.sort(key=lambda error: (error.place.line, error.place.column))
    return RuleText(file, "\n".join(head), tuple(statements)), errors


def parse_conjunction(text: str) -> SurfaceRule:
    """Read conditions without a head; the head becomes `answer` of their variables in order of appearance.

    A question without variables is answered by the single row ("yes",).
    """
    try:
        tree = _tree(text, QUERY, "query")
    except _Unread as unread:
        raise unread.error from None
    place = SourcePlace(QUERY, 1, 1)
    bare = StatementReader(QUERY, text).query(tree, Rule(Atom(ANSWER, ()), place=place))
    asked = [Var(name) for name in outer_names(bare.rule) if not is_anonymous(name)]
    head = Atom(ANSWER, tuple(asked) or (Const("yes"),))
    return SurfaceRule(Rule(head, bare.rule.body, place=place), bare.places)


@cache
def _lark() -> Lark:
    from lark import Lark
    from lark import __version__ as lark_version

    grammar = files("narraworld.rules.language.surface").joinpath("grammar.lark").read_text("utf-8")

    def made() -> Lark:
        return Lark(grammar, parser="lalr", lexer="basic", start=["start", "query"], propagate_positions=True)

    def tables() -> bytes:
        kept = BytesIO()
        made().save(kept)
        return kept.getvalue()

    key = digest([grammar, lark_version], [Path(__file__)])
    try:
        return Lark.load(BytesIO(compiled_bytes("grammar.lark", key, tables)))
    except Exception:  # whatever a library says of tables it cannot read, they can be made again
        return made()


def _recovered(text: str, file: str) -> tuple[Tree[Token] | None, list[RuleSyntaxError]]:
    """The tree of what is left when every statement that cannot be read is taken out."""
    errors: list[RuleSyntaxError] = []
    while len(errors) < MOST_ERRORS:
        try:
            return _tree(text, file, "start"), errors
        except _Unread as unread:
            errors.append(unread.error)
            rest = _without(text, unread.at)
            if rest == text:
                break
            text = rest
    return None, errors


def _without(text: str, at: int) -> str:
    """The text with blanks for the statement around a place, so that all others stay where they are."""
    start = max((found.end() for found in NEXT_STATEMENT.finditer(text, 0, at)), default=0)
    end = next((found.end() for found in NEXT_STATEMENT.finditer(text, max(at, start + 1))), len(text))
    return text[:start] + re.sub(r"\S", " ", text[start:end]) + text[end:]


class _Unread(Exception):
    """A text that lark cannot read, what we say about it, and where the mistake is."""

    def __init__(self, error: RuleSyntaxError, at: int) -> None:
        super().__init__(str(error))
        self.error, self.at = error, at


def _tree(text: str, file: str, start: str) -> Tree[Token]:
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    try:
        return _lark().parse(text, start=start)
    except UnexpectedToken as error:
        raise _unexpected(text, file, error) from None
    except UnexpectedCharacters as error:
        at = error.pos_in_stream or 0
        stop = Stop(text[:at], text[at:], repr(text[at]))
        told = RuleSyntaxError(complaint(stop), SourcePlace(file, error.line, error.column), fix=advice(stop))
        raise _Unread(told, at) from None


def _unexpected(text: str, file: str, error: Any) -> _Unread:
    """Say what lark's error means; what is missing is reported where it is missing, not a line later."""
    token, parser = error.token, error.interactive_parser
    accepted, ended = frozenset(parser.accepts()), token.type == "$END"
    at = len(text) if ended else token.start_pos
    found = "the end of the text" if ended else repr(str(token))
    line, column, end = _end_of_last(parser.parser_state.value_stack)
    unfinished = not {"NAME", "_DECL"} <= accepted
    if not ended and unfinished and token.line > line:
        found += f" in line {token.line}"
    elif not ended:
        line, column, end = token.line, token.column, at
    stop = Stop(text[:at], text[at:], found, accepted)
    return _Unread(RuleSyntaxError(complaint(stop), SourcePlace(file, line, column), fix=advice(stop)), end)


def _end_of_last(values: list[Any]) -> tuple[int, int, int]:
    """The end of what was read last, or the beginning of the text: line, column and place."""
    if not values:
        return 1, 1, 0
    last = values[-1].meta if is_tree(values[-1]) else values[-1]
    return last.end_line, last.end_column, last.end_pos
