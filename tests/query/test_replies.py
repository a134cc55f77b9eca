"""A yes or a no in a talk answers the question it replies to, of whomever that was about, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from narraworld.world import World

TOLD = "Tom and Ada sat down in the kitchen with Ruth. Leo was away."
TWO = """“Have you read the letter?” Ruth asked Tom.

“No,” said Tom.

“Have you read the letter, Ada?” Ruth asked.

“Yes,” said Ada."""
OF_LEO = """“Did Leo read the letter?” asked Ada.

“No,” said Tom."""
IN_BETWEEN = """“Did Leo read the letter?” asked Ada.

“Is it cold out there?” said Ada.

“No,” said Tom."""
UNANSWERED = "“Have you read the letter, Tom?” asked Ruth."


@pytest.mark.parametrize(
    ("talk", "question", "verdict"),
    [
        (TWO, "Has Tom read the letter?", False),
        (TWO, "Has Ada read the letter?", True),
        (TWO, "Has Ruth read the letter?", None),
        (TWO, "Has Leo read the letter?", None),
        (OF_LEO, "Did Leo read the letter?", False),
        (OF_LEO, "Did Tom read the letter?", None),
        (OF_LEO, "Did Ada read the letter?", None),
        (IN_BETWEEN, "Did Leo read the letter?", None),
        (UNANSWERED, "Has Tom read the letter?", None),
    ],
)
def test_a_reply_is_to_its_question(tmp_path: Path, talk: str, question: str, verdict: bool | None) -> None:
    (tmp_path / "ch01.md").write_text(f"{TOLD}\n\n{talk}\n")
    with World.open(tmp_path, create=True) as world:
        world.read(tmp_path / "ch01.md")

        assert world.ask(question).verdict is verdict
