"""What a model would be asked, and what that would cost, before it is asked. Asks nothing, keeps nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from narraworld.reading.order import in_place
from narraworld.reading.outcome import unchanged
from narraworld.reading.with_model import ReadingSettings, reader_settings

if TYPE_CHECKING:
    from narraworld.extract.sources import Piece
    from narraworld.models.prices import Forecast
    from narraworld.project.opened import OpenStory

__all__ = ["ReadingForecast", "forecast_of"]


@dataclass(frozen=True, slots=True)
class ReadingForecast:
    """How many units are new to which model, and the calls, tokens and dollars they would take."""

    units: int
    model: str
    endpoint: str
    expected: Forecast

    def __str__(self) -> str:
        return f"{self.units} units with {self.model} at {self.endpoint}: {self.expected}"


def forecast_of(
    story: OpenStory,
    pieces: Sequence[Piece],
    *,
    model: str | None = None,
    plotlines: bool = True,
    small: bool = False,
    details: bool = False,
    branch: str = "main",
) -> ReadingForecast:
    """Calls, tokens and cost if a model read those pieces that were not read yet."""
    from narraworld.extract.model.prompts.templates import load
    from narraworld.extract.model.stages import stages_of
    from narraworld.models.environment import ModelSettings, Secret
    from narraworld.models.prices import (
        ESTIMATES,
        CostRange,
        Expected,
        consolidations,
        estimate_tokens,
        forecast,
        known_prices,
    )
    from narraworld.models.recordings import shape_of

    settings = ModelSettings.from_environment(model=model, key=Secret("not-needed-to-count"))
    placed = in_place(story, pieces, branch=branch)
    unread = [estimate_tokens(piece.unit.text) for piece in placed if not unchanged(story, piece, branch)]
    stages = stages_of(reader_settings(ReadingSettings(small=small, details=details)))
    frames = [
        estimate_tokens(stage.form().system) + estimate_tokens(shape_of(stage.answer)) for stage in stages
    ]
    questions = [
        Expected(frame + math.ceil(words * (1 + ESTIMATES.lists)), CostRange(words // 2, words * 2))
        for words in unread
        for frame in frames
    ]
    if plotlines:
        questions += consolidations(estimate_tokens(load("plotlines").system), len(unread))
    expected = forecast(questions, known_prices().get(settings.model))
    return ReadingForecast(len(unread), settings.model, settings.endpoint, expected)
