"""What a model and an embedder say that read episodes at once; `instant_model` puts it behind an address.

Chat: the schema asked for tells who asks; it is filled from the episode whose mark in the prompt has the highest number, and a
schema nobody here knows gets the emptiest value that fits it. Embeddings: hashed words, 256 numbers, of length one.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from typing import Any

from bench.peers.episodes import MARK, Episode, episode

__all__ = ["SIZE", "answer", "says", "vector"]

SIZE = 256


# ---- what is said


def answer(prompt: str, schema: dict[str, Any] | None, name: str = "") -> Any:
    """What a careful model says of the episode that the prompt is about."""
    told, wanted = _read_in(prompt), set((schema or {}).get("properties", {}))
    if told and name.endswith("Answer"):
        return _for_us(told).get(name, {})
    if told and wanted & {"extracted_entities", "edges"}:
        return {part: value for part, value in _for_graphiti(told).items() if part in wanted}
    return _emptiest(schema, schema) if schema and wanted else _for_mem0(told)


def _read_in(prompt: str) -> Episode | None:
    """The newest episode that a prompt holds."""
    marks = [int(found) for found in MARK.findall(prompt)]
    return episode(max(marks)) if marks else None


def _for_mem0(told: Episode | None) -> dict[str, Any]:
    """It asks for plain JSON, without a schema."""
    return {"memory": [{"id": str(n), "text": text} for n, text in enumerate(told.sentences if told else ())]}


def _for_graphiti(told: Episode) -> dict[str, Any]:
    names = (told.giver, told.taker, told.witness, told.thing, told.room)
    pairs = ((told.giver, told.taker, "GAVE_TO", 0), (told.taker, told.thing, "HAS", 2))
    return {
        "extracted_entities": [{"name": name, "entity_type_id": 0} for name in names],
        "edges": [
            {"source_entity_name": one, "target_entity_name": other, "relation_type": kind, "fact": told.sentences[nth]}
            for one, other, kind, nth in pairs
        ],
    }  # fmt: skip


def _for_us(told: Episode) -> dict[str, dict[str, Any]]:
    """The answers of the stages of our own reader, by the name of their schema."""
    gave, _, put = told.sentences
    cast = [(told.giver, "character"), (told.taker, "character"), (told.witness, "character"), (told.thing, "object"), (told.room, "place")]  # fmt: skip
    entities = [
        {"quote": name, "number": n, "is_a": kind, "name": name} for n, (name, kind) in enumerate(cast, 1)
    ]
    events = [
        {
            "quote": gave,
            "number": 1,
            "what": "give",
            "realis": "actual",
            "agent": [1],
            "patient": [4],
            "recipient": [2],
        },
        {
            "quote": put,
            "number": 2,
            "what": "put",
            "realis": "actual",
            "agent": [2],
            "patient": [4],
            "destination": [5],
        },
    ]
    facts = [
        {
            "quote": gave,
            "number": 1,
            "subject": 4,
            "predicate": "possession",
            "object": 2,
            "truth": "asserted",
            "effect_of": 1,
        },
        {
            "quote": put,
            "number": 2,
            "subject": 4,
            "predicate": "location",
            "object": 5,
            "truth": "asserted",
            "effect_of": 2,
        },
    ]
    seen = {"quote": gave, "holder": 3, "event": 1, "mode": "observation", "gained_in": 1}
    return {
        "EntitiesAnswer": {"entities": entities},
        "EventsAnswer": {"events": events, "propositions": facts},
        "PerspectiveAnswer": {"accesses": [seen]},
    }


def _emptiest(schema: dict[str, Any], root: dict[str, Any]) -> Any:
    if "$ref" in schema:
        return _emptiest(root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root)
    if "anyOf" in schema:
        return (
            None
            if any(one.get("type") == "null" for one in schema["anyOf"])
            else _emptiest(schema["anyOf"][0], root)
        )
    if schema.get("type") == "object":
        return {name: _emptiest(part, root) for name, part in schema.get("properties", {}).items()}
    return {"array": [], "integer": 0, "number": 0, "boolean": False}.get(str(schema.get("type")), "")


def vector(text: str) -> list[float]:
    found = [0.0] * SIZE
    for word in re.findall(r"\w+", text.lower()):
        found[zlib.crc32(word.encode()) % SIZE] += 1.0
    length = math.sqrt(sum(one * one for one in found)) or 1.0
    return [one / length for one in found]


# ---- the address


def says(path: str, body: bytes) -> dict[str, Any]:
    """The document for one request, of embeddings or of a chat."""
    asked = json.loads(body)
    return _embedded(asked["input"]) if path.endswith("/embeddings") else _completion(asked)


def _embedded(texts: str | list[str]) -> dict[str, Any]:
    many = [texts] if isinstance(texts, str) else texts
    data = [{"object": "embedding", "index": n, "embedding": vector(text)} for n, text in enumerate(many)]
    return {"object": "list", "data": data, "model": "stub", "usage": {"prompt_tokens": 1, "total_tokens": 1}}


def _completion(asked: dict[str, Any]) -> dict[str, Any]:
    prompt = "\n".join(str(message.get("content")) for message in asked["messages"])
    if asked.get("tools"):
        tool = asked["tools"][0]["function"]
        said = json.dumps(answer(prompt, tool["parameters"], tool["name"]))
        call = {"id": "1", "type": "function", "function": {"name": tool["name"], "arguments": said}}
        message: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": [call]}
    else:
        form = (asked.get("response_format") or {}).get("json_schema", {})
        said = json.dumps(answer(prompt, form.get("schema"), form.get("name", "")))
        message = {"role": "assistant", "content": said}
    into, out = len(prompt) // 4, len(said) // 4
    usage = {"prompt_tokens": into, "completion_tokens": out, "total_tokens": into + out}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return {"id": "1", "object": "chat.completion", "created": 0, "model": "stub", "choices": [choice], "usage": usage}  # fmt: skip
