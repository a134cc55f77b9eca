"""The encoder reckoned with numpy: the same whatever stands beside a row in its batch."""

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

    assert np.allclose(alone, together[: len(alone)], atol=1e-3)


def test_every_task_has_its_head() -> None:
    found = transformer().read([joined([("Ida came.", 9, True)])])

    shapes = {name: transformer().head(name, found[:, 0]).shape for name in ("answers", "absences")}

    assert shapes == {"answers": (1, 4), "absences": (1, 2)}
