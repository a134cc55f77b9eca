"""What a server's failures mean and what to do about them: a table, and the sentences made of it.

* ModelFailed           (extract/model/port.py) no usable answer
  - NoGoodAnswer        the server was reached and answered, but not with what was asked: another mode may help
  - Overflow            (extract/model/port.py) the answer or the prompt was too long: ask about less text
  - TooExpensive        (spending.py) the call was not made
"""

from __future__ import annotations

from dataclasses import dataclass

from narraworld.extract.model.port import ModelFailed, Overflow
from narraworld.models.habits import TOO_LONG

__all__ = ["NoGoodAnswer", "ServerFault", "of_answer", "of_status", "shortened"]

MOST_SHOWN = 300


class NoGoodAnswer(ModelFailed):
    """The server answered, but not with what was asked."""


@dataclass(frozen=True, slots=True)
class ServerFault:
    """What happened, in words that follow "the model", and what a user can do."""

    what: str
    fix: str
    kind: type[ModelFailed] = ModelFailed


BY_STATUS = {
    400: ServerFault("did not understand the request", "try another mode (NARRAWORLD_MODE)", NoGoodAnswer),
    401: ServerFault(
        "refused the key", "check OPENAI_API_KEY: it belongs to this endpoint and is still valid?"
    ),
    402: ServerFault("wants to be paid first", "check the balance of your account at the provider"),
    403: ServerFault(
        "does not allow this key to use the model", "check the key's permissions, or choose another model"
    ),
    404: ServerFault(
        "is not known there", "check NARRAWORLD_MODEL and OPENAI_BASE_URL (does it end in /v1?)"
    ),
    413: ServerFault(
        "refused the request as too large",
        "no shorter passage helped: try a more capable model, or one with a longer context",
        Overflow,
    ),
    422: ServerFault("did not understand the request", "try another mode (NARRAWORLD_MODE)", NoGoodAnswer),
    429: ServerFault(
        "is asked too often",
        "wait, or use fewer jobs at once; if your quota is used up, see the provider's page",
    ),
    500: ServerFault(
        "failed inside", "see the server's log; try another mode (NARRAWORLD_MODE)", NoGoodAnswer
    ),
    501: ServerFault("cannot do this", "try another mode (NARRAWORLD_MODE)", NoGoodAnswer),
}
ELSEWHERE = ServerFault(
    "is said to be elsewhere, and your text is sent nowhere but to the endpoint you chose",
    "if you trust that address, make it OPENAI_BASE_URL",
)
OTHER_STATUS = ServerFault("failed", "try again later; finished units are kept")

UNFIT = {
    "shape": ServerFault(
        "gave no answer of the shape asked for",
        "try another mode (NARRAWORLD_MODE) or a more capable model",
        NoGoodAnswer,
    ),
    "budget": ServerFault(
        "used up the tokens allowed for repairing its answer",
        "try another mode (NARRAWORLD_MODE) or a more capable model",
        NoGoodAnswer,
    ),
    "refused": ServerFault(
        "refused to answer", "the unit is not read; reword it, or read it with another model", NoGoodAnswer
    ),
    "filtered": ServerFault(
        "was stopped by its content filter", "the unit is not read; read it with another model", NoGoodAnswer
    ),
    "empty": ServerFault("answered nothing", "try again; if it stays so, see the server's log", NoGoodAnswer),
    "garbled": ServerFault(
        "gave something that is no chat completion",
        "is OPENAI_BASE_URL an OpenAI-compatible endpoint?",
        NoGoodAnswer,
    ),
    "huge": ServerFault(
        "answered more than we read", "it is likely going in circles: try another model", NoGoodAnswer
    ),
    "length": ServerFault(
        "could not finish its answer",
        "no shorter passage helped: try a more capable model, or one with a longer context",
        Overflow,
    ),
    "silent": ServerFault(
        "did not answer in time", "is it overloaded, or still loading? finished units are kept"
    ),
    "unreachable": ServerFault(
        "could not be reached, or broke off",
        "is the server running, and OPENAI_BASE_URL right? behind a proxy: export NARRAWORLD_TRUST_ENV=1",
    ),
}


def of_status(status: int, reason: str, where: str) -> ModelFailed:
    """The failure for an HTTP status; a prompt beyond the model's context is an overflow, whatever the status."""
    fault = ELSEWHERE if 300 <= status < 400 else BY_STATUS.get(status, OTHER_STATUS)
    if status in (400, 422, 500) and TOO_LONG.search(reason):
        fault = BY_STATUS[413]
    return _failure(fault, f"{status} {reason}", where)


def of_answer(name: str, reason: str, where: str) -> ModelFailed:
    """The failure for what came back, by its name in the table."""
    return _failure(UNFIT[name], reason, where)


def _failure(fault: ServerFault, reason: str, where: str) -> ModelFailed:
    why = f": {shortened(reason)}" if reason.strip() else ""
    return fault.kind(f"the model {fault.what}{why}", where=where, fix=fault.fix)


def shortened(text: str) -> str:
    """One line of bounded length, whatever a server sent."""
    line = " ".join(text[: 4 * MOST_SHOWN].split())
    return line if len(line) <= MOST_SHOWN else line[:MOST_SHOWN] + " …"
