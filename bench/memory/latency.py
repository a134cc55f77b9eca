"""How long `context` and `ask` take when the story holds 1,000, 10,000 and 100,000 records.

One story grows: more people, things and threads come in as it goes on, and everybody does more and more. A world is opened and
asked once (that is the first column: tables, index and preview are read), then each round asks something else. Ratios compare
medians of processor time, which others on the machine do not lengthen; wall time is printed beside it.
With `--at` the same is asked as of a chapter in the middle: what a situation costs, when first asked about and afterwards.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bench.frame import Figures, peak_mb, show
from narraworld.kb.delta import Delta
from narraworld.kb.spans import TextRange
from narraworld.kb.units import Unit
from narraworld.query.situation import Situation
from narraworld.world import World

__all__ = ["RECORDS_A_UNIT", "add_options", "run", "unit_of"]

SIZES = (1_000, 10_000, 100_000)
EVENTS = 12  # of a unit; each brings a state, an access and more
SENTENCE = "Somebody takes something somewhere while others look on, and a promise moves on. "
TEXT = SENTENCE * EVENTS
PLACES = 40
RECORDS_A_UNIT = 5 * EVENTS


@dataclass(frozen=True, slots=True)
class Lap:
    """One size: how many records, the first call, and each later call's processor and wall seconds."""

    records: int
    first: float
    at: str | None  # the situation, if there is one
    context: tuple[tuple[float, float], ...]
    ask: tuple[tuple[float, float], ...]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=list(SIZES), metavar="N", help="records to measure at"
    )
    parser.add_argument("--rounds", type=int, default=60, help="calls measured at each size")
    parser.add_argument("--budget", type=int, default=4000, help="tokens of a context")
    parser.add_argument(
        "--at",
        nargs="?",
        const="middle",
        metavar="UNIT",
        help="ask as of this unit too (default: the middle one)",
    )


def run(options: argparse.Namespace) -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        laps = [lap for size in options.sizes for lap in _laps(folder, size, options)]
    columns = ["records", "at", "first s", "context p50 ms", "p95 ms", "wall p50 ms", "ask p50 ms", "p95 ms"]
    show("memory for a passage, and an answer", columns, map(_row, laps))
    plain, situated = ([lap for lap in laps if bool(lap.at) is there] for there in (False, True))
    first, last = plain[0], plain[-1]
    context, ask = _cpu(last.context), _cpu(last.ask)
    return {
        "context_p50": statistics.median(context),
        "context_p95": _p95(context),
        "ask_p50": statistics.median(ask),
        "ask_p95": _p95(ask),
        "ratio_100k_1k": statistics.median(context) / statistics.median(_cpu(first.context)),
        "ask_ratio_100k_1k": statistics.median(ask) / statistics.median(_cpu(first.ask)),
        "first_s": {str(lap.records): lap.first for lap in plain},
        **_situated(plain, situated),
        "rss_mb": peak_mb(),
    }


def _situated(plain: list[Lap], situated: list[Lap]) -> dict[str, object]:
    """A situated context against one that sees everything, at each size: the first one, and the median of later ones."""
    pairs = list(zip(plain, situated, strict=False))
    medians = {
        str(now.records): statistics.median(_cpu(then.context)) / statistics.median(_cpu(now.context))
        for now, then in pairs
    }
    first = {str(now.records): then.first / now.first for now, then in pairs}
    return {"situated_ratio": medians, "situated_first_ratio": first} if pairs else {}


def _row(lap: Lap) -> list[str]:
    context, ask = _cpu(lap.context), _cpu(lap.ask)
    wall = statistics.median(seconds for _, seconds in lap.context)
    times = (statistics.median(context), _p95(context), wall, statistics.median(ask), _p95(ask))
    return [
        f"{lap.records:,}",
        lap.at or "",
        f"{lap.first:.1f}",
        *(f"{seconds * 1e3:.1f}" for seconds in times),
    ]


def _cpu(calls: tuple[tuple[float, float], ...]) -> list[float]:
    return [cpu for cpu, _ in calls]


def _p95(values: list[float]) -> float:
    return sorted(values)[int(0.95 * (len(values) - 1))]


