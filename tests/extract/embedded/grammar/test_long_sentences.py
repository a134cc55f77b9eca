"""Sentences as novels build them: whose a participle or an infinitive is, what is only feared or asked, what is speech."""

from __future__ import annotations

import pytest
from rdflib import RDF
from reading_aloud import deeds, read, records, states

from narraworld.ontology.vocabulary import compact


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("Mara came by the coach, which was called the Swallow and was used by farmers.",
                     "farmers use coach", id="passive by its auxiliary"),
        pytest.param("Leo went in, followed by Tom.", "tom follow leo", id="followed by"),
        pytest.param("Leo was caught and hanged by Tom.", "tom hang leo", id="caught and hanged"),
        pytest.param("Mara forced Leo to open the box.", "leo open box (hypothetical)", id="forced him to open"),
        pytest.param("Mara sent her brother to fetch the lamp.", "brother fetch lamp (hypothetical)", id="sent him to fetch"),
        pytest.param("Leo took up the pen to write.", "leo write - (hypothetical)", id="the pen does not write"),
        pytest.param("Leo saw Mara coming.", "mara come -", id="saw her coming"),
        pytest.param("Mara walked as though she had seen a wolf.", "mara see wolf (hypothetical)", id="as though"),
        pytest.param("Leo used to sit and watch Mara.", "leo watch mara (habitual)", id="used to"),
        pytest.param("Tom opened the box instead of going home.", "tom go - (negated)", id="instead of"),
        pytest.param("Leo could see Mara if he climbed the hill.", "leo see mara (hypothetical)", id="could if"),
        pytest.param("Leo might sit there, watching Mara.", "leo watch mara (hypothetical)", id="might, with a participle"),
        pytest.param("Had Leo opened the box?", "leo open box (hypothetical)", id="a question"),
        pytest.param("It turned out that Leo had burned the letter.", "leo burn letter", id="vouched for"),
        pytest.param("It was true that Leo had burned the letter.", "leo burn letter", id="it was true"),
        pytest.param("Leo escorted Mara.", "leo escort mara", id="the verb itself"),
        pytest.param("Leo showed Mara the ring that Tom had bought, laughing.", "tom laugh -", id="no ring laughs"),
    ],
)  # fmt: skip
def test_whose_deed_it_is(text: str, told: str) -> None:
    assert told in deeds(text)


def test_a_participle_behind_two_people_stays_open() -> None:
    text = "Leo thought that Mara had seen him, and walked on, humming a tune."
    assert not {one for one in deeds(text) if "hum" in one}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Mara felt the danger of paying Leo too much.", id="only named"),
        pytest.param("Mara feared that Leo had burned the letter.", id="feared"),
        pytest.param("It was said that Leo had burned the letter.", id="it was said"),
        pytest.param("There was no proof that Leo had burned the letter.", id="no proof that"),
    ],
)
def test_what_nobody_vouches_for_is_not_told_as_done(text: str) -> None:
    assert not {one for one in deeds(text) if one.startswith("leo") or " leo" in one}
    assert not states(read(text))


def test_who_is_on_the_way_is_not_there() -> None:
    text = "Leo was going to the village."
    assert deeds(text) == {"leo go -"} and not states(read(text))


@pytest.mark.parametrize(
    ("text", "nobody"),
    [
        pytest.param("Miss Grey's eyes were turned to the window.", {"miss"}, id="a title"),
        pytest.param("Everyone stood up when Leo came in.", {"everyone"}, id="everyone"),
        pytest.param("Leo went down the long corridor to the yard.", {"long-corridor-to"}, id="corridor"),
        pytest.param("Mara gave Leo a hint.", {"hint"}, id="a deed that a verb names as well"),
        pytest.param(
            "Mara bit her lip and felt a sudden terror.", {"lip", "sudden-terror"}, id="a part, a feeling"
        ),
        pytest.param("Every sister except Mara went to the barn.", {"sister"}, id="every one of them"),
        pytest.param("Leo watched the flickering of the lamp.", {"flickering"}, id="a going-on"),
        pytest.param("Leo found Mara asleep in the barn.", {"asleep"}, id="how somebody is"),
    ],
)
def test_what_stands_for_nobody_is_no_entity(text: str, nobody: set[str]) -> None:
    graph = read(text).delta.graph
    assert not nobody & {compact(str(node)) for node in graph.subjects(RDF.type, None)}


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        pytest.param("Mara saw an oarsman.", "Character", "oarsman", id="one who ends like a man"),
        pytest.param("Mara saw the specialist.", "Character", "specialist", id="a specialist"),
        pytest.param(
            "The rain kept Mara at home.", "Object", "rain", id="the weather does things and is nobody"
        ),
        pytest.param("Mara took the painting.", "Object", "painting", id="a thing that ends like a going-on"),
    ],
)
def test_a_noun_has_its_kind(text: str, kind: str, expected: str) -> None:
    assert expected in {one.id for one in records(read(text), kind, "name")}


@pytest.mark.parametrize(
    ("text", "speeches"),
    [
        pytest.param("Leo lay on the floor.", 0, id="lay"),
        pytest.param("Leo lied to Mara.", 1, id="lied"),
        pytest.param("Mara cried again.", 0, id="wept"),
        pytest.param("Mara observed Leo.", 0, id="watched"),
        pytest.param("Mara remarked that Leo was tired.", 1, id="said it"),
    ],
)
def test_what_is_speech(text: str, speeches: int) -> None:
    assert len(records(read(text), "Speech", "speaker")) == speeches


def test_whoever_may_be_meant_by_either_is_not_addressed() -> None:
    text = 'Leo met Mara and Tom.\n\n"Come in," said Mara.\n\n"Well," said Leo.\n\n"Sit," said Tom.'
    said = records(read(text), "Speech", "speaker", "addressee")
    assert [one.speaker for one in said] == ["mara", "tom"]
