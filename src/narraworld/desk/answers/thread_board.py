"""Threads as a board: open, blocked, resolved, given up, each with its steps over the chapters, as they stand at the moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from narraworld.desk.answers.overview import thread_json
from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.desk.answers.seen_story import SeenStory

__all__ = ["COLUMNS", "column_of", "thread_board"]

COLUMNS = {"open": "Open", "blocked": "Blocked", "resolved": "Resolved", "abandoned": "Given up"}


def column_of(status: str) -> str:
    """Where on the board a thread of this status stands."""
    return status if status in COLUMNS else "open"


def thread_board(seen: SeenStory) -> list[dict[str, Any]]:
    """Every thread that this situation knows of, with who has it."""
    views = seen.world.views(seen.situation)
    names, engine = seen.scope.names, seen.scope.engine
    owners: dict[str, list[str]] = {}
    for development, who in rows(engine, "owner") if not seen.eyes else ():
        owners.setdefault(str(development), []).append(names(str(who)))
    return [
        {**thread_json(seen, one), "column": column_of(one.status), "owners": owners.get(one.development, [])}
        for one in views.threads
    ]
