"""The clock on little stories, and the two promises: unit by unit equals all at once, and the past stays put."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narraworld.kb.time.calendar_file import GREGORIAN, Date, calendar_from
from narraworld.kb.time.change_log import ChangeLog
from narraworld.kb.time.clock import (
    Anchor,
    Clock,
    ClockError,
    ClockScene,
    ClockSettings,
    Moves,
    Order,
    Recalled,
    TimeConflict,
    Timed,
    Times,
    UnitTimes,
    assign,
)

FROST = calendar_from(
    {
        "months": [{"name": name, "days": 30} for name in ("Frostmoon", "Thaw", "Seedmoon", "High Sun")],
        "units": {"sennight": "7 days"},
    }
)


def unit(name: str, order: int, *records: Timed | str, **more: object) -> UnitTimes:
    """A unit whose bare names are events, told ten characters apart."""
    timed = tuple(
        record if isinstance(record, Timed) else Timed(record, 10 * place)
        for place, record in enumerate(records)
    )
    return UnitTimes(name, order, records=timed, **more)  # type: ignore[arg-type]


def story_order(times: Times, *ids: str) -> list[str]:
    return sorted(ids or times.tick, key=lambda id: (times.tick[id], times.told[id]))


FEAST = unit("ch01", 0, "feast", "oath", "quarrel")


def test_what_is_told_happens_in_the_order_in_which_it_is_told() -> None:
    times = assign([unit("ch02", 1, "storm"), FEAST])
    assert times.told == {"feast": 0, "oath": 10, "quarrel": 20, "storm": 1_000_000}
    assert times.tick == {"feast": 0, "oath": 10_000, "quarrel": 20_000, "storm": 1_000_000_000}
    assert (times.minutes, times.conflicts) == ({}, ())


def test_a_record_tied_to_an_event_happens_with_it_but_is_told_where_it_stands() -> None:
    times = assign([FEAST, unit("ch02", 1, Timed("mara-saw-it", 5, at="oath"))])
    assert times.tick["mara-saw-it"] == times.tick["oath"]
    assert times.told["mara-saw-it"] == 1_000_005


def test_mara_remembers_the_fire_ten_years_earlier() -> None:
    fire = unit(
        "ch02", 1, "mara-wakes", "fire", "rescue", "mara-weeps",
        scenes=(ClockScene("ch02/memory", 5, 25),),
        anchors=(Anchor("ch02/memory", "ten years earlier", flashback=True),),
    )  # fmt: skip
    times = assign([FEAST, fire])
    assert story_order(times) == ["fire", "rescue", "feast", "oath", "quarrel", "mara-wakes", "mara-weeps"]
    assert times.tick["fire"] == -500
    assert times.minutes["fire"] == times.minutes["ch02/memory"] == GREGORIAN.minutes(Date(1 - 10))
    assert times.stated == {"ch02/memory"}


@pytest.mark.parametrize(
    ("relation", "where"),
    [
        pytest.param("before", ["feast", "theft", "oath", "quarrel"], id="before goes into the gap in front"),
        pytest.param("after", ["feast", "oath", "quarrel", "theft"], id="after is already true"),
    ],
)
def test_a_statement_moves_its_subject_only_if_it_must(relation: str, where: list[str]) -> None:
    theft = unit("ch02", 1, "theft", relations=(Order("theft", relation, "oath"),))  # type: ignore[arg-type]
    assert story_order(assign([FEAST, theft])) == where


def test_after_moves_what_was_told_too_early() -> None:
    early = unit("ch01", 0, "funeral", "death", "toast", relations=(Order("funeral", "after", "death"),))
    times = assign([early])
    assert story_order(times) == ["death", "funeral", "toast"]
    assert times.tick["funeral"] == times.tick["death"] + 1


def test_of_two_told_in_one_breath_the_subject_moves() -> None:
    breath = unit(
        "ch01", 0, Timed("falls", 7), Timed("slips", 7), relations=(Order("slips", "before", "falls"),)
    )
    assert assign([breath]).tick == {"falls": 7_000, "slips": 6_500}


@pytest.mark.parametrize("relation", ["during", "sameTime"])
def test_during_and_same_time_share_the_tick(relation: str) -> None:
    theft = unit("ch02", 1, "theft", relations=(Order("theft", relation, "oath"),))  # type: ignore[arg-type]
    times = assign([FEAST, theft])
    assert times.tick["theft"] == times.tick["oath"]


def test_chains_hold_wherever_they_are_told() -> None:
    told_backwards = unit(
        "ch01", 0, "third", "second", "first",
        relations=(Order("first", "before", "second"), Order("second", "before", "third")),
    )  # fmt: skip
    assert story_order(assign([told_backwards])) == ["first", "second", "third"]


def test_when_the_subject_cannot_satisfy_both_the_other_gives_way() -> None:
    torn = unit(
        "ch01", 0, "gate-opens", "bell-rings", "guard-sleeps",
        relations=(Order("guard-sleeps", "before", "gate-opens"), Order("guard-sleeps", "after", "bell-rings")),
    )  # fmt: skip
    times = assign([torn])
    assert story_order(times) == ["bell-rings", "guard-sleeps", "gate-opens"]
    assert times.conflicts == ()


def test_a_circle_is_reported_and_told_order_kept() -> None:
    circle = unit(
        "ch01", 0, "egg", "hen", "nest",
        relations=(Order("hen", "before", "egg"), Order("egg", "before", "nest"), Order("nest", "before", "hen")),
    )  # fmt: skip
    times = assign([circle])
    assert story_order(times) == ["egg", "hen", "nest"]
    assert [(conflict.kind, conflict.ids) for conflict in times.conflicts] == [
        ("cycle", ("egg", "hen", "nest"))
    ]


def test_before_a_chapter_and_after_a_chapter() -> None:
    framed = unit(
        "ch03", 2, "prologue", "epilogue",
        relations=(Order("prologue", "before", "ch01"), Order("epilogue", "after", "ch01")),
    )  # fmt: skip
    times = assign([FEAST, framed])
    assert story_order(times) == ["prologue", "feast", "oath", "quarrel", "epilogue"]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        pytest.param(
            ("five years earlier", "ten years earlier"), ["b", "a", "now"], id="by date, not as told"
        ),
        pytest.param(
            ("ten years earlier", "five years earlier"), ["a", "b", "now"], id="as told and by date"
        ),
        pytest.param(("in Frostmoon 1190", "in Frostmoon 1180"), ["b", "a", "now"], id="absolute dates"),
        pytest.param((None, None), ["a", "b", "now"], id="undated flashbacks as told"),
    ],
)
def test_flashbacks_go_where_their_dates_say(
    told: tuple[str | None, str | None], expected: list[str]
) -> None:
    now = unit("ch00", 0, "now", anchor="on the 3rd of Thaw, 1204")
    flashbacks = [
        unit(f"ch0{place}", place, name, anchors=(Anchor(f"ch0{place}", words or "once upon a time", True),))
        for place, name, words in ((1, "a", told[0]), (2, "b", told[1]))
    ]
    assert story_order(assign([now, *flashbacks], FROST)) == expected


def test_a_date_before_the_story_so_far_is_a_flashback_without_saying_so() -> None:
    chapters = [
        unit("ch01", 0, "wedding", anchor="12 March 1805"),
        unit("ch02", 1, "birth", anchor="in 1807"),
        unit("ch03", 2, "voyage", "landing", anchor="in 1806"),
        unit("ch04", 3, "christening"),
    ]
    times = assign(chapters)
    assert story_order(times) == ["wedding", "voyage", "landing", "birth", "christening"]
    assert times.minutes["christening"] == times.minutes["birth"] == GREGORIAN.minutes(Date(1807))


def test_time_runs_on_from_the_first_date_and_back_to_the_beginning() -> None:
    chapters = [
        unit("ch01", 0, "letter", anchor="at noon"),
        unit("ch02", 1, "answer", anchor="three days later"),
        unit("ch03", 2, "meeting", anchor="on the 20th of Frostmoon, 1204"),
        unit("ch04", 3, "parting", anchor="a sennight later"),
    ]
    minutes = assign(chapters, FROST).minutes
    assert [FROST.date(minutes[id]) for id in ("letter", "answer", "meeting", "parting")] == [
        Date(1204, 1, 16, 12), Date(1204, 1, 19, 12), Date(1204, 1, 20), Date(1204, 1, 27),
    ]  # fmt: skip


def test_the_same_words_about_the_same_time_count_once() -> None:
    later = "Three days later"
    twice = (Anchor("ch02", later.lower()), Anchor("answer", later), Anchor("reply", "an hour later"))
    chapters = [
        unit("ch01", 0, "letter", anchor="at noon"),
        unit("ch02", 1, "answer", "reply", anchor=later, anchors=twice),
    ]
    minutes = assign(chapters).minutes
    assert minutes["answer"] - minutes["letter"] == 3 * 24 * 60
    assert minutes["reply"] - minutes["answer"] == 60


def test_a_memory_that_runs_on_into_the_present_leaves_the_present_in_place() -> None:
    chapters = [
        unit("ch01", 0, "wedding", anchor="in 1805"),
        unit(
            "ch02", 1, "boyhood", "manhood", anchor="in 1800", anchors=(Anchor("manhood", "ten years later"),)
        ),
        unit("ch03", 2, "siege", anchor="in 1812"),
        unit("ch04", 3, "voyage", anchor="in 1807"),
    ]
    assert story_order(assign(chapters)) == ["boyhood", "manhood", "wedding", "voyage", "siege"]


def test_an_undated_flashback_goes_as_a_whole_to_what_one_of_its_events_names() -> None:
    memory = unit(
        "ch02", 1, "child-hides", "father-leaves", "child-waits",
        anchors=(Anchor("ch02", "long ago", flashback=True),),
        relations=(Order("father-leaves", "before", "quarrel"),),
    )  # fmt: skip
    times = assign([FEAST, memory])
    assert story_order(times) == ["feast", "oath", "child-hides", "father-leaves", "child-waits", "quarrel"]


def test_a_look_ahead_has_its_date_and_moves_no_clock() -> None:
    """“On the 12th of March he came. In ten years he will be king. He sat down. A year earlier he had been ill.”"""
    told = unit(
        "ch01", 0, "comes", Timed("king", 10, ahead=True), Timed("rests", 20), "ill", "sleeps", anchor="12 March 1805",
        anchors=(Anchor("king", "ten years later"), Anchor("ill", "a year earlier", flashback=True)),
    )  # fmt: skip
    times = assign([told])

    assert times.minutes["king"] > times.minutes["comes"] == times.minutes["rests"] == times.minutes["sleeps"]
    assert story_order(times) == ["ill", "comes", "king", "rests", "sleeps"]


def test_a_flashback_has_a_clock_of_its_own() -> None:
    memory = unit(
        "ch02", 1, "spark", "blaze", "present",
        scenes=(ClockScene("s", 0, 20),),
        anchors=(Anchor("s", "ten years earlier"), Anchor("blaze", "an hour later"), Anchor("present", "the same day")),
    )  # fmt: skip
    times = assign([unit("ch01", 0, "feast", anchor="12 March 1805"), memory])
    assert times.minutes["blaze"] - times.minutes["spark"] == 60
    assert times.minutes["present"] == times.minutes["feast"]


@pytest.mark.parametrize(
    ("said", "kind", "ids"),
    [
        pytest.param({"relations": (Order("oath", "before", "ghost"),)}, "unknown", ("oath", "ghost"), id="nobody there"),
        pytest.param({"anchors": (Anchor("oath", "when pigs fly"),)}, "expression", ("oath",), id="no word of time"),
        pytest.param({"anchors": (Anchor("oath", "30 February 1805"),)}, "expression", ("oath",), id="no such day"),
        pytest.param(
            {"anchors": (Anchor("oath", "in 1805"), Anchor("oath", "in 1806"))},
            "contradiction", ("oath",), id="two dates",
        ),
        pytest.param(
            {"relations": (Order("oath", "sameTime", "feast"), Order("oath", "before", "feast"))},
            "contradiction", ("feast",), id="together and before",
        ),
        pytest.param(
            {"anchors": (Anchor("feast", "in 1805"), Anchor("oath", "in 1806")),
             "relations": (Order("oath", "before", "feast"),)},
            "contradiction", ("oath", "feast"), id="said before, dated after",
        ),
        pytest.param({"records": (Timed("oath", 1), Timed("oath", 2))}, "duplicate", ("oath",), id="told twice"),
        pytest.param(
            {"records": (Timed("oath", 1, at="feast"), Timed("feast", 2, at="oath"))},
            "cycle", ("feast", "oath"), id="tied in a circle",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_true_is_reported(said: dict[str, object], kind: str, ids: tuple[str, ...]) -> None:
    records = {"records": (Timed("feast", 0), Timed("oath", 9)), **said}
    times = assign([UnitTimes("ch01", 0, **records)])  # type: ignore[arg-type]
    assert [(conflict.kind, conflict.ids) for conflict in times.conflicts] == [(kind, ids)]


def test_a_long_flashback_keeps_its_order_and_a_crowd_is_reported() -> None:
    ids = [f"m{number:04}" for number in range(1200)]
    memory = UnitTimes(
        "ch02", 1, records=tuple(Timed(id, place) for place, id in enumerate(ids)),
        anchors=(Anchor("ch02", "long ago", True),), relations=(Order("m0000", "before", "oath"),),
    )  # fmt: skip
    times = assign([FEAST, memory])
    assert story_order(times, *ids) == ids
    assert len({times.tick[id] for id in ids}) == 1200
    assert times.tick["feast"] < times.tick["m0000"] < times.tick["m1199"] < times.tick["oath"]
    tight = assign([FEAST, memory], settings=ClockSettings(step=20))
    assert "crowded" in {conflict.kind for conflict in tight.conflicts}
    assert tight.tick["feast"] < tight.tick["m0000"] <= tight.tick["m1199"] < tight.tick["oath"]


def test_a_unit_that_is_too_long_is_refused() -> None:
    with pytest.raises(ClockError, match="at most 1000000 characters"):
        Clock().add(UnitTimes("ch01", 0, records=(Timed("end", 1_000_000),)))


def test_a_change_says_what_came_and_what_went() -> None:
    clock = Clock()
    clock.add(FEAST)
    change = clock.add(unit("ch02", 1, "theft", relations=(Order("theft", "before", "oath"),)))
    assert (change.tick.added, change.tick.removed) == ({"theft": 9_500}, {})
    back = clock.remove("ch02")
    assert (back.tick.added, back.tick.removed) == ({}, {"theft": 9_500})
    with pytest.raises(ClockError, match="there is no unit ch02"):
        clock.remove("ch02")


def test_a_later_unit_may_speak_of_an_earlier_one() -> None:
    clock = Clock()
    clock.add(FEAST)
    change = clock.add(unit("ch02", 1, "theft", relations=(Order("quarrel", "before", "oath"),)))
    assert change.tick.changed == {"quarrel"}
    assert story_order(clock.times()) == ["feast", "quarrel", "oath", "theft"]


def test_appending_never_works_the_story_out_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    def anew(*_: object) -> None:
        pytest.fail("worked out anew")

    monkeypatch.setattr("narraworld.kb.time.clock._from_scratch", anew)
    theft, ghost = (Order("theft", "before", "oath"),), (Order("siege", "after", "ghost"),)
    clock = Clock()
    clock.add(FEAST)
    clock.add(unit("ch02", 1, "theft", "chase", anchor="three days later", relations=theft))
    clock.add(unit("ch03", 2, "fire", Timed("saw", 5, at="feast"), anchor="ten years earlier"))
    clock.add(unit("ch04", 3, "siege", anchor="12 March 1805", relations=ghost))
    clock.add(unit("ch05", 4, "wake", "end", relations=(Order("wake", "after", "end"),)))
    order = "fire feast saw theft oath quarrel chase siege end wake"
    assert " ".join(story_order(clock.times())) == order


TORN = unit(
    "ch02", 1, "gate", "bell", "guard", relations=(Order("guard", "before", "gate"), Order("guard", "after", "bell"))
)  # fmt: skip


@pytest.mark.parametrize(
    "last",
    [
        pytest.param(
            (Order("x", "sameTime", "feast"), Order("x", "sameTime", "oath")), id="ties two old ones"
        ),
        pytest.param((Order("x", "before", "gate"),), id="leans on one that gave way"),
        pytest.param(
            (Order("x", "before", "feast"), Order("x", "after", "quarrel")), id="makes others give way"
        ),
    ],
)
def test_what_reaches_back_is_the_same_as_all_at_once(last: tuple[Order, ...]) -> None:
    leaning = any(order.reference == "gate" for order in last)
    units = [FEAST, *([TORN] if leaning else []), unit("ch03", 2, "x", relations=last)]
    clock = Clock()
    for each in units:
        clock.add(each)
    assert clock.times() == assign(units)


def test_a_ledger_reports_the_first_and_the_last_value() -> None:
    ledger = ChangeLog()
    for value in (1, 2):
        ledger.put("tide", value)
    assert ledger.close() == Moves({"tide": 2}, {})
    for value in (3, 4):
        ledger.put("tide", value)
    ledger.undo()
    assert (ledger.values, bool(ledger.close())) == ({"tide": 2}, False)


# --- properties ------------------------------------------------------------------------------------------------

EVENTS = [f"u{unit}e{event}" for unit in range(4) for event in range(3)]
EXPRESSIONS = [
    "three days later", "ten years earlier", "five years earlier", "in 1805", "in 1795", "12 March 1805", "at noon",
    "in the spring", "that morning", "nonsense",
]  # fmt: skip


@st.composite
def units_of_a_story(draw: st.DrawFn, number: int, *, inward: bool = False) -> UnitTimes:
    own = [f"u{number}e{event}" for event in range(3)]
    known = own if inward else EVENTS
    anyone = st.sampled_from([*known, f"u{number}"] if inward else [*EVENTS, "u0", "u2", "s1"])
    records = tuple(
        Timed(
            id,
            draw(st.integers(0, 4)),
            draw(st.one_of(st.none(), st.none(), st.sampled_from(known))),
            draw(st.booleans()),
        )
        for id in own
    )
    order = st.builds(
        Order, st.sampled_from(known), st.sampled_from(["before", "after", "during", "sameTime"]), anyone
    )
    scene = ClockScene(f"s{number}", draw(st.integers(0, 3)), draw(st.integers(2, 5)))
    subjects = st.sampled_from([*known, f"u{number}", f"s{number}"])
    anchor = st.builds(Anchor, subjects, st.sampled_from(EXPRESSIONS), st.booleans())
    return UnitTimes(
        f"u{number}", number, draw(st.one_of(st.none(), st.sampled_from(EXPRESSIONS))), records,
        tuple(draw(st.lists(order, max_size=3))), tuple(draw(st.lists(anchor, max_size=2))), (scene,),
    )  # fmt: skip


@st.composite
def edits(draw: st.DrawFn) -> list[UnitTimes | str]:
    """Units added in any order, now and then changed or removed; half of them speak of themselves only."""
    inward = draw(st.booleans())
    numbers = draw(st.lists(st.integers(0, 3), min_size=1, max_size=7))
    steps: list[UnitTimes | str] = []
    present: set[str] = set()
    for number in sorted(numbers) if draw(st.booleans()) else numbers:
        name = f"u{number}"
        if name in present and draw(st.booleans()):
            steps.append(name)
            present.discard(name)
        else:
            steps.append(draw(units_of_a_story(number, inward=inward)))
            present.add(name)
    return steps


@settings(max_examples=80, deadline=None)
@given(edits())
def test_unit_by_unit_equals_all_at_once(steps: list[UnitTimes | str]) -> None:
    clock = Clock()
    left: dict[str, UnitTimes] = {}
    ticks: dict[str, int] = {}
    for step in steps:
        change = clock.remove(step) if isinstance(step, str) else clock.add(step)
        left.pop(step, None) if isinstance(step, str) else left.update({step.unit: step})
        for id, tick in change.tick.removed.items():
            assert ticks.pop(id) == tick
        ticks |= change.tick.added
        assert clock.times() == assign(left.values())
        assert ticks == clock.times().tick


@settings(max_examples=40, deadline=None)
@given(edits())
def test_many_units_taken_at_once_are_worked_out_once_and_followed_like_any(
    steps: list[UnitTimes | str],
) -> None:
    first = {step.unit: step for step in steps[:-1] if not isinstance(step, str)}
    clock = Clock()
    taken = clock.take(first.values())
    assert taken.tick.added == assign(first.values()).tick
    assert not taken.tick.removed
    if not isinstance(steps[-1], str):
        clock.add(steps[-1])
        assert clock.times() == assign((first | {steps[-1].unit: steps[-1]}).values())


@settings(max_examples=40, deadline=None)
@given(edits())
def test_a_clock_that_is_recalled_reports_the_same_change(steps: list[UnitTimes | str]) -> None:
    clock = Clock()
    left: dict[str, UnitTimes] = {}
    for step in steps:
        times = clock.times()
        recalled = Clock.recalled(left.values(), Recalled(times.tick, times.told, times.minutes))
        change, same = (
            (one.remove(step) if isinstance(step, str) else one.add(step)) for one in (clock, recalled)
        )
        left.pop(step, None) if isinstance(step, str) else left.update({step.unit: step})
        assert same == change
        assert recalled.times() == clock.times()


@settings(max_examples=50, deadline=None)
@given(st.tuples(*(units_of_a_story(number) for number in range(4))))
def test_every_statement_is_honoured_or_reported(units: tuple[UnitTimes, ...]) -> None:
    times = assign(units)
    reported = {id for conflict in times.conflicts for id in conflict.ids}
    shares = {times.tick[id] for id in reported if id in times.tick}
    for order in (order for each in units for order in each.relations):
        if order.reference not in times.tick:
            continue
        event, reference = times.tick[order.event], times.tick[order.reference]
        true = {"before": event < reference, "after": event > reference}.get(
            order.relation, event == reference
        )
        assert true or {event, reference} & shares


@settings(max_examples=50, deadline=None)
@given(st.tuples(*(units_of_a_story(number, inward=True) for number in range(4))))
def test_a_unit_at_the_end_that_speaks_of_itself_leaves_told_places_alone(
    units: tuple[UnitTimes, ...],
) -> None:
    """Records in their told place never move; displaced ones only make room for a flashback dated among them."""
    before, after = assign(units[:-1]), assign(units)
    for id, tick in before.tick.items():
        if tick % 1000 == 0:
            assert after.tick[id] == tick
    if units[-1].anchor is None and not units[-1].anchors:
        assert {id: after.tick[id] for id in before.tick} == dict(before.tick)


def test_a_time_that_no_table_could_hold_is_reported_and_the_default_kept() -> None:
    far = Anchor("ch01/leave", "999999999999 years later")
    times = assign([UnitTimes("ch01", 1, records=(Timed("ch01/leave", 0),), anchors=(far,))])

    why = "“999999999999 years later”: it is farther away than can be counted"
    assert times.conflicts == (TimeConflict("expression", ("ch01/leave",), why),)
    assert times.minutes == {}
