"""LoCoMo: how much of the gold evidence stands in memory at each budget, against BM25 and a hybrid on the same lines.

The baselines rank the same turns (and observations). BM25 tells each line with its day and speaker; the hybrid, which adds
the vectors that memory uses, puts the days in headings and leaves out what adds no turn. Ours reads them through the normal store, plans by rules, retrieves and assembles; no model anywhere, and nothing of the
answers or the gold evidence is seen before scoring. No possibilities are read here, so H has nothing to add or to lose.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bench.frame import Figures, dataset, show
from bench.memory.conversations import CATEGORIES, Line, Question, lines_of, questions_of, remembered, turn_of
from bench.memory.plain_search import PlainLine, PlainSearch, words_there
from narraworld.kb.search.inverted_index import Bm25, Document, LexicalIndex
from narraworld.query.memory.assemble import assemble
from narraworld.query.memory.drafting import PlanSettings, Request
from narraworld.query.memory.needs import MemorySwitches
from narraworld.query.memory.plan import plain_plan, plan_by_rules
from narraworld.query.memory.preview import preview_of
from narraworld.query.memory.retrieve import RetrievalSettings, retrieve
from narraworld.query.memory.tokens import counter
from narraworld.query.names import rows
from narraworld.query.scope import Scope

__all__ = ["add_options", "run"]

DATA = "locomo"
BUDGETS = (500, 1000, 2000, 4000, 8000, 12000, 16000)
ABLATED_AT = 4000
OURS, TURNS, BOTH, HYBRID = "ours", "bm25 turns", "bm25 turns + observations", "hybrid"
SYSTEMS = (OURS, HYBRID, BOTH, TURNS)
ABLATIONS = {
    "no B": MemorySwitches(beliefs=False),
    "no H": MemorySwitches(possibilities=False),
    "H included": MemorySwitches(possibilities_for_questions=True),
    "no cross-event": MemorySwitches(cross_event=False),
    "no planning": MemorySwitches(planning=False),
}


@dataclass(frozen=True, slots=True)
class Told:
    """What a system put before the answerer: its text, and the turns it is evidence for."""

    text: str
    turns: frozenset[str]


@dataclass(frozen=True, slots=True)
class Score:
    """Of the gold evidence, how much is there; whether all of it is; how many of the answer's words are."""

    recall: float
    complete: float
    answer: float


System: TypeAlias = Callable[[Question, Sequence[int]], list[Told]]
Scores: TypeAlias = dict[tuple[str, str, int], list[Score]]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--every", type=int, default=1, help="ask only every so many-th question")
    parser.add_argument(
        "--ablations", action=argparse.BooleanOptionalAction, default=True, help="also without parts"
    )


def run(options: argparse.Namespace) -> Figures:
    path = dataset(DATA, options.data) / "locomo.json"
    scores: Scores = defaultdict(list)
    for conversation in json.loads(path.read_text(encoding="utf-8")):
        lines, questions = list(lines_of(conversation)), list(questions_of(conversation))
        with remembered(lines) as world:
            systems = {
                OURS: ours(world.scope(), MemorySwitches()),
                TURNS: bm25([line for line in lines if not line.observed]),
                BOTH: bm25(lines),
                HYBRID: hybrid(lines),
            }
            less = {name: ours(world.scope(), switches) for name, switches in ABLATIONS.items()}
            less = less if options.ablations else {}
            for question in questions[:: options.every]:
                _ask(question, systems, BUDGETS, scores)
                _ask(question, less, [ABLATED_AT], scores)
    return _report(scores)


def _ask(question: Question, systems: dict[str, System], budgets: Sequence[int], scores: Scores) -> None:
    for name, system in systems.items():
        for budget, told in zip(budgets, system(question, budgets), strict=True):
            scores[name, question.category, budget].append(_score(question, told))


def _score(question: Question, told: Told) -> Score:
    recall = len(question.evidence & told.turns) / len(question.evidence)
    return Score(recall, float(recall == 1.0), words_there(question.answer, told.text))


# -- the systems


def ours(scope: Scope, switches: MemorySwitches) -> System:
    wanted = switches.for_purpose("question")
    turns = {_place(scope, str(record)): turn_of(str(record)) for record, *_ in rows(scope.engine, "speech")}

    def tell(question: Question, budgets: Sequence[int]) -> list[Told]:
        request = Request(question.text, purpose="question")
        planned = plan_by_rules(request, scope, scope.once(preview_of), PlanSettings(switches=wanted))
        plan = planned if wanted.planning else plain_plan(request)
        found = retrieve(scope, plan, RetrievalSettings.for_budget(max(budgets), wanted))
        contexts = [assemble(found, plan, budget) for budget in budgets]
        return [
            Told(one.text, frozenset(turns[place] for place in _places(one.items) if place in turns))
            for one in contexts
        ]

    return tell


def _places(items: Iterable[object]) -> Iterator[tuple[str, int, int]]:
    for found in items:
        yield from ((span.unit, span.start, span.end) for span in found.item.spans)  # type: ignore[attr-defined]


def _place(scope: Scope, record: str) -> tuple[str, int, int]:
    [quote] = scope.quotes(record)
    return quote.unit, quote.start, quote.end


