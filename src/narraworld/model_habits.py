"""What we learned about one model at one endpoint: the mode it answers in, the options it does not take.

Kept in memory, and in a small file under the store's cache so that the next run need not learn it again. The file can
always be deleted.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from narraworld.model_settings import MODES, ModelSettings

__all__ = ["TOO_LONG", "Habits", "conceded", "recall"]

INSTEAD: dict[str, str | None] = {
    "max_tokens": "max_completion_tokens",  # newer OpenAI models know only this name
    "max_completion_tokens": None,
    "temperature": None,  # reasoning models have a fixed one
    "seed": None,
}
"""What to send in place of an option that a server refuses by name; None: nothing."""

LIMITS = ("max_tokens", "max_completion_tokens")
TOO_LONG = re.compile(r"context.?(length|window|size)|too many tokens|prompt is too long", re.IGNORECASE)


@dataclass(slots=True)
class Habits:
    """How this model wants to be asked."""

    known_as: str
    options: dict[str, Any]
    mode: str | None = None  # as probed; the settings may prefer another
    file: Path | None = None
    without: list[str] = field(default_factory=list)

    def adopt(self, worked: dict[str, Any]) -> None:
        """From now on without the options that ``worked`` went without."""
        before = len(self.without)
        while refused := [name for name in self.options if name not in worked]:
            value, instead = self.options.pop(refused[0]), INSTEAD[refused[0]]
            self.without.append(refused[0])
            if instead:
                self.options[instead] = value
        if len(self.without) > before:
            self.remember()

    def remember(self) -> None:
        """Write to the file what is known; other models keep their lines. Unwritable: we learn again next time."""
        if self.file is None:
            return
        known = _read(self.file) | {self.known_as: {"mode": self.mode, "without": self.without}}
        draft = self.file.with_name(f"{self.file.name}.{os.getpid()}")
        with suppress(OSError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            draft.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")
            draft.replace(self.file)


def conceded(complaint: str, options: dict[str, Any]) -> dict[str, Any] | None:
    """``options`` without what the server complains about; None if it complains about something else."""
    if TOO_LONG.search(complaint):  # some add the longest answer to the prompt before they compare
        refused = [name for name in LIMITS if name in options]
        rest = {name: value for name, value in options.items() if name not in refused}
    else:
        refused = [name for name in options if re.search(rf"\b{name}\b", complaint)]
        replaced = ((INSTEAD[name] if name in refused else name, value) for name, value in options.items())
        rest = {name: value for name, value in replaced if name}
    return rest if refused else None


def recall(settings: ModelSettings, file: Path | None) -> Habits:
    """What the file knows of this model, or the first guess."""
    options = {
        "temperature": settings.temperature,
        "seed": settings.seed,
        "max_tokens": settings.answer_tokens,
    }
    habits = Habits(f"{settings.model} at {settings.endpoint}", options)
    known = _read(file).get(habits.known_as) if file else None
    if isinstance(known, dict):
        for name in known.get("without") or ():
            habits.adopt({kept: None for kept in habits.options if kept != name})
        habits.mode = known.get("mode") if known.get("mode") in MODES[1:] else None
    habits.file = file
    return habits


def _read(file: Path) -> dict[str, Any]:
    """A damaged file is as good as none: all it costs is to learn again."""
    try:
        known = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}
