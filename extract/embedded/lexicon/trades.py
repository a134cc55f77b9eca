"""Nouns for what people do for a living, and for where they do it (`trades.txt`, made by `training/trades.py`). Holds no word itself."""

from __future__ import annotations

from narraworld.base.quick_dataclass import dataclass
from narraworld.extract.embedded.lexicon.language import Language, of_spoken
from narraworld.ontology.respects import respects

__all__ = ["Trades", "trades"]


@dataclass(frozen=True, slots=True)
class Trades:
    """The two lists."""

    people: frozenset[str]
    workplaces: frozenset[str]

    def is_trade(self, noun: str) -> bool:
        """Whether a noun, or the last part of a joined one, says what somebody does."""
        return noun in self.people or noun.rpartition("-")[2] in self.people

    def is_workplace(self, noun: str) -> bool:
        return noun in self.workplaces or noun.rpartition("-")[2] in self.workplaces


def trades() -> Trades:
    """The trades of the language that is read."""
    return of_spoken(_trades)


def _trades(language: Language) -> Trades:
    lines = (language.tables / "trades.txt").read_text("utf-8").splitlines()
    rows = dict(line.split("\t") for line in lines if not line.startswith("#"))
    never = set(rows["-"].split())
    listed = {word for word in respects().words.phrases["occupation"] if " " not in word}
    return Trades(frozenset({*rows["trade"].split(), *listed} - never), frozenset(rows["workplace"].split()))
