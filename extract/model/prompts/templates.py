"""Prompts as files: what each is given is declared in its head, and story text can only be data.

    +++
    inputs = ["passage", "known"]      # this story's part, fenced, in the user message
    alone = true                       # the common part does not go before it
    constants = ["respects"]           # ours, the same for every story of a project, in the system message
    +++
    the system part
    +++
    the user part with {{passage}} and {{known}}

The system message of a stage is `common.md` and the stage's own system part, byte for byte the same for every story, so
that providers can cache it. Every input is put between fences that carry a digest of all inputs: words of a story cannot
close them. Values are put in once and never looked at again for placeholders. Reads only its own files.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files

from narraworld.extract.errors import ExtractError
from narraworld.extract.model.port import Prompt
from narraworld.extract.model.prompts.constants import CONSTANTS
from narraworld.ontology.respects import Respects, respects

__all__ = ["COMMON", "BadPrompt", "Template", "fill", "load", "prompt_names", "template_of"]

COMMON = "common"
FENCE = "+++"
_PLACE = re.compile(r"\{\{(\w+)\}\}")


class BadPrompt(ExtractError):
    """A prompt file that does not keep its own declaration, or a call that does."""


@dataclass(frozen=True, slots=True)
class Template:
    """A prompt file taken apart; ``system`` has its constants in place."""

    name: str
    inputs: tuple[str, ...]
    system: str
    user: str
    alone: bool = False  # it says all there is to say by itself, and nothing about passages goes before it

    def fill(self, inputs: dict[str, str]) -> Prompt:
        """The question, with each input fenced; an empty one reads "(none)"."""
        if inputs.keys() != set(self.inputs):
            raise BadPrompt(f"takes {sorted(self.inputs)}, was given {sorted(inputs)}", where=self.name)
        mark = sha256("\x1f".join(f"{k}\x1e{v}" for k, v in sorted(inputs.items())).encode()).hexdigest()[:8]
        fenced = {
            name: f"<{name} {mark}>\n{text}\n</{name} {mark}>" if text else "(none)"
            for name, text in inputs.items()
        }
        return Prompt(self.name, self.system, _PLACE.sub(lambda found: fenced[found[1]], self.user), inputs)


def fill(name: str, **inputs: str) -> Prompt:
    """The prompt of a file with this story's inputs."""
    return load(name).fill(inputs)


def load(name: str, table: Respects | None = None) -> Template:
    """The prompt file ``name``, checked, behind what all prompts have in common; ``table`` has a project's own respects."""
    return _shipped(name) if table is None or not table.own else _built(name, table)


@cache
def _shipped(name: str) -> Template:
    return _built(name, respects())


def _built(name: str, table: Respects) -> Template:
    own = template_of(name, _text(name), table)
    if name == COMMON or own.alone:
        return own
    return Template(name, own.inputs, f"{_shipped(COMMON).system}\n\n{own.system}", own.user)


def prompt_names() -> list[str]:
    """Every stage that has a prompt."""
    found = (path.name for path in files(__package__).iterdir())
    return sorted(
        name.removesuffix(".md") for name in found if name.endswith(".md") and name != f"{COMMON}.md"
    )


def template_of(name: str, text: str, table: Respects | None = None) -> Template:
    """A prompt's text taken apart; what it declares is exactly what it uses, or it is a BadPrompt."""
    parts = [part.strip() for part in re.split(rf"^{re.escape(FENCE)}\s*$", text, flags=re.MULTILINE)]
    if len(parts) != 4 or parts[0]:
        raise BadPrompt("has not the parts +++ head +++ system +++ user", where=name)
    head = tomllib.loads(parts[1])
    inputs, constants = tuple(head.pop("inputs", ())), tuple(head.pop("constants", ()))
    alone = bool(head.pop("alone", False))
    if head:
        raise BadPrompt(f"declares {sorted(head)}, which means nothing", where=name)
    _check(name, "system", parts[2], constants)
    _check(name, "user", parts[3], inputs)
    system = _PLACE.sub(lambda found: CONSTANTS[found[1]](name, table or respects()), parts[2])
    return Template(name, inputs, system, parts[3], alone)


def _check(name: str, part: str, text: str, declared: tuple[str, ...]) -> None:
    used = set(_PLACE.findall(text))
    if used != set(declared):
        raise BadPrompt(f"its {part} part declares {sorted(declared)} but uses {sorted(used)}", where=name)


def _text(name: str) -> str:
    path = files(__package__).joinpath(f"{name}.md")
    if not path.is_file():
        raise BadPrompt(f"there is no prompt {name}", fix=f"prompts are: {', '.join(prompt_names())}")
    return path.read_text(encoding="utf-8")
