"""What plain modern prose trips a reader with: moods that look like deeds, numbers for people, ships, choruses."""

from __future__ import annotations

import pytest
from reading_aloud import read, records, states, values


@pytest.mark.parametrize(
    ("text", "said", "kinds"),
    [
        pytest.param("Ruth was twelve years old and had blue eyes.", {"ruth.age:twelve", "ruth.eyes:blue"}, [], id="looks are no deed"),
        pytest.param("Marcus was ashamed.", {"marcus.emotion:ashamed"}, [], id="a mood is no deed"),
        pytest.param("Lily took off her ring and laid it on the counter.", {"ring.location.counter", "not.lily.appearance.ring"},
                     ["lay", "take off"], id="it is not what it is laid on"),
        pytest.param("Kim went to Leo.", set(), ["go"], id="nobody is in somebody"),
    ],
)  # fmt: skip
def test_states_and_deeds(text: str, said: set[str], kinds: list[str]) -> None:
    reading = read(text)
    assert {one for one in states(reading) if "possession" not in one} == said
    assert values(reading, "kind") == kinds


@pytest.mark.parametrize(
    ("text", "realis"),
    [
        pytest.param("Giacomo accused Carla of stealing the ring.", {"accuse": "actual", "steal": "hypothetical"}, id="accused of"),
        pytest.param("Giacomo cannot find the ring.", {"find": "negated"}, id="cannot"),
        pytest.param("Neither of them drew the sword.", {"draw": "negated"}, id="neither of them"),
    ],
)  # fmt: skip
def test_what_did_not_happen(text: str, realis: dict[str, str]) -> None:
    assert {one.kind: one.realis for one in records(read(text), "Event", "kind", "realis")} == realis


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Pip and Mab laughed. The two of them opened the box.", id="the two of them"),
        pytest.param("Pip and Mab laughed. They both opened the box.", id="they both"),
    ],
)
def test_several_by_number(text: str) -> None:
    reading = read(text)
    [opened] = [one.id for one in records(reading, "Event", "kind") if one.kind == "open"]
    graph = reading.delta.graph
    agents = {
        str(o).rpartition(":")[2]
        for s, p, o in graph
        if str(s).endswith(opened) and str(p).endswith("/agent")
    }
    assert agents == {"pip", "mab"}


def test_everyone_is_nobody_in_particular() -> None:
    assert [one.id for one in records(read("Mab laughed. Everyone was happy."), "Character", "name")] == [
        "mab"
    ]


def test_a_ship_is_no_person() -> None:
    reading = read("Tan flew to the Halcyon. Wills waited on the Halcyon. Tan left the Halcyon.")
    assert [one.id for one in records(reading, "Character", "name")] == ["tan", "wills"]


def test_all_in_a_script_are_those_who_spoke() -> None:
    reading = read(
        "IRIS: Where is Father?\n\nTOM: He is out.\n\nALL: Father!\n\nIRIS: It is dark.\n\nTOM: I know."
    )
    assert sorted(one.id for one in records(reading, "Character", "name")) == ["iris", "tom"]
    assert values(reading, "companion") == ["tom"]


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        pytest.param('Dr. Morrow opened the chest. It was empty. "You lied," he said to Ruth.', "dr-morrow", id="who was just named"),
        pytest.param('Nora asked Ben where it was. He began to cry. "I lost it," he said.', "ben", id="of the gender"),
    ],
)  # fmt: skip
def test_he_said_is_whom_the_paragraph_has_named(text: str, speaker: str) -> None:
    before = '"Tom is late," said Ruth.\n\n"So is Daniel," said Dr. Morrow.\n\n'
    said = records(read(before + text), "Speech", "speaker", "manner")
    assert said[-1].speaker == speaker
