"""The text goes to the endpoint that was chosen and nowhere else; the key goes there, and is shown nowhere."""

from __future__ import annotations

import asyncio
import json
import logging
import traceback
from pathlib import Path
from typing import Any, Literal

import pytest
from fault_server import FaultServer, Reply, Seen, Turn, answers, quick_settings
from pydantic import BaseModel
from test_faults import IN_THE_ANSWER, ON_THE_WAY, Case, Person

from narraworld.extract.model.port import ModelFailed, Prompt
from narraworld.models.environment import BadModelSettings, ModelSettings, Secret
from narraworld.models.openai import OpenAIModel
from narraworld.models.recordings import AnswerCache, Recorder

KEY, PASSWORD = "sk-very-secret-7f3a", "pa55-of-mara"
STORY = Prompt("events", "You note what happens.", "Mara hid the letter.")
MARA = answers({"name": "Mara", "age": 31})


def ask(settings: ModelSettings, answer: type[BaseModel] = Person) -> Any:
    async def once() -> Any:
        async with OpenAIModel(settings) as model:
            return (await model.ask(STORY, answer)).answer

    return asyncio.run(once())


def moved(to: str, code: int = 307) -> Turn:
    return lambda seen: Reply(b"{}", code, {"location": to})


# -- where the text goes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirection_to_another_host_gets_nothing(code: int) -> None:
    with FaultServer(MARA) as other:
        to = other.url.replace("//", "//me:pw@") + "/chat/completions?token=x"
        with FaultServer(moved(to, code)) as server, pytest.raises(ModelFailed) as failure:
            ask(quick_settings(server, mode="tools"))
        assert other.all_seen == []
    assert str(failure.value) == (
        f"events (tiny at {server.url}): the model is said to be elsewhere, and your text is sent nowhere but to the "
        f"endpoint you chose: {code} {other.url}/chat/completions\n"
        "  if you trust that address, make it OPENAI_BASE_URL"
    )


PROXIES = ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY")


@pytest.mark.parametrize("trust", [False, True])
def test_a_model_on_this_machine_is_asked_without_a_proxy(
    trust: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FaultServer(MARA) as proxy, FaultServer(MARA) as server:
        for name in PROXIES:
            monkeypatch.setenv(name, proxy.url.removesuffix("/v1"))
        ask(quick_settings(server, mode="tools", trust_env=trust))
        assert (len(server.seen), proxy.all_seen) == (1, [])


def test_a_far_model_is_asked_through_a_proxy_by_choice_only() -> None:
    far = {"OPENAI_BASE_URL": "http://models.example/v1", "NARRAWORLD_MODEL": "m", "OPENAI_API_KEY": "k"}
    near = far | {"OPENAI_BASE_URL": "http://localhost:11434/v1"}
    chosen = {"NARRAWORLD_TRUST_ENV": "1"}
    asked = [
        ModelSettings.from_environment(env).asks_environment for env in (far, far | chosen, near | chosen)
    ]
    assert asked == [False, True, False]


def test_a_proxy_that_cannot_be_used_is_said_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("all_proxy", f"gopher://me:{PASSWORD}@proxy.example:70")
    settings = ModelSettings("m", "http://models.example/v1", Secret(KEY), mode="tools", trust_env=True)
    with pytest.raises(BadModelSettings) as failure:
        ask(settings)
    assert str(failure.value) == (
        "http_proxy, https_proxy, all_proxy: the environment names a proxy that cannot be used\n"
        "  name one of http:// or https://, or leave NARRAWORLD_TRUST_ENV out"
    )


# -- what is shown --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key", ["sk-first\nsk-second", "sk-first sk-second", "sk-\tx", "schlüssel", "a\x00b"]
)
def test_a_key_that_is_none_is_refused_and_not_shown(key: str) -> None:
    with pytest.raises(BadModelSettings) as failure:
        ModelSettings.from_environment({"OPENAI_API_KEY": key})
    assert str(failure.value) == (
        "OPENAI_API_KEY: the key has a character in it that no key has: a space, a line break, a letter beyond ASCII\n"
        "  copy it again, on one line; it is not shown here"
    )


