"""Whatever was read and then edited or taken out leaves nothing behind: not in a fact, not in a conclusion.

The measure is a world that never read the old versions. It must be the same relation by relation, whichever way the
edited world came about: kept up to date unit by unit, opened again from its caches, derived anew, or on a branch.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from random_stories import Chapter, delta, journals

from narraworld.kb.errors import UnknownUnit
from narraworld.kb.store import Snapshot, Store
from narraworld.rules.cut import every_row
from narraworld.rules.engines import Engine
from narraworld.rules.ir import Row
from narraworld.rules.living import Frame, LivingWorld
from narraworld.rules.program import load_builtin
from narraworld.world import World

Rows = dict[str, frozenset[Row]]
# Making an engine costs far more than a small story, so the engines outlive the examples and start over in each.
QUIET = {"deadline": None, "suppress_health_check": [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]}


def everything(engine: Engine) -> Rows:
    """Each relation that has rows of its own, base or derived."""
    relations = engine.program.relations.values()
    return {one.name: frozenset(every_row(engine, one.name)) for one in relations if not one.on_demand}


def commit(store: Store, entry: Chapter | str) -> None:
    """Read a chapter or take one out; nobody can take out what is not there."""
    if isinstance(entry, Chapter):
        store.commit(entry.unit, delta(entry).graph)
    elif entry in store.snapshot():
        store.retract(entry)


def anew(living: LivingWorld, visible: Snapshot, into: Store) -> Rows:
    """A world that reads what is visible, and has never read anything else; in another order, too."""
    for entry in reversed(visible.entries):
        into.commit(entry.unit, visible.layers[0].journal and _body(entry))
    living.store = into
    living.rebuild()
    return everything(living.engine)


def _body(entry):
    from narraworld.kb.leaf import read_body
    return read_body(entry)


@pytest.fixture(scope="module")
def engines() -> Iterator[tuple[LivingWorld, LivingWorld]]:
    with tempfile.TemporaryDirectory() as folder:
        frame, store = Frame(load_builtin()), Store.create(folder)
        pair = LivingWorld(store, frame), LivingWorld(store, frame)
        yield pair
        for living in pair:
            living.close()


@settings(max_examples=int(os.environ.get("NX", "15")), **QUIET)
@given(journal=journals(min_size=2, max_size=7))
def test_edited_unit_by_unit(engines: tuple[LivingWorld, LivingWorld], journal: list[Chapter | str]) -> None:
    living, fresh = engines
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        living.store = store = Store.create(one)
        living.rebuild()
        for entry in journal:
            commit(store, entry)
            living.refresh()
        assert everything(living.engine) == anew(fresh, store.snapshot(), Store.create(other))
