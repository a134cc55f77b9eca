"""A core program and its facts as an answer-set program, for clingo: an engine that shares no line with ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from narraworld.rules.language.ir import (
    Arithmetic,
    Atom,
    Compare,
    Facts,
    Literal,
    Not,
    Program,
    Row,
    Rule,
    Term,
    Var,
)
from narraworld.rules.language.souffle import value_text

__all__ = ["derived_by_clingo"]


def derived_by_clingo(program: Program, facts: Facts, names: Iterable[str]) -> dict[str, set[Row]]:
    """The rows of these relations and of all they rest on, which must be among them."""
    import clingo

    wanted = {name: number for number, name in enumerate(program.relations)}
    kept, control = set(names), clingo.Control(["--warn=none"])
    lines = [_fact(wanted[name], row) for name in kept for row in facts.get(name, ())]
    lines += [
        line for name in kept for rule in program.rules_for(name) for line in _Asp(wanted, rule).lines()
    ]
    control.add("base", [], "\n".join(lines))
    control.ground([("base", [])])
    found: dict[str, set[Row]] = {name: set() for name in kept}
    by_number = {f"r{number}": name for name, number in wanted.items()}
    for atom in control.symbolic_atoms:
        if atom.is_fact and atom.symbol.name in by_number:
            found[by_number[atom.symbol.name]].add(tuple(map(_value, atom.symbol.arguments)))
    return found


def _value(symbol: object) -> str | int:
    return symbol.number if symbol.type.name == "Number" else symbol.string  # type: ignore[attr-defined, no-any-return]


def _fact(number: int, row: Row) -> str:
    return f"r{number}({', '.join(map(_constant, row))})."


def _constant(value: str | int) -> str:
    return str(value) if isinstance(value, int) else value_text(value)


class _Asp:
    """One rule; its variables are numbered, since ours may bear any name."""

    def __init__(self, relations: dict[str, int], rule: Rule) -> None:
        self._relations, self._rule, self._variables = relations, rule, dict[str, str]()

    def lines(self) -> Iterator[str]:
        head, fold = self._rule.head, self._rule.fold
        body = ", ".join(map(self._literal, self._rule.body))
        if fold is None:
            yield f"{self._atom(head)}{' :- ' * bool(body)}{body}."
            return
        groups = Atom(head.relation, head.args[:-1])
        some = f"g{abs(hash(self._rule)) % 10**9}"
        group = self._atom(groups).replace(f"r{self._relations[head.relation]}(", f"{some}(", 1)
        over = [self._term(one) for one in (fold.target, *fold.over) if one is not None]
        yield f"{group} :- {body}."
        yield f"{self._atom(head)} :- {group}, {self._term(head.args[-1])} = #{fold.function} {{ {', '.join(over)} : {body} }}."

    def _literal(self, literal: Literal) -> str:
        match literal:
            case Atom():
                return self._atom(literal)
            case Not(atom):
                return f"not {self._atom(atom)}"
            case Compare(op, left, right):
                return f"{self._term(left)} {op} {self._term(right)}"
        raise AssertionError(f"not a core literal: {literal}")

    def _atom(self, atom: Atom) -> str:
        return f"r{self._relations[atom.relation]}({', '.join(map(self._term, atom.args))})"

    def _term(self, term: Term) -> str:
        match term:
            case Var(name):
                return "_" if term.anonymous else self._variables.setdefault(name, f"V{len(self._variables)}")
            case Arithmetic(op, left, right):
                spelling = "\\" if op == "%" else op
                return f"({self._term(left)} {spelling} {self._term(right)})"
        return _constant(term.value)
