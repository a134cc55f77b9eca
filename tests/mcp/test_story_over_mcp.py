"""The story as tools: the SDK's own client in memory, over stdio and over HTTP; weights, pins, errors a model can act on."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, stdio_client
from small_desk import served

from narraworld.desk.answers.seen_story import SituationPins
from narraworld.desk.story_desk import StoryDesk
from narraworld.mcp.memory_tools import propose_tool, remember_tools
from narraworld.mcp.server import story_server
from narraworld.mcp.story_resources import PROMPTS
from narraworld.mcp.story_tools import FOR_MINDS, story_tools
from narraworld.mcp.tools import AgentTool, ToolReply, call
from narraworld.query.memory.tokens import counter
from narraworld.world import World

HEAVIEST, FLAGGED = 2000, 300  # tokens of the list, and of what a flag adds
CALLS: Mapping[str, dict[str, Any]] = {
    "overview": {}, "ask": {"question": "Where is Leo?"}, "knows": {}, "views": {}, "character": {"name": "Mara"}, "threads": {},
    "timeline": {}, "search": {"words": "Mara"}, "passage": {"of": "1"}, "why": {"goal": "happened(E)"}, "check": {},
    "context": {"task": "Mara and the key"}, "query": {"text": "named(R, E, N)"}, "compare": {"after": "r2"},
}  # fmt: skip


@pytest.fixture(scope="module")
def desk(novel: Path) -> Iterator[StoryDesk]:
    with StoryDesk(World.open(novel)) as desk:
        desk.remember()
        yield desk


def weight(tools: list[AgentTool]) -> int:
    listed = [{"name": one.name, "description": one.description, "inputSchema": one.schema} for one in tools]
    return counter()(json.dumps(listed, separators=(",", ":"), ensure_ascii=False))


def said(desk: StoryDesk, tool: str, pins: SituationPins | None = None, /, **given: Any) -> ToolReply:
    return call(story_tools(desk, pins or SituationPins()), tool, given)


def test_the_lists_are_light(desk: StoryDesk) -> None:
    assert weight(story_tools(desk, SituationPins())) < HEAVIEST
    assert weight(remember_tools(desk)) < FLAGGED
    assert weight([propose_tool(desk)]) < FLAGGED


@pytest.mark.parametrize("name", CALLS)
def test_every_tool_answers_in_words_and_as_data(name: str, desk: StoryDesk) -> None:
    reply = said(desk, name, **CALLS[name])
    assert not reply.failed, reply.text
    assert reply.text.strip()
    assert {"read_as", "next"} <= set(reply.data)
    json.dumps(reply.data)


def test_lists_are_cut_and_say_how_many_there_are(desk: StoryDesk) -> None:
    reply = said(desk, "timeline", limit=1)
    assert len(reply.data["results"]) == 1
    assert reply.data["total"] > 1
    assert "more; raise limit" in reply.text


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("query", {"text": "nosuch(X)"}, "nosuch"),
        ("character", {"name": "Marra"}, "did you mean Mara"),
        ("ask", {}, "ask needs question"),
        ("ask", {"question": "Where is Leo?", "colour": "red"}, "ask takes no colour"),
        ("views", {"at": "chapter 9"}, "no moment 'chapter 9' in this story"),
        ("nosuch", {}, "there are: overview"),
        ("passage", {"of": "no such words"}, "search(words) finds passages"),
    ],
)  # fmt: skip
def test_an_error_is_a_sentence_to_act_on(
    name: str, given: dict[str, Any], words: str, desk: StoryDesk
) -> None:
    reply = said(desk, name, **given)
    assert reply.failed
    assert words in reply.text


def test_a_pinned_mind_has_only_the_tools_it_could_use(desk: StoryDesk) -> None:
    pins = SituationPins(as_="Leo")
    assert {one.name for one in story_tools(desk, pins)} == FOR_MINDS
    refused = said(desk, "views", pins, **{"as": "Mara"})
    assert refused.failed and "pinned to as=Leo" in refused.text
    assert {one["who"] for one in said(desk, "knows", pins).data["results"]} <= {"Leo"}


def test_a_mind_that_is_not_pinned_sees_no_more(desk: StoryDesk) -> None:
    assert said(desk, "passage", of="1", **{"as": "Leo"}).failed


def test_what_is_told_is_all_there_is(desk: StoryDesk) -> None:
    pins = SituationPins(told="2")
    names = {one.name for one in story_tools(desk, pins)}
    assert "compare" not in names
    for name in names:
        reply = said(desk, name, pins, **CALLS[name])
        assert "tobin" not in (reply.text + json.dumps(reply.data)).lower()
        assert "cove" not in (reply.text + json.dumps(reply.data)).lower()
    assert said(desk, "passage", pins, of="03-the-cove").failed


async def talked(target: Any) -> None:
    async with Client(target) as client:
        assert "why" in {one.name for one in (await client.list_tools()).tools}
        found = await client.call_tool("knows", {"at": "2"})
        assert found.structured_content is not None and found.structured_content["total"] >= 0
        wrong = await client.call_tool("query", {"text": "nosuch(X)"})
        assert wrong.is_error


async def test_in_memory_with_resources_prompts_and_completions(desk: StoryDesk) -> None:
    server = story_server(desk, SituationPins())
    await talked(server)
    async with Client(server) as client:
        assert "story://threads" in {str(one.uri) for one in (await client.list_resources()).resources}
        chapter = await client.read_resource("story://chapter/01-the-inn")
        assert "Mara had green eyes" in chapter.contents[0].text  # type: ignore[union-attr]
        gone = await client.read_resource("story://chapter/nosuch")
        assert "no chapter" in gone.contents[0].text  # type: ignore[union-attr]
        assert {one.name for one in (await client.list_prompts()).prompts} == set(PROMPTS)
        prompt = await client.get_prompt("stay_in_character", {"name": "Leo", "at": "2"})
        assert "You are Leo" in prompt.messages[0].content.text  # type: ignore[union-attr]


async def test_over_stdio(novel: Path) -> None:
    command = ["-m", "narraworld", "mcp", "--world", str(novel)]
    await talked(stdio_client(StdioServerParameters(command=sys.executable, args=command)))


async def test_over_http_beside_the_page(novel_copy: Path) -> None:
    with served(novel_copy, agents=True) as page:
        await talked(f"{page.url}/mcp/")


def test_records_are_proposed_to_a_what_if_alone(novel_copy: Path) -> None:
    records = '[unit]\nid = "draft"\ntext = "Leo laughed."\norder = 9\n'
    with StoryDesk(World.open(novel_copy)) as desk:
        tools = [propose_tool(desk)]
        assert "never become the story" in call(tools, "propose", {"branch": "main", "records": records}).text
        reply = call(tools, "propose", {"branch": "draft-1", "records": records})
        assert not reply.failed, reply.text
        assert [one.name for one in desk.world.branches()] == ["draft-1"]
        assert len(desk.world.log()) == 3


def test_a_writing_agent_remembers_what_was_accepted(novel_copy: Path) -> None:
    with StoryDesk(World.open(novel_copy)) as desk:
        tools = remember_tools(desk)
        passage = {"text": "Mara's eyes were blue.", "title": "The Mirror"}
        kept = call(tools, "remember", passage)
        assert not kept.failed, kept.text
        assert any(line.startswith("NW111") for line in kept.data["gained"])
        again = call(tools, "remember", passage)
        assert (again.data["revision"], again.data["gained"]) == (kept.data["revision"], [])
        gone = call(tools, "forget", {"unit": kept.data["unit"]})
        assert gone.data["revision"] == kept.data["revision"] + 1


HOLDERS = "the key is in the clock — knows: Mara; nothing says so of: Leo"


def test_an_agent_chooses_the_lines_of_a_context_itself(desk: StoryDesk) -> None:
    """First it is shown lines and how to answer; what it names of them is packed first; of other lines nothing is taken."""
    task = {"task": "Leo comes back", "budget": 60, "at": "ch02"}
    laid = said(desk, "context", choose=True, **task)
    mark = laid.data["shown"]
    assert (
        f"shown: {mark!r}" in laid.text
        and f"<lines {mark}>" in laid.text
        and laid.data["next"] == "context(task, shown, chosen)"
    )
    line = next(one for one in laid.text.splitlines() if one.endswith(HOLDERS))
    chosen = [{"need": "where the key is", "rests_on": [int(line.partition(".")[0])]}]
    made = said(desk, "context", shown=mark, chosen=chosen, **task)
    assert HOLDERS in made.text and made.data["tokens"] <= 60
    assert HOLDERS not in said(desk, "context", **task).text
    unknown = said(desk, "context", shown=mark, chosen=[{"need": "x", "rests_on": [999]}], **task)
    assert unknown.data["notes"] == [f"the agent names line 999, and there are {laid.data['lines']}"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"shown": "00000000", "chosen": []}, "these are not the lines that were shown"),
        ({"chosen": [{"rests_on": [1]}]}, "chosen has not the shape asked for"),
    ],
)
def test_what_is_chosen_of_other_lines_is_refused(desk: StoryDesk, given: dict[str, Any], words: str) -> None:
    reply = said(desk, "context", task="Leo comes back", **given)
    assert reply.failed and words in reply.text
