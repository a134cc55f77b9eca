"""What a query of this world can be made of, in a few lines: relations with their meaning, and the predicates, kinds and roles that occur."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from narraworld.base.settings import DEFAULTS
from narraworld.query.ask.in_words.shown import words_table
from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.query.scope import Scope

__all__ = ["vocabulary_of"]

MOST = DEFAULTS.memory.in_words.vocabulary
OCCUR = (("predicates", "proposition", 2), ("kinds of events", "event", 1), ("roles", "role", 2))


def vocabulary_of(scope: Scope) -> str:
    """The same for all questions to one scope."""
    return "\n".join([*_relations(scope), *_occurring(scope)])


def _relations(scope: Scope) -> Iterator[str]:
    known = scope.engine.program.relations
    yield from (known[name].doc for name in words_table()["vocabulary"]["relations"] if name in known)


def _occurring(scope: Scope) -> Iterator[str]:
    """The words in each column that has words of its own, the frequent ones."""
    for name, relation, column in OCCUR:
        counts = Counter(str(row[column]) for row in rows(scope.at_once, relation))
        frequent = sorted(counts, key=lambda word: (-counts[word], word))[:MOST]
        yield words_table()["vocabulary"]["listed"].format(name=name, words=", ".join(frequent))
