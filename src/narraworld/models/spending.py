"""What asking has cost so far, and the guard that stops before it costs too much."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from narraworld.extract.model.port import ModelFailed, Usage
from narraworld.models.environment import BadModelSettings
from narraworld.models.prices import Price

__all__ = ["Bill", "Spending", "TokenLedger", "TooExpensive"]


class TooExpensive(ModelFailed):
    """The next call could pass the maximum, so it was not made."""


@dataclass(slots=True)
class TokenLedger:
    """What was used for each kind of question, failed and repaired ones included."""

    by_prompt: dict[str, Usage] = field(default_factory=dict)

    def add(self, name: str, usage: Usage) -> None:
        self.by_prompt[name] = self.by_prompt.get(name, Usage()) + usage

    @property
    def total(self) -> Usage:
        return sum(self.by_prompt.values(), Usage())


@dataclass(slots=True, eq=False)
class Bill:
    """One call's place in the spending: at worst ``worst``, in the end ``paid``."""

    worst: float
    paid: float = 0.0


class Spending:
    """Money spent, and the most that may be.

    A call is let through only if even its longest answer stays within the maximum. While others are under way it
    waits for them, since most cost less than their worst; alone, it is refused.
    """

    def __init__(self, price: Price | None = None, maximum: float | None = None) -> None:
        if maximum is not None and price is None:
            raise BadModelSettings(
                "a maximum cost cannot be held: the price of this model is unknown",
                fix="add the model to a price file (NARRAWORLD_PRICES), or read without a maximum",
            )
        self.price, self.maximum = price, maximum
        self._settled = 0.0
        self._open: list[Bill] = []
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def spent(self) -> float | None:
        """US dollars so far; None if the price is unknown."""
        return None if self.price is None else self._settled

    @asynccontextmanager
    async def bill(self, worst: Usage, where: str) -> AsyncIterator[Bill]:
        """Room for one call, or TooExpensive. The caller writes what it really used with `charge`."""
        bill = Bill(self.price.of(worst) if self.price else 0.0)
        while not self._fits(bill):
            if not self._open:
                raise self._too_expensive(bill, where)
            await self._until_one_is_settled()
        self._open.append(bill)
        try:
            yield bill
        finally:
            self._settle(bill)

    def charge(self, bill: Bill, usage: Usage) -> None:
        """What the call really used."""
        bill.paid = self.price.of(usage) if self.price else 0.0

    def _fits(self, bill: Bill) -> bool:
        committed = self._settled + sum(other.worst for other in self._open)
        return self.maximum is None or committed + bill.worst <= self.maximum

    async def _until_one_is_settled(self) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        await turn

    def _settle(self, bill: Bill) -> None:
        self._open.remove(bill)
        self._settled += bill.paid
        waiting, self._waiting = self._waiting, []
        for turn in waiting:
            if not turn.done():
                turn.set_result(None)

    def _too_expensive(self, bill: Bill, where: str) -> TooExpensive:
        return TooExpensive(
            f"${self._settled:.4f} of at most ${self.maximum:.4f} is spent; the next call may cost ${bill.worst:.4f}",
            where=where,
            fix="finished units are kept: raise the maximum cost and read again to go on from here",
        )
