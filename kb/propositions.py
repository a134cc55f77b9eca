"""Propositions as text: one readable notation that is also the identifier.

    key.location.drawer            the key is in the drawer        (object is an entity)
    lamp.condition:works           the lamp works                  (value is a literal)
    not.key.location.drawer        the same matter, denied
    mara.believes.(key.location.drawer)   about another proposition

The *matter* of a proposition is its positive form; its *slot* is what can take one value at a time: subject and
predicate for a functional dimension, else the matter itself. Pure: no graph, no files.
"""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import quote, unquote

from narraworld.base.errors import NarraWorldError
from narraworld.base.quick_dataclass import dataclass

__all__ = ["BadProposition", "Statement", "parse_statement"]

SAFE = "-_~+"


class BadProposition(NarraWorldError):
    """Text that is not in the proposition notation."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A proposition taken apart. Exactly one of ``object`` (an id) and ``value`` (a literal) is set."""

    subject: str
    predicate: str
    object: str | None = None
    value: str | None = None
    negative: bool = False

    @property
    def id(self) -> str:
        return f"not.{self.matter}" if self.negative else self.matter

    @property
    def matter(self) -> str:
        tail = (
            f":{quote(self.value, safe=SAFE)}"
            if self.value is not None
            else f".{_wrapped(self.object or '')}"
        )
        return f"{self.subject}.{self.predicate}{tail}"

    def slot(self, functional: bool) -> str:
        return f"{self.subject}.{self.predicate}" if functional else self.matter

    def negated(self) -> Statement:
        return replace(self, negative=not self.negative)


def _wrapped(object_id: str) -> str:
    return f"({object_id})" if "." in object_id or ":" in object_id else object_id


def parse_statement(text: str) -> Statement:
    """Read the notation; `Statement.id` gives it back.

    >>> parse_statement("not.key.location.drawer").matter
    'key.location.drawer'
    >>> parse_statement("leo.age:12").value
    '12'
    """
    body = text.removeprefix("not.")
    subject, _, rest = body.partition(".")
    cut = min((i for i in (rest.find("."), rest.find(":")) if i >= 0), default=-1)
    if not subject or cut <= 0 or cut == len(rest) - 1:
        raise BadProposition(
            f"{text!r} is not a proposition",
            fix="write subject.predicate.object, or subject.predicate:value for a literal",
        )
    predicate, tail = rest[:cut], rest[cut + 1 :]
    negative = body != text
    if rest[cut] == ":":
        return Statement(subject, predicate, value=unquote(tail), negative=negative)
    inner = tail[1:-1] if tail.startswith("(") and tail.endswith(")") else tail
    return Statement(subject, predicate, object=inner, negative=negative)
