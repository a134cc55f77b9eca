"""Where a thing is shown, in sentences that hide it: behind commas and dashes, in a row of words, before its name."""

from __future__ import annotations

import pytest
from reading_aloud import deeds, read, records, states

SHED = "Nora and Felix went into the shed. "


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("Their eyes fell upon a pair of gloves, placed inside an old jug.", "gloves.location.old-jug", id="eyes, across a comma"),
        pytest.param("They saw a green glove, neatly hanging on a hook.", "green-glove.location.hook", id="saw, across a comma"),
        pytest.param("Both of them noticed a pair of gloves placed inside a trunk.", "gloves.location.trunk", id="both of them"),
        pytest.param("They saw a cupboard where a pile of gloves was neatly placed.", "gloves.location.cupboard", id="where"),
        pytest.param("And there it was, sitting in the crate - a single melon.", "single-melon.location.crate", id="there it was"),
        pytest.param("Much to their surprise, inside the chest lay a pile of gloves.", "gloves.location.chest", id="much to their surprise"),
        pytest.param("They found a jug, and inside that jug was a glove.", "glove.location.jug", id="and inside it was"),
        pytest.param("They saw a crate filled with ripe melons sitting on the bench.", "crate.location.bench", id="what holds them sits there"),
        pytest.param("They saw a crate filled with ripe melons sitting on the bench.", "ripe-melons.location.crate", id="what it holds"),
        pytest.param("Nora pushed the crate towards the garbage can.", "crate.location.garbage", id="the garbage can"),
        pytest.param("Nora spirited the glove away to the cellar.", "glove.location.cellar", id="spirited away"),
        pytest.param("Thinking that Felix was out, Nora put the glove into the jug.", "glove.location.jug", id="thinking, she did it"),
        pytest.param("Filled with joy and a wish to share it, Nora put the glove into the jug.", "glove.location.jug", id="filled with joy, she did it"),
        pytest.param("Nora moved the glove to the back of the cupboard.", "glove.location.cupboard", id="the back of it"),
        pytest.param("Nora put the glove on a shelf, where she would see it whenever she came.", "glove.location.shelf", id="whenever, of something else"),
        pytest.param("They saw a melon in a crate. It was a fine melon that Felix loved. Nora took the melon to the pantry.", "melon.location.pantry", id="it was a melon"),
    ],
)  # fmt: skip
def test_a_thing_is_where_it_is_shown(text: str, said: str) -> None:
    assert said in states(read(SHED + text))


def test_who_goes_about_by_the_table_does_not_show_where_it_lies() -> None:
    assert "table.location.chair" not in states(read(SHED + "Nora sat by the table, resting on a chair."))


def test_what_was_decided_counts_once_she_took_action() -> None:
    decided = SHED + "Nora decided to surprise Felix by moving the glove to the cellar. "
    assert "glove.location.cellar" not in states(read(decided))
    assert "glove.location.cellar" in states(read(decided + "Nora took action at once."))


def test_a_close_is_no_place() -> None:
    assert not [one for one in states(read(SHED + "The story came to a close.")) if "story" in one]


def test_what_happens_whenever_something_does_is_a_habit() -> None:
    assert "nora open window (habitual)" in deeds(SHED + "Nora opened the window whenever Felix came.")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("Nora, being the honest woman that she was, opened the box.", "nora open box", id="being a woman"),
        pytest.param("Unknown to Felix, Nora, being a quick person by nature, had opened the box.", "nora open box", id="behind another name"),
        pytest.param("Unexpectedly, Nora opened the box.", "nora open box", id="an adverb is nobody"),
        pytest.param("Curiosity led Nora in, and she opened the box.", "nora open box", id="curiosity is nobody"),
        pytest.param("Grace opened the box.", "grace open box", id="grace is somebody"),
        pytest.param("Unaware of Felix's plan, Nora opened the box.", "nora open box", id="unaware is nobody"),
    ],
)  # fmt: skip
def test_who_does_it(text: str, told: str) -> None:
    assert told in deeds(SHED + text)


@pytest.mark.parametrize("verb", ["adored", "despised", "detested", "loathed"])
def test_boots_that_somebody_hates_are_no_sort_of_boots(verb: str) -> None:
    likes = {one for one in states(read(f"While Nora {verb} boots, Felix left.")) if ".likes." in one}
    assert [one.removeprefix("not.") for one in likes] == ["nora.likes.boots"]


def test_who_is_together_sees_it_together() -> None:
    reading = read(SHED + "Both of them noticed a melon in a crate.")
    assert {one.holder for one in records(reading, "Access", "holder")} == {"nora", "felix"}
