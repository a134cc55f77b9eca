"""Questions answered: read into a rule query, derived, and told with holder, since when, and the words on the page.

Outcomes that are never confused: *derived*, with proof; *unaware* (the text says that somebody does not know); *found in the text*
(no rule answers, these sentences may); *nothing found* (what was looked for); *not understood* (no question we know; the nearest
sentences all the same). That our reading has no answer is never said to be the story's silence. The query is part of the reply.
A mind at hand that answers in words goes by what this finds, among other lines (`in_words`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from narraworld.base.quick_dataclass import dataclass
from narraworld.base.settings import DEFAULTS
from narraworld.kb.search.search_words import analyse
from narraworld.query.ask.answer_evidence import chapter_of, date_of, spans_of
from narraworld.query.ask.questions import (
    Form,
    QuestionReading,
    asks_for,
    is_over,
    nearest,
    read,
    read_without_aside,
)
from narraworld.query.ask.respect_forms import respect_readings
from narraworld.query.ask.slots import is_mind
from narraworld.query.errors import AmbiguousName, EmptyRequest
from narraworld.query.evidence import Span
from narraworld.query.figures.result_tables import TabledResult
from narraworld.query.goals import GoalBinding, bindings
from narraworld.query.names import ReadAs

if TYPE_CHECKING:
    from narraworld.query.ask.aligned.grammar import Parse
    from narraworld.query.ask.from_sentences.by_deeds import DeedAnswer
    from narraworld.query.scope import Scope

__all__ = ["AnswerLine", "AnswerOutcome", "Reply", "ask"]

AnswerOutcome: TypeAlias = Literal[
    "derived", "unaware", "found in the text", "nothing found", "not understood"
]

_PLACE = re.compile(r"\{(\w+)\}")
_TIMED = re.compile(r"\{(?:when|date)\}")
EVIDENCE = ("Record", "SinceRecord", "E", "Truth")
THE_WORLD = "the world"


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """One answer: in words and as symbols, whose it is, since when, and what it rests on."""

    words: str
    symbols: tuple[str, ...]
    holder: str
    since: str | None = None
    tick: int | None = None
    records: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Reply(TabledResult):
    """What became of a question. ``verdict`` is yes or no for a question that asks for one; ``count`` for one of how many.

    ``passages`` are the nearest sentences, where nothing was derived or only by how a sentence is worded; ``looked_for`` the words
    they were searched by. ``worded_by`` is what the mind is called that put the answer into words, if one did; ``rests_on`` are the lines
    it then rests on besides the quoted text.
    """

    question: str
    outcome: AnswerOutcome
    query: str
    lines: tuple[AnswerLine, ...] = ()
    verdict: bool | None = None
    count: int | None = None
    form: str = ""
    note: str = ""
    read_as: tuple[ReadAs, ...] = ()
    passages: tuple[Span, ...] = ()
    looked_for: str = ""
    worded_by: str = ""
    rests_on: tuple[str, ...] = ()

    def to_dicts(self) -> list[dict[str, Any]]:
        found = [(one.words, one.holder, one.since, one.spans) for one in self.lines]
        found += [(span.quote, "", None, (span,)) for span in self.passages]
        return [
            {
                "words": words,
                "holder": holder,
                "since": since,
                "quote": next((one.quote for one in spans), None),
            }
            for words, holder, since, spans in found
        ]

    def in_short(self) -> str:
        return f"Reply, {self.outcome}: {len(self.lines) or len(self.passages)} answers"


def ask(
    question: str,
    scope: Scope,
    *,
    possibilities: bool = True,
    parse: Parse | None = None,
) -> Reply:
    """Answer one question from what this situation may see; without ``parse`` no sentence is laid beside it by its grammar."""
    if not question.strip(" ?!."):
        raise EmptyRequest("question")
    with scope.steady():
        return _derived(question, scope, possibilities, parse)


def _derived(question: str, scope: Scope, possibilities: bool, parse: Parse | None) -> Reply:
    """What the tables make of it; else what the recorded sentences tell; else what the text says."""
    dated = asks_for(question) == "when"  # the words that date a deed, before the chapter in which it happens
    if reply := _by_respect(question, scope, claims=False) or (_by_deed(question, scope) if dated else None):
        return reply
    best, settled = _by_form(question, scope, possibilities)
    if settled:
        return best
    found = _by_deed(question, scope) or _by_respect(question, scope, claims=True)
    return found or _by_grammar(best, scope, parse) or _searched(best, scope)


def _by_form(question: str, scope: Scope, possibilities: bool) -> tuple[Reply, bool]:
    """What the table of questions makes of it, and whether nothing else needs to be asked."""
    note = ""
    try:
        readings, unknown = read(question, scope)
        readings = readings or read_without_aside(question, scope)
    except AmbiguousName as error:
        readings, unknown, note = [], [], str(error).splitlines()[0]
    if not readings:
        asked = next(respect_readings(question, scope), None)
        return _answer(question, asked[0], scope) if asked else _unread(question, scope, unknown, note), False
    if why := _withheld(readings[0].form, scope, possibilities):
        return _reply(question, readings[0], "nothing found", note=why), True
    replies = [_answer(question, reading, scope) for reading in readings]
    best = max(replies, key=lambda reply: ORDER.index(reply.outcome))
    return best, best.outcome in ("derived", "unaware")


def _withheld(form: Form, scope: Scope, possibilities: bool) -> str:
    """Why a question is not answered here though it is understood; empty if it is."""
    if form.about == "truth" and scope.focalizer:
        return f"{scope.names(scope.focalizer)} cannot tell"
    return (
        "possibilities were left out (--without H)" if form.about == "possible" and not possibilities else ""
    )


def _by_respect(question: str, scope: Scope, *, claims: bool) -> Reply | None:
    """What the rows of the table of respects answer: all who have the value asked for, in whatever words it was recorded."""
    for readings in respect_readings(question, scope, claims=claims):
        derived = [reply for one in readings if (reply := _answer(question, one, scope)).outcome == "derived"]
        if derived:
            lines = {(line.words, line.holder): line for reply in reversed(derived) for line in reply.lines}
            return replace(
                derived[0], lines=tuple(sorted(lines.values(), key=lambda line: (line.tick or 0, line.words)))
            )
    return None


def _by_deed(question: str, scope: Scope) -> Reply | None:
    """What the recorded sentences tell of the deed that is asked about, with the nearest ones besides: how a sentence is meant is
    less sure than a rule. Nothing through a character's eyes."""
    if scope.focalizer is not None:
        return None
    from narraworld.query.ask.found import found_passages
    from narraworld.query.ask.from_sentences.ways import answers_in_sentences

    answer = answers_in_sentences(question, scope)
    if answer is None:
        return None
    passages = found_passages(question, scope)
    return _in_sentences(question, answer.asked, answer.found, scope, passages, answer.verdict)


