"""A part of a name that one bears is that one, everywhere: the table of the front door, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from narraworld.kb.delta import Delta
from narraworld.kb.units import Unit
from narraworld.query.errors import AmbiguousName, UnknownName
from narraworld.query.resolve import goal_text
from narraworld.query.situation import Situation
from narraworld.world import World

TEXT = "Leo Marsh put the key in the drawer. Ines Calder moved it to the old mill."


def harbour(*more: tuple[str, str]) -> Delta:
    """Leo Marsh is mistaken about the key, Ines Calder is not; nobody is called by one name alone."""
    delta = Delta(Unit("01", 1, TEXT, "The Key"))
    people = (("leo-marsh", "Leo Marsh"), ("ines-calder", "Ines Calder"), *more)
    for symbol, name in people:
        delta.add("Character", symbol, name=name, quote="Leo Marsh")
    delta.add("Object", "key", name="the brass key", quote="the key")
    delta.add("Place", "drawer", name="drawer", quote="the drawer")
    delta.add("Place", "old-mill", name="the old mill", quote="the old mill")
    delta.add("Event", "put", kind="put", agent="leo-marsh", patient="key", quote="Leo Marsh put the key")
    delta.add("State", proposition="key.location.drawer", at="put", quote="the key in the drawer")
    delta.add("Event", "move", kind="move", agent="ines-calder", patient="key", quote="Ines Calder moved it")
    delta.add("State", proposition="key.location.old-mill", at="move", quote="it to the old mill")
    return delta


def world_of(folder: object, *more: tuple[str, str]) -> World:
    world = World.open(str(folder), create=True)
    assert world.commit(harbour(*more)).refusals == ()
    return world


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with world_of(tmp_path_factory.mktemp("harbour")) as world:
        yield world


@pytest.fixture(scope="module")
def marshes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with world_of(tmp_path_factory.mktemp("marshes"), ("ann-marsh", "Ann Marsh"), ("who", "Who")) as world:
        yield world


@pytest.mark.parametrize(
    ("goal", "who", "read_as"),
    [
        pytest.param("mistaken(Ines, P, T)", [], ["Ines was read as Ines Calder"], id="a first name"),
        pytest.param("mistaken(Calder, P, T)", [], ["Calder was read as Ines Calder"], id="a surname"),
        pytest.param("mistaken(marsh, P, T)", ["key.location.drawer"], ["marsh was read as Leo Marsh"], id="in small letters"),
        pytest.param("mistaken(Leo Marsh, P, T)", ["key.location.drawer"], [], id="two bare words"),
        pytest.param('mistaken("Marsh", P, T)', ["key.location.drawer"], ["Marsh was read as Leo Marsh"], id="in quotes"),
        pytest.param("mistaken(?Ines, P, T)", ["leo-marsh"], [], id="a variable that must clash"),
        pytest.param("mistaken(Who, P, T)", ["leo-marsh"], [], id="a variable"),
        pytest.param("role(E, leo-marsh, agent)", ["01/put"], [], id="an id with a hyphen, a word of the rules"),
        pytest.param("entity(W, character), W != Ines", ["leo-marsh"], ["Ines was read as Ines Calder"], id="compared"),
        pytest.param("whereabouts(Brass, P)", None, ["Brass was read as the brass key"], id="a thing"),
    ],
)  # fmt: skip
def test_a_name_in_a_goal(story: World, goal: str, who: list[str] | None, read_as: list[str]) -> None:
    found = story.query(goal)

    assert [str(how) for how in found.read_as if how.telling] == read_as
    assert who is None or [row[0] for row in found.rows] == who


def test_a_description_lends_no_small_word(tmp_path: Path) -> None:
    described = ("typist", "woman who used to type for the other Marsh"), ("will", "Will Tanner")
    with world_of(tmp_path, *described) as world:
        assert [row[0] for row in world.query("mistaken(Who, P, Other)").rows] == ["leo-marsh"]
        assert str(world.query("mistaken(Will, P, T)").read_as[0]) == "Will was read as Will Tanner"
        [woman] = world.query("mistaken(Woman, P, T)").read_as
        assert str(woman) == "Woman was read as woman who used to type for the other Marsh"


def test_why_is_asked_of_the_one_named(story: World) -> None:
    found = story.why("mistaken(Ines, P, T)")

    assert found.proofs == () and found.missing is not None
    assert [str(how) for how in found.read_as] == ["Ines was read as Ines Calder"]


@pytest.mark.parametrize("eyes", ["Ines", "Calder", "ines-calder", "ines calder"])
def test_through_whose_eyes(story: World, eyes: str) -> None:
    assert set(story.views(Situation(focalizer=eyes)).beliefs) == {"ines-calder"}


def test_a_question_takes_the_same_road(story: World) -> None:
    by_part, by_name = story.ask("What does Ines know?"), story.ask("What does Ines Calder know?")

    assert by_part.lines == by_name.lines != ()


def test_somebody_called_who(marshes: World) -> None:
    found = marshes.query("mistaken(Who, P, T)")

    assert found.rows == () and [(how.text, how.meant) for how in found.read_as] == [("Who", "who")]
    assert [row[0] for row in marshes.query("mistaken(?Who, P, T)").rows] == ["leo-marsh"]


@pytest.mark.parametrize(
    "goal", ["mistaken(Marsh, P, T)", "mistaken(marsh, P, T)", 'mistaken("Marsh", P, T)']
)
def test_two_of_a_name_are_refused_with_both(marshes: World, goal: str) -> None:
    with pytest.raises(AmbiguousName, match=r"'[Mm]arsh' could be Ann Marsh or Leo Marsh") as raised:
        marshes.query(goal)

    assert raised.value.fix == "write more of the name: Ann Marsh or Leo Marsh"


def test_two_of_a_name_as_data(marshes: World) -> None:
    assert marshes.name("Marsh").candidates == ("ann-marsh", "leo-marsh")
    assert marshes.name("Calder").symbol == "ines-calder"


@pytest.mark.parametrize("goal", ["mistaken(marhs, P, T)", "mistaken(Leo March, P, T)"])
def test_bare_words_that_name_nobody(story: World, goal: str) -> None:
    with pytest.raises(UnknownName, match="nothing in the story is called"):
        story.query(goal)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        pytest.param("p(X, _, 3, -1)", "p(X, _, 3, -1)", id="variables and numbers stay"),
        pytest.param("p(a b, !q)", 'p("a b", !q)', id="bare words"),
        pytest.param('p("f(x, y)", z)', 'p("f(x, y)", "z")', id="a text is left alone"),
        pytest.param("T = max X : { at(E, X), happened(E) }", "T = max X : { at(E, X), happened(E) }", id="an aggregate"),
        pytest.param("p(?Leo), q(Leo)", "p(Leo_), q(Leo)", id="the name and the variable in one goal"),
        pytest.param("p(O'Brien, d'Arc)", 'p("O\'Brien", "d\'Arc")', id="apostrophes"),
    ],
)  # fmt: skip
def test_a_goal_as_typed(typed: str, written: str) -> None:
    assert goal_text(typed).text == written
