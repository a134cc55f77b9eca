"""Quotes and the characters they stand on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narraworld.extract.model.guards import unsupported_words
from narraworld.extract.model.passage import NumberedText, nearest_words, stands, tie
from narraworld.extract.model.prompts.cue_words import ENGLISH, GuardWords
from narraworld.kb.spans import NotLocated, TextRange, locate

TEXT = "The key lay on the sill. A monkey took the key.\nThen the monkey dropped the key, and the key broke."
PASSAGE = NumberedText(TEXT)


@pytest.mark.parametrize(
    ("quote", "sentence", "previous", "start"),
    [
        ("lay on the sill", None, None, 8),
        ("took the\n key", None, None, 34),
        ("the key", None, None, 39),
        ("the key", 3, None, 72),
        ("the key", 99, None, 39),
        ("the key", 1, None, 39),
        ("the key", None, TextRange(50, 60), 72),
        ("the key", 2, TextRange(50, 60), 39),
        ("the key", None, TextRange(90, 95), 39),
        ("key", 2, None, 43),
        ("[2] A monkey took", None, None, 25),
        ("sill. [2] A monkey", None, None, 19),
    ],
    ids=[
        "once", "line-break", "first", "by-sentence", "no-such-sentence", "not-in-that-sentence", "behind-the-previous",
        "sentence-wins", "nothing-behind", "whole-words-only", "our-mark-copied", "our-mark-inside",
    ],
)  # fmt: skip
def test_where_a_quote_stands(
    quote: str, sentence: int | None, previous: TextRange | None, start: int
) -> None:
    where = tie(PASSAGE, quote, sentence, previous)
    assert isinstance(where, TextRange)
    assert where.start == start


@pytest.mark.parametrize(
    ("quote", "why"),
    [
        ("the kay", "the quote is not in the text"),
        ("The key lies on the sill", "the quote is not in the text"),
        ("the Key", "the quote is not in the text"),
        ("The key … broke", "the quote is not in the text"),
        ("on the si", "the quote begins or ends inside a word"),
        ("onkey", "the quote begins or ends inside a word"),
        ("", "the quote has no words"),
        (" .,! ", "the quote has no words"),
        ("key " * 10_000, "the quote is longer than the text"),
    ],
    ids=["letter", "tense", "case", "gap", "cut", "inside", "empty", "no-words", "huge"],
)
def test_what_is_no_evidence(quote: str, why: str) -> None:
    assert tie(PASSAGE, quote) == NotLocated(quote, why)


def test_a_hint_shows_the_nearest_sentence_and_is_never_evidence() -> None:
    assert nearest_words(PASSAGE, "the kay lay on the sill") == "The key lay on the sill."
    assert nearest_words(PASSAGE, "Zwölf Boxkämpfer jagen Viktor") is None
    assert nearest_words(PASSAGE, "the key " * 1000) is None


def test_names_stand_in_the_text_in_any_letter_case() -> None:
    assert stands(TEXT, "a Monkey")
    assert not stands(TEXT, "monk")


@given(
    st.text(alphabet="ab .\n“”", max_size=40), st.text(alphabet="ab .\n“”", max_size=6), st.integers(-1, 6)
)
def test_whatever_is_tied_is_found_by_the_strict_rule_too(text: str, quote: str, sentence: int) -> None:
    where = tie(NumberedText(text), quote, sentence)
    if isinstance(where, TextRange):
        assert where.cut(text).split() == quote.split()
        found = locate(text, where.cut(text))
        assert isinstance(found, TextRange) or "times in the text" in found.why


@given(st.text(alphabet='ab .!?\n*#“”"', max_size=80))
def test_sentences_and_scenes_lie_in_order_and_cover_every_word(text: str) -> None:
    passage = NumberedText(text)
    ends = 0
    for one in passage.sentences:
        assert ends <= one.start < one.end
        assert passage.scene_at(one.start) is not None
        ends = one.end
    assert "".join(one.cut(text) for one in passage.sentences).count("a") == text.count("a")


# ---- cue words


@pytest.mark.parametrize(
    ("words", "verb", "planned"),
    [
        ("Bram meant to sell the mill", "sell", True),
        ("Bram meant to sell the mill", "mean", False),
        ("she would never sell it", "sell", True),
        ("he tried to open the gate", "open", True),
        ("Bram sold the mill", "sell", False),
        ("Mara promised that she would come", "promise", False),
        ("He will come back", "come back", True),
    ],
)
def test_plans(words: str, verb: str, planned: bool) -> None:
    assert ENGLISH.plans(words, verb) is planned


@pytest.mark.parametrize(
    ("words", "causal"),
    [
        ("because the bell rang", True),
        ("so he ran", True),
        ("The noise made her turn", True),
        ("Then the cat left", False),
        ("After the bell rang, the cat left", False),
        ("when the bell rang", False),
    ],
)
def test_causes(words: str, causal: bool) -> None:
    assert ENGLISH.tells("causal", words) is causal


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("Otto did not know", True),
        ("Otto had no idea", True),
        ("unbeknownst to Otto", True),
        ("Nobody had told him", True),
        ("while Otto was away", False),
        ("Otto did not come", False),
        ("Otto slept", False),
    ],
)
def test_unawareness(words: str, told: bool) -> None:
    assert ENGLISH.tells_of_not_knowing(words) is told


def test_an_empty_table_switches_its_check_off() -> None:
    silent = GuardWords()
    assert not silent.plans("he will go", "go")
    assert silent.tells("causal", "then he went")
    assert silent.tells_of_not_knowing("he slept")
    assert not silent.is_pronoun("she")


@pytest.mark.parametrize(
    ("summary", "strange"),
    [
        ("The key breaks. Nobody minds.", []),
        ("The key breaks before Ada sees it.", ["Ada"]),
        ("Of 12 keys the monkey breaks one.", ["12"]),
        ("In the end the Monkey has it.", []),
    ],
)
def test_a_summary_names_nothing_its_source_does_not_have(summary: str, strange: list[str]) -> None:
    assert unsupported_words(summary, TEXT) == strange
