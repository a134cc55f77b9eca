"""Who saw what was done, and of whom the text says that they did not, on hand-made parses."""

from __future__ import annotations

from hand_made import begin, told, unit_state

from narraworld.extract.embedded.unit import Deed
from narraworld.extract.embedded.writers.events import write_event
from narraworld.extract.embedded.writers.perception import write_access, write_ignorance
from narraworld.extract.embedded.writers.role_filling import fit


def test_who_sees_a_deed_has_access_to_it() -> None:
    unit = unit_state("Mara saw Leo leave.")
    saw, leave = begin(unit, "Mara saw Leo leave.")
    roles = fit(unit, saw)[1]
    event = write_event(unit, leave, fit(unit, leave), 1)
    assert write_access(unit, saw, roles, [1])
    assert told(unit, "Access", "holder", "event", "mode") == [("mara", event, "observation")]


def test_who_is_unaware_does_not_know_of_what_was_just_done() -> None:
    unit = unit_state("Leo. Mara was unaware of his act.", leo="character", mara="character")
    unit.delta.add("Event", "deed", quote="Leo", kind="move", agent="leo")
    unit.deeds.append(Deed(0, "ch01/deed", "move", "actual", ("leo",), ()))
    begin(unit, "Mara was unaware of his act.")
    assert write_ignorance(unit) == 1
    assert told(unit, "Unawareness", "holder", "event") == [("mara", "ch01/deed")]
