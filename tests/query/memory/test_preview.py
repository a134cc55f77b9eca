"""A look at memory stays small: near things one by one, far ones in sums."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narraworld.kb.delta import Delta
from narraworld.kb.units import Unit
from narraworld.query.memory.preview import PreviewSettings, preview_of
from narraworld.query.name_finder import stem, tokens
from narraworld.query.scope import Scope
from narraworld.query.situation import Situation
from narraworld.world import World

SMALL = PreviewSettings(
    characters=3, names=4, things=2, threads=2, options=1, chapters=2, ranges=3, events=2, title=30
)


@pytest.fixture(scope="module")
def long_story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Forty chapters; in each somebody new comes in and Ada does something."""
    with World.open(tmp_path_factory.mktemp("long"), create=True) as world:
        for number in range(40):
            made = Delta(
                Unit(f"ch{number:02}", number, "Ada came in and sat down.", title=f"Chapter {number}")
            )
            made.add("Character", "ada", name="Ada")
            made.add("Character", f"guest-{number}", name=f"Guest {number}")
            made.add(
                "Event", "come", kind="come", agent="ada", companion=f"guest-{number}", quote="Ada came in"
            )
            made.add(
                "Development",
                f"thread-{number}",
                kind="goal",
                title=f"Goal {number}",
                holder="ada",
                quote="Ada",
            )
            made.add("Step", development=f"thread-{number}", status="opened", at="come", quote="Ada came in")
            world.store.commit(made.unit.id, made.graph)
        yield world


def test_of_a_long_story_the_preview_is_short(long_story: World) -> None:
    preview = preview_of(long_story.scope(), SMALL)

    assert [one.name for one in preview.characters] == ["Ada", "Guest 39", "Guest 38"]
    assert len(preview.others) == 4
    assert preview.more == {"characters": 34, "things": 0, "threads": 38, "options": 0}
    assert [(one.first, one.last, one.count) for one in preview.chapters] == [
        ("ch00", "ch12", 13), ("ch13", "ch25", 13), ("ch26", "ch37", 12), ("ch38", "ch38", 1), ("ch39", "ch39", 1),
    ]  # fmt: skip
    assert preview.scene == ("ada", "guest-39")


def test_length_is_bounded_whatever_the_story(long_story: World) -> None:
    """The second half of the story adds no line."""
    early = preview_of(long_story.scope(Situation(told="ch20")), SMALL)
    late = preview_of(long_story.scope(), SMALL)

    assert len(list(early.lines())) == len(list(late.lines()))
    assert max(map(len, late.lines())) < 200


def test_the_latest_thread_comes_first_and_closed_ones_last(now: Scope, long_story: World) -> None:
    threads = preview_of(long_story.scope(), replace(SMALL, threads=40)).threads

    assert threads[0].id == "thread-39"
    assert all(one.open for one in threads)
    assert preview_of(now).threads == ()


def test_through_eyes_only_what_they_met(orchard: World) -> None:
    ada = preview_of(orchard.scope(Situation(focalizer="Ada")))

    assert [one.id for one in ada.characters] == ["ada"]
    assert "barn" not in "\n".join(ada.lines())
    assert ada.chapters == ()


# -- words of a text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ada's ladder", [("ada",), ("ladder",)]),
        ("Miss Wren leaned", [("ada",)]),
        ("Wren and BO", [("ada",), ("bo",)]),
        ("nobody here", []),
        ("the ladders", [("ladder",)]),
    ],
)
def test_mentions(now: Scope, text: str, found: list[tuple[str, ...]]) -> None:
    assert [mention.symbols for mention in now.mentions.find(text)] == found


@pytest.mark.parametrize(
    ("phrase", "meant"), [("the ladder", ("ladder",)), ("Wren", ("ada",)), ("the", ()), ("xyz", ())]
)
def test_resolve(now: Scope, phrase: str, meant: tuple[str, ...]) -> None:
    assert now.mentions.resolve(phrase) == meant


@pytest.mark.parametrize(
    ("one", "other"),
    [("promised", "promise"), ("keys", "key"), ("hiding", "hide"), ("stopped", "stop"), ("carries", "carry")],
)
def test_forms_of_a_word_share_their_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@given(st.text(max_size=40))
def test_tokens_are_words_in_small_letters(text: str) -> None:
    assert all(word and word == word.casefold() and " " not in word for word in tokens(text))


def test_an_empty_world_has_an_empty_preview(tmp_path: Path) -> None:
    with World.open(tmp_path, create=True) as world:
        assert next(iter(world.preview().lines())).startswith("Memory holds 0 chapters")
