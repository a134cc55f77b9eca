"""Described, then named: each form of the table, what speaks against it, and whom the noun means before and after."""

from __future__ import annotations

import pytest

from narraworld.extract.embedded.at_hand import Reading
from narraworld.extract.embedded.before_telling import trail_through
from narraworld.extract.embedded.discourse import DiscourseState
from narraworld.extract.embedded.english import LANGUAGE
from narraworld.extract.embedded.lexicon.introducing_words import introducing_words
from narraworld.extract.embedded.lexicon.language import speaking
from narraworld.extract.embedded.people.introduced import introduced, join
from narraworld.extract.embedded.reader import read_prose, read_through
from narraworld.kb.roster import Known, Roster
from narraworld.kb.units import Unit

# What a text says, and the words that say who it is: one passage for every form.
SAID = {
    "The dentist, whose name was Farrant, hummed. Farrant had cold hands.": "dentist, whose name was Farrant",
    "The bride at the door, who was called Lotte, laughed. Lotte had lost a shoe.": "bride at the door, who was called Lotte",
    "The student they called Moth lived upstairs. Moth was out.": "student they called Moth",
    "The porter whom we all knew as Tull was late. Tull had a limp.": "porter whom we all knew as Tull",
    "The painter, who went by Zora, left early. Zora was ill.": "painter, who went by Zora",
    "A doctor by the name of Sorley signed it. Sorley had a bad pen.": "doctor by the name of Sorley",
    "A plumber called Osgood lived below. Osgood sang.": "A plumber called Osgood",
    "The plumber named Osgood went in. Osgood swore.": "plumber named Osgood",
    "The painter on the stairs, called Berit, sang. Berit was late.": "painter on the stairs, called Berit",
    "The plumber, a man called Osgood, lay under it. Osgood swore.": "plumber, a man called Osgood",
    "The baker was a widow named Elspeth. Elspeth rose at four.": "baker was a widow named Elspeth",
    "The painter at the till was called Shona. Shona yawned.": "painter at the till was called Shona",
    "The mechanic, Ivo by name, wiped his hands. Ivo shook his head.": "mechanic, Ivo by name",
    "The lodger, one Ambrose Pike, paid. Pike went out.": "lodger, one Ambrose Pike",
    "The inspector (Rudd, from the county) sat. Rudd used a pencil.": "inspector (Rudd",
    "The clerk introduced himself as Bowen. Bowen stamped the form.": "clerk introduced himself as Bowen",
    "The plumber gave his name as Osgood. Osgood went in.": "plumber gave his name as Osgood",
    "The plumber, Osgood, did not look round. Osgood was busy.": "The plumber, Osgood",
    "The nurse — Dilys, her badge said — took it away. Dilys came back.": "The nurse — Dilys",
    "At ten the surveyor came, a Mr. Quill. Mr. Quill sat.": "surveyor came, a Mr. Quill",
    "There was a porter on the night shift. Everyone called him Tull. Tull had a limp.": "porter on the night shift. Everyone called him Tull",
    "A boy opened the door. His name was Casper. Casper ate toast.": "boy opened the door. His name was Casper",
    "The barman — his name was Deke — nodded. Deke did not smile.": "barman — his name was Deke",
    "The vet arrived at six. This was Hanne. Hanne washed her arms.": "The vet arrived at six. This was Hanne",
    "“I'm Greta,” said the new cook. Greta sat.": "I'm Greta,” said the new cook",
    "“I'm Greta,” the new cook said. Greta sat.": "I'm Greta,” the new cook said",
    "The plumber held out a hand. “Call me Osgood,” he said. Osgood sat.": "The plumber held out a hand. “Call me Osgood,",
    "“Over here, Osgood!” The plumber looked up. Osgood sat.": "“Over here, Osgood!” The plumber looked up",
}  # fmt: skip


