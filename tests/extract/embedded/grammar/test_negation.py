"""Which clauses deny their deed, on hand-made parses."""

from __future__ import annotations

import pytest
from parses import parsed

from narraworld.extract.embedded.grammar.clauses import clauses
from narraworld.extract.embedded.grammar.negation import denied
from narraworld.extract.embedded.grammar.repairs.repair import draft_of
from narraworld.extract.embedded.grammar.tree import Tree


@pytest.mark.parametrize(
    ("text", "says_no"),
    [("Nobody came.", True), ("She knew not how.", True), ("Leo did not leave.", True), ("Leo left.", False)],
)
def test_a_clause_that_denies(text: str, says_no: bool) -> None:
    tree = Tree(parsed(text))
    assert denied(draft_of(tree, tree.heads[0]), tree) is says_no
    assert clauses(parsed(text))[0].negated is says_no
