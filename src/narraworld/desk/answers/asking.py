"""Questions to a situation: in English, in rules, in SPARQL, by words; and the memory for the next passage."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from narraworld.base.errors import NarraWorldError
from narraworld.base.settings import DEFAULTS
from narraworld.query.figures.as_data import context_json, reply_json

if TYPE_CHECKING:
    from narraworld.desk.answers.seen_story import SeenStory
    from narraworld.kb.rdf.sparql import SparqlAnswer
    from narraworld.query.ask.answer import Reply
    from narraworld.query.memory.by_mind.scene_shown import ChoosingMind

__all__ = ["ask", "context", "query", "search", "sparql"]

LONGEST = DEFAULTS.surfaces.web.question_letters


VERDICTS = {None: "", True: "Yes. ", False: "No. "}


def ask(seen: SeenStory, question: str) -> dict[str, Any]:
    """An answer in a sentence, its status, what it rests on, and the query it became."""
    reply = seen.world.ask(_bounded(question), replace(seen.situation, purpose="question"))
    shown = {
        "answer": _sentence(reply),
        "status": reply.outcome,
        "evidence": _evidence(seen, reply),
        "query": reply.query,
    }
    if seen.eyes:
        return {"answer": shown["answer"], "status": reply.outcome, "evidence": [], "query": ""}
    return shown | {"reply": reply_json(reply)}


def _sentence(reply: Reply) -> str:
    if reply.outcome == "nothing found":
        return "Nothing on record answers that."
    if reply.outcome == "not understood":
        return "This question was not understood."
    said = [line.words for line in reply.lines if line.words not in ("", "yes", "no")]
    if reply.outcome == "found in the text" and not said:
        return "Not derived; these sentences may answer it."
    count = f"{reply.count}: " if reply.count is not None and reply.outcome == "derived" else ""
    return (VERDICTS[reply.verdict] + count + "; ".join(dict.fromkeys(said))).strip() or "Yes."


def _evidence(seen: SeenStory, reply: Reply) -> list[dict[str, Any]]:
    spans = [span for line in reply.lines for span in line.spans] + list(reply.passages)
    return [seen.passage(span.unit, span.start, span.end, span.quote) for span in dict.fromkeys(spans)]


def query(
    seen: SeenStory, text: str, after: int = 0, limit: int = DEFAULTS.surfaces.web.rows
) -> dict[str, Any]:
    """Rows of a goal in rules, in words and as symbols."""
    seen.authors_only("the rules' own tables")
    found = seen.world.query(_bounded(text), seen.situation)
    page = slice(after, after + limit)
    return {
        "columns": list(found.columns), "rows": [list(row) for row in found.words[page]],
        "symbols": [list(row) for row in found.rows[page]], "total": len(found.rows),
        "truncated": after + limit < len(found.rows), "read_as": [asdict(how) for how in found.read_as],
    }  # fmt: skip


def search(seen: SeenStory, words: str, limit: int = DEFAULTS.surfaces.web.rows) -> list[dict[str, Any]]:
    """Sentences by words, phrases and fields, with the records that rest on them."""
    found = seen.world.search(_bounded(words), seen.situation, limit=limit)
    if seen.eyes:
        return [{"score": round(one.score, 4), "quote": one.span.quote} for one in found]
    return [
        {**seen.passage(one.span.unit, one.span.start, one.span.end, one.span.quote), "records": list(one.records),
         "speaker": one.speaker, "score": round(one.score, 4)}
        for one in found
    ]  # fmt: skip


def context(
    seen: SeenStory, task: str, budget: int | None = None, mind: ChoosingMind | None = None
) -> dict[str, Any]:
    """Memory for the next passage; through a character's eyes its text alone."""
    found = context_json(seen.world.context(_bounded(task), seen.situation, budget, mind=mind))
    if seen.eyes:
        shown = ("text", "tokens", "budget", "counted_with", "left_out", "notes")
        return {name: found[name] for name in shown if name in found}
    return found


def sparql(seen: SeenStory, text: str, seconds: float = DEFAULTS.surfaces.web.sparql_seconds) -> SparqlAnswer:
    """An answer over the records, which know no situation: a narrowed one has no SPARQL."""
    seen.authors_only("SPARQL over the records")
    if seen.situation.told or seen.situation.at:
        raise NarraWorldError(
            "SPARQL asks the records of the whole story, and this situation sees less",
            fix="leave out at and told, or ask in rules: /api/query",
        )
    where = seen.situation
    return seen.world.sparql(_bounded(text), branch=where.branch, revision=where.revision, seconds=seconds)


def _bounded(text: str) -> str:
    if len(text) > LONGEST:
        raise NarraWorldError(f"the question has {len(text):,} characters", fix=f"ask in at most {LONGEST:,}")
    return text
