"""What is not wrong with a rule file but probably not meant: for the person who is writing it.

A hint never stops anything. Looks at checked programs only, runs nothing. `narraworld rules check` prints hints, and so
will an editor.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from narraworld.rules.language.ir import (
    Aggregate,
    Arithmetic,
    Atom,
    Compare,
    Const,
    Literal,
    Not,
    Rule,
    SourcePlace,
    Var,
)
from narraworld.rules.language.program import RuleBook
from narraworld.rules.language.surface.statements import Directive, RuleText, SouffleAdvice, SurfaceRule
from narraworld.rules.language.terms import compare, names
from narraworld.rules.language.values.types import SORTS, wider

__all__ = ["Hint", "hints", "never_silent", "used_by"]

OPEN = frozenset({"finding"})  # what files of checks are there to add to


@dataclass(frozen=True, slots=True)
class Hint:
    """Something worth a second look, and where."""

    what: str
    place: SourcePlace
    fix: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.what}" + (f"\n  {self.fix}" if self.fix else "")


def hints(book: RuleBook, files: Collection[str]) -> list[Hint]:
    """The hints about these files of a program, in reading order."""
    sources = [source for source in book.sources if source.file in files]
    found = [hint for source in sources for hint in _of_source(source, book, files)]
    return sorted(
        dict.fromkeys(found), key=lambda hint: (hint.place.file, hint.place.line, hint.place.column)
    )


def _of_source(source: RuleText, book: RuleBook, files: Collection[str]) -> Iterator[Hint]:
    yield from _ignored(source)
    yield from _unused(source, book)
    yield from _unfilled(source, book)
    yield from _extending(source, book, files)
    for clause in source.clauses:
        for look in LOOKS:
            yield from look(clause, book)


def never_silent(book: RuleBook, files: Collection[str]) -> list[Hint]:
    """What whoever asks is told of these files: inputs that nothing fills, relations of others that they add to."""
    sources = [source for source in book.sources if source.file in files]
    found = [hint for source in sources for hint in _unfilled(source, book)]
    return [*found, *(hint for source in sources for hint in _extending(source, book, files))]


def _extending(source: RuleText, book: RuleBook, files: Collection[str]) -> Iterator[Hint]:
    """A rule for a relation that other rules derive: it changes every answer that rests on it."""
    meant = {one.relation for one in source.extensions} | OPEN
    for rule in source.rules:
        relation = book.relations.get(rule.head.relation)
        if relation is None or relation.name in meant or relation.place.file in files:
            continue
        meant.add(relation.name)
        yield Hint(
            f"this adds to {relation.name}, and so to every answer that rests on it",
            rule.place,
            f"derive a relation of your own, or say .extend {relation.name} if that is meant",
        )


def _unfilled(source: RuleText, book: RuleBook) -> Iterator[Hint]:
    """An `.input` without a binding, a table or a fact: always empty."""
    for directive in source.directives:
        relation = book.relations.get(directive.relation)
        if directive.keyword != "input" or relation is None or relation.bindings:
            continue
        if not (book.given.get(relation.name) or book.rules_for(relation.name) or directive.parameters):
            fix = f"bind it (//@ from nw:…), or put {relation.name}.facts beside this file"
            yield Hint(
                f"{relation.name} is an input that nothing fills, so it is always empty", directive.place, fix
            )


def _ignored(source: RuleText) -> Iterator[Hint]:
    """What we read and do not follow, each kind once."""
    seen: set[str] = set()
    for part in source.statements:
        match part:
            case Directive("printsize", _, place):
                told = ".printsize is read and not followed", "ask: narraworld query 'N = count : { r(X) }'"
            case Directive("output", _, place, parameters) if parameters:
                told = (
                    "where .output should go is read and not followed",
                    "ask with narraworld query, --json for a file",
                )
            case SouffleAdvice(text, place):
                told = f"{text.split()[0]} is advice to Soufflé and not followed", ""
            case _:
                continue
        if told[0] not in seen:
            seen.add(told[0])
            yield Hint(told[0], place, told[1])


def _unused(source: RuleText, book: RuleBook) -> Iterator[Hint]:
    rules = [rule for one in book.sources for rule in one.rules]
    filled = {rule.head.relation for rule in rules}
    used = {one.relation for one in source.directives}.union(*(_read(rule.body) for rule in rules))
    for relation in source.relations:
        name, place = relation.name, relation.place
        if name not in filled and not _is_given(name, book):
            yield Hint(f"nothing ever puts a row into {name}", place, "add a rule, a fact or .input")
        elif not (name in used or relation.doc):
            yield Hint(f"nothing reads {name}", place, f"say .output {name} if it is an answer")


def _is_given(name: str, book: RuleBook) -> bool:
    """Whether rows come from elsewhere: from the readers, or from the file that is its home."""
    return book.relations[name].base or name in book.home


def _read(body: Collection[Literal]) -> Iterator[str]:
    for literal in body:
        match literal:
            case Atom(relation) | Not(Atom(relation)):
                yield relation
            case Aggregate():
                yield from _read(literal.body)


# ---- one rule


def _never_true(clause: SurfaceRule, book: RuleBook) -> Iterator[Hint]:
    for literal, place in _placed(clause):
        match literal:
            case Compare(_, Const(), Const()) if not compare(literal, {}):
                yield Hint("this condition is never true", place)
            case Compare("!=" | "<" | ">", left, right) if left == right:
                yield Hint("this condition is never true: both sides are the same", place)


def _placed(clause: SurfaceRule) -> Iterator[tuple[Literal, SourcePlace]]:
    places = iter(clause.places[1:])
    for literal in clause.rule.body:
        yield literal, next(places, clause.rule.place)
        for _ in literal.body if isinstance(literal, Aggregate) else ():
            next(places, None)


def _multiplied(clause: SurfaceRule, book: RuleBook) -> Iterator[Hint]:
    """Conditions that share no variable, each with something the head wants: every row of one meets every row of the other."""
    wanted = set(names(clause.rule.head))
    tied = [sorted(group & wanted) for group in _tied_together(clause.rule.body) if group & wanted]
    if len(tied) > 1:
        sides = " and ".join(", ".join(group) for group in tied)
        what = f"nothing ties {sides} together: every row of one meets every row of the other"
        yield Hint(what, clause.rule.place, "add a condition that names both, if they belong together")


def _tied_together(body: Iterable[Literal]) -> list[set[str]]:
    """The variables of conditions, in groups that share one with another."""
    groups = list[set[str]]()
    for literal in body:
        mine = {name for name in names(literal) if not name.startswith("_")}
        touching = [group for group in groups if group & mine]
        groups = [group for group in groups if not group & mine] + [mine.union(*touching)]
    return groups


def _seen_once(clause: SurfaceRule, book: RuleBook) -> Iterator[Hint]:
    """A word in small letters that stands once is a variable, and perhaps was meant as a symbol."""
    count: Counter[str] = Counter()
    for literal in (clause.rule.head, *clause.rule.body):
        count.update(_words(literal))
    for name, many in count.items():
        if many == 1 and len(name) > 1 and name.isalpha() and name.islower():
            fix = f'a symbol stands in quotes: "{name}"; what nobody uses is written _'
            yield Hint(f"{name} stands once and means anything at all", clause.rule.place, fix)


def _two_kinds(clause: SurfaceRule, book: RuleBook) -> Iterator[Hint]:
    """A variable that is one kind of thing in one relation and another kind in the next: a place where a person is meant."""
    columns = {one.name: one.columns for source in book.sources for one in source.relations}
    include, seen = wider(book.sources), dict[str, tuple[str, str]]()
    for atom in _atoms((*clause.rule.body, clause.rule.head)):
        for arg, column in zip(atom.args, columns.get(atom.relation, ()), strict=False):
            if isinstance(arg, Var) and column.type not in SORTS and column.type in include:
                kind, where = seen.setdefault(arg.name, (column.type, atom.relation))
                if column.type not in include[kind] and kind not in include[column.type]:
                    what = f"{arg.name} is a {kind} in {where} and a {column.type} in {atom.relation}"
                    yield Hint(what, clause.rule.place, "nothing is both, unless one type includes the other")


def _atoms(literals: Iterable[Literal]) -> Iterator[Atom]:
    for literal in literals:
        match literal:
            case Atom() as atom:
                yield atom
            case Not(atom):
                yield atom
            case Aggregate():
                yield from _atoms(literal.body)


def _words(literal: Literal) -> Iterator[str]:
    match literal:
        case Atom(_, args) | Not(Atom(_, args)):
            yield from (arg.name for arg in args if isinstance(arg, Var))
        case Aggregate(result, _, target, body):
            yield from (result.name, *(names(target) if target else ()))
            for inner in body:
                yield from _words(inner)
        case _:
            yield from names(literal)


def _endless(clause: SurfaceRule, book: RuleBook) -> Iterator[Hint]:
    """A relation that makes new numbers from its own, and nothing that bounds them."""
    rule = clause.rule
    own = set(_together(book).get(rule.head.relation, ())) & set(_read(rule.body))
    if own and any(_grows(one, rule) for one in rule.body) and not any(map(_bounds, rule.body)):
        what = f"{rule.head.relation} makes new numbers out of its own and nothing stops it"
        yield Hint(what, rule.place, "add a bound, such as N < 100")


def _grows(literal: Literal, rule: Rule) -> bool:
    """Whether it reckons a number that the head takes up."""
    match literal:
        case Compare("=", Var() as result, Arithmetic()):
            return result in rule.head.args
    return False


def _bounds(literal: Literal) -> bool:
    return isinstance(literal, Not) or (isinstance(literal, Compare) and literal.op != "=")


def _together(book: RuleBook) -> Mapping[str, tuple[str, ...]]:
    return {name: one.relations for one in book.strata if one.recursive for name in one.relations}


LOOKS: tuple[Callable[[SurfaceRule, RuleBook], Iterator[Hint]], ...] = (
    _never_true,
    _multiplied,
    _seen_once,
    _two_kinds,
    _endless,
)


def used_by(book: RuleBook, relation: str) -> list[Rule]:
    """The rules, as they were written, that read a relation."""
    return [rule for source in book.sources for rule in source.rules if relation in set(_read(rule.body))]
