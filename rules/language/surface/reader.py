"""Trees of the grammar in, statements out: what each kind of node means.

Knows the shape of the trees that `syntax` gets from lark, but not lark; checks spelling only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from math import isfinite
from typing import Any, NoReturn, cast

from narraworld.rules.errors import RuleSyntaxError
from narraworld.rules.language.ir import (
    EACH,
    Aggregate,
    Arithmetic,
    Atom,
    Call,
    Column,
    ColumnType,
    Compare,
    Const,
    Literal,
    Relation,
    Rule,
    SourcePlace,
    Term,
    Var,
)
from narraworld.rules.language.ranges import RANGE
from narraworld.rules.language.surface import origins
from narraworld.rules.language.surface.statements import (
    Directive,
    Extension,
    SouffleAdvice,
    SurfaceRule,
    SurfaceStatement,
    TypeName,
)
from narraworld.rules.language.surface.sugar import (
    FALSE,
    MOST,
    TRUE,
    Alternatives,
    SpelledCondition,
    both,
    clause,
    denied,
    flat,
    named_anonymous,
)
from narraworld.rules.language.surface.syntax_errors import OUTSIDE, QUALIFIERS_OUTSIDE
from narraworld.rules.language.terms import names
from narraworld.rules.language.values.functions import FUNCTIONS, TESTS

__all__ = ["ANSWER", "ESCAPES", "StatementReader", "is_tree"]

ANSWER = "answer"  # the relation a query defines; no rule file may declare it
ESCAPES = {
    '"': '"', "'": "'", "\\": "\\", "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
}  # fmt: skip
DEEPEST = 100  # arithmetic within arithmetic: more is a mistake, or somebody trying
WIDEST = 2**63  # numbers are 64-bit integers in every engine
MOST_DIGITS = 99  # of a number that is worth reading: Python gives up on thousands of them
COMMENTS = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*[\s\S]*?\*/')
KNOWN = f"the functions are {', '.join(sorted(FUNCTIONS))}"
APOSTROPHE = "'"  # tells names of ours apart: nobody can write it
IO_QUALIFIERS = ("input", "output", "printsize")


def is_tree(part: Any) -> bool:
    return hasattr(part, "children")


class StatementReader:
    """Reads the statements of one file; each method reads one kind of node."""

    def __init__(self, file: str, text: str) -> None:
        self._file, self._text, self._lines = file, text, text.split("\n")
        self._anonymous: Iterator[int] = count(1)
        self._ranges: Iterator[int] = count(0)
        self._asking = False  # whether this is a question, in which a word in small letters is no variable
        self._sweet = False  # whether the clause at hand holds anything that the core form spells differently

    # ---- statements

    def statements(self, tree: Any) -> Sequence[SurfaceStatement]:
        match tree.data:
            case "declaration":
                return self._declaration(tree)
            case "directive":
                return self._directive(tree)
            case "kind":
                return [self._kind(tree)]
            case "option":
                return [SouffleAdvice(self._words(tree), self._place(tree))]
            case "extension":
                place = self._place(tree)
                return [Extension(str(name), place) for name in tree.children[1].children]
        return self._clauses(tree)

    def note(self, token: Any) -> str:
        """The words of a meaningful comment, which stands alone on its line."""
        if self._lines[token.line - 1][: token.column - 1].strip():
            self._fail(
                token,
                f"{token[:3]} stands on a line of its own",
                "a plain comment starts with // and a blank",
            )
        return str(token[3:].strip())

    def _declaration(self, tree: Any) -> list[SurfaceStatement]:
        notes = [part for part in tree.children if getattr(part, "type", "") in ("DOC", "ORIGIN")]
        declared, *rest = [part for part in tree.children[len(notes) :] if part is not None]
        columns = self._columns([part for part in rest if is_tree(part) and part.data == "column"])
        said = self._origins(notes)
        found: list[SurfaceStatement] = [
            Relation(
                self._relation_name(name),
                columns,
                doc=" ".join(self.note(note) for note in notes if note.type == "DOC"),
                base="given" in said,
                on_demand="on demand" in said,
                bindings=origins.after("from ", said),
                quiet="quiet" in said,
                absence=" ".join(origins.after("absent: ", said)),
                few=origins.few(said, [column.name for column in columns]),
                place=self._place(name),
            )
            for name in declared.children
        ]
        words = self._qualifiers([part for part in rest if not is_tree(part)])
        found += [
            Directive(cast(Any, str(word)), str(name), self._place(word))
            for word in words
            for name in declared.children
        ]
        return found

    def _qualifiers(self, words: list[Any]) -> list[Any]:
        """Those that stand for a directive; how Soufflé stores a relation is nothing to us."""
        for place, word in enumerate(words):
            if word in QUALIFIERS_OUTSIDE:
                self._fail(word, *QUALIFIERS_OUTSIDE[word])
            if word in words[:place]:
                self._fail(word, f"{word} stands twice")
        return [word for word in words if word in IO_QUALIFIERS]

    def _origins(self, notes: list[Any]) -> list[str]:
        said = []
        for note in (one for one in notes if one.type == "ORIGIN"):
            words = self.note(note)
            if not origins.is_known(words):
                self._fail(note, f"'//@ {words}' says nothing we know", origins.KNOWN)
            said.append(words)
        return said

    def _relation_name(self, token: Any) -> str:
        if "__" in token:
            self._fail(token, f"{token}: two underscores in a row are kept for relations we make ourselves")
        if token == ANSWER:
            self._fail(token, f"{token} is the name of what a query asks for", "choose another name")
        return str(token)

    def _columns(self, trees: list[Any]) -> tuple[Column, ...]:
        columns: dict[str, Column] = {}
        for tree in trees:
            name, kind = map(str, tree.children)
            if name in columns:
                self._fail(tree, f"column {name} stands twice")
            columns[name] = Column(name, cast(ColumnType, kind))
        return tuple(columns.values())

    def _directive(self, tree: Any) -> list[SurfaceStatement]:
        keyword, related, *rest = tree.children
        given = tuple(self._parameter(part) for part in rest if part is not None)
        word, place = cast(Any, keyword.removeprefix(".")), self._place(keyword)
        return [Directive(word, str(name), place, given) for name in related.children]

    def _parameter(self, tree: Any) -> tuple[str, str]:
        name, _, value = tree.children
        return str(name), self._symbol(value) if value.type == "STRING" else str(value)

    def _kind(self, tree: Any) -> TypeName:
        word, name, *rest = [part for part in tree.children if part is not None]
        if word != ".type":  # Soufflé's old way to say it
            return TypeName(str(name), (word[1:7],), self._place(name))
        parents = tuple(str(part) for part in rest if part.type == "NAME")
        union = any(part.type == "EQUAL" for part in rest)
        return TypeName(str(name), parents or ("symbol",), self._place(name), union)

    # ---- rules

    def _clauses(self, tree: Any) -> list[SurfaceRule]:
        self._anonymous, self._ranges, self._sweet = count(1), count(0), False
        sentences = [part for part in tree.children if getattr(part, "type", "") == "SENTENCE"]
        *heads, body = tree.children[len(sentences) :]
        said = [self._atom(head) for head in heads]
        alternatives = TRUE if body is None else self._condition(body)
        sweet = self._sweet or (len(heads), len(alternatives)) != (1, 1)
        rule = Rule(
            Atom("", ()),
            sentence=" ".join(map(self.note, sentences)) or None,
            place=said[0].place,
            written=self._written(heads[0], tree) if sweet else None,
        )
        return [clause(head, one, rule) for one in alternatives for head in said]

    def query(self, tree: Any, rule: Rule) -> SurfaceRule:
        """The conditions of a question; `rule` lends it everything but its body."""
        self._asking = True
        alternatives = self._condition(tree.children[0])
        if len(alternatives) != 1:
            self._fail(
                tree, "a question has no alternatives", "ask each of them, or write a rule file and --rules"
            )
        return clause(SpelledCondition(rule.head, rule.place), alternatives[0], rule)

    def _written(self, first: Any, tree: Any) -> str:
        """The author's own words, without comments."""
        text = self._text[first.meta.start_pos : tree.meta.end_pos]
        bare = COMMENTS.sub(lambda found: found[0] if found[0].startswith('"') else "", text)
        return "\n".join(line.rstrip() for line in bare.split("\n") if line.strip())

    # ---- conditions

    def _condition(self, tree: Any) -> Alternatives:
        match tree.data:
            case "either":
                parts = [self._condition(part) for part in self._chain(tree)]
                return self._counted(tree, tuple(one for part in parts for one in part))
            case "both":
                found = TRUE
                for part in self._chain(tree):
                    found = self._counted(part, both(found, self._condition(part)))
                return found
            case "negation":
                return self._negation(tree)
            case "call":
                return ((self._atom(tree),),)
            case "comparison":
                return ((self._comparison(tree),),)
            case "variable" if tree.children[0] in ("true", "false"):
                self._sweet = True
                return TRUE if tree.children[0] == "true" else FALSE
        self._fail(
            tree, f"{self._words(tree)} is a value, not a condition", "compare it, with = or < for instance"
        )

    def _chain(self, tree: Any) -> list[Any]:
        """The parts of `a, b, c`, which the grammar nests to the left; a chain may be longer than Python may call."""
        kind, parts = tree.data, list[Any]()
        while tree.data == kind:
            tree, last = tree.children
            parts.append(last)
        return [tree, *reversed(parts)]

    def _counted(self, tree: Any, alternatives: Alternatives) -> Alternatives:
        if len(alternatives) > MOST:
            self._fail(
                tree, f"this makes more than {MOST} alternatives", "give a part of them a relation of its own"
            )
        return alternatives

    def _negation(self, tree: Any) -> Alternatives:
        (inner,) = tree.children
        self._sweet = self._sweet or inner.data != "call"
        found = self._counted(tree, denied(self._condition(inner)))
        if inner.data == "call":  # the condition begins with its '!'
            return tuple(tuple(replace(said, place=self._place(tree)) for said in one) for one in found)
        return found

    def _atom(self, tree: Any) -> SpelledCondition:
        name, *args = [part for part in tree.children if part is not None]
        first: list[SpelledCondition] = []
        terms = tuple(self._argument(arg, first) for arg in args)
        return SpelledCondition(Atom(str(name), terms), self._place(tree), first=tuple(first))

    def _comparison(self, tree: Any) -> SpelledCondition:
        left, op, right = tree.children
        for one, other in ((left, right), (right, left)):
            if op == "=" and other.data == "aggregate" and one.data == "variable":
                said = self._aggregate(other, cast(Var, self._value(one, [])), self._place(tree))
                assert isinstance(said.literal, Aggregate)
                inner = (
                    (said.literal.target, *said.literal.body) if said.literal.target else said.literal.body
                )
                if said.literal.result.name not in names(*inner):
                    return said
        first: list[SpelledCondition] = []
        literal = Compare(cast(Any, str(op)), self._value(left, first), self._value(right, first))
        return SpelledCondition(literal, self._place(tree), first=tuple(first))

    # ---- values

    def _argument(self, tree: Any, first: list[SpelledCondition]) -> Term:
        """A variable or a constant; any other value gets a name."""
        if tree.data == "anonymous":
            return Var(f"_{next(self._anonymous)}")
        term = self._value(tree, first)
        if isinstance(term, Var | Const):
            return term
        self._sweet = True
        name = Var(self._words(tree))
        first.append(SpelledCondition(Compare("=", name, term), self._place(tree)))
        return name

    def _value(self, tree: Any, first: list[SpelledCondition], depth: int = 0) -> Term:
        if depth > DEEPEST:
            self._fail(tree, "this is nested too deeply", "name the parts with comparisons of their own")
        match tree.data:
            case "variable":
                return self._variable(tree.children[0])
            case "symbol":
                return Const(self._symbol(tree.children[0]))
            case "number":
                return Const(self._number(tree.children[0]))
            case "minus":
                return self._minus(tree.children[1], first, depth + 1)
            case "arithmetic":
                left, op, right = tree.children
                operands = self._value(left, first, depth + 1), self._value(right, first, depth + 1)
                return Arithmetic(cast(Any, str(op)), *operands)
            case "aggregate":
                return self._named_aggregate(tree, first)
            case "anonymous":
                self._fail(tree, "_ has no value", "name the variable")
        return self._call(tree, first, depth)

    def _call(self, tree: Any, first: list[SpelledCondition], depth: int) -> Term:
        name, *args = [part for part in tree.children if part is not None]
        function = FUNCTIONS.get(str(name))
        if function is None or name in TESTS:
            what, fix = OUTSIDE.get(str(name), (f"rules have no function called {name}", KNOWN))
            self._fail(tree, what, fix)
        if not function.fits(len(args)):
            self._fail(tree, f"{name} has {len(args)} values here but takes {function.size}")
        call = Call(str(name), tuple(self._value(arg, first, depth + 1) for arg in args))
        return self._ranged(tree, call, first) if name == RANGE else call

    def _ranged(self, tree: Any, call: Call, first: list[SpelledCondition]) -> Var:
        """One of many values: so it is named, and each range apart, for two of them go their own ways."""
        self._sweet, name = True, Var(f"{self._words(tree)}{APOSTROPHE * next(self._ranges)}")
        first.append(SpelledCondition(Compare("=", name, call), self._place(tree)))
        return name

    def _variable(self, token: Any) -> Var:
        """Soufflé's `_x` is a variable like any other; ours that begin so stand for anything."""
        if self._asking and token[0].islower():
            fix = f'a variable starts with a capital letter; a symbol stands in quotes: "{token}"'
            self._fail(token, f"{token} is neither a variable nor a symbol", fix)
        return Var(f"?{token}" if token.startswith("_") else str(token))

    def _minus(self, tree: Any, first: list[SpelledCondition], depth: int) -> Term:
        if tree.data == "number":
            return Const(self._number(tree.children[0], "-"))
        self._sweet = True
        return Arithmetic("-", Const(0), self._value(tree, first, depth))

    def _symbol(self, token: Any) -> str:
        def plain(escape: re.Match[str]) -> str:
            if escape[1] not in ESCAPES:
                self._fail(token, f"{escape[0]} is no escape we know", "a backslash is written twice: \\\\")
            return ESCAPES[escape[1]]

        return re.sub(r"\\(.)", plain, token[1:-1])

    def _number(self, digits: Any, minus: str = "") -> int | float:
        if digits.type == "FLOAT":
            return self._fraction(digits, minus)
        self._sweet = self._sweet or digits.type == "OTHER_BASE"
        value = (
            int(f"{minus}{digits}", 0 if digits.type == "OTHER_BASE" else 10)
            if len(digits) <= MOST_DIGITS
            else WIDEST
        )
        if not -WIDEST <= value < WIDEST:
            self._fail(digits, f"{minus}{digits} does not fit in 64 bits")
        return value

    def _fraction(self, digits: Any, minus: str) -> float:
        value = float(f"{minus}{digits}")
        if not isfinite(value):
            self._fail(digits, f"{minus}{digits} is too large for a fraction")
        return value

    # ---- aggregates

    def _named_aggregate(self, tree: Any, first: list[SpelledCondition]) -> Var:
        """An aggregate where a value may stand: its text is the name of its result."""
        self._sweet = True
        result = Var(self._words(tree))
        first.append(self._aggregate(tree, result, self._place(tree)))
        return result

    def _aggregate(self, tree: Any, result: Var, place: SourcePlace) -> SpelledCondition:
        function, target, body = tree.children
        if function == "count" and target is not None:
            self._fail(target, "count counts the conditions in its braces", "write N = count : { … }")
        if function != "count" and target is None:
            self._fail(function, f"{function} of what?", f"write X = {function} T : {{ … }}")
        inside = self._inside(body)
        value = None if target is None else self._value(target, [])
        literals = tuple(said.literal for said in inside)
        if function in EACH:
            literals = self._counting(literals)
        self._sweet = self._sweet or (body.data == "call" and not self._braced(tree))
        aggregate = Aggregate(result, cast(Any, str(function)), value, literals)
        return SpelledCondition(aggregate, place, tuple(said.place for said in inside))

    def _inside(self, body: Any) -> list[SpelledCondition]:
        alternatives = self._condition(body)
        if len(alternatives) != 1:
            self._fail(body, "an aggregate has no alternatives", "give them a relation of their own")
        inside = flat(alternatives[0])
        for said in inside:
            if isinstance(said.literal, Aggregate):
                self._fail(
                    body, "an aggregate cannot stand inside another", "give the inner one a rule of its own"
                )
        return inside

    def _counting(self, literals: tuple[Literal, ...]) -> tuple[Literal, ...]:
        told = named_anonymous(literals)
        self._sweet = self._sweet or told != literals
        return told

    def _braced(self, tree: Any) -> bool:
        return self._text[: tree.meta.end_pos].endswith("}")

    # ---- places and texts

    def _words(self, tree: Any) -> str:
        """The text of a node on one line."""
        return " ".join(self._text[tree.meta.start_pos : tree.meta.end_pos].split())

    def _place(self, part: Any) -> SourcePlace:
        at = part.meta if is_tree(part) else part
        return SourcePlace(self._file, at.line, at.column)

    def _fail(self, at: Any, what: str, fix: str | None = None) -> NoReturn:
        raise RuleSyntaxError(what, self._place(at), fix=fix)
