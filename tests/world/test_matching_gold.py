"""How `bench minds` finds a matter of gold among what was read: by the quotation, by words, by another value it names; and not by chance."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.minds.minds_gold import load_gold
from bench.minds.minds_matching import Matching
from narraworld.kb.delta import Delta
from narraworld.kb.units import Unit
from narraworld.world import World

TEXT = "Mara's mother was Ida. With a shrug Tom, who had done it before, promised. Ben bought the cup. Abel thought the letter was Ida's. He has gone round it like a man with soup. Tom knew that he wrote it. The lamp hung in the hall. Mara sold the old clock to Ben."


@pytest.fixture(scope="module")
def matching(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Matching]:
    made = Delta(Unit("ch01", 1, TEXT))
    for who in ("abel", "ida", "tom", "mara", "ben"):
        made.add("Character", who, name=who.title())
    for what in ("letter", "lamp", "clock"):
        made.add("Object", what, name=what)
    made.add("Object", "cup", name="the cup with the crooked blue handle from the house by the sea")
    made.add("State", proposition="mara.mother.ida", quote="Mara's mother was Ida")
    made.add(
        "Event",
        "vows",
        kind="promise",
        agent="tom",
        quote="With a shrug Tom, who had done it before, promised",
    )
    made.add("Event", "buys", kind="buy", agent="ben", patient="cup", quote="Ben bought the cup")
    made.add("Place", "hall", name="hall")
    for holder, proposition, attitude, quote in (
        ("abel", "letter.writer.ida", "believes", "Abel thought the letter was Ida's"),
        ("abel", "letter.writer:gone%20round%20it%20like%20a%20man%20with%20soup", "believes", "He has gone round it"),
        ("tom", "letter.writer.tom", "knows", "Tom knew that he wrote it"),
    ):  # fmt: skip
        made.add("Attitude", holder=holder, proposition=proposition, attitude=attitude, quote=quote)
    made.add("State", proposition="lamp.location.hall", quote="The lamp hung in the hall")
    made.add(
        "Event",
        "sells",
        kind="sell",
        agent="mara",
        patient="clock",
        recipient="ben",
        quote="Mara sold the old clock to Ben",
    )
    with World.open(tmp_path_factory.mktemp("soup"), create=True) as world:
        assert world.commit(made).refusals == ()
        yield Matching(world.scope(), {})


@pytest.mark.parametrize(
    ("matter", "found"),
    [
        pytest.param(
            {"id": "m1", "says": "Tom forged the letter in the name of Ida", "true": True,
             "quote": {"chapter": "ch01", "words": "He has gone round it like a man with soup."}},
            {"letter.writer.tom": True, "letter.writer.ida": False, "letter.writer:gone%20round%20it%20like%20a%20man%20with%20soup": True},
            id="its words stand in the quotation; of other values that are named, the true one says it"),
        pytest.param({"id": "m2", "says": "The lamp is in the hall", "true": True}, {"lamp.location.hall": True}, id="by words"),
        pytest.param({"id": "m3", "says": "Mara sold Ben the clock", "true": True}, {"ch01/sells": True}, id="an event"),
        pytest.param(
            {"id": "m5", "says": "Tom's promise to Ida, that nobody in the village is to be told of the money", "true": True,
             "quote": {"chapter": "ch01", "words": "With a shrug Tom, who had done it before, promised."}},
            {"ch01/vows": True}, id="a deed told in the quoted words, of a kind that is named"),
        pytest.param({"id": "m7", "says": "Ida is Mara's sister", "true": False}, {}, id="another kin word"),
        pytest.param({"id": "m8", "says": "Ben bought a cup from Ida for money", "true": True}, {"ch01/buys": True}, id="a thing with a long name"),
        pytest.param({"id": "m4", "says": "Ben never met Ida in the garden", "true": False}, {}, id="names alone are nothing"),
    ],
)  # fmt: skip
def test_a_matter_is_found(matching: Matching, matter: dict[str, Any], found: dict[str, bool]) -> None:
    assert {one.node: one.says for one in matching(matter)} == found


def test_somebody_may_say_what_is_meant(matching: Matching) -> None:
    told = Matching(
        matching.scope,
        {
            "m4": {
                "says": ["lamp.location.hall", "ben knows lamp.location.hall"],
                "denies": ["letter.writer.ida"],
            }
        },
    )

    assert [(one.node, one.says, one.of) for one in told({"id": "m4", "says": "…", "true": True})] == [
        ("lamp.location.hall", True, None),
        ("ben knows lamp.location.hall", True, ("ben", "lamp.location.hall")),
        ("letter.writer.ida", False, None),
    ]


def test_what_somebody_said_is_read_with_the_gold_or_left_alone(tmp_path: Path) -> None:
    (tmp_path / "01.md").write_text("The lamp hung in the hall.")
    (tmp_path / "gold.toml").write_text("")
    (tmp_path / "matched.toml").write_text('[model.m4]\nsays = ["lamp.location.hall"]\n')

    assert load_gold(tmp_path).matched == {"model": {"m4": {"says": ["lamp.location.hall"]}}}
    assert load_gold(tmp_path, by_words=True).matched == {}
