"""A scripted reader that makes things up: the worst model that still fills in forms, to see that nothing false gets in.

Half of what it gives has no words on the page; the other half quotes real sentences and says of them what it likes. The same answers
for the same page, every time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel

from narraworld.extract.model.port import Prompt, Told, Usage

__all__ = ["Inventor"]

Answer = TypeVar("Answer", bound=BaseModel)
Item = dict[str, Any]

MOST = 8  # items of each sort
MADE_UP = ("Lord Ashby drew his pistol", "the twins had never met", "It was all a dream")


class Inventor:
    """Behind the port: invents by the rules below."""

    model = "scripted-inventor"

    async def ask(self, prompt: Prompt, answer: type[Answer], /) -> Told[Answer]:
        told = INVENTS[prompt.name](prompt) if prompt.name in INVENTS else {}
        text = json.dumps(told)
        return Told(
            answer.model_validate(told), Usage(1, len(prompt.system + prompt.user) // 4, len(text) // 4)
        )


def _sentences(prompt: Prompt) -> list[str]:
    return re.findall(r"^\d+ (.+)$", prompt.given.get("passage", ""), re.MULTILINE)


def _listed(prompt: Prompt, name: str) -> list[int]:
    return [int(number) for number in re.findall(r"^(\d+)\. ", prompt.given.get(name, ""), re.MULTILINE)]


def _entities(prompt: Prompt) -> dict[str, Any]:
    names = re.findall(r"(?<=[a-z,] )([A-Z][a-z]+)", " ".join(_sentences(prompt)))
    real = [{"quote": one, "name": one, "is_a": "character"} for one in dict.fromkeys(names)]
    false = [{"quote": "Lord Ashby", "name": "Lord Ashby", "is_a": "character"}]
    return {"entities": [one | {"number": n} for n, one in enumerate([*real[:MOST], *false], 1)]}


def _events(prompt: Prompt) -> dict[str, Any]:
    who, quotes = _listed(prompt, "entities") or [1], [*_sentences(prompt)[:MOST], *MADE_UP]
    events = [
        {"quote": quote, "number": n, "what": "kill", "realis": "actual", "agent": [who[n % len(who)]],
         "patient": [who[(n + 1) % len(who)]]}
        for n, quote in enumerate(quotes, 1)
    ]  # fmt: skip
    states = [
        {"quote": quote, "number": n, "subject": who[n % len(who)], "predicate": "life", "value": "dead", "truth": "asserted"}
        for n, quote in enumerate(quotes, 1)
    ]  # fmt: skip
    return {"events": events, "propositions": states}


def _perspective(prompt: Prompt) -> dict[str, Any]:
    who, matters = _listed(prompt, "entities"), _listed(prompt, "propositions")
    quotes = [*_sentences(prompt)[:MOST], *MADE_UP]
    if not who or not matters:
        return {}
    minds: list[Item] = [
        {"quote": quote, "holder": who[n % len(who)], "proposition": matters[n % len(matters)]}
        for n, quote in enumerate(quotes)
    ]
    return {"attitudes": [one | {"attitude": "knows"} for one in minds], "unawareness": minds}


INVENTS: dict[str, Callable[[Prompt], dict[str, Any]]] = {
    "entities": _entities,
    "events": _events,
    "perspective": _perspective,
}