def bm25(lines: Sequence[Line]) -> System:
    """Lines in the order of BM25 over their speaker and text, as many as fit."""
    index, count = LexicalIndex(), counter()
    index.update(
        Document(str(n), "u", "", "line", f"{line.speaker} {line.text}") for n, line in enumerate(lines)
    )
    texts = [f"- {line.date} {'' if line.observed else f'{line.speaker}: '}{line.text}\n" for line in lines]

    def tell(question: Question, budgets: Sequence[int]) -> list[Told]:
        hits = index.search(question.text, len(lines), bm25=Bm25(boosts={"words": 1.0}))
        order = [int(hit.id) for hit in hits]
        return [_filled(order, budget) for budget in budgets]

    def _filled(order: list[int], budget: int) -> Told:
        taken: list[int] = []
        for n in order:
            if (cost := count(texts[n])) <= budget:
                taken.append(n)
                budget -= cost
        turns = frozenset(turn for n in taken for turn in lines[n].turns)
        return Told("".join(texts[n] for n in taken), turns)

    return tell


def hybrid(lines: Sequence[Line]) -> System:
    """Turns and observations by words and vectors, under the days as headings, without what adds no turn."""
    search = PlainSearch([
        PlainLine(
            f"{line.speaker} {line.text}", line.text if line.observed else f"{line.speaker}: {line.text}",
            line.date, frozenset(line.turns),
        )
        for line in lines
    ])  # fmt: skip

    def tell(question: Question, budgets: Sequence[int]) -> list[Told]:
        order = search.order(search.hybrid(question.text))
        several = [search.filled(order, budget) for budget in budgets]
        return [
            Told(search.text(taken), frozenset(turn for n in taken for turn in lines[n].turns))
            for taken in several
        ]

    return tell


# -- the report


def _mean(scores: Scores, system: str, budget: int, part: str, category: str | None = None) -> float:
    chosen = [
        getattr(score, part)
        for (name, kind, size), several in scores.items()
        if name == system and size == budget and category in (None, kind)
        for score in several
    ]
    return sum(chosen) / len(chosen) if chosen else 0.0


def _report(scores: Scores) -> Figures:
    for part, title in (
        ("recall", "Evidence recall"),
        ("complete", "All evidence there"),
        ("answer", "Words of the answer there"),
    ):
        table = [
            [system, *(_percent(_mean(scores, system, budget, part)) for budget in BUDGETS)]
            for system in SYSTEMS
        ]
        show(f"LoCoMo: {title.lower()}, by budget in tokens", ["", *map(str, BUDGETS)], table)
    _show_categories(scores)
    _show_ablations(scores)
    return _figures(scores)


def _show_categories(scores: Scores) -> None:
    table = [
        [
            f"{kind}, {system}",
            *(_percent(_mean(scores, system, budget, "recall", kind)) for budget in BUDGETS),
        ]
        for kind in CATEGORIES.values()
        for system in SYSTEMS
    ]
    show("LoCoMo: evidence recall by category", ["", *map(str, BUDGETS)], table)


def _show_ablations(scores: Scores) -> None:
    kinds = list(CATEGORIES.values())
    table = [
        [
            name,
            *(_percent(_mean(scores, name, ABLATED_AT, part)) for part in ("recall", "complete", "answer")),
            *(_percent(_mean(scores, name, ABLATED_AT, "recall", kind)) for kind in kinds),
        ]
        for name in (OURS, *ABLATIONS)
    ]
    show(
        f"LoCoMo: without parts of memory, at {ABLATED_AT}",
        ["", "recall", "complete", "answer", *kinds],
        table,
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _figures(scores: Scores) -> Figures:
    recall = {system: {b: _mean(scores, system, b, "recall") for b in BUDGETS} for system in SYSTEMS}
    words = {system: {b: _mean(scores, system, b, "answer") for b in BUDGETS} for system in SYSTEMS}
    better = {budget: max(recall[BOTH][budget], recall[TURNS][budget]) for budget in BUDGETS}
    hops = [_mean(scores, system, 4000, "recall", "multi-hop") for system in (OURS, BOTH, TURNS)]
    margins = {f"margin_{_short(budget)}": recall[OURS][budget] - better[budget] for budget in BUDGETS}
    return {
        "recall": {_short(budget): value for budget, value in recall[OURS].items()},
        "bm25": {_short(budget): value for budget, value in better.items()},
        "bm25_turns": {_short(budget): value for budget, value in recall[TURNS].items()},
        **margins,
        **{f"hybrid_{_short(budget)}": recall[HYBRID][budget] for budget in BUDGETS},
        **{
            f"margin_hybrid_{_short(budget)}": recall[OURS][budget] - recall[HYBRID][budget]
            for budget in BUDGETS
        },
        "hybrid_answer_words": {_short(budget): words[HYBRID][budget] for budget in BUDGETS},
        "multihop_margin_4k": hops[0] - max(hops[1:]),
        "complete": {_short(budget): _mean(scores, OURS, budget, "complete") for budget in BUDGETS},
        "answer_words": {_short(budget): words[OURS][budget] for budget in BUDGETS},
        "ablations": {name: _mean(scores, name, ABLATED_AT, "recall") for name in (OURS, *ABLATIONS)},
        "questions": sum(
            len(several) for (name, _, size), several in scores.items() if name == OURS and size == ABLATED_AT
        ),
    }


def _short(budget: int) -> str:
    return str(budget) if budget < 1000 else f"{budget // 1000}k"
