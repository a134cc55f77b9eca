"""The table of deeds as values: what a deed needs and changes and who notices it, by the words of its kind. Reads `deeds.toml`, nothing else."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache

from narraworld.base.quick_dataclass import dataclass
from narraworld.ontology.files import DEEDS

__all__ = ["DeedKind", "deed_facts", "deeds", "deeds_of"]


@dataclass(frozen=True, slots=True)
class DeedKind:
    """One meaning of some verbs; the fields are explained at the head of `deeds.toml`."""

    name: str
    verbs: tuple[str, ...]
    roles: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    learns: tuple[str, ...] = ()


@cache
def deeds() -> Mapping[str, DeedKind]:
    """Every deed by its name."""
    said = tomllib.loads(DEEDS.read_text(encoding="utf-8"))
    return {
        name: DeedKind(name, **{field: tuple(words) for field, words in row.items()})
        for name, row in said.items()
    }


def deed_facts() -> dict[str, set[tuple[str | int, ...]]]:
    """What rules ask of the table: which kinds of event can be which deed."""
    return {"does": {(verb, deed.name) for deed in deeds().values() for verb in deed.verbs}}


@cache
def deeds_of(kind: str) -> tuple[DeedKind, ...]:
    """The deeds that an event's kind can mean, by its words: `Throw_away` is `throw away`."""
    words = " ".join(kind.replace("_", " ").replace("-", " ").lower().split())
    return tuple(deed for deed in deeds().values() if words in deed.verbs)
