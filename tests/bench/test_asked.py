"""Questions of gold laid out as pages, answered beside them, recorded and replayed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bench.minds.asked import RECORDED, lay_out, opened, recorded_mind, take_in
from narraworld.models.planner import answering_with, choosing_with
from narraworld.models.recordings import Replay
from narraworld.query.ask.answer import Reply
from narraworld.query.ask.in_words.shown import MindAtHand
from narraworld.query.memory.by_mind.scene_shown import ChoosingMind
from narraworld.query.memory.needs import MemoryContext
from narraworld.relay.errors import BadAnswer
from narraworld.world import World

QUESTION = "Where does Leo suppose the key to be?"


def test_what_is_answered_on_a_page_is_replayed(stories: dict[str, World], tmp_path: Path) -> None:
    def ask(mind: MindAtHand) -> Reply:
        return stories["key"].ask(QUESTION, at="ch02", mind=mind)

    pages, file = tmp_path / "pages", tmp_path / RECORDED
    lay_out(pages, 1, ask, answering_with)
    page = (pages / "01-question.md").read_text("utf-8")
    assert QUESTION in page and "rests_on: [n]" in page and take_in(pages, file) == 0
    number = re.search(r"^(\d+)\. Leo left the key", page, re.MULTILINE)
    assert number is not None
    answer = pages / "01-answer.json"
    answer.write_text(json.dumps({"outcome": "answered", "answer": "drawer", "rests_on": [int(number[1])]}))
    lay_out(pages, 1, lambda _: pytest.fail("an answered page is left as it is"), answering_with)
    assert take_in(pages, file) == 1
    reply = ask(recorded_mind(file))
    assert (reply.worded_by, [line.words for line in reply.lines]) == ("strong-reader", ["drawer"])


def test_an_answer_of_another_shape_is_named(stories: dict[str, World], tmp_path: Path) -> None:
    lay_out(tmp_path, 1, lambda mind: stories["key"].ask(QUESTION, mind=mind), answering_with)
    (tmp_path / "01-answer.json").write_text('{"outcome": "perhaps"}')
    with pytest.raises(BadAnswer, match="shape"):
        take_in(tmp_path, tmp_path / RECORDED)


def test_what_is_chosen_for_a_scene_on_a_page_is_replayed(stories: dict[str, World], tmp_path: Path) -> None:
    def made(mind: ChoosingMind | None) -> MemoryContext:
        return stories["key"].context("Leo comes back", at="ch02", budget=60, mind=mind)

    pages, file = tmp_path / "pages", tmp_path / "chosen.jsonl"
    lay_out(pages, 1, made, choosing_with)
    page = (pages / "01-question.md").read_text("utf-8")
    assert "needs: [{need: words, rests_on?: [n]}]" in page
    number = re.search(r"^(\d+)\. possible: Leo finds", page, re.MULTILINE)
    assert number is not None and "possible: Leo finds" not in made(None).text
    answer = {"needs": [{"need": "what may come", "rests_on": [int(number[1])]}]}
    (pages / "01-answer.json").write_text(json.dumps(answer))
    assert take_in(pages, file) == 1
    assert "possible: Leo finds" in made(choosing_with(lambda: opened(Replay(file)))).text
