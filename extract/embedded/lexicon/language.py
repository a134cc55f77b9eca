"""One language, as one value: where its tables and its weights lie, and what was made of them; and which one is being read.

A reader hands in its language once (`speaking`); what stands below asks for the one that is spoken. Names no language.
"""

from __future__ import annotations

import marshal
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

from narraworld.base.compiled import compiled_bytes, digest

__all__ = ["Language", "NoLanguage", "adopt", "of_spoken", "speaking", "spoken"]

T = TypeVar("T")


class NoLanguage(LookupError):
    """Somebody asked for words before a reader had said in which language it reads."""

    def __init__(self) -> None:
        super().__init__(
            "no language is spoken: read through `read_prose`, or inside `with speaking(LANGUAGE):`"
        )


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """A language by its folder: ``tables`` holds what its words mean, ``weights`` the pipeline that parses it."""

    name: str  # of its package beside `lexicon`
    tables: Path
    weights: Path
    _made: dict[Callable[[Language], Any], Any] = field(default_factory=dict, repr=False)

    def table(self, name: str) -> dict[str, Any]:
        """The table ``name`` as it stands in its file, read anew: whoever makes something of it does so once."""
        text = (self.tables / f"{name}.toml").read_text("utf-8")
        kept = compiled_bytes(
            f"{self.name}-{name}.table", digest([text], ()), lambda: marshal.dumps(tomllib.loads(text))
        )
        return cast(dict[str, Any], marshal.loads(kept))

    def made(self, make: Callable[[Language], T]) -> T:
        """What ``make`` makes of this language, made once."""
        if make not in self._made:
            self._made[make] = make(self)
        found: T = self._made[make]
        return found


_SPOKEN: ContextVar[Language] = ContextVar("spoken")
_ADOPTED: list[Language] = []  # the one that is read where nobody says another


def adopt(language: Language) -> None:
    """Read this language wherever nobody says another; the first one adopted stays."""
    if not _ADOPTED:
        _ADOPTED.append(language)


def spoken() -> Language:
    """The language that is being read."""
    found = _SPOKEN.get(None) or next(iter(_ADOPTED), None)
    if found is None:
        raise NoLanguage
    return found


def of_spoken(make: Callable[[Language], T]) -> T:
    """What ``make`` makes of the language that is being read; asked for many times a word, so by the shortest way."""
    try:
        found: T = _SPOKEN.get()._made[make]
    except LookupError:
        return spoken().made(make)
    return found


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Read this language inside the block."""
    before = _SPOKEN.set(language)
    try:
        yield
    finally:
        _SPOKEN.reset(before)
