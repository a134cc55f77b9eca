"""What one more unit costs, from SHACL to a fresh answer, when the story is 10, 100, 1,000 and 10,000 units long.

Each measured unit goes through everything: delta, shapes, journal (with fsync), clocks, derived tables, two questions. Between the
measured points the story grows in bulk. The ratio compares medians of processor time; wall time is printed beside it.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Iterator

from bench.frame import Figures, peak_mb, show
from narraworld.kb.delta import Delta
from narraworld.kb.spans import TextRange
from narraworld.kb.units import Unit
from narraworld.query.names import rows
from narraworld.world import World

__all__ = ["CAST", "PLACES", "THINGS", "add_options", "opening", "run", "unit_of"]

POINTS = (10, 100, 1_000, 10_000)
CAST, THINGS, PLACES, THREADS = 40, 200, 60, 25
TEXT = "Somebody takes something somewhere while others look on, and a promise moves. " * 4


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--points", type=int, nargs="+", default=list(POINTS), metavar="N", help="story lengths to measure at"
    )
    parser.add_argument("--rounds", type=int, default=15, help="units measured at each length")


def run(options: argparse.Namespace) -> Figures:
    with tempfile.TemporaryDirectory() as folder, World.open(folder, create=True) as world:
        world.commit(opening())
        laps = {point: _lap(world, point, options.rounds) for point in options.points}
        held = {person: len(rows(world.scope().engine, "believes", person)) for person in ("person-0",)}
    table = [[str(point), f"{cpu * 1e3:.1f}", f"{wall * 1e3:.1f}"] for point, (cpu, wall) in laps.items()]
    show("one more unit, then two questions", ["units before", "processor ms", "wall ms"], table)
    first, last = laps[options.points[0]], laps[options.points[-1]]
    return {
        "ratio_last_first": last[0] / first[0],
        "ratio_last_first_wall": last[1] / first[1],
        "processor_ms": {str(point): cpu * 1e3 for point, (cpu, _) in laps.items()},
        "wall_ms": {str(point): wall * 1e3 for point, (_, wall) in laps.items()},
        "beliefs_of_one": held["person-0"],
        "rss_mb": peak_mb(),
    }


def _lap(world: World, point: int, rounds: int) -> tuple[float, float]:
    """Grow to ``point`` units, then measure ``rounds`` more; median processor and wall seconds."""
    head = world.store.snapshot().revision
    for number in range(head, point):
        delta = unit_of(number)
        world.store.commit(delta.unit.id, delta.graph)
    world.story.living()
    laps = [_measured(world, number) for number in range(max(head, point), max(head, point) + rounds)]
    return statistics.median(cpu for cpu, _ in laps), statistics.median(wall for _, wall in laps)


def _measured(world: World, number: int) -> tuple[float, float]:
    delta = unit_of(number)
    cpu, wall = time.process_time(), time.perf_counter()
    world.commit(delta)
    engine = world.scope().engine
    rows(engine, "believes", f"person-{number % CAST}")
    rows(engine, "mistaken", f"person-{number % CAST}")
    return time.process_time() - cpu, time.perf_counter() - wall


def opening() -> Delta:
    """The exposition: everybody and everything is somewhere, so that the tenth unit has as much to change as the last."""
    delta = Delta(Unit("u0", 0, TEXT))
    for kind, count, stem in (
        ("Character", CAST, "person"),
        ("Object", THINGS, "thing"),
        ("Place", PLACES, "place"),
    ):
        for number in range(count):
            delta.add(kind, f"{stem}-{number}", name=f"{stem} {number}")
    for number in range(THREADS):
        delta.add(
            "Development", f"thread-{number}", kind="promise", title=f"thread {number}", quote=TextRange(0, 8)
        )
    return delta


def unit_of(number: int) -> Delta:
    """Two events, five states, three accesses, a presence and a step, the same for the same number."""
    chance = random.Random(number)
    delta = Delta(Unit(f"u{number}", number, TEXT))
    for step, quote in enumerate(_quotes()):
        event, who = f"e{step}", f"person-{chance.randrange(CAST)}"
        delta.add(
            "Event", event, kind="take", agent=who, patient=f"thing-{chance.randrange(THINGS)}", quote=quote
        )
        for _ in range(2):
            thing, place = chance.randrange(THINGS), chance.randrange(PLACES)
            delta.add("State", proposition=f"thing-{thing}.location.place-{place}", at=event, quote=quote)
        delta.add(
            "Access",
            holder=f"person-{chance.randrange(CAST)}",
            event=event,
            mode="observation",
            at=event,
            quote=quote,
        )
    thing, owner = chance.randrange(THINGS), chance.randrange(CAST)
    delta.add("State", proposition=f"thing-{thing}.possession.person-{owner}", at="e0", quote=TextRange(0, 8))
    delta.add(
        "Presence",
        holder=f"person-{owner}",
        place=f"place-{chance.randrange(PLACES)}",
        movement="enters",
        quote=TextRange(0, 8),
    )
    delta.add(
        "Step",
        development=f"thread-{chance.randrange(THREADS)}",
        status="advanced",
        at="e1",
        quote=TextRange(0, 8),
    )
    return delta


def _quotes() -> Iterator[TextRange]:
    return (TextRange(start, start + 40) for start in (0, 80))
