"""What we learned about one model at one endpoint: the mode it answers in, the options it does not take.

Kept in memory, and in a small file under the store's cache so that the next run need not learn it again. The file can
always be deleted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from narraworld.base.atomic_files import make_folder, write_whole
from narraworld.models.environment import MODES, ModelSettings

__all__ = ["TOO_LONG", "Habits", "recall", "refused_options", "told_context"]

INSTEAD: dict[str, str | None] = {
    "max_tokens": "max_completion_tokens",  # newer OpenAI models know only this name
    "max_completion_tokens": None,
    "temperature": None,  # reasoning models have a fixed one
    "seed": None,
}
"""What to send in place of an option that a server refuses by name; None: nothing."""

CONTEXT_WORDS = (
    "n_ctx", "max_model_len", "loaded_context_length", "context_length", "context_window", "max_context_length", "n_ctx_train",
)  # fmt: skip
"""What servers call a model's context; what is in force before what would be possible."""

LIMITS = ("max_tokens", "max_completion_tokens")
TOO_LONG = re.compile(r"context.?(length|window|size)|too many tokens|prompt is too long", re.IGNORECASE)


@dataclass(slots=True)
class Habits:
    """How this model wants to be asked."""

    known_as: str
    offered: Mapping[str, Any]  # the options we would like
    mode: str | None = None  # as probed; the settings may prefer another
    without: list[str] = field(default_factory=list)  # the options it refused, in that order
    file: Path | None = None

    def options(self, without: Iterable[str]) -> dict[str, Any]:
        """What we send to a server that does not take the options ``without``."""
        options = dict(self.offered)
        for name in without:
            if name in options:
                value, instead = options.pop(name), INSTEAD[name]
                options |= {instead: value} if instead else {}
        return options

    def adopt(self, without: Iterable[str]) -> None:
        """It worked without these: leave them out from now on."""
        news = [name for name in without if name not in self.without]
        if news:
            self.without += news
            self.remember()

    def remember(self) -> None:
        """Write to the file what is known; other models keep their lines. Unwritable: we learn again next time."""
        if self.file is None:
            return
        known = _read(self.file) | {self.known_as: {"mode": self.mode, "without": self.without}}
        with suppress(OSError):
            make_folder(self.file.parent)
            write_whole(self.file, json.dumps(known, indent=1, sort_keys=True) + "\n")


def refused_options(complaint: str, options: Mapping[str, Any]) -> tuple[str, ...]:
    """The options a server complains about; none, if it complains about something else."""
    if TOO_LONG.search(complaint):  # some add the longest answer to the prompt before they compare
        return LIMITS if any(name in options for name in LIMITS) else ()
    return tuple(name for name in options if re.search(rf"\b{name}\b", complaint))


def told_context(model: Mapping[str, Any]) -> int | None:
    """The tokens a model takes at once, as its server lists it; servers have many words for it."""
    nested = [one for one in model.values() if isinstance(one, dict)]
    for listed in (model, *nested):
        for name in CONTEXT_WORDS:
            if isinstance(length := listed.get(name), int) and length > 0:
                return length
    return None


def recall(settings: ModelSettings, file: Path | None) -> Habits:
    """What the file knows of this model, or the first guess."""
    offered = {
        "temperature": settings.temperature,
        "seed": settings.seed,
        "max_tokens": settings.answer_tokens,
    }
    habits = Habits(f"{settings.model} at {settings.endpoint}", offered, file=file)
    known = _read(file).get(habits.known_as) if file else None
    if isinstance(known, dict):
        habits.mode = known.get("mode") if known.get("mode") in MODES[1:] else None
        habits.without = [name for name in known.get("without") or () if name in INSTEAD]
    return habits


def _read(file: Path) -> dict[str, Any]:
    """A damaged file is as good as none: all it costs is to learn again."""
    try:
        known = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}
