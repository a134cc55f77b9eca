"""Prompts for small models: one kind of item to a question, short lists, two worked examples.

Cut from the full prompts, so that both sizes ask for the same in the same words: the paragraph of a kind, and the worked example with that
kind's answer alone. The second example is one passage for all kinds. Reads only its own files.
"""

from __future__ import annotations

import json
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from narraworld.extract.model.prompts.templates import COMMON, Template, load
from narraworld.ontology.respects import Respects

__all__ = ["small_template"]

RESPECTS = "Respects"  # begins the list that some kinds need
IN_RESPECTS = ("propositions", "details")


def small_template(stage: str, listed: str, inputs: tuple[str, ...], table: Respects) -> Template:
    """The question for one list of a stage, shown these inputs and the passage."""
    own = load(stage, table).system.removeprefix(load(COMMON).system)
    task = "\n".join(part for part in own.split("\n\n") if part.startswith((f"{listed}:", RESPECTS)))
    if listed not in IN_RESPECTS:
        task = task.partition(f"\n{RESPECTS}")[0]
    system = "\n\n".join([_file("common.md").strip(), task.strip(), _first(own, listed), _second(listed)])
    shown = "\n\n".join(f"{name.capitalize()}:\n{{{{{name}}}}}" for name in (*inputs, "passage"))
    return Template(listed, (*inputs, "passage"), system, f"{shown}\n\nGive the {listed} of the passage.")


def _first(own: str, listed: str) -> str:
    """The stage's own example, with no other answer than this list."""
    example, _, answer = own[own.index("Example\n") :].partition("Answer: ")
    said, _ = json.JSONDecoder().raw_decode(answer)
    return f"{example.strip()}\nAnswer: {_shown(listed, said.get(listed, []))}"


def _second(listed: str) -> str:
    other = _other()
    answer = json.loads(other["answers"][listed])
    return f"Example\n{other['lists'].strip()}\nPassage:\n{other['passage'].strip()}\nAnswer: {_shown(listed, answer)}"


def _shown(listed: str, items: Any) -> str:
    return json.dumps({listed: items}, ensure_ascii=False, separators=(",", ":"))


@cache
def _other() -> dict[str, Any]:
    return tomllib.loads(_file("example.toml"))


def _file(name: str) -> str:
    return files(__package__).joinpath("small", name).read_text(encoding="utf-8")
