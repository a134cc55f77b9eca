"""A model that says what a test tells it to: the double of the port `extract.asking.Asks`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel

from narraworld.extract.model.port import Prompt, Told, Usage
from narraworld.extract.model.reader import ModelReading, ReaderSettings, read_unit
from narraworld.kb.delta import Delta
from narraworld.kb.roster import Prior, Roster
from narraworld.kb.units import Unit
from narraworld.ontology.vocabulary import compact

__all__ = ["Scripted", "of_class", "read", "records", "unit"]

Answer = TypeVar("Answer", bound=BaseModel)
Line = Mapping[str, Any] | Exception | Callable[[Prompt], Mapping[str, Any]]


class Scripted:
    """Answers by prompt name, in turn; what is not in the script is answered with nothing to note."""

    model = "scripted"

    def __init__(self, **script: Line | list[Line]) -> None:
        self.script = {
            name: list(said) if isinstance(said, list) else [said] for name, said in script.items()
        }
        self.heard: list[Prompt] = []

    async def ask(self, prompt: Prompt, answer: type[Answer], /) -> Told[Answer]:
        self.heard.append(prompt)
        lines = self.script.get(prompt.name, [])
        line = lines.pop(0) if lines else {}
        if isinstance(line, Exception):
            raise line
        said = line(prompt) if callable(line) else line
        return Told(answer.model_validate(said), Usage(1, len(prompt.system + prompt.user) // 4, 10))

    def names(self) -> list[str]:
        return [prompt.name for prompt in self.heard]


def unit(text: str, id: str = "ch01", order: int = 1) -> Unit:
    return Unit(id, order, text)


def read(
    text: str | Unit,
    asks: Scripted,
    roster: Roster | None = None,
    prior: Prior | None = None,
    settings: ReaderSettings | None = None,
) -> ModelReading:
    """What the reader makes of a text when the model answers by the script."""
    source = unit(text) if isinstance(text, str) else text
    return asyncio.run(read_unit(source, roster or Roster(), asks, prior, settings or ReaderSettings()))


def records(delta: Delta) -> dict[str, dict[str, list[str]]]:
    """The delta as plain words: by node, its class under "a" and its properties."""
    found: dict[str, dict[str, list[str]]] = {}
    for node, name, value in delta.graph:
        word = compact(str(name)).rpartition("#")[2]
        said = found.setdefault(compact(str(node)), {}).setdefault("a" if word == "type" else word, [])
        said.append(compact(str(value)))
    return {
        node: {name: sorted(values) for name, values in said.items()} for node, said in sorted(found.items())
    }


def of_class(delta: Delta, *classes: str) -> list[str]:
    return [node for node, said in records(delta).items() if said["a"][0] in classes]
