"""Why something holds: the key in the drawer, journeys in circles, and a checker that trusts nobody."""

from __future__ import annotations

import json
from itertools import islice

import pytest
from hypothesis import given, settings
from proof_stories import StoryEngine, atom, check_proof, fact, key_story, told
from random_programs import Case, cases

from narraworld.rules.errors import EngineError, LimitReached
from narraworld.rules.language.ir import Atom, Compare, Const, Row
from narraworld.rules.proofs.explain import ExplainSettings, explain, explain_all, proofs
from narraworld.rules.proofs.proof import (
    FORMAT,
    Absent,
    Best,
    Compared,
    Derived,
    Given,
    leaves,
    premises,
    records,
    to_json,
    walk,
)
from narraworld.rules.proofs.prose import as_tree

ROADS = """
.decl road(a:symbol, b:symbol)
.input road
.decl reach(a:symbol, b:symbol)
"""
BY_ROAD = "reach(X, Y) :- road(X, Y).\n"
FORWARDS = "reach(X, Z) :- road(X, Y), reach(Y, Z).\n"
BACKWARDS = "reach(X, Z) :- reach(X, Y), road(Y, Z).\n"
HALVES = "reach(X, Z) :- reach(X, Y), reach(Y, Z).\n"


def roads(rules: str, *pairs: str) -> StoryEngine:
    return StoryEngine(told(ROADS + rules), {"road": {(a, b) for a, b in pairs}})


# -- the key in the drawer


def test_a_proof_goes_down_to_records_absences_and_comparisons():
    engine = key_story()
    proof = explain(engine, fact("mistaken", "leo", "in-drawer", "in-book"))
    check_proof(proof, engine)
    assert as_tree(proof) == (
        "mistaken(leo, in-drawer, in-book)  [key.dl:31]\n"
        "├─ believes(leo, in-drawer)  [key.dl:23]\n"
        "│  ├─ learns(leo, in-drawer, 1)  [key.dl:15]\n"
        "│  │  ├─ access(ch01/see, leo, in-drawer)\n"
        "│  │  └─ at(ch01/see, 1)\n"
        "│  └─ no outdated(who: leo, proposition: in-drawer)\n"
        "├─ slot(in-drawer, key|location)\n"
        "├─ slot(in-book, key|location)\n"
        "├─ in-drawer != in-book\n"
        "└─ holds(in-book)  [key.dl:27]\n"
        "   ├─ slot(in-book, key|location) (as above)\n"
        "   ├─ 2, the largest of 2  [key.dl:27]\n"
        "   │  ├─ state(ch02/move, in-book)\n"
        "   │  ├─ slot(in-book, key|location) (as above)\n"
        "   │  └─ at(ch02/move, 2)\n"
        "   ├─ state(ch02/move, in-book) (as above)\n"
        "   └─ at(ch02/move, 2) (as above)"
    )
    assert records(proof) == ["ch01/see", "in-drawer", "in-book", "ch02/move"]


def test_leaves_name_the_closed_question_and_the_compared_values():
    proof = explain(key_story(), fact("mistaken", "leo", "in-drawer", "in-book"))
    assert [leaf.atom for leaf in leaves(proof) if isinstance(leaf, Absent)] == [
        fact("outdated", "leo", "in-drawer")
    ]
    assert [leaf.text for leaf in leaves(proof) if isinstance(leaf, Compared)] == ["in-drawer != in-book"]


def test_what_does_not_hold_has_no_proof():
    assert explain(key_story(), fact("mistaken", "mara", "in-drawer", "in-book")) is None


def test_a_base_row_is_given_by_its_record():
    proof = explain(key_story(), fact("state", "ch02/move", "in-book"))
    assert isinstance(proof, Given)
    assert (proof.row, proof.record) == (("ch02/move", "in-book"), "ch02/move")


def test_a_pattern_is_explained_answer_by_answer_with_shared_nodes():
    engine = key_story()
    found = explain_all(engine, atom("believes", None, None))
    assert [proof.row for proof in found] == [("leo", "in-drawer"), ("mara", "in-book")]
    both = explain_all(engine, atom("learns", "mara", None, None), limit=1)
    assert [proof.row for proof in both] == [("mara", "in-book", 2)]