@pytest.mark.parametrize(
    ("url", "message"),
    [
        (f"https://me:{PASSWORD}@host:8443/v1?token=x", "NARRAWORLD_MODEL: the server at https://host:8443/v1 was given"),
        (f"ftp://me:{PASSWORD}@host/v1", "OPENAI_BASE_URL: 'host/v1' is not a web address"),
        (f"https://me:{PASSWORD}@host:port/v1", "OPENAI_BASE_URL: 'host:…/v1' is not a web address"),
        (f"https://me:{PASSWORD}@[::1/v1", "OPENAI_BASE_URL: '[:…/v1' is not a web address"),
        (f"https://me:{PASSWORD}", "OPENAI_BASE_URL: 'https://me:…' is not a web address"),
    ],
)  # fmt: skip
def test_a_password_in_the_address_is_not_shown(url: str, message: str) -> None:
    model = {} if "NARRAWORLD_MODEL" in message else {"NARRAWORLD_MODEL": "m"}
    with pytest.raises(BadModelSettings) as failure:
        ModelSettings.from_environment({"OPENAI_BASE_URL": url, "OPENAI_API_KEY": KEY} | model)
    assert str(failure.value).startswith(message)
    assert PASSWORD not in str(failure.value)


def test_a_password_in_the_address_still_opens_the_door() -> None:
    with FaultServer(MARA) as server:
        with_login = server.url.replace("//", f"//me:{PASSWORD}@")
        ask(quick_settings(server, base_url=with_login, mode="tools"))
        assert server.seen[0].headers["authorization"] == "Basic bWU6cGE1NS1vZi1tYXJh"


def repeating(turn: Turn, login: str) -> Turn:
    """The same misbehaviour by a server that repeats the key and the login wherever it can."""

    def worse(seen: Seen) -> Reply:
        said = turn(seen)
        secrets = f"Mara {KEY} {login} {seen.headers['authorization']}".encode()
        body = said.body.replace(b"Mara", secrets).replace(b'"message": "', b'"message": "' + secrets)
        return Reply(body, said.code, {**said.headers, "x-refused": KEY}, said.keep, said.wait, said.drip)

    return worse


LEAKY = {**ON_THE_WAY, **IN_THE_ANSWER, "moved": Case((moved(f"http://{KEY}:{PASSWORD}@far.example/"),), 1, ModelFailed)}  # fmt: skip


@pytest.mark.parametrize("login", ["", f"me:{PASSWORD}@"], ids=["key", "password"])
@pytest.mark.parametrize("case", LEAKY.values(), ids=LEAKY)
def test_no_output_of_any_fault_story_has_the_key(
    case: Case,
    login: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    with FaultServer(*(repeating(turn, login) for turn in case.turns)) as server:
        url = server.url.replace("//", f"//{login}")
        settings = quick_settings(
            server, base_url=url, key=Secret(KEY), transport_retries=1, mode="tools", answer_bytes=50_000
        )
        shown = [_whole_run(settings, tmp_path), repr(settings), str(vars(OpenAIModel(settings)))]
    shown += [record.getMessage() for record in caplog.records] + list(capfd.readouterr())
    shown += [path.read_bytes().decode("utf-8", "replace") for path in tmp_path.rglob("*") if path.is_file()]
    leaks = [text[:200] for text in shown for secret in (KEY, PASSWORD, "cGE1NS1vZi1tYXJh") if secret in text]
    assert leaks == []


def _whole_run(settings: ModelSettings, folder: Path) -> str:
    """Ask as `read` does, with habits, recordings and cache; what came of it, tracebacks included."""

    async def run() -> str:
        async with OpenAIModel(settings, memory=folder / "models.json") as model:
            asks = AnswerCache(Recorder(model, folder / "recorded.jsonl"), folder / "answers.sqlite")
            try:
                told = await asks.ask(STORY, Person)
            except ModelFailed as failure:
                return "".join(traceback.format_exception(failure)) + repr(model.ledger)
            return told.answer.model_dump_json() + repr(model.ledger)

    return asyncio.run(run())


def test_a_key_that_a_server_puts_into_an_answer_is_not_kept(tmp_path: Path) -> None:
    with FaultServer(answers({"name": f"Mara {KEY}", "age": 31})) as server:
        _whole_run(quick_settings(server, key=Secret(KEY), mode="tools"), tmp_path)
    assert json.loads((tmp_path / "recorded.jsonl").read_text())["answer"]["name"] == "Mara (key)"


class Coloured(BaseModel):
    colour: Literal["sk-very-secret-7f3a", "red"]


def test_a_key_where_a_code_should_be_is_no_answer() -> None:
    with FaultServer(answers({"colour": KEY})) as server, pytest.raises(ModelFailed) as failure:
        ask(quick_settings(server, key=Secret(KEY), mode="tools"), Coloured)
    assert (
        str(failure.value).splitlines()[0].endswith("no answer of the shape asked for: it has the key in it")
    )


def test_a_placeholder_that_is_a_word_of_the_story_stays_one() -> None:
    for key in ("Mara", "k"):
        with FaultServer(MARA) as server:
            assert ask(quick_settings(server, key=Secret(key), mode="tools")).name == "Mara"
