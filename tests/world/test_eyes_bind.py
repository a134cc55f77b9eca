"""A focalizer binds every verb: it answers from that mind, or says why it cannot. A new verb that forgets it fails here."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import typer
from places import STORIES
from typer.main import get_command
from world_fixtures import Said

from narraworld.commands.app import app
from narraworld.project.opened import OpenStory
from narraworld.query.errors import QueryError
from narraworld.query.eyes import AUTHORS, THROUGH_EYES, AuthorsOnly
from narraworld.query.names import rows
from narraworld.query.scope import Scope
from narraworld.query.situation import Situation
from narraworld.world import World

# Verbs that show nothing of the story but to its author: they read, write, keep books, or speak of files.
BOOKS = frozenset({
    "open", "close", "path", "store", "read", "reading", "watching", "commit", "retract", "import_", "coverage", "refusals",
    "keep_baseline", "waive", "decide", "decisions", "checks", "moment", "name", "log", "branch", "branches", "delete_branch",
    "verify", "damage", "doctor", "reindex",
})  # fmt: skip

# How each verb is called, and each command, when it looks through somebody's eyes.
VERBS: dict[str, Callable[[World, Any], Any]] = {
    "scope": lambda world, who: world.scope(**who),
    "query": lambda world, who: world.query("role(E, X, R)", **who),
    "why": lambda world, who: str(world.why("believes(Leo, P)", **who)),
    "views": lambda world, who: world.views(**who),
    "knows": lambda world, who: world.knows(**who),
    "preview": lambda world, who: world.preview(**who),
    "context": lambda world, who: world.context("Where is the key?", **who),
    "ask": lambda world, who: world.ask("Where is the key?", **who),
    "search": lambda world, who: world.search("key OR book", **who),
    "diff": lambda world, who: world.diff(1, 2, as_=who["as_"]),
    "compare": lambda world, who: world.compare("main", "other", as_=who["as_"]),
    "analyse": lambda world, who: world.analyse("sig", **who),
    "check": lambda world, who: world.check(as_=who["as_"]),
    "sparql": lambda world, who: world.sparql("ASK {}", as_=who["as_"]),
    "export": lambda world, who: world.export("never-written.nq", as_=who["as_"]),
    "forecast": lambda world, who: world.forecast(as_=who["as_"]),
    "sheet": lambda world, who: world.sheet(**who),
    "chart": lambda world, who: world.chart(**who),
    "curve": lambda world, who: world.curve(**who),
}
COMMANDS = {
    "query": ("query", "role(E, X, R)"), "why": ("why", "believes(Leo, P)"), "views": ("views", "--json"), "knows": ("knows",),
    "preview": ("preview",), "context": ("context", "Where is the key?"), "ask": ("ask", "Where is the key?"),
    "search": ("search", "key OR book"), "diff": ("diff", "r1", "r2"), "branch compare": ("branch", "compare", "other"),
    "analyse": ("analyse", "sig"), "check": ("check",), "sparql": ("sparql", "ASK {}"), "export": ("export", "never-written.nq"),
    "sheet": ("sheet",),
}  # fmt: skip
# Commands that answer others for as long as they run; what a visitor or an agent is told then: web/test_spoilers.py and mcp/test_story_over_mcp.py.
SERVERS = {"serve": ("serve", "--port", "0"), "mcp": ("mcp",)}
LEO = {"at": "ch02", "as_": "Leo"}


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with World.open(tmp_path_factory.mktemp("eyes"), create=True) as world:
        world.read(*sorted((STORIES / "key").iterdir()))
        world.branch("other")
        yield world


def test_every_verb_is_accounted_for() -> None:
    verbs = {name for name, _ in inspect.getmembers(World) if not name.startswith("_")}
    assert verbs == THROUGH_EYES | AUTHORS.keys() | BOOKS
    assert VERBS.keys() == THROUGH_EYES | AUTHORS.keys()


@pytest.mark.parametrize("verb", sorted(THROUGH_EYES))
def test_a_verb_with_eyes_asks_that_mind_alone(
    key: World, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[Situation]()
    scope = OpenStory.scope

    def watched(self: OpenStory, situation: Situation, **how: bool) -> Scope:
        asked.append(situation)
        return scope(self, situation, **how)

    monkeypatch.setattr(OpenStory, "scope", watched)
    found = repr(VERBS[verb](key, LEO))
    assert asked
    assert {one.eyes for one in asked} == {"Leo"}, "every scope that was opened on the way is Leo's"
    assert "hollow" not in found


@pytest.mark.parametrize("verb", sorted(AUTHORS))
def test_a_verb_without_eyes_says_why(key: World, verb: str) -> None:
    with pytest.raises(AuthorsOnly, match="cannot look through the eyes of Leo"):
        VERBS[verb](key, LEO)


def test_a_check_of_a_situation_with_eyes_is_refused_too(key: World) -> None:
    with pytest.raises(AuthorsOnly):
        key.check(situation=Situation(focalizer="Leo"))


@pytest.mark.parametrize("empty", ["", " "])
@pytest.mark.parametrize("verb", sorted(VERBS))
def test_an_empty_name_is_nobodys_eyes_and_not_the_authors(key: World, verb: str, empty: str) -> None:
    with pytest.raises(QueryError, match=r"empty name|cannot look through the eyes"):
        VERBS[verb](key, {"at": "ch02", "as_": empty})


def test_his_scope_holds_nothing_that_he_has_not_met(key: World) -> None:
    engine = key.scope(at="ch02", as_="Leo").engine
    nodes = {str(node) for node, _ in rows(engine, "instance")}
    assert "ch02/move" not in nodes
    assert "hollow-book" not in nodes
    assert not [
        one
        for name in ("refers", "quote", "titled", "summary")
        for one in rows(engine, name)
        if "hollow" in repr(one)
    ]


# -- the command


def commands(group: typer.core.TyperGroup, prefix: str = "") -> Iterator[tuple[str, set[str]]]:
    """Every command, and the options it has."""
    for name, command in group.commands.items():
        if isinstance(command, typer.core.TyperGroup):
            yield from commands(command, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", {option for one in command.params for option in one.opts}


def test_every_command_of_such_a_verb_takes_eyes() -> None:
    group = get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    found = dict(commands(group))
    with_eyes = {
        name for name, options in found.items() if "--as" in options and not name.startswith("relay")
    }
    assert with_eyes == COMMANDS.keys() | SERVERS.keys()
    without = {name.split()[-1] for name in found} - {name.split()[-1] for name in COMMANDS}
    assert not without & (THROUGH_EYES | AUTHORS.keys())


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_the_command_binds_as_the_verb_does(key: World, name: str, narraworld: Callable[..., Said]) -> None:
    cut = () if name in ("diff", "branch compare", *AUTHORS) else ("--at", "ch02")
    said = narraworld(*COMMANDS[name], "-w", key.path, "--as", "Leo", *cut)
    if name in AUTHORS:
        assert (said.code, "cannot look through the eyes of Leo" in said.err) == (2, True)
    else:
        assert said.code in (0, 1)
        assert "hollow" not in said.out + said.err


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_a_command_refuses_an_empty_name(key: World, name: str, narraworld: Callable[..., Said]) -> None:
    said = narraworld(*COMMANDS[name], "-w", key.path, "--as", "")
    assert (said.code, said.out) == (2, "")
    assert "empty name" in said.err or "cannot look through the eyes" in said.err


@pytest.mark.parametrize("name", sorted(SERVERS))
def test_a_server_takes_up_its_eyes_before_it_answers_anybody(
    key: World, name: str, narraworld: Callable[..., Said]
) -> None:
    said = narraworld(*SERVERS[name], "-w", key.path, "--as", "Ophelia")
    assert (said.code, "Ophelia" in said.err) == (2, True)
