"""A question answered in words by a mind at hand, and what becomes of what it says: nothing is taken that does not rest on what it was shown.

The rules answer first, and what they say is among the lines. An answer that does not hold is refused and said to be, and theirs stands. Where
a mind gives a query instead, that is run as any other. Knows no provider.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from narraworld.base.errors import NarraWorldError
from narraworld.base.settings import DEFAULTS, InWordsSettings
from narraworld.query.ask.answer import THE_WORLD, AnswerLine, Reply, ask
from narraworld.query.ask.answer_evidence import records_among, spans_of
from narraworld.query.ask.found import looked_for
from narraworld.query.ask.in_words.lines import lines_for
from narraworld.query.ask.in_words.query_words import vocabulary_of
from narraworld.query.ask.in_words.shown import MindAtHand, QuestionShown, SaidInWords, words_table
from narraworld.query.ask.in_words.weighed import WeighedAnswer, weighed
from narraworld.query.memory.lines.fitted import moment_of_scope
from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.query.ask.aligned.grammar import Parse
    from narraworld.query.scope import GoalAnswer, Scope

__all__ = ["ask_in_words"]

FORM = "in words, by a mind"


def ask_in_words(
    question: str,
    scope: Scope,
    mind: MindAtHand,
    *,
    possibilities: bool = True,
    parse: Parse | None = None,
    settings: InWordsSettings = DEFAULTS.memory.in_words,
) -> Reply:
    """One question to a mind; where it has no answer that holds, what the rules have."""
    plain = ask(question, scope, possibilities=possibilities, parse=parse)
    with scope.steady():
        lines = lines_for(plain, scope, settings)
        called, forms = tuple(_called(plain.question, scope)), words_table()["situation"]
        names = [forms["called"].format(asked=asked, name=name) for asked, name in called]
        shown = QuestionShown(
            plain.question, moment_of_scope(scope, forms, names), scope.once(vocabulary_of), lines, called
        )
    if not lines:  # there is nothing to go by
        return plain
    said = mind(shown)
    with scope.steady():
        return _reply(plain, shown, said, scope, settings)


def _called(question: str, scope: Scope) -> Iterator[tuple[str, str]]:
    """Names that the question has, with what the lines call the same people."""
    people = {str(entity) for entity, kind in rows(scope.engine, "entity") if kind == "character"}
    asked = {
        str(name): scope.names(str(entity))
        for _, entity, name in rows(scope.engine, "named")
        if entity in people and str(name)[:1].isupper() and _stands_in(str(name), question)
    }
    longest = sorted(asked, key=lambda name: (-len(name), name))
    for nth, name in enumerate(longest):
        within = any(name in other for other in longest[:nth])
        if not within and not _stands_in(name, asked[name]):
            yield name, asked[name]


def _stands_in(name: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


def _reply(
    plain: Reply, shown: QuestionShown, said: SaidInWords, scope: Scope, settings: InWordsSettings
) -> Reply:
    """What holds of the answer in words, with what its query derives; where neither does, the rules' own reply, or none."""
    derived, note = _run(said.query, scope) if said.query else ((), "")
    told = replace(plain, worded_by=said.by, query=said.query or plain.query, form=FORM, note=note)
    if not said.answered:
        return (
            replace(told, outcome="derived", lines=derived, passages=()) if derived else _silent(told, shown)
        )
    answer = weighed(said, shown, settings)
    if answer.refused:
        why = f"the answer of {said.by} was refused: {answer.refused}"
        refused = replace(plain, note="; ".join(filter(None, (why, note))))
        return replace(refused, outcome="derived", lines=derived, query=said.query) if derived else refused
    return _worded(told, said, answer, derived, scope)


def _worded(
    told: Reply,
    said: SaidInWords,
    answer: WeighedAnswer,
    derived: tuple[AnswerLine, ...],
    scope: Scope,
) -> Reply:
    """The answer with its lines, down to the words on the page; told from the text alone, it is found there and not derived."""
    followed = [line for line in answer.rests_on if line.part != "text"]
    records = tuple(dict.fromkeys(one for line in answer.rests_on for one in line.records))
    spans = tuple(dict.fromkeys(one for line in answer.rests_on for one in line.spans))
    holder = scope.names(scope.focalizer) if scope.focalizer else THE_WORLD
    line = AnswerLine(said.words, (), holder, records=records, spans=spans)
    own = f"its own words, not in its lines: {', '.join(answer.own)}" if answer.own else ""
    return replace(
        told,
        outcome="derived" if followed or derived else "found in the text",
        lines=(line, *derived),
        verdict=said.verdict,
        count=None,
        passages=(),
        rests_on=tuple(line.words for line in followed),
        note="; ".join(filter(None, (told.note, own))),
    )


def _silent(told: Reply, shown: QuestionShown) -> Reply:
    """Neither an answer nor rows: what was looked at, and what the rules would have said."""
    by_rule = "; ".join(line.words for line in told.lines)
    why = f"{told.worded_by} found no answer in the {len(shown.lines)} lines it was shown"
    note = "; ".join(filter(None, (told.note, why, f"by rule: {by_rule}" if by_rule else "")))
    words = told.looked_for or looked_for(told.question)
    return replace(
        told, outcome="nothing found", lines=(), verdict=None, count=None, note=note, looked_for=words
    )


def _run(query: str, scope: Scope) -> tuple[tuple[AnswerLine, ...], str]:
    """The rows of a mind's query as answers, or why there are none."""
    try:
        found = scope.query(query)
    except NarraWorldError as error:
        return (), f"the query {query!r} was refused: {error.what}"
    if not found.rows:
        return (), f"the query {query!r} has no answer"
    return tuple(_rows(found, scope)), ""


def _rows(found: GoalAnswer, scope: Scope) -> list[AnswerLine]:
    lines = []
    for row, words in zip(found.rows, found.words, strict=True):
        symbols = tuple(map(str, row))
        records = records_among(symbols, scope)
        said = ", ".join(f"{name} = {one}" for name, one in zip(found.columns, words, strict=True))
        lines.append(
            AnswerLine(said or "yes", symbols, THE_WORLD, records=records, spans=spans_of(records, scope))
        )
    return lines
