"""What prompts say of themselves, the same for every story: the respects of a stage, and the words that give a reading away.

Made from the two tables, `respects.toml` (with a project's own rows) and `cues.toml`, so that no prompt keeps a list by hand.
Reads only these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby

from narraworld.extract.model.prompts.cue_words import cues
from narraworld.ontology.respects import BY_HAND, Respect, Respects

__all__ = ["CONSTANTS", "offered_list", "watched_list"]

ENTITIES = frozenset({"person", "place", "thing", "entity"})  # kinds of value that are an entity of the list
NOTED_TOO = frozenset(
    {"complexion", "clothing", "health", "name", "hour", "day"}
)  # no check compares them; a judge may
WORDS_SHOWN = 3  # of a family of respects such as the kin words


def offered_list(stage: str, table: Respects) -> str:
    """The respects that a stage may say, each with one example, by what they are said of."""
    return _by_subject(table.offered(stage))


def _by_subject(rows: Iterable[Respect]) -> str:
    ordered = sorted(rows, key=lambda row: _OF.index(row.of[0]))
    lines = [
        (of, "; ".join(_entries(list(some)))) for of, some in groupby(ordered, key=lambda row: row.of[0])
    ]
    return "\n".join(f"{of}: {said}" for of, said in lines)


def _entries(rows: list[Respect]) -> Iterator[str]:
    """One entry for a row; rows made for each word of a list are one entry together."""
    families: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        if row.word:
            families.setdefault((row.value, row.example), []).append(row.name)
        else:
            yield f"{row.label if ' ' in row.label else row.name} ({_example(row.value, row.example)})"
    for (value, example), names in families.items():
        yield f"{', '.join(names[:WORDS_SHOWN])} … ({_example(value, example)})"


def _example(value: str, example: str) -> str:
    if value == "claim":
        return "about"
    return f"{example}*" if value in ENTITIES else example


def watched_list(stage: str, table: Respects) -> str:
    """The respects in which two values can clash, or that hold for life: what a copy editor notes, whichever stage."""
    asked = (row for row in table.rows.values() if row.stage != BY_HAND and row.value != "claim")
    return _by_subject(row for row in asked if row.watched or row.name in NOTED_TOO)


_OF = ("person", "group", "thing", "place", "event", "world")


def _quoted(name: str, stage: str, table: Respects) -> str:
    return ", ".join(f'"{word}"' for word in cues()[name].shown)


CONSTANTS: Mapping[str, Callable[[str, Respects], str]] = {
    "respects": offered_list,
    "watched": watched_list,
    **{name: partial(_quoted, name) for name in ("causal", "ignorant", "secretive", "thinking", "same")},
}
