"""How engines, proofs, clocks and indexes behave. Pure values; imports nothing of ours."""

from __future__ import annotations

from dataclasses import field

from narraworld.base.quick_dataclass import dataclass

__all__ = [
    "BulkSettings",
    "Choice",
    "ClockSettings",
    "EngineSection",
    "ExplainSettings",
    "Guesses",
    "IndexOptions",
    "IntervalSettings",
    "Limits",
    "ProofSection",
    "QuestionLimits",
    "SqliteSettings",
    "TimeSection",
    "WhyNotSettings",
]


@dataclass(frozen=True, slots=True)
class SqliteSettings:
    """How a connection behaves."""

    wait_seconds: float = 30.0  # for another process that writes
    page_bytes: int = 8192  # of a new file: with 4096 a unit of a long story writes a quarter more of them
    cache_mib: int = 128
    resting_cache_mib: int = 2  # of tables that are only asked: a server keeps a dozen
    statements: int = 4096  # prepared statements kept; a unit runs a few hundred
    programs: int = (
        8  # whose statements a process keeps written; a story has two, with and without the checks
    )
    wal_pages: int = 20_000  # written before the log is folded back: most pages change again before that
    steps_between_checks: int = 50_000  # of SQLite's machine, between two looks at the clock


@dataclass(frozen=True, slots=True)
class Choice:
    """From how many base rows on a world that is derived once, and not asked row by row, goes to DuckDB."""

    bulk_from: int = 300_000  # where the two take equally long to derive everything
    cuts: int = 4  # situations whose tables are kept on disk, beside those of their branch


@dataclass(frozen=True, slots=True)
class BulkSettings:
    """How a corpus is derived: what does not fit into memory goes to disk."""

    memory_mib: int = 2048
    bucket: int = 50  # stories that are read, kept and, if need be, read again together


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one derivation may cost before it is refused."""

    facts: int = 20_000_000
    seconds: float = 600.0


@dataclass(frozen=True, slots=True)
class QuestionLimits:
    """How much one question may cost: conditions that share nothing make every pair."""

    answers: int = 200_000
    read: int = 5_000_000  # rows looked at, one after the other


@dataclass(frozen=True, slots=True)
class ExplainSettings:
    """How far a search for a proof goes."""

    members: int = 10  # candidates of a count or sum that are listed
    near: int = 5_000  # steps looked at nearest first, for short proofs, before diving
    steps: int = 1_000_000  # steps looked at before we give up


@dataclass(frozen=True, slots=True)
class WhyNotSettings:
    """How far a search for reasons goes."""

    depth: int = 4  # how many times a missing premise is itself asked why
    bindings: int = 500  # bindings tried per rule
    explain: ExplainSettings = field(default_factory=ExplainSettings)


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """`unit_length`: discourse positions kept for one unit; `step`: ticks between neighbouring ones.

    `last_order`: the last place for a unit; `farthest`: minutes from the beginning of a calendar that can still be
    counted. Products and sums of all of them fit 64 bits, which is what tables hold.
    """

    unit_length: int = 1_000_000
    step: int = 1_000
    last_order: int = 999_999_999
    farthest: int = 10**17


@dataclass(frozen=True, slots=True)
class Guesses:
    """How much an inexact amount may mean, least and most; "about" may be off by one part in `about`."""

    couple: tuple[int, int] = (2, 3)
    few: tuple[int, int] = (2, 5)
    several: tuple[int, int] = (3, 8)
    some: tuple[int, int] = (2, 8)
    many: tuple[int, int] = (5, 30)
    plural: tuple[int, int] = (2, 10)
    about: int = 4


@dataclass(frozen=True, slots=True)
class IntervalSettings:
    """When times are held against each other. A counted length may be off by one part in `rounding`."""

    near: int = 3000  # characters over which a running day is taken to run on
    rounding: int = 4
    window: int = 28  # days within which two partial dates can be held against each other
    hops: int = 6  # statements that one explanation may have
    small_hours: int = 300  # minutes of a day that still belong to the night before
    moon: float = 29.53  # days from one new moon to the next
    moon_slack: float = 3.0  # days for which people call the moon full


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """From how many bytes of statements on the index is kept on disk, and how many units are loaded at once."""

    disk_from: int = 8_000_000
    batch: int = 256


@dataclass(frozen=True, slots=True)
class EngineSection:
    """How rules are run."""

    sqlite: SqliteSettings = field(default_factory=SqliteSettings)
    choice: Choice = field(default_factory=Choice)
    bulk: BulkSettings = field(default_factory=BulkSettings)
    limits: Limits = field(default_factory=Limits)
    question: QuestionLimits = field(default_factory=QuestionLimits)
    sparql: IndexOptions = field(default_factory=IndexOptions)


@dataclass(frozen=True, slots=True)
class ProofSection:
    """How far a search for reasons goes."""

    why: ExplainSettings = field(default_factory=ExplainSettings)
    why_not: WhyNotSettings = field(default_factory=WhyNotSettings)


@dataclass(frozen=True, slots=True)
class TimeSection:
    """How story time is counted, and what inexact amounts may mean."""

    clock: ClockSettings = field(default_factory=ClockSettings)
    guesses: Guesses = field(default_factory=Guesses)
    intervals: IntervalSettings = field(default_factory=IntervalSettings)
