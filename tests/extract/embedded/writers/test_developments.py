"""Threads on hand-made parses: opened by a promise, ended by the very deed, and what may come of them."""

from __future__ import annotations

from hand_made import begin, told, unit_state

from narraworld.extract.embedded.unit import Deed
from narraworld.extract.embedded.writers.developments import Aim, announced, follow_threads, note_possibility
from narraworld.extract.embedded.writers.events import write_event
from narraworld.extract.embedded.writers.reports import write_report
from narraworld.extract.embedded.writers.role_filling import fit
from narraworld.kb.spans import TextRange


def test_a_promise_opens_a_thread_and_its_deed_ends_it() -> None:
    unit = unit_state("Leo promised to mend the lamp.", lamp="object")
    found = begin(unit, "Leo promised to mend the lamp.")
    write_report(unit, found, 0, fit(unit, found[0]))
    assert told(unit, "Development", "kind", "title", "holder") == [("promise", "Leo: mend the lamp", "leo")]
    unit.delta.add("Event", "done", quote="mend the lamp", kind="mend", agent="leo", patient="lamp")
    begin(unit, "Nobody came.")
    unit.deeds.append(Deed(1, "ch01/done", "mend", "actual", ("leo",), ("lamp",)))
    unit.sentence.events[0] = "ch01/done"
    follow_threads(unit)
    assert [status for (status,) in told(unit, "Step", "status")] == ["opened", "resolved"]
    assert unit.stage.threads == {}


def test_a_condition_is_an_open_question() -> None:
    text = "If the storm comes, the ferry could be lost."
    unit = unit_state(text, storm="object", ferry="object")
    found = begin(unit, text)
    number = next(n for n, clause in enumerate(found) if clause.verb == "lose")
    fitted = fit(unit, found[number])
    write_event(unit, found[number], fitted, number)
    note_possibility(unit, found[number], fitted[1], number, found)
    assert told(unit, "Development", "kind", "title") == [("mystery", "whether the storm comes")]
    assert told(unit, "Possibility", "summary") == [("If the storm comes, the ferry could be lost",)]


def test_a_turn_of_phrase_announces_nothing() -> None:
    where = TextRange(0, 1)
    aims = [Aim(where, ("bring", "shawl")), Aim(where, ("bet", "crown")), Aim(where, ("come",))]
    assert announced(aims) == aims[:1]
