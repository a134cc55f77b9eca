"""Which model to ask and within what limits: plain values, read from the environment.

Never touches a network or a provider's library, so that a forecast, `doctor` and `--help` can use it.
"""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from math import inf
from types import MappingProxyType
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from narraworld.base.errors import NarraWorldError
from narraworld.base.settings import DEFAULTS

__all__ = [
    "MODES",
    "OPENAI_URL",
    "BadModelSettings",
    "ModelSettings",
    "Secret",
    "is_loopback",
    "shown_address",
]

OPENAI_URL = "https://api.openai.com/v1"
OPENAI_MODEL = "gpt-5-mini"  # only for OpenAI itself: no other server is known to have it

USUAL = DEFAULTS.model_reading.asking

MODES = ("auto", "json_schema", "tools", "json", "md_json")
"""How an answer is given its shape; `auto` tries the others in this order, once per endpoint and model."""

KEY = re.compile(r"[!-~]+")  # what a header can carry; of anything else a library's error shows the whole
NO_PORT = re.compile(r":(?!//|\d+(?:/|$))[^/]*")  # what stands where a port should be, or a password
YES = frozenset({"1", "true", "yes", "on"})
NO_LIMITS: Mapping[str, float] = MappingProxyType({})
# The project's names, as in [model] of narraworld.toml, and the environment's
LIMITS = {"timeout": "NARRAWORLD_TIMEOUT", "patience": "NARRAWORLD_PATIENCE", "retries": "NARRAWORLD_RETRIES"}
NO_SECRET = 8  # characters; a shorter key is a placeholder for a server that wants none, and may be a word of the story


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

    @property
    def sendable(self) -> bool:
        """Whether it can stand in a header as it is."""
        return KEY.fullmatch(self._hidden) is not None

    def without(self, text: str, shown: str = "(key)") -> str:
        """``text`` as it may be shown: servers like to repeat the key they refuse."""
        return text.replace(self._hidden, shown) if self else text


