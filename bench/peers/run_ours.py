"""Ours with the same episodes: `python -m bench.peers.run_ours URL FOLDER records|embedded|model SIZES…`, in the project's environment.

`records`: an agent hands over what happened, as it would with structured output of its own. `embedded`: the offline reader reads
the sentences. `model`: our four stages ask the same model as everybody. Each commits and derives, episode by episode.
"""

from __future__ import annotations

import sys
from asyncio import Runner
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bench.peers.episodes import episode, question
from bench.peers.stopwatch import QUESTIONS, Stopwatch
from narraworld import __version__
from narraworld.extract.sources import Piece
from narraworld.extract.sources.places import Places
from narraworld.kb.delta import Delta
from narraworld.kb.units import Unit
from narraworld.models.environment import ModelSettings, Secret
from narraworld.reading.with_embedded import read_embedded
from narraworld.reading.with_model import ReadingSettings, read_with_model
from narraworld.world import World

__all__ = ["main"]

BUDGET = 1000  # tokens of a context
FIRST = "Where is the lamp?"  # the first question makes the indexes, once

Ingest = Callable[[World, int], None]


def main(url: str, folder: str, kind: str, sizes: list[int]) -> None:
    watch = Stopwatch(f"ours {__version__}, {kind}")
    done = 0
    with World.open(folder, create=True) as world, _way_in(kind, url) as ingest:
        for size in sizes:
            for number in range(done, size):
                with watch.episode():
                    ingest(world, number)
                    world.story.living()
            done = size
            _ask(world, watch, size)
    watch.tell()


@contextmanager
def _way_in(kind: str, url: str) -> Iterator[Ingest]:
    if kind != "model":
        yield Records() if kind == "records" else _embedded
        return
    with Runner() as loop, Asking(url, loop) as asking:
        yield asking


def _ask(world: World, watch: Stopwatch, size: int) -> None:
    world.context(FIRST, budget=BUDGET), world.ask(FIRST)
    found = answered = 0
    for number in range(QUESTIONS):
        asked = question(number, size)
        with watch.question():
            found += len(world.context(asked, budget=BUDGET).items)
        with watch.question("ask"):
            answered += bool(world.ask(asked).lines)
    watch.reached(size, found=found, answered=answered)


class Records:
    """What happened, as records; whoever was met before is not introduced again."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def __call__(self, world: World, number: int) -> None:
        told = episode(number)
        delta = Delta(_unit(number, told.marked))
        giver, taker, witness, thing, room = map(
            _id, (told.giver, told.taker, told.witness, told.thing, told.room)
        )
        for kind, name in (
            ("Character", told.giver), ("Character", told.taker), ("Character", told.witness), ("Object", told.thing), ("Place", told.room),
        ):  # fmt: skip
            if name not in self._known:
                self._known.add(name)
                delta.add(kind, _id(name), name=name)
        gave, _, put = told.sentences
        delta.add("Event", "e0", kind="give", agent=giver, patient=thing, quote=gave)
        delta.add("State", proposition=f"{thing}.possession.{taker}", at="e0", quote=gave)
        delta.add("Access", holder=witness, event="e0", mode="observation", at="e0", quote=gave)
        delta.add("Event", "e1", kind="put", agent=taker, patient=thing, quote=put)
        delta.add("State", proposition=f"{thing}.location.{room}", at="e1", quote=put)
        world.commit(delta)


class Asking:
    """Our reader with the model that everybody asks."""

    def __init__(self, url: str, loop: Runner) -> None:
        from narraworld.models.openai import OpenAIModel

        self._loop = loop
        self._model = OpenAIModel(ModelSettings("stub", url, Secret("none"), mode="tools"))

    def __enter__(self) -> Asking:
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.run(self._model.aclose())

    def __call__(self, world: World, number: int) -> None:
        self._loop.run(self._read(world, number))

    async def _read(self, world: World, number: int) -> None:
        pieces, alone = [_piece(number, episode(number).marked)], ReadingSettings(plotlines_every=None)
        async for done in read_with_model(world.story, pieces, self._model, settings=alone):
            if done.outcome != "read":
                raise RuntimeError(f"{done.unit} was not read: {done.why}")


def _embedded(world: World, number: int) -> None:
    for _ in read_embedded(world.story, [_piece(number, episode(number).prose)]):
        pass


def _piece(number: int, text: str) -> Piece:
    return Piece(_unit(number, text), (), (), Places((), ()))


def _unit(number: int, text: str) -> Unit:
    return Unit(f"e{number:05}", number, text)


def _id(name: str) -> str:
    return name.lower().replace(" ", "-")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], [int(one) for one in sys.argv[4:]])
