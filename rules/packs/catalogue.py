"""The catalogue of relations: what each says, its columns, where its rows come from, who produces it. Reads a program, and the table of respects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from narraworld.ontology.respects import Respect, Respects
from narraworld.rules.language.ir import Relation
from narraworld.rules.language.program import RuleBook

__all__ = ["CatalogueEntry", "catalogue", "respect_entries"]

# Who produces the rows of a base relation, by how its binding begins.
PRODUCERS = {
    "nw:": "readers: embedded, model, TOML records",
    "lengths": "the text of each unit",
    "clock": "the story clock (kb/time)",
    "settings": "narraworld.toml",
    "situation": "the caller's situation (--at, --told)",
    "table": "the table of respects (ontology/respects.toml)",
    "meaning": "the normaliser of words (kb/rows/meanings.py)",
}


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """One relation. ``origin`` is base or derived; a base one is read from bindings, a derived one produced by rules."""

    name: str
    says: str
    columns: tuple[str, ...]
    origin: str
    read_from: tuple[str, ...]
    produced_by: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def catalogue(book: RuleBook) -> Iterator[CatalogueEntry]:
    """Every relation that an author may name, by name."""
    for name in sorted(book.relations):
        relation = book.relations[name]
        if not relation.auxiliary:
            columns = tuple(f"{column.name}:{column.type}" for column in relation.columns)
            origin = "base" if relation.base else "derived on demand" if relation.on_demand else "derived"
            bindings = tuple(line.removeprefix("from ") for line in relation.bindings)
            yield CatalogueEntry(name, relation.doc, columns, origin, bindings, _producers(book, relation))


def respect_entries(table: Respects, name: str | None = None) -> list[CatalogueEntry]:
    """The respect of this name, or else the project's own: no relations, but what rules read of them is one atom each."""
    row = table.named(name) if name else None
    rows = [row] if row else [] if name else [table.rows[one] for one in sorted(table.own)]
    return [_respect_entry(one, own=one.name in table.own) for one in rows]


def _respect_entry(row: Respect, *, own: bool) -> CatalogueEntry:
    read_as = f'about(Matter, Subject, "{row.name}", Value)'
    columns = (f"subject:{' or '.join(row.of)}", f"value:{row.value}")
    source = PRODUCERS["settings" if own else "table"]
    return CatalogueEntry(row.name, row.means, columns, "respect", (read_as,), (source,))


def _producers(book: RuleBook, relation: Relation) -> tuple[str, ...]:
    if relation.base:
        return tuple(dict.fromkeys(_producer(line) for line in relation.bindings)) or (
            "whoever loads the rows",
        )
    places = (rule.place for rule in book.rules_for(relation.name))
    return tuple(dict.fromkeys(f"{Path(place.file).name}:{place.line}" for place in places))


def _producer(binding: str) -> str:
    said = binding.removeprefix("from ")
    return next(
        (who for start, who in PRODUCERS.items() if said.startswith(start)),
        "kb/rows (worked out while reading)",
    )
