"""What the text says to a question that no rule answers: the nearest sentences, marked as found and not derived.

The same passages, ranking and admission as memory uses; the question itself is the only need. A sentence that is too short to
say much is shown with those that stand beside it, admitted like itself. Decides no truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from narraworld.base.settings import FoundSettings
from narraworld.kb.search.search_words import analyse
from narraworld.query.evidence import Span
from narraworld.query.memory.index.search import Search
from narraworld.query.memory.ranking import Facet, named_by, opinion, passage_opinion, telling

if TYPE_CHECKING:
    from narraworld.query.memory.index.admission import AdmittedPassage
    from narraworld.query.scope import Scope

__all__ = [
    "FoundSettings",
    "around",
    "found_passages",
    "looked_for",
    "nearest_passages",
    "passages_by_nearness",
    "records_by_nearness",
    "shown_passages",
    "stretch_of",
]


USUAL = FoundSettings()
BREAK = 3  # characters between two sentences that follow one another: a blank, or the end of a paragraph


def looked_for(question: str) -> str:
    """The words of a question that tell passages apart."""
    return telling(question)


def nearest_passages(question: str, scope: Scope, settings: FoundSettings = USUAL) -> Iterator[int]:
    """The sentences nearest to the question, the best first, by their place in the search."""
    yield from (nth for nth, _ in passages_by_nearness(question, scope, settings))


def passages_by_nearness(
    question: str, scope: Scope, settings: FoundSettings = USUAL
) -> Iterator[tuple[int, float]]:
    """The sentences nearest to the question, the best first, each by its place in the search and how near it is; none that shares no
    word with it, nor stands beside one."""
    search, weights = scope.once(Search), settings.weights
    if not search.passages or not analyse(looked_for(question)):
        return
    facet = Facet("", question, telling(question), (), (), 1.0, named_by(scope, question))
    [meaning] = search.by_meaning((facet.full, facet.words))
    close = passage_opinion(search, facet, meaning[len(search.records) :], weights)
    shared = search.stretches.shared(facet.words)
    order = np.argsort(-np.where(shared, close, 0.0), kind="stable")
    yield from ((int(nth), float(close[nth])) for nth in order if shared[nth])


def records_by_nearness(question: str, scope: Scope, settings: FoundSettings = USUAL) -> dict[str, float]:
    """How near each record of the scope is to the question, by its words, its meaning and whom it is about; 1 for the nearest."""
    search = scope.once(Search)
    if not search.documents:
        return {}
    named = named_by(scope, question)
    people = tuple(dict.fromkeys(one for several in named.values() for one in several))
    facet = Facet("", question, telling(question), people, people, 1.0, named)
    [meaning] = search.by_meaning((facet.full, facet.words))
    found = opinion(search, facet, meaning, settings.weights)[: len(search.records)]
    best = float(found.max(initial=0.0)) or 1.0
    return {record: float(worth) / best for record, worth in zip(search.records, found, strict=True)}


def found_passages(question: str, scope: Scope, settings: FoundSettings = USUAL) -> tuple[Span, ...]:
    """The nearest sentences as words on the page, each with its company; none is shown twice."""
    return shown_passages(nearest_passages(question, scope, settings), scope, settings)


def shown_passages(order: Iterable[int], scope: Scope, settings: FoundSettings = USUAL) -> tuple[Span, ...]:
    """The first sentences of an order as words on the page, each with its company; none is shown twice."""
    passages, seen, found = scope.once(Search).passages, set[int](), list[Span]()
    for nth in order:
        if len(found) == settings.shown:
            break
        if nth not in seen:
            stretch = stretch_of(passages, nth, settings)
            seen.update(stretch)
            found.append(span_of([passages[one] for one in stretch], scope))
    return tuple(found)


def stretch_of(passages: Sequence[AdmittedPassage], nth: int, settings: FoundSettings = USUAL) -> range:
    """The sentence with those just after and before it, one by one, while all of them are short enough together."""
    first = last = nth
    for _ in range(settings.sides):
        if last + 1 < len(passages) and _joins(passages[last], passages[last + 1]):
            last += passages[last + 1].end - passages[first].start <= settings.longest
        if first > 0 and _joins(passages[first - 1], passages[first]):
            first -= passages[last].end - passages[first - 1].start <= settings.longest
    return range(first, last + 1)


def _joins(one: AdmittedPassage, after: AdmittedPassage) -> bool:
    """Whether nothing stands between two passages, not even something that may not be seen."""
    return one.unit == after.unit and after.start - one.end <= BREAK


def around(span: Span, scope: Scope, sides: int = 3) -> Iterator[str]:
    """The sentences in which a span stands, and some before and after them."""
    here = [one for one in scope.once(Search).passages if one.unit == span.unit]
    touched = [nth for nth, one in enumerate(here) if one.start < span.end and span.start < one.end]
    for one in here[max(0, touched[0] - sides) : touched[-1] + sides + 1] if touched else ():
        yield one.words


def span_of(stretch: Sequence[AdmittedPassage], scope: Scope) -> Span:
    first, last = stretch[0], stretch[-1]
    words = " ".join(passage.words for passage in stretch)
    return Span(first.unit, first.start, last.end, words, scope.place_of(first.unit, first.start))
