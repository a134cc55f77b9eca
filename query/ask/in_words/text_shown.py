"""The sentences that a mind is shown for a question: the nearest, as search and the small encoder have it, each with its company.

An answer often stands beside the sentence that has the question's words. The cut of the scope decides what may be shown; this only orders it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from narraworld.base.settings import InWordsSettings
from narraworld.kb.encoder.likelihoods import answering
from narraworld.query.ask.found import USUAL, passages_by_nearness
from narraworld.query.memory.index.search import Search
from narraworld.query.memory.items import Teller

if TYPE_CHECKING:
    from narraworld.query.ask.in_words.shown import GivenLine
    from narraworld.query.memory.index.admission import AdmittedPassage
    from narraworld.query.memory.needs import MemoryItem
    from narraworld.query.scope import Scope

__all__ = ["text_items"]

# Sentences by themselves: among long stretches of what is near, one that has the rare word stands out less
ALONE = replace(USUAL, weights=replace(USUAL.weights, scales=USUAL.weights.scales[:1], covers=0.0))


def text_items(
    question: str,
    followed: Sequence[GivenLine],
    remembered: Sequence[MemoryItem],
    scope: Scope,
    settings: InWordsSettings,
) -> list[MemoryItem]:
    """Pieces of the text, the worthiest first: near to the question, what other lines (``followed``) rest on, ``remembered`` for it, or
    beside such a one."""
    passages, tell = scope.once(Search).passages, scope.once(Teller)
    items: dict[str, MemoryItem] = {}
    told: dict[str, float] = {}
    for nth, worth in _worths(question, followed, scope, settings).items():
        for item in tell.items(passages[nth].id):
            items[item.key], told[item.key] = item, max(worth, told.get(item.key, 0.0))
    for place, item in enumerate(remembered):
        items.setdefault(item.key, item)
        told[item.key] = told.get(item.key, 0.0) + _worth(place, settings)
    return sorted(items.values(), key=lambda item: (-told[item.key], item.key))


def _worths(
    question: str, followed: Sequence[GivenLine], scope: Scope, settings: InWordsSettings
) -> dict[int, float]:
    """What each passage is worth by its place in several orders: by words and meaning, with what stands around it and alone, by the lines
    that rest on it, and of those that come out first, with their company, as the encoder reads them beside the question."""
    passages = scope.once(Search).passages
    orders: list[Iterable[int]] = [
        [nth for nth, _ in passages_by_nearness(question, scope, way)] for way in (USUAL, ALONE)
    ]
    orders.append(_rested_on(followed, scope))
    worths = _with_company(_together(orders, settings), passages, settings)
    first = sorted(worths, key=lambda nth: (-worths[nth], nth))[: settings.read]
    return _with_company(
        _together([*orders, _as_read(question, first, passages)], settings), passages, settings
    )


def _rested_on(followed: Sequence[GivenLine], scope: Scope) -> list[int]:
    """The passages that other lines rest on, in their order."""
    search = scope.once(Search)
    place = {passage.id: nth for nth, passage in enumerate(search.passages)}
    records = (record for line in followed for record in line.records)
    return list(dict.fromkeys(place[one.id] for record in records for one in search.standing.get(record, ())))


def _as_read(question: str, several: Sequence[int], passages: Sequence[AdmittedPassage]) -> list[int]:
    """Those that the encoder takes to answer the question first."""
    texts = [(passages[nth].words, _before(passages, nth)) for nth in several]
    likely = {nth: one.any for nth, one in zip(several, answering(question, texts), strict=True)}
    return sorted(several, key=lambda nth: (-likely[nth], nth))


def _before(passages: Sequence[AdmittedPassage], nth: int) -> str:
    """The sentence before, of the same unit."""
    return passages[nth - 1].words if nth and passages[nth - 1].unit == passages[nth].unit else ""


def _together(orders: Iterable[Iterable[int]], settings: InWordsSettings) -> dict[int, float]:
    worths: dict[int, float] = {}
    for order in orders:
        for place, nth in enumerate(order):
            worths[nth] = worths.get(nth, 0.0) + _worth(place, settings)
    return worths


def _worth(place: int, settings: InWordsSettings) -> float:
    return 1.0 / (settings.rank + place)


def _with_company(
    worths: dict[int, float], passages: Sequence[AdmittedPassage], settings: InWordsSettings
) -> dict[int, float]:
    """What each passage is worth by itself or by one near it in the same unit, less with each step."""
    found = dict(worths)
    for nth, worth in worths.items():
        for step in range(1, settings.sides + 1):
            for beside in (nth - step, nth + step):
                if 0 <= beside < len(passages) and passages[beside].unit == passages[nth].unit:
                    found[beside] = max(found.get(beside, 0.0), worth * settings.fade**step)
    return found
