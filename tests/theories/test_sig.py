"""Five small Story Intention Graphs of our own, and what follows from each, on every engine."""

from __future__ import annotations

from contextlib import closing

import pytest

from narraworld.rules.engines.choose import EngineName, engine_for
from narraworld.rules.language.dependencies import needed
from narraworld.rules.language.ir import Atom, Row, Var
from narraworld.rules.language.program import load_builtin
from narraworld.rules.packs.pack import Pack, load_pack_named

LINE = """
type one timelineProposition
type two timelineProposition
type three timelineProposition
followedBy one two
followedBy two three
"""
FRAME = (
    LINE
    + """
type wants goalBox
agent wants ada
type bread goal
interpNodeIn bread wants
agent one ada
agent two ada
actualizes one wants
"""
)

ENCODINGS: dict[str, tuple[str, dict[str, list[Row]]]] = {
    "a wish comes true": (
        FRAME + "attemptToCause two bread\nactualizes three bread",
        {
            "success": [("one", "three", "bread", "wants"), ("two", "three", "bread", "wants")],
            "perseverance": [("one", "two", "bread", "wants")],
            "failure": [],
            "declares_intention": [("one", "bread", "ada"), ("two", "bread", "ada")],
        },
    ),
    "a wish is given up": (
        FRAME + "ceases two bread\nceases three wants",
        {
            "failure": [("one", "two", "bread", "wants")],
            "failure_giving_up": [("one", "two", "three", "bread", "wants")],
            "change_of_mind": [("one", "three", "bread", "wants")],
            "success": [],
        },
    ),
    "a threat, by what it would do to her health, is avoided": (
        LINE
        + """
type health coreGoal
agent health ada
type fever hypothetical
type damp hypothetical
wouldCause damp fever
damages fever health
actualizes one damp
ceases three fever
""",
        {
            "threat": [("one", "fever", "damp", "health")],
            "threat_avoided": [("one", "three", "fever", "damp", "health")],
            "threat_fulfilled": [],
            "loss": [("one", "health")],
            "gain": [("three", "health")],
            "mixed_blessing": [("three", "one", "health", "health")],
            "suspense": [],
        },
    ),
    "an open threat is suspense": (
        LINE
        + """
type life coreGoal
agent life ada
type fall hypothetical
type ledge hypothetical
wouldCause ledge fall
damages fall life
actualizes one ledge
""",
        {"suspense": [("one", "two", "three", "ledge", "fall")], "threat_avoided": []},
    ),
    "two want the opposite of one thing": (
        LINE
        + """
type door goal
agent one ada
agent two ben
attemptToCause one door
attemptToPrevent two door
sourceTextBeginOffset one 9
sourceTextBeginOffset two 10
""",
        {
            "conflict_type1": [("one", "two", "ada", "ben", "door")],
            "intention": [("one", "door"), ("two", "door")],
            "flashback": [],
        },
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def sig() -> Pack:
    return load_pack_named("sig", load_builtin())


@pytest.mark.parametrize("engine", ["sqlite", "duckdb", "pydatalog"])
@pytest.mark.parametrize("said", ENCODINGS)
def test_what_follows(said: str, engine: EngineName, sig: Pack) -> None:
    table, expected = ENCODINGS[said]
    facts = {"sig_fact": [tuple(line.split()) for line in table.split("\n") if line]}
    goals = {f"sig_{name}": rows for name, rows in expected.items()}

    with closing(engine_for(needed(sig.program, goals), facts, engine)) as derived:
        found = {
            goal: derived.ask(Atom(goal, tuple(map(Var, "ABCDEFGH"[: sig.program.relations[goal].arity]))))
            for goal in goals
        }

    assert found == goals
