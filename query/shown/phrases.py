"""How states of mind are said, by the one table `phrases.toml`. Reads that file and nothing else."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

__all__ = ["held", "once_held", "private", "way"]


def held(state: str, proposition: str) -> str:
    """What somebody holds, without who: `believes that the key is in the drawer`."""
    return _table()["held"][state].replace("{P}", proposition)


def once_held(state: str, proposition: str) -> str:
    """What somebody held and holds no more."""
    return _table()["once"][state].replace("{P}", proposition)


def way(mode: str) -> str:
    """How somebody came by it: `was told`; a way of the project's own by its name."""
    return _table()["ways"].get(mode, mode)


def private(kind: str, **parts: str) -> str:
    """How a private matter of several people is said in one line."""
    return _table()["private"][kind].format(**parts)


@cache
def _table() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads((files("narraworld.query.shown") / "phrases.toml").read_text(encoding="utf-8"))
