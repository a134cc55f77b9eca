"""What each record of a unit was made of and by which pass: kept beside the delta while the unit is read. Values; judges nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from narraworld.base.quick_dataclass import dataclass
from narraworld.extract.embedded.sentence import SentenceState
from narraworld.kb.spans import TextRange

__all__ = ["Ledger", "LedgerEntry"]


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A record as it was added: its class, its fields, the words it quotes, the pass or row that wrote it, the sentence at hand."""

    record: str
    kind: str
    fields: Mapping[str, Any]
    quotes: tuple[TextRange, ...]
    by: str
    frame: str
    sentence: SentenceState


@dataclass(slots=True)
class Ledger:
    """The records of a unit in their order; ``by`` is who is writing at the moment."""

    by: str = ""
    frame: str = ""  # of the clause at hand
    entries: list[LedgerEntry] = field(default_factory=list)

    def enter(
        self,
        record: str,
        kind: str,
        fields: Mapping[str, Any],
        quote: TextRange | list[TextRange],
        sentence: SentenceState,
    ) -> None:
        quotes = (quote,) if isinstance(quote, TextRange) else tuple(quote)
        self.entries.append(LedgerEntry(record, kind, fields, quotes, self.by, self.frame, sentence))