def test_bindings_leave_out_the_variables_nobody_named():
    proof = explain(key_story(), fact("believes", "leo", "in-drawer"))
    assert isinstance(proof, Derived)
    assert proof.bindings == {"C": "leo", "P": "in-drawer"}


# -- folds


def test_the_largest_shows_its_witness():
    holds = explain(key_story(), fact("holds", "in-book"))
    (best,) = (node for node in walk(holds) if isinstance(node, Best))
    assert (best.function, best.value, best.candidates) == ("max", 2, 2)
    assert [premise.row for premise in premises(best)] == [
        ("ch02/move", "in-book"), ("in-book", "key|location"), ("ch02/move", 2),
    ]  # fmt: skip


COUNTED = """
.decl sees(record:symbol, who:symbol, weight:number)
.input sees
.decl seen(who:symbol, n:number)
seen(C, N) :- sees(_, C, _), N = count : { sees(R, C, W) }.
.decl burden(who:symbol, n:number)
burden(C, N) :- sees(_, C, _), N = sum W : { sees(R, C, W) }.
"""


@pytest.mark.parametrize(
    ("relation", "value", "values"),
    [("seen", 12, [1, 1, 1]), ("burden", 66, [0, 1, 2])],
    ids=["count", "sum"],
)
def test_count_and_sum_list_members_up_to_the_limit_and_say_how_many(relation, value, values):
    engine = StoryEngine(told(COUNTED), {"sees": {(f"r{i:02}", "leo", i) for i in range(12)}})
    proof = explain(engine, fact(relation, "leo", value), ExplainSettings(members=3))
    (best,) = (node for node in walk(proof) if isinstance(node, Best))
    assert (best.value, best.candidates) == (value, 12)
    assert [member.value for member in best.members] == values
    check_proof(explain(engine, fact(relation, "leo", value), ExplainSettings(members=12)), engine)


def test_a_count_of_nothing_rests_on_an_absence():
    engine = key_story()
    proof = explain(engine, fact("blind", "leo", 0))
    check_proof(proof, engine)
    assert [type(node) for node in walk(proof)] == [Derived, Given, Absent]


# -- recursion


@pytest.mark.parametrize("rules", [BY_ROAD + FORWARDS, BACKWARDS + BY_ROAD, HALVES + BY_ROAD])
def test_journeys_in_a_circle_never_lean_on_themselves(rules):
    engine = roads(rules, "ab", "bc", "ca", "cd", "dd")
    for row in sorted(engine.rows["reach"]):
        check_proof(explain(engine, fact("reach", *row)), engine)


def test_the_shorter_way_is_told_though_a_longer_one_comes_first():
    engine = roads(BY_ROAD + FORWARDS, "ab", "bc", "cd", "dz", "ay", "yz")
    assert records(explain(engine, fact("reach", "a", "z"))) == ["a", "y"]


def test_a_rule_on_records_goes_before_one_that_recurses():
    engine = roads(FORWARDS + BY_ROAD, "ab", "bb")
    assert as_tree(explain(engine, fact("reach", "a", "b"))) == "reach(a, b)  [key.dl:6]\n└─ road(a, b)"


class LongRoad:
    """A road of `length` stages; answers what it is asked and never holds its millions of journeys."""

    def __init__(self, rules: str, length: int) -> None:
        text = ROADS.replace("symbol", "number") + rules
        self.program, self.length = told(text), length

    def ask(self, goal: Atom) -> list[Row]:
        start, end = (term.value if isinstance(term, Const) else None for term in goal.args)
        if goal.relation == "road":
            first = end - 1 if start is None else start
            fits = 0 <= first < self.length and end in (None, first + 1)
            return [(first, first + 1)] if fits else []
        starts = range(end) if start is None else [start]
        ends = range(start + 1, self.length + 1) if end is None else [end]
        return [(one, two) for one in starts for two in ends if one < two <= self.length]


@pytest.mark.parametrize("rules", [FORWARDS, BACKWARDS], ids=["forwards", "backwards"])
def test_two_thousand_stages_are_a_deep_proof_and_no_recursion_error(rules):
    proof = explain(LongRoad(BY_ROAD + rules, 2_000), fact("reach", 0, 2_000))
    assert sorted(map(int, records(proof))) == list(range(2_000))
    assert len(json.loads(json.dumps(to_json(proof)))["nodes"]) == 4_000
    assert as_tree(proof).count("\n") < 100


