"""The commands around the surfaces: a table that fits, completion without deriving, one document for programs, an extra that is missing."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
import typer
from places import STORIES
from world_fixtures import Said

from narraworld.commands.app import app
from narraworld.commands.show import matrix_lines
from narraworld.commands.surfaces import completion
from narraworld.query.knows import Matrix

Command = Callable[..., Said]
MANY = [f"Somebody Number {n}" for n in range(9)]
MATRIX = Matrix(
    characters=(*MANY, "Nobody"), propositions=("p",),
    cells={("p", who): "knows" if n else "believes falsely" for n, who in enumerate(MANY)},
    names={**{who: who for who in (*MANY, "Nobody")}, "p": "the key is in the drawer"},
)  # fmt: skip


BEFORE = {
    "branch compare x": ["branch new x"],
    "branch delete x": ["branch new x"],
    "import whole.trig": ["export whole.trig"],
}
# Each lives until it is told to end and speaks a protocol of its own, or walks a person through a story.
SPEAK_OTHERWISE = {"serve", "mcp", "lsp", "demo"}


def commands_below(group: click.Command, name: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command that can be run, with its words."""
    for word, below in getattr(group, "commands", {}).items():
        yield from commands_below(below, f"{name} {word}".strip())
    if not hasattr(group, "commands"):
        yield name, group


def test_every_command_speaks_json() -> None:
    found = dict(commands_below(typer.main.get_command(app)))
    silent = {
        name for name, one in found.items() if "--json" not in {word for it in one.params for word in it.opts}
    }
    assert silent == SPEAK_OTHERWISE and len(found) > 40


def test_a_table_that_does_not_fit_has_marks_and_people_by_turns() -> None:
    lines = list(matrix_lines(MATRIX, 60))
    assert max(map(len, lines)) <= max(60, len(lines[-1]))
    assert lines[2].split()[-2:] == ["✗", "●"]
    assert sum(line.startswith("the key") for line in lines) == 5
    assert lines[-1].startswith("● knows  ✗ believes falsely")


def test_a_mind_of_which_nothing_is_known_is_left_out_unless_asked_for() -> None:
    assert "Nobody" not in "".join(matrix_lines(MATRIX, wide=True))
    assert "Nobody" in "".join(matrix_lines(MATRIX, wide=True, everybody=True))


def completed(what: Callable[..., list[tuple[str, str]]], where: Path, begun: str) -> list[tuple[str, str]]:
    context = click.Context(click.Command("narraworld"))
    context.params = {"where": where}
    return what(context, begun)


def test_a_shell_completes_from_the_journal(key_folder: Path, tmp_path: Path) -> None:
    assert completed(completion.moments, key_folder, "ch0")[0] == ("ch01", "The drawer")
    assert [name for name, _ in completed(completion.minds, key_folder, "")] == ["Leo", "Mara"]
    assert completed(completion.revisions, key_folder, "r2") == [("r2", "ch02")]
    assert completed(completion.branches, key_folder, "") == [("main", "the story")]
    assert completed(completion.moments, tmp_path, "") == []
    assert completion.rule_numbers("nw111") == [("NW111", "eyes change colour")]
    assert dict(completion.relations("mistak"))["mistaken"]
    assert completion.formats("js") == ["json", "jsonl"]


@pytest.mark.parametrize(
    "words",
    [
        "log",
        "branch list",
        "refusals",
        "sparql ASK{?s?p?o}",
        "check",
        "branch new x",
        "branch compare x",
        "retract ch03",
        "read 01-the-drawer.toml",
        "reindex",
        "export whole.trig",
        "import whole.trig",
        "sheet",
        "analyse genette",
        "rules show mistaken",
        "decisions merge Leo Mara",
        "decisions split Leo Mara",
        "branch delete x",
    ],
)
def test_a_program_gets_one_document(
    words: str, key_copy: Path, narraworld: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(STORIES / "key" / "01-the-drawer.toml", key_copy)
    monkeypatch.chdir(key_copy)
    for before in BEFORE.get(words, ()):
        narraworld(*before.split())
    said = narraworld(*words.split(), "-w", key_copy, "--json")
    assert said.code in (0, 1), said.err
    json.loads(said.out)


@pytest.mark.parametrize(
    ("command", "library", "extra"),
    [("serve", "uvicorn", "web"), ("mcp", "mcp.server", "mcp"), ("lsp", "pygls", "lsp")],
)
def test_a_missing_extra_is_named(
    command: str,
    library: str,
    extra: str,
    key_folder: Path,
    narraworld: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in [
        one
        for one in sys.modules
        if one.startswith(("narraworld.web", "narraworld.mcp.server", "narraworld.lsp", library))
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    said = narraworld(command, *(["-w", key_folder] if command != "lsp" else []))
    assert said.code == 2
    assert f"narraworld {command} needs the {extra} extra" in said.err
    assert f'pip install "narraworld[{extra}]"' in said.err


def test_a_story_becomes_a_canvas(key_folder: Path, tmp_path: Path, narraworld: Command) -> None:
    assert narraworld("export", tmp_path / "story.canvas", "-w", key_folder).code == 0
    board = json.loads((tmp_path / "story.canvas").read_text("utf-8"))
    ids = {node["id"] for node in board["nodes"]}
    assert {"p-leo", "p-mara", "c-ch01"} <= ids
    assert all({"id", "type", "x", "y", "width", "height"} <= set(node) for node in board["nodes"])
    assert all({edge["fromNode"], edge["toNode"]} <= ids for edge in board["edges"])


def test_help_pays_for_no_surface() -> None:
    import subprocess

    code = "import sys; import narraworld.commands.app; print([m for m in ('starlette', 'uvicorn', 'mcp', 'pygls', 'pandas', 'spacy') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"
    assert "serve" in typer.main.get_command(app).commands  # type: ignore[attr-defined]
