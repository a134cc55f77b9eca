"""Our own time for one unit read through a model that answers at once, at unit 10 and at unit 1,000; and what it asks for.

A server in a process of its own answers without delay, so that processor time here is ours alone: prompts, client,
grounding, SHACL, journal, clocks, derived tables. Between the measured points the story grows in bulk, as in `append`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bench.frame import Figures, peak_mb, show
from bench.instant_model import served
from bench.scale.append import CAST, PLACES, THINGS, opening
from bench.scale.append import unit_of as told
from narraworld.extract.model.port import Usage
from narraworld.extract.sources import Piece
from narraworld.extract.sources.places import Places
from narraworld.kb.units import Unit
from narraworld.models.environment import ModelSettings, Secret
from narraworld.models.prices import estimate_tokens
from narraworld.reading.with_model import ReadingSettings, read_with_model
from narraworld.world import World

__all__ = ["add_options", "run"]

POINTS = (10, 1_000)
DEEDS, WORDS = 8, 1_500
PAPER_CALLS, PAPER_WORDS = 200, 8_800
UNITS_ALONE = ReadingSettings(plotlines_every=None)
FILLER = "and so the wind went round the yard all night while nobody counted the hours. "


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--points", type=int, nargs="+", default=list(POINTS), metavar="N", help="units before"
    )
    parser.add_argument("--rounds", type=int, default=7, help="units measured at each length")


@dataclass(frozen=True, slots=True)
class Lap:
    """One unit: processor and wall seconds of ours, and what was asked."""

    cpu: float
    wall: float
    usage: Usage
    words: int


def run(options: argparse.Namespace) -> Figures:
    with (
        tempfile.TemporaryDirectory() as folder,
        World.open(folder, create=True) as world,
        served(says) as url,
    ):
        world.commit(opening())
        laps = {point: _laps(world, point, options.rounds, url) for point in options.points}
    cpu = {point: statistics.median(lap.cpu for lap in some) * 1e3 for point, some in laps.items()}
    wall = {point: statistics.median(lap.wall for lap in some) * 1e3 for point, some in laps.items()}
    rows = [[f"{point:,}", f"{cpu[point]:.1f}", f"{wall[point]:.1f}"] for point in laps]
    show("one unit of 1,500 words, apart from the model", ["units before", "processor ms", "wall ms"], rows)
    per_word = _asked([lap for some in laps.values() for lap in some])
    first, last = options.points[0], options.points[-1]
    return per_word | {
        f"ms_per_unit_{last}": cpu[last],
        f"ratio_{last}_{first}": cpu[last] / cpu[first],
        "processor_ms": {str(point): ms for point, ms in cpu.items()},
        "wall_ms": {str(point): ms for point, ms in wall.items()},
        "rss_mb": peak_mb(),
    }


def _asked(laps: Sequence[Lap]) -> dict[str, float]:
    """Calls and tokens by the length of the text, beside what the paper needs. One item a unit is asked again."""
    total, words = sum((lap.usage for lap in laps), Usage()), sum(lap.words for lap in laps)
    calls = total.calls / words
    tokens = [total.prompt_tokens / words * 1e3, total.answer_tokens / words * 1e3]
    rows = [
        [
            "ours",
            f"{calls * 1e3:.1f}",
            f"{tokens[0]:,.0f}",
            f"{tokens[1]:,.0f}",
            f"{calls * PAPER_WORDS:.0f}",
        ],
        ["the paper", f"{PAPER_CALLS / PAPER_WORDS * 1e3:.1f}", "", "", f"about {PAPER_CALLS}"],
    ]
    names = ["for 1,000 words", "calls", "prompt tokens", "answer tokens", f"calls for {PAPER_WORDS:,} words"]
    show("what is asked, without consolidation", names, rows)
    return {
        "calls_per_8800_words": calls * PAPER_WORDS,
        "prompt_tokens_per_1000_words": tokens[0],
        "answer_tokens_per_1000_words": tokens[1],
    }


# -- reading


def _laps(world: World, point: int, rounds: int, url: str) -> list[Lap]:
    """Grow to ``point`` units, then read ``rounds`` more through the client; the first warms up and is not counted."""
    head = world.store.snapshot().revision
    for number in range(head, point):
        delta = told(number)
        world.store.commit(delta.unit.id, delta.graph)
    world.story.living()
    begin = max(head, point)
    return asyncio.run(_read(world, range(begin, begin + rounds + 1), url))[1:]


async def _read(world: World, numbers: range, url: str) -> list[Lap]:
    from narraworld.models.openai import OpenAIModel

    settings = ModelSettings("instant", url, Secret("none"), mode="tools")
    laps = []
    async with OpenAIModel(settings) as model:
        for number in numbers:
            piece = _piece(number)
            cpu, wall = time.process_time(), time.perf_counter()
            [done] = [one async for one in read_with_model(world.story, [piece], model, settings=UNITS_ALONE)]
            used = time.process_time() - cpu, time.perf_counter() - wall
            if done.outcome != "read" or done.usage is None:
                raise RuntimeError(f"{done.unit} was not read: {done.why}")
            laps.append(Lap(*used, done.usage, len(piece.unit.text.split())))
    return laps


def _piece(number: int) -> Piece:
    """Eight deeds of people everybody knows, and weather up to the usual length of a unit."""
    deeds = [_deed(number * DEEDS + step) for step in range(DEEDS)]
    weather = FILLER * ((WORDS - 8 * DEEDS) // len(FILLER.split()) // DEEDS)
    text = "\n\n".join(f"{deed}. {weather.strip()}" for deed in deeds)
    return Piece(Unit(f"u{number}", number, text), (), (), Places((), ()))


def _deed(number: int) -> str:
    who, what, where = (number * 7) % CAST, (number * 13) % THINGS, (number * 11) % PLACES
    return f"Then person {who} takes thing {what} to place {where}"


# -- a model that answers at once


def says(path: str, body: bytes) -> dict[str, Any]:
    """The document for one request; every path is the chat's."""
    return _completion(json.loads(body))


