"""The desk: open questions lie on it as files, are lent to whoever answers, and are gone once answered.

    .narraworld/relay/questions/ID.json    what is kept of a question
                     /pages/ID.md          the same to read, with its instructions; ID.schema.json beside it
                     /loans/ID.json        who has it
                     /seen/…               which instructions an answerer has had
                     /refused.json         which refusals an answerer was told
                     /tally.jsonl          what was shown and given, in tokens

The manuscript stands in these files: the folder is its owner's alone and is kept out of git. Answers go to the cache of answers,
on disk before anything else happens, and the first one stands. Behind the port `Asks` the desk answers nothing itself: it lays out
and says that the question is still open. Knows nothing of reading.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from narraworld.base.atomic_files import PRIVATE, write_whole
from narraworld.base.settings import DeskSettings
from narraworld.extract.model.port import Overflow, Prompt, StillOpen, Told, Usage
from narraworld.kb.errors import StoreLocked
from narraworld.kb.journal.lock import Lock
from narraworld.models.recordings import AnswerCache, digest_of
from narraworld.query.memory.tokens import counter
from narraworld.relay.errors import BadAnswer, BadQuestion
from narraworld.relay.loans import Loan, Loans
from narraworld.relay.open_questions import LONGEST_ANSWER, OpenQuestion

if TYPE_CHECKING:
    from pydantic import BaseModel

    from narraworld.extract.model.port import Asks
    from narraworld.ontology.validate import Refusal

__all__ = ["READING", "RELAY", "Desk", "DeskSettings", "Shown", "Tally", "answers_instead"]

Answer = TypeVar("Answer", bound="BaseModel")

RELAY = "relay"  # what whoever answers is called, where no other name is given
READING, COMMAND = "reading", "command"  # who waits for an answer


@dataclass(frozen=True, slots=True)
class Shown:
    """A question as it is shown to one answerer: ``instructions`` are those that it has not had yet."""

    question: OpenQuestion
    instructions: str
    loan: Loan

    @property
    def text(self) -> str:
        before = f"{self.instructions}\n\n---\n\n" if self.instructions else ""
        return f"{before}{self.question.user}"


@dataclass(frozen=True, slots=True)
class Tally:
    """What went over the desk, in tokens."""

    questions: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


class Desk:
    """The desk of one world. Behind the port it lays questions out; ``errand`` is who waits for them."""

    def __init__(
        self,
        root: Path,
        model: str | None = None,
        errand: str = COMMAND,
        settings: DeskSettings | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.root, self.folder = root, root / "relay"
        self.model, self.errand, self.settings = model or RELAY, errand, settings or DeskSettings()
        self.loans = Loans(self.folder / "loans", clock)
        self.cache = AnswerCache(self, root / "cache" / "answers.sqlite")
        self.laid: list[str] = []

    # -- asking

    async def ask(self, prompt: Prompt, answer: type[Answer], /) -> Told[Answer]:
        """Lay the question out; it is still open, or was given back as too long."""
        digest = digest_of(self.model, prompt, answer)
        question = replace(OpenQuestion.of(prompt, answer, digest, self.errand), place=len(self.laid))
        if self._too_long(question).exists():
            raise Overflow("was given back as too long", where=question.id)
        self.laid.append(question.id)
        self._lay_out(question)
        fix = "answer it (narraworld relay next), then run the same command again"
        raise StillOpen("a question is laid out and waits for its answer", where=question.id, fix=fix)

    def withdraw_others(self) -> None:
        """Take back what this errand does not ask any more: the text was changed, or the answer is in."""
        for one in self._questions():
            if one.errand == self.errand and one.id not in self.laid:
                self._remove(one)

    def _lay_out(self, question: OpenQuestion) -> None:
        page = self.folder / "pages" / f"{question.id}.md"
        if not page.exists():
            self.make_private()
            page.parent.mkdir(exist_ok=True)
            schema = json.dumps(question.form.answer().model_json_schema(), ensure_ascii=False)
            write_whole(page.with_suffix(".schema.json"), schema)
            write_whole(page, question.page())
        self._file(question).parent.mkdir(exist_ok=True)
        write_whole(self._file(question), question.to_text())  # last: a question is there when all of it is

    def make_private(self) -> None:
        """The folder, for its owner alone."""
        self.folder.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
        if not (self.folder / ".gitignore").exists():
            write_whole(self.folder / ".gitignore", "*\n")

    # -- answering

    def open(self) -> list[OpenQuestion]:
        """The questions that nobody has answered, in the order in which they were put."""
        return [one for one in self._questions() if not self.cache.has(one.digest)]

    def lend(self, to: str) -> Shown | None:
        """The next question for an answerer: the one it has, or the first that nobody has."""
        if not self.open():
            return None
        with self.held():
            free = [(one, self.loans.of(one.id)) for one in self.open()]
            mine = [one for one, loan in free if loan and loan.to == to]
            found = mine or [one for one, loan in free if loan is None]
            if not found:
                return None
            loan = self.loans.lend(found[0].id, to, self.settings.loan)
            return self._shown(found[0], loan)

    def answer(self, id: str, text: str, by: str) -> OpenQuestion:
        """Check an answer and keep it. What is wrong with it is a BadAnswer, and the question stays open."""
        question = self.find(id)
        if len(text.encode()) > LONGEST_ANSWER:
            raise BadAnswer(
                f"the answer is over {LONGEST_ANSWER:,} bytes",
                where=id,
                fix="the question stays open: answer in less",
            )
        given = question.read_answer(text)
        with self.held():
            self._is_free(question, by)
            used = Usage(1, 0, counter()(text))
            if not self.cache.take(question.digest, question.name, Told(given, used)):
                raise BadAnswer(
                    "was answered before; the first answer stands", where=id, fix="narraworld relay next"
                )
            self._count(answer=used.answer_tokens)
            self._remove(question)
        return question

    def give_back(self, id: str, *, too_long: bool = False) -> OpenQuestion:
        """End a loan; a question that is too long to answer is then put in halves."""
        question = self.find(id)
        with self.held():
            self.loans.end(question.id)
            if too_long:
                self._too_long(question).parent.mkdir(exist_ok=True)
                self._too_long(question).touch()
                self._remove(question)
        return question

    def find(self, id: str) -> OpenQuestion:
        """The question of that id, whether open or just answered."""
        found = next((one for one in self._questions() if one.id == id), None)
        if found is None:
            fix = "it was answered, or the text has changed since: narraworld relay next"
            raise BadQuestion(f"no question {id!r} is open", fix=fix)
        return found

    def _is_free(self, question: OpenQuestion, by: str) -> None:
        loan = self.loans.of(question.id)
        if loan is not None and loan.to != by:
            fix = f"if you are {loan.to}, say so: --as {loan.to}; else take another: narraworld relay next --as {by}"
            raise BadAnswer(f"is lent to {loan.to}, not to {by}", where=question.id, fix=fix)

    # -- what an answerer has seen, and what it cost

    def _shown(self, question: OpenQuestion, loan: Loan) -> Shown:
        """With the instructions this answerer has not had; it has had them only once the question is out."""
        path = self._seen(loan.to)
        seen = set(_list(path))
        fresh = [(key, part) for key, part in question.instructions() if key not in seen]
        shown = Shown(question, "\n\n".join(part for _, part in fresh), loan)
        path.parent.mkdir(exist_ok=True)
        write_whole(path, json.dumps(sorted({*seen, *(key for key, _ in fresh)})))
        self._count(question=counter()(shown.text))
        return shown

    def forget_seen(self, name: str) -> None:
        """Whoever begins anew under a name is told everything again."""
        self._seen(name).unlink(missing_ok=True)

    def _seen(self, name: str) -> Path:
        return self.folder / "seen" / f"{sha256(name.encode()).hexdigest()[:16]}.json"

    def not_told_yet(self, refused: Sequence[Refusal]) -> tuple[Refusal, ...]:
        """Of what was refused in a unit so far, what no answer before was told; each is told once."""
        path = self.folder / "refused.json"
        told = set(_list(path))
        fresh = [(one, digest) for one in refused if (digest := _digest(one)) not in told]
        if fresh:
            write_whole(path, json.dumps(sorted({*told, *(digest for _, digest in fresh)})))
        return tuple(one for one, _ in fresh)

    def tally(self) -> Tally:
        found = [json.loads(line) for line in _lines(self.folder / "tally.jsonl")]
        asked = [one["question"] for one in found if "question" in one]
        return Tally(len(asked), sum(asked), sum(one.get("answer", 0) for one in found))

    def _count(self, **tokens: int) -> None:
        with (self.folder / "tally.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(tokens) + "\n")

    # -- files

    @contextmanager
    def held(self) -> Iterator[None]:
        """Alone at the desk; whoever comes meanwhile waits. The lock goes with the process."""
        lock = Lock(self.root / "relay.lock")
        while True:
            with suppress(StoreLocked):
                lock.take()
                break
            time.sleep(self.settings.pause)
        try:
            yield
        finally:
            lock.release()

    def clear(self, errand: str | None = None) -> None:
        """Take everything of an errand off the desk; what is left empty goes."""
        for one in self._questions():
            if errand in (None, one.errand):
                self._remove(one)
        if not self._questions():
            shutil.rmtree(self.folder, ignore_errors=True)

    def _questions(self) -> list[OpenQuestion]:
        found = []
        for path in (self.folder / "questions").glob("*.json"):
            with suppress(FileNotFoundError):  # answered at this moment
                found.append(_question(path))
        return sorted(found, key=lambda one: (one.place, one.id))

    def _remove(self, question: OpenQuestion) -> None:
        self._file(question).unlink(missing_ok=True)
        for suffix in (".md", ".schema.json"):
            (self.folder / "pages" / f"{question.id}{suffix}").unlink(missing_ok=True)
        self.loans.end(question.id)

    def _file(self, question: OpenQuestion) -> Path:
        return self.folder / "questions" / f"{question.id}.json"

    def _too_long(self, question: OpenQuestion) -> Path:
        return self.folder / "too-long" / question.digest


def answers_instead(root: Path, model: str | None) -> Asks | None:
    """Who answers for a command in a model's place, where the relay is named as the model."""
    return Desk(root).cache if model == RELAY else None


def _question(path: Path) -> OpenQuestion:
    try:
        return OpenQuestion.from_text(path.read_text(encoding="utf-8"))
    except (ValueError, KeyError, TypeError) as error:
        raise BadQuestion(
            f"is no question: {error!r}", where=str(path), fix="delete it: it is laid out again"
        ) from error


def _digest(one: Refusal) -> str:
    return sha256("\x1f".join((one.record, one.shape, one.value or "")).encode()).hexdigest()[:16]


def _list(path: Path) -> list[str]:
    with suppress(OSError, ValueError):
        return [str(one) for one in json.loads(path.read_text(encoding="utf-8"))]
    return []


def _lines(path: Path) -> list[str]:
    with suppress(FileNotFoundError):
        return path.read_text(encoding="utf-8").splitlines()
    return []
