"""The bench of private minds on a story of three sentences: what is right, what leaks, and what is said without a recording."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.__main__ import main
from bench.minds.minds_gold import GoldStory, Told, load_gold, needs_of_another
from bench.minds.minds_matching import Matching
from bench.minds.needs_met import TellingContext
from narraworld.kb.delta import Delta
from narraworld.kb.units import Unit
from narraworld.world import World

CHAPTER = "# The key\n\nMara hid the brass key in the drawer. Leo slept in the garden.\n"
GOLD = """
[story]
title = "Key"
characters = ["Mara", "Leo"]

[[matter]]
id = "m1"
says = "Mara hid the brass key in the drawer"
true = true
quote = {chapter = "01", words = "Mara hid the brass key in the drawer."}

[[cell]]
matter = "m1"
who = "Mara"
after = "01"
state = "knows"

[[cell]]
matter = "m1"
who = "Leo"
after = "01"
state = "unaware"

[[hidden]]
from = "Leo"
until = "end"
words = ["brass key"]

[[hidden]]
from = "Mara"
until = "end"
words = ["brass key"]

[[question]]
ask = "How much did the lamp cost?"
answer = "not said"
after = "01"
"""


def test_minds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    story = tmp_path / "key"
    story.mkdir()
    (story / "01.md").write_text(CHAPTER, "utf-8")
    (story / "gold.toml").write_text(GOLD, "utf-8")

    assert main(["minds", "--data", str(tmp_path)]) == 0
    *told, last = capsys.readouterr().out.splitlines()
    figures = json.loads(last)
    assert figures["model"] is None
    assert any("no strong.jsonl" in line for line in told)
    assert {
        name: figures["embedded"][name]
        for name in ("leaks", "stated", "cells", "ask", "wrong_answers", "threads")
    } == {"leaks": 1, "stated": 1.0, "cells": 1.0, "ask": 1.0, "wrong_answers": 0, "threads": None}


def test_a_name_with_a_possessor_is_another_s(tmp_path: Path) -> None:
    made = Delta(Unit("01", 1, "Maureen's sister sang to Maureen, and her sister sang again."))
    made.add("Character", "sister", name="Maureen's sister")
    made.add("Character", "maureen", name="Maureen")
    made.add(
        "Event", kind="sing", agent="sister", recipient="maureen", quote="Maureen's sister sang to Maureen"
    )
    made.add("Event", kind="sing", agent="sister", quote="her sister sang again")
    with World.open(tmp_path / "choir", create=True) as world:
        assert world.commit(made).refusals == ()
        told = Told(world.scope(), GoldStory("choir", (), {}, None, {}))
        assert [told.who(name) for name in ("Maureen", "sister")] == ["maureen", "sister"]


def test_data_is_found_from_where_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    story = tmp_path / "key"
    story.mkdir()
    (story / "01.md").write_text(CHAPTER, "utf-8")
    (story / "gold.toml").write_text(GOLD, "utf-8")
    monkeypatch.chdir(tmp_path)

    assert main(["minds", "--data", ".", "--only", "cells"]) == 0


def matched(world: World, says: str, *, true: bool = True, quoted: str = "") -> list[tuple[str, bool]]:
    quote = {"quote": {"chapter": "01", "words": quoted}} if quoted else {}
    found = Matching(world.scope(), {})({"id": "m", "says": says, "true": true, **quote})
    return [(one.node, one.says) for one in found]


def test_a_matter_may_call_people_by_any_of_their_names(tmp_path: Path) -> None:
    """Who is really who is told by the name; who died by being dead; and that it was said of what is not so tells of no mind."""
    made = Delta(
        Unit("01", 1, "Miss Vane was in truth the lost Rosa. She was tall. 'The girl died,' said Miss Vane.")
    )
    made.add("Character", "vane", name="Miss Vane")
    made.add("Naming", entity="vane", name="Rosa", quote="the lost Rosa")
    made.add("State", proposition="vane.name:Rosa", quote="Miss Vane was in truth")
    made.add("State", proposition="vane.height:tall", quote="She was tall")
    made.add(
        "Speech", "says", kind="say", speaker="vane", claim="vane.alive:died", manner="asserts",
        quote="'The girl died,' said Miss Vane",
    )  # fmt: skip
    with World.open(tmp_path / "names", create=True) as world:
        assert world.commit(made).refusals == ()
        assert matched(world, "Miss Vane is really Rosa") == [("vane.name:Rosa", True)]
        assert matched(world, "Rosa was tall") == [("vane.height:tall", True)]
        died = matched(world, "Rosa died long ago in the big house", true=False, quoted="The girl died")
        assert died == [("vane.alive:died", True)]


CONTEXT = """B: Leo
[01]
- does not know that Mara has the brass key (01.md:3:1)
In the text
[01]
- Mara hid the brass key in the drawer. Leo slept in the garden. (01.md:3:1)
- The rain went on for a week, and the roof, the cellar, the barn, the drawer of bread and the drawer of knives were wet. (01.md:5:1)
- "A clock struck," said Mara. (01.md:7:1)
- "A door creaked," said Leo. (01.md:8:1)
"""


@pytest.mark.parametrize(
    ("fact", "told"),
    [
        ("Mara hid the key", True),
        ("The drawer was wet", False),  # both words stand in one line, and it tells of much else
        ("Mara hid something in the garden, where Leo slept", False),  # half of it in each of two sentences
        ("Leo does not know of the brass key", True),  # by whose mind it is
        ("Leo knows of the brass key", False),
        ("Mara is in Lisbon", False),  # a name alone
    ],
)
def test_what_a_context_tells(fact: str, *, told: bool) -> None:
    assert TellingContext(CONTEXT).in_a_sentence(fact) is told


@pytest.mark.parametrize(
    ("fact", "told"),
    [
        ("The drawer was wet", True),
        ("Mara hid something in the garden, where Leo slept", True),  # in two sentences of one line
        ("Leo does not know of the brass key", True),  # by whose mind it is
        ("Leo heard a clock strike in Lisbon, at the inn by the sea", False),  # too little of it
        ("Mara is in Lisbon", False),
    ],
)
def test_what_a_line_of_a_context_tells(fact: str, *, told: bool) -> None:
    assert TellingContext(CONTEXT).in_a_line(fact) is told


def test_the_needs_of_another_story(tmp_path: Path) -> None:
    for name, facts in (("ann", '["Ann sings"]'), ("ben", '["Ben digs", "Ben rests"]'), ("cy", "[]")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "01.md").write_text("They met.")
        (tmp_path / name / "gold.toml").write_text(f"[[need]]\nfacts = {facts}\n")

    assert needs_of_another(load_gold(tmp_path / "ann")) == ["Ben digs", "Ben rests"]
    assert needs_of_another(load_gold(tmp_path / "cy")) == ["Ann sings"]
