"""The English weights that ship: they load offline, and read a short story the way a schoolteacher would."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import spacy

import narraworld.extract

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

ENGLISH = Path(narraworld.extract.__file__).parent / "english"
LIMIT_MB = 25


@pytest.fixture(scope="module")
def english() -> Language:
    return spacy.load(ENGLISH)


@pytest.fixture(scope="module")
def story(english: Language) -> Doc:
    return english("Mara took the key from the drawer. She did not see Leo.")


def test_the_weights_stay_small() -> None:
    size = sum(path.stat().st_size for path in ENGLISH.rglob("*") if path.is_file())
    assert size < LIMIT_MB * 1_000_000


def test_the_weights_say_where_they_come_from() -> None:
    said = (ENGLISH / "ATTRIBUTION.md").read_text(encoding="utf-8")
    assert "UD English EWT" in said
    assert "CC BY-SA 4.0" in said


def test_sentences_are_told_apart(story: Doc) -> None:
    assert [sentence.text for sentence in story.sents] == [
        "Mara took the key from the drawer.",
        "She did not see Leo.",
    ]


@pytest.mark.parametrize(
    ("word", "lemma", "role", "head"),
    [
        ("Mara", "Mara", "nsubj", "took"),
        ("took", "take", "ROOT", "took"),
        ("key", "key", "obj", "took"),
        ("drawer", "drawer", "obl", "took"),
        ("not", "not", "advmod", "see"),
        ("Leo", "Leo", "obj", "see"),
    ],
)
def test_each_word_has_its_place(story: Doc, word: str, lemma: str, role: str, head: str) -> None:
    [token] = [token for token in story if token.text == word]
    assert (token.lemma_, token.dep_, token.head.text) == (lemma, role, head)


def test_the_same_words_are_read_the_same_way(english: Language, story: Doc) -> None:
    assert english(story.text).to_json() == story.to_json()
