"""Details step by step: the table, sentences without their people, what is found, whose it is, what is written, and names."""

from __future__ import annotations

import pytest
from hand_made import told

from narraworld.extract.embedded.at_hand import Reading
from narraworld.extract.embedded.details import fitting_forms
from narraworld.extract.embedded.details.finding import FoundDetail, details_in
from narraworld.extract.embedded.details.masked import MaskedSentence, masked_sentences
from narraworld.extract.embedded.details.naming import write_names
from narraworld.extract.embedded.details.owning import LIKELY, SURE, Belonging, belonging
from narraworld.extract.embedded.details.table import detail_forms, pattern_of
from narraworld.extract.embedded.details.writing import write_particulars
from narraworld.extract.embedded.discourse import DiscourseState
from narraworld.extract.embedded.reader import read_through
from narraworld.kb.roster import Roster
from narraworld.kb.units import Unit

GREY = "Leo saw Ida at the door. Ida's grey eyes were tired."
SWIM = "Ida came. “I can't swim,” said Ida."


def read(text: str) -> Reading:
    reading = Reading(Unit("ch01", 1, text), Roster(), DiscourseState(), "")
    read_through(reading)
    return reading


def masked(reading: Reading) -> list[MaskedSentence]:
    return list(masked_sentences(reading.text.text, reading.document, reading.trail))


def found(reading: Reading, respect: str) -> tuple[MaskedSentence, FoundDetail]:
    """The only detail in this respect, with its sentence."""
    [one] = [
        (sentence, detail)
        for sentence in masked(reading)
        for detail in details_in(sentence, detail_forms())
        if detail.form.respect == respect
    ]
    return one


def test_every_form_of_the_table_has_a_cue_and_a_pattern() -> None:
    assert [one.respect for one in detail_forms().forms if not (one.cues and one.shapes)] == []
    assert detail_forms().sides == {"left": "right", "right": "left"}


def test_only_forms_whose_words_are_there_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = list[str]()
    monkeypatch.setattr(fitting_forms, "pattern_of", lambda shape: tried.append(shape) or pattern_of(shape))
    found(read(GREY), "eyes")
    assert tried and all("eyes" in shape for shape in tried)


def test_people_are_masked_letter_by_letter() -> None:
    first, second = masked(read(GREY))
    assert (first.masked, second.masked) == ("¤¤¤ saw ¤¤¤ at the door.", "¤¤¤'s grey eyes were tired.")
    assert (first.where.cut(GREY), first.said) == (first.text, False)


def test_a_detail_is_found_with_the_words_that_say_it() -> None:
    _, detail = found(read(GREY), "eyes")
    assert (detail.value, detail.quote.cut(GREY), detail.doubtful) == ("grey eyes", "grey eyes", False)


@pytest.mark.parametrize(("text", "respect", "sure"), [(GREY, "eyes", SURE), (SWIM, "ability", LIKELY)])
def test_told_it_is_surer_whose_it_is_than_said(text: str, respect: str, sure: str) -> None:
    reading = read(text)
    sentence, detail = found(reading, respect)
    assert belonging(detail, sentence, (), reading.unit.owners, detail_forms()) == Belonging("ida", sure)


def test_what_a_state_says_already_is_a_line_of_the_sheet() -> None:
    reading = read(GREY)
    before = told(reading.unit, "State", "proposition")
    write_particulars(reading.unit, reading.document)
    assert told(reading.unit, "State", "proposition") == before
    assert ("eyes", "grey eyes", "listed") in told(reading.unit, "Detail", "respect", "value", "basis")


def test_a_full_name_is_listed_once() -> None:
    reading = read("Ida Marsh came in. Ida Marsh sat down.")
    before = told(reading.unit, "Detail", "value").count(("Ida Marsh",))
    write_names(reading.unit, reading.document)
    assert (before, told(reading.unit, "Detail", "value").count(("Ida Marsh",))) == (1, 2)
