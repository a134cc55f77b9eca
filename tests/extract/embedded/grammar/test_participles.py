"""Who suffers and who does, where endings leave it open; and what lies where."""

from __future__ import annotations

from parses import parsed

from narraworld.extract.embedded.grammar.clauses import clauses, drafted
from narraworld.extract.embedded.grammar.participles import lies_somewhere, lies_where_put, thing_beside


def test_a_participle_with_a_subject_of_its_own_is_suffered() -> None:
    burned, went = clauses(parsed("With the letter burned, he went."))
    assert (burned.passive, went.passive) == (True, False)


def test_what_is_tucked_away_is_the_noun_before_it() -> None:
    draft = drafted(parsed("Leo saw a coat tucked away in a box."))
    tucked = next(clause for clause in draft.found if clause.head.text == "tucked")
    saw = next(clause for clause in draft.found if clause.head.text == "saw")
    assert (lies_somewhere(tucked), lies_where_put(tucked), lies_somewhere(saw)) == (True, True, False)
    beside = thing_beside(draft.tree, tucked)
    assert beside is not None and beside.text == "coat"
