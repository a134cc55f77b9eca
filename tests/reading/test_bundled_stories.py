"""The three stories we ship, told in full: every fact, belief, thread and possibility at every moment worth a look."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from narraworld.query.scope import Explanation
from narraworld.query.situation import Situation
from narraworld.query.views import Views
from narraworld.rules.proofs.proof import records
from narraworld.rules.proofs.prose import as_prose, why_not_prose
from narraworld.world import World

LEFT = "Leo left the key in the drawer"
MOVED = "Mara moved the key from the drawer into the hollow book"
HARBOUR, BACK = "ch01/depart", "fetching-the-key"


def seen(views: Views) -> dict[str, Any]:
    """The views as symbols, without words and ticks."""
    beliefs = [belief for held in views.beliefs.values() for belief in held]
    return {
        "W": [(fact.proposition, fact.record) for fact in views.facts],
        "happened": [event.event for event in views.events],
        "B": [(b.holder, b.status, b.proposition, b.mode, b.source, b.truth) for b in beliefs],
        "D": [
            (t.development, t.kind, t.status, [(turn.step, turn.status) for turn in t.history])
            for t in views.threads
        ],
        "H": [(one.possibility, one.premises, one.constraints) for one in views.possibilities],
        "realised": [(one.possibility, one.realised) for one in views.realised],
    }


# -- the key: one moment after another

DRAWER = {
    "W": [("key.location.drawer", "ch01/state-1")],
    "happened": ["ch01/leave", HARBOUR],
    "B": [("leo", "knows", "key.location.drawer", "participation", "ch01/leave", None)],
    "D": [(BACK, "goal", "opened", [("ch01/step-1", "opened")])],
    "H": [],
    "realised": [],
}
HOLLOW_BOOK = {
    "W": [("key.location.hollow-book", "ch02/state-1")],
    "happened": ["ch01/leave", HARBOUR, "ch02/move"],
    "B": [
        ("leo", "mistaken", "key.location.drawer", "participation", "ch01/leave", "ch02/state-1"),
        ("mara", "knows", "key.location.hollow-book", "participation", "ch02/move", None),
    ],
    "D": [(BACK, "goal", "advanced", [("ch01/step-1", "opened"), ("ch02/step-1", "advanced")])],
    "H": [
        ("ch02/discovered", ("the key is in the hollow book",), ("Leo does not have the key",)),
        (
            "ch02/informed",
            ("the key is in the hollow book", "Mara knows that the key is in the hollow book"),
            (),
        ),
    ],
    "realised": [],
}
TAKEN = {
    "W": [("key.possession.leo", "ch03/state-1"), ("not.key.location.hollow-book", "ch03/state-2")],
    "happened": ["ch01/leave", HARBOUR, "ch02/move", "ch03/telling", "ch03/take"],
    "B": [
        ("leo", "knows", "key.possession.leo", "participation", "ch03/take", None),
        ("leo", "knows", "not.key.location.hollow-book", "participation", "ch03/take", None),
        ("mara", "knows", "key.possession.leo", "observation", "ch03/take", None),
        ("mara", "knows", "not.key.location.hollow-book", "observation", "ch03/take", None),
    ],
    "D": [
        (
            BACK,
            "goal",
            "resolved",
            [("ch01/step-1", "opened"), ("ch02/step-1", "advanced"), ("ch03/step-1", "resolved")],
        )
    ],
    "H": [],
    "realised": [("ch02/informed", "ch03/telling")],
}

# -- the lamp: a lie that is believed

LIE = {
    "W": [("not.lamp.condition:working", "ch01/broken")],
    "happened": ["ch01/lie"],
    "B": [
        ("iona", "knows", "not.lamp.condition:working", "deceit", "ch01/lie", None),
        ("tomas", "mistaken", "lamp.condition:working", "communication", "ch01/lie", "ch01/broken"),
    ],
    "D": [],
    "H": [],
    "realised": [],
}

# -- the gate: a promise that is not kept yet

PROMISED = {
    "W": [("leon.location.infirmary", "ch01/state-1")],
    "happened": ["ch01/promise"],
    "B": [],
    "D": [("getting-leon-out", "promise", "opened", [("ch01/step-1", "opened")])],
    "H": [],
    "realised": [],
}
UNLOCKED = {
    "W": [
        ("leon.location.infirmary", "ch02/state-2"),
        ("gate.open:unlocked", "ch02/state-1"),
        ("infirmary.open:locked", "ch02/state-3"),
    ],
    "happened": ["ch01/promise", "ch02/unlock"],
    "B": [("mara", "knows", "gate.open:unlocked", "participation", "ch02/unlock", None)],
    "D": [
        ("getting-leon-out", "promise", "advanced", [("ch01/step-1", "opened"), ("ch02/step-1", "advanced")])
    ],
    "H": [
        ("ch02/rescue", ("the gate is unlocked", "Leon is inside the infirmary"), ("Leon is not outside",))
    ],
    "realised": [],
}


@pytest.mark.parametrize(
    ("story", "situation", "expected"),
    [
        pytest.param("key", Situation(at="ch01"), DRAWER, id="key, at ch01"),
        pytest.param("key", Situation(told="ch01"), DRAWER, id="key, told to ch01"),
        pytest.param("key", Situation(at="ch02"), HOLLOW_BOOK, id="key, at ch02"),
        pytest.param("key", Situation(told="ch02"), HOLLOW_BOOK, id="key, told to ch02"),
        pytest.param(
            "key", Situation(at="ch01", told="ch02"), DRAWER, id="key, at ch01 of what is told to ch02"
        ),
        pytest.param("key", Situation(revision=2), HOLLOW_BOOK, id="key, before ch03 was read"),
        pytest.param("key", Situation(), TAKEN, id="key, now"),
        pytest.param("lamp", Situation(), LIE, id="lamp, now"),
        pytest.param("lamp", Situation(at="ch01", told="ch01"), LIE, id="lamp, at its end"),
        pytest.param("gate", Situation(at="ch01"), PROMISED, id="gate, at ch01"),
        pytest.param("gate", Situation(), UNLOCKED, id="gate, now"),
    ],
)
def test_views(stories: dict[str, World], story: str, situation: Situation, expected: dict[str, Any]) -> None:
    assert seen(stories[story].views(situation)) == expected


def test_the_world_before_anything_was_read(stories: dict[str, World]) -> None:
    assert stories["key"].views(Situation(revision=0)) == Views()


def test_when_it_all_began(stories: dict[str, World]) -> None:
    """Ticks are a thousand to the letter and a million letters to the chapter; Leon has been inside since chapter one."""
    views = stories["gate"].views()

    assert [(fact.proposition, fact.since) for fact in views.facts] == [
        ("leon.location.infirmary", 1_000_000_000),
        ("gate.open:unlocked", 2_000_000_000),
        ("infirmary.open:locked", 2_000_054_000),
    ]
    assert [(event.event, event.when) for event in views.events] == [
        ("ch01/promise", 1_000_035_000),
        ("ch02/unlock", 2_000_000_000),
    ]


def test_words_for_everything(stories: dict[str, World]) -> None:
    views = stories["key"].views()

    assert [fact.words for fact in views.facts] == ["Leo has the key", "the key is not in the hollow book"]
    assert views.events[0].words == f"“{LEFT}”"
    assert views.threads[0].words == "Leo means to come back for the key"
    assert views.realised[0].words == "Mara tells Leo where the key is."


# -- through whose eyes


def test_through_leos_eyes_the_key_is_where_he_left_it(stories: dict[str, World]) -> None:
    assert seen(stories["key"].views(Situation(at="ch02", focalizer="Leo"))) == {
        "W": [("key.location.drawer", "ch01/state-1")],
        "happened": ["ch01/leave", HARBOUR],
        "B": [("leo", "believes", "key.location.drawer", "participation", "ch01/leave", None)],
        "D": [(BACK, "goal", "opened", [("ch01/step-1", "opened")])],
        "H": [],
        "realised": [],
    }


def test_no_eyes_see_into_another_mind(stories: dict[str, World]) -> None:
    found = asdict(stories["key"].views(Situation(at="ch02", focalizer="Leo")))

    assert "mara" not in repr(found).lower().replace("“mara", "")
    assert "hollow" not in repr(found)


def test_iona_who_lies_holds_the_contrary(stories: dict[str, World]) -> None:
    lamp = stories["lamp"]

    assert [belief.words for belief in lamp.views(Situation(focalizer="Iona")).beliefs["iona"]] == [
        "the lamp is not working"
    ]
    assert [lamp.query(f"{relation}(Iona, P)").rows for relation in ("doubts", "unaware")] == [()] * 2
    assert lamp.query("deceives(Iona, Whom, P)").rows == (("tomas", "lamp.condition:working"),)


# -- who knows what


@pytest.mark.parametrize(
    ("story", "situation", "characters", "expected"),
    [
        pytest.param(
            "key", Situation(at="ch01"), ("leo",), {"key.location.drawer": ["knows"]}, id="key, at ch01"
        ),
        pytest.param(
            "key",
            Situation(at="ch02"),
            ("leo", "mara"),
            {
                "key.location.drawer": ["believes falsely", "no evidence"],
                "key.location.hollow-book": ["no evidence", "knows"],
            },
            id="key, at ch02",
        ),
        pytest.param(
            "key",
            Situation(),
            ("leo", "mara"),
            {"key.possession.leo": ["knows", "knows"], "not.key.location.hollow-book": ["knows", "knows"]},
            id="key, now",
        ),
        pytest.param(
            "lamp",
            Situation(),
            ("iona", "tomas"),
            {
                "lamp.condition:working": ["knows otherwise", "believes falsely"],
                "not.lamp.condition:working": ["knows", "no evidence"],
            },
            id="lamp",
        ),
        pytest.param(
            "gate", Situation(), ("mara", "leon"), {"gate.open:unlocked": ["knows", "no evidence"]}, id="gate"
        ),
    ],
)
def test_who_knows_what(
    stories: dict[str, World],
    story: str,
    situation: Situation,
    characters: tuple[str, ...],
    expected: dict[str, list[str]],
) -> None:
    matrix = stories[story].knows(situation)

    assert matrix.characters == characters
    assert {p: matrix.row(p) for p in matrix.propositions} == expected


# -- why, down to the words on the page


def told(world: World, situation: Situation, found: Explanation) -> str:
    scope = world.scope(situation)
    if found.missing is not None:
        return why_not_prose(found.missing, scope.names, scope.quotes)
    [proof] = found.proofs
    return as_prose(proof, scope.names, scope.quotes)


@pytest.mark.parametrize(
    ("story", "at", "goal", "quotes", "resting_on"),
    [
        pytest.param(
            "key", "ch02", "mistaken(Leo, P, Truth)", [f"“{LEFT}” (ch01 0–30)", f"“{MOVED}” (ch02 0–55)"],
            {"ch01/leave", "ch01/state-1", "ch02/state-1"}, id="Leo is mistaken about the key",
        ),
        pytest.param(
            "lamp", None, "mistaken(Tomas, P, Truth)",
            ["“Tomas believed her” (ch01 56–74)", "“Iona falsely told Tomas it worked” (ch01 21–54)", "“The lamp was broken” (ch01 0–19)"],
            {"ch01/attitude-1", "ch01/lie", "ch01/broken"}, id="Tomas believes the lie",
        ),
        pytest.param(
            "gate", None, 'open("getting-leon-out")', ["“she would get him out tonight” (ch01 59–88)"],
            {"getting-leon-out"}, id="the promise is open",
        ),
        pytest.param(
            "gate", None, 'status("getting-leon-out", "advanced", Since)', ["“Mara finally unlocked the gate” (ch02 0–30)"],
            {"ch02/step-1"}, id="the promise has advanced",
        ),
        pytest.param(
            "gate", None, 'possible("ch02/rescue", D)', ["“she would get him out tonight” (ch01 59–88)"],
            {"ch02/rescue", "getting-leon-out"}, id="the rescue is possible",
        ),
        pytest.param(
            "gate", None, 'met("ch02/rescue", "Leon is inside the infirmary")', ["“Leon was still inside the locked infirmary” (ch02 32–74)"],
            {"ch02/rescue", "ch02/state-2"}, id="its premise holds",
        ),
    ],
)  # fmt: skip
def test_why_ends_in_the_quotes(
    stories: dict[str, World], story: str, at: str | None, goal: str, quotes: list[str], resting_on: set[str]
) -> None:
    situation = Situation(at=at)
    found = stories[story].why(goal, situation)
    prose = told(stories[story], situation, found)

    assert [quote for quote in quotes if quote not in prose] == []
    assert resting_on <= set(records(found.proofs[0]))


def test_why_not_names_the_missing_access(stories: dict[str, World]) -> None:
    """At ch02 Leo does not believe the key to be in the hollow book: he neither perceived nor was told."""
    situation = Situation(at="ch02")
    found = stories["key"].why('believes(Leo, "the key is in the hollow book")', situation)
    lacking = {
        (atom.relation, tuple(getattr(arg, "value", None) for arg in atom.args))
        for atom in missing_atoms(found)
    }

    assert found.proofs == ()
    assert {one.text: one.meant for one in found.read_as} == {
        "Leo": "leo",
        "the key is in the hollow book": "key.location.hollow-book",
    }
    assert ("perceives", ("leo", "ch02/move", None)) in lacking
    assert ("access", (None, "leo", None)) in lacking
    assert f"“{MOVED}” (ch02 0–55)" in told(stories["key"], situation, found)


def missing_atoms(found: Explanation) -> list[Any]:
    """Every atom that some attempt lacks, however deep."""
    atoms, waiting = [], [found.missing]
    while waiting:
        for attempt in waiting.pop().attempts:  # type: ignore[union-attr]
            for one in attempt.missing:
                if hasattr(one, "why"):
                    atoms.append(one.atom)
                    waiting += [one.why] if one.why else []
    return atoms


# -- whichever engine


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
@pytest.mark.parametrize(("at", "expected"), [("ch02", HOLLOW_BOOK)])
def test_every_engine_gives_the_same_views(
    stories: dict[str, World], engine: Any, at: str | None, expected: dict[str, Any]
) -> None:
    with World.open(stories["key"].path, engine=engine) as world:
        assert seen(world.views(Situation(at=at))) == expected
        assert world.knows(Situation(at=at)) == stories["key"].knows(Situation(at=at))


def test_pydatalog_gives_the_same_answers(stories: dict[str, World]) -> None:
    """Goal by goal: it derives nothing that nobody asks for."""
    questions = [
        "mistaken(Leo, P, Truth)",
        "knows(Mara, P)",
        'holds("the key is in the hollow book")',
        "status(D, S, T)",
        "possible(H, D)",
    ]
    situation = Situation(at="ch02")

    with World.open(stories["key"].path, engine="pydatalog") as world:
        assert [world.query(text, situation).rows for text in questions] == [
            stories["key"].query(text, situation).rows for text in questions
        ]
