"""Stories told in the present, and verbs that a small parser takes for something else."""

from __future__ import annotations

import pytest
from reading_aloud import read, records

DEEDS = {
    "a noun before it": ("Mara came in. A black car stops at the gate.", ("come in", "stop")),
    "behind and": ("Mara walks in and asks for a map.", ("walk in", "ask")),
    "three of them": ("Mara leaves the house, locks the door and waits.", ("leave", "lock", "wait")),
    "behind a name": ("Mara grabs her wrist.", ("grab",)),
    "forms that hiss": ("Mara presses his hand and slaps him.", ("press", "slap")),
    "irregular": ("Mara knelt and was tying the boat.", ("kneel", "tie")),
    "nobody undergoes it": ("An old woman waited at the gate.", ("wait",)),
    "one who laughs and acts": ("The troll laughed and lifted the dwarf.", ("laugh", "lift")),
}


@pytest.mark.parametrize(("text", "kinds"), DEEDS.values(), ids=DEEDS)
def test_every_verb_is_a_deed_of_somebody(text: str, kinds: tuple[str, ...]) -> None:
    found = [
        *records(read(text), "Event", "kind", "agent"),
        *records(read(text), "Speech", "kind", "speaker"),
    ]
    assert tuple(sorted(one.kind for one in found)) == tuple(sorted(kinds))


def test_what_describes_a_noun_stays_a_description() -> None:
    assert [one.kind for one in records(read("Mara looks at the door locks."), "Event", "kind")] == ["look"]


def test_a_condition_in_the_present_is_a_possibility_though_it_is_nobody_s() -> None:
    reading = read("Mara waited. If the vial breaks, the river will freeze.")
    assert [one.summary for one in records(reading, "Possibility", "summary")] == [
        "If the vial breaks, the river will freeze"
    ]
    assert [one.title for one in records(reading, "Development", "title")] == ["whether the vial breaks"]


def test_a_condition_of_what_somebody_will_know_is_a_possibility_too() -> None:
    reading = read("Rook has the bonds. If he cashes the bonds, the bank will know the numbers.")
    assert [one.summary for one in records(reading, "Possibility", "summary")] == [
        "If he cashes the bonds, the bank will know the numbers"
    ]


def test_nobody_rains() -> None:
    assert records(read("Mara drove to the harbour. It was raining."), "Event", "kind", "agent")[1:] == []
