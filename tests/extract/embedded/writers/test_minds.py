"""Speech and belief on hand-made parses: what is said or thought never becomes a fact."""

from __future__ import annotations

from hand_made import begin, told, unit_state

from narraworld.extract.embedded.writers.minds import claims_of, contents, write_attitude
from narraworld.extract.embedded.writers.reports import write_report
from narraworld.extract.embedded.writers.role_filling import fit


def test_what_is_said_is_a_claim() -> None:
    unit = unit_state("Leo said that the key was in the drawer.")
    found = begin(unit, "Leo said that the key was in the drawer.")
    assert contents(found, 0) == [1]
    assert write_report(unit, found, 0, fit(unit, found[0]))
    assert told(unit, "Speech", "speaker", "claim") == [("leo", "key.location.drawer")]
    assert (told(unit, "State", "proposition"), unit.sentence.reported) == ([], {1})


def test_what_somebody_does_not_know_is_so() -> None:
    unit = unit_state("Mara did not know that Leo had left.")
    found = begin(unit, "Mara did not know that Leo had left.")
    assert write_attitude(unit, found[0], fit(unit, found[0]), {1: found[1]})
    [(holder, event)] = told(unit, "Unawareness", "holder", "event")
    assert (holder, event) == ("mara", unit.deeds[0].event)
    assert told(unit, "Event", "kind", "agent") == [("leave", "leo")]


def test_a_decision_is_kept_until_it_is_told_as_done() -> None:
    unit = unit_state("Leo decided to move the key.", key="object")
    found = begin(unit, "Leo decided to move the key.")
    write_report(unit, found, 0, fit(unit, found[0]))
    assert [(clause.verb, roles["patient"]) for clause, (_, roles) in unit.decided] == [("move", ("key",))]


def test_a_clause_puts_forward_what_its_deed_changes() -> None:
    unit = unit_state("Leo took the key from the drawer.")
    [clause] = begin(unit, "Leo took the key from the drawer.")
    assert "key.possession.leo" in [said.id for said in claims_of(unit, clause)]
