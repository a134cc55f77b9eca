"""Prompts as files: what each is given is declared in its head, and story text can only be data.

    +++
    inputs = ["passage", "known"]      # this story's part, fenced, in the user message
    constants = ["dimensions"]         # ours, the same for every story, in the system message
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
from narraworld.ontology.respects import respects
from narraworld.ontology.vocabulary import vocabulary

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

    def fill(self, inputs: dict[str, str]) -> Prompt:
        """The question, with each input fenced; an empty one reads "(none)"."""
        if inputs.keys() != set(self.inputs):
            raise BadPrompt(f"takes {sorted(self.inputs)}, was given {sorted(inputs)}", where=self.name)
        mark = sha256("\x1f".join(f"{k}\x1e{v}" for k, v in sorted(inputs.items())).encode()).hexdigest()[:8]
        fenced = {
            name: f"<{name} {mark}>\n{text or '(none)'}\n</{name} {mark}>" for name, text in inputs.items()
        }
        return Prompt(self.name, self.system, _PLACE.sub(lambda found: fenced[found[1]], self.user), inputs)


def fill(name: str, **inputs: str) -> Prompt:
    """The prompt of a file with this story's inputs."""
    return load(name).fill(inputs)


@cache
def load(name: str) -> Template:
    """The prompt file ``name``, checked, behind what all prompts have in common."""
    own = template_of(name, _text(name))
    if name == COMMON:
        return own
    return Template(name, own.inputs, f"{load(COMMON).system}\n\n{own.system}", own.user)


def prompt_names() -> list[str]:
    """Every stage that has a prompt."""
    found = (path.name for path in files(__package__).iterdir())
    return sorted(
        name.removesuffix(".md") for name in found if name.endswith(".md") and name != f"{COMMON}.md"
    )


def template_of(name: str, text: str) -> Template:
    """A prompt's text taken apart; what it declares is exactly what it uses, or it is a BadPrompt."""
    parts = [part.strip() for part in re.split(rf"^{re.escape(FENCE)}\s*$", text, flags=re.MULTILINE)]
    if len(parts) != 4 or parts[0]:
        raise BadPrompt("has not the parts +++ head +++ system +++ user", where=name)
    head = tomllib.loads(parts[1])
    inputs, constants = tuple(head.pop("inputs", ())), tuple(head.pop("constants", ()))
    if head:
        raise BadPrompt(f"declares {sorted(head)}, which means nothing", where=name)
    _check(name, "system", parts[2], constants)
    _check(name, "user", parts[3], inputs)
    return Template(name, inputs, _PLACE.sub(lambda found: CONSTANTS[found[1]](), parts[2]), parts[3])


def _check(name: str, part: str, text: str, declared: tuple[str, ...]) -> None:
    used = set(_PLACE.findall(text))
    if used != set(declared):
        raise BadPrompt(f"its {part} part declares {sorted(declared)} but uses {sorted(used)}", where=name)


def _text(name: str) -> str:
    path = files(__package__).joinpath(f"{name}.md")
    if not path.is_file():
        raise BadPrompt(f"there is no prompt {name}", fix=f"prompts are: {', '.join(prompt_names())}")
    return path.read_text(encoding="utf-8")


def _dimensions() -> str:
    """The respects we have words for, each as a phrase; those that take one value at a time are marked."""
    lines = []
    for name, dimension in sorted(vocabulary().dimensions.items()):
        if not respects().rows[name].shorthand:
            continue
        phrase = dimension.phrase.format(subject="S", object="O")
        lines.append(f"- {name}: {phrase}{' (one at a time)' if dimension.functional else ''}")
    return "\n".join(lines)


CONSTANTS = {"dimensions": _dimensions}
