"""Every row of the table of respects stands in a bundled story, is asked for there from both sides, and is answered with its words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest
from places import STORIES

from narraworld.kb.propositions import Statement, parse_statement
from narraworld.kb.wording import Wording
from narraworld.ontology.respects import Respect, respects
from narraworld.query.ask.answer import Reply
from narraworld.world import World

ROWS = [*respects().rows.values()]
TOLD_IN = ("inn", "fox", "mended", "gate")  # one story after another, till every row is told


@dataclass(frozen=True)
class Told:
    """What a bundled story says in some respect: in which world, and in which words of the text."""

    world: World
    said: Statement
    quotes: frozenset[str]

    def ask(self, row: Respect, *, back: bool) -> Reply:
        wording = Wording(self.world.scope().names, respects())
        return self.world.ask(f"{wording.asked(row, self.said, back=back)}?")

    def answer(self, *, back: bool) -> str:
        return self.said.subject if back else str(self.said.object or self.said.value)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Told]]:
    """For each row the first that a bundled story of records says of it."""
    found: dict[str, Told] = {}
    with ExitStack() as worlds:
        for story in TOLD_IN:
            world = worlds.enter_context(World.open(tmp_path_factory.mktemp(story), create=True))
            for file in sorted((STORIES / story).glob("*.toml")):
                assert [unit.refusals for unit in world.read(file)] == [()]
            for name, one in _told_by(world):
                found.setdefault(name, one)
        yield found


def _told_by(world: World) -> Iterator[tuple[str, Told]]:
    """What states and states of mind say, each under the row that it is of."""
    for record, proposition in world.query('state(S, P, "asserted")').rows:
        said = parse_statement(str(proposition))
        row = respects().named(said.predicate)
        if row is not None and not said.negative:
            yield row.name, Told(world, said, _quotes(world, str(record)))
    for record, holder, proposition, attitude in world.query("attitude(A, H, P, K)").rows:
        said = Statement(str(holder), str(attitude), object=str(proposition))
        yield str(attitude), Told(world, said, _quotes(world, str(record)))


def _quotes(world: World, record: str) -> frozenset[str]:
    return frozenset(
        str(row[-1]) for row in world.query(f'evidence("{record}", Span), quote(Span, Words)').rows
    )


@pytest.mark.parametrize("back", [False, True], ids=["from whom", "from what"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_respect_is_asked_for_and_answered_in_a_bundled_story(
    told: dict[str, Told], row: Respect, back: bool
) -> None:
    one = told[row.name]
    reply = one.ask(row, back=back)
    right = [line for line in reply.lines if one.answer(back=back) in line.symbols]

    assert reply.outcome == "derived", reply.question
    assert [bool(one.quotes & {span.quote for span in line.spans}) for line in right] == [True], (
        reply.question,
        reply.lines,
    )


def test_a_number_of_something_else_is_no_floor(told: dict[str, Told]) -> None:
    """The best bedroom is on the second floor, the auction on the second of May."""
    inn = told["floor"].world

    assert [line.words for line in inn.ask("What is on the second of May?").lines] == ["auction"]
    assert [line.words for line in inn.ask("What is on the second floor?").lines] == ["best bedroom"]
