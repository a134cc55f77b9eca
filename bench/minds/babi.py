"""bAbI from raw text: where things are and were, who has what, who gave what; and whether the proofs rest on the gold lines.

Each question is asked of the story as told up to it; a list is right in any order. The adapter knows the forms of the questions, never the stories.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bench.frame import Figures, dataset, show
from bench.minds.telling import Told, add_workers, in_batches, share, told
from narraworld.query.names import rows
from narraworld.query.scope import Scope
from narraworld.rules.language.ir import Atom, Const
from narraworld.rules.proofs.explain import explain
from narraworld.rules.proofs.proof import records

__all__ = ["DATA", "add_options", "run"]

DATA = "babi"
GATE = (1, 2, 3, 5, 6, 7, 8, 9, 11, 12, 13, 14)
TASKS = range(1, 21)
FOREVER = 9_000_000_000_000_000_000  # the end of a state that still holds, as world.dl writes it
NUMBERS = ("none", "one", "two", "three", "four", "five", "six")


@dataclass(frozen=True, slots=True)
class Question:
    """A question, what was told before it (with the numbers of the lines), the answer and the lines it rests on."""

    lines: tuple[tuple[int, str], ...]
    text: str
    answer: str
    support: frozenset[int]

    @property
    def story(self) -> str:
        return "\n".join(text for _, text in self.lines)


@dataclass(frozen=True, slots=True)
class Found:
    """An answer and the facts it was read from, for their proofs."""

    answer: str
    facts: tuple[Atom, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """Whether a question was answered rightly, whether its proof quotes the gold lines (None: not looked), and how."""

    right: bool
    supported: bool | None
    note: str


def add_options(parser: argparse.ArgumentParser) -> None:
    add_workers(parser, batch=25)
    parser.add_argument("--tasks", type=int, nargs="+", default=list(TASKS))
    parser.add_argument("--limit", type=int, help="ask only so many questions of each task")
    parser.add_argument("--proofs", type=int, default=5, help="check the proof of every so many-th question")
    parser.add_argument("--wrong", action="store_true", help="print what was answered wrongly")


def run(options: argparse.Namespace) -> Figures:
    folder = dataset(DATA, options.data)
    judged = {task: _task(folder, task, options) for task in options.tasks}
    proofs = {
        task: [one.supported for one in found if one.supported is not None] for task, found in judged.items()
    }
    rights = {task: [one.right for one in found] for task, found in judged.items()}
    show("bAbI, raw text", ["task", "right", "of", "share", "support in proof", "of"], [
        [task, sum(found), len(found), share(sum(found), len(found)), sum(proofs[task]), len(proofs[task])]
        for task, found in rights.items()
    ])  # fmt: skip
    gate = [task for task in judged if task in GATE]
    checked = [one for task in gate for one in proofs[task]]
    return {
        "mean_gate": _mean([sum(rights[task]) / len(rights[task]) for task in gate]), "provenance": _mean(checked),
        "by_task": {str(task): _mean(found) for task, found in rights.items()},
        "provenance_by_task": {str(task): _mean(proofs[task]) for task in gate}, "proofs": len(checked),
    }  # fmt: skip


def _mean(found: Sequence[float]) -> float | None:
    return sum(found) / len(found) if found else None


def _task(folder: Path, task: int, options: argparse.Namespace) -> list[Judged]:
    [path] = folder.glob(f"qa{task}_*")
    asked = list(enumerate(_questions(path)))[: options.limit]
    found = in_batches(partial(_judge, options.proofs), asked, options)
    if options.wrong:
        print(
            *(f"task {task}\n{one.note}" for one in found if not one.right or one.supported is False),
            sep="\n\n",
        )
    return found


def _judge(nth: int, asked: Sequence[tuple[int, Question]]) -> list[Judged]:
    with told((one.story for _, one in asked), "journeys") as (scope, stories):
        return [_judged(scope, stories[one.story], one, number % nth == 0) for number, one in asked]


def _judged(scope: Scope, story: Told, asked: Question, prove: bool) -> Judged:
    found = _answer(scope.engine, story, asked.text)
    right = sorted(found.answer.split(",")) == sorted(asked.answer.split(","))
    lines = _lines_of(scope, found.facts, asked) if prove and right and found.facts else None
    supported = None if lines is None else asked.support <= lines
    told_how = (
        f"expected {asked.answer} {sorted(asked.support)}, got {found.answer} {lines and sorted(lines)}"
    )
    return Judged(right, supported, "\n".join([asked.story, asked.text, told_how]))


def _questions(path: Path) -> Iterator[Question]:
    lines: list[tuple[int, str]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        number, _, text = line.strip().partition(" ")
        if int(number) == 1:
            lines = []
        if "\t" in text:
            question, answer, support = text.split("\t")
            yield Question(tuple(lines), question.strip(), answer, frozenset(map(int, support.split())))
        else:
            lines.append((int(number), text))


# -- the forms of the questions


def _where(engine: Any, story: Told, thing: str) -> Found:
    places = [
        row for row in rows(engine, "whereabouts", story.id(thing)) if rows(engine, "entity", row[1], "place")
    ]
    return Found(_named(story, {str(row[1]) for row in places}), _facts("whereabouts", places))


def _before(engine: Any, story: Told, thing: str, place: str) -> Found:
    found = rows(engine, "last_left_for", story.id(thing), None, story.id(place))
    return Found(_named(story, {str(row[1]) for row in found}), _facts("last_left_for", found))


def _is_in(engine: Any, story: Told, thing: str, place: str) -> Found:
    bound = (story.id(thing), story.id(place))
    if found := rows(engine, "whereabouts", *bound):
        return Found("yes", _facts("whereabouts", found))
    if rows(engine, "perhaps_at", *bound):
        return Found("maybe", _facts("perhaps_at", rows(engine, "perhaps_at", *bound)))
    elsewhere = rows(engine, "whereabouts", story.id(thing))
    denied = [
        row
        for row in rows(engine, "current", None, None, "no")
        if row[1] == f"{bound[0]}.location.{bound[1]}"
    ]
    return Found("no", (*_facts("whereabouts", elsewhere), *_facts("current", denied)))


def _carried(engine: Any, story: Told, who: str) -> list[Any]:
    return [
        row for row in rows(engine, "inside", None, story.id(who)) if rows(engine, "entity", row[0], "object")
    ]


def _how_many(engine: Any, story: Told, who: str) -> Found:
    found = _carried(engine, story, who)
    return Found(NUMBERS[len(found)], (*_facts("inside", found), *_past(engine, story, who)))


def _what_carried(engine: Any, story: Told, who: str) -> Found:
    found = _carried(engine, story, who)
    since = {
        str(row[0]): min(r[2] for r in rows(engine, "borne", row[0], story.id(who)) if int(r[3]) == FOREVER)
        for row in found
    }
    names = [_named(story, {id}) for id in sorted(since, key=lambda id: since[id])]
    return Found(",".join(names) or "nothing", (*_facts("inside", found), *_past(engine, story, who)))


def _past(engine: Any, story: Told, who: str) -> tuple[Atom, ...]:
    """What somebody had and has no more, and what ended it: the reasons for a short list."""
    had = [row for row in rows(engine, "lasts") if str(row[1]).endswith(f".possession.{story.id(who)}")]
    return _facts("lasts", had)


def _gave(
    engine: Any, story: Told, giver: str | None, thing: str | None, taker: str | None, wanted: int
) -> Found:
    bound = [story.id(name) if name else None for name in (giver, thing, taker)]
    found = rows(engine, "gave", *bound)
    latest = max((row[3] for row in found), default=None)
    last = [row for row in found if row[3] == latest]
    return Found(_named(story, {str(row[wanted]) for row in last}), _facts("gave", last))


Form = Callable[..., Found]
FORMS: tuple[tuple[str, Form], ...] = (
    (r"Where was (?:the )?(\w+) before the (\w+)\?", _before),
    (r"Where is (?:the )?(\w+)\?", _where),
    (r"Is (\w+) in the (\w+)\?", _is_in),
    (r"How many objects is (\w+) carrying\?", _how_many),
    (r"What is (\w+) carrying\?", _what_carried),
    (r"What did (\w+) give to (\w+)\?", lambda e, s, a, b: _gave(e, s, a, None, b, 1)),
    (r"Who received the (\w+)\?", lambda e, s, x: _gave(e, s, None, x, None, 2)),
    (r"Who gave the (\w+)\?", lambda e, s, x: _gave(e, s, None, x, None, 0)),
    (r"Who gave the (\w+) to (\w+)\?", lambda e, s, x, b: _gave(e, s, None, x, b, 0)),
    (r"Who did (\w+) give the (\w+) to\?", lambda e, s, a, x: _gave(e, s, a, x, None, 2)),
)


def _answer(engine: Any, story: Told, question: str) -> Found:
    for pattern, form in FORMS:
        if found := re.fullmatch(pattern, question):
            return form(engine, story, *found.groups())
    return Found("no such form")


def _named(story: Told, ids: set[str]) -> str:
    """The names of the entities, as the story writes them."""
    names = {id: name for name, id in story.cast.items()}
    written = [re.search(re.escape(names[id]), story.text, re.IGNORECASE) for id in sorted(ids)]
    return ",".join(found[0] for found in written if found)


# -- proofs


def _facts(relation: str, found: list[Any]) -> tuple[Atom, ...]:
    return tuple(Atom(relation, tuple(Const(value) for value in row)) for row in found)


def _lines_of(scope: Scope, facts: tuple[Atom, ...], asked: Question) -> set[int]:
    """The numbers of the lines that the proofs quote."""
    starts, at = list[tuple[int, int]](), 0
    for number, text in asked.lines:
        starts.append((at, number))
        at += len(text) + 1
    found = {record for fact in facts if (proof := explain(scope.engine, fact)) for record in records(proof)}
    quoted = {quote.start for record in found for quote in scope.quotes(record)}
    return {max(pair for pair in starts if pair[0] <= start)[1] for start in quoted}
