"""What the text says to a question that no rule answers: the nearest sentences, marked as found and not derived.

The same passages, ranking and admission as memory uses; the question itself is the only need. Decides no truth.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from narraworld.kb.search.inverted_index import analyse
from narraworld.query.evidence import Span
from narraworld.query.memory.ranking import Facet, Weights, named_by, passage_opinion, telling
from narraworld.query.memory.search import Search

if TYPE_CHECKING:
    from narraworld.query.memory.admission import Passage
    from narraworld.query.scope import Scope

__all__ = ["FoundSettings", "around", "found_passages", "looked_for", "nearest_passages", "span_of"]


@dataclass(frozen=True, slots=True)
class FoundSettings:
    """How many sentences are shown, and how ranking weighs."""

    shown: int = 3
    weights: Weights = field(default_factory=Weights)


USUAL = FoundSettings()


def looked_for(question: str) -> str:
    """The words of a question that tell passages apart."""
    return telling(question)


def nearest_passages(question: str, scope: Scope, settings: FoundSettings = USUAL) -> list[Passage]:
    """The sentences nearest to the question, the best first; none that shares no word with it, nor stands beside one."""
    search, weights = scope.once(Search), settings.weights
    if not search.passages or not analyse(looked_for(question)):
        return []
    facet = Facet("", question, telling(question), (), (), 1.0, named_by(scope, question))
    [meaning] = search.by_meaning((facet.full, facet.words))
    close = passage_opinion(search, facet, meaning[len(search.records) :], weights)
    shared = search.stretches.shared(facet.words)
    order = np.argsort(-np.where(shared, close, 0.0), kind="stable")
    return [search.passages[int(nth)] for nth in order if shared[nth]][: settings.shown]


def found_passages(question: str, scope: Scope, settings: FoundSettings = USUAL) -> tuple[Span, ...]:
    """The nearest sentences as words on the page."""
    return tuple(span_of(passage, scope) for passage in nearest_passages(question, scope, settings))


def around(span: Span, scope: Scope, sides: int = 3) -> Iterator[str]:
    """The sentences in which a span stands, and some before and after them."""
    here = [one for one in scope.once(Search).passages if one.unit == span.unit]
    touched = [nth for nth, one in enumerate(here) if one.start < span.end and span.start < one.end]
    for one in here[max(0, touched[0] - sides) : touched[-1] + sides + 1] if touched else ():
        yield one.words


def span_of(passage: Passage, scope: Scope) -> Span:
    place = scope.place_of(passage.unit, passage.start)
    return Span(passage.unit, passage.start, passage.end, passage.words, place)
