"""What-ifs grow from the story, leave it alone, can be held against it, and go without a trace."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from random_stories import everything

from narraworld.kb.delta import Delta
from narraworld.kb.errors import UnknownBranch
from narraworld.kb.units import Unit
from narraworld.query.situation import Situation
from narraworld.world import World

RESCUE = Situation(branch="rescue")


def coming_out() -> Delta:
    """Mara reaches Leon after all."""
    made = Delta(Unit("ch03", 3, "Mara reached Leon and led him out into the night."))
    made.add("Event", "lead-out", kind="lead", agent="mara", patient="leon", quote="led him out")
    made.add("State", proposition="leon.location.outside", at="lead-out", quote="led him out")
    made.add("Step", development="getting-leon-out", status="resolved", at="lead-out", quote="led him out")
    made.add("Realisation", possibility="ch02/rescue", event="lead-out", quote="led him out into the night")
    return made


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


@pytest.fixture
def gate(tmp_path: Path, stories: dict[str, World]) -> Iterator[World]:
    """A gate story of one's own, without caches."""
    with World.open(tmp_path, create=True) as world:
        for entry in stories["gate"].log():
            world.store.commit(entry.unit, stories["gate"].store.body(entry))
        yield world


def test_a_what_if_from_beginning_to_end(gate: World) -> None:
    gate.story.living()
    before, on_disk, story = gate.views(), files(gate.path), everything(gate.story.living().engine)

    made = gate.branch("rescue")
    assert (made.name, made.parent, made.revision) == ("rescue", "main", 2)
    assert gate.views(RESCUE) == before
    assert not gate.compare("main", "rescue")

    assert gate.commit(coming_out(), branch="rescue").refusals == ()
    assert gate.views() == before
    assert everything(gate.story.living().engine) == story
    assert [fact.proposition for fact in gate.views(RESCUE).facts] == [
        "gate.open:unlocked",
        "infirmary.open:locked",
        "leon.location.outside",
    ]

    found = gate.compare("main", "rescue")
    assert list(found.lines()) == [
        "facts",
        "  - Leon is inside the infirmary",
        "  + Leon is outside",
        "events",
        "  + “led him out”",
        "beliefs",
        "  + Mara knows that Leon is outside",
        "threads",
        "  - Mara will get Leon out tonight: advanced",
        "  + Mara will get Leon out tonight: resolved",
        "possibilities",
        "  - If Mara gains entry to the infirmary, she could bring Leon outside.",
    ]

    gate.delete_branch("rescue")
    assert files(gate.path) == on_disk | {".narraworld/branches"}
    assert gate.views() == before
    with pytest.raises(UnknownBranch):
        gate.views(RESCUE)

    gate.branch("rescue")
    assert gate.views(RESCUE) == before, "the second rescue knows nothing of the first"


def test_whoever_is_called_otherwise_in_a_what_if_is_still_the_same(gate: World) -> None:
    """Its passage knows Leon by another name; what is so of Leon in both is no difference, and he is called as in the story."""
    gate.branch("rescue")
    made = coming_out()
    made.add("Character", "leon", name="Big Leon", quote="led him out into the night")
    made.add(
        "Development", "home", kind="goal", title="Leon means to be home by noon.", quote="out into the night"
    )
    made.add("Step", development="home", status="opened", quote="out into the night")
    gate.commit(made, branch="rescue")

    said = "\n".join(gate.compare("main", "rescue").lines())

    assert "Big Leon" in " ".join(fact.words for fact in gate.views(RESCUE).facts)
    assert "Big Leon" not in said
    assert "  + Leon is outside" in said
    assert said.count("Leon is inside the infirmary") == 1
    assert "  + Leon means to be home by noon: opened" in said


def test_a_what_if_stays_where_it_grew_from(gate: World) -> None:
    """What the story goes on to tell is not part of it; a chapter may be taken out of it alone."""
    gate.branch("rescue", revision=1)
    gate.retract("ch01", branch="rescue")
    gate.commit(coming_out())

    assert gate.views(RESCUE).facts == ()
    assert [thread.status for thread in gate.views().threads] == ["resolved"]


def test_a_what_if_of_a_what_if(gate: World) -> None:
    gate.branch("rescue")
    gate.commit(coming_out(), branch="rescue")
    gate.branch("and-then", parent="rescue")
    gate.retract("ch03", branch="and-then")

    assert gate.views(Situation(branch="and-then")) == gate.views()
    assert gate.compare("rescue", "and-then").lost["facts"] == ("Leon is outside",)


def test_an_edit_shows_by_what_it_means(gate: World) -> None:
    """Revisions: ch02 is taken out, then read again as it was."""
    body = gate.store.body(gate.store.snapshot()["ch02"])
    gate.retract("ch02")
    gate.store.commit("ch02", body)

    assert gate.diff(2, 3).lost["possibilities"] != ()
    assert gate.diff(2, 3).units == ("ch02",)
    assert list(gate.diff(2, 4).lines()) == ["the views are the same"]
