"""How the parts of a proof are said: rows, rules, absences and quotes in words. No layout, no model, no engine.

A `Words` is one telling: it remembers what was quoted and told already, so that nothing is told twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TypeAlias

from narraworld.base.quick_dataclass import dataclass
from narraworld.base.quotation_marks import in_marks
from narraworld.rules.language.ir import EACH, Atom, Column, Compare, Const, Relation, Row, Rule, Term, Value
from narraworld.rules.proofs.proof import (
    Absent,
    Best,
    Bindings,
    Compared,
    Derived,
    Given,
    Proof,
    ProofNames,
    literal_text,
    row_text,
    term_text,
)

__all__ = ["ProofWords", "Quote", "QuoteOf", "WordPattern", "no_quotes", "pattern_of", "some"]


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
        return f"{in_marks(self.text)} {self.where}"


QuoteOf: TypeAlias = Callable[[str], Sequence[Quote]]
WordPattern: TypeAlias = tuple[
    str, tuple[Value | None, ...]
]  # a relation and its columns; None means "whatever"

_FOLDS = {
    "min": "the smallest of {n}",
    "max": "the largest of {n}",
    "count": "counted",
    "sum": "the sum over {n}",
    "mean": "the mean of {n}",
}
_OPERATORS = {
    "=": "is",
    "!=": "is other than",
    "<": "is less than",
    "<=": "is at most",
    ">": "is more than",
    ">=": "is at least",
}
_SOME = {
    "who": "someone",
    "holder": "someone",
    "speaker": "someone",
    "place": "somewhere",
    "proposition": "something",
    "matter": "something",
}
_DOC = re.compile(r"\w+\((?P<parameters>[^)]*)\):\s*(?P<sentence>.*)")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def no_quotes(record: str) -> Sequence[Quote]:
    """The default for `quote_of`: nobody looked the words up."""
    return ()


def pattern_of(atom: Atom) -> WordPattern:
    return atom.relation, tuple(term.value if isinstance(term, Const) else None for term in atom.args)


def some(column: Column) -> str:
    """What is said for a column nobody bound: `someone`, `somewhere`, `some event`."""
    usual = "number" if column.type == "number" else column.name.replace("_", " ")
    return _SOME.get(column.name, f"some {usual}")


def _any(column: Column) -> str:
    return some(column).replace("some", "any", 1)


@dataclass(frozen=True, slots=True)
class ProofWords:
    """How things are said in one telling. Sentences come without capital and full stop; `line` adds them."""

    names: ProofNames
    quote_of: QuoteOf
    quoted: set[Quote] = field(default_factory=set)
    told: set[int | WordPattern] = field(default_factory=set)
    unnamed: set[str] = field(default_factory=set)

    def line(self, text: str) -> str:
        """A text as a sentence; an id that nobody gave a name and a row stay as they are written."""
        first = text.partition(" ")[0].rstrip(",.:;")
        begun = text if first in self.unnamed or "(" in first else text[:1].upper() + text[1:]
        return begun if begun.endswith((".", "!", "?", ":")) else f"{begun}."

    def value(self, value: Value, place: int = -1) -> str:
        """A value by its name; `place` is where in its sentence it stands."""
        said = self.names(value) if isinstance(value, str) else str(value)
        if place == 0 and said == value:
            self.unnamed.add(said)
        return said

    # -- nodes

    def label(self, node: Proof) -> str:
        """A node on one line of a tree."""
        match node:
            case Given(relation, row):
                return row_text(relation.name, row, self.names)
            case Derived(relation, row, rule):
                return row_text(relation.name, row, self.names) + _where(rule)
            case Best(relation, row, rule):
                what = str(node.value) if relation.auxiliary else row_text(relation.name, row, self.names)
                return f"{what}, {_fold_text(node)}{_where(rule)}"
            case Absent(relation, atom):
                return f"no {self._question(relation, atom.args)}"
            case Compared(compare):
                return literal_text(compare, self.names)

    def sentence(self, node: Proof) -> str:
        """A node as a sentence: the rule's own, else the relation's, else the row itself."""
        match node:
            case Derived(rule=Rule(sentence=str(template)), bindings=bindings):
                return self.filled(template, bindings)
            case Derived(relation, row):
                return self.stated(relation, row)
            case Given(relation, row):
                return self.stated(relation, row) + ("" if self.quotes([node]) else f" [{node.record}]")
            case Best():
                return self._best(node)
            case Absent(relation, atom):
                return self.absence(relation, atom.args)
            case Compared(compare):
                return self.compared(compare)

    def _best(self, node: Best) -> str:
        fold = f"{node.value}, {_fold_text(node)}"
        if node.rule.sentence:
            return f"{self.filled(node.rule.sentence, node.bindings)}: {fold}"
        return (
            f"it is {fold}" if node.relation.auxiliary else f"{self.stated(node.relation, node.row)}: {fold}"
        )

    # -- quotes

    def quotes(self, nodes: Iterable[Proof]) -> list[Quote]:
        """The words that the records among these nodes rest on, each once."""
        given = (node for node in nodes if isinstance(node, Given))
        return list(dict.fromkeys(quote for node in given for quote in self.quote_of(node.record)))

    def cite(self, quotes: Iterable[Quote]) -> Iterator[str]:
        """Words that were quoted already only say where they stand."""
        for quote in quotes:
            yield f"as above {quote.where}" if quote in self.quoted else str(quote)
            self.quoted.add(quote)

    def cited(self, quotes: Iterable[Quote]) -> str:
        """Quotes for the end of a line."""
        found = "; ".join(self.cite(quotes))
        return f"  {found}" if found else ""

    # -- sentences

    def filled(self, template: str, bindings: Bindings, free: Mapping[str, str] | None = None) -> str:
        """`{name}` becomes its value, or what is said for it; a placeholder nobody knows stays visible."""

        def said(found: re.Match[str]) -> str:
            if (name := found[1]) in bindings:
                return self.value(bindings[name], found.start())
            return (free or {}).get(name, found[0])

        return _PLACEHOLDER.sub(said, template)

    def stated(self, relation: Relation, row: Row) -> str:
        """A row by the sentence above its declaration, followed by the row where that leaves out what matters."""
        plain = row_text(relation.name, row, self.names)
        said, complete = self._declared(relation, tuple(map(Const, row)))
        return said if complete or (said and relation.quiet) else f"{said}: {plain}" if said else plain

    def compared(self, compare: Compare) -> str:
        left, right = term_text(compare.left, self.names), term_text(compare.right, self.names)
        return f"{left} {_OPERATORS[compare.op]} {right}"

    def absence(self, relation: Relation, args: Sequence[Term]) -> str:
        """That nothing matches: in the relation's own words, else as the denial of what it would say.

        A sentence that begins with a column nobody bound is of no use: "anyone does not know" is no English.
        """
        pairs = list(zip(relation.columns, args, strict=True))
        bound = {column.name: term.value for column, term in pairs if isinstance(term, Const)}
        first = _PLACEHOLDER.match(relation.absence)
        if relation.absence and (first is None or first[1] in bound):
            return self.filled(relation.absence, bound, {column.name: _any(column) for column, _ in pairs})
        said, complete = self._declared(relation, args)
        if complete:
            return f"{'no record says' if relation.base else 'it is not so'} that {said}"
        return self._nothing(relation, args)

    def _declared(self, relation: Relation, args: Sequence[Term]) -> tuple[str, bool]:
        """The sentence above a declaration, `name(Who, What): Who has What.`, about these terms, and whether it names
        all that is bound; the record need not be named, its quotes or its id are. Without a sentence, "" and False."""
        doc = _DOC.fullmatch(" ".join(relation.doc.split()))
        parameters = re.findall(r"\w+", doc["parameters"]) if doc else []
        if doc is None or len(parameters) != len(args):
            return "", False
        terms = dict(zip(parameters, zip(relation.columns, args, strict=True), strict=True))

        def said(word: re.Match[str]) -> str:
            if word[0] not in terms:
                return word[0]
            column, term = terms[word[0]]
            return self.value(term.value, word.start()) if isinstance(term, Const) else some(column)

        text = re.sub(r"\w+", said, doc["sentence"]).rstrip(".")
        bound = {name for name in parameters[relation.base :] if isinstance(terms[name][1], Const)}
        return text, bound <= set(re.findall(r"\w+", doc["sentence"]))

    def _nothing(self, relation: Relation, args: Sequence[Term]) -> str:
        """The closed question that found nothing, column by column."""
        asked = " and ".join(f"{name} {value}" for name, value in self._asked(relation, args))
        source = "no record gives" if relation.base else "nothing leads to"
        what = f"“{relation.doc}”" if relation.auxiliary else relation.name
        return f"{source} {what}{f' with {asked}' if asked else ''}"

    def _question(self, relation: Relation, args: Sequence[Term]) -> str:
        """A pattern with the columns it asks about; a relation we made ourselves is known by its sentence only."""
        asked = ", ".join(f"{name}: {value}" for name, value in self._asked(relation, args))
        return f"case of “{relation.doc}” ({asked})" if relation.auxiliary else f"{relation.name}({asked})"

    def _asked(self, relation: Relation, args: Sequence[Term]) -> list[tuple[str, str]]:
        columns = zip(relation.columns, args, strict=True)
        return [(column.name, self.value(term.value)) for column, term in columns if isinstance(term, Const)]


def _fold_text(best: Best) -> str:
    """`the largest of 4`, `counted (10 of 12 shown)`."""
    text = _FOLDS[best.function].format(n=best.candidates)
    hidden = best.function in EACH and len(best.members) < best.candidates
    return f"{text} ({len(best.members)} of {best.candidates} shown)" if hidden else text


def _where(rule: Rule) -> str:
    return f"  [{rule.place.file}:{rule.place.line}]" if rule.place.line else ""
