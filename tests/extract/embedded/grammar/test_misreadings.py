"""Three slips of the parser that are set right: a participle, a second subject, and `with` that says how something is."""

from __future__ import annotations

from parses import parsed

from narraworld.extract.embedded.grammar.repairs.misreadings import has_absolute, has_participle, has_two
from narraworld.extract.embedded.grammar.repairs.repair import draft_of
from narraworld.extract.embedded.grammar.tree import ClauseDraft, Tree

LENT, RUG = "Miss Yardley had lent them a real telescope.", "He spoke with a rug over his knees."


def draft(text: str) -> ClauseDraft:
    tree = Tree(parsed(text))
    return draft_of(tree, tree.heads[0])


def test_what_was_lent_is_no_lent() -> None:
    clause = draft(LENT)
    said = [word.text for word in clause.seconds], [word.text for word in clause.objects]
    assert (clause.verb, clause.earlier, said) == ("lend", True, (["them"], ["telescope"]))


def test_nobody_speaks_by_means_of_a_rug() -> None:
    assert [(said, word.text) for said, word in draft(RUG).phrases] == [("having", "rug"), ("over", "knees")]


def test_what_is_set_right_is_set_right() -> None:
    tests = (has_participle, has_absolute, has_two)
    for text in (LENT, RUG, "Mary Lodes ran the bakery."):
        assert not any(test(draft(text), Tree(parsed(text))) for test in tests)
