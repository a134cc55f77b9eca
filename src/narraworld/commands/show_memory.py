"""Memory and answers as plain text and as JSON: what the commands of memory print. Values in, lines out; asks nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from narraworld.query.ask.answer import AnswerLine, Reply
    from narraworld.query.memory.needs import FoundRecord, MemoryContext, Need, Span

__all__ = ["context_json", "context_lines", "reply_json", "reply_lines"]

OUTCOMES = {
    "no evidence": "no evidence: the story does not say",
    "not understood": "not understood; the nearest query is below",
}


# -- a context


def context_lines(context: MemoryContext) -> Iterator[str]:
    """The text itself; what could not be met, and how full the budget is, come after it."""
    yield context.text.rstrip("\n")
    if context.unmet:
        yield ""
        yield "nothing in memory on: " + "; ".join(one.need for one in context.unmet)
    yield ""
    left = f", {context.left_out} left out" if context.left_out else ""
    yield f"({context.tokens} of {context.budget} tokens, {len(context.items)} items{left})"


def context_json(context: MemoryContext) -> dict[str, Any]:
    """The machine-readable twin: every item with its records and spans, the plan, and what was not met."""
    plan = context.plan
    return {
        "text": context.text,
        "tokens": context.tokens,
        "budget": context.budget,
        "counted_with": context.counted_with,
        "left_out": context.left_out,
        "items": [_item(found) for found in context.items],
        "unmet": [asdict(one) for one in context.unmet],
        "plan": {
            "form": plan.form, "focal": list(plan.focal), "intent": plan.intent, "planner": plan.planner,
            "needs": [_need(need) for need in plan.needs],
        },
    }  # fmt: skip


def _item(found: FoundRecord) -> dict[str, Any]:
    item = found.item
    return {
        "section": item.section, "words": item.words, "holder": item.holder, "when": item.when, "told": item.told,
        "conditions": list(item.conditions), "records": list(item.records), "spans": [asdict(span) for span in item.spans],
        "score": round(found.score, 4), "needs": sorted(found.needs), "reasons": list(found.reasons),
    }  # fmt: skip


def _need(need: Need) -> dict[str, Any]:
    return {
        "name": need.name,
        "kind": need.kind,
        "why": need.why,
        "goals": list(need.goals),
        "after": list(need.after),
    }


# -- a reply


def reply_lines(reply: Reply) -> Iterator[str]:
    """The answer first, then what it rests on, and always the query it became."""
    if reply.outcome in OUTCOMES:
        yield OUTCOMES[reply.outcome]
    if reply.verdict is not None:
        yield "yes" if reply.verdict else "no"
    if reply.count is not None:
        yield str(reply.count)
    for line in reply.lines:
        yield from _answer(line, reply.verdict is not None)
    if reply.note:
        yield f"({reply.note})"
    yield f"query: {reply.query}"


def _answer(line: AnswerLine, indent: bool) -> Iterator[str]:
    since = f", since {line.since}" if line.since else ""
    if line.words not in ("", "yes", "no"):
        yield f"{'  ' if indent else ''}{line.words}"
    yield f"    {line.holder}{since}"
    yield from (f"    {_span(span)}" for span in line.spans)


def _span(span: Span) -> str:
    return f"{span.place or f'{span.unit} {span.start}–{span.end}'}: “{span.quote}”"


def reply_json(reply: Reply) -> dict[str, Any]:
    return {
        "question": reply.question, "outcome": reply.outcome, "query": reply.query, "form": reply.form,
        "verdict": reply.verdict, "count": reply.count, "note": reply.note, "answers": [asdict(line) for line in reply.lines],
    }  # fmt: skip
