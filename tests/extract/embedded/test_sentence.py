"""A sentence begins with nothing found, whatever the one before had."""

from __future__ import annotations

from hand_made import begin, unit_state

from narraworld.extract.embedded.sentence import SentenceState


def test_the_next_sentence_is_a_fresh_one() -> None:
    unit = unit_state("Leo went to the mill.")
    [clause] = begin(unit, "Leo went to the mill.")
    unit.who(clause.subjects, 0)
    unit.sentence.events[0] = "ch01/event-0"
    assert unit.sentence.subjects == {"leo"}
    begin(unit, "Nobody came.")
    assert unit.sentence == SentenceState(unit.sentence.words)


def test_no_more_is_kept_of_a_sentence_than_six_things() -> None:
    fixed = {"words", "shown_before"}
    assert len(set(SentenceState.__slots__) - fixed) <= 6
