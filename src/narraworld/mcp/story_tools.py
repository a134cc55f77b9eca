"""The story as tools for an agent: what each is called, what it takes and what it answers. Knows no protocol.

Every answer is a text that reads well alone and the same as data, with the situation as it was read and one call that makes sense next.
Through a pinned mind only what that mind could tell is there: no quotation, no other mind, no tool that would need them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from narraworld.base.errors import NarraWorldError
from narraworld.base.settings import DEFAULTS
from narraworld.desk.answers.seen_story import SeenStory, SituationPins, seen_in
from narraworld.mcp import answered
from narraworld.mcp.tools import AgentTool, ToolArguments, ToolReply

if TYPE_CHECKING:
    from narraworld.desk.story_desk import StoryDesk

__all__ = ["FOR_MINDS", "INSTRUCTIONS", "SITUATION", "story_tools"]

STRING, NUMBER, YES, LIST = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}, {"type": "array"}
SITUATION = {  # with every tool: some hosts do not show a server's instructions to the model
    "at": {**STRING, "description": "story time: ch02, '02 scene 1', tick:6"},
    "told": {**STRING, "description": "nothing told later is seen"},
    "as": {**STRING, "description": "through whose eyes"},
    "branch": {**STRING, "description": "a what-if"},
}
INSTRUCTIONS = (
    "A story world read from a manuscript. Every tool takes at (story time), told (how far the telling has come), as (through one "
    "character's eyes) and branch; leave them out for now, the whole story. Moments: ch02, 'chapter 2', '02 scene 1', tick:6. "
    "Answers carry quotes and record ids: cite them. Possibilities are never facts."
)
FOR_MINDS = frozenset(
    {"overview", "ask", "knows", "views", "character", "threads", "timeline", "search", "context"}
)
UNCUT = frozenset({"compare"})  # compares whole worlds: not for a server that is pinned
ROWS = DEFAULTS.surfaces.agents.rows

ToolAnswers: TypeAlias = Callable[[SeenStory, ToolArguments], tuple[str, dict[str, Any], str]]

# name: what it is for, its own arguments, those it cannot do without, and what answers
TOOLS: Mapping[str, tuple[str, Mapping[str, Any], Sequence[str], ToolAnswers]] = {
    "overview": ("What the story holds: chapters, characters, threads, findings, and how moments and names are written. Call first.", {}, (), answered.overview),
    "ask": ("Answer a question in plain English, with quotes. Where/who/what/why/when, 'does X know …', 'where does X think … is'.", {"question": STRING}, ("question",), answered.ask),
    "knows": ("Who knows, wrongly believes, doubts or has heard what.", {"who": STRING, "about": STRING, "limit": NUMBER}, (), answered.knows),
    "views": ("The state of things: facts (W), beliefs (B), threads (D), possibilities (H).", {"part": {"enum": ["W", "B", "D", "H"]}, "limit": NUMBER}, (), answered.views),
    "character": ("One character: names, whereabouts, belongings, beliefs, threads, company.", {"name": STRING}, ("name",), answered.character),
    "threads": ("Promises, goals, conflicts, mysteries, with their status.", {"status": {"enum": ["open", "blocked", "resolved", "abandoned"]}}, (), answered.threads),
    "timeline": ("Events in story order or in the order told.", {"order": {"enum": ["happened", "told"]}, "who": STRING, "from": STRING, "to": STRING, "limit": NUMBER}, (), answered.timeline),
    "search": ('Words in the text. Whoosh query language: AND, OR, NOT, "phrase", who:leo, chapter:ch02.', {"words": STRING, "limit": NUMBER}, ("words",), answered.search),
    "passage": ("The text itself: a chapter, or the lines around a quote or record id.", {"of": STRING, "lines": NUMBER}, ("of",), answered.passage),
    "why": ("Proof of a statement or finding key down to the quotes; if it does not hold, what is missing.", {"goal": STRING}, ("goal",), answered.why),
    "check": ("Continuity findings, each with both passages and a key.", {"select": STRING, "since": STRING, "limit": NUMBER}, (), answered.check),
    "context": ("Memory for writing the next passage, within a token budget. choose: see the lines and name those the scene needs.", {"task": STRING, "budget": NUMBER, "choose": YES, "shown": STRING, "chosen": LIST}, ("task",), answered.context),
    "query": ("Datalog over the derived relations: mistaken(Who, P, Truth). story://rules lists them.", {"text": STRING, "limit": NUMBER}, ("text",), answered.query),
    "compare": ("What differs between the story and a what-if, or two revisions (r3).", {"before": STRING, "after": STRING}, ("after",), answered.compare),
}  # fmt: skip


def story_tools(desk: StoryDesk, pins: SituationPins) -> list[AgentTool]:
    """The tools that a server with these pins has."""
    return [_tool(name, desk, pins) for name in TOOLS if _is_shown(name, pins)]


def _is_shown(name: str, pins: SituationPins) -> bool:
    if pins.as_:
        return name in FOR_MINDS
    return not (pins and name in UNCUT)


def _tool(name: str, desk: StoryDesk, pins: SituationPins) -> AgentTool:
    description, own, required, answer = TOOLS[name]
    properties = {**own, **({} if name in UNCUT else SITUATION)}
    schema: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        schema["required"] = list(required)

    def run(given: ToolArguments) -> ToolReply:
        _check_names(name, given, properties)
        seen = seen_in(desk, {key: str(value) for key, value in given.items() if key in SITUATION}, pins)
        if seen.eyes and name not in FOR_MINDS:
            seen.authors_only(f"`{name}`")
        text, data, following = answer(seen, given)
        read_as = {
            **{key: seen.address.get(key) for key in ("at", "told", "as")},
            "branch": seen.situation.branch,
            "said": seen.ruler.said,
        }
        return ToolReply(text, {**data, "read_as": read_as, "next": following})

    return AgentTool(name, description, schema, run)


def _check_names(name: str, given: ToolArguments, known: Mapping[str, Any]) -> None:
    strange = [one for one in given if one not in known]
    if strange:
        raise NarraWorldError(f"{name} takes no {', '.join(strange)}", fix=f"it takes: {', '.join(known)}")
