"""Who somebody is, said beside the name: one person, not two; and whom `her father` means after that."""

from __future__ import annotations

import pytest
from reading_aloud import read, records, states, values

from narraworld.extract.embedded.discourse import DiscourseState
from narraworld.extract.embedded.grammar.appositions import without_asides
from narraworld.extract.embedded.grammar.parser import tokens_of
from narraworld.extract.embedded.layout.sentences import mark_names
from narraworld.extract.embedded.reader import ProseReading, read_prose
from narraworld.kb.roster import Roster
from narraworld.kb.units import Unit


def people(reading: ProseReading) -> set[str]:
    return {one.id for one in records(reading, "Character", "name")}


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        pytest.param("Only Ruth Hale, his daughter, had seen it.", "Only Ruth Hale had seen it .", id="behind"),
        pytest.param("Her husband, Daniel, was reading.", "Daniel was reading .", id="before"),
        pytest.param("Then they met Nora's old mother, Mrs. Pell.", "Then they met Mrs. Pell .", id="somebody's, at the end"),
        pytest.param("Then his best friend Kim laughed.", "Then Kim laughed .", id="without commas"),
        pytest.param("My cousin Edgar came home.", "Edgar came home .", id="a title in small letters"),
        pytest.param("The informant, a thin man called Lutz, waited.", "Lutz waited .", id="one within another"),
        pytest.param("His daughters, Carla and Lucia, sat down.", "Carla and Lucia sat down .", id="two of them"),
        pytest.param("Then Ben, a boy of nine, hid it.", "Then Ben hid it .", id="with its age"),
        pytest.param("Mr. Dunn, a small man with thin grey hair, sang.", "Mr. Dunn sang .", id="with his looks"),
        pytest.param("He saw his brother, Tom, who was ill.", "He saw Tom , who was ill .", id="before a clause"),
        pytest.param("Tom, the driver, and Ann came.", "Tom , the driver , and Ann came .", id="a row"),
        pytest.param("When he saw the captain, Tom ran.", "When he saw the captain , Tom ran .", id="two clauses"),
        pytest.param("The nurse called Dilys back.", "The nurse called Dilys back .", id="a deed"),
        pytest.param("The red door, Carrow, fell.", "The red door , Carrow , fell .", id="nobody"),
    ],
)  # fmt: skip
def test_what_is_said_beside_a_name_is_taken_out(sentence: str, kept: str) -> None:
    [tokens] = mark_names([tokens_of(sentence, 0)])
    assert " ".join(token.text for token in without_asides(tokens)[0]) == kept


@pytest.mark.parametrize(
    ("text", "who", "expected"),
    [
        pytest.param(
            "Captain Hale waited. Ruth Hale, his daughter, slept.", {"captain-hale", "ruth-hale"},
            {"ruth-hale.kinship.captain-hale", "ruth-hale.daughter-of.captain-hale", "captain-hale.father-of.ruth-hale"}, id="his daughter",
        ),
        pytest.param("Leo met the guide, Tenzin. The guide laughed.", {"leo", "tenzin"}, set(), id="the guide"),
        pytest.param("Lily called her sister, Rose.", {"lily", "rose"},
                     {"rose.kinship.lily", "rose.sister-of.lily", "lily.sister-of.rose"}, id="of whoever acts"),
        pytest.param("A crow sat there. The crow was called Mab. Mab laughed.", {"crow"}, set(), id="was called"),
        pytest.param("Tan met an old man. His name was Doctor Obi. Obi laughed.", {"tan", "old-man"}, set(), id="his name"),
        pytest.param("Tan sat. A young man came in. Tan fed the young man. His name was Obi.", {"tan", "young-man"}, set(), id="of the nameless"),
        pytest.param("Mr. Tan sat down. His real name was Obi. Obi laughed.", {"mr-tan"}, set(), id="his real name"),
        pytest.param("Captain Ferreira laughed. Tan waited. The captain slept.", {"captain-ferreira", "tan"}, set(), id="by title"),
    ],
)  # fmt: skip
def test_one_person_by_name_and_by_noun(text: str, who: set[str], expected: set[str]) -> None:
    reading = read(text)
    assert people(reading) == who
    assert states(reading) == expected


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        pytest.param("Captain Hale waited. Ruth Hale, his daughter, slept. Her father opened the chest.", "captain-hale", id="father"),
        pytest.param("Nora laughed. Her husband, Daniel, slept. Nora's husband opened the chest.", "daniel", id="by name"),
        pytest.param("Lily called her sister, Rose. Her sister opened the chest.", "rose", id="sister"),
        pytest.param("Lily called her sister, Rose. Ida laughed. Her sister opened the chest.", "sister", id="another's sister"),
    ],
)  # fmt: skip
def test_whom_a_relative_is(text: str, agents: str) -> None:
    opened = [one for one in records(read(text), "Event", "kind", "agent") if one.kind == "open"]
    assert [one.agent for one in opened] == [agents]


def test_a_relative_is_known_in_the_next_unit_too() -> None:
    first = read("Captain Hale waited. Ruth Hale, his daughter, slept.")
    later = Unit("ch02", 2, "Ruth Hale laughed. Her father opened the chest.")
    second = read_prose(later, Roster().plus(first.cast), stage=DiscourseState().after(first.moves))
    assert values(second, "agent") == ["captain-hale", "ruth-hale"]
