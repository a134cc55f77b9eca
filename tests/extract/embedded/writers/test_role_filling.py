"""The verb frame that fits a clause, and who fills its roles, on hand-made parses."""

from __future__ import annotations

from hand_made import begin, unit_state

from narraworld.extract.embedded.people.entities import OBJECT
from narraworld.extract.embedded.writers.role_filling import fit


def test_the_frame_and_its_roles() -> None:
    unit = unit_state("Leo gave Mara the key.")
    [clause] = begin(unit, "Leo gave Mara the key.")
    frame, roles = fit(unit, clause)
    assert frame is not None and "give" in frame.verbs
    assert roles == {"agent": ("leo",), "patient": ("key",), "recipient": ("mara",)}


def test_it_is_the_thing_that_was_put_somewhere() -> None:
    unit = unit_state("Leo moved it to the shelf.", key="object", drawer="object")
    unit.company.figures["key"].seen = unit.company.figures["drawer"].seen = (0, OBJECT)
    unit.stage.where["key"] = ("drawer", None)
    [clause] = begin(unit, "Leo moved it to the shelf.")
    assert fit(unit, clause)[1]["patient"] == ("key",)


def test_a_verb_without_a_frame_has_its_subject() -> None:
    unit = unit_state("The garden gate creaked.")
    [clause] = begin(unit, "The garden gate creaked.")
    assert fit(unit, clause) == (None, {"agent": ("garden-gate",)})
