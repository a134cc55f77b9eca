"""A quote stands where it stands, or it is refused; only line breaks are forgiven."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narraworld.kb.spans import NotLocated, TextRange, locate

TEXT = "Leo left.\n  Mara stayed (as always). Leo came back."


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("Mara stayed", TextRange(12, 23)),
        ("Leo left. Mara", TextRange(0, 16)),
        ("  Leo\tleft. ", TextRange(0, 9)),
        ("(as always).", TextRange(24, 36)),
    ],
    ids=["plain", "over a line break", "space around", "no pattern"],
)
def test_found(quote: str, expected: TextRange) -> None:
    assert locate(TEXT, quote) == expected


@pytest.mark.parametrize(
    ("quote", "why"),
    [
        ("leo left", "the quote is not in the text"),
        ("Leo  came", None),
        ("Leo left Mara", "the quote is not in the text"),
        ("Leoleft", "the quote is not in the text"),
        ("", "the quote is empty"),
        (" \n", "the quote is empty"),
        ("Leo", "the quote stands 2 times in the text; quote more of it"),
    ],
)
def test_refused(quote: str, why: str | None) -> None:
    found = locate(TEXT, quote)

    assert (found.why if isinstance(found, NotLocated) else None) == why


@given(st.lists(st.text("abc.()*", min_size=1, max_size=4), min_size=3, max_size=8), st.data())
def test_what_is_cut_out_is_what_was_quoted(words: list[str], data: st.DataObject) -> None:
    """Any run of words of a text whose words are all different from the rest of it is found where it was taken."""
    text = "\n".join(f"{number}{word}{number}" for number, word in enumerate(words))
    spoken = text.split()
    first = data.draw(st.integers(0, len(spoken) - 1))
    last = data.draw(st.integers(first, len(spoken) - 1))
    quote = " ".join(spoken[first : last + 1])

    found = locate(text, quote)

    assert isinstance(found, TextRange)
    assert found.cut(text).split() == quote.split()
