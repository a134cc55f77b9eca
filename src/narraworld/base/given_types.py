"""Verbs that look at what they are given before they begin: a value of a wrong type is a usage error that says what, where and what to do.

As far as the annotation is plain (`str | None`, `int`, `Sequence[str]`, a class by its name): what is not, the verb itself must read.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any, TypeVar

from narraworld.base.errors import NarraWorldError

__all__ = ["WrongArgument", "looks_at_what_it_is_given"]

Held = TypeVar("Held", bound=type)
PLAIN: dict[str, tuple[type, ...]] = {
    "str": (str,), "int": (int,), "float": (int, float), "bool": (bool,), "None": (type(None),), "Path": (PurePath,),
}  # fmt: skip
SEVERAL = {"Sequence[str]": (str,), "Sequence[Path]": (PurePath,)}


class WrongArgument(NarraWorldError, TypeError):
    """A verb was given something of a type that it does not take."""


def looks_at_what_it_is_given(
    named: Mapping[str, str], classes: Collection[str], parts: Mapping[str, Any]
) -> Callable[[Held], Held]:
    """For a class: its public verbs refuse what they cannot take. ``named`` spells out short names of types, ``classes``
    are known by their names. ``parts`` are the types of the keywords that verbs share."""

    def over(cls: Held) -> Held:
        for base in reversed(cls.__mro__[:-1]):
            for name, verb in vars(base).items():
                if inspect.isfunction(verb) and not name.startswith("_"):
                    setattr(cls, name, _looking(verb, named, classes, parts))
        return cls

    return over


def _looking(
    verb: Callable[..., Any], named: Mapping[str, str], classes: Collection[str], parts: Mapping[str, Any]
) -> Callable[..., Any]:
    signature = inspect.signature(verb)
    shared = {name: getattr(said, "__forward_arg__", said) for name, said in parts.items()}

    @functools.wraps(verb)
    def looking(*given: Any, **keywords: Any) -> Any:
        for name, value, said in _each(signature, given, keywords, shared):
            types = _spelled(str(said), named)
            if not any(_fits(value, one, classes) for one in types):
                raise WrongArgument(
                    f"{name} is {value!r:.60}, of type {type(value).__name__}",
                    where=f"{verb.__name__}(…)",
                    fix=f"give {' or '.join(types)}: help(world.{verb.__name__}) says what each argument is for",
                )
        return verb(*given, **keywords)

    return looking


def _each(
    signature: inspect.Signature, given: Sequence[Any], keywords: Mapping[str, Any], shared: Mapping[str, str]
) -> Iterator[tuple[str, Any, str]]:
    """Every value that was given, with the name it goes by and the words of its type."""
    for name, value in signature.bind(*given, **keywords).arguments.items():
        parameter = signature.parameters[name]
        if name == "self":
            continue
        if parameter.kind is parameter.VAR_POSITIONAL:
            yield from ((name, one, parameter.annotation) for one in value)
        elif parameter.kind is parameter.VAR_KEYWORD:
            yield from ((key, one, shared[key]) for key, one in value.items() if key in shared)
        else:
            yield name, value, parameter.annotation


def _spelled(said: str, named: Mapping[str, str]) -> list[str]:
    parts = (
        [part.strip() for part in said.strip("\"'").split("|")]
        if "[" not in said or said in SEVERAL
        else [said]
    )
    return [one for part in parts for one in (_spelled(named[part], named) if part in named else [part])]


def _fits(value: Any, said: str, classes: Collection[str]) -> bool:
    if said in SEVERAL:
        return (
            not isinstance(value, str)
            and isinstance(value, Sequence)
            and all(isinstance(one, SEVERAL[said]) for one in value)
        )
    if said in PLAIN:
        return isinstance(value, PLAIN[said])
    # a class is known by its name, so that nothing must be loaded for it; what is no plain name is the verb's to read
    return said not in classes or said in {one.__name__ for one in type(value).__mro__}
