"""A page of plain prose, read offline, and what a new user asks of it: families, promises, mistakes, what may come."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from narraworld.commands.app import app
from narraworld.world import World

PIER = """# The pier

Captain Hale kept the logbook in the iron chest. Only Ruth Hale, his daughter, had seen it.

That night Hale carried the logbook to the lighthouse while Ruth slept. In the morning Ruth told Dr. Morrow that the logbook was
in the chest. Morrow believed her.

"I will bring you the logbook on Friday," said Ruth.

"If the storm comes, the ferry could be lost," Morrow said.
"""
STORM = """# The storm

Morrow opened the chest. It was empty. Ruth thought that Morrow had the logbook. She did not know that her father had taken the book.
"""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("pier")
    for name, text in (("01-pier.md", PIER), ("02-storm.md", STORM)):
        (folder / name).write_text(text)
    done = CliRunner().invoke(
        app, ["read", "--world", str(folder), *(str(one) for one in sorted(folder.glob("*.md")))]
    )
    assert done.exit_code == 0, done.output
    with World.open(Path(folder)) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        pytest.param("Who is Ruth's father?", ["Captain Hale"], id="her father"),
        pytest.param("Who is the daughter of Captain Hale?", ["Ruth"], id="his daughter"),
        pytest.param("Where is the logbook?", ["lighthouse"], id="where it is"),
        pytest.param("Where does Ruth think the logbook is?", ["iron chest"], id="where she saw it"),
        pytest.param("Who does Ruth think has the logbook?", ["Dr. Morrow"], id="who has it, she thinks"),
        pytest.param("What did Ruth promise?", ["Ruth: bring Morrow the logbook"], id="a promise"),
        pytest.param("What may happen?", ["If the storm comes, the ferry could be lost"], id="what may come"),
    ],
)
def test_what_is_asked_first(world: World, question: str, answers: list[str]) -> None:
    assert [line.words for line in world.ask(question).lines] == answers


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        pytest.param('knows("morrow", "not.logbook.location.iron-chest")', True, id="who opens the chest knows"),
        pytest.param('believes("morrow", "logbook.location.iron-chest")', False, id="and believes no longer"),
        pytest.param('unaware("ruth", "logbook.possession.captain-hale")', True, id="who does not know"),
    ],
)  # fmt: skip
def test_who_knows_what_in_the_end(world: World, query: str, holds: bool) -> None:
    assert bool(world.query(query).rows) == holds
