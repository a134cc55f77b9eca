"""Symbols have names a reader knows, and names lead back to symbols."""

from __future__ import annotations

import pytest

from narraworld.query.errors import AmbiguousName, UnknownName
from narraworld.query.scope import Scope


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        pytest.param("ada", "Ada", id="a character by the first name"),
        pytest.param("ch01", "Morning", id="a chapter by its title"),
        pytest.param("ch01/s1", "The ladder", id="a scene by its title"),
        pytest.param("ch01/s2", "ch01/s2", id="a scene without one"),
        pytest.param("ladder.location.barn", "the ladder is at the barn", id="a proposition"),
        pytest.param(
            "not.ladder.location.barn",
            "the ladder is not at the barn",
            id="one that nobody has stated, denied",
        ),
        pytest.param("ladder.location", "the ladder's location", id="a slot"),
        pytest.param("ch02/state-1", "the ladder is at the barn", id="a state by what it says"),
        pytest.param("ch02/carry", "“Bo carried the ladder to the barn”", id="an event by its words"),
        pytest.param("observation", "observation", id="a word of the rules"),
        pytest.param("Mr. Wren. Of course.", "Mr. Wren. Of course.", id="a text with dots"),
        pytest.param("ladder.of.jacob", "ladder.of.jacob", id="what only looks like a proposition"),
    ],
)
def test_names(now: Scope, symbol: str, name: str) -> None:
    assert now.names(symbol) == name


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        pytest.param("ada", "ada", id="an id"),
        pytest.param("Miss Wren", "ada", id="another name"),
        pytest.param("mISS wREN", "ada", id="in any case"),
        pytest.param("Evening", "ch02", id="a title"),
        pytest.param("the ladder is at the barn", "ladder.location.barn", id="a proposition in words"),
        pytest.param("ladder is at barn", "ladder.location.barn", id="without articles"),
        pytest.param("ladder in barn", "ladder.location.barn", id="in short"),
        pytest.param("ladder.location.barn", "ladder.location.barn", id="and in notation"),
        pytest.param("ch02/carry", "ch02/carry", id="a record"),
    ],
)
def test_and_back(now: Scope, text: str, symbol: str) -> None:
    assert now.resolver.symbol(text) == symbol


def test_nobody_by_that_name(now: Scope) -> None:
    with pytest.raises(UnknownName, match="nothing in the story is called 'Miss Wrenn'") as error:
        now.resolver.symbol("Miss Wrenn")

    assert error.value.fix == "did you mean Miss Wren?"


def test_nothing_like_it(now: Scope) -> None:
    with pytest.raises(UnknownName) as error:
        now.resolver.symbol("Zanzibar Quartet")

    assert error.value.fix is None


def test_two_by_one_name(now: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(now.resolver, "whole", lambda text: ["ada", "bo"])

    with pytest.raises(AmbiguousName, match="'A' could be Ada or Bo"):
        now.resolver.symbol("A")


def test_a_long_quote_is_shortened(now: Scope) -> None:
    assert len(now.names("ch01/lean")) <= 62
