"""The reference page of the vocabulary, `docs/vocabulary.md`, made from the table of respects. Writes to no file but its output.

python -m narraworld.ontology.reference_page > docs/vocabulary.md
"""

from __future__ import annotations

from collections.abc import Iterator

from narraworld.ontology.deeds import DeedKind, deeds
from narraworld.ontology.respects import Respect, Respects, respects

__all__ = ["reference_page"]

HEAD = """# The vocabulary

Made from `ontology/respects.toml`, `ontology/words.toml` and `ontology/deeds.toml`; do not edit it by hand.

A *respect* is something in which somebody or something can be thus or otherwise. Readers write it as the predicate of a
proposition, `mara.eyes:pale grey`; the value keeps the author's words, and what it says in normal words stands beside it
(`kb/normal.py`). A project adds rows of its own to `narraworld.toml`, with the fields that the head of `respects.toml` explains:

    [respects.grudge]
    means = "Against whom the subject bears a grudge."
    of = ["person"]
    lasts = "one"
    value = "person"
    yes = "{S} bears {O} a grudge"
    no = "{S} bears {O} no grudge"
    asks = ["against whom does {S} bear a grudge", "who bears {O} a grudge"]
    example = "Ida"
    rival = true
    check = "NW604"

## Respects

| respect | said of | lasts | value | also called | says | denies | watched by | since |
|---|---|---|---|---|---|---|---|---|
"""


def reference_page(table: Respects) -> str:
    """The whole page."""
    return HEAD + "\n".join([*map(_row, table.rows.values()), "", *_deeds()]) + "\n"


def _row(row: Respect) -> str:
    cells = (
        f"`{row.name}`", ", ".join(row.of), row.lasts, row.value, ", ".join(row.also), row.yes, row.no, row.check, row.since,
    )  # fmt: skip
    return "| " + " | ".join(cells) + " |"


def _deeds() -> Iterator[str]:
    yield "## Deeds"
    yield ""
    yield "What a deed needs and changes, by the word for it, whoever read it; and who notices it, besides whoever does it and those whom"
    yield "it reaches as recipient, addressee, companion or experiencer."
    yield ""
    yield "| deed | words | needs | changes | noticed by |"
    yield "|---|---|---|---|---|"
    yield from map(_deed, deeds().values())


def _deed(deed: DeedKind) -> str:
    said = (f"`{one}`" for one in deed.needs), (f"`{one}`" for one in deed.changes), deed.learns
    return f"| {deed.name} | {', '.join(deed.verbs)} | {' | '.join(', '.join(some) for some in said)} |"


if __name__ == "__main__":
    print(reference_page(respects()), end="")
