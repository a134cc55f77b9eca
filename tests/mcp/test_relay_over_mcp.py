"""An agent reads a bundled story with its own model: the SDK's own client over stdio, and recorded answers for a mind."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from places import STORIES

from narraworld.extract.sources import read_sources
from narraworld.mcp.tools import call, relay_tools
from narraworld.models.recordings import Replay, recorded_answers
from narraworld.query.memory.tokens import counter
from narraworld.reading.order import in_place
from narraworld.reading.with_model import read_with_model
from narraworld.relay.errand import Errand, Relay
from narraworld.world import World

STORY = STORIES / "crossing"
LIGHTEST = 300  # tokens that both tools may weigh


def journal(where: Path) -> list[tuple[str, str]]:
    with World.open(where) as world:
        return [(entry.unit, entry.body_sha) for entry in world.store.log()]


def replayed(where: Path) -> list[tuple[str, str]]:
    async def read(world: World) -> None:
        pieces = in_place(world.story, read_sources([str(STORY / "chapters")]))
        async for _ in read_with_model(world.story, pieces, Replay(STORY / "recorded.jsonl")):
            pass

    with World.open(where, create=True) as world:
        asyncio.run(read(world))
    return journal(where)


class Mind:
    """Remembers the answers of the recording by kind, and by the words that every one of them quotes."""

    def __init__(self) -> None:
        self.answers = [(one.prompt, one.answer) for one in recorded_answers(STORY / "recorded.jsonl")]

    def __call__(self, id: str, question: str) -> Any:
        kind = id.rpartition("-")[0]
        told = " ".join(re.sub(r"^\d+ ", "", question, flags=re.MULTILINE).split())
        fits = [answer for name, answer in self.answers if name == kind and fitting(answer, told)]
        if kind == "plotlines":  # over every prefix of the story; here over the whole of it, in two questions
            fits = [answer for name, answer in self.answers if name == kind][-2:][self.drawn() :]
        return fits[0]

    def drawn(self) -> int:
        self.plotlines = getattr(self, "plotlines", -1) + 1
        return int(self.plotlines)


def fitting(answer: dict[str, list[Any]], told: str) -> bool:
    quotes = [item["quote"] for some in answer.values() for item in some if "quote" in item]
    return all(" ".join(quote.split()) in told for quote in quotes)


async def read_as_agent(where: Path) -> dict[str, Any]:
    """Loop over the two tools until nothing is left; what was met on the way."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "narraworld", "mcp", "--relay", "--world", str(where), str(STORY / "chapters")],
    )
    met: dict[str, Any] = {"units": [], "with_instructions": [], "tokens": 0}
    mind = Mind()
    async with Client(server) as client:
        met["tools"] = (await client.list_tools()).model_dump(by_alias=True, exclude_none=True)["tools"]
        wrong = await client.call_tool("give_answer", {"id": "events-0", "answer": {}})
        met["wrong"] = (wrong.is_error, wrong.content[0].text)
        while True:
            asked = await client.call_tool("next_question", {})
            if asked.structured_content["done"]:
                return met
            question, id = asked.content[0].text, asked.structured_content["id"]
            met["tokens"] += counter()(question)
            if "Your task now" in question:
                met["with_instructions"].append(id.rpartition("-")[0])
            given = await client.call_tool("give_answer", {"id": id, "answer": mind(id, question)})
            assert not given.is_error, given.content[0].text
            met["units"] += given.structured_content["unit_done"]


@pytest.mark.slow
def test_a_whole_story_is_read_through_the_two_tools(tmp_path: Path) -> None:
    met = asyncio.run(read_as_agent(tmp_path / "agent"))
    assert [one["name"] for one in met["tools"]] == ["next_question", "give_answer"]
    assert counter()(json.dumps(met["tools"], separators=(",", ":"))) <= LIGHTEST
    assert met["wrong"] == (
        True,
        "no question 'events-0' is open\n  it was answered, or the text has changed since: narraworld relay next",
    )
    assert met["with_instructions"] == ["entities", "events", "perspective", "changes", "plotlines"], (
        "once each"
    )
    assert met["units"][-1] == "plotlines" and len(met["units"]) == 6
    assert journal(tmp_path / "agent") == replayed(tmp_path / "replayed")


def test_a_call_that_means_nothing_is_answered_in_words(tmp_path: Path) -> None:
    (tmp_path / "ch01.md").write_text("Ann slept.\n", encoding="utf-8")
    relay = Relay(tmp_path)
    tools = relay_tools(relay, "agent")
    assert call(tools, "next_question", {}).data == {"done": True}
    relay.begin(Errand((str(tmp_path / "ch01.md"),)))
    assert call(tools, "forget", {}).text == "no tool is called forget; there are: next_question, give_answer"
    assert call(tools, "give_answer", {"id": "x"}).text == "give_answer needs answer"
    id = call(tools, "next_question", {}).data["id"]
    bad = call(tools, "give_answer", {"id": id, "answer": "not JSON"})
    assert bad.failed and "is no JSON" in bad.text and "stays open" in bad.text
    assert call(tools, "next_question", {}).data["id"] == id


def test_where_there_is_no_world_there_are_no_tools(narraworld: Callable[..., Any], tmp_path: Path) -> None:
    said = narraworld("mcp", "--world", tmp_path)
    assert said.code == 2 and "no .narraworld/ here" in said.err