def _in_sentences(
    question: str,
    asked: str,
    found: Sequence[DeedAnswer],
    scope: Scope,
    passages: tuple[Span, ...],
    verdict: bool | None = None,
) -> Reply:
    """Answers that stand in sentences, with the nearest sentences besides."""
    from narraworld.query.ask.found import looked_for

    query = ", ".join(f'evidence("{record}", _)' for one in found for record in one.records)
    lines = tuple(_deed_line(asked, one, scope) for one in found)
    return Reply(
        question,
        "derived",
        query,
        lines,
        verdict,
        form=asked,
        passages=passages,
        looked_for=looked_for(question),
    )


def _by_grammar(reply: Reply, scope: Scope, parse: Parse | None) -> Reply | None:
    """What the sentence tells that fits the question best by its grammar, or the nearest sentences as they may answer. Nothing through a
    character's eyes."""
    from narraworld.query.ask.found import looked_for, passages_by_nearness, shown_passages

    few = len(analyse(looked_for(reply.question))) < DEFAULTS.memory.aligned.words
    if scope.focalizer is not None or parse is None or few:
        return None
    from narraworld.query.ask.aligned.answers import answer_by_alignment

    near = list(passages_by_nearness(reply.question, scope))
    answer = answer_by_alignment(reply.question, near, scope, parse)
    passages = shown_passages(answer.order, scope)
    if not answer.found:
        return _searched(reply, scope, passages)
    return _in_sentences(reply.question, answer.asked, answer.found, scope, passages)


