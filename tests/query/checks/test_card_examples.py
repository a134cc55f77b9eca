"""Every example on a card that is told in records, as records: it does what its card says (`card_examples.toml`)."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

from narraworld.checking.check_world import check_world
from narraworld.kb.delta import Delta, lasts
from narraworld.kb.units import Unit
from narraworld.ontology.vocabulary import vocabulary
from narraworld.rules.language.cards import card_texts
from narraworld.world import World

Story = list[list[str]]
PARTS = ("fires", "silent")
ENTITIES = frozenset({"Character", "Place", "Object", "Group"})
EXAMPLES: dict[str, dict[str, Story]] = tomllib.loads(
    Path(__file__).with_name("card_examples.toml").read_text(encoding="utf-8")
)


def test_every_example_in_records_is_here() -> None:
    said = {
        (number, part)
        for number, card in card_texts().items()
        for part in PARTS
        if getattr(card, part).startswith("records:")
    }
    assert {(number, part) for number, card in EXAMPLES.items() for part in card} == said


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("number", EXAMPLES)
def test_an_example_in_records_does_what_its_card_says(number: str, part: str, tmp_path: Path) -> None:
    with World.open(tmp_path, create=True) as world:
        for order, lines in enumerate(EXAMPLES[number][part], 1):
            world.commit(chapter(order, lines))
        raised = {one.rule.id for one in check_world(world.story).findings}

    assert (number in raised) is (part == "fires")


def chapter(order: int, told: list[str]) -> Delta:
    """A chapter whose text is the lines themselves, so that each record quotes its own."""
    lines = [line for one in told for line in repeated(one)]
    kinds = [parsed(line) for line in lines]
    about = {name: value for kind, _, fields in kinds if kind == "unit" for name, value in fields.items()}
    delta = Delta(Unit(f"ch{order}", order, "\n".join(lines), **about))
    delta.reserve(id for kind, id, _ in kinds if id and not lasts(vocabulary().cls(kind)))
    for line, (kind, id, fields) in zip(lines, kinds, strict=True):
        if kind == "Nomination":
            fields = between(f"ch{order}", lines, fields)
        if kind != "unit":
            delta.add(kind, id, **{"quote": line, **fields})
    return delta


def between(unit: str, lines: list[str], fields: dict[str, Any]) -> dict[str, Any]:
    """A nomination says by their numbers which two lines it is about."""
    one, other = lines[int(fields["quote"]) - 1], lines[int(fields["against"]) - 1]
    start = "\n".join(lines).index(other)
    return {**fields, "quote": one, "against": f"{unit}/@{start}-{start + len(other)}"}


def repeated(line: str) -> list[str]:
    """`3 × Event kind=walk` is three events, told in words that differ."""
    many = re.fullmatch(r"(\d+) × (.+)", line)
    return [f"{many[2]} #{number:03}" for number in range(int(many[1]))] if many else [line]


def parsed(line: str) -> tuple[str, str | None, dict[str, Any]]:
    kind, *rest = shlex.split(line, comments=True)
    fields: dict[str, Any] = dict(word.split("=", 1) for word in rest if "=" in word)
    id = next((word for word in rest if "=" not in word), None)
    if kind in ENTITIES and id:
        fields.setdefault("name", id.title())
    return kind, id, fields