def _completion(request: dict[str, Any]) -> dict[str, Any]:
    name = request["tools"][0]["function"]["name"]
    said = json.dumps(_answer(name, request["messages"][1]["content"].partition("The passage:")[2]))
    call = {"id": "1", "type": "function", "function": {"name": name, "arguments": said}}
    prompt, answer = estimate_tokens(json.dumps(request)), estimate_tokens(said)
    usage = {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "instant",
        "usage": usage,
        "choices": [choice],
    }


def _answer(name: str, passage: str) -> dict[str, Any]:
    """What a careful model says of the deeds in the passage, with one invention to be refused and asked about again."""
    deeds = re.findall(r"(person \d+) takes (thing \d+) to (place \d+)", passage)
    match name:
        case "EntitiesAnswer":
            return {"entities": _entities(deeds)}
        case "EventsAnswer":
            return {"events": [*_events(deeds), _INVENTED], "propositions": _propositions(deeds)}
        case "PerspectiveAnswer":
            return {"presences": [_quoted(deed) | _presence(n) for n, deed in enumerate(deeds)]}
        case _:
            return {}


Deed = tuple[str, str, str]
_KINDS = ("character", "object", "place")
_INVENTED = {"quote": "nobody wrote this", "number": 99, "what": "vanish", "realis": "actual"}


def _quoted(deed: Deed) -> dict[str, Any]:
    return {"quote": f"{deed[0]} takes {deed[1]} to {deed[2]}"}


def _entities(deeds: Sequence[Deed]) -> list[dict[str, Any]]:
    """Three for each deed, so that those of deed n have the numbers 3n + 1, 3n + 2 and 3n + 3."""
    names = [(name, kind) for deed in deeds for name, kind in zip(deed, _KINDS, strict=True)]
    return [
        {"quote": name, "number": n, "is_a": kind, "name": name} for n, (name, kind) in enumerate(names, 1)
    ]


def _events(deeds: Sequence[Deed]) -> list[dict[str, Any]]:
    roles = [
        {"agent": [3 * n + 1], "patient": [3 * n + 2], "destination": [3 * n + 3]} for n in range(len(deeds))
    ]
    common = {"what": "take", "realis": "actual"}
    return [_quoted(deed) | common | {"number": n + 1} | roles[n] for n, deed in enumerate(deeds)]


def _propositions(deeds: Sequence[Deed]) -> list[dict[str, Any]]:
    said = {"predicate": "location", "truth": "asserted"}
    return [
        _quoted(deed)
        | said
        | {"number": n + 1, "subject": 3 * n + 2, "object": 3 * n + 3, "effect_of": n + 1}
        for n, deed in enumerate(deeds)
    ]


def _presence(number: int) -> dict[str, Any]:
    return {"holder": 3 * number + 1, "movement": "enters", "place": 3 * number + 3, "at": number + 1}