def _deed_line(asked: str, found: DeedAnswer, scope: Scope) -> AnswerLine:
    """The answer as the page has it; of when it was also the chapter, for `that evening` says little without it."""
    from narraworld.query.ask.found import span_of

    chapter = chapter_of(found.passage.unit, scope)
    words = f"{found.words}, {chapter}" if asked.startswith("when") else found.words
    holder = scope.names(found.speaker) if found.speaker else THE_WORLD
    return AnswerLine(
        words, found.symbols, holder, chapter, None, found.records, (span_of([found.passage], scope),)
    )


ORDER: tuple[AnswerOutcome, ...] = (
    "not understood",
    "nothing found",
    "found in the text",
    "unaware",
    "derived",
)


def _searched(reply: Reply, scope: Scope, shown: tuple[Span, ...] | None = None) -> Reply:
    """The reply with the nearest sentences; a question that is understood is then found in the text, or nowhere."""
    from narraworld.query.ask.found import found_passages, looked_for

    passages = found_passages(reply.question, scope) if shown is None else shown
    words = looked_for(reply.question)
    outcome: AnswerOutcome = reply.outcome
    if outcome != "not understood":
        outcome = "found in the text" if passages else "nothing found"
    return replace(reply, outcome=outcome, passages=passages, looked_for=words)


def _answer(question: str, reading: QuestionReading, scope: Scope) -> Reply:
    form = reading.form
    query, found = _first(scope, reading.queries(form.ask))
    lines = [one for one in _lines(reading, form.answer, found, scope) if _accounts(reading, one, scope)]
    lines = [one for one in lines if not form.named or _names_it(one, scope)]
    if lines:
        count = len({line.symbols for line in lines}) if form.count else None
        return _reply(question, reading, "derived", query, lines, True if form.yes else None, count)
    denial, denied = _first(scope, reading.queries(form.deny))
    if denied:
        return _reply(question, reading, "derived", denial, _lines(reading, form.no, denied, scope), False)
    if scope.focalizer is None:
        silence, unaware = _first(scope, reading.queries(form.unaware))
        if unaware:
            lines = _lines(reading, "unaware: {P}" if "P" in unaware[0] else "unaware", unaware, scope)
            return _reply(question, reading, "unaware", silence, lines)
    count = 0 if form.count else None
    return _reply(question, reading, "nothing found", reading.queries(form.ask)[0], count=count)


def _accounts(reading: QuestionReading, line: AnswerLine, scope: Scope) -> bool:
    """Whether an answer accounts for all that was asked. Every word beside the verb stands in the words it rests on (`What did
    she wear on her head?` is not answered by all she wore); half of those that say when or where stand near them."""
    names = [scope.names(symbol.strip('"')) for symbol in reading.slots.values()]
    said = {stem for text in (*names, *(span.quote for span in line.spans)) for stem in analyse(text)}
    if any(is_over(span.quote) for span in line.spans):
        return False
    beside = {stem for text in reading.loose for stem in analyse(text)}
    aside = set(analyse(reading.aside.partition(" ")[2]))
    return beside <= said and 2 * len(aside & (said | _near(line, scope, aside))) >= len(aside)


def _names_it(line: AnswerLine, scope: Scope) -> bool:
    """Whether a thing that answers is named in the words the answer rests on: which thing `it` means is not sure enough."""
    said = {stem for span in line.spans for stem in analyse(span.quote)}
    return all(is_mind(symbol, scope) or said & set(analyse(scope.names(symbol))) for symbol in line.symbols)


