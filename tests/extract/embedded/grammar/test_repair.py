"""Each part and each repair of the tables is taken in its example; without it the clause would be another."""

from __future__ import annotations

import pytest
from parses import parsed

from narraworld.extract.embedded.grammar.repairs import repair
from narraworld.extract.embedded.grammar.repairs.repair import PARTS, REPAIRS, Part, Repair, draft_of
from narraworld.extract.embedded.grammar.tree import ClauseDraft, Tree


def _drafts(example: str) -> list[dict[str, object]]:
    tree = Tree(parsed(example))
    return [_shown(draft_of(tree, head)) for head in tree.heads]


def _shown(clause: ClauseDraft) -> dict[str, object]:
    """Everything that was found of a clause, words by their text."""
    return {name: str(getattr(clause, name)) for name in ClauseDraft.__slots__}


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_each_part_is_taken_in_its_example(part: Part) -> None:
    tree = Tree(parsed(part.example))
    below = [child for head in tree.heads for child in tree.children(tree.words[head])]
    taken = [next((other.name for other in PARTS if other.when(child, tree)), None) for child in below]
    assert part.name in taken


@pytest.mark.parametrize("mended", REPAIRS, ids=lambda mended: mended.name)
def test_each_repair_changes_its_example(mended: Repair, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _drafts(mended.example)
    monkeypatch.setattr(repair, "REPAIRS", tuple(other for other in REPAIRS if other is not mended))
    assert _drafts(mended.example) != whole


def test_a_particle_makes_the_verb_another() -> None:
    tree = Tree(parsed("Leo put on the shirt."))
    clause = draft_of(tree, tree.heads[0])
    assert (clause.verb, clause.particle, [word.text for word in clause.objects], clause.phrases) == (
        "put", "on", ["shirt"], [],
    )  # fmt: skip
