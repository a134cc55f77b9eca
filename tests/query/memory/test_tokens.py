"""Tokens are counted exactly and offline, or estimated under a name that says so."""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narraworld.query.memory import tokens


@pytest.fixture
def afresh() -> Iterator[None]:
    tokens.counter.cache_clear()
    yield
    tokens.counter.cache_clear()


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("Hello, world!", 4), ("the the the", 3), ("a\n\nb", 3), ("12345", 2)],
    ids=["nothing", "a greeting", "words", "an empty line", "digits go by three"],
)
def test_the_count_is_that_of_o200k(text: str, count: int) -> None:
    assert (tokens.counter()(text), tokens.counter().name) == (count, "o200k_base")


@pytest.mark.parametrize("content", [b"not xz", lzma.compress(b"IQ== 0\n")], ids=["damaged", "other ranks"])
def test_ranks_that_are_not_openais_are_never_used(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, afresh: None
) -> None:
    (tmp_path / "ranks.xz").write_bytes(content)
    monkeypatch.setattr(tokens, "RANKS", tmp_path / "ranks.xz")
    assert tokens.counter() == tokens.TokenCounter("estimate", tokens.estimate)
    assert tokens.counter()("x" * 400) == 105


@given(st.text(alphabet="abc .,\n", max_size=60), st.text(alphabet="abc .,\n", max_size=60))
def test_a_longer_text_is_never_estimated_shorter(one: str, other: str) -> None:
    assert tokens.estimate(one + other) >= max(tokens.estimate(one), tokens.estimate(other))


LINES = st.builds(
    "{}{}\n".format,
    st.sampled_from(["- ", "[ch01", "W: the world", "B: ", "In the text"]),
    st.text(alphabet="abC é’'/-[(.,;: \t\r\n12345世界", max_size=12),
)


@given(st.lists(LINES, max_size=6))
def test_what_lines_cost_adds_up_to_what_the_page_costs(lines: list[str]) -> None:
    assert tokens.counter().adds_up
    assert sum(map(tokens.counter(), lines)) == tokens.counter()("".join(lines))
