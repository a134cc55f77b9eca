"""What asking will cost, before it is asked: prices from a file that users edit, and the forecast made of them.

An unknown price stays unknown (`None`) all the way to the user; it is never taken for zero.
"""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

from narraworld.base.settings import Estimates
from narraworld.extract.model.port import Usage
from narraworld.models.environment import BadModelSettings

__all__ = [
    "SHIPPED",
    "CostRange",
    "Expected",
    "Forecast",
    "Price",
    "consolidations",
    "estimate_tokens",
    "forecast",
    "known_prices",
    "load_prices",
]

SHIPPED = Path(__file__).with_name("prices.toml")
MILLION = 1_000_000


ESTIMATES = Estimates()


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens. Discounts for cached prompts are not counted: this is an upper bound."""

    prompt: float
    answer: float

    def of(self, usage: Usage) -> float:
        """What ``usage`` costs."""
        return (usage.prompt_tokens * self.prompt + usage.answer_tokens * self.answer) / MILLION


@dataclass(frozen=True, slots=True)
class CostRange:
    """From … to."""

    low: float
    high: float

    def __format__(self, how: str) -> str:
        low, high = format(self.low, how), format(self.high, how)
        return low if low == high else f"{low}–{high}"


@dataclass(frozen=True, slots=True)
class Expected:
    """One question we expect to ask; sizes in tokens."""

    prompt: int
    answer: CostRange


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a reading will take: low if nothing needs repair, high if answers are long and some are repaired."""

    calls: CostRange
    prompt_tokens: CostRange
    answer_tokens: CostRange
    cost: CostRange | None

    def __str__(self) -> str:
        cost = "price unknown" if self.cost is None else f"about ${self.cost:.2f}"
        tokens = f"~{self.prompt_tokens:,.0f} tokens in, ~{self.answer_tokens:,.0f} out"
        return f"{self.calls:,.0f} calls, {tokens}, {cost}"


def estimate_tokens(text: str) -> int:
    """About how many tokens; an estimate, never called a count. By bytes, so that it also holds beyond English."""
    return math.ceil(len(text.encode()) / ESTIMATES.bytes_per_token * ESTIMATES.safety)


def consolidations(system: int, units: int) -> list[Expected]:
    """The questions about plotlines that reading so many units brings; ``system`` is the prompt itself, in tokens."""
    scenes = ESTIMATES.consolidated_tokens
    one = Expected(system + scenes, CostRange(scenes // 10, scenes // 2))
    return [one] * math.ceil(units / ESTIMATES.units_per_consolidation) if units > 1 else []


def forecast(questions: Iterable[Expected], price: Price | None) -> Forecast:
    """Add up what is expected."""
    questions = list(questions)
    worse = 1 + ESTIMATES.repaired
    calls = CostRange(len(questions), math.ceil(len(questions) * worse))
    prompt = sum(question.prompt for question in questions)
    low, high = (sum(getattr(question.answer, end) for question in questions) for end in ("low", "high"))
    prompt_tokens, answer_tokens = CostRange(prompt, prompt * worse), CostRange(low, high * worse)
    return Forecast(calls, prompt_tokens, answer_tokens, _cost(prompt_tokens, answer_tokens, price))


def _cost(prompt: CostRange, answer: CostRange, price: Price | None) -> CostRange | None:
    if price is None:
        return None
    low, high = (
        (p * price.prompt + a * price.answer) / MILLION
        for p, a in ((prompt.low, answer.low), (prompt.high, answer.high))
    )
    return CostRange(low, high)


def load_prices(*files: Path) -> Mapping[str, Price]:
    """The shipped prices, corrected by ``files`` in order; ask it with `.get(model)`: None is "unknown"."""
    found: dict[str, Price] = {}
    for path in (SHIPPED, *files):
        found |= {model: _price(table, f"{path} [{model}]") for model, table in _tables(path).items()}
    return found


def known_prices(environ: Mapping[str, str] = os.environ) -> Mapping[str, Price]:
    """The shipped prices, corrected by the file that NARRAWORLD_PRICES names."""
    mine = environ.get("NARRAWORLD_PRICES")
    return load_prices(*[Path(mine).expanduser()] if mine else [])


def _tables(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadModelSettings(f"is no list of prices: {error}", where=str(path)) from error


def _price(table: object, where: str) -> Price:
    given = table if isinstance(table, dict) else {}
    prompt, answer = given.get("prompt"), given.get("answer")
    if _is_amount(prompt) and _is_amount(answer):
        return Price(float(prompt), float(answer))
    raise BadModelSettings(
        "is no price",
        where=where,
        fix="write: prompt = 0.25 and answer = 2.00, in US dollars per million tokens",
    )


def _is_amount(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < math.inf
