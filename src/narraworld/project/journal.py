"""The journal of a story's folder, for whoever wants nothing else of it: light, because it imports no rules and no readers."""

from __future__ import annotations

from pathlib import Path

from narraworld.kb.errors import NotAStore
from narraworld.kb.journal.store import Store

__all__ = ["open_journal"]


def open_journal(folder: Path, *, create: bool = False) -> Store:
    """What was read, in the folder of the manuscript; ``create`` begins it where there is nothing."""
    try:
        return Store.create(folder) if create else Store.open(folder)
    except NotAStore as error:
        raise NotAStore(error.what, where=error.where, fix="make one with: narraworld read FILE…") from error
