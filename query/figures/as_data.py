"""Answers as plain data: what `--json` prints, what the page's twins send, what an agent is given. Values in, values out; asks nothing."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from narraworld.kb.rdf.sparql import SparqlAnswer
    from narraworld.query.ask.answer import Reply
    from narraworld.query.knows import Matrix
    from narraworld.query.memory.needs import FoundRecord, MemoryContext, Need
    from narraworld.query.scope import Explanation

__all__ = ["context_json", "explanation_json", "matrix_json", "reply_json", "sparql_json"]


def matrix_json(matrix: Matrix) -> dict[str, Any]:
    events = set(matrix.events)
    cells = [
        {"event" if one in events else "proposition": one, "who": who, "status": status}
        for (one, who), status in sorted(matrix.cells.items())
    ]
    read_as = [asdict(how) for how in matrix.read_as]
    return {
        "characters": matrix.characters, "propositions": matrix.propositions, "events": matrix.events, "cells": cells,
        "read_as": read_as,
    }  # fmt: skip


def explanation_json(found: Explanation) -> Any:
    from narraworld.rules.proofs.proof import to_json
    from narraworld.rules.proofs.why_not import why_not_json

    return why_not_json(found.missing) if found.missing else [to_json(proof) for proof in found.proofs]


def context_json(context: MemoryContext) -> dict[str, Any]:
    """The machine-readable twin: every item with its records and spans, the plan, and what was not met."""
    plan = context.plan
    notes = {"notes": list(context.notes)} if context.notes else {}
    return notes | {
        "text": context.text,
        "tokens": context.tokens,
        "budget": context.budget,
        "counted_with": context.counted_with,
        "left_out": context.left_out,
        "read_as": [asdict(how) for how in context.read_as],
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


def reply_json(reply: Reply) -> dict[str, Any]:
    in_words = {"worded_by": reply.worded_by, "rests_on": reply.rests_on} if reply.worded_by else {}
    return in_words | {
        "question": reply.question, "outcome": reply.outcome, "query": reply.query, "form": reply.form,
        "verdict": reply.verdict, "count": reply.count, "note": reply.note, "answers": [asdict(line) for line in reply.lines],
        "read_as": [asdict(how) for how in reply.read_as],
        "passages": [asdict(span) for span in reply.passages], "looked_for": reply.looked_for,
    }  # fmt: skip


def sparql_json(answer: SparqlAnswer) -> dict[str, Any]:
    """Rows of a SPARQL answer as texts; None where a variable is unbound."""
    if answer.truth is not None:
        return {"truth": answer.truth}
    rows = [[None if cell is None else str(cell) for cell in row] for row in answer.rows]
    return {"columns": list(answer.variables), "rows": rows}
