"""Grammar depends on the words of a sentence and on nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from narraworld.extract.embedded.grammar import parser as parsing
from narraworld.extract.embedded.grammar.parser import Word, parse, remembered, take_along, tokens_of

TEXTS = ("Mara took the key.", "The old man in the grey coat sat down.", "Leo laughed.", "It rained.")


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    kept = dict(parsing.remembered())
    parsing.forget()
    yield
    parsing.take_along(kept)


def parsed(*texts: str) -> list[list[Word]]:
    return parse([tokens_of(text) for text in texts])


def test_neighbours_and_batches_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    together = parsed(*TEXTS)
    parsing.forget()
    monkeypatch.setattr(parsing, "BATCH", 1)

    assert [parsed(text)[0] for text in reversed(TEXTS)] == together[::-1]


def test_an_empty_sentence_has_no_words() -> None:
    assert parsed("", "Leo laughed.")[0] == []


def test_the_oldest_is_forgotten_first_and_never_what_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "CACHE", 2)
    found = parsed(*TEXTS)

    assert [len(words) for words in found] == [5, 10, 3, 3]
    assert len(remembered()) == 2


def test_what_another_parsed_is_believed() -> None:
    take_along({("Leo", "laughed", "."): (("x", "X", "X", "dep", 0),) * 3})

    assert [word.pos for word in parsed("Leo laughed.")[0]] == ["X", "X", "X"]


@pytest.mark.parametrize(
    ("text", "word", "pos", "lemma"),
    [
        pytest.param("He was good-looking.", "good-looking", "ADJ", "good-looking", id="a quality, no deed"),
        pytest.param("A long-legged dog ran.", "long-legged", "ADJ", "long-legged", id="before a noun"),
        pytest.param("She left the drawing-room.", "drawing-room", "NOUN", "room", id="a room"),
    ],
)
def test_joined_words(text: str, word: str, pos: str, lemma: str) -> None:
    [found] = [one for one in parsed(text)[0] if one.text == word]

    assert (found.pos, found.lemma) == (pos, lemma)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("he said:--", ["he", "said", ":", "--"], id="colon and dash"),
        pytest.param("said I.", ["said", "I", "."], id="I at the end"),
    ],
)
def test_marks_that_stand_close_are_parted(text: str, words: list[str]) -> None:
    assert [token.text for token in tokens_of(text)] == words
    assert all(text[token.start : token.end] == token.text for token in tokens_of(text))
