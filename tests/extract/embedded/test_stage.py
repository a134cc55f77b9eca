"""Where things are left by one unit is where the next one finds them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from narraworld.extract.embedded.discourse import DiscourseHistory, DiscourseState, Moves
from narraworld.kb.spans import TextRange


def where(stage: DiscourseState) -> dict[str, str]:
    return {one: at for one, (at, _) in stage.where.items()}


def to(**places: str | None) -> Moves:
    return {"where": dict(places)}


def test_units_move_things_in_the_order_of_the_telling() -> None:
    stages = DiscourseHistory([((2, "ch02"), to(key="box")), ((1, "ch01"), to(key="drawer", leo="den"))])

    assert where(stages.before((1, "ch01"))) == {}
    assert where(stages.before((2, "ch02"))) == {"key": "drawer", "leo": "den"}
    assert where(stages.before((3, "ch03"))) == {"key": "box", "leo": "den"}


def test_a_unit_read_again_moves_things_anew() -> None:
    stages = DiscourseHistory([((1, "ch01"), to(key="drawer")), ((2, "ch02"), to(leo="den"))])
    stages.before((3, "ch03"))
    stages.add((1, "ch01"), to(lamp="hall"))

    assert where(stages.before((3, "ch03"))) == {"lamp": "hall", "leo": "den"}


def test_a_unit_that_changes_its_place_moves_things_there() -> None:
    stages = DiscourseHistory([((1, "ch01"), to(key="drawer")), ((2, "ch02"), to(key="box"))])
    stages.add((3, "ch01"), to(key="drawer"))

    assert where(stages.before((4, "ch04"))) == {"key": "drawer"}


def test_what_became_unknown_is_unknown() -> None:
    stages = DiscourseHistory([((1, "ch01"), to(key="drawer")), ((2, "ch02"), to(key=None))])

    assert where(stages.before((3, "ch03"))) == {}


def test_the_next_unit_gets_no_words_and_nobody_unknown() -> None:
    stage = DiscourseState({"key": ("box", TextRange(0, 3)), "ghost": ("box", None), "leo": ("attic", None)})

    assert stage.for_next_unit({"key", "box", "leo"}).where == {"key": ("box", None)}


names = st.sampled_from(["key", "leo", "lamp"])
standing = st.dictionaries(names, st.tuples(st.sampled_from(["box", "den"]), st.none()))


@given(standing, standing, standing)
def test_moves_lead_from_one_stage_to_the_other(
    before: dict[str, tuple[str, None]], after: dict[str, tuple[str, None]], held: dict[str, tuple[str, None]]
) -> None:
    one, other = DiscourseState(dict(before), dict(held)), DiscourseState(dict(after))

    assert one.after(other.moves_since(one)) == other