def found_in(text: str) -> list[tuple[str, str, float]]:
    """Each noun that means somebody named, the name, and how sure that is."""
    with speaking(LANGUAGE):
        links = introduced(text, trail_through(text))
    return [(one.noun.cut(text), one.person.main, round(one.certainty, 2)) for one in links.values()]


@pytest.mark.parametrize("text", SAID)
def test_each_form_finds_its_words(text: str) -> None:
    with speaking(LANGUAGE):
        links = introduced(text, trail_through(text))
    assert SAID[text] in [one.words.cut(text) for one in links.values()]


def test_no_form_is_without_a_passage() -> None:
    with speaking(LANGUAGE):
        assert sum(len(form.shapes) for form in introducing_words().forms) == len(SAID)


def test_a_name_told_before_makes_less_sure() -> None:
    text = "The vet arrived at six. This was Hanne. Hanne washed her arms."
    assert found_in(text) == [("vet", "Hanne", 0.7)]
    assert found_in(f"Hanne had telephoned. {text}") == []


def test_thieves_say_other_peoples_names() -> None:
    assert found_in("“I'm Greta,” said the cook. Greta sat.") == [("cook", "Greta", 0.75)]
    assert found_in("“I'm Greta,” said the thief. Greta sat.") == []


def test_a_man_is_no_woman() -> None:
    assert found_in("“I'm Miss Hale,” said the old man. Miss Hale sat.") == []


def test_a_surname_with_an_article_needs_a_title() -> None:
    assert found_in("The surveyor bought a dog, a Quill. Quill barked.") == []


def test_no_form_of_the_narration_holds_in_talk() -> None:
    assert found_in("“Thank the plumber, Osgood,” said Ann. Osgood nodded.") == []


@pytest.mark.parametrize(
    "text",
    [
        "When he saw the plumber, Osgood, still wet, ran. Osgood fell.",
        "To the plumber, Osgood, of all people, gave the key.",
        "The plumber called Osgood back. Osgood sat.",
        "The plumber named Osgood as the thief. Osgood wept.",
        "The plumber had a dog. His name was Osgood.",
    ],
)
def test_what_only_looks_like_it(text: str) -> None:
    assert found_in(text) == []


def people_of(text: str, roster: Roster | None = None) -> list[tuple[str, tuple[str, ...]]]:
    reading = read_prose(Unit("ch02", 2, text), roster or Roster())
    return [(one.id, one.names) for one in reading.cast if one.kind == "character"]


def test_the_noun_means_the_same_before_and_after() -> None:
    text = "A surveyor came in. The surveyor took the map. The surveyor, whose name was Quill, left the house. The surveyor slept."
    assert people_of(text) == [("surveyor", ("Quill", "surveyor"))]


def test_another_one_of_the_noun_stays_another() -> None:
    text = "An old surveyor left the house. A young surveyor, whose name was Quill, took the map."
    assert [id for id, _ in people_of(text)] == ["old-surveyor", "young-surveyor"]


def test_somebody_of_an_earlier_unit_gets_the_name() -> None:
    roster = Roster((Known("surveyor", "character", ("surveyor",)),))
    assert people_of("The surveyor, whose name was Quill, left the house.", roster) == [
        ("surveyor", ("Quill", "surveyor"))
    ]


def test_the_noun_and_pronouns_are_one_with_the_name() -> None:
    text = "The surveyor, whose name was Quill, sat down. He took the map."
    reading = Reading(Unit("ch01", 1, text), Roster(), DiscourseState(), "")
    read_through(reading)
    owners = reading.unit.owners
    assert {owners.at(text.index(word)).entity for word in ("surveyor", "Quill", "He")} == {"surveyor"}


def test_joining_tells_the_trail() -> None:
    text = "The surveyor, whose name was Quill, sat down."
    with speaking(LANGUAGE):
        trail = trail_through(text)
        noun = next(one for one in trail.mentions if one.sort == "noun")
    assert noun.known is not None and noun.known.main == "Quill" and callable(join)
