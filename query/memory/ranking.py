"""How much a record is worth to a request: several opinions, one number. Weights are data, not code.

Pure arithmetic over arrays that run parallel to the records of a search; touches no engine and no text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from narraworld.base.settings import Weights
from narraworld.kb.english import wordset
from narraworld.kb.search.search_words import analyse
from narraworld.query.memory.index.answer_kinds import shown_by
from narraworld.query.memory.index.neighbours import Layout
from narraworld.query.memory.index.stretches import scaled
from narraworld.query.names import rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.float32]
    from narraworld.query.memory.index.search import Search
    from narraworld.query.memory.needs import MemoryPlan
    from narraworld.query.scope import Scope

__all__ = [
    "Facet",
    "Weights",
    "connected",
    "facets_of",
    "fused",
    "named_by",
    "opinion",
    "passage_opinion",
    "scaled",
    "telling",
]


def fused(word: Numbers, meaning: Numbers, weights: Weights) -> Numbers:
    """One opinion out of two."""
    return np.asarray(weights.word * scaled(word) + weights.meaning * scaled(meaning), dtype=np.float32)


def opinion(search: Search, facet: Facet, meaning: Numbers, weights: Weights) -> Numbers:
    """What one facet thinks of every record, and of every passage."""
    many = len(search.records)
    words = search.by_word(facet.words, weights.bm25)
    found = weights.record * fused(words, meaning[:many], weights)
    passages = passage_opinion(search, facet, meaning[many:], weights)
    named = weights.holder * search.of(facet.holders) + weights.name * search.naming(facet.names)
    named[many:] = 0.0  # among passages whoever is named is a word like others
    return np.asarray(np.concatenate((found, passages)) + named, dtype=np.float32)


def passage_opinion(search: Search, facet: Facet, near: Numbers, weights: Weights) -> Numbers:
    """How good each passage is: its words and meaning with what stands around it, and whether it has what is asked for, which
    counts the more the less else there is to go by: `How old is Mara?` has a name and a number to look for."""
    stretches, words = search.stretches, telling(facet.full)
    found = stretches.scores(search.worded(words, facet.named, weights), near)
    more = weights.telling * np.minimum(stretches.lengths / weights.enough, 1.0)
    if asked := shown_by(facet.full):
        others = set(analyse(words)) - {term for name in facet.named for term in analyse(name)}
        more = more + weights.shows * (1 + weights.alone / (1 + len(others))) * stretches.marked(asked)
    return scaled(np.asarray(found + more * (found > 0), dtype=np.float32))


def connected(scores: Numbers, layout: Layout, weights: Weights) -> Numbers:
    """Scores with what each document owes to its company: same words, scene, what stands before and after."""
    places = layout.best(scores)
    company = (
        weights.evidence * places
        + weights.scene * layout.around(places)
        + weights.before * layout.before(places)
        + weights.after * layout.after(places)
    )
    return np.asarray(scores + layout.spread(company), dtype=np.float32)


# -- The questions a plan puts to search: the request itself and one for each need, in words that tell records apart


IDLE = wordset("text.idle")

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Facet:
    """One question to search: ``need`` is the need it serves, or nothing for the request itself."""

    need: str
    full: str
    words: str
    names: tuple[str, ...]
    holders: tuple[str, ...]
    weight: float
    named: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # whom a word of it names


def facets_of(scope: Scope, plan: MemoryPlan, *, planning: bool) -> list[Facet]:
    """The request, and each need that has words of its own; without planning the request alone."""
    called = _names(scope, plan.focal)
    found = [
        Facet(
            "",
            plan.intent,
            telling(plan.intent, called),
            plan.focal,
            plan.focal,
            1.0,
            named_by(scope, plan.intent),
        )
    ]
    for need, share in zip(plan.needs, plan.shares(), strict=True) if planning else ():
        people = (*need.entities, *need.holders)
        words = telling(need.words, called | _names(scope, people))
        if words or (people and not need.goals):
            holders = need.holders or tuple(one for one in people if one in plan.focal)
            served = "" if need.goals else need.name  # what a rule can answer, a likeness does not settle
            found.append(
                Facet(served, need.words, words, people, holders, share, named_by(scope, need.words))
            )
    return found


def named_by(scope: Scope, text: str) -> dict[str, tuple[str, ...]]:
    """Whom the words of a text name, word by word; a name that several bear names them all."""
    found: dict[str, tuple[str, ...]] = {}
    for mention in scope.mentions.find(text):
        for word in mention.words.split():
            found[word] = (*found.get(word, ()), *mention.symbols)
    return found


def _names(scope: Scope, entities: Iterable[str]) -> frozenset[str]:
    called: Iterator[str] = (
        str(name) for entity in entities for _, _, name in rows(scope.at_once, "named", None, entity)
    )
    return frozenset(word.casefold() for name in called for word in _WORD.findall(name))


def telling(text: str, names: frozenset[str] = frozenset()) -> str:
    """The words of a text that tell records apart."""
    kept = (
        word for word in _WORD.findall(text) if re.sub(r"['’]s$", "", word).casefold() not in names | IDLE
    )
    return " ".join(kept)