def _laps(folder: str, size: int, options: argparse.Namespace) -> list[Lap]:
    """Grow the story to ``size`` records; measure it whole and, if that is wanted, as of an earlier unit."""
    with World.open(folder, create=True) as world:
        records = _grow(world, size)
        units = [entry.unit for entry in world.log()]
    middle = units[len(units) // 2]
    moments = [None, *([middle if options.at == "middle" else options.at] if options.at else [])]
    return [_lap(folder, records, moment, options) for moment in moments]


def _lap(folder: str, records: int, at: str | None, options: argparse.Namespace) -> Lap:
    """Open the story anew, and measure."""
    chance, there = random.Random(records), Situation(at=at)
    with World.open(folder) as world:

        def context() -> object:
            return world.context(_request(chance, records), there, options.budget)

        def ask() -> object:
            return world.ask(_question(chance, records), there)

        started = time.process_time()
        context()
        ask()
        first = time.process_time() - started
        contexts = [_timed(context) for _ in range(options.rounds)]
        asks = [_timed(ask) for _ in range(options.rounds)]
    return Lap(records, first, at, tuple(contexts), tuple(asks))


def _timed(call: Callable[[], object]) -> tuple[float, float]:
    cpu, wall = time.process_time(), time.perf_counter()
    call()
    return time.process_time() - cpu, time.perf_counter() - wall


# -- what is asked


def _request(chance: random.Random, records: int) -> str:
    people, things, _ = _cast(records)
    who, other = (f"person {chance.randrange(people)}" for _ in range(2))
    return chance.choice(
        (
            f"rewrite the betrayal scene between {who} and {other}",
            f"{who} looks for thing {chance.randrange(things)} and does not find it",
            f"the next scene: {who} keeps a promise, late at night",
            "the next scene, a quiet evening",
        )
    )


def _question(chance: random.Random, records: int) -> str:
    people, things, _ = _cast(records)
    who, thing = f"person {chance.randrange(people)}", f"thing {chance.randrange(things)}"
    return chance.choice(
        (
            f"Where does {who} think {thing} is?",
            f"Where is {thing}?",
            f"What does {who} know about {thing}?",
            f"Who knows where {thing} is?",
            f"Does {who} know where {thing} is?",
            f"What does {who} want?",
        )
    )


# -- the story


def _cast(records: int) -> tuple[int, int, int]:
    """People, things and threads of a story of so many records: they come in more slowly than things happen."""
    root = int(records**0.5)
    return 8 + root // 4, 20 + root, 6 + root // 8


def _grow(world: World, size: int) -> int:
    """Commit units in bulk until there are ``size`` records; returns how many there are."""
    done = world.store.snapshot().revision
    for number in range(done, -(-size // RECORDS_A_UNIT)):
        delta = unit_of(number, RECORDS_A_UNIT * number)
        world.store.commit(delta.unit.id, delta.graph)
    return max(done, -(-size // RECORDS_A_UNIT)) * RECORDS_A_UNIT


def unit_of(number: int, records: int) -> Delta:
    """Events with what they change, who saw it and what was thought of it; newcomers are introduced."""
    chance = random.Random(number)
    delta = Delta(Unit(f"u{number:05}", number, TEXT, title=f"Chapter {number}"))
    people, things, threads = _cast(records)
    _introduce(delta, records)
    for nth, quote in enumerate(_quotes()):
        event, thing = f"e{nth}", chance.randrange(things)
        who, other = (f"person-{chance.randrange(people)}" for _ in range(2))
        proposition = f"thing-{thing}.location.place-{chance.randrange(PLACES)}"
        delta.add("Event", event, kind="take", agent=who, patient=f"thing-{thing}", quote=quote)
        delta.add("State", proposition=proposition, at=event, quote=quote)
        delta.add("Access", holder=other, event=event, mode="observation", at=event, quote=quote)
        delta.add("Attitude", holder=f"person-{chance.randrange(people)}", proposition=proposition,
                  attitude="believes", at=event, quote=quote)  # fmt: skip
        delta.add(
            "Step",
            development=f"thread-{chance.randrange(threads)}",
            status="advanced",
            at=event,
            quote=quote,
        )
    return delta


def _introduce(delta: Delta, records: int) -> None:
    """Whoever and whatever this unit brings in for the first time."""
    before = _cast(records - RECORDS_A_UNIT) if records else (0, 0, 0)
    people, things, threads = _cast(records)
    for number in range(before[0], people):
        delta.add("Character", f"person-{number}", name=f"person {number}")
    for number in range(before[1], things):
        delta.add("Object", f"thing-{number}", name=f"thing {number}")
    for number in range(PLACES if not records else 0):
        delta.add("Place", f"place-{number}", name=f"place {number}")
    for number in range(before[2], threads):
        delta.add("Development", f"thread-{number}", kind="promise", title=f"promise {number}",
                  holder=[f"person-{number % people}", f"person-{(number + 1) % people}"],
                  target=f"thing-{number % things}.possession.person-{number % people}", quote=TextRange(0, 8))  # fmt: skip
        delta.add("Step", development=f"thread-{number}", status="opened", quote=TextRange(0, 8))


def _quotes() -> Iterator[TextRange]:
    return (TextRange(nth * len(SENTENCE), nth * len(SENTENCE) + 40) for nth in range(EVENTS))
