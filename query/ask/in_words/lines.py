"""Which lines a mind is shown for a question, within a budget: the text around what is near, who holds what of the matters it is
about, and what records and rules have besides, all of one scope, so that nothing outside the situation is among them.

Chooses and orders; derives nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from narraworld.base.settings import DEFAULTS, InWordsSettings
from narraworld.kb.search.search_words import analyse
from narraworld.query.ask.answer_evidence import chapter_of, spans_of
from narraworld.query.ask.found import records_by_nearness
from narraworld.query.ask.in_words.held_matters import HeldMatters
from narraworld.query.ask.in_words.shown import GivenLine, words_table
from narraworld.query.ask.in_words.text_shown import text_items
from narraworld.query.memory.index.search import Search
from narraworld.query.memory.plan import Request, plan_by_rules
from narraworld.query.memory.preview import preview_of
from narraworld.query.memory.retrieve import RetrievalSettings, retrieve
from narraworld.query.memory.tokens import counter
from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.query.ask.answer import Reply
    from narraworld.query.memory.needs import MemoryItem, MemoryPlan
    from narraworld.query.scope import Scope

__all__ = ["lines_for"]

ASKED = "question"
SEARCHED = ("search",)  # and by nothing else: what search makes of the text is weighed anew
NUMBER = "00. "  # what stands before each line


def lines_for(
    reply: Reply, scope: Scope, settings: InWordsSettings = DEFAULTS.memory.in_words
) -> tuple[GivenLine, ...]:
    """The lines for the question of a reply that was made by rule, which is among them."""
    question = reply.question
    plan = plan_by_rules(Request(question, ASKED), scope, scope.once(preview_of))
    usual = RetrievalSettings.for_budget(settings.tokens)
    found = retrieve(scope, plan, settings=usual).found
    near = records_by_nearness(question, scope)
    left = settings.tokens
    minds = list(_fitting(_minds(question, near, scope, settings), int(left * settings.minds)))
    told = tuple(f"|{one.matter}" for one in minds)
    others = [one.item for one in found if one.item.section != "T" and not one.item.key.endswith(told)]
    besides = _besides(reply, others, near, plan, scope)
    records = list(_fitting(besides, int(left * settings.records)))
    left -= sum(map(_cost, (*minds, *records)))
    remembered = [
        one.item
        for one in found
        if one.item.section == "T" and (one.reasons != SEARCHED or not one.item.spans)
    ]
    texts = text_items(question, [*minds, *records], remembered, scope, settings)
    pieces = {_as_line(item, scope): item for item in texts}
    return (*_in_order(pieces, _fitting(pieces, left), scope), *minds, *records)


def _fitting(lines: Iterable[GivenLine], budget: int) -> Iterator[GivenLine]:
    """The first that fit, each once."""
    seen = set[str]()
    for line in lines:
        cost = _cost(line)
        if line.words not in seen and cost <= budget:
            seen.add(line.words)
            budget -= cost
            yield line


def _cost(line: GivenLine) -> int:
    return counter()(f"{NUMBER}{line.words}\n")


def _as_line(item: MemoryItem, scope: Scope) -> GivenLine:
    """A piece of memory as a line; what is not of the text says whose it is."""
    if item.section == "T":
        units = [*(span.unit for span in item.spans), *(record.partition("/")[0] for record in item.records)]
        chapter = chapter_of(units[0], scope) if units else ""
        return GivenLine("text", item.words, chapter, item.records, item.spans)
    words = f"{scope.names(item.holder)} {item.words}" if item.holder else item.words
    return GivenLine("records", "; ".join((words, *item.conditions)), "", item.records, item.spans)


def _in_order(
    told: Mapping[GivenLine, MemoryItem], chosen: Iterable[GivenLine], scope: Scope
) -> list[GivenLine]:
    """As the story tells it: by the place of its words, or where they may not be quoted, of its record."""
    position = scope.once(Search).position

    def place(line: GivenLine) -> tuple[int, str]:
        item = told[line]
        first = item.spans[0] if item.spans else None
        return position(first.unit, first.start) if first else item.told or 0, item.key

    return sorted(chosen, key=place)


# -- who holds what


def _minds(
    question: str, near: Mapping[str, float], scope: Scope, settings: InWordsSettings
) -> Iterator[GivenLine]:
    """The matters on minds that the question is about, the nearest first."""
    held, wanted = scope.once(HeldMatters), set(analyse(question))
    if not wanted:
        return

    def worth(matter: str) -> float:
        records = max((near.get(one, 0.0) for one in held.records_of(matter)), default=0.0)
        words = set(analyse(held.says(matter)))
        return records + settings.learned * len(wanted & words) / len(wanted)

    worths = {matter: worth(matter) for matter in held.matters}
    yield from (held.line(one) for one in sorted(worths, key=lambda one: (-worths[one], one)) if worths[one])


# -- what records and rules have besides


def _besides(
    reply: Reply, found: Sequence[MemoryItem], near: Mapping[str, float], plan: MemoryPlan, scope: Scope
) -> Iterator[GivenLine]:
    """What the rules answer, why what is near came about, first where that is asked, and what else memory would give."""
    yield from _by_rule(reply)
    remembered = (_as_line(item, scope) for item in found)
    causes = _causes(near, scope)
    yield from chain(causes, remembered) if plan.form.startswith("cause") else chain(remembered, causes)


def _by_rule(reply: Reply) -> Iterator[GivenLine]:
    forms = words_table()["lines"]
    for one in reply.lines:
        words = forms["by_rule_of"].format(holder=one.holder, words=one.words)
        yield GivenLine("records", words, "", one.records, one.spans)


def _causes(near: Mapping[str, float], scope: Scope) -> Iterator[GivenLine]:
    """Why the nearest events came about, and what came of them."""
    found: dict[tuple[str, str], float] = {}
    for event, because, _ in rows(scope.at_once, "caused"):
        pair = str(event), str(because)
        found[pair] = max(near.get(one, 0.0) for one in pair)
    form = words_table()["lines"]["caused"]
    for pair in sorted(found, key=lambda one: (-found[one], one)):
        if found[pair]:
            event, because = map(scope.names.in_sentence, pair)
            yield GivenLine(
                "records", form.format(event=event, because=because), "", pair, spans_of(pair, scope)
            )
