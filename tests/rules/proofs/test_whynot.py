"""Why something does not hold: which rule came near, and what it lacked."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from proof_stories import StoryEngine, atom, check_proof, fact, key_story, told
from random_programs import Case, cases

from narraworld.rules.language.ir import Atom, Compare, Const, Var
from narraworld.rules.proofs.proof import Absent, literal_text, records, walk
from narraworld.rules.proofs.prose import why_not_prose
from narraworld.rules.proofs.why_not import (
    Attempt,
    Blocked,
    Differs,
    Lacking,
    Untrue,
    WhyNot,
    WhyNotSettings,
    why_not,
    why_not_json,
)


def nearest(why: WhyNot) -> Attempt:
    return why.attempts[0]


def found(attempt: Attempt) -> list[str]:
    return [literal_text(literal) for literal in attempt.found]


# -- each kind of missing premise


def test_a_record_that_nobody_wrote():
    attempt = nearest(why_not(key_story(), fact("learns", "ida", "in-book", 2)))
    (missing,) = attempt.missing
    assert isinstance(missing, Lacking)
    assert missing.relation.base and missing.why is None
    assert literal_text(missing.atom) == "access(R, ida, in-book)"
    assert [literal_text(literal) for literal in attempt.undecided] == ["at(R, 2)"]


def test_a_base_relation_has_no_rules_to_blame():
    why = why_not(key_story(), fact("state", "ch03/burn", "in-book"))
    assert (why.relation.base, why.attempts, why.holds) == (True, (), None)


def test_a_derived_premise_is_asked_why_in_turn():
    (missing,) = nearest(why_not(key_story(), fact("mistaken", "ida", "in-drawer", "in-book"))).missing
    assert missing.atom == fact("believes", "ida", "in-drawer")
    (deeper,) = nearest(missing.why).missing
    assert (deeper.relation.name, nearest(deeper.why).missing[0].relation.name) == ("learns", "access")


@pytest.mark.parametrize(("depth", "levels"), [(0, 0), (1, 1), (2, 2)])
def test_asking_in_turn_stops_where_the_settings_say(depth, levels):
    why, reached = (
        why_not(key_story(), fact("mistaken", "ida", "in-drawer", "in-book"), WhyNotSettings(depth)),
        0,
    )
    while (why := nearest(why).missing[0].why) is not None:
        reached += 1
    assert reached == levels


def test_something_that_must_be_absent_holds_and_is_proven():
    engine = key_story()
    attempt = nearest(why_not(engine, fact("believes", "mara", "in-drawer")))
    assert found(attempt) == ["learns(mara, in-drawer, 1)"]
    (missing,) = attempt.missing
    assert isinstance(missing, Blocked)
    assert missing.atom == fact("outdated", "mara", "in-drawer")
    check_proof(missing.by, engine)
    assert "ch02/see" in records(missing.by)


def test_a_comparison_is_false_and_shows_its_values():
    attempt = nearest(why_not(key_story(), fact("outdated", "leo", "in-drawer")))
    assert attempt.missing == (Untrue(Compare(">", Const(1), Const(1))),)
    assert attempt.bindings["Q"] == "in-drawer"


def test_a_fold_has_another_value_and_proves_it():
    engine = key_story()
    (missing,) = nearest(why_not(engine, fact("holds", "in-drawer"))).missing
    assert missing.relation.auxiliary
    (differs,) = nearest(missing.why).missing
    assert isinstance(differs, Differs)
    assert (differs.wanted, differs.actual) == (Const(1), 2)
    check_proof(differs.by, engine)


def test_a_fold_over_nothing_lacks_what_it_would_count():
    rules = ".decl at(r:symbol, t:number)\n.input at\n.decl last(r:symbol, t:number)\nlast(R, T) :- at(R, _), T = max U : { at(R, U) }."
    engine = StoryEngine(told(rules), {"at": {("r1", 1), ("r1", 5)}})
    fold = nearest(why_not(engine, fact("last", "r2", 5))).missing[-1]
    (deeper,) = nearest(fold.why).missing
    assert (deeper.relation.name, deeper.atom.args[0]) == ("at", Const("r2"))


def test_what_rests_on_a_missing_premise_stays_undecided():
    rules = """
    .decl stands(who:symbol, place:symbol)
    .input stands
    .decl dark(place:symbol)
    .input dark
    .decl meets(a:symbol, b:symbol)
    meets(A, B) :- stands(A, P), stands(B, P), !dark(P), stands(_, Q), dark(Q).
    """
    engine = StoryEngine(told(rules), {"stands": {("mara", "attic")}})
    attempt = nearest(why_not(engine, fact("meets", "leo", "mara")))
    assert (found(attempt), attempt.bindings) == ([], {"A": "leo", "B": "mara"})
    assert [literal_text(missing.atom) for missing in attempt.missing] == ["stands(leo, P)"]
    assert [literal_text(one) for one in attempt.undecided] == [
        "no dark(P)", "stands(mara, P)", "stands(_, Q)", "dark(Q)",
    ]  # fmt: skip


def test_the_variables_found_so_far_fill_in_what_is_missing():
    rules = """
    .decl stands(who:symbol, place:symbol)
    .input stands
    .decl meets(a:symbol, b:symbol)
    meets(A, B) :- stands(A, P), stands(B, P).
    """
    engine = StoryEngine(told(rules), {"stands": {("leo", "hall"), ("mara", "attic")}})
    attempt = nearest(why_not(engine, fact("meets", "leo", "mara")))
    assert found(attempt) == ["stands(leo, hall)"]
    assert [missing.atom for missing in attempt.missing] == [fact("stands", "mara", "hall")]


# -- which rule, which binding

SUSPECTS = """
.decl motive(r:symbol, who:symbol)
.input motive
.decl key(r:symbol, who:symbol)
.input key
.decl seen(r:symbol, who:symbol)
.input seen
.decl suspect(who:symbol, why:symbol)
suspect(X, "greed") :- motive(_, X), key(_, X), seen(_, X).
suspect(X, "chance") :- key(_, X), seen(_, X).
suspect("butler", "custom").
"""


def test_the_rule_that_came_nearest_stands_first():
    engine = StoryEngine(told(SUSPECTS), {"key": {("r1", "leo")}})
    why = why_not(engine, atom("suspect", "leo", None))
    assert [attempt.rule.head.args[1].value for attempt in why.attempts] == ["chance", "greed"]
    assert [len(attempt.missing) for attempt in why.attempts] == [1, 2]


def test_a_rule_whose_head_can_never_match_is_no_attempt():
    engine = StoryEngine(told(SUSPECTS), {})
    assert len(why_not(engine, fact("suspect", "leo", "greed")).attempts) == 1
    assert why_not(engine, fact("suspect", "leo", "custom")).attempts == ()


def test_the_binding_that_goes_furthest_is_told_not_the_first():
    rules = SUSPECTS + '.decl thief(x:symbol)\nthief("x") :- key(R, W), motive(R, W), seen(R, W).\n'
    facts = {"key": {("r1", "ann"), ("r2", "leo")}, "motive": {("r2", "leo")}}
    attempt = nearest(why_not(StoryEngine(told(rules), facts), fact("thief", "x")))
    assert attempt.bindings == {"R": "r2", "W": "leo"}
    assert [missing.atom for missing in attempt.missing] == [fact("seen", "r2", "leo")]


def test_a_variable_that_stands_twice_in_the_goal_must_agree():
    rules = ".decl likes(r:symbol, a:symbol, b:symbol)\n.input likes\n.decl fond(a:symbol, b:symbol)\nfond(A, B) :- likes(_, A, B)."
    engine = StoryEngine(told(rules), {"likes": {("r1", "leo", "mara")}})
    attempt = nearest(why_not(engine, Atom("fond", (Var("X"), Var("X")))))
    assert attempt.missing == (Untrue(Compare("=", Const("leo"), Const("mara"))),)


def test_what_holds_after_all_comes_with_its_proof():
    engine = key_story()
    why = why_not(engine, fact("believes", "leo", "in-drawer"))
    check_proof(why.holds, engine)
    assert why.attempts == ()
    assert any(isinstance(node, Absent) for node in walk(why.holds))


# -- JSON


def test_json_of_a_lacking_premise():
    assert why_not_json(why_not(key_story(), atom("learns", "ida", "in-book", None))) == {
        "relation": "learns", "pattern": ["ida", "in-book", None], "base": False, "holds": None,
        "attempts": [{
            "rule": {"sentence": None, "place": "key.dl:15:1"},
            "bindings": {"C": "ida", "P": "in-book"},
            "found": [],
            "missing": [{"kind": "lacking", "relation": "access", "pattern": [None, "ida", "in-book"], "why": None}],
            "undecided": ["at(R, T)"],
        }],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("goal", "kinds"),
    [
        (fact("believes", "mara", "in-drawer"), ["blocked"]),
        (fact("outdated", "leo", "in-drawer"), ["untrue"]),
        (fact("sightings", "mara", 5), ["lacking", "lacking", "differs"]),
    ],
    ids=["blocked", "untrue", "differs"],
)
def test_json_names_each_kind(goal, kinds):
    said, told_kinds = why_not_json(why_not(key_story(), goal)), []
    while said:
        (missing,) = said["attempts"][0]["missing"]
        told_kinds.append(missing["kind"])
        said = missing.get("why")
    assert told_kinds == kinds


# -- any program at all


@settings(max_examples=60, deadline=None)
@given(cases)
def test_every_goal_has_a_proof_or_a_reason(case: Case):
    engine = StoryEngine(case.program, case.facts)
    for goal in case.goals:
        why = why_not(engine, goal)
        assert (why.holds is not None) == bool(engine.ask(goal))
        assert all(attempt.missing for attempt in why.attempts)
        for attempt in why.attempts:
            for missing in attempt.missing:
                if isinstance(missing, Blocked | Differs):
                    check_proof(missing.by, engine)
                if isinstance(missing, Lacking):
                    assert engine.ask(missing.atom) == []
        json.dumps(why_not_json(why))
        assert why_not_prose(why)
