"""Answers as plain text: what commands print. Values in, lines out; asks nothing, decides nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import TYPE_CHECKING

from narraworld.base.quotation_marks import in_marks
from narraworld.query.figures.as_data import context_json, explanation_json, matrix_json, reply_json
from narraworld.query.knows import NO_EVIDENCE, Matrix
from narraworld.query.scope import Explanation, GoalAnswer, Scope
from narraworld.query.shown.phrases import held, way
from narraworld.query.views import Belief, Possibility, Thread, Views

if TYPE_CHECKING:
    from narraworld.query.ask.answer import AnswerLine, Reply
    from narraworld.query.evidence import Span
    from narraworld.query.memory.needs import MemoryContext
    from narraworld.query.memory.sentence_search import FoundPassage

__all__ = [
    "answer_lines",
    "context_json",
    "context_lines",
    "explanation_json",
    "explanation_text",
    "matrix_json",
    "matrix_lines",
    "reply_json",
    "reply_lines",
    "table_lines",
    "views_lines",
]


MARKS = {
    "knows": "●",
    "believes falsely": "✗",
    "believes": "◐",
    "heard": "○",
    "doubts": "?",
    "unaware": "–",
    "last knew": "◌",
    "knows otherwise": "≠",
}
LONGEST_NAME = 12


def table_lines(head: Sequence[str], body: Iterable[Sequence[str]]) -> Iterator[str]:
    """Columns padded to their widest cell, under a rule."""
    rows = [list(head), *(list(row) for row in body)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    yield lines[0]
    yield "  ".join("─" * width for width in widths)
    yield from lines[1:]


def answer_lines(answer: GoalAnswer) -> Iterator[str]:
    if not answer.columns:
        yield "yes" if answer.rows else "no"
    elif not answer.rows:
        yield "no answer"
    else:
        yield from table_lines(answer.columns, answer.words)


def matrix_lines(
    matrix: Matrix, width: int | None = None, *, everybody: bool = False, wide: bool = False
) -> Iterator[str]:
    """Words where they fit into ``width``, else marks, and people by turns; minds of which nothing is known only with ``everybody``."""
    if not matrix.cells:
        yield "nothing is on anybody's mind"
        return
    matters = (*matrix.propositions, *matrix.events)
    known = {mind for _, mind in matrix.cells}
    minds = [who for who in matrix.characters if everybody or who in known]
    room = inf if wide or width is None else width
    yield from _in_words(matrix, matters, minds, room) or _marked(matrix, minds, int(room))


def _in_words(matrix: Matrix, matters: Sequence[str], minds: Sequence[str], room: float) -> list[str]:
    """The whole table; nothing where it is too wide."""
    if _least_width(matrix, matters, minds) > room:
        return []
    lines = list(table_lines(["", *(matrix.names[who] for who in minds)], _whole(matrix, matters, minds)))
    return lines if max(map(len, lines)) <= room else []


def _whole(matrix: Matrix, matters: Sequence[str], minds: Sequence[str]) -> Iterator[list[str]]:
    """A row for each matter; most cells of a long story say the same, so only the others are looked at."""
    place, empty = {who: nth for nth, who in enumerate(minds, 1)}, [NO_EVIDENCE] * len(minds)
    table = {matter: [matrix.names[matter], *empty] for matter in matters}
    for (matter, who), word in matrix.cells.items():
        if who in place and matter in table:
            table[matter][place[who]] = word
    yield from table.values()


def _least_width(matrix: Matrix, matters: Sequence[str], minds: Sequence[str]) -> int:
    """What the head of the whole table takes, whatever is in its cells."""
    return max(len(matrix.names[p]) for p in matters) + sum(2 + len(matrix.names[who]) for who in minds)


def _marked(matrix: Matrix, minds: Sequence[str], width: int) -> Iterator[str]:
    """One sign for each cell, as many people at a time as fit."""
    matters = (*matrix.propositions, *matrix.events)
    label = min(max(len(matrix.names[p]) for p in matters), width // 2)
    turn = max(1, (width - label) // (LONGEST_NAME + 2))
    on_mind: dict[str, set[str]] = {}
    for matter, who in matrix.cells:
        on_mind.setdefault(who, set()).add(matter)
    for begin in range(0, len(minds), turn):
        some = minds[begin : begin + turn]
        theirs = set[str]().union(*(on_mind.get(who, ()) for who in some))
        told = [p for p in matters if p in theirs]
        head = ["", *(_clipped(matrix.names[who], LONGEST_NAME) for who in some)]
        rows = ([_clipped(matrix.names[p], label), *(_mark(matrix, p, who) for who in some)] for p in told)
        yield from table_lines(head, rows)
        yield ""
    yield "  ".join(f"{mark} {state}" for state, mark in MARKS.items())


def _mark(matrix: Matrix, proposition: str, who: str) -> str:
    state = matrix.cells.get((proposition, who), "")
    return MARKS.get(state, state)


def _clipped(words: str, most: int) -> str:
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"


def explanation_text(found: Explanation, scope: Scope, *, tree: bool) -> str:
    """The proofs in prose or as trees, or what is missing."""
    from narraworld.rules.proofs.prose import as_tree

    if found.missing is not None or not tree:
        return str(found)
    return "\n\n".join(as_tree(proof, scope.names, scope.quotes) for proof in found.proofs)


def views_lines(views: Views, scope: Scope) -> Iterator[str]:
    """W, B, D and H, each line with the words it rests on."""
    eyes = f" as {scope.names(scope.focalizer)} can tell it" if scope.focalizer else ""
    yield from _section(f"W  the world{eyes}", _world(views, scope))
    yield from _section("B  what is on whose mind", _minds(views, scope))
    yield from _section("D  developments", _threads(views.threads, scope))
    yield from _section("H  what may yet come (never a fact)", _options(views, scope))


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    yield title
    yield from (f"   {line}" for line in lines or ())
    yield ""


def _world(views: Views, scope: Scope) -> list[str]:
    facts = [f"{fact.words}{_evidence(scope, fact.record)}" for fact in views.facts]
    events = [f"{event.words}{_place(scope, event.event)}" for event in views.events]
    return [*facts, *(["happened:"] if events else []), *(f"  {line}" for line in events)] or [
        "nothing is known"
    ]


def _minds(views: Views, scope: Scope) -> list[str]:
    lines = [_belief(belief, scope) for beliefs in views.beliefs.values() for belief in beliefs]
    return lines or ["no evidence about anybody"]


def _belief(belief: Belief, scope: Scope) -> str:
    how = f" ({way(belief.mode)})" if belief.mode else ""
    truth = f"; in truth {scope.names(belief.truth)}" if belief.truth else ""
    words = f"{scope.names(belief.holder)} {held(belief.status, belief.words)}{how}{truth}"
    return words + (_evidence(scope, belief.source) if belief.source else "")


def _threads(threads: Sequence[Thread], scope: Scope) -> list[str]:
    lines = []
    for thread in threads:
        path = " → ".join(turn.status for turn in thread.history)
        lines.append(f"{thread.words} ({thread.kind}): {path}{_evidence(scope, thread.history[-1].step)}")
    return lines or ["nothing is open"]


def _options(views: Views, scope: Scope) -> list[str]:
    live = [_option(option) for option in views.possibilities]
    past = [
        f"{option.words} It came true{_evidence(scope, option.realised or '')}" for option in views.realised
    ]
    return [*live, *past] or ["nothing is on offer"]


def _option(option: Possibility) -> str:
    premises = f" while {' and '.join(option.premises)}" if option.premises else ""
    limits = f"; provided {' and '.join(option.constraints)}" if option.constraints else ""
    return f"{option.words.rstrip('.')}{premises}{limits}"


def _evidence(scope: Scope, record: str) -> str:
    """The words themselves; what stands before them only says whom a pronoun means."""
    quotes = scope.quotes(record)
    return f"   {quotes[-1]}" if quotes else ""


def _place(scope: Scope, record: str) -> str:
    quotes = scope.quotes(record)
    return f" ({quotes[0].unit} {quotes[0].start}–{quotes[0].end})" if quotes else ""


# -- Memory and answers as plain text and as JSON: what the commands of memory print. Values in, lines out; asks nothing

OUTCOMES = {
    "found in the text": "found in the text, not derived:",
    "nothing found": "nothing found: looked for {words}",
    "not understood": "not understood; the nearest sentences, and the nearest query, are below",
}


# -- a context
def context_lines(context: MemoryContext) -> Iterator[str]:
    """The text itself; what could not be met, and how full the budget is, come after it."""
    yield context.text.rstrip("\n")
    if context.unmet:
        yield ""
        yield "nothing in memory on: " + "; ".join(one.need for one in context.unmet)
    yield from (f"({note})" for note in context.notes)
    yield ""
    left = f", {context.left_out} left out" if context.left_out else ""
    yield f"({context.tokens} of {context.budget} tokens, {len(context.items)} items{left})"


# -- a reply
def reply_lines(reply: Reply, show_query: bool = False) -> Iterator[str]:
    """The answer first, then what it rests on; where nothing was derived, the sentences that may answer."""
    yield from _in_short(reply)
    for line in reply.lines:
        yield from _answer(line, reply.verdict is not None)
    yield from (f"    by rule: {words}" for words in reply.rests_on)
    if reply.worded_by and reply.lines:
        yield f"    (put into words by {reply.worded_by})"
    if reply.lines and reply.passages:
        yield "the nearest sentences besides:"
    yield from (f"    {_span(span)}" for span in reply.passages)
    if reply.note:
        yield f"({reply.note})"
    if show_query or reply.outcome == "not understood":
        yield f"query: {reply.query}"


def _in_short(reply: Reply) -> Iterator[str]:
    """How far it was answered, and a yes, a no or a number."""
    if reply.outcome in OUTCOMES:
        yield OUTCOMES[reply.outcome].format(words=reply.looked_for)
    if reply.verdict is not None:
        yield "yes" if reply.verdict else "no"
    if reply.count is not None and reply.outcome == "derived":
        yield str(reply.count)


def _answer(line: AnswerLine, indent: bool) -> Iterator[str]:
    since = f", since {line.since}" if line.since else ""
    if line.words not in ("", "yes", "no"):
        yield f"{'  ' if indent else ''}{line.words}"
    yield f"    {line.holder}{since}"
    yield from (f"    {_span(span)}" for span in line.spans)


def _span(span: Span) -> str:
    return f"{span.place or f'{span.unit} {span.start}–{span.end}'}: {in_marks(span.quote)}"


def found_lines(found: Sequence[FoundPassage]) -> Iterator[str]:
    """One sentence a line, with its place and who says it."""
    for one in found:
        yield f"{_span(one.span)}{f'  ({one.speaker})' if one.speaker else ''}"
    if not found:
        yield "nothing found"
