"""The door to language models: any OpenAI-compatible endpoint, behind the port `extract.asking.Asks`.

Three layers, each with its own kind of retry, so that none multiplies another:
the *client* (openai) repeats what broke on the way; *instructor* sends an answer of the wrong shape back with the
reason; *we* only ever change the request: without an option the server refuses, or, once per endpoint, in another mode.

The text of the story is sent as it is: instructor's `context=` would run it through a template engine.
Importing this module takes seconds; whoever needs a model imports it then. No other module knows openai or instructor.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, Self, TypeVar, cast
from urllib.parse import urlsplit

import httpx2
import instructor
import openai
from instructor.core import InstructorRetryException
from instructor.v2.core.errors import TokenBudgetError
from instructor.v2.core.function_calls import ResponseSchema
from openai.types import CompletionUsage
from openai.types.chat import ChatCompletion
from pydantic import BaseModel, GetCoreSchemaHandler, ValidationError
from pydantic_core import CoreSchema

from narraworld.extract.model.port import ModelFailed, Overflow, Prompt, Told, Usage
from narraworld.models.environment import MODES, BadModelSettings, ModelSettings, shown_address
from narraworld.models.faults import NoGoodAnswer, of_answer, of_status
from narraworld.models.habits import recall, refused_options, told_context
from narraworld.models.prices import estimate_tokens
from narraworld.models.recordings import from_json, to_json
from narraworld.models.spending import Spending, TokenLedger

__all__ = ["OpenAIModel"]

Answer = TypeVar("Answer", bound=BaseModel)

MOST_PROBLEMS = 3  # of an answer, named in a message

# They log whole requests and answers, the story and what a server repeats of the key; and what we raise, a second time.
for _talkative in ("openai", "instructor", "httpx2", "httpcore2"):
    logging.getLogger(_talkative).addHandler(logging.NullHandler())
    logging.getLogger(_talkative).setLevel(logging.CRITICAL)


class Sighting(BaseModel):
    """What the sentence says."""

    colour_of_table: Literal["red", "blue", "green"]
    number_of_keys: int


# Names no field: only a schema that really reached the model tells it what to fill in.
PROBE = Prompt("probe", "You report what a sentence says.", "Mara laid seven keys on the blue table.")


class OpenAIModel:
    """Asks a model. Use it `async with` inside one event loop, so that its connections are closed."""

    def __init__(
        self, settings: ModelSettings, *, memory: Path | None = None, spending: Spending | None = None
    ) -> None:
        self.model, self.settings = settings.model, settings
        self.ledger, self.spending = TokenLedger(), spending or Spending()
        self._habits = recall(settings, memory)
        self._line: _Line | None = None

    @property
    def mode(self) -> str | None:
        """The mode that was chosen, or that the probe found to work; None before the first question."""
        return self._habits.mode if self.settings.mode == "auto" else self.settings.mode

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Hang up; a later question opens a new line."""
        line, self._line = self._line, None
        if line is not None:
            await line.client.close()

    async def ask(self, prompt: Prompt, answer: type[Answer], /) -> Told[Answer]:
        """Answer, or raise ModelFailed: repaired if need be, bounded in time, size and money."""
        self._here()  # a line that cannot be opened is a fault of the settings, not of an answer
        mode = self.settings.mode if self.settings.mode != "auto" else await self._find_mode()
        return await self._ask_in(mode, prompt, answer, self.settings.repairs)

    async def context_length(self) -> int | None:
        """The tokens the model takes at once, if its server says so; asked once, and not insisted on."""
        client = self._here().client.with_options(max_retries=0, timeout=self.settings.asking_about)
        try:
            listed = await client.models.list()
            return next((told_context(one.model_dump()) for one in listed.data if one.id == self.model), None)
        except (openai.OpenAIError, ValueError, TypeError, AttributeError):
            return None

    async def _find_mode(self) -> str:
        async with self._here().probing:  # the others wait for the first to find it
            if self._habits.mode is None:
                self._habits.mode = await self._probe()
                self._habits.remember()
            return self._habits.mode

    async def _probe(self) -> str:
        tried = []
        for mode in MODES[1:]:
            try:
                await self._ask_in(mode, PROBE, Sighting, repairs=0)
            except (NoGoodAnswer, Overflow) as failure:
                tried.append(f"{mode}: {failure.what}")
            else:
                return mode
        raise ModelFailed(
            "the model fills in a simple form in no mode: " + "; ".join(tried),
            where=self._where(PROBE),
            fix="choose a mode yourself (NARRAWORLD_MODE), or a more capable model",
        )

    async def _ask_in(self, mode: str, prompt: Prompt, answer: type[Answer], repairs: int) -> Told[Answer]:
        talk = _Talk(self, prompt)
        create: Any = instructor.patch(create=talk.exchange, mode=instructor.Mode[mode.upper()])
        try:
            given = await create(
                response_model=_form(answer),
                messages=[
                    {"role": "system", "content": prompt.system},
                    {"role": "user", "content": prompt.user},
                ],
                model=self.model,
                max_retries=repairs,
                token_budget=self.settings.repair_budget,
                strict=None,  # the answer's own class decides how strict it is
            )
        except InstructorRetryException as error:
            raise talk.failure(error) from None
        kept = self.settings.kept(to_json(given), f"{prompt.system}\n{prompt.user}")
        try:
            return Told(from_json(answer, kept), talk.usage)
        except ValueError:  # a key where a number or a code should be
            raise talk.repeats_the_key() from None

    def _where(self, prompt: Prompt) -> str:
        return f"{prompt.name} ({self._habits.known_as})"

    def _here(self) -> _Line:
        """The connection of the running event loop: one made in another loop is of no use."""
        loop = asyncio.get_running_loop()
        if self._line is None or self._line.loop is not loop:
            self._line = _Line(self.settings, loop)
        return self._line


