"""A false letter, a false name, a call with one side, a secret and a joke: from records to who deceives whom."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from narraworld.kb.delta import Delta
from narraworld.kb.units import Unit
from narraworld.world import World

LETTER = """Nell wrote to old Brand in Ada's name that Ada was in Rome. Two days later Brand read it, and never doubted it.
"I am Mrs. Lane," Nell told the clerk. The clerk thought nothing of it. Pim stood in the shop with a broom. Nell came in, and
said into the telephone that the letter was a copy. "The king is in the cellar," joked Pim to Brand. Nell kept it from Brand
that Ada was in Hull, and only Pim was in on it. Brand saw Pim at the window of the shop, and stayed."""
FERRY = (
    """Pim went to the ferry. In the shop Nell burned the letter. Brand met Ada in Hull and saw her there."""
)


CAST = {
    "Character": {"nell": "Nell wrote", "brand": "old Brand", "ada": "Ada's name", "clerk": "told the clerk", "pim": "Pim stood",
                  "king": "The king"},
    "Place": {"rome": "Rome", "hull": "Hull", "shop": "in the shop", "cellar": "the cellar"},
    "Object": {"letter": "letter was a copy"},
}  # fmt: skip


def letter() -> Delta:
    made = Delta(Unit("ch01", 1, LETTER))
    for kind, named in CAST.items():
        for name, quote in named.items():
            made.add(kind, name, name=name.title(), quote=quote)
    wrote, told = (
        "Nell wrote to old Brand in Ada's name that Ada was in Rome",
        '"I am Mrs. Lane," Nell told the clerk',
    )
    made.add("Speech", "forge", kind="write", speaker="nell", addressee="brand", claim="ada.location.rome", manner="lies",
             medium="writing", quote=wrote)  # fmt: skip
    made.add("Event", "read", kind="read", agent="brand", patient="letter", quote="Brand read it")
    made.add(
        "Access",
        holder="brand",
        proposition="ada.location.rome",
        mode="reading",
        at="read",
        quote="Brand read it",
    )
    made.add("Speech", "sign-in", kind="say", speaker="nell", addressee="clerk", claim="nell.name:Lane", manner="lies",
             quote=told)  # fmt: skip
    made.add(
        "Presence",
        holder="nell",
        place="shop",
        movement="present",
        quote="Nell came in",
    )
    made.add("Presence", holder="pim", place="shop", movement="present", quote="Pim stood in the shop")
    made.add("Speech", "call", kind="say", speaker="nell", claim="letter.condition:copied", manner="asserts", medium="telephone",
             quote="said into the telephone that the letter was a copy")  # fmt: skip
    made.add("Speech", "jest", kind="say", speaker="pim", addressee="brand", claim="king.location.cellar", manner="jokes",
             quote='"The king is in the cellar," joked Pim to Brand')  # fmt: skip
    made.add("Secret", holder="nell", proposition="ada.location.hull", keptFrom="brand", sharedWith="pim",
             quote="Nell kept it from Brand\nthat Ada was in Hull")  # fmt: skip
    made.add(
        "Event",
        "glimpse",
        kind="see",
        agent="brand",
        patient="pim",
        quote="Brand saw Pim at the window of the shop",
    )
    made.add("State", proposition="pim.location.shop", quote="Pim at the window of the shop")
    made.add(
        "Access",
        holder="brand",
        proposition="pim.location.shop",
        mode="observation",
        at="glimpse",
        quote="Brand saw Pim",
    )
    made.add("Presence", holder="brand", place="shop", movement="present", quote="and stayed")
    return made


def ferry() -> Delta:
    made = Delta(Unit("ch02", 2, FERRY))
    made.add("Place", "ferry", name="ferry", quote="the ferry")
    made.add("Event", "go", kind="go", agent="pim", destination="ferry", quote="Pim went to the ferry")
    made.add("State", proposition="pim.location.ferry", at="go", quote="Pim went to the ferry")
    made.add(
        "Event",
        "burn",
        kind="burn",
        agent="nell",
        patient="letter",
        place="shop",
        quote="In the shop Nell burned the letter",
    )
    made.add(
        "Event",
        "meet",
        kind="meet",
        agent="brand",
        patient="ada",
        place="hull",
        quote="Brand met Ada in Hull",
    )
    made.add("State", proposition="ada.location.hull", quote="met Ada in Hull")
    made.add(
        "Access",
        holder="brand",
        proposition="ada.location.hull",
        mode="observation",
        at="meet",
        quote="saw her there",
    )
    return made


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with World.open(tmp_path_factory.mktemp("deceptions"), create=True) as world:
        for made in (letter(), ferry()):
            assert world.commit(made).refusals == ()
        yield world


def ask(world: World, goal: str, at: str) -> set[tuple[str, ...]]:
    return {tuple(str(value) for value in row) for row in world.query(goal, at=at).rows}


@pytest.mark.parametrize(
    ("goal", "at", "rows"),
    [
        ("deceives(Who, Whom, P)", "ch01", {("nell", "brand", "ada.location.rome"), ("nell", "clerk", "nell.name:Lane")}),
        ("mistaken(Who, P, Truth)", "ch01", {("brand", "ada.location.rome", "ch01/forge")}),
        ("found_out(Whom, Who, P)", "ch01", set()),
        ("found_out(Whom, Who, P)", "ch02", {("brand", "nell", "ada.location.rome")}),
        ("mistaken(Who, P, Truth)", "ch02", set()),
        ('knows_otherwise(Who, "ada.location.rome")', "ch02", {("nell",), ("brand",)}),
        ("withholds(Who, Whom, P)", "ch01", {("nell", "brand", "ada.location.hull")}),
        ("withholds(Who, Whom, P)", "ch02", set()),
        ('believes(Who, "ada.location.hull")', "ch01", {("nell",), ("pim",)}),
        ('hears(Who, Speech, "letter.condition:copied", When)', "ch01", {("pim", "ch01/call")}),
        ('hears(Who, Speech, "king.location.cellar", When)', "ch01", set()),
        ('perceives(Who, "ch02/burn", Mode)', "ch02", {("nell", "participation")}),
        ("last_knew(Who, P, Truth)", "ch02", {("brand", "pim.location.shop")}),
    ],
)  # fmt: skip
def test_what_is_asked_of_minds(world: World, goal: str, at: str, rows: set[tuple[str, ...]]) -> None:
    found = ask(world, goal, at)
    width = max(map(len, rows or found), default=0)
    assert {row[:width] for row in found} == rows


def test_a_deception_is_proved_by_the_words_of_the_lie(world: World) -> None:
    proof = str(world.why("deceives(nell, brand, P)", at="ch01"))

    assert "Nell wrote to old Brand in Ada's name" in proof and "Brand read it" in proof


def test_knows_has_events_and_says_who_knows_otherwise(world: World) -> None:
    matrix = world.knows(at="ch02")

    assert "ch02/burn" in matrix.events and matrix.cells["ch02/burn", "nell"] == "knows"
    assert matrix.cells["ada.location.rome", "brand"] == "knows otherwise"
    assert matrix.cells["pim.location.shop", "brand"] == "last knew"
