"""The words of English below and beside the readers: titles, numbers, headings, words of time and words that tell nothing.

They stand in `words.toml`, each list under `section.name`, and the usual calendar in `calendar.toml`; this module holds none and only
hands them out. What was read once is kept in a form that loads at once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from narraworld.base.compiled import compiled_bytes, digest

__all__ = ["either", "usual_calendar", "wordmap", "wordrow", "wordset"]

FOLDER = Path(__file__).parent


@cache
def wordset(name: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(wordrow(name))


@cache
def wordrow(name: str) -> tuple[str, ...]:
    """A list in its order: for counting, or where the first that fits wins."""
    return tuple(_entry(name))


@cache
def wordmap(name: str) -> Mapping[str, Any]:
    """Words, each with what it stands for; the table may list several words for one thing."""
    return dict(pair for key, said in _entry(name).items() for pair in _pairs(key, said))


def either(name: str) -> str:
    """The words of a list as alternatives of a pattern, in their order: the first that fits wins."""
    return "|".join(wordrow(name))


def usual_calendar() -> Mapping[str, Any]:
    """The calendar of a story that has none of its own, as an author would write one."""
    return _read("calendar")


def _pairs(key: str, said: Any) -> list[tuple[str, Any]]:
    return [(word, key) for word in said] if isinstance(said, list) else [(key, said)]


def _entry(name: str) -> Any:
    section, _, entry = name.partition(".")
    return _read("words")[section][entry]


@cache
def _read(name: str) -> dict[str, Any]:
    text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    kept = compiled_bytes(f"english-{name}.json", digest([text], [Path(__file__)]), lambda: _as_json(text))
    return dict(json.loads(kept))


def _as_json(text: str) -> bytes:
    import tomllib

    return json.dumps(tomllib.loads(text)).encode()
