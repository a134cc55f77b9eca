"""Documents are found by the words they share, and what may not be seen moves nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narraworld.kb.english import wordset
from narraworld.kb.search.inverted_index import Bm25, Document, LexicalIndex
from narraworld.kb.search.search_words import analyse, whoosh_library
from narraworld.kb.search.stems import base_form

WORDS = st.lists(st.sampled_from(["key", "drawer", "Leo", "went", "harbour", "tide"]), min_size=1, max_size=6)


def document(name: str, words: str, unit: str = "ch01", **more: object) -> Document:
    return Document(f"{unit}/{name}", unit, "v1", "Event", words, **more)  # type: ignore[arg-type]


def index(*documents: Document) -> LexicalIndex:
    made = LexicalIndex()
    made.add(*documents)
    return made


@pytest.mark.parametrize(
    ("text", "stems"),
    [
        ("She went to the wolves", ["she", "go", "wolf"]),
        ("Leo’s keys", ["leo", "kei"]),
        ("hiding, hides", ["hide", "hide"]),
        ("the of and", []),
    ],
    ids=["irregular", "possessive", "regular", "nothing to tell apart"],
)
def test_words_become_stems(text: str, stems: list[str]) -> None:
    assert list(analyse(text)) == stems


@given(st.text(st.sampled_from("ab.'’ \n-_éAB3\u0301ßthe"), max_size=30))
def test_words_are_split_as_whoosh_splits_them(text: str) -> None:
    analysis = whoosh_library().analysis
    words = analysis.RegexTokenizer() | analysis.StopFilter(
        analysis.STOP_WORDS | wordset("search.scraps"), minsize=1
    )
    split = [token.text for token in words(text.lower().replace("’", "'"))]
    assert len(analyse(text)) == len(split)
    assert analyse(text) == tuple(stem for word in split for stem in analyse(word))
    assert wordset("search.small") == analysis.STOP_WORDS


@given(st.text())
def test_a_base_form_is_its_own_base_form(word: str) -> None:
    assert base_form(base_form(word)) == base_form(word)


def test_any_shared_word_is_enough_and_the_rarer_counts_more() -> None:
    found = index(
        document("a", "Leo left the key"),
        document("b", "Leo slept"),
        document("c", "Leo ate"),
        document("d", "rain"),
    ).search("where did Leo put the key", 9)
    assert [hit.id for hit in found] == ["ch01/a", "ch01/b", "ch01/c"]
    assert found[0].score > 2 * found[1].score


def test_a_field_can_count_more_than_another() -> None:
    made = index(document("quoted", "lantern"), document("about", "", about="lantern"))
    loud = made.search("lantern", 1, bm25=Bm25(boosts={"words": 1.0, "about": 9.0}))
    assert [hit.id for hit in loud] == ["ch01/about"]


def test_a_unit_read_again_leaves_nothing_of_its_old_words(tmp_path: Path) -> None:
    kept = LexicalIndex(tmp_path)
    kept.add(document("a", "a red lantern", "ch01"), document("b", "a blue lantern", "ch02"))
    kept.close()

    again = LexicalIndex(tmp_path)
    again.update([Document("ch01/a", "ch01", "v2", "Event", "a green door")], ["ch01"])
    assert again.units == {"ch01": "v2", "ch02": "v1"}
    assert [hit.id for hit in again.search("lantern red", 9)] == ["ch02/b"]
    again.delete("ch02")
    assert again.search("lantern", 9) == []
    again.close()


def test_a_damaged_index_is_begun_again(tmp_path: Path) -> None:
    kept = LexicalIndex(tmp_path)
    kept.add(document("a", "a red lantern"))
    kept.close()
    for file in tmp_path.glob("lexical-*.sqlite"):
        file.write_bytes(b"not an index, by any means")
    again = LexicalIndex(tmp_path)
    assert again.units == {}
    again.add(document("a", "a red lantern"))
    assert [hit.id for hit in again.search("lantern", 9)] == ["ch01/a"]
    again.close()


def test_while_another_writes_one_goes_on_alone(tmp_path: Path) -> None:
    mine, other = LexicalIndex(tmp_path), LexicalIndex(tmp_path)
    mine.add(document("a", "lantern"))
    with other._writing():
        mine.add(document("b", "a second lantern", "ch02"))
    assert {hit.id for hit in mine.search("lantern", 9)} == {"ch01/a", "ch02/b"}
    again = LexicalIndex(tmp_path)
    assert again.units == {"ch01": "v1"}
    for one in (mine, other, again):
        one.close()


def test_what_is_read_comes_from_one_state_whatever_others_write(tmp_path: Path) -> None:
    mine, other = LexicalIndex(tmp_path), LexicalIndex(tmp_path)
    mine.add(document("a", "a red lantern", "ch01"), document("b", "a blue lantern", "ch02"))
    assert mine.units == {"ch01": "v1", "ch02": "v1"}
    other.delete("ch01")
    other.add(document("z", "rain", "ch00"))
    assert [hit.id for hit in mine.search("red lantern", 9)] == ["ch01/a", "ch02/b"]
    mine.add(document("c", "a green lantern", "ch03"))
    assert mine.units == {"ch00": "v1", "ch02": "v1", "ch03": "v1"}
    assert [hit.id for hit in mine.search("rain green", 9)] == ["ch00/z", "ch03/c"]
    for one in (mine, other):
        one.close()


def test_a_unit_with_nothing_to_find_is_in_all_the_same() -> None:
    made = LexicalIndex()
    made.update([], units={"ch01": "v1"})
    assert made.units == {"ch01": "v1"}


def test_a_unit_read_again_takes_its_own_places() -> None:
    made = index(document("a", "lantern", "ch01"), document("b", "tide", "ch02"))
    made.update([document("c", "rain"), document("d", "hail")], ["ch01"])
    assert made.numbers == {"ch01/c": 0, "ch02/b": 1, "ch01/d": 2}


def test_a_cleared_index_holds_nothing() -> None:
    made = index(document("a", "lantern"))
    made.clear()
    assert (made.units, made.search("lantern", 9)) == ({}, [])


def test_records_are_found_by_whom_they_name_and_whose_they_are() -> None:
    made = index(
        document("a", "x", entities=("leo", "key"), holders=("mara",)), document("b", "y", entities=("leo",))
    )
    assert made.naming("leo").tolist() == [0, 1]
    assert made.of("mara").tolist() == [0]
    assert made.of("leo").tolist() == []


@settings(deadline=None, max_examples=40)
@given(texts=st.lists(WORDS, min_size=1, max_size=8), query=WORDS, data=st.data())
def test_what_is_not_admitted_moves_nothing(
    texts: list[list[str]], query: list[str], data: st.DataObject
) -> None:
    """Scores among the admitted are those of an index that never held the others."""
    admitted = np.array(
        data.draw(st.lists(st.booleans(), min_size=len(texts), max_size=len(texts))), dtype=bool
    )
    documents = [document(str(n), " ".join(words)) for n, words in enumerate(texts)]
    among = index(*documents).scores(" ".join(query), admitted=admitted)
    kept = [one for one, seen in zip(documents, admitted, strict=True) if seen]
    alone = index(*kept).scores(" ".join(query)) if kept else np.zeros(0, dtype=np.float32)
    assert among[admitted].tolist() == alone.tolist()
    assert not among[~admitted].any()


def test_what_a_word_is_worth_is_kept_for_the_next_text_that_has_it() -> None:
    made = index(
        document("a", "red lantern"), document("b", "lantern, lantern", about="tide"), document("c", "rain")
    )
    among = made.among(np.array([True, True, False]))
    texts = ("lantern", "lantern tide", "red lantern lantern", "lantern", "rain")
    for text in texts:
        alone = made.scores(text, admitted=np.array([True, True, False]))
        assert among.scores(text, Bm25()).tolist() == alone.tolist()
    assert among.scores("lantern", Bm25(k1=3.0)).tolist() != among.scores("lantern", Bm25()).tolist()
    assert len({key[1] for key in among._worth}) == 4


def test_put_in_at_once_or_one_by_one_the_index_is_the_same(tmp_path: Path) -> None:
    documents = [document(f"{nth}", words, f"ch{nth:02}", entities=("leo",)) for nth, words in enumerate(
        ("a red lantern", "a lantern, a lantern", "rain on the lantern", "tide and rain")
    )]  # fmt: skip
    whole, grown = LexicalIndex(tmp_path / "whole"), LexicalIndex(tmp_path / "grown")
    whole.add(*documents)
    for one in documents:
        grown.add(one)
    for made in (whole, grown):
        assert [hit.id for hit in made.search("lantern rain", 9)] == ["ch02/2", "ch03/3", "ch01/1", "ch00/0"]
        assert made.naming("leo").tolist() == [0, 1, 2, 3]
        kept = made._asked("select name from sqlite_master where type = 'index' and sql is not null")
        assert {name for (name,) in kept} == {"by_unit", "of_unit"}
        made.close()
