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
from narraworld.query.memory.lines.beside import rested_on, together, with_company, worth_at

if TYPE_CHECKING:
    from narraworld.query.memory.index.admission import AdmittedPassage
    from narraworld.query.memory.lines.given_lines import GivenLine
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
        told[item.key] = told.get(item.key, 0.0) + worth_at(place, settings)
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
    orders.append(rested_on(followed, scope))
    worths = with_company(together(orders, settings), passages, settings)
    first = sorted(worths, key=lambda nth: (-worths[nth], nth))[: settings.read]
    return with_company(
        together([*orders, _as_read(question, first, passages)], settings), passages, settings
    )


def _as_read(question: str, several: Sequence[int], passages: Sequence[AdmittedPassage]) -> list[int]:
    """Those that the encoder takes to answer the question first."""
    texts = [(passages[nth].words, _before(passages, nth)) for nth in several]
    likely = {nth: one.any for nth, one in zip(several, answering(question, texts), strict=True)}
    return sorted(several, key=lambda nth: (-likely[nth], nth))


def _before(passages: Sequence[AdmittedPassage], nth: int) -> str:
    """The sentence before, of the same unit."""
    return passages[nth - 1].words if nth and passages[nth - 1].unit == passages[nth].unit else ""
