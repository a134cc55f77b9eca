"""The same fact in other words is one matter: known by whoever knows either wording, and shown once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from narraworld.kb.delta import Delta
from narraworld.kb.units import Unit
from narraworld.world import World

TEXT = "Ida's eyes were grey. Leo saw that they were of a grey colour. The gate was closed. Leo saw the gate shut. Max had pale grey eyes. Leo held that they were grey."  # fmt: skip


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    made = Delta(Unit("ch01", 1, TEXT))
    for name, quote in {"ida": "Ida's", "leo": "Leo saw that", "max": "Max"}.items():
        made.add("Character", name, name=name.title(), quote=quote)
    made.add("Object", "gate", name="gate", quote="The gate")
    made.add("State", "grey", proposition="ida.eyes:grey", quote="Ida's eyes were grey")
    made.add("State", "closed", proposition="gate.open:closed", quote="The gate was closed")
    made.add("State", "pale", proposition="max.eyes:pale grey", quote="Max had pale grey eyes")
    for said, quote in (
        ("ida.eyes:of a grey colour", "Leo saw that they were of a grey colour"),
        ("gate.open:shut", "Leo saw the gate shut"),
    ):
        made.add("Access", holder="leo", proposition=said, mode="observation", quote=quote)
    made.add("Attitude", holder="leo", proposition="max.eyes:grey", attitude="believes", quote="Leo held")
    with World.open(tmp_path_factory.mktemp("wordings"), create=True) as world:
        assert world.commit(made).refusals == ()
        yield world


def test_whoever_knows_one_wording_knows_the_matter(world: World) -> None:
    for said in ("ida.eyes:grey", "ida.eyes:of a grey colour", "gate.open:closed", "gate.open:shut"):
        assert world.query(f'knows("leo", "{said.replace(" ", "%20")}")').rows, said


def test_what_says_more_is_another_matter(world: World) -> None:
    assert not world.query('knows("leo", "max.eyes:pale%20grey")').rows


def test_one_matter_is_shown_once(world: World) -> None:
    views = world.views()

    assert [fact.words for fact in views.facts] == [
        "Ida has grey eyes",
        "the gate is closed",
        "Max has pale grey eyes",
    ]
    assert len(views.beliefs["leo"]) == len({belief.proposition for belief in views.beliefs["leo"]}) == 3
    assert [one for one in world.knows().propositions if one.startswith("gate")] == ["gate.open:closed"]
