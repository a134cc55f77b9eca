"""Introductions, details and speeches, from the writers themselves."""

from __future__ import annotations

from hand_made import begin, meet, told, unit_state
from parses import tokens

from narraworld.extract.embedded.coverage import Coverage
from narraworld.extract.embedded.grammar.appositions import without_asides
from narraworld.extract.embedded.layout.document import lines_of
from narraworld.extract.embedded.people.cast import gather
from narraworld.extract.embedded.talk.dialogue import dialogue_of
from narraworld.extract.embedded.writers.attendance import Attendance
from narraworld.extract.embedded.writers.details import write_details
from narraworld.extract.embedded.writers.introductions import introduce, names_somebody
from narraworld.extract.embedded.writers.speeches import Speeches


def test_somebody_already_met_gets_a_name() -> None:
    unit = unit_state("The crow was called Mab.", crow="object")
    [clause] = begin(unit, "The crow was called Mab.")
    assert names_somebody(unit, clause)
    assert (unit.company.figures["crow"].names[0], unit.kind("crow")) == ("Mab", "character")


def test_his_daughter_is_kin() -> None:
    text = "Leo met Mara, his daughter, there."
    unit = unit_state(text, leo="character", mara="character")
    unit.sentence.subjects = {"leo"}
    introduce(unit, without_asides(tokens(text, "Leo", "Mara"))[1])
    assert {said for (said,) in told(unit, "State", "proposition")} == {
        "mara.kinship.leo", "mara.daughter-of.leo", "leo.father-of.mara",
    }  # fmt: skip


def test_eyes_are_a_detail() -> None:
    unit = unit_state("Mara had green eyes.")
    meet(unit, "mara", "character")
    write_details(unit)
    assert told(unit, "State", "proposition") == [("mara.eyes:green",)]


def test_a_turn_is_a_speech_with_its_claims() -> None:
    text = "“The key is in the drawer,” said Mara to Leo."
    unit, lines = unit_state(text), lines_of(text)
    unit.company.people = gather(line.tokens for line in lines)
    speeches = Speeches(unit, dialogue_of(text, lines, unit.company.people), lines, Coverage())
    speeches.finish()
    assert told(unit, "Speech", "speaker", "addressee", "claim") == [("mara", "leo", "key.location.drawer")]


def test_who_is_there_in_a_script() -> None:
    text = "Mara: Hello, Leo.\nLeo: Hello, Mara.\nMara: I have to go now. Bye!\nLeo: Bye, Mara.\nLeo: She has gone."
    unit, lines = unit_state(text), lines_of(text)
    cast = gather((line.tokens for line in lines), (), lines.labels(text))
    talk = dialogue_of(text, lines, cast)
    here = Attendance(unit, talk.turns)
    mara = cast.called("Mara")
    assert mara is not None
    assert [here.there(nth, mara) for nth in range(5)] == [True, True, True, True, False]
