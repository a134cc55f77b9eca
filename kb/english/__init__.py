"""The words of English below and beside the readers: titles, numbers, headings, words of time and words that tell nothing.

They stand in `words.toml`, each list under `section.name`; this module holds none and only hands them out. Pure.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["wordmap", "wordrow", "wordset"]

TABLE = Path(__file__).with_name("words.toml")


@cache
def wordset(name: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(wordrow(name))


@cache
def wordrow(name: str) -> tuple[str, ...]:
    """A list in its order: for counting, or where the first that fits wins."""
    return tuple(_entry(name))


def wordmap(name: str) -> Mapping[str, Any]:
    """Words, each with what it stands for; the table may list several words for one thing."""
    return dict(pair for key, said in _entry(name).items() for pair in _pairs(key, said))


def _pairs(key: str, said: Any) -> list[tuple[str, Any]]:
    return [(word, key) for word in said] if isinstance(said, list) else [(key, said)]


def _entry(name: str) -> Any:
    section, _, entry = name.partition(".")
    return _table()[section][entry]


@cache
def _table() -> dict[str, dict[str, Any]]:
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))
