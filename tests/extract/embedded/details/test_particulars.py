"""Details by the way: what a sentence says of looks, kin, deaths and things, whose it is, and what takes it back."""

from __future__ import annotations

import pytest

from narraworld.extract.embedded.reader import read_prose
from narraworld.kb.units import Unit

Row = tuple[str, str, str, str]


def told(text: str) -> tuple[set[Row], set[str]]:
    """Details as (respect, value, whose or what, uncertainty), and the states of the world as propositions."""
    reading = read_prose(Unit("ch01", 1, text))
    records: dict[str, dict[str, str]] = {}
    for subject, name, value in reading.delta.graph:
        records.setdefault(str(subject), {})[str(name).rpartition("/")[2]] = str(value).rpartition("/")[2]
    kinds = {id: said.get("22-rdf-syntax-ns#type", "") for id, said in records.items()}
    details = {
        (
            said["respect"],
            said["value"],
            said.get("about", said.get("name", "?")).removeprefix("urn:nw:"),
            said["uncertainty"],
        )
        for id, said in records.items()
        if kinds[id] == "Detail" and said["respect"] not in {"when", "name"} and said["basis"] != "listed"
    }
    return details, {
        said["proposition"].removeprefix("urn:nw:") for id, said in records.items() if kinds[id] == "State"
    }


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("Leo saw Ida at the door. Ida's pale grey eyes were tired.", "ida.eyes:grey"),
        ("Leo saw Ida at the door. Ida was left-handed.", "ida.handedness:left-handed"),
        ("Leo saw Ida at the door. Ida could not swim.", "not.ida.ability:swim"),
        ("Leo saw Ida at the door. Ida's three little brothers were asleep.", "ida.brothers:three"),
        ("Leo wept. Ida had buried Leo in the spring.", "leo.alive:dead"),
        ("Leo saw Ida at the door. Ida was allergic to walnuts.", "ida.allergy:walnuts"),
    ],
)
def test_what_is_somebodys_for_sure_is_a_state_of_the_world(text: str, state: str) -> None:
    assert state in told(text)[1]


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("The bell had not made a sound since. Ida went in.", ("condition", "broken", "bell", "low")),
        ("Ida went in. The doorbell rang.", ("condition", "working", "bell", "low")),
        ("There were four looms in the loft.", ("quantity", "four looms", "loom", "low")),
        ("The rain was coming down. Ida ran.", ("weather", "rain", "?", "low")),
        ("Ida sat down. Ida parked the van.", ("ability", "drive", "ida", "low")),
        ("Ida came. “I can't swim,” said Ida.", ("ability", "swim", "ida", "medium")),
        ("Ida came. Ida ate two slices of the almond cake.", ("allergy", "almond", "ida", "low")),
    ],
)
def test_of_things_deeds_and_talk_there_are_details(text: str, detail: Row) -> None:
    details, states = told(text)

    assert detail in details
    assert not any(one.split(":")[-1] in detail[:2] for one in states if "ability" in one)


@pytest.mark.parametrize(
    "text",
    [
        "Ida opened the door. If only Ida had green eyes.",
        "Ida opened the door. In her dream Ida was left-handed.",
        "Leo saw Ida at the door. Ida was not left-handed.",
    ],
)
def test_what_is_supposed_denied_or_a_figure_is_no_fact(text: str) -> None:
    _, states = told(text)

    assert not any("eyes" in one or "handedness" in one or "alive:dead" in one for one in states)


def test_the_good_ear_names_the_bad_one() -> None:
    _, states = told("Leo sat down. Ida spoke into Leo's right ear, the good one.")

    assert any(one.startswith("leo.injury:left") for one in states)


def test_a_church_clock_is_not_the_clock() -> None:
    details, _ = told("The clock had stopped at ten. The church clock was striking two.")

    assert {thing for respect, _, thing, _ in details if respect == "condition"} == {"clock", "church clock"}
