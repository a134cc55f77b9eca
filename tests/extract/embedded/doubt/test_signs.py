"""What is seen of how a record came about: by its writer, its clause, its people."""

from __future__ import annotations

import pytest

from narraworld.extract.embedded.at_hand import Reading
from narraworld.extract.embedded.discourse import DiscourseState
from narraworld.extract.embedded.doubt.clause_signs import kind_of, of_clause, of_sentence, sort_of
from narraworld.extract.embedded.doubt.people_signs import of_somebody
from narraworld.extract.embedded.doubt.signs import signs_of
from narraworld.extract.embedded.doubt.surroundings import Standing, Surroundings, size
from narraworld.extract.embedded.ledger import Ledger, LedgerEntry
from narraworld.extract.embedded.reader import read_through
from narraworld.extract.embedded.sentence import SentenceState
from narraworld.kb.roster import Roster
from narraworld.kb.spans import TextRange
from narraworld.kb.units import Unit

TEXT = "Mara opened the blue box, and she took a key. Leo was asleep. He was twelve years old."


@pytest.fixture(scope="module")
def reading() -> Reading:
    found = Reading(Unit("ch01", 1, TEXT), Roster(), DiscourseState(), "")
    read_through(found)
    return found


def entry(reading: Reading, sort: str, /, **fields: object) -> LedgerEntry:
    """The first record of the class with these fields."""
    rows = reading.unit.held.ledger.entries
    return next(one for one in rows if one.kind == sort and fields.items() <= dict(one.fields).items())


def seen(reading: Reading, sort: str, /, **fields: object) -> set[str]:
    return signs_of(entry(reading, sort, **fields), Surroundings.of(reading.document, reading.unit))


def test_a_deed_by_its_writer_its_verb_and_its_people(reading: Reading) -> None:
    signs = seen(reading, "Event", kind="take")
    assert {"by=read_deed", "verb=take", "hangs=conj", "commas=1", "clauses=2", "realis=actual"} <= signs
    assert {
        "agent called=she",
        "agent is=character",
        "agent others since=0",
        "agent called in sentence=True",
    } <= signs
    assert {"patient called=NN", "patient dressed=a NN"} <= signs


def test_a_state_by_what_it_says(reading: Reading) -> None:
    rows = [
        one
        for one in reading.unit.held.ledger.entries
        if one.kind == "State" and one.fields["proposition"].predicate == "age"
    ]
    signs = signs_of(rows[0], Surroundings.of(reading.document, reading.unit))
    assert {"says=age", "says=age then=False", "value=twelve", "of is=character"} <= signs


def test_a_detail_by_its_words(reading: Reading) -> None:
    signs = seen(reading, "Detail", respect="colour")
    assert {"respect=colour", "begins=blue", "thing=box", "of=name"} <= signs


def test_a_clause_and_its_sentence(reading: Reading) -> None:
    around = Surroundings.of(reading.document, reading.unit)
    here = Standing.of(entry(reading, "Event", kind="open"), around)
    assert here.clause is not None and here.clause.verb == "open"
    assert {"verb=open", "subject=name", "object is=thing"} <= set(of_clause(here.clause, here.words))
    assert {"clauses=2", "commas=1"} <= set(of_sentence(here))
    assert [(sort_of(word), kind_of(word)) for word in here.words[:1]] == [("name", "name")]


def test_somebody_whom_nobody_knows(reading: Reading) -> None:
    here = Standing.of(entry(reading, "Event", kind="open"), Surroundings.of(reading.document, reading.unit))
    assert list(of_somebody("nobody", here)) == ["unknown"]


def test_a_ledger_keeps_who_wrote() -> None:
    ledger, sentence = Ledger(by="read_state"), SentenceState()
    ledger.enter("ch01/state-1", "State", {}, TextRange(0, 3), sentence)
    assert ledger.entries == [
        LedgerEntry("ch01/state-1", "State", {}, (TextRange(0, 3),), "read_state", "", sentence)
    ]


@pytest.mark.parametrize(("number", "step"), [(0, 0), (7, 1), (12, 3)])
def test_a_number_by_its_step(number: int, step: int) -> None:
    assert size(number, 7, 9, 11) == step
