"""Which model is good enough: a reader's report card over the three bundled pages, through the real prompts.

Each page is read into a world of its own, which is gone afterwards. A card is plain data: kept in a file, compared over readers.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from narraworld.base.atomic_files import write_whole
from narraworld.base.errors import NarraWorldError
from narraworld.extract.model.port import Prompt, Told
from narraworld.extract.sources import read_sources
from narraworld.project.opened import OpenStory
from narraworld.query.memory.tokens import counter
from narraworld.reading.order import in_place
from narraworld.reading.outcome import UnitRead
from narraworld.reading.with_embedded import read_embedded
from narraworld.reading.with_model import ReadingSettings, read_with_model
from narraworld.report_cards.gold_pages import GoldPage, gold_pages
from narraworld.report_cards.page_scores import KINDS, PageScore, score_page

if TYPE_CHECKING:
    from pydantic import BaseModel

    from narraworld.extract.model.port import Asks
    from narraworld.extract.sources import Piece

__all__ = ["NO_PLOTLINES", "ReportCard", "card_lines", "cards_in", "keep_card", "try_embedded", "try_reader"]

Answer = TypeVar("Answer", bound="BaseModel")

MADE_UP = frozenset({"Quote-nowhere", "Name-nowhere"})  # reasons of refusal: no such words on the page
NO_PLOTLINES = ReadingSettings(plotlines_every=None)


@dataclass(slots=True)
class ReportCard:
    """How a reader did. ``made_up``: given without words of the page, and refused. Tokens are counted with schemas."""

    reader: str
    how: str
    words: int = 0
    score: PageScore = field(default_factory=PageScore)
    refused: int = 0
    made_up: int = 0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    failed: list[str] = field(default_factory=list)

    def per_thousand(self, figure: float) -> float:
        return round(figure * 1000 / self.words, 1) if self.words else 0.0

    def to_json(self) -> dict[str, object]:
        return asdict(self)

    @classmethod
    def from_json(cls, said: dict[str, object]) -> ReportCard:
        return cls(**said | {"score": PageScore(**said["score"])})  # type: ignore[arg-type]


def try_embedded() -> ReportCard:
    """The card of the reader that asks nobody."""
    card = ReportCard("embedded", "offline, no model")
    for page in gold_pages():
        _take(card, page, None)
    return card


def try_reader(
    asks: Asks, how: str | Callable[[], str], settings: ReadingSettings = NO_PLOTLINES
) -> ReportCard:
    """The card of whoever answers; ``how`` may be known only afterwards."""
    card = ReportCard(asks.model, "")
    weighed = _Weighed(asks, card)
    for page in gold_pages():
        _take(card, page, weighed, settings)
    card.how = how if isinstance(how, str) else how()
    return card


def _take(
    card: ReportCard, page: GoldPage, asks: Asks | None, settings: ReadingSettings = NO_PLOTLINES
) -> None:
    with tempfile.TemporaryDirectory() as folder, closing(OpenStory.open(folder, create=True)) as story:
        pieces = in_place(story, read_sources([str(page.file)]))
        began = time.perf_counter()
        done = (
            asyncio.run(_asked(story, pieces, asks, settings)) if asks else list(read_embedded(story, pieces))
        )
        card.seconds += round(time.perf_counter() - began, 3)
        text = "\n\n".join(piece.unit.text for piece in pieces)
        card.words += len(text.split())
        card.score += score_page(page, text, story.scope().engine)
        for one in done:
            _note(card, page, one)


async def _asked(
    story: OpenStory, pieces: Sequence[Piece], asks: Asks, settings: ReadingSettings
) -> list[UnitRead]:
    return [one async for one in read_with_model(story, pieces, asks, settings=settings)]


def _note(card: ReportCard, page: GoldPage, one: UnitRead) -> None:
    if one.outcome == "failed":
        card.failed.append(f"{page.name}: {one.why}")
    card.refused += len(one.refusals)
    card.made_up += sum(refusal.shape in MADE_UP for refusal in one.refusals)


class _Weighed:
    """Passes questions on and weighs them, instructions and schema with them."""

    def __init__(self, asks: Asks, card: ReportCard) -> None:
        self.model, self._asks, self._card = asks.model, asks, card

    async def ask(self, prompt: Prompt, answer: type[Answer], /) -> Told[Answer]:
        count, card = counter(), self._card
        card.calls += 1
        card.tokens_in += count(prompt.system) + count(prompt.user)
        card.tokens_in += count(json.dumps(answer.model_json_schema(), separators=(",", ":")))
        told = await self._asks.ask(prompt, answer)
        card.tokens_out += count(told.answer.model_dump_json(exclude_defaults=True))
        return told


# -- kept and compared


def cards_in(file: Path) -> list[ReportCard]:
    """The cards of a file, in the order in which they were kept."""
    if not file.exists():
        return []
    try:
        return [ReportCard.from_json(one) for one in json.loads(file.read_text(encoding="utf-8"))]
    except (ValueError, KeyError, TypeError) as error:
        raise NarraWorldError(f"is no file of report cards: {error!r}", where=str(file)) from error


def keep_card(card: ReportCard, file: Path) -> list[ReportCard]:
    """The cards of a file with this one in the place of an older one of the same reader."""
    cards = [one for one in cards_in(file) if one.reader != card.reader] + [card]
    write_whole(file, json.dumps([one.to_json() for one in cards], ensure_ascii=False, indent=1) + "\n")
    return cards


def card_lines(cards: Sequence[ReportCard]) -> Iterator[str]:
    """The cards as a table, one column for each reader."""
    yield "  ".join([f"{'':22}", *(f"{one.reader[:20]:>20}" for one in cards)])
    columns = [dict(_cells(one)) for one in cards]
    for name in columns[0] if columns else ():
        yield "  ".join([f"{name:22}", *(f"{column[name]!s:>20}" for column in columns)])
    yield from (f"{one.reader} could not read {why}" for one in cards for why in one.failed)


def _cells(card: ReportCard) -> Iterator[tuple[str, object]]:
    """What the table says of one reader, line by line."""
    score = card.score
    for kind in KINDS:
        yield f"found: {kind}", f"{score.found.get(kind, 0)} of {score.wanted.get(kind, 0)}"
    yield "minds right", f"{score.minds_right} of {score.minds}"
    yield "minds wrong", score.minds_wrong
    yield "lies seen as lies", score.lies_seen
    yield "kept, though denied", score.invented
    yield "in foreign words", f"{score.foreign} of {score.kept}"
    yield "misattributed", score.misattributed
    yield "refused", card.refused
    yield "of these made up", card.made_up
    yield "tokens in / 1,000 words", f"{card.per_thousand(card.tokens_in):,.0f}"
    yield "tokens out / 1,000 words", f"{card.per_thousand(card.tokens_out):,.0f}"
    yield "seconds / 1,000 words", card.per_thousand(card.seconds)
    yield "how", card.how[:20]
