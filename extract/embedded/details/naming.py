"""Names as details, of several words and of one: for the style sheet's list of spellings, and for the check of names spelled in two ways.

Each name once for a unit, where it first stands, told or said, of people, ships and houses alike. Says nothing of who bears it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from narraworld.extract.embedded.grammar.name_spans import NameUse, name_uses
from narraworld.extract.embedded.layout.document import Sentence
from narraworld.extract.embedded.lexicon.person_names import names
from narraworld.extract.embedded.lexicon.tables import stranger_table
from narraworld.extract.embedded.unit import UnitState
from narraworld.kb.spans import TextRange
from narraworld.ontology.respects import respects

__all__ = ["write_names"]

NAME, CALLED = "name", "called"  # a full name, and one word alone


def write_names(unit: UnitState, lines: Iterable[Sentence]) -> None:
    """Add every full name of a unit; unsure where its first word is one that many bear (`Tom` and `Tim` are two people)."""
    met: set[str] = set()
    for line in lines:
        for use in name_uses(line.tokens):
            _write_rank(unit, use)
            words = [word for word in use.text.split() if word.lower().rstrip(".") not in names().titles]
            full = " ".join(words)
            if words and full not in met and all(word[:1].isupper() for word in words):
                met.add(full)
                _write_name(unit, TextRange(use.start, use.end), words)


def _write_name(unit: UnitState, where: TextRange, words: Sequence[str]) -> None:
    whole = len(words) > 1
    common = whole and words[0] in stranger_table().given
    unit.add(
        "Detail", where, respect=NAME if whole else CALLED, value=" ".join(words), name=words[0], basis="listed",
        uncertainty="medium" if common else "low",
    )  # fmt: skip


def _write_rank(unit: UnitState, use: NameUse) -> None:
    """`Inspector Pryce`, `Detective Constable Stagg`: a rank that stands before the name."""
    ranks = respects().words.families["rank"]
    titles = [word.lower().rstrip(".") for word in use.text.split()[:-1]]
    title = next((word for word in reversed(titles) if word in ranks), None)
    owner = unit.owners.met(use.start) if title is not None else None
    if owner is not None and owner.entity is not None:
        unit.add(
            "Detail", TextRange(use.start, use.end), respect="rank", value=title, about=owner.entity, basis="described",
            uncertainty="low",
        )  # fmt: skip
