"""The encoder reckoned with numpy: the same whatever stands beside a row in its batch, and wherever else it is looked at."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from narraworld.kb.encoder.pieces import joined
from narraworld.kb.encoder.transformer import transformer

words = st.text("abcdefgh ?.", min_size=1, max_size=60)


@settings(max_examples=8)
@given(words, words)
def test_a_row_is_read_alike_alone_and_beside_a_longer_one(one: str, other: str) -> None:
    rows = [joined([(one, 40, True)]), joined([(one + other, 40, True)])]

    alone, together = transformer().read(rows[:1])[0], transformer().read(rows)[0]

    assert np.allclose(alone, together, atol=1e-5)


@settings(max_examples=8)
@given(words, words)
def test_a_row_read_at_some_places_is_read_there_as_it_is_whole(one: str, other: str) -> None:
    rows = [joined([(one, 40, True), (other, 9, False)]), joined([(other, 40, True)])]
    wanted = [[0, len(rows[0].ids) - 1], [1]]

    whole, parts = transformer().read(rows), transformer().read(rows, wanted)

    for all_of_it, some, places in zip(whole, parts, wanted, strict=True):
        assert np.allclose(all_of_it[places], some, atol=1e-5)


def test_every_task_has_its_head() -> None:
    [found] = transformer().read([joined([("Ida came.", 9, True)])])

    shapes = {name: transformer().head(name, found[:1]).shape for name in ("answers", "absences")}

    assert shapes == {"answers": (1, 4), "absences": (1, 2)}