class _Line:
    """What belongs to one event loop: the client, the turns at it, and the lock of the one who probes."""

    def __init__(self, settings: ModelSettings, loop: asyncio.AbstractEventLoop) -> None:
        self.loop, self.client = loop, _client(settings)
        self.turns, self.probing = asyncio.Semaphore(settings.jobs), asyncio.Lock()


class _Talk:
    """One question with its repairs: instructor sends every request of it through `exchange`."""

    def __init__(self, model: OpenAIModel, prompt: Prompt) -> None:
        self.model, self.settings, self.name = model, model.settings, prompt.name
        self.where = model._where(prompt)
        self.usage = Usage()

    async def exchange(self, **request: Any) -> ChatCompletion:
        """Send, note what it cost, look at what came back. Raises nothing but ModelFailed."""
        size = estimate_tokens(json.dumps(request, ensure_ascii=False))
        worst, spending = Usage(1, size, self.settings.answer_tokens), self.model.spending
        async with self.model._here().turns, spending.bill(worst, self.where) as bill:
            with self._failures():
                completion = await self._send(request)
            used = self._measured(completion, size)
            spending.charge(bill, used)
            self.usage += used
            self.model.ledger.add(self.name, used)
        return self._checked(completion)

    async def _send(self, request: dict[str, Any]) -> ChatCompletion:
        """Post with the options this server takes; one that it refuses by name is left out from then on."""
        habits, client = self.model._habits, self.model._here().client
        post: Any = client.chat.completions.create
        without, required = list(habits.without), {name: request.pop(name) for name in ("messages", "model")}
        while True:
            options = habits.options(without)
            try:
                async with asyncio.timeout(
                    self.settings.patience
                ):  # as extra body: else every schema is copied
                    completion = await post(**required, extra_body=request | options)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                refused = refused_options(_reason(error), options)
                if not refused:
                    raise
                without += refused
            else:
                habits.adopt(without)
                return _completion(completion)

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """Everything that can go wrong on the way becomes ModelFailed."""
        limits = self.settings
        tries = f"{limits.transport_retries + 1} tries"
        try:
            yield
        except _Huge:
            raise self._failed("huge", f"over {limits.answer_bytes:,} bytes") from None
        except TimeoutError:
            raise self._failed("silent", f"not whole after {limits.patience:g} s") from None
        except openai.APITimeoutError:
            raise self._failed("silent", f"{tries} of {limits.timeout:g} s") from None
        except openai.APIConnectionError as error:
            raise self._failed("unreachable", f"{error.__cause__!r}, {tries}") from None
        except openai.APIStatusError as error:
            raise of_status(error.status_code, self._shown(_reason(error)), self.where) from None
        except (openai.OpenAIError, ValueError, RecursionError) as error:
            raise self._failed("garbled", str(error)) from None

    def _measured(self, completion: ChatCompletion, size: int) -> Usage:
        """What the server says it used, else our estimate. instructor adds it up to hold the repair budget."""
        said = completion.usage
        prompt = _count(getattr(said, "prompt_tokens", None))
        answer = _count(getattr(said, "completion_tokens", None))
        if prompt is None or answer is None:
            prompt, answer = size, estimate_tokens(completion.model_dump_json(warnings=False))
        completion.usage = CompletionUsage(
            prompt_tokens=prompt, completion_tokens=answer, total_tokens=prompt + answer
        )
        return Usage(1, prompt, answer)

    def _checked(self, completion: ChatCompletion) -> ChatCompletion:
        """What instructor would take for a fault of shape, and send back in vain."""
        if not isinstance(completion.choices, list) or not completion.choices:
            raise self._failed("empty", "no choices")
        choice = completion.choices[0]
        if not isinstance(choice, BaseModel) or not isinstance(getattr(choice, "message", None), BaseModel):
            raise self._failed("garbled", "a choice without a message")
        if choice.finish_reason == "length":
            raise self._failed("length", f"cut after {self.settings.answer_tokens:,} tokens or fewer")
        if choice.finish_reason == "content_filter":
            raise self._failed("filtered", "")
        if refusal := getattr(choice.message, "refusal", None):
            raise self._failed("refused", str(refusal))
        return completion

    def failure(self, error: InstructorRetryException) -> ModelFailed:
        """The one failure behind instructor's."""
        cause = error.__cause__
        if isinstance(cause, ModelFailed):
            return cause
        kind = "budget" if isinstance(error, TokenBudgetError) else "shape"
        return self._failed(kind, f"{_problem(cause)} (attempts: {error.n_attempts})")

    def repeats_the_key(self) -> ModelFailed:
        return self._failed("shape", "it has the key in it")

    def _failed(self, kind: str, reason: str) -> ModelFailed:
        return of_answer(kind, self._shown(reason), self.where)

    def _shown(self, text: str) -> str:
        return self.settings.shown(text)


