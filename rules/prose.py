"""Proofs for readers: an indented tree, or sentences made from the rules' own templates. No model, no engine.

Every record is shown with the words that support it, every absence as the question that was asked. What stands twice
in a proof is told once; the second time says "(as above)".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from narraworld.rules.ir import Const, Literal, Relation, Row, Rule, Term, Value
from narraworld.rules.proof import (
    Absent,
    Best,
    Bindings,
    Compared,
    Derived,
    Given,
    Names,
    Proof,
    literal_text,
    premises,
    row_text,
    said_as_is,
    shown,
    term_text,
    walk,
)
from narraworld.rules.whynot import Attempt, Blocked, Differs, Lacking, Missing, Untrue, WhyNot

__all__ = ["Quote", "QuoteOf", "Style", "as_prose", "as_tree", "why_not_prose"]


@dataclass(frozen=True, slots=True)
class Quote:
    """The words that support a record and where they stand."""

    unit: str
    start: int
    end: int
    text: str
    place: str = ""

    @property
    def where(self) -> str:
        place = f"{self.place}, " if self.place else ""
        return f"({place}{self.unit} {self.start}–{self.end})"

    def __str__(self) -> str:
        return f"“{self.text}” {self.where}"


QuoteOf: TypeAlias = Callable[[str], Sequence[Quote]]


@dataclass(frozen=True, slots=True)
class Style:
    """How proofs are laid out."""

    ascii: bool = False
    depth: int = 40  # levels shown; a proof can be thousands deep
    rules: int = 3  # rules told by why_not_prose, nearest first


USUAL = Style()
_INDENT = "  "
_BOX = ("├─ ", "└─ ", "│  ", "   ")
_ASCII = ("|- ", "`- ", "|  ", "   ")
_PLAIN = str.maketrans({"“": '"', "”": '"', "–": "-", "…": "..."})
_FOLDS = {
    "min": "the smallest of {n}",
    "max": "the largest of {n}",
    "count": "counted",
    "sum": "the sum over {n}",
}
_DOC = re.compile(r"\w+\((?P<parameters>[^)]*)\):\s*(?P<sentence>.*)")


def no_quotes(record: str) -> Sequence[Quote]:
    """The default for `quote_of`: nobody looked the words up."""
    return ()


def as_tree(
    proof: Proof, names: Names = said_as_is, quote_of: QuoteOf = no_quotes, style: Style = USUAL
) -> str:
    """The proof as lines, premises indented under what they support."""
    return _plain("\n".join(_tree_lines(proof, _Words(names, quote_of), style)), style)


def as_prose(
    proof: Proof, names: Names = said_as_is, quote_of: QuoteOf = no_quotes, style: Style = USUAL
) -> str:
    """The proof as paragraphs: each says what follows and names the records, absences and comparisons it rests on;
    what it derives from comes next."""
    return _plain("\n".join(_paragraphs(proof, _Words(names, quote_of))), style)


def why_not_prose(
    why: WhyNot, names: Names = said_as_is, quote_of: QuoteOf = no_quotes, style: Style = USUAL
) -> str:
    """What each rule found and what it lacked, the nearest rule first."""
    return _plain("\n".join(_reasons(why, _Words(names, quote_of), style)), style)


def _plain(text: str, style: Style) -> str:
    return text.translate(_PLAIN) if style.ascii else text


# -- the words -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Words:
    """How the parts of a proof are said, and which words were quoted already in this telling."""

    names: Names
    quote_of: QuoteOf
    quoted: set[Quote] = field(default_factory=set)

    def label(self, node: Proof) -> str:
        """A node on one line of a tree."""
        match node:
            case Given(relation, row):
                return row_text(relation.name, row, self.names)
            case Derived(relation, row, rule):
                return row_text(relation.name, row, self.names) + _where(rule)
            case Best(relation, row, rule):
                what = str(node.value) if relation.auxiliary else row_text(relation.name, row, self.names)
                return f"{what}, {fold_text(node)}{_where(rule)}"
            case Absent(relation, atom):
                return f"no {self.question(relation, atom.args)}"
            case Compared(compare):
                return literal_text(compare, self.names)

    def sentence(self, node: Proof) -> str:
        """A node as a sentence: the rule's own, else the relation's, else the row itself."""
        match node:
            case Derived(rule=Rule(sentence=str(template)), bindings=bindings):
                return _stopped(self.filled(template, bindings))
            case Derived(relation, row):
                return _stopped(self.stated(relation, row))
            case Best():
                return _stopped(self._best(node))
            case Given(relation, row):
                return _stopped(f"{self.stated(relation, row)} [{node.record}]" + self._quoted(node))
            case Absent(relation, atom):
                return _stopped(self._absence(relation, atom.args))
            case Compared():
                return _stopped(f"Here {self.label(node)}")

    def _absence(self, relation: Relation, args: Sequence[Term]) -> str:
        """Why nothing matches, in the relation's own words if it has them."""
        if not relation.absence:
            return _capital(self.nothing(relation, args))
        columns = zip(relation.columns, args, strict=True)
        bound = {column.name: term.value for column, term in columns if isinstance(term, Const)}
        return self.filled(relation.absence, bound)

    def _best(self, node: Best) -> str:
        fold = f"{node.value}, {fold_text(node)}"
        if node.rule.sentence:
            return f"{self.filled(node.rule.sentence, node.bindings)}: {fold}"
        return (
            f"It is {fold}" if node.relation.auxiliary else f"{self.stated(node.relation, node.row)}: {fold}"
        )

    def quotes(self, node: Proof) -> Iterator[str]:
        """The evidence of a record; words that were quoted already only say where they stand."""
        for quote in self.quote_of(node.record) if isinstance(node, Given) else ():
            yield self.cite(quote)

    def is_cited(self, node: Proof) -> bool:
        """Whether quoting a premise is telling it: a record with words of its own needs no sentence."""
        return isinstance(node, Given) and bool(self.quote_of(node.record))

    def cite(self, quote: Quote) -> str:
        said = f"as above {quote.where}" if quote in self.quoted else str(quote)
        self.quoted.add(quote)
        return said

    def cited(self, quotes: Iterable[Quote]) -> str:
        """Quotes for the end of a line, each once."""
        found = [self.cite(quote) for quote in dict.fromkeys(quotes)]
        return f"  {'; '.join(found)}" if found else ""

    def _quoted(self, node: Given) -> str:
        quotes = "; ".join(self.quotes(node))
        return f": {quotes}" if quotes else ""

    def filled(self, template: str, bindings: Bindings) -> str:
        """`{Var}` becomes its value; a placeholder nobody bound stays visible."""
        said = {name: self.value(value) for name, value in bindings.items()}
        text = re.sub(r"\{(\w+)\}", lambda found: said.get(found[1], found[0]), template)
        return _capital(text, bindings.values())

    def stated(self, relation: Relation, row: Row) -> str:
        """A row by the sentence above its declaration, `name(Who, What): Who has What.`, else as it stands.

        A sentence that leaves out a column (other than the record, which is named anyway) is followed by the row.
        """
        plain = row_text(relation.name, row, self.names)
        doc = _DOC.fullmatch(" ".join(relation.doc.split()))
        parameters = re.findall(r"\w+", doc["parameters"]) if doc else []
        if doc is None or len(parameters) != len(row):
            return plain
        said = {parameter: self.value(value) for parameter, value in zip(parameters, row, strict=True)}
        text = re.sub(r"\w+", lambda word: said.get(word[0], word[0]), doc["sentence"])
        complete = set(parameters[relation.base :]) <= set(re.findall(r"\w+", doc["sentence"]))
        return _capital(text.rstrip(".") if complete else f"{text.rstrip('.')}: {plain}", row)

    def value(self, value: Value) -> str:
        return self.names(value) if isinstance(value, str) else str(value)

    def question(self, relation: Relation, args: Sequence[Term]) -> str:
        """A pattern with the columns it asks about; a relation we made ourselves is known by its sentence only."""
        asked = ", ".join(f"{name}: {value}" for name, value in self._asked(relation, args))
        return f"case of “{relation.doc}” ({asked})" if relation.auxiliary else f"{relation.name}({asked})"

    def nothing(self, relation: Relation, args: Sequence[Term]) -> str:
        """The closed question that found nothing, in words."""
        asked = " and ".join(f"{name} {value}" for name, value in self._asked(relation, args))
        source = "no record gives" if relation.base else "nothing leads to"
        what = f"“{relation.doc}”" if relation.auxiliary else relation.name
        return f"{source} {what}{f' with {asked}' if asked else ''}"

    def _asked(self, relation: Relation, args: Sequence[Term]) -> list[tuple[str, str]]:
        columns = zip(relation.columns, args, strict=True)
        return [
            (column.name, term_text(term, self.names)) for column, term in columns if isinstance(term, Const)
        ]


