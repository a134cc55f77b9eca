"""The paper's passages, read from their prose by the embedded reader, beside the records written by hand.

What the views must share is asserted; where the reader says less or more than the hand did, the difference is listed here
and held, so that nobody takes it for agreement: threads that only a later unit closes, and possibilities a person inferred.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from narraworld.extract.embedded.discourse import DiscourseState
from narraworld.extract.embedded.reader import read_prose
from narraworld.extract.records import read_records
from narraworld.kb.roster import Roster
from narraworld.query.names import rows
from narraworld.world import World

STORIES = ("key", "lamp", "gate")
VIEWS = ("W", "B", "mistaken", "D", "H")
Views = dict[str, set[tuple[str, ...]]]

# What the records have and the reading lacks, and the reverse; everything else is equal.
LESS: dict[str, Views] = {
    "key": {"D": {("resolved",)}},
    "lamp": {},
    "gate": {"D": {("advanced",)}, "H": {("ch02/rescue",)}},
}
MORE: dict[str, Views] = {
    "key": {
        "W": {
            ("leo.location.harbour", "yes"),
            ("key.possession.mara", "no"),
            ("hollow-book.open:open", "yes"),
        },
        "B": {
            ("leo", "leo.location.harbour"),
            ("mara", "not.key.possession.mara"),
            ("leo", "hollow-book.open:open"),
        },
    },
    "lamp": {},
    "gate": {"D": {("opened",)}},
}


@pytest.fixture(scope="module", params=STORIES)
def told_twice(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Views, Views]]:
    with as_file(files("narraworld") / "stories" / request.param) as folder:
        chapters = sorted(folder.glob("*.toml"))
        by_hand = _views(chapters, tmp_path_factory.mktemp("hand"), prose=False)
        read = _views(chapters, tmp_path_factory.mktemp("read"), prose=True)
    yield request.param, by_hand, read


def _views(chapters: list[Path], folder: Path, *, prose: bool) -> Views:
    with World.open(folder, create=True) as world:
        roster, stage = Roster(), DiscourseState()
        for chapter in chapters:
            delta = read_records(chapter)
            if prose:
                reading = read_prose(delta.unit, roster, stage=stage)
                delta, roster, stage = reading.delta, roster.plus(reading.cast), stage.after(reading.moves)
            assert world.commit(delta).refusals == ()
        return _seen(world)


def _seen(world: World) -> Views:
    engine = world.scope().engine
    return {
        "W": {(str(matter), str(sign)) for _, matter, sign in rows(engine, "current")},
        "B": {(str(who), str(what)) for who, what in rows(engine, "believes")},
        "mistaken": {(str(row[0]), str(row[1])) for row in rows(engine, "mistaken")},
        "D": {(str(row[1]),) for row in rows(engine, "status")},
        "H": {(str(row[0]),) for row in rows(engine, "possible")},
    }


@pytest.mark.parametrize("view", VIEWS)
def test_prose_gives_the_views_that_the_records_give(told_twice: tuple[str, Views, Views], view: str) -> None:
    story, by_hand, read = told_twice
    less, more = LESS[story].get(view, set()), MORE[story].get(view, set())

    assert (by_hand[view] - read[view], read[view] - by_hand[view]) == (less, more)
