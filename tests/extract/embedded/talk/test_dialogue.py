"""Who says it, to whom, and what it claims: little conversations."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import RDF, URIRef

from narraworld.extract.embedded.reader import ProseReading, read_prose
from narraworld.kb.units import Unit
from narraworld.ontology.validate import sift
from narraworld.ontology.vocabulary import NW, compact


def read(text: str) -> ProseReading:
    return read_prose(Unit("ch01", 1, text))


def speeches(reading: ProseReading) -> list[dict[str, list[str]]]:
    """Each speech in the order of the telling, as its properties."""
    graph = reading.delta.graph
    found = []
    for node in graph.subjects(URIRef(NW + "speaker")):
        if (node, RDF.type, URIRef(NW + "Detail")) in graph:
            continue
        said: dict[str, list[str]] = {}
        for name, value in graph.predicate_objects(node):
            said.setdefault(str(name).removeprefix(NW), []).append(compact(str(value)))
        start = min(
            int(str(graph.value(span, URIRef(NW + "start"))))
            for span in graph.objects(node, URIRef(NW + "evidence"))
        )
        found.append((start, {name: sorted(values) for name, values in said.items()}))
    return [said for _, said in sorted(found, key=lambda one: one[0])]


def speakers(text: str) -> list[str]:
    return [one["speaker"][0] for one in speeches(read(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param('"Come in," said Mara.', ["mara"], id="tag behind"),
        pytest.param('Mara turned and said, "Come in."', ["mara"], id="tag before"),
        pytest.param('Mara came in. "Good day," she said.', ["mara"], id="pronoun"),
        pytest.param('Mara looked up. "Come in."', ["mara"], id="action"),
        pytest.param(
            '"Come in," said Mara.\n\n"Thanks," said Leo.\n\n"Sit."\n\n"I will."',
            ["mara", "leo"] * 2,
            id="in turn",
        ),
        pytest.param(
            'Mara met Ida.\n\nThey stopped in front of Martha\'s.\n\n"Good day," said Mara.\n\n"Good day to you."',
            ["mara", "ida"],
            id="whoever only owns the house says nothing",
        ),
        pytest.param(
            "By May Abel lived in the big bed.\n\nOne night, when Tom had gone home, he knocked on the floor. "
            'I brought him the lamp.\n\n"Look at it." He moved the glass. "And here?"\n\nI knew it.\n\n'
            '"No one has that ink," said Abel.',
            ["abel", "abel"],
            id="nor does whoever had gone",
        ),
        pytest.param(
            'Mara met Leo and Tom. "Well, Leo?" said Mara.\n\n"Well."',
            ["mara", "leo"],
            id="who is called answers",
        ),
        pytest.param(
            '"Well, my dear," said Mara, when Leo had read the note aloud, "we shall go."',
            ["mara"],
            id="what somebody else does meanwhile is no tag",
        ),
        pytest.param(
            'Mara met Leo and Tom. Leo rose; then took his hat, and cried: "Come in."',
            ["leo"],
            id="behind a semicolon",
        ),
        pytest.param(
            'Mara took the lamp and the book, and said, "Come in."', ["mara"], id="a book says nothing"
        ),
        pytest.param(
            'Mara met Leo. "Come in," said Mara.\n\nAfter a long silence came this: "I will."\n\n"Good," said Mara.',
            ["mara", "leo", "mara"],
            id="a silence says nothing",
        ),
        pytest.param(
            'I saw Mara at the gate. I went to her. I was late. "Well?" said Mara.\n\n"Ask Tom."\n\n"Which Tom?" she said.',
            ["mara", "narrator", "mara"],
            id="the teller answers",
        ),
        pytest.param(
            'Mara met Leo. "He cried, \'Go!\'\n\n"And I went home," said Mara.\n\n"Did you?"',
            ["mara", "leo"],
            id="words within words close nothing",
        ),
        pytest.param(
            'Mr. Vane came in. "Tea?" asked his wife. Mrs. Vane smiled.', ["mrs-vane"], id="his wife"
        ),
        pytest.param(
            '"It rained.\n\n"It rained again," said Mara.', ["mara"], id="two paragraphs, one breath"
        ),
        pytest.param('Mara and Leo came in. "Come in," said the old miller.', ["old-miller"], id="a noun"),
        pytest.param('Vane smiled and said:--\n\n"Come in."', ["vane"], id="colon and dash"),
        pytest.param('Vane was met by Mara, who, taking his hat, cried, "Come in!"', ["mara"], id="who"),
        pytest.param(
            'In a low voice Mrs. Vane began the tale: "It rained."', ["mrs-vane"], id="name at the verb"
        ),
        pytest.param('Leo met Tom. "Where to?" he said suddenly to Leo.', ["tom"], id="never to oneself"),
        pytest.param(
            'Leo met Tom. "Come in," said Leo.\n\nThen he added:\n\n"Sit."', ["leo", "leo"], id="he added"
        ),
        pytest.param(
            'Mara met Leo. "Come in," said Mara.\n\n"I saw Tom, who is late."\n\n"Well."',
            ["mara", "leo", "mara"],
            id="told of, not called",
        ),
        pytest.param("Mara: Come in.\nLeo: Thanks.\nMara: Sit.", ["mara", "leo", "mara"], id="script"),
    ],
)
def test_the_speaker_is_found(text: str, expected: list[str]) -> None:
    assert speakers(text) == expected


def test_nobody_to_be_found_is_counted_as_unread() -> None:
    reading = read('"Come in."')
    assert speeches(reading) == [] and len(reading.coverage.unread) == 1


@pytest.mark.parametrize(
    ("text", "claims", "manner"),
    [
        pytest.param('"The key is in the drawer," said Mara.', ["key.location.drawer"], "asserts", id="told"),
        pytest.param(
            '"The key is not in the drawer," said Mara.', ["not.key.location.drawer"], "asserts", id="denied"
        ),
        pytest.param('"Are you afraid, Leo?" asked Mara.', ["leo.emotion:afraid"], "asks", id="asked"),
        pytest.param('"I am afraid," said Mara.', ["mara.emotion:afraid"], "asserts", id="of oneself"),
        pytest.param('"You are late, Leo," said Mara.', ["leo.condition:late"], "asserts", id="of the other"),
        pytest.param('"I promise to come," said Mara.', [], "promises", id="promised"),
        pytest.param('"The key might be in the drawer," said Mara.', [], "asserts", id="only possible"),
    ],
)
def test_what_is_said_is_a_claim_and_no_fact(text: str, claims: list[str], manner: str) -> None:
    reading = read(text)
    [said] = speeches(reading)
    assert (said.get("claim", []), said["manner"]) == (claims, [manner])
    assert list(reading.delta.graph.subjects(URIRef(NW + "truth"))) == []


def test_who_is_called_is_spoken_to() -> None:
    assert speeches(read('Leo came in. "Sit down, Leo," said Mara.'))[0]["addressee"] == ["leo"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            '"Come in," said Mara.\n\n"Where is my hat?" said Leo to himself.', [], id="who speaks to himself"
        ),
        pytest.param('"Come in," said Mara.\n\n"I am late," thought Leo.', [], id="who only thinks"),
        pytest.param('"Come in," said Mara.\n\n"I am late," said Leo.', ["mara"], id="who answers"),
        pytest.param(
            'Mara met Mr. Vane. "Come in," said Mr. Vane.\n\n"I am late," said Leo to her.',
            [],
            id="to her, where only a man has spoken",
        ),
    ],
)
def test_the_last_words_are_spoken_to(text: str, expected: list[str]) -> None:
    assert speeches(read(text))[-1].get("addressee", []) == expected


@pytest.mark.parametrize(
    "said",
    [
        pytest.param("This is my friend, Leo, before all others.", id="who is shown"),
        pytest.param("We had help, and Leo, before whom I sat, was kind.", id="who is told of"),
        pytest.param("My clerk--Leo--was ill.", id="who is put in between"),
        pytest.param("Leo--Mr. Vane--was ill.", id="whose name is put right"),
    ],
)
def test_who_is_only_spoken_of_is_not_spoken_to(said: str) -> None:
    text = f'Mara met Ida and Leo. "{said}" said Mara. "It rained." Ida nodded.'
    assert "leo" not in speeches(read(text))[0].get("addressee", [])


def test_the_teller_gets_the_name_that_others_call() -> None:
    text = (
        "I came in. I sat down. I saw that Vane was there.\n\n“You are late, Quill,” said Vane.\n\n“I know,” I said.\n\n"
        "“Sit down, Quill,” said Vane. I sat."
    )
    reading = read(text)
    teller = speakers(text)[1]
    assert {one.id: set(one.names) for one in reading.cast}[teller] == {"Quill", "the narrator"}


def test_the_tag_tells_the_narration_who_acts() -> None:
    reading = read('Mara and Leo came in. "Come in," said Leo, and he opened the door.')
    agents = {compact(str(one)) for one in reading.delta.graph.objects(None, URIRef(NW + "agent"))}
    assert agents == {"mara", "leo"}


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["“Come in,” said Mara.", "“No.”", "He left.", "“Leo!” she cried.", "I sat.", "\n\n"]
        ),
        max_size=7,
    )
)
def test_any_conversation_reads_without_a_refusal(pieces: list[str]) -> None:
    assert sift(read(" ".join(pieces)).delta.graph, {})[1] == []
