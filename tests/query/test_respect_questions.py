"""Every row of the table of respects is asked for from both sides, and answered from a record with its words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from narraworld.kb.delta import Delta
from narraworld.kb.propositions import Statement
from narraworld.kb.units import Unit
from narraworld.kb.wording import Wording
from narraworld.ontology.respects import Respect, respects
from narraworld.world import World

ROWS = [*respects().rows.values()]
ENTITIES = {"person", "place", "thing", "entity"}
LETTERS = "abcdefghijklmnop"
NAMES = {
    f"{symbol}{nth}": f"{name}{LETTERS[nth // 16]}{LETTERS[nth % 16]}"
    for symbol, name in (("s", "Sor"), ("o", "Odr"))
    for nth in range(len(ROWS))
}


def recorded(nth: int, row: Respect) -> Statement:
    """What the little world says of this row: an entity of its own, and another or the example as its value."""
    if row.value in ENTITIES:
        return Statement(f"s{nth}", row.name, object=f"o{nth}")
    if row.value == "claim":
        return Statement(f"s{nth}", row.name, object=f"s{nth}.location.o{nth}")
    return Statement(f"s{nth}", row.name, value=row.example)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    lines = [f"Line {nth} is about {NAMES[f's{nth}']} and {NAMES[f'o{nth}']}." for nth in range(len(ROWS))]
    made = Delta(Unit("ch01", 1, " ".join(lines), title="All of it"))
    for symbol, name in NAMES.items():
        made.add("Character", symbol, name=name)
    for nth, row in enumerate(ROWS):
        made.add("State", proposition=recorded(nth, row).id, quote=lines[nth])
    with World.open(tmp_path_factory.mktemp("table"), create=True) as opened:
        assert opened.commit(made).refusals == ()
        yield opened


@pytest.mark.parametrize("nth", range(len(ROWS)), ids=[row.name for row in ROWS])
def test_both_directions_are_derived_with_proof(world: World, nth: int) -> None:
    said = recorded(nth, ROWS[nth])
    asked = [
        Wording(lambda one: NAMES.get(one, one), respects()).asked(ROWS[nth], said, back=back)
        for back in (False, True)
    ]
    replies = [world.ask(f"{question}?") for question in asked]

    assert [reply.outcome for reply in replies] == ["derived", "derived"], asked
    assert f"s{nth}" in {symbol for line in replies[1].lines for symbol in line.symbols}, (
        asked[1],
        replies[1].lines,
    )
    assert all(line.spans for reply in replies for line in reply.lines), asked
