"""Probabilities of marks: of being an event by itself, of heading an entity against the other kinds."""

from __future__ import annotations

import numpy as np

from narraworld.extract.embedded.english.marks import probabilities


def test_an_event_is_judged_by_itself_and_an_entity_against_the_others() -> None:
    event, entity = probabilities(np.array([[0.0, 2.0, 2.0], [50.0, 0.0, 50.0]], dtype=np.float32))
    assert event.round(3).tolist() == [0.5, 1.0]
    assert entity.round(3).tolist() == [[0.5, 0.5], [0.0, 1.0]]
