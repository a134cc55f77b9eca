"""Rows of word pieces for the encoder: texts one after the other, cut where they are too long, the one looked at told apart."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from narraworld.kb.encoder.pieces import END, START, joined, on_answers
from narraworld.kb.encoder.readings import (
    BESIDE,
    HEADING,
    LAST_WORDS,
    NEXT_WORDS,
    Silence,
    silence_row,
    silences,
)
from narraworld.kb.encoder.transformer import transformer


def test_a_question_a_sentence_and_the_one_before_are_one_row() -> None:
    row = on_answers("Who came?", "Ida came.", "It rained.")

    assert row.ids[0] == START and row.ids.count(END) == 3
    assert [row.looked_at[nth] for nth in row.characters] == [1, 1, 1]  # Ida, came and the full stop
    assert [row.characters[nth] for nth in sorted(row.characters)] == [(0, 3), (4, 8), (8, 9)]


def test_what_stands_before_is_cut_at_its_beginning_what_is_looked_at_at_its_end() -> None:
    row = joined([("one two three four", -2, False), ("five six seven", 2, True)])
    plain = joined([("three four", 9, False), ("five six", 9, True)])

    assert row.ids == plain.ids


SCRIPT = [
    (("Ada",), "Hello."), (("Bo",), "Hello."), (("Ada",), "I am off."), (("Bo",), "Bye."),
    (("Cy",), "Was that Ada?"), (("Bo",), "Yes."),
]  # fmt: skip


def test_everybody_is_silent_before_their_first_words_between_and_after_their_last() -> None:
    assert silences(SCRIPT) == [
        Silence("Ada", 0, 2), Silence("Ada", 2, None),
        Silence("Bo", None, 1), Silence("Bo", 1, 3), Silence("Bo", 3, 5), Silence("Cy", None, 4), Silence("Cy", 4, None),
    ]  # fmt: skip


def test_a_silence_is_laid_out_as_the_talk_goes_with_their_own_words_looked_at() -> None:
    row = silence_row(SCRIPT, Silence("Ada", 2, None))

    beside = [(words, BESIDE, False) for words in ("Bo: Bye.", "Cy: Was that Ada?", "Bo: Yes.")]
    before, own = ("Bo: Hello.", -BESIDE, False), ("I am off.", LAST_WORDS, True)
    assert row == joined([("Ada speaks no more", HEADING, False), before, own, *beside])


def test_of_a_long_silence_its_ends_are_shown_and_who_names_whoever_is_silent() -> None:
    lines = ["One.", "Two.", "Three.", "Where is Ada?", "Five.", "Six."]
    script = [
        (("Ada",), "Oh."),
        *[(("Bo",), words) for words in lines],
        (("Ada",), "Here."),
        (("Bo",), "Good."),
    ]

    row = silence_row(script, Silence("Ada", 0, 7))

    shown = ["Bo: One.", "Bo: Two.", "… Bo: Where is Ada?", "Bo: Five.", "Bo: Six."]
    beside = [(words, BESIDE, False) for words in shown]
    own, next_words = ("Oh.", LAST_WORDS, True), ("Here.", NEXT_WORDS, True)
    heading, reply = ("Ada is silent", HEADING, False), ("Bo: Good.", BESIDE, False)
    assert row == joined([heading, own, *beside, next_words, reply])


def test_no_row_is_longer_than_the_encoder_has_places_for() -> None:
    script = [((who,), "Ada " * 200) for who in ("Bo", "Ada", *["Bo"] * 9, "Ada", "Bo")]

    row = silence_row(script, Silence("Ada", 1, 11))

    assert len(row.ids) <= transformer().places


@given(st.lists(st.tuples(st.text(max_size=80), st.integers(1, 9), st.booleans()), min_size=1, max_size=4))
def test_no_text_takes_more_pieces_than_it_may(parts: list[tuple[str, int, bool]]) -> None:
    row = joined(parts)

    assert len(row.ids) == len(row.looked_at) <= 1 + sum(most + 1 for _, most, _ in parts)
    assert all(row.looked_at[nth] for nth in row.characters)
