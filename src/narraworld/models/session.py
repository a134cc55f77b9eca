"""A model for as long as a reading or a question lasts: behind its cache of answers, within its cost, or replayed from recordings.

Who answers in a model's place, such as the relay, is handed in.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from narraworld.base.atomic_files import make_folder

if TYPE_CHECKING:
    from narraworld.extract.model.port import Asks
    from narraworld.models.openai import OpenAIModel

__all__ = ["ModelSession"]


class ModelSession:
    """Opened and closed as one; ``model`` is the environment's unless given.

    ``record`` keeps every answer in a file, ``carry`` takes over an older one, ``instead`` answers in the model's place.
    ``limits`` are the project's on time and tries; ``timeout`` wins over them and over the environment.
    """

    def __init__(
        self,
        cache: Path,
        model: str | None = None,
        replay: Path | None = None,
        max_cost: float | None = None,
        jobs: int = 1,
        record: Path | None = None,
        carry: Path | None = None,
        instead: Asks | None = None,
        limits: Mapping[str, float] = MappingProxyType({}),
        timeout: float | None = None,
    ) -> None:
        self._cache, self.model, self.replay = cache, model, replay
        self._max_cost, self._jobs = max_cost, jobs
        self._record, self._carry, self._instead = record, carry, instead
        self._limits, self._chosen = limits, {} if timeout is None else {"timeout": timeout}
        self._opened: OpenAIModel | None = None

    def spent(self) -> str:
        """Tokens and US dollars so far, in words."""
        used = self._opened.ledger.total if self._opened else None
        return f"{used.prompt_tokens + used.answer_tokens:,} tokens{self.cost()}" if used else "replayed"

    def cost(self) -> str:
        """US dollars; nothing where the price is unknown."""
        spent = self._opened.spending.spent if self._opened else None
        return "" if spent is None else f", ${spent:.4f}"

    async def short_context(self) -> int | None:
        """How many tokens the model takes at once, where its server says that they are too few for full questions."""
        if self._opened is None:
            return None
        length = await self._opened.context_length()
        return length if length is not None and length < self._opened.settings.small_context else None

    async def __aenter__(self) -> Asks:
        from narraworld.models.recordings import with_recordings

        return with_recordings(self._answerer(), self._record, self._carry)

    def _answerer(self) -> Asks:
        from narraworld.models.recordings import AnswerCache, Replay

        if self.replay:
            return Replay(self.replay, self.model)
        if self._instead is not None:
            return self._instead
        from narraworld.models.environment import ModelSettings
        from narraworld.models.openai import OpenAIModel
        from narraworld.models.prices import known_prices
        from narraworld.models.spending import Spending

        settings = ModelSettings.from_environment(
            limits=self._limits, model=self.model, jobs=self._jobs, **self._chosen
        )
        make_folder(self._cache)
        spending = Spending(known_prices().get(settings.model), self._max_cost)
        self._opened = OpenAIModel(settings, memory=self._cache / "model-modes.json", spending=spending)
        return AnswerCache(self._opened, self._cache / "answers.sqlite")

    async def __aexit__(self, *_: object) -> None:
        if self._opened is not None:
            await self._opened.aclose()
