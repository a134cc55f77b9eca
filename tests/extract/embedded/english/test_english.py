"""The English weights that ship: they load offline, and read a short story the way a schoolteacher would."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from narraworld.extract.embedded.english import FOLDER, load
from narraworld.extract.embedded.english.features import TEMPLATES, Clusters, features
from training.litbank import prose

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

LIMIT_MB = 25


@pytest.fixture(scope="module")
def english() -> Language:
    return load()


@pytest.fixture(scope="module")
def story(english: Language) -> Doc:
    return english("Mara took the key from the drawer. She did not see Leo.")


def test_the_weights_stay_small() -> None:
    size = sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file())
    assert size < LIMIT_MB * 1_000_000


def test_the_weights_say_where_they_come_from() -> None:
    said = (FOLDER / "ATTRIBUTION.md").read_text(encoding="utf-8")
    assert all(
        source in said for source in ("UD English EWT", "CC BY-SA 4.0", "LitBank", "CC BY 4.0", "Brown")
    )


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


# ---- marks


@pytest.mark.parametrize(
    ("text", "events"),
    [
        ("Mara walked to the window and opened it.", ["walked", "opened"]),
        ("If Mara walked to the window, she would open it.", []),
        ("Mara will walk to the window tomorrow.", []),
        ("Mara did not walk to the window.", []),
        ("The old man was very tall.", []),
    ],
    ids=["told as happened", "supposed", "to come", "denied", "a description"],
)
def test_only_what_happens_is_an_event(english: Language, text: str, events: list[str]) -> None:
    doc = english(text)
    assert [span.text for span in doc.spans["events"]] == events


def test_an_entity_may_lie_in_another(english: Language) -> None:
    doc = english("The captain of the ship went to London.")
    assert {(span.text, span.label_) for span in doc.spans["entities"]} == {
        ("The captain of the ship", "PER"),
        ("the ship", "VEH"),
        ("London", "GPE"),
    }
    assert [entity.text for entity in doc.ents] == ["The captain of the ship", "London"]


@pytest.mark.parametrize("text", ["", " ", "\n\n", "…", "“", "Ω 𝔘 \u200b"], ids=ascii)
def test_odd_texts_are_marked_without_complaint(english: Language, text: str) -> None:
    assert english(text).text == text


# ---- features


def nothing_known() -> Clusters:
    return Clusters(np.array([1], dtype=np.uint64), np.array([1], dtype=np.uint16))


def column(template: str) -> int:
    return TEMPLATES.index(template)


def test_a_walk_reads_the_word_it_leads_to(story: Doc) -> None:
    lemmas = features(story, nothing_known())[:, column("head.lemma")]
    [key], [took], [leo] = (
        [token.i for token in story if token.text == word] for word in ("key", "took", "Leo")
    )
    mara = story[0].i
    assert lemmas[key] == lemmas[mara] != lemmas[leo]
    assert lemmas[took] not in (lemmas[key], lemmas[leo])


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ('"I ran," he said.', '"I ran,"'),
        ("He said: “I ran.” He did.", "“I ran.”"),
        ("He ran.", ""),
    ],
    ids=["straight", "curly", "none"],
)
def test_speech_is_told_from_narration(english: Language, text: str, spoken: str) -> None:
    doc = english(text)
    quoted = features(doc, nothing_known())[:, column("quoted")]
    outside = features(english("He"), nothing_known())[0, column("quoted")]
    assert "".join(token.text_with_ws for token in doc if quoted[token.i] != outside).strip() == spoken


# ---- what it was trained on


@pytest.mark.parametrize(
    ("sentences", "text"),
    [
        ([["He", "ran", ",", "and", "fell", "."]], "He ran, and fell."),
        ([['"', "Do", "n't", "!", '"', "he", "said", "."]], '"Don\'t!" he said.'),
        (
            [["“", "Leo", "’s", "hat", "”"], ["(", "lost", ")", "--", "gone", "."]],
            "“Leo’s hat” (lost)--gone.",
        ),
    ],
    ids=["stops", "straight quotes", "curly quotes and dashes"],
)
def test_tokens_become_prose_again(sentences: list[list[str]], text: str) -> None:
    assert prose(sentences)[0] == text


@given(
    st.lists(
        st.lists(st.sampled_from(["He", "ran", ",", '"', "“", "”", "'s", "n't", "--", "(", "."]), min_size=1)
    )
)
def test_every_token_is_found_where_it_is_said_to_be(sentences: list[list[str]]) -> None:
    text, places = prose(sentences)
    assert [text[start:end] for start, end in places] == [word for words in sentences for word in words]
    assert all(end <= start for (_, end), (start, _) in pairwise(places))
