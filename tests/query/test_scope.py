"""Questions in rules with names for things; answers in symbols and in words; proofs that end in quotes."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from narraworld.kb.delta import Delta
from narraworld.kb.errors import BadName
from narraworld.kb.plotlines import PLOTLINES
from narraworld.kb.units import RESERVED, Unit
from narraworld.query.checks.author_facts import UNIT
from narraworld.query.difference import difference
from narraworld.query.errors import Outdated, UnknownName
from narraworld.query.goals import bindings
from narraworld.query.scope import GoalAnswer, Scope
from narraworld.query.situation import Situation
from narraworld.rules.errors import RuleError, UnsafeRule
from narraworld.rules.language.ir import Atom, Const
from narraworld.rules.proofs.prose import Quote
from narraworld.world import World


@pytest.mark.parametrize(
    ("text", "columns", "rows", "read_as"),
    [
        pytest.param("believes(Ada, P)", ("P",), (("ladder.location.wall",),), {"Ada": "ada"}, id="a capitalised name"),
        pytest.param('believes("Miss Wren", P)', ("P",), (("ladder.location.wall",),), {"Miss Wren": "ada"}, id="a name in quotes"),
        pytest.param("believes(Who, P)", ("Who", "P"), (("ada", "ladder.location.wall"), ("bo", "ladder.location.barn")), {}, id="variables"),
        pytest.param('role(E, Bo, "agent")', ("E",), (("ch02/carry",),), {"Bo": "bo"}, id="a word of the rules"),
        pytest.param("believes(Ada, P), believes(Bo, P)", ("P",), (), {"Ada": "ada", "Bo": "bo"}, id="a conjunction without an answer"),
        pytest.param("believes(W, P), !knows(W, P)", ("W", "P"), (("ada", "ladder.location.wall"),), {}, id="a negation"),
        pytest.param("at(E, T), event(E, _, _), T > 1500000000", ("E", "T"), (("ch02/carry", 2_000_000_000),), {}, id="a comparison"),
        pytest.param('holds("the ladder is at the barn")', (), (("yes",),), {"the ladder is at the barn": "ladder.location.barn"}, id="yes"),
        pytest.param('holds("the ladder is on the wall")', (), (), {"the ladder is on the wall": "ladder.location.wall"}, id="no"),
        pytest.param("entity(W, \"character\"), N = count : { believes(W, P) }", ("W", "N"), (("ada", 1), ("bo", 1)), {}, id="a count for each"),
        pytest.param('T = max X : { at(E, X), happened(E) }', ("T",), ((2_000_000_000,),), {}, id="the latest"),
        pytest.param('believes2("ada", "bo", P)', ("P",), (), {}, id="on demand"),
        pytest.param('entity(W, "character"), W != Ada', ("W",), (("bo",),), {"Ada": "ada"}, id="anybody but Ada"),
        pytest.param('entity(W, "character"), Ada != W', ("W",), (("bo",),), {"Ada": "ada"}, id="Ada aside"),
        pytest.param("believes(W, P), W = Bo", ("W", "P"), (("bo", "ladder.location.barn"),), {"Bo": "bo"}, id="Bo and nobody else"),
        pytest.param('N = count : { entity(W, "character"), W != Ada }', ("N",), ((1,),), {"Ada": "ada"}, id="all but Ada, counted"),
        pytest.param("believes(Ada, P), Ada != Bo", ("P",), (("ladder.location.wall",),), {"Bo": "bo", "Ada": "ada"}, id="two names compared"),
    ],
)  # fmt: skip
def test_query(
    now: Scope,
    text: str,
    columns: tuple[str, ...],
    rows: tuple[tuple[str | int, ...], ...],
    read_as: dict[str, str],
) -> None:
    found = now.query(text)

    assert (found.columns, found.rows) == (columns, rows)
    assert {one.text: one.meant for one in found.read_as} == read_as


def test_words_beside_rows(now: Scope) -> None:
    assert now.query("mistaken(Who, What, Truth)") == GoalAnswer(
        ("Who", "What", "Truth"),
        (("ada", "ladder.location.wall", "ch02/state-1"),),
        (("Ada", "the ladder is on the wall", "the ladder is at the barn"),),
        (),
    )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("believes(Ada", "<query>:1:13"),
        ("\n  blieves(Ada, P)", "<query>:2:3"),
        ("believes(Ada, P, Q)", "<query>:1:1"),
    ],
)
def test_a_wrong_question_is_answered_with_its_place(now: Scope, text: str, place: str) -> None:
    with pytest.raises(RuleError) as error:
        now.query(text)

    assert str(error.value.place) == place


def test_a_question_that_binds_nothing(now: Scope) -> None:
    with pytest.raises(UnsafeRule):
        now.query("!believes(W, P)")


def test_a_word_that_is_compared_and_names_nobody_is_an_unbound_variable(now: Scope) -> None:
    with pytest.raises(UnsafeRule, match="Adda is compared but bound by nothing"):
        now.query('entity(W, "character"), W != Adda')


def test_why_gives_a_proof_for_each_answer(now: Scope) -> None:
    found = now.why("believes(Who, P)")

    assert len(found.proofs) == 2
    assert found.missing is None


def test_why_not(now: Scope) -> None:
    found = now.why('believes(Ada, "the ladder is at the barn")')

    assert found.proofs == ()
    assert found.goal == Atom("believes", (Const("ada"), Const("ladder.location.barn")))
    assert found.missing is not None


def test_why_of_a_record_is_the_record(now: Scope) -> None:
    [proof] = now.why('event("ch02/carry", K, R)').proofs

    assert proof.record == "ch02/carry"  # type: ignore[union-attr]


def test_quotes_say_where_they_stand(now: Scope) -> None:
    assert now.quotes("ch02/carry") == [Quote("ch02", 0, 33, "Bo carried the ladder to the barn", "")]
    assert now.quotes("nobody") == []


def test_a_focalizer_must_be_somebody(orchard: World) -> None:
    with pytest.raises(UnknownName):
        orchard.scope(Situation(focalizer="Nobody"))


def test_asked_twice_it_is_the_same_scope(orchard: World) -> None:
    situation = Situation(at="ch01")

    assert orchard.scope(situation) is orchard.scope(situation)
    assert orchard.scope(situation) is not orchard.scope()


# -- the views and the matrix of this world


def test_what_the_text_says_somebody_does_not_know(now: Scope) -> None:
    beliefs = {(b.holder, b.status, b.proposition) for held in now.views().beliefs.values() for b in held}

    assert beliefs == {
        ("ada", "mistaken", "ladder.location.wall"),
        ("ada", "unaware", "ladder.location.barn"),
        ("bo", "knows", "ladder.location.barn"),
        ("bo", "doubts", "sky.condition:rainy"),
    }


def test_one_word_for_each_cell(now: Scope) -> None:
    matrix = now.knows()

    assert matrix.characters == ("ada", "bo")
    assert {matrix.names[p]: matrix.row(p) for p in matrix.propositions} == {
        "the ladder is at the barn": ["unaware", "knows"],
        "the ladder is on the wall": ["believes falsely", "no evidence"],
        "the sky is rainy": ["no evidence", "doubts"],
    }


def test_the_difference_a_chapter_makes(orchard: World, now: Scope) -> None:
    found = difference(orchard.scope(Situation(at="ch01")), now, ("ch02",))

    assert list(found.lines()) == [
        "units: ch02",
        "facts",
        "  - the ladder is on the wall",
        "  + the ladder is at the barn",
        "events",
        "  + “Bo carried the ladder to the barn”",
        "beliefs",
        "  - Ada knows that the ladder is on the wall",
        "  + Ada does not know that the ladder is at the barn",
        "  + Ada wrongly believes that the ladder is on the wall",
        "  + Bo knows that the ladder is at the barn",
    ]
    assert not difference(now, now)
    assert list(difference(now, now).lines()) == ["the views are the same"]


def test_after_a_commit_the_world_gives_a_fresh_scope_and_the_kept_one_says_that_it_is_old(
    tmp_path: Path,
) -> None:
    with World.open(tmp_path, create=True) as world:
        told = Delta(Unit("ch01", 1, "Ada leaned the ladder on the wall."))
        for kind, name in (("Object", "ladder"), ("Place", "wall")):
            told.add(kind, name, name=name, quote=name)
        told.add("State", proposition="ladder.location.wall", quote="the ladder on the wall")
        world.commit(told)
        kept = world.scope()
        asked = 'state(S, "ladder.location.wall", _)'
        assert len(bindings(kept.engine, asked)) == 1

        world.retract("ch01")
        assert kept.query("entity(E, _)").rows, (
            "nobody has looked yet: the kept scope answers from its own state"
        )
        fresh = world.scope()
        assert (bindings(fresh.engine, asked), fresh.query("entity(E, _)").rows) == ([], ())
        for verb in (
            kept.views,
            kept.knows,
            kept.steady,
            partial(kept.query, "entity(E, _)"),
            partial(kept.why, "entity(E, _)"),
        ):
            with pytest.raises(Outdated, match="out of date"):
                verb()


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_no_text_may_take_the_place_of_a_unit_that_we_write(tmp_path: Path, name: str) -> None:
    with World.open(tmp_path, create=True) as world:
        with pytest.raises(BadName, match="kept for what is made"):
            world.commit(Delta(Unit(name, 1, "Ada slept.")))
        assert world.log() == []


def test_the_reserved_units_are_those_that_we_write() -> None:
    assert {PLOTLINES, UNIT} == RESERVED
