"""FairytaleQA through the product: tales are read, memory is asked; the right section first, and the answer's words at each budget.

Each tale is a world of its own, each section a unit, read by the embedded reader. A question is planned, retrieved and assembled
as `narraworld context --for question` does it; the section of the first thing told counts. Beside it BM25 over sections and over
sentences, and the hybrid of BM25 and vectors, with the same analysis and settings.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.frame import Figures, dataset, show
from bench.memory.plain_search import PlainLine, PlainSearch, words_there
from bench.memory.read_worlds import add_kept, read_world
from bench.minds.telling import add_workers, in_batches
from narraworld.extract.sources.piece import Piece
from narraworld.extract.sources.places import Places
from narraworld.kb.search.passages import passages_of
from narraworld.kb.units import Unit
from narraworld.query.memory.assemble import assemble
from narraworld.query.memory.drafting import PlanSettings, Request
from narraworld.query.memory.needs import MemorySwitches
from narraworld.query.memory.plan import plan_by_rules
from narraworld.query.memory.preview import preview_of
from narraworld.query.memory.retrieve import RetrievalSettings, retrieve
from narraworld.query.scope import Scope

__all__ = ["add_options", "pieces_of", "run", "tales_of"]

DATA = "fairytaleqa"
BUDGETS = (300, 600, 1200)
OURS, SECTIONS, SENTENCES = "ours", "bm25 sections", "bm25 sentences"
HYBRID_SECTIONS, HYBRID = "hybrid sections", "hybrid sentences"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the sections that answer it, and the answer."""

    sections: frozenset[str]
    text: str
    answer: str


@dataclass(frozen=True, slots=True)
class Tale:
    name: str
    sections: tuple[tuple[str, str], ...]  # number and text
    asked: tuple[Asked, ...]
    kept: Path | None = None


@dataclass(frozen=True, slots=True)
class Guess:
    """What one system made of one question: whether its first section was right, and the words there at each budget."""

    first: bool
    words: tuple[float, ...] = ()


Judged = dict[str, Guess]


def add_options(parser: argparse.ArgumentParser) -> None:
    add_workers(parser, batch=3)
    add_kept(parser)
    parser.add_argument("--limit", type=int, help="ask only so many questions of each tale")


def run(options: argparse.Namespace) -> Figures:
    tales = list(tales_of(dataset(DATA, options.data), options.limit, options.kept))
    judged = [one for found in in_batches(_judge, tales, options) for one in found]
    hits = {name: _mean([one[name].first for one in judged]) for name in judged[0]}
    words = {
        name: [_mean([one[name].words[nth] for one in judged]) for nth in range(len(BUDGETS))]
        for name in (OURS, SENTENCES, HYBRID)
    }
    show(
        f"FairytaleQA, read and remembered: {len(judged)} questions",
        ["", "right section first", *(f"answer words at {budget}" for budget in BUDGETS)],
        [[name, _percent(hit), *map(_percent, words.get(name, ()))] for name, hit in hits.items()],
    )
    return {
        "hit1": hits[OURS], "bm25": hits[SECTIONS], "bm25_sentences": hits[SENTENCES],
        "hybrid": max(hits[HYBRID], hits[HYBRID_SECTIONS]),
        "margin": hits[OURS] - max(hits[SECTIONS], hits[SENTENCES]), "questions": len(judged),
        **{f"words_{budget}": words[OURS][nth] for nth, budget in enumerate(BUDGETS)},
        **{f"bm25_words_{budget}": words[SENTENCES][nth] for nth, budget in enumerate(BUDGETS)},
        **{f"hybrid_words_{budget}": words[HYBRID][nth] for nth, budget in enumerate(BUDGETS)},
    }  # fmt: skip


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


# -- the tales


def tales_of(folder: Path, limit: int | None = None, kept: Path | None = None) -> Iterator[Tale]:
    """The tales of a folder, each with its questions, or the first of them."""
    for path in sorted((folder / "section-stories").glob("*.csv")):
        name = re.sub(r"-(story|section)$", "", path.stem)
        sections = tuple((row["section"].strip(), " ".join(row["text"].split())) for row in _rows(path))
        asked = tuple(_questions(folder / "questions" / f"{name}-questions.csv"))[:limit]
        yield Tale(name, sections, asked, kept)


def _questions(path: Path) -> Iterator[Asked]:
    for row in _rows(path) if path.exists() else ():
        yield Asked(
            frozenset(re.findall(r"\d+", row["cor_section"])), row["question"], row.get("answer1") or ""
        )


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def pieces_of(tale: Tale) -> list[Piece]:
    return [
        Piece(Unit(f"s{int(number):03}", nth, text), (), (), Places((), ()))
        for nth, (number, text) in enumerate(tale.sections, 1)
    ]


# -- the systems


def _judge(tales: Sequence[Tale]) -> list[list[Judged]]:
    return [_judge_tale(tale) for tale in tales]


def _judge_tale(tale: Tale) -> list[Judged]:
    sections = PlainSearch([PlainLine(text, text, number) for number, text in tale.sections])
    sentences = PlainSearch([
        PlainLine(one.cut(text), one.cut(text), number)
        for number, text in tale.sections for one in passages_of(text)
    ])  # fmt: skip
    with read_world(pieces_of(tale), tale.kept and tale.kept / tale.name) as world:
        scope = world.scope()
        return [
            {
                OURS: _remembered(scope, one),
                SECTIONS: _plain(sections, sections.by_word(one.text), one),
                SENTENCES: _plain(sentences, sentences.by_word(one.text), one),
                HYBRID_SECTIONS: _plain(sections, sections.hybrid(one.text), one),
                HYBRID: _plain(sentences, sentences.hybrid(one.text), one),
            }
            for one in tale.asked
        ]


def _plain(search: PlainSearch, scores: np.ndarray, asked: Asked) -> Guess:
    order = search.order(scores)
    first = bool(order) and search.lines[order[0]].heading in asked.sections
    texts = (search.text(search.filled(order, budget)) for budget in BUDGETS)
    return Guess(first, tuple(words_there(asked.answer, text) for text in texts))


def _remembered(scope: Scope, asked: Asked) -> Guess:
    wanted = MemorySwitches().for_purpose("question")
    request = Request(asked.text, purpose="question")
    plan = plan_by_rules(request, scope, scope.once(preview_of), PlanSettings(switches=wanted))
    found = retrieve(scope, plan, RetrievalSettings.for_budget(max(BUDGETS), wanted))
    contexts = [assemble(found, plan, budget) for budget in BUDGETS]
    spans = [span for one in contexts[-1].items[:1] for span in one.item.spans[:1]]
    first = any(str(int(span.unit.removeprefix("s"))) in asked.sections for span in spans)
    return Guess(first, tuple(words_there(asked.answer, one.text) for one in contexts))
