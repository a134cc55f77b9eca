"""Every way a model's server can fail has one documented outcome: what is raised, after how many calls, in which words."""

from __future__ import annotations

import asyncio
import itertools
import os
import random
from dataclasses import dataclass
from typing import Any

import pytest
from fault_server import (
    MODES,
    FaultServer,
    Reply,
    Turn,
    answers,
    cut,
    drips,
    hangs,
    huge,
    length_stop,
    no_choices,
    quick_settings,
    raw,
    refuses,
    says,
    schema_echo,
    status,
)
from pydantic import BaseModel, ConfigDict

from narraworld.extract.model.port import ModelFailed, Overflow, Prompt, Told
from narraworld.models.environment import Secret
from narraworld.models.faults import NoGoodAnswer
from narraworld.models.openai import OpenAIModel

KEY = "sk-very-secret"
MARA = {"name": "Mara", "age": 31}
WRONG = {"name": ["Mara"], "age": "old"}
PASSAGE = "  Mara wrote {{ 1+1 }} and {% raw %} on the wall.\n\n\tLeo read it: “{{ key }}”.  \r\n"
QUESTION = Prompt("events", "You note what happens.", f"Text:\n{PASSAGE}")


class Person(BaseModel):
    """Someone in the story."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    name: str
    age: int


MARA_TOLD = Person(name="Mara", age=31)


def ask(server: FaultServer, mode: str = "tools", **limits: Any) -> Told[Person]:
    """One question to the server, with limits that suit a test."""
    settings = quick_settings(server, **({"key": Secret(KEY), "mode": mode, "transport_retries": 1} | limits))

    async def once() -> Told[Person]:
        async with OpenAIModel(settings) as model:
            return await model.ask(QUESTION, Person)

    return asyncio.run(once())


@dataclass(frozen=True)
class Case:
    """The script, and what must come of it."""

    turns: tuple[Turn, ...]
    calls: int
    raised: type[ModelFailed] | None = None  # None: the answer arrives
    words: tuple[str, ...] = ()


ON_THE_WAY = {
    "401": Case((status(401, f"no such key: {KEY}"),), 1, ModelFailed, ("refused the key", "OPENAI_API_KEY")),
    "403": Case((status(403),), 1, ModelFailed, ("does not allow",)),
    "404": Case((status(404, "no model tiny"),), 1, ModelFailed, ("no model tiny", "NARRAWORLD_MODEL")),
    "429 once": Case((status(429, retry_after=0.01), answers(MARA)), 2),
    "429 for good": Case((status(429, "slow down"),), 2, ModelFailed, ("asked too often", "slow down")),
    "429 for an hour": Case((status(429, "quota", retry_after=3600),), 1, ModelFailed, ("quota",)),
    "500 once": Case((status(500), answers(MARA)), 2),
    "500 for good": Case((status(500, "oom"),), 2, NoGoodAnswer, ("failed inside: 500 oom",)),
    "503 for good": Case(
        (status(503, "loading"),), 2, ModelFailed, ("503 loading", "finished units are kept")
    ),
    "cut once": Case((cut(MARA), answers(MARA)), 2),
    "cut for good": Case((cut(MARA),), 2, ModelFailed, ("broke off", "2 tries")),
    "context too small": Case(
        (status(400, "maximum context length is 4096 tokens"),), 2, Overflow, ("too large", "longer context")
    ),
}


@pytest.mark.parametrize("case", ON_THE_WAY.values(), ids=ON_THE_WAY)
def test_a_failure_on_the_way(case: Case) -> None:
    with FaultServer(*case.turns) as server:
        check(case, server, "tools")


IN_THE_ANSWER = {
    "bad JSON": Case((says('{"name": "Mara", '),), 3, NoGoodAnswer, ("shape asked for", "attempts: 3")),
    "bad JSON once": Case((says('{"name": "Mara", '), answers(MARA)), 2),
    "no JSON at all": Case((says("Mara is 31."),), 3, NoGoodAnswer, ("shape asked for",)),
    "schema echo": Case((schema_echo(),), 3, NoGoodAnswer, ("name: Field required",)),
    "schema echo once": Case((schema_echo(), answers(MARA)), 2),
    "wrong types": Case((answers(WRONG),), 3, NoGoodAnswer, ("name: Input should be a valid string",)),
    "wrong types once": Case((answers(WRONG), answers(MARA)), 2),
    "a field we did not ask for": Case((answers(MARA | {"note": "x"}), answers(MARA)), 2),
    "refusal": Case((refuses("Not this."),), 1, NoGoodAnswer, ("refused to answer: Not this.",)),
    "content filter": Case((answers(MARA, finish_reason="content_filter"),), 1, NoGoodAnswer, ("filter",)),
    "empty choices": Case((no_choices(),), 1, NoGoodAnswer, ("answered nothing: no choices",)),
    "length stop": Case((length_stop(MARA),), 1, Overflow, ("could not finish", "longer context")),
    "length stop of whole JSON": Case((answers(MARA, finish_reason="length"),), 1, Overflow, ("cut after",)),
    "length stop in a repair": Case((answers(WRONG), length_stop(MARA)), 2, Overflow),
    "10 MB": Case((huge(10),), 1, NoGoodAnswer, ("more than we read", "100,000 bytes")),
    "a web page": Case((raw("<html>", "text/html"),), 1, NoGoodAnswer, ("no chat completion",)),
    "a web page called JSON": Case((raw("<html>"),), 1, NoGoodAnswer, ("no chat completion",)),
    "a list": Case((raw("[]"),), 1, NoGoodAnswer, ("no chat completion",)),
    "a deep list": Case((raw("[" * 99_000),), 1, NoGoodAnswer, ("no chat completion",)),
    "nothing": Case((raw(""),), 1, NoGoodAnswer, ("no chat completion",)),
    "bytes that are no text": Case((raw(b"\xff\xfe\x00{"),), 1, NoGoodAnswer, ("no chat completion",)),
    "choices that are none": Case((raw('{"choices": "x"}'),), 1, NoGoodAnswer, ("no choices",)),
    "a choice without message": Case((raw('{"choices": [{}]}'),), 1, NoGoodAnswer, ("without a message",)),
    "a message of numbers": Case(
        (raw('{"choices": [{"message": {"content": 5, "tool_calls": [5]}}]}'),), 1, NoGoodAnswer
    ),
    "usage in words": Case((lambda seen: _with_usage(seen, {"prompt_tokens": "many"}),), 1),
    "no usage": Case((lambda seen: _with_usage(seen, None),), 1),
    "no usage, repaired": Case((lambda seen: _with_usage(seen, None, WRONG), answers(MARA)), 2),
}


def _with_usage(seen: Any, usage: Any, given: dict[str, Any] = MARA) -> Any:
    return answers(given, usage=usage)(seen)


@pytest.mark.parametrize("mode", sorted(MODES))
@pytest.mark.parametrize("case", IN_THE_ANSWER.values(), ids=IN_THE_ANSWER)
def test_a_failure_in_the_answer(case: Case, mode: str) -> None:
    with FaultServer(*case.turns) as server:
        check(case, server, mode)


def check(case: Case, server: FaultServer, mode: str) -> None:
    """The documented outcome, and what holds after every one."""
    if case.raised is None:
        assert ask(server, mode).answer == MARA_TOLD
    else:
        with pytest.raises(case.raised) as failure:
            ask(server, mode)
        assert type(failure.value) is case.raised
        says_what(str(failure.value), case.words)
        assert failure.value.__suppress_context__, "a user would see the libraries' tracebacks"
    assert len(server.seen) == case.calls
    assert all(PASSAGE in seen.user for seen in server.seen), "the text did not arrive as it was"


def says_what(message: str, words: tuple[str, ...]) -> None:
    where, fix = message.splitlines()[0], message.splitlines()[1]
    assert where.startswith("events (tiny at http://127.0.0.1:") and fix.strip()
    assert [word for word in words if word not in message] == []
    assert KEY not in message and len(message) < 700


def test_silence_ends_after_the_timeout_of_every_try() -> None:
    with FaultServer(hangs()) as server:
        with pytest.raises(ModelFailed, match=r"did not answer in time: 2 tries of 1 s"):
            ask(server, timeout=1.0)
        assert server.wait_for(2) and len(server.seen) == 2


def test_a_server_that_drips_for_ever_is_left_when_patience_ends() -> None:
    with (
        FaultServer(drips(MARA, seconds=0.05)) as server,
        pytest.raises(ModelFailed, match=r"did not answer in time: not whole after 1 s"),
    ):
        ask(server, patience=1.0)


def test_nobody_listens() -> None:
    with FaultServer(answers(MARA)) as server:
        gone = server
    with pytest.raises(ModelFailed, match="could not be reached") as failure:
        ask(gone, transport_retries=0)
    assert "OPENAI_BASE_URL" in str(failure.value)


@pytest.mark.parametrize("mode", sorted(MODES))
@pytest.mark.parametrize("fault", [says("{"), says(""), schema_echo(), answers(WRONG)], ids=lambda _: "")
def test_a_repair_is_never_the_same_request_again(fault: Turn, mode: str) -> None:
    with FaultServer(fault) as server:
        with pytest.raises(NoGoodAnswer):
            ask(server, mode, repairs=3)
        assert len({seen.body for seen in server.seen}) == len(server.seen) == 4
        for before, after in itertools.pairwise(server.seen):
            grown = after.json["messages"]
            assert grown[: len(before.json["messages"])] == before.json["messages"], (
                "the prefix must stay cacheable"
            )
            assert len(grown) > len(before.json["messages"])


def test_repairing_ends_when_its_tokens_are_used_up() -> None:
    with FaultServer(answers(WRONG)) as server:
        with pytest.raises(NoGoodAnswer, match="tokens allowed for repairing"):
            ask(server, repairs=9, repair_budget=300)  # the server counts 120 tokens an answer
        assert len(server.seen) == 3


def test_without_repairs_the_first_bad_answer_is_the_last() -> None:
    with FaultServer(answers(WRONG)) as server:
        with pytest.raises(NoGoodAnswer):
            ask(server, repairs=0)
        assert len(server.seen) == 1


SCRAPS = [
    b"",
    b"null",
    b"[]",
    b"{}",
    b"5",
    b'"',
    b"\\",
    b"}",
    b"\xff",
    b"NaN",
    b'{"a":',
    b"9" * 400,
    b"\\ud800",
    b"[" * 200,
]


def damaged(whole: bytes, dice: random.Random) -> bytes:
    """The body with pieces of it cut out, doubled or replaced by scraps."""
    for _ in range(dice.randint(1, 3)):
        start = dice.randrange(len(whole) + 1)
        end = min(len(whole), start + dice.choice([0, 1, 2, 5, 30]))
        whole = whole[:start] + dice.choice([*SCRAPS, whole[start:end] * 2]) + whole[end:]
    return whole


@pytest.mark.parametrize("mode", sorted(MODES))
def test_no_body_whatever_is_more_than_a_failure(mode: str) -> None:
    dice = random.Random(mode)
    times = int(os.environ.get("NARRAWORLD_FUZZ", "75"))

    async def many(server: FaultServer) -> list[Told[Person] | BaseException]:
        settings = quick_settings(server, mode=mode, jobs=1)
        async with OpenAIModel(settings) as model:
            return [await one(model) for _ in range(times)]

    async def one(model: OpenAIModel) -> Told[Person] | BaseException:
        try:
            return await model.ask(QUESTION, Person)
        except ModelFailed as failure:
            return failure

    with FaultServer(lambda seen: Reply(damaged(answers(MARA)(seen).body, dice))) as server:
        outcomes = asyncio.run(many(server))
    assert len(outcomes) == times
    assert {type(outcome) for outcome in outcomes} >= {NoGoodAnswer, Told}, "the dice should give both"
