"""What can be wrong at the relay: an answer, a question, a loan. All say what to do, and none loses anything."""

from __future__ import annotations

from narraworld.base.errors import NarraWorldError

__all__ = ["BadAnswer", "BadQuestion", "NothingOpen", "RelayError"]


class RelayError(NarraWorldError):
    """Something at the relay that somebody has to put right."""


class BadAnswer(RelayError):
    """What was given is no answer to this question, or not yours to give; the question stays open."""


class BadQuestion(RelayError):
    """There is no such question, or what is kept of it cannot be read."""


class NothingOpen(RelayError):
    """Nothing is being asked."""
