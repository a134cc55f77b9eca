"""What an answer looks like on the page: "how many" wants a number, "when" a time. Tables in `answer_kinds.toml`; a hint, no proof."""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files

__all__ = ["shown_by"]


@lru_cache(1 << 10)
def shown_by(question: str) -> re.Pattern[str] | None:
    """What a passage would have that answers this; None where anything may."""
    return next((shows for asks, shows in _kinds() if asks.search(question)), None)


@cache
def _kinds() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    text = (files("narraworld.query.memory") / "answer_kinds.toml").read_text(encoding="utf-8")
    return tuple(
        (re.compile("|".join(one["asks"]), re.IGNORECASE), _shape(one)) for one in tomllib.loads(text)["kind"]
    )


def _shape(kind: dict[str, str]) -> re.Pattern[str]:
    words = "|".join(map(re.escape, kind.get("words", "").split()))
    shapes = [rf"(?i:\b(?:{words})\b)"] if words else []
    return re.compile("|".join([*shapes, *kind.get("shapes", ())]))
