"""What asking costs: known before, counted during, stopped in time."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from fault_server import FaultServer, Reply, Seen, answers, quick_settings, status
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from narraworld.extract.model.port import Prompt, Usage
from narraworld.models.environment import BadModelSettings
from narraworld.models.openai import OpenAIModel
from narraworld.models.prices import (
    CostRange,
    Expected,
    Price,
    estimate_tokens,
    forecast,
    known_prices,
    load_prices,
)
from narraworld.models.spending import Spending, TooExpensive

CENT_A_CALL = Price(prompt=0.0, answer=1.0)  # the fault server counts 20 tokens an answer; we allow 10,000
QUESTION = Prompt("events", "You repeat.", "hello")


class Echo(BaseModel):
    said: str


HELLO = answers({"said": "hello"})


def ask(server: FaultServer, spending: Spending, times: int, **changes: Any) -> list[Any]:
    settings = quick_settings(server, **({"mode": "tools", "answer_tokens": 10_000} | changes))

    async def together() -> list[Any]:
        async with OpenAIModel(settings, spending=spending) as model:
            return await asyncio.gather(
                *(model.ask(QUESTION, Echo) for _ in range(times)), return_exceptions=True
            )

    return asyncio.run(together())


def test_the_call_that_could_pass_the_maximum_is_not_made() -> None:
    spending = Spending(CENT_A_CALL, maximum=0.01005)  # 1 cent at worst, 0.00002 in fact
    with FaultServer(HELLO) as server:
        told = ask(server, spending, 9, jobs=1)
        assert len(server.seen) == 3
    assert [one.answer.said for one in told[:3]] == ["hello"] * 3
    assert all(isinstance(one, TooExpensive) for one in told[3:])
    assert spending.spent == pytest.approx(0.00006)
    assert "events (tiny at " in str(told[-1]) and "$0.0001 of at most $0.0100 is spent" in str(told[-1])


def test_a_call_waits_for_those_under_way_before_it_is_refused() -> None:
    spending = Spending(
        CENT_A_CALL, maximum=0.011
    )  # room for one worst case at a time, and for many real ones
    with FaultServer(HELLO) as server:
        told = ask(server, spending, 6, jobs=6)
        assert len(server.seen) == 6
    assert [one.answer.said for one in told] == ["hello"] * 6


def test_repairs_are_paid_and_guarded_too() -> None:
    spending = Spending(CENT_A_CALL, maximum=0.01001)
    with FaultServer(answers({"said": 5})) as server:
        (failure,) = ask(server, spending, 1)
        assert isinstance(failure, TooExpensive) and len(server.seen) == 1
    assert spending.spent == pytest.approx(0.00002)


def test_what_fails_on_the_way_gives_its_room_back() -> None:
    def first_fails(seen: Seen) -> Reply:
        return (status(403) if len(server.seen) == 1 else HELLO)(seen)

    spending = Spending(CENT_A_CALL, maximum=0.01005)
    with FaultServer(first_fails) as server:
        told = ask(server, spending, 2, jobs=1)
    assert told[1].answer.said == "hello"


def test_the_ledger_names_what_each_kind_of_question_used() -> None:
    async def several(server: FaultServer) -> OpenAIModel:
        async with OpenAIModel(quick_settings(server, mode="auto")) as model:
            for name in ("entities", "events", "events"):
                await model.ask(Prompt(name, "s", "u"), Echo)
            return model

    with FaultServer(answers({"said": 5}), HELLO) as server:
        model = asyncio.run(several(server))
    assert model.ledger.by_prompt == {
        "probe": Usage(1, 100, 20),
        "entities": Usage(2, 200, 40),  # one repair
        "events": Usage(2, 200, 40),
    }
    assert model.ledger.total == Usage(5, 500, 100)
    assert model.spending.spent is None, "without a price nothing is said about money"


def test_a_maximum_needs_a_price() -> None:
    with pytest.raises(BadModelSettings, match="price of this model is unknown"):
        Spending(None, maximum=1.0)


# -- before -----------------------------------------------------------------------------------------------------------


def test_a_forecast_is_a_range_and_says_so() -> None:
    questions = [Expected(2_000, CostRange(500, 1_500))] * 4
    expected = forecast(questions, Price(prompt=1.0, answer=10.0))
    assert expected.calls == CostRange(4, 5)
    assert expected.prompt_tokens == CostRange(8_000, 10_000)
    assert expected.answer_tokens == CostRange(2_000, 7_500)
    assert expected.cost == CostRange(pytest.approx(0.028), pytest.approx(0.085))
    assert str(expected) == "4–5 calls, ~8,000–10,000 tokens in, ~2,000–7,500 out, about $0.03–0.09"


def test_an_unknown_price_stays_unknown() -> None:
    expected = forecast([Expected(10, CostRange(1, 1))], load_prices().get("somebody's-own-model"))
    assert expected.cost is None and str(expected).endswith("price unknown")


def test_nothing_to_ask_costs_nothing() -> None:
    assert str(forecast([], Price(1, 1))) == "0 calls, ~0 tokens in, ~0 out, about $0.00"


def test_a_users_prices_win_over_ours(tmp_path: Path) -> None:
    mine = tmp_path / "prices.toml"
    mine.write_text('["gpt-5-mini"]\nprompt = 9\nanswer = 10.5\n["llama3.1:8b"]\nprompt = 0\nanswer = 0\n')
    prices = known_prices({"NARRAWORLD_PRICES": str(mine)})
    assert (prices["gpt-5-mini"], prices["llama3.1:8b"]) == (Price(9, 10.5), Price(0, 0))
    assert prices["gpt-4o"] == known_prices({})["gpt-4o"]


@pytest.mark.parametrize(
    "text",
    ["[m", "m = 3", "[m]\nprompt = 1", "[m]\nprompt = -1\nanswer = 1", "[m]\nprompt = true\nanswer = 1", "[m]\nprompt = nan\nanswer = 1"],
)  # fmt: skip
def test_a_price_that_is_none_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(text)
    with pytest.raises(BadModelSettings, match=r"prices\.toml"):
        load_prices(path)


def test_a_price_file_that_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadModelSettings, match=r"none\.toml"):
        load_prices(tmp_path / "none.toml")


@given(st.lists(st.tuples(st.integers(0, 9999), st.integers(0, 999), st.integers(0, 999)), max_size=20))
def test_low_is_never_above_high_and_more_questions_never_cost_less(rows: list[tuple[int, int, int]]) -> None:
    questions = [Expected(prompt, CostRange(low, low + more)) for prompt, low, more in rows]
    whole = forecast(questions, Price(0.25, 2.0))
    part = forecast(questions[1:], Price(0.25, 2.0))
    assert whole.cost and part.cost
    for one, other in [(part.cost, whole.cost), (part.calls, whole.calls)]:
        assert one.low <= one.high and one.low <= other.low and one.high <= other.high


@pytest.mark.parametrize(
    ("text", "at_least", "at_most"),
    [("", 0, 0), ("Mara moved the key to the drawer while Leo slept.", 11, 15), ("月が出ていた。", 4, 10)],
    ids=["nothing", "English", "Japanese"],
)
def test_an_estimate_is_near(text: str, at_least: int, at_most: int) -> None:
    assert at_least <= estimate_tokens(text) <= at_most
