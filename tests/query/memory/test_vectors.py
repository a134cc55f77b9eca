"""Texts that are the same have the same vector, however many of them are asked for at once."""

from __future__ import annotations

import numpy as np
import pytest

from narraworld.query.memory.index import vectors


@pytest.mark.skipif(not vectors.available(), reason="wordllama is not installed")
def test_each_text_has_its_own_vector_wherever_it_stands_in_the_list() -> None:
    texts = ["a red lantern", "rain", "a red lantern", "", "the tide is low", "rain"]
    together = vectors.embed(texts)
    for text, vector in zip(texts, together, strict=True):
        np.testing.assert_allclose(vector, vectors.embed([text])[0], atol=1e-6)
    assert not np.allclose(together[0], together[1])
