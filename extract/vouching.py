"""What a sentence speaks of and does not say was done: what is only asked, only named, or told behind a verb that vouches for nothing.

Looks at clauses; writes no record.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from narraworld.extract.clauses import Clause
from narraworld.extract.frames import frame_table

__all__ = ["no_deed", "suppose", "unvouched"]


def suppose(found: Iterable[Clause]) -> None:
    """A question asserts nothing."""
    for clause in found:
        clause.realis = "hypothetical" if clause.realis in {"actual", "negated"} else clause.realis


def no_deed(clause: Clause) -> bool:
    """`the danger of falling`, `used to`: a name for a deed, a helping verb."""
    return clause.only_named or clause.habit


def unvouched(found: Sequence[Clause], number: int) -> set[int]:
    """What somebody fears, or is said to have done: the clauses told behind one that does not vouch for them."""
    clause = found[number]
    if _vouches(clause):
        return set()
    return {
        n
        for n, one in enumerate(found)
        if one.parent == number and one.head.position > clause.head.position and _told_behind(one)
    }


def _vouches(clause: Clause) -> bool:
    table = frame_table()
    known = table.perceives(clause.verb) or any(one.factive for one in table.of(clause.verb, None))
    words = {clause.verb, *(word.lemma for word in clause.predicates)}
    return known or clause.verb in table.dreaming or bool(words & table.vouching)


def _told_behind(one: Clause) -> bool:
    return one.relation == "ccomp" or (one.relation == "acl" and one.marker == "that")