def test_when_looking_near_would_take_too_long_the_search_dives():
    road = LongRoad(BY_ROAD + HALVES, 60)
    proof = explain(road, fact("reach", 0, 60), ExplainSettings(near=10))
    assert len(records(proof)) == 60


def test_a_search_without_end_is_refused():
    with pytest.raises(LimitReached, match=r"no proof of reach\(0, 50\) within 20 steps"):
        explain(LongRoad(BY_ROAD + FORWARDS, 50), fact("reach", 0, 50), ExplainSettings(near=5, steps=20))


def test_an_engine_that_makes_things_up_is_caught():
    engine = roads(BY_ROAD, "ab")
    engine.rows["reach"].add(("a", "moon"))
    with pytest.raises(EngineError, match=r"the engine says reach\(a, moon\)"):
        explain(engine, fact("reach", "a", "moon"))


# -- more than one proof


def test_proofs_differ_in_their_last_step_and_come_lazily():
    engine = roads(BY_ROAD + FORWARDS, "ad", "ab", "bd", "ac", "cd", "da")
    found = list(proofs(engine, fact("reach", "a", "d"), limit=5))
    assert [records(proof) for proof in found] == [["a"], ["a", "b"], ["a", "c"]]
    for proof in found:
        check_proof(proof, engine)
    assert len(list(islice(proofs(engine, fact("reach", "a", "d")), 1))) == 1
    assert list(proofs(engine, fact("reach", "d", "x"))) == []


# -- JSON


def test_json_is_flat_shared_and_stable():
    proof = explain(key_story(), fact("believes", "leo", "in-drawer"))
    assert to_json(proof) == {
        "format": FORMAT,
        "root": 0,
        "nodes": [
            {
                "kind": "derived", "relation": "believes", "row": ["leo", "in-drawer"],
                "rule": {"sentence": "{C} still believes that {P}", "place": "key.dl:23:1"},
                "bindings": {"C": "leo", "P": "in-drawer"}, "premises": [1, 4],
            },
            {
                "kind": "derived", "relation": "learns", "row": ["leo", "in-drawer", 1],
                "rule": {"sentence": None, "place": "key.dl:15:1"},
                "bindings": {"C": "leo", "P": "in-drawer", "T": 1, "R": "ch01/see"}, "premises": [2, 3],
            },
            {"kind": "given", "relation": "access", "row": ["ch01/see", "leo", "in-drawer"], "record": "ch01/see"},
            {"kind": "given", "relation": "at", "row": ["ch01/see", 1], "record": "ch01/see"},
            {"kind": "absent", "relation": "outdated", "pattern": ["leo", "in-drawer"]},
        ],
    }  # fmt: skip


def test_json_of_a_fold_and_a_comparison():
    nodes = to_json(explain(key_story(), fact("sightings", "mara", 2)))["nodes"]
    best = next(node for node in nodes if node["kind"] == "best")
    assert (best["function"], best["value"], best["candidates"]) == ("count", 2, 2)
    assert [member["premises"] for member in best["members"]] == [[1], [3]]
    assert best["premises"] == [1, 3]
    nodes = to_json(explain(key_story(), fact("outdated", "mara", "in-drawer")))["nodes"]
    assert {"kind": "compared", "text": "2 > 1"} in nodes


def test_a_comparison_shows_the_sum_it_made():
    engine = StoryEngine(
        told(".decl at(r:symbol, t:number)\n.input at\n.decl soon(r:symbol, t:number)\nsoon(R, U) :- at(R, T), U = (T + 1) * 2."),
        {"at": {("r1", 4)}},
    )  # fmt: skip
    proof = explain(engine, fact("soon", "r1", 10))
    assert [leaf.text for leaf in leaves(proof) if isinstance(leaf, Compared)] == ["10 = (4 + 1) * 2"]
    assert isinstance(leaves(proof)[1].compare, Compare)


# -- any program at all


@settings(max_examples=60, deadline=None)
@given(cases)
def test_every_row_has_a_proof_that_checks(case: Case):
    engine = StoryEngine(case.program, case.facts)
    for relation, rows in engine.rows.items():
        for row in sorted(rows)[:6]:
            for proof in proofs(engine, fact(relation, *row)):
                check_proof(proof, engine)
                assert proof.row == row
                json.dumps(to_json(proof))
