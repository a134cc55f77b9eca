"""What can be wrong with a corpus."""

from __future__ import annotations

from narraworld.base.errors import NarraWorldError

__all__ = ["BadCorpus"]


class BadCorpus(NarraWorldError):
    """A folder that holds no stories, or no corpus, or one that cannot be asked this."""
