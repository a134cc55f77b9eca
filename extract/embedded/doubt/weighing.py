"""How likely each record is right, by its signs; what is likelier wrong is taken back, and its words are counted as unsure.

The table (`doubts.json`) was taught by judges' verdicts (`training/doubts.py`): for each class of record what every sign weighs. A record that
falls takes those with it that are nothing without it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import Enum
from math import inf, log

from narraworld.base.quick_dataclass import dataclass
from narraworld.base.settings import DoubtSettings
from narraworld.extract.embedded.doubt.signs import signs_of
from narraworld.extract.embedded.doubt.surroundings import Surroundings
from narraworld.extract.embedded.layout.document import UnitDocument
from narraworld.extract.embedded.ledger import LedgerEntry
from narraworld.extract.embedded.lexicon.language import Language, spoken
from narraworld.extract.embedded.unit import UnitState
from narraworld.kb.spans import TextRange

__all__ = ["DoubtTable", "doubt_table", "group_of", "least_odds", "withdraw_doubtful"]

SETTINGS = DoubtSettings()
AGENT, PATIENT = "agent", "patient"
ALONE = frozenset({"State", "Event", "Detail", "Speech"})
OTHERS = "others"  # classes too rare for weights of their own


class Verdict(Enum):
    """What becomes of a record."""

    SIGNED = "signed"
    WITHOUT_DOER = "without its doer"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class DoubtTable:
    """What each sign weighs, for each group of classes; without a group nothing is doubted."""

    weights: Mapping[str, Mapping[str, float]]
    bias: Mapping[str, float]

    def odds(self, kind: str, signs: Iterable[str]) -> float:
        """The logarithm of the odds that a record is right."""
        group = group_of(kind)
        weights = self.weights[group]
        return self.bias[group] + sum(weights.get(sign, 0.0) for sign in signs)


def doubt_table() -> DoubtTable:
    """That of the language that is read."""
    return spoken().made(_doubt_table)


def _doubt_table(language: Language) -> DoubtTable:
    said = json.loads((language.tables / "doubts.json").read_text("utf-8"))
    return DoubtTable(said["weights"], said["bias"])


def group_of(kind: str) -> str:
    """The classes that are weighed alike."""
    return kind.lower() if kind in ALONE else OTHERS


def withdraw_doubtful(unit: UnitState, document: UnitDocument) -> list[TextRange]:
    """Take back what is likelier wrong than the settings allow, at least whose deed it is; the words of all that went."""
    if len(document.told) + len(document.quoted) < SETTINGS.lines:
        return []
    around, table = Surroundings.of(document, unit), doubt_table()
    weighed = [(one, _verdict(one, around, table)) for one in unit.held.ledger.entries]
    gone = unit.delta.withdraw([one.record for one, verdict in weighed if verdict is Verdict.WITHDRAWN])
    for one, verdict in weighed:
        if verdict is Verdict.WITHOUT_DOER and one.record not in gone:
            unit.delta.omit(one.record, AGENT)
    quoted = {
        one.quotes[0] for one, verdict in weighed if verdict is not Verdict.SIGNED or one.record in gone
    }
    return sorted(quoted, key=lambda where: (where.start, where.end))


def _verdict(entry: LedgerEntry, around: Surroundings, table: DoubtTable) -> Verdict:
    """Whether a record is to go, or only its doer."""
    least = least_odds(entry.kind)
    if _odds(entry, around, table) >= least:
        return Verdict.SIGNED
    if entry.kind == "Event" and AGENT in entry.fields and PATIENT in entry.fields:
        rest = {name: value for name, value in entry.fields.items() if name != AGENT}
        if _odds(replace(entry, fields=rest), around, table) >= least:
            return Verdict.WITHOUT_DOER
    return Verdict.WITHDRAWN


def _odds(entry: LedgerEntry, around: Surroundings, table: DoubtTable) -> float:
    return table.odds(entry.kind, signs_of(entry, around))


def least_odds(kind: str) -> float:
    """The odds that a record of this class must reach."""
    least = float(getattr(SETTINGS, group_of(kind)))
    return log(least / (1 - least)) if least > 0 else -inf