NO_KEY = Secret()


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Everything that can be tuned about asking a model. Times are seconds."""

    model: str
    base_url: str = field(default=OPENAI_URL, repr=False)  # may hold a password: `endpoint` is for showing
    key: Secret = NO_KEY
    mode: str = "auto"
    jobs: int = USUAL.jobs
    timeout: float = USUAL.timeout
    patience: float = USUAL.patience
    transport_retries: int = USUAL.transport_retries
    repairs: int = USUAL.repairs
    repair_budget: int = USUAL.repair_budget
    answer_tokens: int = USUAL.answer_tokens
    answer_bytes: int = USUAL.answer_bytes
    asking_about: float = USUAL.asking_about
    small_context: int = USUAL.small_context
    temperature: float = USUAL.temperature
    seed: int = USUAL.seed
    trust_env: bool = False  # let http_proxy, .netrc and the like say who else sees the text; not on loopback

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise BadModelSettings(f"no mode {self.mode!r}", fix=f"known are: {', '.join(MODES)}")
        if _split(self.base_url) is None:
            raise BadModelSettings(
                f"{shown_address(self.base_url)!r} is not a web address",
                where="OPENAI_BASE_URL",
                fix="for Ollama: http://localhost:11434/v1",
            )
        if self.key and not self.key.sendable:
            raise BadModelSettings(
                "the key has a character in it that no key has: a space, a line break, a letter beyond ASCII",
                where="OPENAI_API_KEY",
                fix="copy it again, on one line; it is not shown here",
            )

    @classmethod
    def from_environment(
        cls,
        environ: Mapping[str, str] = os.environ,
        /,
        limits: Mapping[str, float] = NO_LIMITS,
        **changes: Any,
    ) -> ModelSettings:
        """OPENAI_BASE_URL, OPENAI_API_KEY and NARRAWORLD_{MODEL,MODE,TRUST_ENV,TIMEOUT,PATIENCE,RETRIES}.

        ``changes`` win over the environment, and that wins over ``limits``, the project's own.
        """
        changes = _limits(environ, limits) | changes
        url = changes.pop("base_url", None) or environ.get("OPENAI_BASE_URL") or OPENAI_URL
        model = changes.pop("model", None) or environ.get("NARRAWORLD_MODEL") or _usual_model(url)
        key = changes.pop("key", None) or Secret(environ.get("OPENAI_API_KEY", "").strip())
        mode = changes.pop("mode", None) or environ.get("NARRAWORLD_MODE") or "auto"
        trust = changes.pop("trust_env", environ.get("NARRAWORLD_TRUST_ENV", "").strip().lower() in YES)
        return cls(
            model=model, base_url=url, key=key or _no_key(url), mode=mode.lower(), trust_env=trust, **changes
        )

    @property
    def endpoint(self) -> str:
        """The address as it may be shown: without user, password and query."""
        return shown_address(self.base_url)

    @property
    def asks_environment(self) -> bool:
        """Whether proxies named by the environment may carry our requests: by choice, and never on this machine."""
        return self.trust_env and not is_loopback(self.base_url)

    @property
    def login(self) -> tuple[str, str] | None:
        """User and password of the address, for the one place that sends them."""
        parts = urlsplit(self.base_url)
        return (unquote(parts.username or ""), unquote(parts.password or "")) if "@" in parts.netloc else None

    def shown(self, text: str) -> str:
        """``text`` without key and password, however they are written."""
        return self.key.without(self._without_login(text))

    def kept(self, answer: str, question: str) -> str:
        """An answer as it may be kept: a key in it that the question did not have is one that a server repeats."""
        secrets = (self.key.reveal(), self.login[1] if self.login else "")
        hidden = [one for one in secrets if len(one) >= NO_SECRET and one not in question]
        return self.shown(answer) if any(one in answer for one in hidden) else answer

    def _without_login(self, text: str) -> str:
        login = self.login
        if login is None:
            return text
        basic = b64encode(":".join(login).encode()).decode()
        for said in (basic, urlsplit(self.base_url).netloc.rpartition("@")[0], login[1]):
            text = Secret(said).without(text, "(password)")
        return text


def _limits(environ: Mapping[str, str], project: Mapping[str, float]) -> dict[str, Any]:
    """How long and how often to try, by the names of the fields."""
    said = {
        key: (environ[name].strip(), name) for key, name in LIMITS.items() if environ.get(name, "").strip()
    }
    found = dict(project) | {key: _amount(*text) for key, text in said.items()}
    retries = {"transport_retries": int(found.pop("retries"))} if "retries" in found else {}
    return found | retries


def _amount(text: str, name: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < inf:
        raise BadModelSettings(f"{text!r} is not a number above zero", where=name, fix=f"export {name}=300")
    return value


def shown_address(url: str) -> str:
    """An address without user, password and query; of what is none, nothing that might be a password."""
    parts = _split(url)
    if parts is None:
        return NO_PORT.sub(":…", url.rpartition("@")[2].partition("?")[0])
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _split(url: str) -> SplitResult | None:
    """The parts of a web address; None if it is none."""
    try:
        parts = urlsplit(url)
        whole = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # brackets that do not close, or a port that is no number
        return None
    return parts if whole else None


def is_loopback(url: str) -> bool:
    """Whether ``url`` stays on this machine."""
    parts = _split(url)
    host = (parts and parts.hostname) or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _usual_model(url: str) -> str:
    if url.rstrip("/") == OPENAI_URL:
        return OPENAI_MODEL
    shown = shown_address(url).rstrip("/")
    raise BadModelSettings(
        f"the server at {shown} was given, but not which of its models",
        where="NARRAWORLD_MODEL",
        fix=f"export NARRAWORLD_MODEL=… as the server names it: curl {shown}/models",
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
