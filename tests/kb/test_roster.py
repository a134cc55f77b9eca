"""Who is known from unit to unit: a roster that has grown answers as one made anew, without going through everybody again."""

from __future__ import annotations

import pytest

from narraworld.kb import roster
from narraworld.kb.roster import Known, Roster

LEO = Known("leo", "character", ("Leo",))
CHEST = Known("iron-chest", "object", ("iron chest",))
UNITS = [
    [LEO, CHEST],
    [Known("leo", "character", ("Leo Corvo", "the pilot"))],
    [Known("ida", "character", ("Ida Corvo",)), Known("chest", "object", ("chest",))],
    [LEO],
]


def asked(one: Roster) -> list[object]:
    names = ["leo", "LEO corvo", "chest", "iron_chest", "corvo", "pilot", "nobody"]
    return [one.words, one.by_id, one.free_id("Leo"), one.named_in("the pilot's chest")] + [
        answer
        for name in names
        for answer in (one.bearing(name), one.ending(name), one.called(name, "object"))
    ]


@pytest.mark.parametrize("first", [Roster(), Roster((LEO, CHEST)), Roster((CHEST, LEO))])
def test_a_roster_that_has_grown_answers_as_one_made_anew(first: Roster) -> None:
    grown = first
    for cast in UNITS:
        asked(grown)  # so that it has tables to take over
        grown = grown.plus(cast, {"ch01"})
        assert asked(grown) == asked(Roster(grown.known, grown.taken))
    assert grown.ending("corvo") == (grown.by_id["ida"], grown.by_id["leo"])


def test_whoever_has_not_changed_is_not_gone_through_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = Roster().plus(Known(f"guest-{n:03}", "character", (f"Guest {n:03}",)) for n in range(100))
    asked(first)
    looked = list[str]()
    monkeypatch.setattr(
        roster, "_folded", lambda name, real=roster._folded: looked.append(name) or real(name)
    )
    later = first.plus([LEO, Known("guest-007", "character", ("Guest 007",))])
    assert [one.id for one in later.bearing("leo")] == ["leo"]
    assert set(looked) == {"Leo", "leo"}