def fold_text(best: Best) -> str:
    """`the largest of 4`, `counted (10 of 12 shown)`."""
    text = _FOLDS[best.function].format(n=best.candidates)
    hidden = best.function in ("count", "sum") and len(best.members) < best.candidates
    return f"{text} ({len(best.members)} of {best.candidates} shown)" if hidden else text


def _where(rule: Rule) -> str:
    return f"  [{rule.place.file}:{rule.place.line}]" if rule.place.line else ""


def _capital(text: str, ids: Collection[Value] = ()) -> str:
    """The text as a sentence begins; an id that nobody gave a name stays as it is written."""
    first = text.partition(" ")[0].rstrip(",.:;")
    return text if first in ids else text[:1].upper() + text[1:]


def _stopped(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


# -- as a tree -----------------------------------------------------------------------------------


def _tree_lines(proof: Proof, words: _Words, style: Style) -> Iterator[str]:
    """A stack instead of recursion: proofs can be deeper than Python calls."""
    tee, corner, bar, gap = _ASCII if style.ascii else _BOX
    told: set[int] = set()
    stack: list[tuple[Proof, str, str, int]] = [(proof, "", "", 0)]
    while stack:
        node, lead, indent, depth = stack.pop()
        below = shown(premises(node))
        if id(node) in told and (below or isinstance(node, Given)):
            yield f"{lead}{words.label(node)} (as above)"
            continue
        yield f"{lead}{words.label(node)}"
        if below and depth >= style.depth:
            yield f"{indent}{corner}… {sum(1 for _ in walk(node)) - 1} more steps"
            continue
        told.add(id(node))
        yield from (f"{indent}{quote}" for quote in words.quotes(node))
        lines = [(premise, indent + tee, indent + bar, depth + 1) for premise in below[:-1]]
        lines += [(premise, indent + corner, indent + gap, depth + 1) for premise in below[-1:]]
        stack.extend(reversed(lines))


# -- as prose ------------------------------------------------------------------------------------


def _paragraphs(proof: Proof, words: _Words, depth: int = 0) -> Iterator[str]:
    """One line per step that a person would tell, reasons indented under what they support."""
    told: set[int] = set()
    stack = [(proof, depth)]
    while stack:
        node, depth = stack.pop()
        below = list(_telling(node))
        if id(node) in told:
            if below:
                yield f"{_INDENT * depth}{words.sentence(node)} (as above)"
            continue
        told.add(id(node))
        grounds = [quote for leaf in below if isinstance(leaf, Given) for quote in words.quote_of(leaf.record)]
        yield f"{_INDENT * depth}{words.sentence(node)}{words.cited(grounds)}"
        stack.extend((premise, depth + 1) for premise in reversed(below) if not words.is_cited(premise))


def _telling(node: Proof) -> Iterator[Proof]:
    """The premises worth telling: bookkeeping is left out, and what it rests on is told in its place."""
    waiting = list(reversed(shown(premises(node))))
    while waiting:
        premise = waiting.pop()
        match premise:
            case Compared():
                continue
            case Given(relation) | Absent(relation):
                if not relation.quiet:
                    yield premise
            case Derived(relation) | Best(relation):
                if relation.quiet:
                    waiting.extend(reversed(shown(premises(premise))))
                else:
                    yield premise


# -- why not -------------------------------------------------------------------------------------


def _reasons(why: WhyNot, words: _Words, style: Style) -> Iterator[str]:
    if why.holds is not None:
        yield f"{literal_text(why.goal, words.names)} does hold."
        yield from _indented(_paragraphs(why.holds, words))
        return
    yield _stopped(_capital(words.nothing(why.relation, why.goal.args)))
    yield from _attempts(why, words, style)


def _attempts(why: WhyNot, words: _Words, style: Style) -> Iterator[str]:
    if not why.attempts and not why.relation.base:
        yield "- No rule concludes it in this form."
    for attempt in why.attempts[: style.rules]:
        yield _progress(attempt, words)
        yield from _indented(line for missing in attempt.missing for line in _missing(missing, words, style))
        if attempt.undecided:
            yield f"  - Open until then: {_listed(attempt.undecided, words)}."
    if len(why.attempts) > style.rules:
        yield f"- … and {len(why.attempts) - style.rules} more rules, none nearer."


def _progress(attempt: Attempt, words: _Words) -> str:
    place = attempt.rule.place
    rule = f"The rule at {place.file}:{place.line}" if place.line else "A rule"
    return f"- {rule} has {_listed(attempt.found, words)}, but:" if attempt.found else f"- {rule} lacks this:"


def _listed(literals: Sequence[Literal], words: _Words) -> str:
    return ", ".join(literal_text(literal, words.names) for literal in literals)


def _missing(missing: Missing, words: _Words, style: Style) -> Iterator[str]:
    match missing:
        case Lacking(Relation(auxiliary=True), _, WhyNot(attempts=(nearest, *_))):
            # we made this relation ourselves: a reader only wants to hear what it lacks
            yield from (line for deeper in nearest.missing for line in _missing(deeper, words, style))
        case Lacking(relation, atom, why):
            yield f"- {_stopped(_capital(words.nothing(relation, atom.args)))}"
            yield from _indented(_attempts(why, words, style) if why is not None else ())
        case Blocked(atom, by):
            yield f"- It must not be that {literal_text(atom, words.names)}, but it is:"
            yield from _indented(_paragraphs(by, words))
        case Untrue(compare):
            yield f"- It is not so that {literal_text(compare, words.names)}."
        case Differs(wanted, actual, by):
            yield f"- The value is {actual}, not {term_text(wanted, words.names)}:"
            yield from _indented(_paragraphs(by, words))


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)
