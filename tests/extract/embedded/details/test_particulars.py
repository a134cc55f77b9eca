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
        ("Leo saw Ida at the door. Ida's eyes, pale blue and tired, were shut.", "ida.eyes:blue"),
        ("Ida pushed her brown hair out of her face.", "ida.hair:brown"),
        ("Ida wore her dark hair cropped like a recruit's.", "ida.hair:dark"),
        ("Ida had her grandmother's green eyes.", "ida.eyes:green"),
        ("Ida Brook, whose hair was red, laughed.", "ida-brook.hair:red"),
        ("Leo winced, dragging his left foot.", "leo.injury:dragging%20his%20left%20foot"),
        ("Leo, the baker's boy, had turned nine in March.", "leo.age:nine"),
        ("Ida was forty-one that spring.", "ida.age:forty-one"),
        ("Leo had been born in 1931, in the house by the mill.", "leo.birth:in%201931"),
        ("Ida was Vera's aunt, and let nobody forget it.", "ida.kinship:Vera%27s%20aunt"),
        ("Leo and Tom were brothers.", "leo.kinship:Tom%27s%20brother"),
        ("The fever took Ida before Christmas.", "ida.alive:dead"),
        ("Nobody had ever taught Leo to read.", "not.leo.ability:read"),
        ("Leo did not speak a word of French.", "not.leo.language:French"),
        ("Ida had not touched meat in years.", "ida.food:vegetarian"),
        ("Leo had taught geography at the school.", "leo.occupation:teacher"),
        ("Ida, a green-eyed woman, laughed.", "ida.eyes:green"),
        ("Leo came in and was as tall as the door.", "leo.height:tall"),
        ("Leo had not a hair on his head.", "leo.baldness:bald"),
        ("At forty-one, Leo was alone.", "leo.age:forty-one"),
        ("At five foot eleven Ida could see over them.", "ida.height:tall"),
        ("Ida had no brothers or sisters.", "ida.sisters:0"),
        ("Ida was the youngest of four sisters.", "ida.sisters:3"),
        ("Ida had never had a brother.", "ida.brothers:0"),
        ("Ida was Leo's sister.", "ida.kinship:Leo%27s%20sister"),
        ("Someone had murdered Leo.", "leo.alive:dead"),
        ("Leo was the village's only dentist.", "leo.occupation:dentist"),
        ("Leo came home and had never learned to swim.", "not.leo.ability:swim"),
        ("Ida had never driven a car.", "not.ida.ability:drive"),
        ("Ida couldn't eat eggs.", "ida.allergy:eggs"),
        ("Leo had given up smoking.", "leo.food:non-smoker"),
        ("Ida's flat was on the third floor.", "ida.floor:on%20the%20third%20floor"),
        ("Ida lived at 14 Mill Lane.", "ida.address:14%20Mill%20Lane"),
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
        ("Ida came. Ida opened the paper and read it to us.", ("ability", "read", "ida", "low")),
        ("Ida came. Ida's brother rang.", ("kinship", "at least one brother", "ida", "low")),
        ("It was eleven miles from Thorn to the mill.", ("distance", "eleven miles", "mill – thorn", "low")),
        ("The mill was three miles from Thorn.", ("distance", "three miles", "mill – thorn", "low")),
        ("The ferry took forty minutes.", ("duration", "forty minutes", "ferry", "low")),
        ("The house had four bedrooms.", ("quantity", "four bedrooms", "bedroom", "low")),
        ("The blue jug was in a dozen pieces.", ("condition", "broken", "blue jug", "low")),
        ("They crossed the old bridge at dusk.", ("condition", "working", "old bridge", "low")),
        ("The bridge had been shut since April.", ("condition", "broken", "bridge", "low")),
        ("The council had cut off the telephone.", ("condition", "broken", "phone", "low")),
        ("Ida took the lift down to the hall.", ("condition", "working", "lift", "low")),
        ("It hadn't rained since Wednesday.", ("weather", "rainless", "?", "low")),
        ("The sea was like glass.", ("weather", "calm", "?", "low")),
        ("Leo tuned pianos for forty years.", ("occupation", "tuned pianos", "leo", "low")),
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
        "Ida came in. Ida was dead on her feet.",
        "Ida told Vera to wash her green eyes.",
    ],
)
def test_what_is_supposed_denied_or_a_figure_is_no_fact(text: str) -> None:
    _, states = told(text)

    assert not any("eyes" in one or "handedness" in one or "alive:dead" in one for one in states)


@pytest.mark.parametrize(
    ("text", "ages"),
    [
        ("When Clara was sixteen, she broke the mirror.", set()),
        ("Clara slept badly until she was eleven.", set()),
        ("Tom met Clara when she was sixteen. Clara was forty.", {"clara.age:forty"}),
        ("Her father left when Clara was nine years old.", set()),
        ("Clara had been nine when the war began.", set()),
        ("At sixteen Clara swam the lake.", set()),
        ("At seventy Clara still swam the lake.", {"clara.age:seventy"}),
        ("Clara was forty when the bell rang.", {"clara.age:forty"}),
    ],
)
def test_an_age_of_another_time_is_not_the_age_now(text: str, ages: set[str]) -> None:
    _, states = told(text)

    assert {one for one in states if ".age:" in one} == ages


def test_the_good_ear_names_the_bad_one() -> None:
    _, states = told("Leo sat down. Ida spoke into Leo's right ear, the good one.")

    assert any(one.startswith("leo.injury:left") for one in states)


def test_a_church_clock_is_not_the_clock() -> None:
    details, _ = told("The clock had stopped at ten. The church clock was striking two.")

    assert {thing for respect, _, thing, _ in details if respect == "condition"} == {"clock", "church clock"}


def rules(text: str) -> set[str]:
    """What a text says is always, never or only done."""
    graph = read_prose(Unit("ch01", 1, text)).delta.graph
    of = {
        str(one)
        for one, name, value in graph
        if str(name).endswith("/respect") and str(value).endswith("obligation")
    }
    return {str(value) for one, name, value in graph if str(one) in of and str(name).endswith("/value")}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ida never drank from the blue cup.", {"never drank from the blue cup"}),
        ("Leo was told never to open the sluice.", {"never to open the sluice"}),
        ("Ida had never seen a lighthouse.", set()),  # no rule
        ("Leo never heard the bell.", set()),
        ("There was no one in the boat.", set()),
    ],
)
def test_what_never_happened_is_no_rule(text: str, found: set[str]) -> None:
    assert rules(text) == found