def _near(line: AnswerLine, scope: Scope, wanted: set[str]) -> set[str]:
    """The words that stand near those an answer rests on; looked up where something is wanted of them."""
    if not wanted:
        return set()
    from narraworld.query.ask.found import around

    return {stem for span in line.spans for text in around(span, scope) for stem in analyse(text)}


def _reply(
    question: str,
    reading: QuestionReading,
    outcome: AnswerOutcome,
    query: str | None = None,
    lines: Sequence[AnswerLine] = (),
    verdict: bool | None = None,
    count: int | None = None,
    note: str = "",
) -> Reply:
    shown = query if query is not None else reading.queries(reading.form.ask)[0]
    return Reply(question, outcome, shown, tuple(lines), verdict, count, reading.form.name, note)


def _first(scope: Scope, queries: Sequence[str]) -> tuple[str, list[GoalBinding]]:
    for query in queries:
        if found := bindings(scope.engine, query, at_hand=scope.at_once):
            return query, found
    return "", []


def _unread(question: str, scope: Scope, unknown: Sequence[str], note: str) -> Reply:
    """A question that no form of the table reads here: understood as far as its wording goes, or not at all."""
    guess = nearest(question, scope)
    why = f"nothing in the story is called {' or '.join(map(repr, unknown))}" if unknown else note
    asked = asks_for(question)
    if asked is None:
        return replace(_reply(question, guess, "not understood", note=why), form="")
    return replace(_reply(question, guess, "nothing found", note=why), form=asked)


# -- telling


def _lines(
    reading: QuestionReading, template: str, found: Sequence[GoalBinding], scope: Scope
) -> list[AnswerLine]:
    """One line per different answer; several sources of one answer are its evidence together."""
    lines: dict[tuple[str, str], AnswerLine] = {}
    for one in found:
        line = _line(reading, template, one, scope)
        kept = lines.setdefault((line.words, line.holder), line)
        if kept is not line:
            records = tuple(dict.fromkeys((*kept.records, *line.records)))
            lines[line.words, line.holder] = replace(kept, records=records, spans=spans_of(records, scope))
    return sorted(lines.values(), key=lambda line: (line.tick or 0, line.words))


def _line(reading: QuestionReading, template: str, found: GoalBinding, scope: Scope) -> AnswerLine:
    records = tuple(dict.fromkeys(str(found[name]) for name in EVIDENCE if name in found))
    since = _since(found, scope)
    times = (
        {"when": since or "", "date": date_of(found, since or "", scope)} if _TIMED.search(template) else {}
    )
    words = _PLACE.sub(
        lambda match: times[match[1]] if match[1] in times else _told(match[1], found, scope), template
    )
    symbols = tuple(str(found[name]) for name in _PLACE.findall(template) if name in found)
    tick = int(found["Since"]) if "Since" in found else None
    return AnswerLine(
        words, symbols, _holder(reading, found, scope), since, tick, records, spans_of(records, scope)
    )


def _told(name: str, found: GoalBinding, scope: Scope) -> str:
    return _said(found[name], scope) if name in found else ""


def _said(value: str | float, scope: Scope) -> str:
    return scope.names(value) if isinstance(value, str) else str(value)


def _holder(reading: QuestionReading, found: GoalBinding, scope: Scope) -> str:
    template = reading.form.holder
    if template is None:
        return scope.names(scope.focalizer) if scope.focalizer else THE_WORLD
    name = template.strip("{}")
    symbol = str(found[name]) if name in found else reading.slots[name].strip('"')
    return scope.names(symbol)


def _since(found: GoalBinding, scope: Scope) -> str | None:
    """The chapter in which it began, by the record that began it."""
    for name in ("SinceRecord", "E", "Record"):
        for quote in scope.quotes(str(found[name]))[:1] if name in found else ():
            return chapter_of(quote.unit, scope)
    return None