class _Huge(openai.OpenAIError):
    """More bytes than we read. An OpenAIError, because those the client does not retry."""


class _Bounded(httpx2.AsyncByteStream):
    """A body of which no more than a limit is read."""

    def __init__(self, body: httpx2.AsyncByteStream, limit: int) -> None:
        self.body, self.limit = body, limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for chunk in self.body:
            read += len(chunk)
            if read > self.limit:
                raise _Huge
            yield chunk

    async def aclose(self) -> None:
        await self.body.aclose()


@lru_cache(maxsize=64)
def _form(answer: type[Answer]) -> type[Answer]:
    """The class as instructor wants it, with the answer's schema and none of its fields to look at.

    instructor would make a class for every question, and walk through all fields of it six times.
    """

    def schema(cls: type[BaseModel], source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return handler(answer)

    names = {"__doc__": answer.__doc__, "__module__": answer.__module__}
    form: Any = type(
        answer.__name__, (ResponseSchema,), {**names, "__get_pydantic_core_schema__": classmethod(schema)}
    )
    return cast("type[Answer]", form)


def _client(settings: ModelSettings) -> openai.AsyncOpenAI:
    async def bound(response: httpx2.Response) -> None:
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _Bounded(response.stream, settings.answer_bytes)

    try:
        http = openai.DefaultAsyncHttpxClient(
            event_hooks={"response": [bound]},
            follow_redirects=False,  # the text goes to the endpoint that was chosen, and nowhere else
            trust_env=settings.asks_environment,
            auth=settings.login,
        )
    except (ImportError, ValueError):  # of a proxy; their words repeat its address, password and all
        raise BadModelSettings(
            "the environment names a proxy that cannot be used",
            where="http_proxy, https_proxy, all_proxy",
            fix="name one of http:// or https://, or leave NARRAWORLD_TRUST_ENV out",
        ) from None
    return openai.AsyncOpenAI(
        base_url=_without_login(settings.base_url),
        api_key=settings.key.reveal(),
        timeout=settings.timeout,
        max_retries=settings.transport_retries,
        default_headers={"Accept-Encoding": "identity"},  # so that bytes read are bytes kept
        http_client=http,
    )


def _without_login(url: str) -> str:
    """The address as it goes into the libraries, whose logs tell it to whoever listens."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def _completion(given: object) -> ChatCompletion:
    """The client parses without checking: anything may come back."""
    if isinstance(given, ChatCompletion):
        return given
    raise ValueError(f"{type(given).__name__} in place of a completion")


def _reason(error: openai.APIStatusError) -> str:
    """The server's own words, wherever it put them; of a redirection, where it points."""
    if 300 <= error.status_code < 400 and "location" in error.response.headers:
        return shown_address(error.response.headers["location"])
    body = error.body
    if isinstance(body, dict):
        body = body.get("message") or body.get("detail") or body.get("error") or body
    return str(body or error.message)


def _problem(cause: object) -> str:
    """What is wrong with an answer, without the pages pydantic writes about it."""
    if not isinstance(cause, ValidationError):
        return str(cause)
    first = cause.errors(include_url=False, include_input=False)[:MOST_PROBLEMS]
    return "; ".join(f"{'.'.join(map(str, one['loc'])) or 'answer'}: {one['msg']}" for one in first)


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
