"""Details by grammar: what is done to things and where they are, what people do for a living, and whose relatives they are."""

from __future__ import annotations

import pytest

from narraworld.extract.embedded.at_hand import Reading
from narraworld.extract.embedded.details.being import people_by_grammar
from narraworld.extract.embedded.details.masked import masked_sentences
from narraworld.extract.embedded.details.noun_phrases import details_by_grammar
from narraworld.extract.embedded.discourse import DiscourseState
from narraworld.extract.embedded.lexicon.trades import trades
from narraworld.extract.embedded.reader import read_prose, read_through
from narraworld.kb.roster import Roster
from narraworld.kb.units import Unit


def things(text: str) -> set[tuple[str, str]]:
    """The things a text tells of, each with the respect."""
    return {(one.thing, one.form.respect) for line in _lines(text) for one in details_by_grammar(line)}


def people(text: str) -> set[tuple[str, str]]:
    """What people are said to be, with the respect."""
    return {(one.value, one.form.respect) for line in _lines(text) for one in people_by_grammar(line)}


def _lines(text: str) -> list:  # type: ignore[type-arg]
    reading = Reading(Unit("ch01", 1, text), Roster(), DiscourseState(), "")
    read_through(reading)
    return list(masked_sentences(reading.text.text, reading.document, reading.trail))


@pytest.mark.parametrize(
    ("text", "thing", "respect"),
    [
        ("Ida sold the van.", "van", "possession"),
        ("Ida held her mother's brooch.", "brooch", "use"),
        ("Leo burned the letters.", "letter", "condition"),
        ("The chapel stood on the south bank.", "chapel", "location"),
        ("Carts rattled across the footbridge.", "footbridge", "use"),
        ("The camera over the counter hummed.", "camera", "location"),
        ("Ida took the brooch and dropped it into the well.", "brooch", "location"),
    ],
)
def test_a_thing_has_a_line_for_what_is_done_to_it_and_where_it_is(
    text: str, thing: str, respect: str
) -> None:
    assert (thing, respect) in things(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ida bought a van.",  # a new one: nothing to compare with
        "Leo shut the door.",  # one of many
        "Ida gave Leo her word.",  # nothing one could hold
        "Leo lifted his hand.",
    ],
)
def test_what_is_new_everywhere_or_no_thing_has_none(text: str) -> None:
    assert things(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "Ida wanted her mandolin.",
        "Ida took off her brother's ring.",
        "Ida ran out in her raincoat.",  # worn
        "Leo hung the lantern over the cradle.",  # the lantern is there
        "Leo said in the lorry that he knew.",
        "The lorry left.",
    ],
)
def test_a_thing_that_is_wanted_worn_or_only_there_is_put_to_no_use(text: str) -> None:
    assert not [thing for thing, respect in things(text) if respect == "use"]


@pytest.mark.parametrize("text", ["Ida took off her brother's ring.", "Leo carried the lantern."])
def test_a_thing_has_no_place_where_none_is_said(text: str) -> None:
    assert not [thing for thing, respect in things(text) if respect == "location"]


def test_what_something_is_done_with_is_used() -> None:
    assert ("lantern", "use") in things("Leo lit the stove with the lantern.")
    assert ("megaphone", "use") in things("Leo said it into the megaphone.")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Leo was our only locksmith.", "only locksmith"),
        ("He was thirty years a signalman.", "signalman"),
        ("Ida worked as a typist.", "typist"),
        ("Ida became a vet.", "vet"),
        ("Ida kept the pawnshop by the bridge.", "kept the pawnshop"),
    ],
)
def test_a_trade_is_told_in_many_ways(text: str, value: str) -> None:
    assert (value, "occupation") in people(text)


@pytest.mark.parametrize("text", ["Ida spoke to the locksmith.", "Leo asked her who was prime minister."])
def test_whoever_is_only_spoken_of_has_no_trade_by_it(text: str) -> None:
    assert people(text) == set()


def test_a_relative_by_name_can_be_compared_and_by_pronoun_is_listed() -> None:
    assert ("Ida's grandson", "kinship") in people("Leo was Ida's grandson.")
    assert ("her cousin", "relation") in people("Ida wrote to her cousin.")


def test_trades_come_from_the_dictionary_and_men_are_none() -> None:
    assert (
        trades().is_trade("ferryman") and trades().is_trade("head-gardener") and not trades().is_trade("man")
    )
    assert trades().is_workplace("ropewalk")


def test_a_garment_is_worn_by_whoever_handles_it() -> None:
    assert ("smoothed the black skirt", "clothing") in people("Ida smoothed the black skirt over her knees.")


def test_who_is_he_is_remembered_from_chapter_to_chapter() -> None:
    first = read_prose(Unit("ch01", 1, "Kell came in. He sat down. Kell opened his book."))
    known, stage = Roster(first.cast), DiscourseState().after(first.moves)
    assert stage.sexes == {"kell": "2 0"}
    again = read_prose(Unit("ch02", 2, "Kell slept."), known, stage=stage)
    assert DiscourseState().after(first.moves).after(again.moves).sexes == {"kell": "2 0"}
