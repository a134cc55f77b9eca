"""What is not there: `the chest was empty`, `the ring was gone`. Whoever has just opened the chest learns it.

Writes that each thing last put or said to be there is not; guesses nothing about where it is instead.
"""

from __future__ import annotations

from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.lexicon.verb_frames import frame_table
from narraworld.extract.embedded.unit import Page
from narraworld.kb.propositions import Statement

__all__ = ["looked_into", "note_absence"]

JUST = 2  # clauses since somebody opened it


def note_absence(page: Page, clause: Clause, subjects: tuple[str, ...]) -> bool:
    """Write what a clause with `empty` or `gone` says is not there; whether there was anything."""
    words = {word.text.lower() for word in clause.predicates}
    things = [id for id in subjects if page.kind(id) == "object"]
    if clause.realis != "actual" or clause.negated:
        return False
    if words & frame_table().nouns["empty"]:
        absent = [(thing, holds) for holds in things for thing in _thought_in(page, holds)]
    elif words & frame_table().nouns["gone"]:
        absent = [(thing, holds) for thing in things if (holds := _missed_from(page, thing))]
    else:
        return False
    for thing, holds in absent:
        said = Statement(thing, "location", holds, negative=True)
        page.add("State", clause.where, proposition=said, at=looked_into(page, holds))
        if page.stage.where.get(thing, ("",))[0] == holds:
            del page.stage.where[thing]
    return bool(absent)


def looked_into(page: Page, holds: str) -> str | None:
    """The deed by which somebody has just opened it, or come upon it."""
    return next(
        (one.event for one in reversed(page.deeds)
         if one.realis == "actual" and holds in one.patients and page.company.clause - one.clause <= JUST),
        None,
    )  # fmt: skip


def _missed_from(page: Page, thing: str) -> str | None:
    """Where it is gone from: what somebody has just looked into, else where it lay."""
    looked = [
        holds
        for one in page.deeds
        if one.realis == "actual" and page.company.clause - one.clause <= JUST
        and one.kind in frame_table().nouns["looked_into"]
        for holds in one.patients
    ]  # fmt: skip
    return looked[-1] if looked else page.stage.where.get(thing, (None,))[0]


def _thought_in(page: Page, holds: str) -> list[str]:
    """Things that lay there when last told of, or that somebody last said to be there."""
    lay = [thing for thing, (place, _) in page.stage.where.items() if place == holds]
    said = [thing for thing, place in page.stage.said.items() if place == holds]
    return sorted({*lay, *said})
