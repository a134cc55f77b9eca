"""Which model to ask and within what limits: plain values, read from the environment.

Never touches a network or a provider's library, so that a forecast, `doctor` and `--help` can use it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from narraworld.base.errors import NarraWorldError

__all__ = ["MODES", "OPENAI_URL", "BadModelSettings", "ModelSettings", "Secret", "is_loopback"]

OPENAI_URL = "https://api.openai.com/v1"
OPENAI_MODEL = "gpt-5-mini"  # only for OpenAI itself: no other server is known to have it

MODES = ("auto", "json_schema", "tools", "json", "md_json")
"""How an answer is given its shape; `auto` tries the others in this order, once per endpoint and model."""


class BadModelSettings(NarraWorldError):
    """A model that cannot be asked as configured."""


class Secret:
    """A key that does not show itself in messages, logs and tracebacks."""

    __slots__ = ("_hidden",)

    def __init__(self, value: str = "") -> None:
        self._hidden = value

    def reveal(self) -> str:
        """The key itself: for the one place that sends it."""
        return self._hidden

    def __bool__(self) -> bool:
        return bool(self._hidden)

    def __repr__(self) -> str:
        return "Secret(hidden)" if self else "Secret(none)"

    def without(self, text: str) -> str:
        """``text`` as it may be shown: servers like to repeat the key they refuse."""
        return text.replace(self._hidden, "(key)") if self else text


NO_KEY = Secret()


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Everything that can be tuned about asking a model. Times are seconds."""

    model: str
    base_url: str = OPENAI_URL
    key: Secret = NO_KEY
    mode: str = "auto"
    jobs: int = 4  # questions under way at once
    timeout: float = 180.0  # silence of the server before a try is given up
    patience: float = (
        900.0  # one call with all its transport retries, even if the server keeps dripping bytes
    )
    transport_retries: int = 4  # after the first try: 429, 5xx, broken connections; Retry-After is honoured
    repairs: int = 2  # times an answer that does not fit is sent back with the reason
    repair_budget: int = 60_000  # tokens of one question after which it is not repaired any more
    answer_tokens: int = 16_384  # asked of the server; a longer answer is cut and becomes Overflow
    answer_bytes: int = 2**20  # read from the server; more is refused unread
    asking_about: float = 5.0  # for what the server says of the model; without it we go on
    small_context: int = 12_000  # tokens of context below which questions are put in the small size
    temperature: float = 0.0
    seed: int = 7

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise BadModelSettings(f"no mode {self.mode!r}", fix=f"known are: {', '.join(MODES)}")
        parts = urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadModelSettings(
                f"{self.base_url!r} is not a web address",
                where="OPENAI_BASE_URL",
                fix="for Ollama: http://localhost:11434/v1",
            )

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ, /, **changes: Any) -> ModelSettings:
        """OPENAI_BASE_URL, OPENAI_API_KEY, NARRAWORLD_MODEL and NARRAWORLD_MODE; ``changes`` win over them."""
        url = changes.pop("base_url", None) or environ.get("OPENAI_BASE_URL") or OPENAI_URL
        model = changes.pop("model", None) or environ.get("NARRAWORLD_MODEL") or _usual_model(url)
        key = changes.pop("key", None) or Secret(environ.get("OPENAI_API_KEY", "").strip())
        mode = changes.pop("mode", None) or environ.get("NARRAWORLD_MODE") or "auto"
        return cls(model=model, base_url=url, key=key or _no_key(url), mode=mode.lower(), **changes)

    @property
    def endpoint(self) -> str:
        """The address as it may be shown: without user, password and query."""
        parts = urlsplit(self.base_url)
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"


def is_loopback(url: str) -> bool:
    """Whether ``url`` stays on this machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _usual_model(url: str) -> str:
    if url.rstrip("/") == OPENAI_URL:
        return OPENAI_MODEL
    raise BadModelSettings(
        f"the server at {url} was given, but not which of its models",
        where="NARRAWORLD_MODEL",
        fix=f"export NARRAWORLD_MODEL=… as the server names it: curl {url.rstrip('/')}/models",
    )


def _no_key(url: str) -> Secret:
    if is_loopback(url):
        return Secret("not-needed")  # the client library insists on one
    raise BadModelSettings(
        "no key for the model",
        where="OPENAI_API_KEY",
        fix="export OPENAI_API_KEY=… (any word, if your server wants none); "
        "or a model on this machine: export OPENAI_BASE_URL=http://localhost:11434/v1",
    )
