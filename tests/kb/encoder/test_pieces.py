"""Rows of word pieces for the encoder: texts one after the other, cut where they are too long, the one looked at told apart."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from narraworld.kb.encoder.pieces import END, START, joined, on_answers, on_moves
from narraworld.kb.encoder.readings import move_rows


def test_a_question_a_sentence_and_the_one_before_are_one_row() -> None:
    row = on_answers("Who came?", "Ida came.", "It rained.")

    assert row.ids[0] == START and row.ids.count(END) == 3
    assert [row.looked_at[nth] for nth in row.characters] == [1, 1, 1]  # Ida, came and the full stop
    assert [row.characters[nth] for nth in sorted(row.characters)] == [(0, 3), (4, 8), (8, 9)]


def test_what_stands_before_is_cut_at_its_beginning_what_is_looked_at_at_its_end() -> None:
    row = joined([("one two three four", -2, False), ("five six seven", 2, True)])
    plain = joined([("three four", 9, False), ("five six", 9, True)])

    assert row.ids == plain.ids


def test_a_line_of_talk_says_how_long_its_speaker_was_silent_and_will_be() -> None:
    script = [("Ada", "Hello."), ("Bo", "Hello."), ("Ada", "I am off."), ("Bo", "Bye.")]

    opening, _, going, _ = move_rows(script)

    assert opening == on_moves("Ada, first 2 3: Hello.", "", "Bo: Hello.")
    assert going == on_moves("Ada, 2 last 1: I am off.", "Bo: Hello.", "Bo: Bye.")


@given(st.lists(st.tuples(st.text(max_size=80), st.integers(1, 9), st.booleans()), min_size=1, max_size=4))
def test_no_text_takes_more_pieces_than_it_may(parts: list[tuple[str, int, bool]]) -> None:
    row = joined(parts)

    assert len(row.ids) == len(row.looked_at) <= 1 + sum(most + 1 for _, most, _ in parts)
    assert all(row.looked_at[nth] for nth in row.characters)
