"""Company in the telling: the same words, the scene, what stands before and after."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from narraworld.query.memory.index import vectors as semantic
from narraworld.query.memory.index.neighbours import Layout
from narraworld.query.memory.ranking import Weights, connected, fused, scaled


def numbers(*values: float) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.array(values, dtype=np.float32)


FOUR = (("ch01", 0, 9), ("ch01", 10, 19), ("ch01", 10, 19), ("ch02", 0, 9))


def test_records_that_quote_the_same_words_share_a_place() -> None:
    layout = Layout.of(FOUR)
    assert layout.best(numbers(1, 2, 5, 3)).tolist() == [1, 5, 3]
    assert layout.spread(numbers(1, 5, 3)).tolist() == [1, 5, 5, 3]


def test_a_unit_ends_what_stands_before_and_after() -> None:
    layout = Layout.of(FOUR)
    assert layout.before(numbers(1, 5, 3)).tolist() == [0, 1, 0]
    assert layout.after(numbers(1, 5, 3)).tolist() == [5, 0, 0]


def test_nothing_has_no_company() -> None:
    layout = Layout.of([])
    for found in (layout.best, layout.before, layout.after, layout.around):
        assert found(numbers()).tolist() == []


@pytest.mark.parametrize(
    ("scenes", "values", "around"),
    [((), (0, 2, 4, 3), [3, 3, 3, 3]), ((("ch01", 20), ("ch01", 0)), (1, 2, 4, 2), [1.5, 1.5, 3, 3])],
    ids=["a unit without scenes is one", "two scenes"],
)
def test_a_scene_is_as_good_as_its_best_places(
    scenes: tuple[tuple[str, int], ...], values: tuple[float, ...], around: list[float]
) -> None:
    layout = Layout.of([("ch01", 10 * n, 10 * n + 9) for n in range(4)], scenes)
    assert layout.around(numbers(*values)).tolist() == around


@given(
    st.lists(st.tuples(st.sampled_from(["ch01", "ch02"]), st.integers(0, 5), st.integers(6, 9)), max_size=12)
)
def test_company_never_lowers_a_score(quoted: list[tuple[str, int, int]]) -> None:
    alone = np.linspace(0, 1, len(quoted), dtype=np.float32)
    assert (connected(alone, Layout.of(quoted), Weights()) >= alone).all()


@given(st.lists(st.floats(0, 100, width=32), max_size=20))
def test_scaling_keeps_the_order(values: list[float]) -> None:
    found = scaled(numbers(*values))
    assert found.max(initial=0.0) <= 1.0
    assert (np.diff(found[np.argsort(numbers(*values))]) >= 0).all()


def test_company_lifts_a_record_that_says_little_itself() -> None:
    layout = Layout.of([("ch01", 0, 9), ("ch01", 10, 19), ("ch02", 0, 9)])
    found = connected(numbers(1.0, 0.2, 0.2), layout, Weights())
    assert found[1] > found[2]


def test_words_and_meaning_are_weighed() -> None:
    found = fused(numbers(4, 0), numbers(0, 0.5), Weights(word=0.75, meaning=0.25))
    assert found.tolist() == [0.75, 0.25]


def test_other_words_for_the_same_are_near() -> None:
    [wanted, near, far] = semantic.embed(
        ["a gift for her birthday", "a present for the anniversary", "the tide turned"]
    )
    assert wanted @ near > wanted @ far


def test_vectors_are_kept_well_enough_to_rank_by() -> None:
    vector = semantic.embed(["the lantern at the gate"])[0]
    [kept, nothing] = semantic.from_bytes([semantic.to_bytes(vector), b""])
    assert np.allclose(kept, vector, atol=1e-3)
    assert not nothing.any()
