"""What the author decided about the world itself, as a unit of its own: who is who, and facts the text leaves unsaid.

The unit stands before the first chapter, so that what it says holds from the beginning; its records have the authority of an
author's note and need no quote. Its text is the decisions in words, so that an unchanged file is not committed again.
"""

from __future__ import annotations

from narraworld.kb.delta import Delta
from narraworld.kb.propositions import parse_statement
from narraworld.kb.units import Unit
from narraworld.query.checks.decisions import Decision, Decisions

__all__ = ["UNIT", "authors_word"]

UNIT = "authors-word"
ORDER = 0  # chapters count from 1
NOTE = "authorNote"


def authors_word(decisions: Decisions, *, branch: str = "main") -> Delta | None:
    """The unit for these decisions; None when none of them is about the world."""
    told = decisions.of("same", "different", "fact")
    if not told:
        return None
    text = "\n".join(one.line() for one in told)
    delta = Delta(Unit(UNIT, ORDER, text, "The author's word", branch=branch, authority=NOTE))
    for one in told:
        _add(delta, one)
    return delta


def _add(delta: Delta, one: Decision) -> None:
    if one.kind == "fact":
        said = parse_statement(str(one["says"]))
        if one["subject_is"]:
            delta.add(str(one["subject_is"]), said.subject, name=said.subject.replace("-", " "))
        delta.add("State", proposition=said, authority=NOTE)
    else:
        delta.add("Identity", one=one["one"], other=one["other"], verdict=one.kind, authority=NOTE)
