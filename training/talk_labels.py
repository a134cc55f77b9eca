"""The invented talks as they were written, and who is away in which silence of them. Teaches nothing."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from narraworld.kb.encoder.readings import Silence

__all__ = ["is_away", "talks_of"]


def talks_of(author: Path) -> list[Any]:
    """Of a folder written for training, or of an open file of `bench talks`."""
    if author.suffix == ".toml":
        return tomllib.loads(author.read_text(encoding="utf-8"))["talk"]
    return [json.loads(line) for line in (author / "talks.jsonl").read_text(encoding="utf-8").splitlines()]


def is_away(talk: Any, silence: Silence) -> bool:
    """Whether they leave after the one line and before the other, or are not there at the start."""
    who, before, after = silence
    if before is None:
        return who not in talk["start"]
    goes = [move["turn"] - 1 for move in talk["moves"] if move["who"] == who and move["does"] == "leaves"]
    return any(before <= at and (after is None or at < after) for at in goes)
