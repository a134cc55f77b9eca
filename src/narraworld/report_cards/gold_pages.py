"""Three short pages of our own with what a careful reader noted of them, from the page alone, before anything was run.

`plain`, `lie` (dialogue with a lie) and `jumps` (time jumps with details), bundled under `stories/pages`. Reads those files and nothing else.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

__all__ = ["PAGES", "GoldPage", "gold_pages"]

PAGES = ("plain", "lie", "jumps")


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page and its gold: lists of tables, by kind (entity, state, event, speech, mind, time)."""

    name: str
    file: Path
    gold: Mapping[str, tuple[Mapping[str, Any], ...]]

    def of(self, kind: str) -> tuple[Mapping[str, Any], ...]:
        return self.gold.get(kind, ())


def gold_pages() -> Iterator[GoldPage]:
    """The bundled pages."""
    with as_file(files("narraworld") / "stories" / "pages") as folder:
        for name in PAGES:
            said = tomllib.loads((Path(folder) / f"{name}.gold.toml").read_text(encoding="utf-8"))
            gold = {kind: tuple(some) for kind, some in said.items()}
            yield GoldPage(name, Path(folder) / f"{name}.md", gold)
