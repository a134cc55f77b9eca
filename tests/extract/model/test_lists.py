"""The lists that a model is shown: one word for a name where that tells it apart, deeds in few words, minds by numbers."""

from __future__ import annotations

from narraworld.extract.model import rendering as showing
from narraworld.extract.model.grounding import Grounding, GroundingContext, ground
from narraworld.extract.model.passage import NumberedText
from narraworld.extract.model.schema import (
    AttitudeItem,
    EntityItem,
    EventItem,
    PropositionItem,
    SpeechItem,
)

TEXT = (
    'Captain Oda Brandt gave the brass compass to Jory Pell. "It is broken," she told Jory. Jory did not believe her. '
    "Old Mrs. Pell saw it from the stairs."
)


def shown() -> Grounding:
    people = [("Captain Oda Brandt", "character"), ("brass compass", "object"), ("Jory Pell", "character")]
    people.append(("Old Mrs. Pell", "character"))
    items = {
        "entity": tuple(
            EntityItem(quote=name, number=n, is_a=kind, name=name)  # type: ignore[arg-type]
            for n, (name, kind) in enumerate(people, 1)
        ),
        "event": (
            EventItem(quote="Captain Oda Brandt gave the brass compass to Jory Pell", number=1, what="give", realis="actual", agent=[1], patient=[2], recipient=[3]),
            EventItem(quote='"It is broken," she told Jory', number=2, what="tell", realis="actual", is_speech=True, agent=[1], recipient=[3]),
            EventItem(quote="Old Mrs. Pell saw it", number=3, what="see", realis="actual", experiencer=[4]),
        ),
        "proposition": (PropositionItem(quote="It is broken", number=1, subject=2, predicate="condition", value="broken", truth="unstated"),),
        "speech": (SpeechItem(quote='"It is broken," she told Jory', event=2, speaker=1, addressees=[3], claims=[1], manner="lies"),),
        "attitude": (AttitudeItem(quote="Jory did not believe her", holder=3, proposition=1, attitude="disbelieves", since=2),),
    }  # fmt: skip
    reading = ground(GroundingContext("ch01", NumberedText(TEXT)), items)
    assert not reading.refused, [one.reason.message for one in reading.refused]
    return reading


def test_deeds_are_shown_in_few_words_and_people_by_one() -> None:
    assert showing.events(shown()).splitlines() == [
        "1. Oda give brass compass, to Jory",
        "2. Oda tell, to Jory (speech)",
        "3. Old Mrs. Pell see",
    ]


def test_minds_are_shown_by_the_numbers_of_propositions() -> None:
    assert showing.knowledge(shown()).splitlines() == ["Oda lies: 1", "Jory disbelieves: 1"]


def test_a_question_about_some_sentences_is_shown_what_they_tell() -> None:
    assert showing.events(shown(), {2}).splitlines() == ["2. Oda tell, to Jory (speech)"]
    assert showing.propositions(shown(), {1}) == "1. brass compass condition: broken, unstated"
    assert showing.propositions(shown(), set()) == ""
