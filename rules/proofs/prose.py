"""Proofs for readers: an indented tree, or sentences made from the rules' own templates. No model, no engine.

Every record is shown with the words that support it, every absence as the question that was asked. What stands twice
in a proof is told once; the second time says "(as above)". Prose leaves out what the rules call quiet, and comparisons,
and tells what they rest on in their place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice

from narraworld.base.quick_dataclass import dataclass
from narraworld.rules.language.ir import Atom, Relation, Rule, Var
from narraworld.rules.proofs.proof import (
    Best,
    Compared,
    Given,
    Proof,
    ProofNames,
    leaves,
    premises,
    said_as_is,
    shown,
    term_text,
    walk,
)
from narraworld.rules.proofs.why_not import Attempt, Blocked, Differs, Lacking, Missing, Untrue, WhyNot
from narraworld.rules.proofs.words import ProofWords, Quote, QuoteOf, no_quotes, pattern_of, some

__all__ = ["USUAL", "Quote", "QuoteOf", "Style", "as_prose", "as_tree", "why_not_prose", "worth_telling"]


@dataclass(frozen=True, slots=True)
class Style:
    """How proofs are laid out."""

    ascii: bool = False
    depth: int = 40  # levels of a tree; a proof can be thousands deep
    rules: int = 3  # rules told per level of a why-not, nearest first
    quotes: int = 2  # quotes for a premise that a why-not finds satisfied


USUAL = Style()
_INDENT = "  "
_BOX = ("├─ ", "└─ ", "│  ", "   ")
_ASCII = ("|- ", "`- ", "|  ", "   ")
_PLAIN = str.maketrans({"“": '"', "”": '"', "–": "-", "…": "..."})


def as_tree(
    proof: Proof, names: ProofNames = said_as_is, quote_of: QuoteOf = no_quotes, style: Style = USUAL
) -> str:
    """The proof as lines, premises indented under what they support."""
    return _text(_tree_lines(proof, ProofWords(names, cache(quote_of)), style), style)


def as_prose(
    proof: Proof, names: ProofNames = said_as_is, quote_of: QuoteOf = no_quotes, style: Style = USUAL
) -> str:
    """The proof as sentences, one line per step worth telling, reasons indented under what they support; each line ends
    with the words it rests on."""
    return _text(_steps(proof, ProofWords(names, cache(quote_of))), style)


def why_not_prose(
    why: WhyNot, names: ProofNames = said_as_is, quote_of: QuoteOf = no_quotes, style: Style = USUAL
) -> str:
    """What is not so, and under it how near the nearest rules came and what each lacked."""
    return _text(_Denial(ProofWords(names, cache(quote_of)), style).of(why), style)


def _text(lines: Iterable[str], style: Style) -> str:
    text = "\n".join(lines)
    return text.translate(_PLAIN) if style.ascii else text


# -- as a tree -----------------------------------------------------------------------------------


def _tree_lines(proof: Proof, words: ProofWords, style: Style) -> Iterator[str]:
    """A stack instead of recursion: proofs can be deeper than Python calls."""
    corner = (_ASCII if style.ascii else _BOX)[1]
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
        yield from (f"{indent}{quote}" for quote in words.cite(words.quotes([node])))
        stack.extend(reversed(_branches(below, indent, depth + 1, style)))


def _branches(
    below: Sequence[Proof], indent: str, depth: int, style: Style
) -> list[tuple[Proof, str, str, int]]:
    """The premises with what is drawn before each and before whatever hangs on it."""
    tee, corner, bar, gap = _ASCII if style.ascii else _BOX
    lines = [(premise, indent + tee, indent + bar, depth) for premise in below[:-1]]
    return lines + [(premise, indent + corner, indent + gap, depth) for premise in below[-1:]]


# -- as prose ------------------------------------------------------------------------------------


def _steps(proof: Proof, words: ProofWords, lead: str = "") -> Iterator[str]:
    """One line per step that a person would tell; `lead` begins the first."""
    stack = [(proof, 0)]
    while stack:
        node, depth = stack.pop()
        below = worth_telling(premises(node))
        line = _INDENT * depth + words.line(("" if depth else lead) + words.sentence(node))
        if id(node) not in words.told:
            words.told.add(id(node))
            yield line + words.cited(words.quotes((node, *below)))
            stack.extend((premise, depth + 1) for premise in reversed(below) if not words.quotes([premise]))
        elif below or not depth:  # a record without quotes needs no second mention
            yield f"{line} (as above)"


def worth_telling(nodes: Sequence[Proof]) -> list[Proof]:
    """Each node once; bookkeeping is left out, and what it rests on is told in its place."""
    found: list[Proof] = []
    seen: set[int] = set()
    waiting = list(reversed(shown(nodes)))
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if _is_bookkeeping(node):
            waiting.extend(reversed(shown(premises(node))))
        else:
            found.append(node)
    return found


def _is_bookkeeping(node: Proof) -> bool:
    """Quiet relations, comparisons, and which of some moments is the first or the last."""
    match node:
        case Compared() | Best(Relation(auxiliary=True), function="min" | "max"):
            return True
    return node.relation.quiet


# -- why not -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Denial:
    """A why-not is as deep as its settings say, a few levels: here plain recursion will do."""

    words: ProofWords
    style: Style

    def of(self, why: WhyNot, lead: str = "") -> Iterator[str]:
        """What is not so, then why."""
        if why.holds is not None:
            yield "This does hold:"
            yield from _indented(_steps(why.holds, self.words))
            return
        line = self.words.line(lead + self.words.absence(why.relation, why.goal.args))
        if why.attempts and pattern_of(why.goal) in self.words.told:
            yield f"{line} (as above)"
            return
        self.words.told.add(pattern_of(why.goal))
        yield line
        yield from _indented(self._ways(why))

    def _ways(self, why: WhyNot) -> Iterator[str]:
        """How it could have come about; where there is one way only, what it lacks is the whole reason."""
        ways = [attempt for attempt in why.attempts if any(map(_matters, _lacks(attempt)))] or why.attempts
        if not ways and not why.relation.base:
            yield "No rule concludes it in this form."
        if len(ways) == 1:
            yield from self._shortfall(ways[0])
            return
        for attempt in ways[: self.style.rules]:
            yield self._way(attempt, why.relation)
            yield from _indented(self._shortfall(attempt, "but "))
        if (more := len(ways) - self.style.rules) > 0:
            yield f"… and {more} more way{'s' if more > 1 else ''}, none nearer."

    def _way(self, attempt: Attempt, relation: Relation) -> str:
        match attempt.rule:
            case Rule(sentence=str(template)):
                said = self.words.filled(template, attempt.bindings, _unbound(attempt, relation))
                return self.words.line(f"it would be otherwise if {said}")
            case Rule(place=place):
                return self.words.line(f"it would be otherwise by the rule at {place.file}:{place.line}")

    def _shortfall(self, attempt: Attempt, lead: str = "") -> Iterator[str]:
        """What the rule found, with its words, unless that was told before; and what it lacks."""
        for line in self._found(worth_telling(attempt.grounds)):
            yield line
            lead = "but "
        for missing in _lacks(attempt):
            yield from self._missing(missing, lead)
            lead = "and "

    def _found(self, satisfied: Sequence[Proof]) -> Iterator[str]:
        """Records speak in their own words, on one line; every other premise has a line with some of its words."""
        fresh = [node for node in satisfied if id(node) not in self.words.told]
        self.words.told.update(map(id, fresh))
        if quotes := [quote for quote in self.words.quotes(fresh) if quote not in self.words.quoted]:
            yield f"So far:{self.words.cited(quotes)[1:]}"
        for node in fresh:
            if not self.words.quotes([node]):
                words = islice(self.words.quotes(worth_telling(leaves(node))), self.style.quotes)
                yield self.words.line(self.words.sentence(node)) + self.words.cited(words)

    def _missing(self, missing: Missing, lead: str) -> Iterator[str]:
        match missing:
            case Lacking(relation, atom, None):
                yield self.words.line(lead + self.words.absence(relation, atom.args))
            case Lacking(_, _, WhyNot() as why):
                yield from self.of(why, lead)
            case Blocked(_, by):
                yield from _steps(by, self.words, lead)
            case Untrue(compare):
                yield self.words.line(f"{lead}it is not so that {self.words.compared(compare)}")
            case Differs(wanted, actual, by):
                yield self.words.line(f"{lead}the value is {actual}, not {term_text(wanted)}")
                yield from _indented(_steps(by, self.words))


def _lacks(attempt: Attempt) -> list[Missing]:
    """What is missing, as far as it tells a reader something; all of it where nothing does."""
    found = [deeper for missing in attempt.missing for deeper in _spelt_out(missing)]
    return [one for one in found if isinstance(one, Lacking | Blocked) and _matters(one)] or found


def _spelt_out(missing: Missing) -> list[Missing]:
    """What bookkeeping lacks stands in its place."""
    match missing:
        case Lacking(Relation(absence="") as relation, _, WhyNot(attempts=(nearest, *_))):
            return _lacks(nearest) if relation.auxiliary or relation.quiet else [missing]
    return [missing]


def _matters(missing: Missing) -> bool:
    """A quiet relation is worth a word only where it has one of its own."""
    return not isinstance(missing, Lacking) or not missing.relation.quiet or bool(missing.relation.absence)


def _unbound(attempt: Attempt, head: Relation) -> dict[str, str]:
    """What is said for the variables of a rule that nothing bound, by the columns they stand in."""
    lacking = [(one.relation, one.atom) for one in attempt.missing if isinstance(one, Lacking)]
    atoms = [literal for literal in attempt.rule.body if isinstance(literal, Atom)]
    said = {term.name: "something" for atom in atoms for term in atom.args if isinstance(term, Var)}
    for relation, atom in (*lacking, (head, attempt.rule.head)):
        said |= _by_columns(relation, atom)
    return said


def _by_columns(relation: Relation, atom: Atom) -> dict[str, str]:
    columns = zip(relation.columns, atom.args, strict=True)
    return {term.name: some(column) for column, term in columns if isinstance(term, Var)}


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (_INDENT + line for line in lines)
