"""Words per second on whole novels: reading alone, and everything from the file to the first answer; memory; growth.

Reading alone is text in, records out, in one process. Everything is sources, reader, SHACL, journal (with fsync), rules,
and the views of the last page, as `narraworld read` does it, with a second process that parses ahead. Wall seconds
decide; processor seconds of both processes stand beside them, because machines are shared. Each lap runs alone.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.frame import Figures, alone, dataset, peak_mb, show

__all__ = ["add_options", "run"]

BOOKNLP_TOKENS_PER_S = 99_000 / (3.6 * 60)  # BookNLP small on a whole novel, as published
GOAL = 5


@dataclass(frozen=True, slots=True)
class Lap:
    """One novel, once: seconds by stage, and words per processor second over the first and the last fifth of it."""

    words: int
    units: int
    seconds: Mapping[str, float]
    processor_s: float
    rss_mb: float
    first_fifth: float
    last_fifth: float
    records: int = 0
    tokens: int = 0  # counted by the reading lap alone

    @property
    def words_per_s(self) -> float:
        return self.words / sum(self.seconds.values())


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", metavar="WORD", help="novels with this word in their file name")
    parser.add_argument("--processes", type=int, choices=(1, 2), default=2, help="for everything")


def run(options: argparse.Namespace) -> Figures:
    novels = sorted(dataset("novels", options.data).glob("*.txt"), key=lambda path: path.stat().st_size)
    chosen = [path for path in novels if not options.only or options.only in path.name]
    laps = {path: (alone(_read, path), alone(_everything, path, options.processes)) for path in chosen}
    _show(laps)
    read, everything = ([lap[n] for lap in laps.values()] for n in (0, 1))
    words, tokens = sum(lap.words for lap in read), sum(lap.tokens for lap in read)
    tokens_per_s = tokens / _seconds(everything)
    return {
        "words_per_s_read": words / _seconds(read),
        "words_per_s_all": words / _seconds(everything),
        "tokens_per_s_all": tokens_per_s,
        "times_booknlp": tokens_per_s / BOOKNLP_TOKENS_PER_S,
        "times_booknlp_wanted": GOAL,
        "words_per_processor_s_all": words / sum(lap.processor_s for lap in everything),
        "rss_mb": max(lap.rss_mb for lap in everything),
        "by_novel": {path.stem: _figures(*both) for path, both in laps.items()},
    }


def _seconds(laps: list[Lap]) -> float:
    return sum(sum(lap.seconds.values()) for lap in laps)


def _figures(read: Lap, everything: Lap) -> Figures:
    return {
        "words": read.words,
        "units": read.units,
        "records": everything.records,
        "words_per_s_read": read.words_per_s,
        "words_per_s_all": everything.words_per_s,
        "seconds": dict(everything.seconds),
        "processor_s_all": everything.processor_s,
        "rss_mb": everything.rss_mb,
        "cost_last_fifth_to_first": everything.first_fifth / everything.last_fifth,
    }


def _show(laps: Mapping[Path, tuple[Lap, Lap]]) -> None:
    columns = ["novel", "words", "read w/s", "all w/s", "sources s", "read+commit s", "derive s", "cpu s", "MB", "last/first fifth"]  # fmt: skip
    show("novels", columns, [
        [path.stem[:28], f"{one.words:,}", f"{one.words_per_s:,.0f}", f"{all_.words_per_s:,.0f}",
         *(f"{seconds:.1f}" for seconds in all_.seconds.values()), f"{all_.processor_s:.1f}", f"{all_.rss_mb:.0f}",
         f"{all_.first_fifth / all_.last_fifth:.2f}"]
        for path, (one, all_) in laps.items()
    ])  # fmt: skip


# -- laps, each in a process of its own


class Clock:
    """Reads two clocks at each unit, and tells the pace of the first and the last fifth."""

    def __init__(self) -> None:
        self.words = 0
        self._marks = [(0, time.process_time())]

    def count(self, text: str) -> None:
        self.words += len(text.split())
        self._marks.append((self.words, time.process_time()))

    def pace(self, start: float, end: float) -> float:
        """Words per processor second of this process between two points of the novel."""
        inside = [mark for mark in self._marks if start * self.words <= mark[0] <= end * self.words]
        (first, began), (last, ended) = inside[0], inside[-1]
        return (last - first) / max(ended - began, 1e-9)


def _read(path: Path) -> Lap:
    """Reading alone."""
    from narraworld.extract.embedded.discourse import DiscourseHistory
    from narraworld.extract.embedded.grammar.parser import pipeline
    from narraworld.extract.embedded.reader import read_prose
    from narraworld.extract.sources import read_sources
    from narraworld.kb.roster import Roster

    pieces, tokenizer = read_sources([str(path)]), pipeline().tokenizer
    roster, stages, clock = Roster(), DiscourseHistory(), Clock()
    began = time.perf_counter()
    for unit in (piece.unit for piece in pieces):
        found = read_prose(unit, roster, stage=stages.before((unit.order, unit.id)))
        stages.add((unit.order, unit.id), found.moves)
        roster = roster.plus(found.cast, {unit.id})
        clock.count(unit.text)
    seconds, processor = time.perf_counter() - began, _processor_seconds()
    tokens = sum(len(tokenizer(piece.unit.text)) for piece in pieces)
    return _lap(clock, len(pieces), {"read": seconds}, processor, tokens=tokens)


def _everything(path: Path, processes: int) -> Lap:
    """From the file to the views of the last page."""
    from narraworld.extract.embedded.parse_ahead import AheadSettings
    from narraworld.extract.sources import read_sources
    from narraworld.reading.order import in_place
    from narraworld.reading.with_embedded import read_embedded
    from narraworld.world import World

    never = AheadSettings(from_characters=1 << 40)
    clock, began = Clock(), time.perf_counter()
    pieces, records = read_sources([str(path)]), 0
    sources = time.perf_counter() - began
    with tempfile.TemporaryDirectory() as folder, World.open(folder, create=True) as world:
        done = read_embedded(
            world.story, in_place(world.story, pieces), ahead=never if processes == 1 else None
        )
        for piece, unit in zip(pieces, done, strict=True):
            clock.count(piece.unit.text)
            records += sum(unit.committed.records.values()) if unit.committed else 0
        committed = time.perf_counter() - began - sources
        world.views()
        derived = time.perf_counter() - began - sources - committed
    seconds = {"sources": sources, "read_and_commit": committed, "derive_and_ask": derived}
    return _lap(clock, len(pieces), seconds, _processor_seconds(), records=records)


def _lap(clock: Clock, units: int, seconds: Mapping[str, float], processor: float, **counted: int) -> Lap:
    helper_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    first, last = clock.pace(0, 0.2), clock.pace(0.8, 1)
    rss_mb = round(peak_mb() + helper_mb, 1)
    return Lap(clock.words, units, seconds, processor, rss_mb, first, last, **counted)


def _processor_seconds() -> float:
    """Of this process and those it started."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )
