"""Deeds that the passage only has somebody tell: in whose speech they stand, and whether they are told there as done.

Questions ask for them as hypothetical, like what is supposed or wished; the words tell them apart. Pure: decides on the text and on
what was kept.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from narraworld.extract.model.schema import EventItem, SpeechItem
from narraworld.kb.spans import TextRange

if TYPE_CHECKING:
    from narraworld.extract.model.grounding import Grounded, Grounding

__all__ = ["realis_of", "told_in"]


def realis_of(reading: Grounding, kept: Grounded[EventItem]) -> str:
    """How an event is presented; to say that one did not do a thing is a saying that takes place."""
    spoken = kept.item.realis == "negated" and reading.is_spoken(kept.where)
    return "actual" if spoken and _said(reading, kept) else kept.item.realis


def told_in(reading: Grounding, kept: Grounded[EventItem]) -> int | None:
    """The speech that tells of an event as done, by its number: the nearest of those in the same breath; None where none does."""
    if kept.item.realis != "hypothetical" or _said(reading, kept) or _is_supposed(reading, kept):
        return None
    breath = _breath(reading, kept.where)
    near = [
        one
        for one in reading.of(EventItem)
        if one.item.number != kept.item.number
        and _said(reading, one)
        and breath.start <= one.where.start < breath.end
    ]
    return min(near, key=lambda one: abs(one.where.start - kept.where.start)).item.number if near else None


def _said(reading: Grounding, kept: Grounded[EventItem]) -> bool:
    """Whether it is a saying of which more was told: whose, and in which manner."""
    return any(speech.item.event == kept.item.number for speech in reading.of(SpeechItem))


def _is_supposed(reading: Grounding, kept: Grounded[EventItem]) -> bool:
    """Whether the sentence is a question, plans, supposes or denies something."""
    sentence = _sentence(reading, kept.where).cut(reading.passage.text)
    would = re.search(rf"['’]d (?:\w+ )?{re.escape(kept.item.what)}\b", sentence)
    found = reading.cues.found
    return bool(would) or "?" in sentence or found("planned", sentence) or found("supposed", sentence)


def _breath(reading: Grounding, where: TextRange) -> TextRange:
    """The paragraph of words between quotation marks, which is one speaker's; of others their own sentence."""
    if not reading.is_spoken(where):
        return _sentence(reading, where)
    text = reading.passage.text
    start, end = text.rfind("\n\n", 0, where.start), text.find("\n\n", where.end)
    return TextRange(max(start, 0), len(text) if end < 0 else end)


def _sentence(reading: Grounding, where: TextRange) -> TextRange:
    return next((one for one in reading.passage.sentences if one.start <= where.start < one.end), where)
