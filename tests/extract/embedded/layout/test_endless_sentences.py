"""Text that only looks like prose: what no person would write as one sentence is counted as not understood, and costs nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narraworld.extract.embedded.layout.document import SETTINGS
from narraworld.extract.embedded.lexicon.person_names import compare, form_of
from narraworld.extract.embedded.reader import lines_of, read_prose
from narraworld.kb.spans import TextRange
from narraworld.kb.units import Unit

FRAGMENTS = [
    '"', "“", "”", "'", "‘", "’", "(", "[", ")", "—", "–", "- ", ",", ", ", ".", ". ", "!?", ":", ";", "*", "#", "<", "&",
    "\n", "\n\n", " ", "\t", "word ", "Ann ", "Mr. ", "Ann's ", "I", "a-", "and ", "Ann and ", "that ", "Ann: hi\n",
    "he said, \"", "1 ", "twenty ", "Dear Ann,\n", "ANN\n", "INT. HALL\n\n", "字", "😀", "a\u0301",
]  # fmt: skip


@pytest.mark.parametrize("fragment", ['"', "“", "(", "—", ", ", "word ", "Ann ", "a"])
def test_a_sentence_without_end_is_not_understood(fragment: str) -> None:
    text = fragment * 5_000
    found = read_prose(Unit("ch01", 1, f"Ann left the hall.\n\n{text}\n\nTom left the hall."))
    lines = lines_of(text)

    assert max((len(line.words) for line in lines), default=0) <= SETTINGS.longest_told
    assert found.coverage.read == 2, "what stands around it is read"
    assert {one.id for one in found.cast} == {"ann", "tom", "hall"}


def test_a_line_of_dashes_before_words_is_looked_at_once() -> None:
    """Found by `bench fuzz`: a pattern for `* * *` tried every way to part fifty dashes."""
    found = read_prose(Unit("ch01", 1, f"Ann left the hall. {'—' * 50}Chapter 1"))
    assert found.coverage.sentences == 2


def test_what_is_too_long_is_counted() -> None:
    endless = "word " * 401
    coverage = read_prose(Unit("ch01", 1, f"Ann left the hall.\n\n{endless}")).coverage

    assert (coverage.read, coverage.unread) == (1, [TextRange(20, 20 + len(endless) - 1)])


def test_a_long_sentence_that_a_person_wrote_is_read() -> None:
    text = "Ann took the lamp, " + "and she took the lamp, " * 60 + "and left."
    assert len(read_prose(Unit("ch01", 1, text)).coverage.unread) == 0


@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from(FRAGMENTS), st.integers(1, 700)), min_size=1, max_size=4))
def test_no_text_is_parsed_in_longer_pieces_than_a_sentence(parts: list[tuple[str, int]]) -> None:
    text = "".join(fragment * times for fragment, times in parts)
    for line in lines_of(text):
        longest = max(map(len, line.where.cut(text).split()), default=0)
        assert len(line.words) <= SETTINGS.longest_told
        assert not line.words or longest <= SETTINGS.longest_word


NAMES = ["Ann", "Ann Vane", "Mr. Vane", "the Captain", "Captain Vane", "Lizzy", "Eliza Vane", "A. Vane", "Baker Street",
         "the Queen of Hearts", "Tom", "Queen", "Liz", "Elizabeth Moor", "1", "Robot 7"]  # fmt: skip


@given(st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_names_that_could_be_one_persons_share_a_link(one: str, other: str) -> None:
    first, second = form_of(one), form_of(other)
    assert not compare(first, second).possible or first.links & second.links
