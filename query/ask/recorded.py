"""What the situated world records under each row of the table of respects: predicates, values, and which of them words mean.

Reads propositions and their normal forms; decides no truth: whether a matter holds is for the query that takes it up.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from narraworld.kb.english import wordset
from narraworld.kb.normal import Normaliser, Pair
from narraworld.kb.propositions import BadProposition, parse_statement
from narraworld.ontology.respects import Respect, Respects
from narraworld.query.name_finder import ARTICLES, stem, tokens
from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.query.scope import Scope

__all__ = ["OF_ROW", "Recorded", "slot_type"]

OF_ROW = "of_"  # how the type of a slot begins that takes a value of one row
SMALL = ARTICLES | wordset("text.of_answers")


def slot_type(row: Respect) -> str:
    """The type of a slot that takes a value of this row."""
    return OF_ROW + re.sub(r"\W", "_", row.name)


class Recorded:
    """The records of one situated world by row; made once for each scope."""

    def __init__(self, scope: Scope) -> None:
        self._engine, self._names = scope.engine, scope.names
        self.table: Respects = scope.names.respects
        self._normaliser = Normaliser(self.table)

    @cached_property
    def predicates(self) -> dict[str, tuple[str, ...]]:
        """For each row the predicates under which readers wrote it, its own name first."""
        written = sorted({str(row[2]) for row in rows(self._engine, "proposition")})
        found: dict[str, list[str]] = {}
        for predicate in written:
            if row := self.table.named(predicate):
                found.setdefault(row.name, []).append(predicate)
        return {name: tuple(sorted(some, key=lambda one: one != name)) for name, some in found.items()}

    @cached_property
    def _values(self) -> dict[str, dict[str, str]]:
        """For each row its matters, and in what words each says its value."""
        found: dict[str, dict[str, str]] = {}
        for proposition, _, predicate, value, _ in rows(self._engine, "proposition"):
            row = self.table.named(str(predicate))
            try:
                matter = parse_statement(str(proposition)).matter
            except BadProposition:
                continue
            if row is not None:
                found.setdefault(row.name, {})[matter] = self._names(str(value))
        return found

    @cached_property
    def _normal(self) -> dict[tuple[str, str], set[str]]:
        """Which matters say a normal word of a row, in whatever words."""
        found: dict[tuple[str, str], set[str]] = {}
        for matter, sign, _, so, _, _, _, base, word in rows(self._engine, "normal"):
            if sign == so == "yes":
                found.setdefault((str(base), str(word)), set()).add(str(matter))
        return found

    @cached_property
    def _rows(self) -> dict[str, Respect]:
        return {slot_type(row): row for row in self.table.rows.values()}

    def matters(self, slot: str, text: str) -> list[str]:
        """The matters whose value these words mean: by the words themselves, else by what they come down to."""
        row = self._rows[slot]
        wanted = _stems(text)
        values = self._values.get(row.name, {})
        same = [matter for matter, words in values.items() if wanted and wanted == _stems(words)]
        said = {
            pair.word
            for pair in self._normaliser.pairs(row.name, text)
            if pair.respect == row.name and pair.so and _meant(pair, row, text)
        }
        normal = {matter for word in said for matter in self._normal.get((row.name, word), ())}
        near = [matter for matter, words in values.items() if wanted and wanted <= _stems(words)]
        return list(dict.fromkeys([*same, *sorted(normal), *near]))


def _meant(pair: Pair, row: Respect, text: str) -> bool:
    """Whether a number is of this row, and not of something else that is counted: the second floor, not the second of May."""
    by_name = pair.exact or pair.aspect or any(cue in text.lower() for cue in row.cues)
    return row.value != "number" or bool(by_name)


@lru_cache(1 << 14)  # every question compares the same values
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in tokens(text) if word not in SMALL)
