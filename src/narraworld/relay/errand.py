"""The reading behind the questions: it goes on as far as the answers reach, and is taken up again where they end.

Nothing waits in memory. Each step opens the story, reads with the answers that are there, commits every unit that is whole,
lays out what is asked next, and ends. So there is nothing to lose when anybody is stopped at any moment. What is read, and how, is
kept beside the questions until it is done.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from narraworld.base.atomic_files import write_whole
from narraworld.extract.model.port import Prompt, StillOpen, Told
from narraworld.models.recordings import digest_of, with_recordings
from narraworld.project.opened import OpenStory
from narraworld.reading.order import in_place
from narraworld.reading.outcome import UnitRead
from narraworld.reading.read import open_files
from narraworld.reading.with_model import ReadingSettings, read_with_model
from narraworld.relay.desk import READING, Desk, DeskSettings, Shown, Tally
from narraworld.relay.errors import NothingOpen, RelayError

if TYPE_CHECKING:
    from pydantic import BaseModel

    from narraworld.extract.model.port import Asks
    from narraworld.extract.sources import Piece
    from narraworld.ontology.validate import Refusal

__all__ = ["Errand", "Progress", "Relay"]

Answer = TypeVar("Answer", bound="BaseModel")

FOLDER, PLAN = ".narraworld", "reading.json"


@dataclass(frozen=True, slots=True)
class Errand:
    """What is to be read, and how. ``orders`` are the places of its units in the telling, settled at the start."""

    files: tuple[str, ...]
    branch: str = "main"
    model: str | None = None
    how: ReadingSettings = field(default_factory=ReadingSettings)
    record: str | None = None
    carry: str | None = None
    keep: bool = False
    orders: dict[str, int] = field(default_factory=dict)

    @classmethod
    def from_text(cls, text: str) -> Errand:
        said = json.loads(text)
        return cls(**said | {"files": tuple(said["files"]), "how": ReadingSettings(**said["how"])})

    def to_text(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, indent=1)


@dataclass(frozen=True, slots=True)
class Progress:
    """What a step brought: units that are finished now, what of the answers was refused, how many questions are open."""

    units: tuple[UnitRead, ...] = ()
    refused: tuple[Refusal, ...] = ()
    open: int = 0
    done: bool = False
    tally: Tally = field(default_factory=Tally)


class Relay:
    """The relay of a world in a folder: begin a reading, lend questions, take answers."""

    def __init__(self, where: Path, settings: DeskSettings | None = None) -> None:
        self.where, self.root, self._settings = where, where / FOLDER, settings

    @property
    def desk(self) -> Desk:
        errand = self.errand()
        return Desk(self.root, errand.model if errand else None, READING, self._settings)

    def errand(self) -> Errand | None:
        """The reading that is under way."""
        path = self.root / "relay" / PLAN
        try:
            return Errand.from_text(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError) as error:
            fix = "narraworld relay stop, then read again: answers that were given are kept"
            raise RelayError(f"is no reading: {error!r}", where=str(path), fix=fix) from error

    def begin(self, errand: Errand) -> Progress:
        """Begin a reading, or take the same one up again; one at a time."""
        with closing(OpenStory.open(self.where, create=True)) as story:
            pieces = _pieces(story, errand)
        under_way = self.errand()
        if under_way is not None and replace(under_way, orders={}) != errand:
            fix = "answer its questions (narraworld relay next), or end it: narraworld relay stop"
            raise RelayError("another reading is under way", where=", ".join(under_way.files), fix=fix)
        if under_way is None:
            Desk(self.root).make_private()
            orders = {piece.unit.id: piece.unit.order for piece in pieces}
            write_whole(self.root / "relay" / PLAN, replace(errand, orders=orders).to_text())
        return self.go_on()

    def next(self, to: str) -> Shown | None:
        """The next question for somebody; the reading goes on first where nothing else is open."""
        if self.errand() is not None and not self.desk.open():
            self.go_on()
        return self.desk.lend(to)

    def answer(self, id: str, text: str, by: str) -> Progress:
        """Take an answer; with the last one that is needed the reading goes on."""
        desk = self.desk
        question = desk.answer(id, text, by)
        if question.errand == READING and not desk.open():
            return self.go_on()
        left = len(desk.open())
        if not left and self.errand() is None:  # a command's question was the last thing on the desk
            desk.clear()
        return Progress(open=left)

    def give_back(self, id: str, *, too_long: bool = False) -> Progress:
        question = self.desk.give_back(id, too_long=too_long)
        if too_long and question.errand == READING and not self.desk.open():
            return self.go_on()
        return Progress(open=len(self.desk.open()))

    def stop(self) -> None:
        """End the reading and clear the desk; finished units stay, and answers that were given stay in the cache."""
        desk = self.desk
        if not desk.folder.is_dir():
            raise NothingOpen("nothing is being asked", fix="narraworld read --reader relay FILES")
        with desk.held():
            (desk.folder / PLAN).unlink(missing_ok=True)
            desk.clear()

    # -- going on

    def go_on(self) -> Progress:
        """Read on with the answers that are there."""
        with Desk(self.root).held():
            errand = self.errand()
            if errand is None:  # somebody else has just finished it
                return Progress(done=True)
            return self._step(errand)

    def _step(self, errand: Errand) -> Progress:
        desk = Desk(self.root, errand.model, READING, self._settings)
        with closing(OpenStory.open(self.where, create=True)) as story:
            step = asyncio.run(_read(story, _placed(_pieces(story, errand), errand), desk, errand))
        desk.withdraw_others()
        step = replace(step, refused=desk.not_told_yet(step.refused))
        tally = desk.tally()
        if step.done:
            self._finish(desk, errand)
        return replace(step, open=len(desk.open()), tally=tally)

    def _finish(self, desk: Desk, errand: Errand) -> None:
        (desk.folder / PLAN).unlink(missing_ok=True)
        if not errand.keep:
            desk.clear(READING)


def _pieces(story: OpenStory, errand: Errand) -> list[Piece]:
    """The prose of the files; records among them are committed before the first question."""
    opened = open_files(errand.files, branch=errand.branch, root=story.path)
    return in_place(story, opened.pieces, branch=errand.branch)


def _placed(pieces: Sequence[Piece], errand: Errand) -> list[Piece]:
    """The pieces at the places settled at the start: a story half read is not a story begun before."""
    return [
        replace(one, unit=replace(one.unit, order=errand.orders.get(one.unit.id, one.unit.order)))
        for one in pieces
    ]


async def _read(story: OpenStory, pieces: Sequence[Piece], desk: Desk, errand: Errand) -> Progress:
    """One step: units until a question is open. A unit that failed is asked about anew, from its first question."""
    heard, units = _Heard(desk.cache), list[UnitRead]()
    asks = with_recordings(heard, errand.record, errand.carry)
    try:
        async for one in read_with_model(story, pieces, asks, branch=errand.branch, settings=errand.how):
            if one.outcome != "unchanged":
                units.append(one)
            if one.outcome == "failed" and heard.digests:
                desk.cache.forget(heard.digests)
                again = await _read(story, pieces, desk, errand)
                return replace(
                    again, units=(*units, *again.units), refused=(*_refused(units), *again.refused)
                )
            heard.digests.clear()
    except StillOpen as waiting:
        return Progress(tuple(units), (*_refused(units), *waiting.refused))
    return Progress(tuple(units), _refused(units), done=True)


def _refused(units: Sequence[UnitRead]) -> tuple[Refusal, ...]:
    """What is refused of units that are finished: of a last answer nobody was told before."""
    return tuple(one for unit in units for one in unit.refusals)


class _Heard:
    """Passes questions on and remembers which."""

    def __init__(self, asks: Asks) -> None:
        self.model, self._asks = asks.model, asks
        self.digests: list[str] = []

    async def ask(self, prompt: Prompt, answer: type[Answer], /) -> Told[Answer]:
        self.digests.append(digest_of(self.model, prompt, answer))
        return await self._asks.ask(prompt, answer)
