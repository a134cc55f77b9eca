"""How the living desk, the page and the agents' tools behave. Pure values; imports nothing of ours."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["AgentSettings", "LspSettings", "ServeSettings", "SurfaceSection", "WatchSettings"]


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """How a desk looks at files, and how much it keeps."""

    look_seconds: float = 0.25  # between two looks at the files
    quiet_seconds: float = 0.15  # a burst of saves is one change
    reports: int = 8  # checks of other moments that are kept
    columns: int = 400  # moments whose minds are kept for the strips
    waiting: int = 100  # news that a listener may leave unread before it is dropped
    news_seconds: float = 2.0  # between two words on columns that were filled
    beat_seconds: float = 15.0  # between two signs of life on a stream
    leave_seconds: float = 0.5  # that the end waits for the worker


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """What the page and its endpoints allow."""

    port: int = 8420
    ports_tried: int = 20  # from the one asked for, when it is taken
    body_bytes: int = 1_000_000
    question_letters: int = 4_000
    at_once: int = 4  # questions under way; the next one is told to come again
    sparql_seconds: float = 10.0
    sparql_at_once: int = 2
    rows: int = 200  # of one page of an answer
    grace_seconds: int = 1  # for answers under way when the server ends
    lines: int = 8  # people whose lines are drawn on the map
    strips: int = 24  # matters shown at once
    entries: int = 40  # of each list of the style sheet, until one list is asked for
    glance: int = 8  # of a list on the overview; the rest is where the list lives
    chapters_from: int = 40  # scenes from which on the map has a column for each chapter


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """What an agent's tools answer at most."""

    rows: int = 30
    quotes: int = 6
    lines: int = 12  # of a passage


@dataclass(frozen=True, slots=True)
class LspSettings:
    """What an editor is shown at once."""

    known: int = 3  # lines of what somebody knows, in a hover


@dataclass(frozen=True, slots=True)
class SurfaceSection:
    """Everything people and agents touch."""

    desk: WatchSettings = field(default_factory=WatchSettings)
    web: ServeSettings = field(default_factory=ServeSettings)
    agents: AgentSettings = field(default_factory=AgentSettings)
    editor: LspSettings = field(default_factory=LspSettings)
