"""Which lines a mind is shown for a question, within a budget: the text around what is near, who holds what of the matters it is
about, and what records and rules have besides, all of one scope, so that nothing outside the situation is among them.

Chooses and orders; derives nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from narraworld.base.settings import DEFAULTS, InWordsSettings
from narraworld.kb.search.search_words import analyse
from narraworld.query.ask.found import records_by_nearness
from narraworld.query.ask.in_words.shown import words_table
from narraworld.query.ask.in_words.text_shown import text_items
from narraworld.query.memory.lines.fitted import as_line, causes, cost_of, fitting, in_order
from narraworld.query.memory.lines.given_lines import GivenLine
from narraworld.query.memory.lines.held_matters import HeldMatters
from narraworld.query.memory.plan import Request, plan_by_rules
from narraworld.query.memory.preview import preview_of
from narraworld.query.memory.retrieve import RetrievalSettings, retrieve

if TYPE_CHECKING:
    from narraworld.query.ask.answer import Reply
    from narraworld.query.memory.needs import MemoryItem, MemoryPlan
    from narraworld.query.scope import Scope

__all__ = ["lines_for"]

ASKED = "question"
SEARCHED = ("search",)  # and by nothing else: what search makes of the text is weighed anew


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
    minds = list(fitting(_minds(question, near, scope, settings), int(left * settings.minds)))
    told = tuple(f"|{one.matter}" for one in minds)
    others = [one.item for one in found if one.item.section != "T" and not one.item.key.endswith(told)]
    besides = _besides(reply, others, near, plan, scope)
    records = list(fitting(besides, int(left * settings.records)))
    left -= sum(map(cost_of, (*minds, *records)))
    remembered = [
        one.item
        for one in found
        if one.item.section == "T" and (one.reasons != SEARCHED or not one.item.spans)
    ]
    texts = text_items(question, [*minds, *records], remembered, scope, settings)
    pieces = {as_line(item, scope): item for item in texts}
    return (*in_order(pieces, fitting(pieces, left), scope), *minds, *records)


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
    remembered = (as_line(item, scope) for item in found)
    came = causes(near, scope)
    yield from chain(came, remembered) if plan.form.startswith("cause") else chain(remembered, came)


def _by_rule(reply: Reply) -> Iterator[GivenLine]:
    forms = words_table()["lines"]
    for one in reply.lines:
        words = forms["by_rule_of"].format(holder=one.holder, words=one.words)
        yield GivenLine("records", words, "", one.records, one.spans)
