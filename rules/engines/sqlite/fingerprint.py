"""A short name for what a program says, whatever its comments and line numbers; derived tables are good for one only."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from narraworld.rules.language.ir import Program, Relation, Rule, SourcePlace

__all__ = ["fingerprint"]

LAYOUT = "3"  # raise it when tables are laid out, indexed or named differently


def fingerprint(program: Program) -> str:
    """The same for the same relations and rules in the same order, and the same rows brought along."""
    relations = [_bare_relation(relation) for relation in program.relations.values()]
    rules = [_bare_rule(rule) for rule in program.rules]
    said = (LAYOUT, relations, rules, *([program.given] if program.given else []))
    return hashlib.sha256(repr(said).encode("utf-8", "surrogatepass")).hexdigest()


def _bare_relation(relation: Relation) -> Relation:
    return replace(relation, doc="", bindings=(), place=SourcePlace())


def _bare_rule(rule: Rule) -> Rule:
    return replace(rule, sentence=None, place=SourcePlace(), written=None)
