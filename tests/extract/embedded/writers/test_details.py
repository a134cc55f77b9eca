"""Details the story keeps to: what is said outright is written down, what is left in doubt is not."""

from __future__ import annotations

import pytest
from reading_aloud import read, records, states

from narraworld.extract.embedded.english import LANGUAGE
from narraworld.extract.embedded.lexicon.language import speaking
from narraworld.extract.embedded.people.doubtful_names import rare_variants
from narraworld.extract.embedded.reader import read_prose
from narraworld.extract.embedded.writers.telling_ways import TellingWays
from narraworld.kb.units import Unit


def said(text: str) -> set[str]:
    """The propositions of a page that begin with Mara's own details."""
    graph = read_prose(Unit("page", 1, f"Mara came home. {text}")).delta.graph
    return {
        str(one).removeprefix("urn:nw:")
        for one in set(graph.subjects())
        if ":" in str(one).removeprefix("urn:nw:")
    }


@pytest.mark.parametrize(
    ("text", "proposition"),
    [
        ("Mara had bright green eyes.", "mara.eyes:green"),
        ("Mara was tall and had green eyes.", "mara.eyes:green"),
        ("Mara's eyes were brown.", "mara.eyes:brown"),
        ("Mara smiled, her green eyes narrow.", "mara.eyes:green"),
        ("Mara's long black hair was wet.", "mara.hair:black"),
        ("Mara was nineteen years old.", "mara.age:nineteen"),
        ("Nineteen-year-old Mara laughed.", None),
        ("Mara had three brothers.", "mara.brothers:three"),
        ("Mara could not swim.", "not.mara.ability:swim"),
        ("Mara was left-handed.", "mara.handedness:left-handed"),
        ("Mara's eyes were like green glass.", "mara.eyes:green"),
        ("In the dream Mara's eyes were green.", None),
        ("Mara would have green eyes.", None),
        ("“Mara has green eyes,” said Leo.", None),
        ("Mara met Ida, her green eyes narrow.", None),
    ],
)
def test_details(text: str, proposition: str | None) -> None:
    respects = ("eyes", "hair", "age", "brothers", "ability", "handedness")
    found = {one for one in said(text) if one.removeprefix("not.").split(":")[0].split(".")[-1] in respects}
    found -= {"mara.ability:swim"} if proposition and proposition.startswith("not.") else set()

    assert found == ({proposition} if proposition else set())


@pytest.mark.parametrize(
    ("text", "noun"),
    [("They met a student, Mara, who swam.", "student"), ("They met a girl called Mara.", "girl")],
)
def test_who_somebody_is_said_to_be_is_for_checks_of_names_and_no_state(text: str, noun: str) -> None:
    reading = read(text)
    [told] = records(reading, "Suspicion", "kind", "about", "name")

    assert (told.kind, told.about, told.name) == ("introduced", "mara", noun)
    assert not any("introduced" in said for said in states(reading))


def test_a_name_that_looks_like_a_slip() -> None:
    often = "Then Allan spoke. " * 21
    assert [(word, where.cut(f"{often}And so Alan left.")) for word, where in rare_variants(f"{often}And so Alan left.", ["Allan"])] == [("Alan", "Alan")]  # fmt: skip
    assert list(rare_variants(f"{often}And so Alan met Allan.", ["Allan"])) == []
    assert list(rare_variants(f"{often}Alan left.", ["Allan"])) == []
    assert list(rare_variants(f"{often}There was a student, Alan, who left.", ["Allan"])) == []


def test_a_way_of_telling_is_compiled_for_a_unit_only_where_a_sentence_has_its_words() -> None:
    with speaking(LANGUAGE):
        ways = TellingWays("Mara|Leo")
        told = [match["who"] for _, match in ways.in_sentence("Mara's eyes were brown and Leo slept.", 2)]
        assert told == ["Mara"]
        assert ways.compiled and all("eyes" in shape for shape in ways.compiled)
