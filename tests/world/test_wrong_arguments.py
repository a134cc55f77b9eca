"""Whatever a verb of the world is given that it cannot take, it says so: what, where, what to do; never a bare TypeError."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from narraworld.base.errors import NarraWorldError
from narraworld.base.given_types import WrongArgument
from narraworld.query.situation import Situation
from narraworld.world import World

PLAIN = ("str", "int", "bool", "Path", "Situation", "Sequence[str]", "Files", "Delta", "Report")
GOOD: dict[str, Any] = {"int": 1, "Delta": type("Delta", (), {})(), "Report": type("Report", (), {})()}


def verbs() -> Iterator[tuple[str, inspect.Signature]]:
    for name, verb in inspect.getmembers(World, inspect.isfunction):
        if not name.startswith("_"):
            yield name, inspect.signature(verb)


def is_plain(said: str) -> bool:
    return all(part.strip() in (*PLAIN, "None") for part in said.split("|"))


SLIPS = [
    pytest.param(name, one.name, id=f"{name}-{one.name}")
    for name, signature in verbs()
    for one in signature.parameters.values()
    if one.name != "self" and one.kind is not one.VAR_KEYWORD and is_plain(str(one.annotation))
]
SITUATED = [
    pytest.param(name, part, id=f"{name}-{part}")
    for name, signature in verbs()
    for part in ("at", "told", "as_", "to", "branch", "revision")
    if any(one.kind is one.VAR_KEYWORD for one in signature.parameters.values())
]


def given(signature: inspect.Signature, but: str, wrong: object) -> tuple[list[Any], dict[str, Any]]:
    """Something for every argument that must be there, and the slip."""
    words: list[Any] = []
    keywords: dict[str, Any] = {}
    for one in signature.parameters.values():
        if one.name == "self" or one.kind is one.VAR_KEYWORD:
            continue
        value = wrong if one.name == but else GOOD.get(str(one.annotation).split("|")[0].strip(), "Mara")
        if one.kind is one.KEYWORD_ONLY:
            if one.name == but or one.default is one.empty:
                keywords[one.name] = value
        elif one.name == but and one.default is not one.empty and one.kind is not one.VAR_POSITIONAL:
            keywords[one.name] = value
        elif one.default is one.empty and (one.kind is not one.VAR_POSITIONAL or one.name == but):
            words.append(value)
    return words, keywords


def test_there_are_slips_to_make() -> None:
    assert {name for name, _ in verbs()} >= {"ask", "context", "check", "read", "views"}
    assert len(SLIPS) > 50
    assert len(SITUATED) > 50


@pytest.mark.parametrize(("verb", "argument"), SLIPS)
def test_a_value_of_a_wrong_type_is_a_usage_error(tmp_path: Path, verb: str, argument: str) -> None:
    words, keywords = given(inspect.signature(getattr(World, verb)), argument, object())
    with World.open(tmp_path, create=True) as world, pytest.raises(WrongArgument) as slip:
        getattr(world, verb)(*words, **keywords)

    assert f"{argument} is <object object" in slip.value.what
    assert slip.value.where == f"{verb}(…)"
    assert slip.value.fix is not None


@pytest.mark.parametrize(("verb", "part"), SITUATED)
def test_so_is_a_part_of_a_situation(tmp_path: Path, verb: str, part: str) -> None:
    words, keywords = given(inspect.signature(getattr(World, verb)), "", None)
    with World.open(tmp_path, create=True) as world, pytest.raises(WrongArgument, match=part):
        getattr(world, verb)(*words, **keywords, **{part: object()})


def test_it_says_what_would_do(tmp_path: Path) -> None:
    with World.open(tmp_path, create=True) as world, pytest.raises(NarraWorldError) as slip:
        world.ask(3)  # type: ignore[arg-type]

    assert str(slip.value) == (
        "ask(…): question is 3, of type int\n  give str: help(world.ask) says what each argument is for"
    )


def test_what_fits_is_taken(tmp_path: Path) -> None:
    with World.open(tmp_path, create=True) as world:
        assert world.views(Situation(), branch="main").read_as == ()
        with pytest.raises(WrongArgument):
            world.context(None)  # type: ignore[arg-type]
