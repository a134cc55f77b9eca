"""What is told later, or happens later, changes nothing for whoever stands earlier."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings, note, Phase
from hypothesis import strategies as st
from random_stories import Chapter, chapters, delta

from narraworld.kb.store import Store
from narraworld.query.situation import Situation, horizon_of
from narraworld.rules.cut import cut, every_row
from narraworld.rules.living import Frame, LivingWorld
from narraworld.rules.program import load_builtin

QUIET = {"deadline": None, "suppress_health_check": [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]}
SAID_BY_THE_CALLER = {"switch", "story_now", "told_now"}


def everything(engine):
    relations = engine.program.relations.values()
    return {one.name: frozenset(every_row(engine, one.name)) for one in relations if not one.on_demand and one.name not in SAID_BY_THE_CALLER}


def seen(living: LivingWorld, situation: Situation):
    living.refresh()
    engine = cut(living.engine, living.carriers, horizon_of(living.engine, situation, living.frame.clock), living.frame)
    try:
        return everything(engine)
    finally:
        engine.close()


@pytest.fixture(scope="module")
def living() -> Iterator[LivingWorld]:
    with tempfile.TemporaryDirectory() as folder:
        living = LivingWorld(Store.create(folder), Frame(load_builtin()))
        yield living
        living.close()


@settings(max_examples=int(os.environ.get("NX", "15")), phases=[Phase.explicit,Phase.generate], **QUIET)
@given(st.lists(st.sampled_from(["ch01", "ch02"]).flatmap(chapters), min_size=1, max_size=2, unique_by=lambda c: c.unit), chapters("ch03"))
def test_told(living: LivingWorld, before: list[Chapter], later: Chapter) -> None:
    with tempfile.TemporaryDirectory() as folder:
        living.store = Store.create(folder)
        for chapter in before:
            living.store.commit(chapter.unit, delta(chapter).graph)
        living.rebuild()
        situation = Situation(told=max(c.unit for c in before))
        expected = seen(living, situation)
        living.store.commit(later.unit, delta(later).graph)
        found = seen(living, situation)
        for k in expected: 
            if expected[k]!=found[k]: note(f"{k}: lost {expected[k]-found[k]} gained {found[k]-expected[k]}")
        assert found == expected
