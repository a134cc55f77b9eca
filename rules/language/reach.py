"""Parts of a program: what a question needs, and what is left when some relations are simply given.

Pure: programs in, programs out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from narraworld.rules.language.ir import Atom, Not, Program, Rule

__all__ = ["needed", "on_demand_part", "reads"]


def reads(rule: Rule) -> set[str]:
    """The relations a core rule looks at."""
    found = set()
    for literal in rule.body:
        match literal:
            case Atom(relation, _) | Not(Atom(relation, _)):
                found.add(relation)
    return found


def needed(program: Program, goals: Iterable[str]) -> Program:
    """The part of a program from which these relations are derived."""
    reached, waiting = set[str](), list(goals)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(other for rule in program.rules_for(name) for other in reads(rule))
    return _only(program, reached, given=set())


def on_demand_part(program: Program, also: Iterable[str] = ()) -> Program:
    """The on-demand relations (and ``also``) alone; everything else, base or derived, counts as given."""
    asked = {name for name, relation in program.relations.items() if relation.on_demand} | set(also)
    auxiliary = {name for name, relation in program.relations.items() if relation.auxiliary}
    while serving := {name for name in auxiliary - asked if _serves(program, name, asked)}:
        asked |= serving
    return _only(program, set(program.relations), given=set(program.relations) - asked)


def _serves(program: Program, auxiliary: str, asked: set[str]) -> bool:
    """Whether an auxiliary relation was made for one of the relations that are asked."""
    return any(auxiliary in reads(rule) for name in asked for rule in program.rules_for(name))


def _only(program: Program, kept: set[str], given: set[str]) -> Program:
    relations = {
        name: replace(relation, base=True) if name in given else relation
        for name, relation in program.relations.items() if name in kept
    }  # fmt: skip
    derived = kept - given
    rules = tuple(rule for rule in program.rules if rule.head.relation in derived)
    strata = tuple(stratum for stratum in program.strata if set(stratum.relations) <= derived)
    return Program(relations, rules, strata)
