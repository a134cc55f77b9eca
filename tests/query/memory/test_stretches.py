"""A sentence is as good as it is itself and as what stands around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from narraworld.kb.search.inverted_index import Bm25, Document, LexicalIndex
from narraworld.query.memory.index.admission import AdmittedPassage
from narraworld.query.memory.index.documents import PASSAGE
from narraworld.query.memory.index.stretches import Scale, Stretches

if TYPE_CHECKING:
    from collections.abc import Sequence

TOLD = {
    "a": ["The heron stood still.", "Nobody moved.", "A bell rang."],
    "b": ["Snow fell.", "The bell was mended."],
}


def stretches(units: Sequence[str] = ("a", "b"), about: str = "") -> Stretches:
    index = LexicalIndex()
    for unit in TOLD:
        index.add(*(
            Document(f"{unit}@{n}-{n + 1}", unit, "", PASSAGE, text, entities=(about,), place=(n, n + 1))
            for n, text in enumerate(TOLD[unit])
        ))  # fmt: skip
    told = [AdmittedPassage(*columns) for columns in index.of_kind(PASSAGE)]
    return Stretches(index, [one for one in told if one.unit in units])


def scores(given: Stretches, text: str, *scales: Scale) -> list[float]:
    near = np.zeros(len(given.lengths), dtype=np.float32)
    return [round(float(one), 3) for one in given.scores(given.worded(text, {}, scales, Bm25()), near)]


def test_alone_a_sentence_has_its_own_words_only() -> None:
    assert [one > 0 for one in scores(stretches(), "heron", Scale(0, 1.0, 0.0))] == [True, *[False] * 4]


def test_neighbours_share_and_units_do_not() -> None:
    assert [one > 0 for one in scores(stretches(), "bell snow", Scale(1, 1.0, 0.0))] == [
        False,
        True,
        True,
        True,
        True,
    ]
    assert [one > 0 for one in scores(stretches(), "heron", Scale(None, 1.0, 0.0))] == [True] * 3 + [
        False
    ] * 2


def test_what_is_not_admitted_stands_in_no_stretch() -> None:
    alone, all_of_them = stretches(["b"]), stretches()
    assert scores(alone, "bell", Scale(0, 1.0, 0.0)) == [0.0, 1.0]
    assert len(scores(all_of_them, "bell", Scale(0, 1.0, 0.0))) == 5
    assert scores(alone, "heron", Scale(None, 1.0, 0.0)) == [0.0, 0.0]


def test_somebody_is_found_under_no_name_at_all() -> None:
    given = stretches(about="bird")
    near = np.zeros(5, dtype=np.float32)
    found = given.scores(given.worded("Polly", {"polly": ["bird"]}, [Scale(0, 1.0, 0.0)], Bm25()), near)
    assert (found > 0).all()


def test_having_all_words_of_the_request_counts() -> None:
    given = stretches()
    near = np.zeros(5, dtype=np.float32)
    found = given.scores(given.worded("bell snow", {}, [], Bm25(), covers=1.0), near)
    alone = given.scores(given.worded("bell", {}, [], Bm25(), covers=1.0), near)

    assert max(found) == 1.0 and set(map(float, alone)) == {0.0, 1.0}
    assert sorted({float(one) for one in found}) == [0.0, 0.5, 1.0]
