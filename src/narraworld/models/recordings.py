"""Answers that were given once: recorded in readable files, replayed from them, or kept so that none is paid twice.

A question is known by the digest of everything the model would see: its name, the prompt, the text, the shape of the
answer, the model. Never touches a provider.
"""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakValueDictionary

from narraworld.base.atomic_files import make_file, make_folder, write_whole
from narraworld.base.errors import NarraWorldError
from narraworld.extract.model.port import Asks, ModelFailed, Prompt, Told, Usage

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = [
    "AnswerCache",
    "BadCache",
    "Recorder",
    "Replay",
    "UnheardQuestion",
    "from_json",
    "shape_of",
    "to_json",
]

Answer = TypeVar("Answer", bound="BaseModel")

DIGITS = 16  # of the digest in a file name; the whole digest is inside
WAIT = 60.0  # seconds for another process that writes to the cache


class UnheardQuestion(ModelFailed):
    """A question that was not asked when the answers were recorded."""


class BadCache(NarraWorldError):
    """A cache of answers that cannot be used."""


# -- one form for an answer, fresh or old ---------------------------------------------------------------------------


def to_json(answer: BaseModel) -> str:
    """An answer as it is kept."""
    return answer.model_dump_json(by_alias=True)


def from_json(answer: type[Answer], text: str) -> Answer:
    """Fresh answers take this way too, so that a replay cannot differ from the first time."""
    return answer.model_validate_json(text)


@lru_cache(maxsize=256)
def shape_of(answer: type[BaseModel]) -> str:
    """The schema of an answer, without what differs between releases of pydantic but says the same to a model."""
    return json.dumps(_plain(answer.model_json_schema()), sort_keys=True, ensure_ascii=False)


def _plain(node: Any) -> Any:
    if isinstance(node, list):
        return [_plain(item) for item in node]
    if not isinstance(node, dict):
        return node
    plain = {key: _plain(value) for key, value in node.items()}
    if isinstance(plain.get("title"), str):  # a property may be called "title": that one is a schema
        del plain["title"]
    if "const" in plain:
        plain["enum"] = [plain.pop("const")]
    if "enum" in plain:
        plain.pop("type", None)
    if len(plain.get("allOf", ())) == 1:
        plain |= plain.pop("allOf")[0]
    return plain


def _digest(model: str, prompt: Prompt, answer: type[BaseModel]) -> str:
    return prompt.digest(model, shape_of(answer))


# -- files ----------------------------------------------------------------------------------------------------------


class Recorder:
    """Passes questions on and writes every answer to a file of its own."""

    def __init__(self, asks: Asks, folder: Path) -> None:
        self.model, self._asks, self._folder = asks.model, asks, folder

    async def ask(self, prompt: Prompt, answer: type[Answer], /) -> Told[Answer]:
        told = await self._asks.ask(prompt, answer)
        digest = _digest(self.model, prompt, answer)
        self._folder.mkdir(parents=True, exist_ok=True)
        page = {
            "model": self.model,
            "prompt": prompt.name,
            "digest": digest,
            "usage": asdict(told.usage),
            "answer": json.loads(to_json(told.answer)),
        }
        path = self._folder / _file_name(prompt, digest)
        write_whole(path, json.dumps(page, indent=1, ensure_ascii=False) + "\n")
        return told


class Replay:
    """Answers from recordings, and from nothing else."""

    def __init__(self, folder: Path, model: str | None = None) -> None:
        self._folder = folder
        self._pages = {page["digest"]: page for page in _pages(folder)}
        self.model = model or self._recorded_model()

    async def ask(self, prompt: Prompt, answer: type[Answer], /) -> Told[Answer]:
        digest = _digest(self.model, prompt, answer)
        page = self._pages.get(digest)
        if page is None:
            raise self._unheard(prompt, digest)
        return Told(from_json(answer, json.dumps(page["answer"])), Usage(cached=1))

    def _recorded_model(self) -> str:
        models = sorted({page["model"] for page in self._pages.values()})
        if len(models) == 1:
            return str(models[0])
        raise ModelFailed(
            f"holds answers of {len(models)} models: {', '.join(models)}"
            if models
            else "holds no recorded answers",
            where=str(self._folder),
            fix="say which model to replay" if models else "record some first, with a model",
        )

    def _unheard(self, prompt: Prompt, digest: str) -> UnheardQuestion:
        others = sum(page["prompt"] == prompt.name for page in self._pages.values())
        return UnheardQuestion(
            f"nothing recorded for {prompt.name!r} with digest {digest[:DIGITS]}; {others} other answers to it are",
            where=str(self._folder),
            fix="the text, the prompt, the answer's shape or the model has changed since: record again",
        )


def _file_name(prompt: Prompt, digest: str) -> str:
    name = re.sub(r"[^\w-]+", "-", prompt.name)
    return f"{name}-{digest[:DIGITS]}.json"


def _pages(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.glob("*.json")):
        try:
            page = json.loads(path.read_text(encoding="utf-8"))
            yield {key: page[key] for key in ("model", "prompt", "digest", "usage", "answer")}
        except (ValueError, KeyError, TypeError) as error:
            raise ModelFailed(f"is no recorded answer: {error!r}", where=str(path)) from error


# -- the cache ------------------------------------------------------------------------------------------------------

TABLE = """
CREATE TABLE IF NOT EXISTS answers (
    digest TEXT PRIMARY KEY, model TEXT NOT NULL, prompt TEXT NOT NULL, answer TEXT NOT NULL, usage TEXT NOT NULL
) WITHOUT ROWID
"""


class AnswerCache:
    """Asks only what was never answered.

    An answer is on disk before it is returned: whatever happens next, it need not be paid again. Several processes may
    share the file. An answer that no longer passes its class's own checks is asked anew.
    """

    def __init__(self, asks: Asks, path: Path) -> None:
        self.model, self._asks, self._path = asks.model, asks, path
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def ask(self, prompt: Prompt, answer: type[Answer], /) -> Told[Answer]:
        digest = _digest(self.model, prompt, answer)
        async with self._turn(digest):  # the same question twice at once is paid once
            known = self._look_up(digest, answer)
            if known is not None:
                return Told(known, Usage(cached=1))
            told = await self._asks.ask(prompt, answer)
            self._keep(digest, prompt, told)
            return told

    def _turn(self, digest: str) -> asyncio.Lock:
        return self._turns.setdefault(digest, asyncio.Lock())

    def _look_up(self, digest: str, answer: type[Answer]) -> Answer | None:
        with self._open() as db:
            row = db.execute("SELECT answer FROM answers WHERE digest = ?", (digest,)).fetchone()
        try:
            return from_json(answer, row[0]) if row else None
        except ValueError:
            return None

    def _keep(self, digest: str, prompt: Prompt, told: Told[Answer]) -> None:
        usage = json.dumps(asdict(told.usage))
        with self._open() as db:
            db.execute(
                "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)",
                (digest, self.model, prompt.name, to_json(told.answer), usage),
            )

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """A connection per use: cheap beside any answer, and right in every thread, process and fork."""
        try:
            make_folder(self._path.parent)
            with closing(sqlite3.connect(make_file(self._path), timeout=WAIT)) as db, db:
                db.execute(TABLE)
                yield db
        except (sqlite3.Error, OSError) as error:
            raise BadCache(
                f"cannot be used: {error}",
                where=str(self._path),
                fix="if it is damaged, delete it: finished units are kept, unfinished ones are asked again",
            ) from error
