"""A decision of which the story then speaks as a deed is done; who decides to leave has left."""

from __future__ import annotations

from hand_made import begin, told, unit_state

from narraworld.extract.embedded.writers.intentions import confirm, take_leave
from narraworld.extract.embedded.writers.reports import write_report
from narraworld.extract.embedded.writers.role_filling import fit


def test_his_act_is_what_he_decided() -> None:
    unit = unit_state("Leo decided to move the key. Mara was unaware of his act.", key="object")
    found = begin(unit, "Leo decided to move the key.")
    write_report(unit, found, 0, fit(unit, found[0]))
    unit.company.figures["leo"].gender = "male"
    begin(unit, "Mara was unaware of his act.")
    confirm(unit)
    assert ("move", "actual") in told(unit, "Event", "kind", "realis")
    assert unit.decided == []


def test_who_decides_to_leave_has_left() -> None:
    unit = unit_state("Leo feared that Mara had left.")
    _, left = begin(unit, "Leo feared that Mara had left.")
    assert take_leave(unit, left, fit(unit, left))
    assert told(unit, "Presence", "holder", "movement") == [("mara", "leaves")]
