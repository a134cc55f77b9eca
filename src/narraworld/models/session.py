"""A model for as long as a reading or a question lasts: behind its cache of answers, within its cost, or replayed from recordings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from narraworld.base.atomic_files import make_folder

if TYPE_CHECKING:
    from narraworld.extract.model.port import Asks
    from narraworld.models.openai import OpenAIModel

__all__ = ["ModelSession"]


class ModelSession:
    """Opened and closed as one; `model` is the environment's unless given."""

    def __init__(
        self,
        cache: Path,
        model: str | None = None,
        replay: Path | None = None,
        max_cost: float | None = None,
        jobs: int = 1,
    ) -> None:
        self._cache, self.model, self.replay = cache, model, replay
        self._max_cost, self._jobs = max_cost, jobs
        self._opened: OpenAIModel | None = None

    def spent(self) -> str:
        """Tokens and US dollars so far, in words."""
        used = self._opened.ledger.total if self._opened else None
        return f"{used.prompt_tokens + used.answer_tokens:,} tokens{self.cost()}" if used else "replayed"

    def cost(self) -> str:
        """US dollars; nothing where the price is unknown."""
        spent = self._opened.spending.spent if self._opened else None
        return "" if spent is None else f", ${spent:.4f}"

    async def __aenter__(self) -> Asks:
        from narraworld.models.recordings import AnswerCache, Replay

        if self.replay:
            return Replay(self.replay, self.model)
        from narraworld.models.environment import ModelSettings
        from narraworld.models.openai import OpenAIModel
        from narraworld.models.prices import known_prices
        from narraworld.models.spending import Spending

        settings = ModelSettings.from_environment(model=self.model, jobs=self._jobs)
        make_folder(self._cache)
        spending = Spending(known_prices().get(settings.model), self._max_cost)
        self._opened = OpenAIModel(settings, memory=self._cache / "model-modes.json", spending=spending)
        return AnswerCache(self._opened, self._cache / "answers.sqlite")

    async def __aexit__(self, *_: object) -> None:
        if self._opened is not None:
            await self._opened.aclose()
