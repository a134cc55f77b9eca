"""What a sentence speaks of and does not say was done, on hand-made parses."""

from __future__ import annotations

from parses import parsed

from narraworld.extract.embedded.grammar.clauses import clauses, drafted
from narraworld.extract.embedded.grammar.veridicality import no_deed, of_a_sort, told_in_the_past, unvouched


def test_what_somebody_fears_is_not_vouched_for() -> None:
    assert unvouched(clauses(parsed("Leo feared that Mara had left.")), 0) == {1}
    assert unvouched(clauses(parsed("Mara saw Leo leave.")), 0) == set()


def test_helping_verbs_tell_no_deed() -> None:
    used, sit = clauses(parsed("Leo used to sit there."))
    assert (no_deed(used), no_deed(sit)) == (True, False)


def test_a_sort_of_people_or_things() -> None:
    cats, leo = drafted(parsed("Cats are sly.")), drafted(parsed("Leo will leave."))
    assert of_a_sort(cats.found[0], cats.tree.words)
    assert not of_a_sort(leo.found[0], leo.tree.words)


def test_a_story_is_told_in_the_past_where_most_of_it_is() -> None:
    assert told_in_the_past(drafted(parsed("Leo left.")).found)
    assert not told_in_the_past(drafted(parsed("Cats are sly.")).found)
