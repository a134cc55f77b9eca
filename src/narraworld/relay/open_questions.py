"""A question that was laid out: what is kept of it, how it reads on paper, and what an answer to it must look like.

Pure but for one thing: a form is found again by the name of its class, in our own package only. Touches no file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from importlib import import_module
from typing import Any

from pydantic import BaseModel, ValidationError

from narraworld.extract.model.forms import StageAnswer
from narraworld.extract.model.port import Prompt
from narraworld.extract.model.prompts.templates import COMMON, load
from narraworld.relay.errors import BadAnswer, BadQuestion

__all__ = ["LONGEST_ANSWER", "AnswerForm", "OpenQuestion", "form_of", "shape_lines"]

OURS = "narraworld."
DIGITS = 8  # of the digest in an id
LONGEST_ANSWER = 2**20  # bytes, as from a server
MOST_PROBLEMS = 5  # of an answer, named in a message
FEW_QUOTES = 2  # as few as this may all be wrong without being the answer to another question
_FENCED = re.compile(r"\A\s*```\w*\n(.*)\n```\s*\Z", re.DOTALL)
_MARK = re.compile(r"\[\d+\]\s?|^\d+ ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """The class of an answer by its name, and the lists it was narrowed to."""

    name: str
    only: tuple[str, ...] = ()

    def answer(self) -> type[BaseModel]:
        """The class again."""
        module, _, name = self.name.partition(":")
        found = getattr(import_module(module), name, None) if module.startswith(OURS) else None
        if not isinstance(found, type) or not issubclass(found, BaseModel):
            raise BadQuestion(f"{self.name} is no form of ours", fix="lay the question out again")
        return found.narrowed(*self.only) if self.only and issubclass(found, StageAnswer) else found


def form_of(answer: type[BaseModel]) -> AnswerForm:
    """How a class is found again in another process."""
    whole = answer.whole if issubclass(answer, StageAnswer) and answer.whole else answer
    only = answer.only if issubclass(answer, StageAnswer) else ()
    return AnswerForm(f"{whole.__module__}:{whole.__qualname__}", only)


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """An open question. ``errand`` says who waits for it: the reading, or a command that is run again."""

    digest: str
    name: str
    system: str
    user: str
    given: Mapping[str, str]
    form: AnswerForm
    errand: str
    place: int = 0  # among those put at the same time

    @classmethod
    def of(cls, prompt: Prompt, answer: type[BaseModel], digest: str, errand: str) -> OpenQuestion:
        return cls(
            digest, prompt.name, prompt.system, prompt.user, dict(prompt.given), form_of(answer), errand
        )

    @classmethod
    def from_text(cls, text: str) -> OpenQuestion:
        said = json.loads(text)
        form = said.pop("form")
        return cls(**said, form=AnswerForm(form["name"], tuple(form["only"])))

    def to_text(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, indent=1)

    @property
    def id(self) -> str:
        return f"{re.sub(r'[^a-z]+', '-', self.name.lower())}-{self.digest[:DIGITS]}"

    @property
    def prompt(self) -> Prompt:
        return Prompt(self.name, self.system, self.user, self.given)

    # -- on paper

    def instructions(self) -> list[tuple[str, str]]:
        """What there is to know before answering, by digest: what all questions share, this kind's own, its shape."""
        shared = load(COMMON).system
        own = self.system.removeprefix(shared).strip()
        shape = "The answer is one JSON object of this shape; what has a ? may be left out:\n" + "\n".join(
            f"  {line}" for line in shape_lines(self.form.answer())
        )
        parts = [shared, own, shape] if own != self.system.strip() else [own, shape]
        return [(sha256(part.encode()).hexdigest()[:DIGITS], part) for part in parts]

    def page(self) -> str:
        """The question as one self-contained page of Markdown."""
        told = "\n\n".join(part for _, part in self.instructions())
        how = f"Give your answer with: narraworld relay answer {self.id} FILE"
        return f"# {self.id}\n\n{told}\n\n---\n\n{self.user}\n\n---\n\n{how}\n"

    # -- an answer

    def read_answer(self, text: str) -> BaseModel:
        """The answer as its class; BadAnswer says what keeps it from being one."""
        fenced = _FENCED.match(text)
        try:
            said = json.loads(fenced[1] if fenced else text)
        except (ValueError, RecursionError) as error:
            raise self._bad(f"the answer is no JSON: {error}") from None
        try:
            answer = self.form.answer().model_validate(said)
        except ValidationError as error:
            raise self._bad(f"the answer has not the shape asked for: {_problems(error)}") from None
        self._look_at_quotes(said)
        return answer

    def _look_at_quotes(self, said: Any) -> None:
        """Single quotes are looked up item by item; where none of many stands here, another question was answered."""
        quotes = [" ".join(_MARK.sub("", one).split()) for one in _quotes(said)]
        passage = " ".join(_MARK.sub("", self.given.get("passage", "")).split())
        if passage and len(quotes) > FEW_QUOTES and not any(one in passage for one in quotes):
            raise self._bad(
                f"none of its {len(quotes)} quotes stands in the passage: is it meant for another?"
            )

    def _bad(self, what: str) -> BadAnswer:
        fix = "nothing was taken and the question stays open: answer it again"
        return BadAnswer(what, where=self.id, fix=fix)


def _problems(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_input=False)
    told = [f"{'.'.join(map(str, one['loc'])) or 'answer'}: {one['msg']}" for one in found[:MOST_PROBLEMS]]
    return "; ".join(told) + (
        f"; and {len(found) - MOST_PROBLEMS} more" if len(found) > MOST_PROBLEMS else ""
    )


def _quotes(said: Any) -> Iterator[str]:
    if isinstance(said, dict):
        for name, value in said.items():
            if name == "quote" and isinstance(value, str):
                yield value
            else:
                yield from _quotes(value)
    elif isinstance(said, list):
        for one in said:
            yield from _quotes(one)


# -- the shape of an answer, short


def shape_lines(answer: type[BaseModel]) -> list[str]:
    """A line for each list or field of an answer, in a tenth of the words of its JSON schema."""
    schema = answer.model_json_schema()
    names = schema.get("$defs", {})
    return [f"{name}: {_short(one, names)}" for name, one in schema.get("properties", {}).items()]


def _short(one: Mapping[str, Any], names: Mapping[str, Any]) -> str:
    if "$ref" in one:
        return _short(names[str(one["$ref"]).rpartition("/")[2]], names)
    if "enum" in one:
        return "|".join(map(str, one["enum"]))
    if "anyOf" in one:
        return "|".join(_short(each, names) for each in one["anyOf"])
    if one.get("type") == "array":
        return f"[{_short(one.get('items', {}), names)}]"
    if one.get("type") != "object":
        return {"integer": "n", "string": "words", "boolean": "true"}.get(str(one.get("type")), "any")
    required = one.get("required", ())
    fields = [_field(name, _short(each, names), name in required) for name, each in one["properties"].items()]
    return "{" + ", ".join(fields) + "}"


def _field(name: str, shape: str, required: bool) -> str:
    return f"{name}{'' if required else '?'}: {shape}"
