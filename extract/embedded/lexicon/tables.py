"""The tables of the language that is read: TOML files, each read once. Knows where they lie and nothing of what they say."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["table"]

TABLES = files("narraworld.extract.embedded.english") / "tables"


@cache
def table(name: str) -> dict[str, Any]:
    """The table ``name`` as it stands in its file; nobody may change it."""
    return tomllib.loads((TABLES / f"{name}.toml").read_text("utf-8"))
