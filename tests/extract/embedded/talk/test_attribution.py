"""A tag with a name decides; everything else is weighed over the whole conversation."""

from __future__ import annotations

from parses import tokens

from narraworld.extract.embedded.layout.quotations import Quotation
from narraworld.extract.embedded.people.cast import UnitCast, gather
from narraworld.extract.embedded.talk.attribution import Scenery, SpeechTurn, attribute
from narraworld.extract.embedded.talk.speech_tags import Tag, tag_after
from narraworld.extract.embedded.talk.vocatives import Vocatives
from narraworld.kb.spans import TextRange

NAMES = ("Mara", "Leo")


def turn(paragraph: int, tag: Tag | None = None, called: tuple[str, ...] = ()) -> SpeechTurn:
    where = TextRange(10 * paragraph, 10 * paragraph + 5)
    return SpeechTurn([Quotation(where, where, paragraph)], tag, [], Vocatives(called), paragraph)


def solved(*turns: SpeechTurn) -> list[tuple[str, list[str]]]:
    people: UnitCast = gather([tokens("Mara met Leo.", *NAMES)])
    persons = [person for name in NAMES if (person := people.called(name))]
    attribute(turns, people, Scenery({0: persons}, {}), None)
    return [(one.speaker.main if one.speaker else "-", [to.main for to in one.addressees]) for one in turns]


def test_turns_alternate_from_the_one_that_is_tagged() -> None:
    said = tag_after(tokens("said Mara.", *NAMES))
    assert solved(turn(1, said), turn(2), turn(3)) == [
        ("Mara", ["Leo"]),
        ("Leo", ["Mara"]),
        ("Mara", ["Leo"]),
    ]


def test_nobody_calls_himself() -> None:
    assert solved(turn(1, called=("Leo",)), turn(2)) == [("Mara", ["Leo"]), ("Leo", ["Mara"])]
