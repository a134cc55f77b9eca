"""What the embedded reader makes of because, therefore, to, tried, in vain, failed, glad, forbade, must: only where the page marks it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from narraworld.extract.embedded.lexicon.motive_words import motive_words
from narraworld.extract.embedded.writers.marked.motives import write_motives
from narraworld.world import World

TEXT = (
    "Anna wanted to cross the river. Anna tried to untie the boat, but she failed. Tom fled because the dog barked. "
    "Anna went to the mill to fetch a rope. Tom laughed, and therefore Anna left the shore. "
    "Tom forbade Anna to row. Anna must not open the gate. Anna was glad because Tom had come. "
    "Tom begged Anna to wait. Tom cried. Therefore Anna left the house. Anna said that Tom fell because the dog slept."
)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    room = tmp_path_factory.mktemp("marked")
    (room / "tale.txt").write_text(TEXT, "utf-8")
    with World.open(room / "w", create=True) as world:
        assert [unit.refusals for unit in world.read(room / "tale.txt")] == [()]
        yield world


def said(world: World, goal: str) -> set[tuple[str, ...]]:
    return {tuple(row) for row in world.query(goal).words}


def test_causes_are_what_the_sentence_or_the_one_before_says(world: World) -> None:
    assert said(world, "because(_, E, F, K)") == {
        ("“Tom fled”", "“because the dog barked”", "motivational"),
        ("“therefore Anna left the shore”", "“Tom laughed”", "motivational"),
        ("“Therefore Anna left the house”", "“Tom cried”", "motivational"),
    }


def test_goals_are_what_is_wanted_tried_asked_for_or_what_a_deed_is_for(world: World) -> None:
    goals = said(world, 'development(D, "goal"), owner(D, W)')

    assert goals == {
        ("Anna: cross the river", "Anna"), ("Anna: untie the boat", "Anna"), ("Anna: fetch a rope", "Anna"),
        ("Tom: wait", "Tom"),
    }  # fmt: skip


def test_who_tries_and_fails_has_failed(world: World) -> None:
    assert said(world, "outcome(D, O)") == {("Anna: untie the boat", "failed")}
    assert said(world, 'step(S, D, "blocked")') == {("“she failed”", "Anna: untie the boat")}


def test_feelings_have_their_holder_valence_and_cause(world: World) -> None:
    assert ("Anna", "glad", "positive") in said(world, "feeling(_, W, K, V)")
    assert said(world, 'feeling(F, "Anna", "glad", _), feeling_from(F, E)') == {
        ("“Anna was glad”", "“because Tom had come”")
    }


def test_norms_have_their_bearer_kind_and_source(world: World) -> None:
    assert said(world, "norm(N, B, K)") >= {("“Tom forbade Anna”", "Anna", "prohibition")}
    assert said(world, "norm(N, B, _), norm_source(N, W)") == {("“Tom forbade Anna”", "Anna", "Tom")}
    assert {(who, kind) for _, who, kind in said(world, "norm(N, B, K)")} == {("Anna", "prohibition")}


def test_what_somebody_says_is_not_what_caused_what(world: World) -> None:
    assert not [row for row in said(world, "because(_, E, F, K)") if "dog slept" in row[1]]


def test_a_verb_is_not_done_on_purpose_and_tried_at_once(world: World) -> None:
    words = motive_words()

    assert not words.unwilled & words.trying
    assert set(words.feelings.values()) == {"positive", "negative", "mixed"}


def test_a_sentence_without_clauses_marks_nothing(world: World) -> None:
    write_motives(None, [], None)  # type: ignore[arg-type]


def test_as_says_why_only_of_a_state(tmp_path: Path) -> None:
    page = tmp_path / "page.txt"
    page.write_text(
        "Tom sold the horse, as he needed bread. Anna sang as Tom climbed the stairs. Anna waited, as Tom had told her.",
        encoding="utf-8",
    )
    with World.open(tmp_path / "w", create=True) as world:
        world.read(page)
        assert {row[0] for row in said(world, "because(_, E, F, K)")} == {"“Tom sold the horse”"}
