"""What an agent may call: the tools as plain values, and what they answer. Knows no protocol.

A tool's failure is an answer too: a sentence that the agent can act on, never a traceback.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from narraworld.base.errors import NarraWorldError

if TYPE_CHECKING:
    from narraworld.relay.errand import Relay

__all__ = ["AgentTool", "ToolArguments", "ToolReply", "call", "relay_tools"]


ToolArguments: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolReply:
    """A text that reads well alone, and the same as data."""

    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    failed: bool = False


@dataclass(frozen=True, slots=True)
class AgentTool:
    """A tool: ``schema`` is that of its arguments, ``writes`` whether the store changes."""

    name: str
    description: str
    schema: Mapping[str, Any]
    run: Callable[[Mapping[str, Any]], ToolReply]
    writes: bool = False


def call(tools: Sequence[AgentTool], name: str, arguments: Mapping[str, Any]) -> ToolReply:
    """What a tool answers; what is wrong with the call is said in its words."""
    tool = next((one for one in tools if one.name == name), None)
    if tool is None:
        return _failure(f"no tool is called {name}; there are: {', '.join(one.name for one in tools)}")
    missing = [one for one in tool.schema.get("required", ()) if one not in arguments]
    if missing:
        return _failure(f"{name} needs {', '.join(missing)}")
    try:
        return tool.run(arguments)
    except NarraWorldError as error:
        return _failure(str(error))


def _failure(why: str) -> ToolReply:
    return ToolReply(why, {"error": why}, failed=True)


# -- the relay


def relay_tools(relay: Relay, name: str) -> list[AgentTool]:
    """Read with the agent's own model: questions out, answers in."""
    return [
        AgentTool(
            "next_question",
            "The next question of the reading under way. Answer it from its text alone, then give_answer. "
            "Instructions come with the first question of a kind and stay valid. done: nothing is left.",
            {"type": "object", "properties": {}},
            lambda _: _next_question(relay, name),
        ),
        AgentTool(
            "give_answer",
            "Answer a question of next_question: its id, and one JSON object of the shape it asks for.",
            {
                "type": "object",
                "properties": {"id": {"type": "string"}, "answer": {"type": "object"}},
                "required": ["id", "answer"],
            },
            lambda given: _give_answer(relay, name, given),
            writes=True,
        ),
    ]


def _next_question(relay: Relay, name: str) -> ToolReply:
    shown = relay.next(name)
    if shown is None:
        left = len(relay.desk.open())
        done = relay.errand() is None
        text = (
            "Nothing is left to answer." if done else f"{left} questions are lent to others; ask again later."
        )
        return ToolReply(text, {"done": done})
    return ToolReply(f"{shown.question.id}\n\n{shown.text}", {"done": False, "id": shown.question.id})


def _give_answer(relay: Relay, name: str, given: Mapping[str, Any]) -> ToolReply:
    answer = given["answer"]
    text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    progress = relay.answer(str(given["id"]), text, name)
    refused = [{"item": one.record, "why": one.message} for one in progress.refused]
    finished = [one.unit for one in progress.units if one.committed is not None]
    failed = [f"{one.unit}: {one.why}" for one in progress.units if one.committed is None]
    data = {
        "accepted": True,
        "refused": refused,
        "unit_done": finished,
        "failed": failed,
        "done": progress.done,
    }
    lines = ["Taken.", *(f"Refused {one['item']}: {one['why']}" for one in refused)]
    lines += [f"{unit} is read and kept." for unit in finished]
    lines += [f"{one}; it is asked about anew." for one in failed]
    return ToolReply(
        "\n".join([*lines, "The reading is done." if progress.done else "Go on with next_question."]), data
    )
