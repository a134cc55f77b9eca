"""Answers that were given once: recorded in a file, replayed from it, or kept so that none is paid twice.

A question is known by the digest of everything the model would see: its name, the prompt, the text, the shape of the
answer, the model. Never touches a provider.
"""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar
from weakref import WeakValueDictionary

from narraworld.base.atomic_files import make_file, make_folder
from narraworld.base.errors import NarraWorldError
from narraworld.extract.model.port import Asks, ModelFailed, Prompt, Told, Usage
from narraworld.models.chosen_lines import CHOSEN, named_lines, renumbered

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = [
    "AnswerCache",
    "BadCache",
    "CarriedOver",
    "RecordedAnswer",
    "Recorder",
    "Replay",
    "UnheardQuestion",
    "digest_of",
    "from_json",
    "recorded_answers",
    "shape_of",
    "to_json",
    "with_recordings",
]

Answer = TypeVar("Answer", bound="BaseModel")

DIGITS = 16  # of the digest of a part: enough to see that it has changed
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
    plain = _plain(answer.model_json_schema())
    return json.dumps(plain, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


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


def digest_of(model: str, prompt: Prompt, answer: type[BaseModel]) -> str:
    """What a question is known by."""
    return prompt.digest(model, shape_of(answer))


# -- recordings: one file, one line for each answer -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """A question as a recording knows it, and its answer.

    ``given`` has a short digest for each part of the question, so that a later reader can say which of them has changed;
    behind that of a numbered list stands how many numbers it has. ``named`` has the words of every line that the answer
    names of a list chosen from what is known, so that it can be found at another number.
    """

    model: str
    prompt: str
    digest: str
    given: Mapping[str, str]
    usage: Mapping[str, int]
    answer: Any
    named: Mapping[str, str] = field(default_factory=dict)

    def differs(self, given: Mapping[str, str]) -> list[str]:
        """The parts of a question that are not what they were."""
        return [name for name in given if given[name] != self.given.get(name)]

    def is_in_substance(self, given: Mapping[str, str], unbroken: bool = False) -> bool:
        """Whether the same is asked in other words: the same text, and lists whose numbers mean the same.

        A list that is made from the text means the same while it is as long; ``unbroken``, where every answer so far is of this
        recording, also where a guard of today keeps more or less of them: they have the numbers that these answers gave.
        One that was chosen from all that is known may hold others in the same places: what an answer names of it is
        found by its words (`chosen_lines`).
        """
        ours = (*OURS, *ANSWERED) if unbroken else OURS
        lists = [name for name in given if name not in (*TEXTS, *ours, *CHOSEN)]
        return all(given[name] == self.given.get(name) for name in TEXTS if name in given) and all(
            _numbers(given[name]) == _numbers(self.given.get(name, "")) for name in lists
        )


class Recorder:
    """Passes questions on and adds every answer to a file, once."""

    def __init__(self, asks: Asks, file: Path) -> None:
        self.model, self._asks, self._file = asks.model, asks, file
        self._kept = {one.digest for one in recorded_answers(file)} if file.exists() else set[str]()

    async def ask(self, prompt: Prompt, answer: type[Answer], /) -> Told[Answer]:
        told = await self._asks.ask(prompt, answer)
        digest = digest_of(self.model, prompt, answer)
        if digest not in self._kept:
            self._kept.add(digest)
            given, said = _parts(prompt, answer), json.loads(to_json(told.answer))
            self._add(
                RecordedAnswer(
                    self.model,
                    prompt.name,
                    digest,
                    given,
                    asdict(told.usage),
                    said,
                    named_lines(said, prompt),
                )
            )
        return told

    def _add(self, one: RecordedAnswer) -> None:
        make_folder(self._file.parent)
        with make_file(self._file).open("ab+") as file:
            whole = _end_of_last_line(file)
            if whole < file.tell():  # somebody was stopped in the middle of a line
                file.truncate(whole)
            file.write(json.dumps(asdict(one), ensure_ascii=False).encode() + b"\n")


class Replay:
    """Answers from a recording, and from nothing else."""

    def __init__(self, file: Path, model: str | None = None) -> None:
        self._file = file
        self._answers = {one.digest: one for one in recorded_answers(file)}
        self.model = model or self._recorded_model()

    async def ask(self, prompt: Prompt, answer: type[Answer], /) -> Told[Answer]:
        one = self._answers.get(digest_of(self.model, prompt, answer))
        if one is None:
            raise self._unheard(prompt, answer)
        return Told(from_json(answer, json.dumps(one.answer)), Usage(cached=1))

    def in_other_words(self, prompt: Prompt, answer: type[Answer], unbroken: bool = False) -> Answer | None:
        """The answer to the question that asked the same in substance; None if there is none that still fits."""
        given = _parts(prompt, answer)
        for one in self._nearest(prompt, answer):
            if not one.is_in_substance(given, unbroken):
                continue
            said = renumbered(one.answer, one.named, prompt, one.differs(given))
            if said is not None:
                with suppress(ValueError):
                    return from_json(answer, json.dumps(said))
        return None

    def _recorded_model(self) -> str:
        models = sorted({one.model for one in self._answers.values()})
        if len(models) == 1:
            return str(models[0])
        raise ModelFailed(
            f"holds answers of {len(models)} models: {', '.join(models)}"
            if models
            else "holds no recorded answers",
            where=str(self._file),
            fix="say which model to replay" if models else "record some first, with a model",
        )

    def _nearest(self, prompt: Prompt, answer: type[BaseModel]) -> list[RecordedAnswer]:
        """The answers to questions of this name, those first that differ in the fewest parts."""
        given = _parts(prompt, answer)
        same_name = [one for one in self._answers.values() if one.prompt == prompt.name]
        return sorted(same_name, key=lambda one: len(one.differs(given)))

    def _unheard(self, prompt: Prompt, answer: type[BaseModel]) -> UnheardQuestion:
        nearest, given = self._nearest(prompt, answer)[:1], _parts(prompt, answer)
        what = f"nothing recorded for {prompt.name!r}: "
        if not nearest:
            return UnheardQuestion(what + "no such question was asked", where=str(self._file), fix=RECORD)
        changed = nearest[0].differs(given) or ["model"]
        what += f"its {' and '.join(CHANGED.get(one, one) for one in changed)} changed since"
        return UnheardQuestion(what, where=str(self._file), fix=RECORD)


class CarriedOver:
    """Answers from an older recording wherever only our wording has changed, and asks the rest."""

    def __init__(self, old: Path, asks: Asks) -> None:
        self.model, self._old, self._asks = asks.model, Replay(old, asks.model), asks
        self._unbroken = True  # until another gives an answer whose numbers later lists show

    async def ask(self, prompt: Prompt, answer: type[Answer], /) -> Told[Answer]:
        found = self._old.in_other_words(prompt, answer, self._unbroken)
        self._unbroken = self._unbroken and (found is not None or prompt.name in LAST)
        return await self._asks.ask(prompt, answer) if found is None else Told(found, Usage(cached=1))


def with_recordings(asks: Asks, record: str | Path | None, carry: str | Path | None) -> Asks:
    """Whoever answers, behind an old recording to carry over and before a new one to keep; None for neither."""
    found = CarriedOver(Path(carry), asks) if carry else asks
    return Recorder(found, Path(record)) if record else found


TEXTS = (
    "passage",
    "candidates",
    "text",
    "question",
    "request",
    "outline",
    "situation",
)  # of these every word counts; of lists only what their numbers mean
OURS = ("instructions", "shape")
ANSWERED = ("entities", "events", "propositions")  # lists of what earlier answers about the same text gave
LAST = ("repair", "details", "plotlines")  # questions whose answers no later list shows
CHANGED = {"instructions": "instructions", "shape": "shape of the answer", "model": "model"}
RECORD = "record it again; what only we have worded otherwise is taken over: --carry OLD --record NEW"
_NUMBERED = re.compile(r"^\d+\. ", re.MULTILINE)


def _parts(prompt: Prompt, answer: type[BaseModel]) -> dict[str, str]:
    ours = {"instructions": prompt.system, "shape": shape_of(answer)}
    given = {name: _short(text) for name, text in ours.items()}
    for name, text in (prompt.given or {"text": prompt.user}).items():
        numbers = len(_NUMBERED.findall(text))
        given[name] = f"{_short(text)} {numbers}" if numbers else _short(text)
    return given


def _short(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:DIGITS]


def _numbers(part: str) -> str:
    return part.partition(" ")[2]


def recorded_answers(file: Path) -> Iterator[RecordedAnswer]:
    """What a recording holds; a last line that was never finished counts as not written."""
    if file.is_dir() or not file.exists():
        raise ModelFailed(
            "is no recording", where=str(file), fix="make one with: narraworld read --record FILE"
        )
    *lines, _unfinished = file.read_bytes().split(b"\n")
    for number, line in enumerate(lines, 1):
        try:
            yield RecordedAnswer(**json.loads(line))
        except (ValueError, TypeError) as error:
            raise ModelFailed(f"is no recorded answer: {error!r}", where=f"{file}:{number}") from error


def _end_of_last_line(file: IO[bytes]) -> int:
    file.seek(0)
    return file.read().rfind(b"\n") + 1


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
        digest = digest_of(self.model, prompt, answer)
        async with self._turn(digest):  # the same question twice at once is paid once
            known = self._look_up(digest, answer)
            if known is not None:
                return Told(known, Usage(cached=1))
            told = await self._asks.ask(prompt, answer)
            self._keep(digest, prompt.name, told)
            return told

    def has(self, digest: str) -> bool:
        """Whether a question was answered."""
        with self._open() as db:
            return db.execute("SELECT 1 FROM answers WHERE digest = ?", (digest,)).fetchone() is not None

    def take(self, digest: str, name: str, told: Told[Any]) -> bool:
        """Keep an answer that came by itself; false if there is one: the first stands."""
        return self._keep(digest, name, told, "INSERT OR IGNORE")

    def forget(self, digests: Iterable[str]) -> None:
        """Let these questions be asked again."""
        with self._open() as db:
            db.executemany("DELETE FROM answers WHERE digest = ?", [(one,) for one in digests])

    def _turn(self, digest: str) -> asyncio.Lock:
        return self._turns.setdefault(digest, asyncio.Lock())

    def _look_up(self, digest: str, answer: type[Answer]) -> Answer | None:
        with self._open() as db:
            row = db.execute("SELECT answer FROM answers WHERE digest = ?", (digest,)).fetchone()
        try:
            return from_json(answer, row[0]) if row else None
        except ValueError:
            return None

    def _keep(self, digest: str, name: str, told: Told[Any], how: str = "INSERT OR REPLACE") -> bool:
        row = (digest, self.model, name, to_json(told.answer), json.dumps(asdict(told.usage)))
        with self._open() as db:
            return db.execute(f"{how} INTO answers VALUES (?, ?, ?, ?, ?)", row).rowcount > 0

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
