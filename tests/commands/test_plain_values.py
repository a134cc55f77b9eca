"""Words of the command line: the one command that was typed, and its texts and paths as they stand."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import pytest
import typer

from narraworld.commands.app import app
from narraworld.commands.surfaces.plain_values import quick_command


def told(*words: str) -> dict[str, Any]:
    """What a command with every kind of value is given for these words."""
    small, given = typer.Typer(), dict[str, Any]()

    @small.command()
    def tell(
        name: str, files: list[Path], many: Annotated[int, typer.Option(min=1)] = 3, some: list[str] | None = None,
        where: Path = Path(), loud: bool = False,
    ) -> None:  # fmt: skip
        given.update(name=name, files=files, many=many, some=some, where=where, loud=loud)

    @small.callback()
    def line() -> None: ...

    quick_command(small, words)(list(words), standalone_mode=False)
    return given


def test_texts_and_paths_are_taken_as_they_stand() -> None:
    assert told("tell", "Leo", "a.md", "b", "--some", "x", "--where", "w", "--loud") == {
        "name": "Leo", "files": [Path("a.md"), Path("b")], "many": 3, "some": ["x"], "where": Path("w"), "loud": True,
    }  # fmt: skip


def test_a_number_is_read_and_held_to_its_bounds() -> None:
    assert told("tell", "Leo", "a.md", "--many", "7")["many"] == 7
    with pytest.raises(Exception, match="greater than or equal to 1"):
        told("tell", "Leo", "a.md", "--many", "0")


def test_only_the_command_that_was_typed_is_built() -> None:
    assert list(quick_command(app, ["log"]).commands) == ["log"]
    assert list(quick_command(app, ["branch", "list"]).commands) == ["branch"]


@pytest.mark.parametrize("words", [[], ["--help"], ["lgo"]], ids=["nothing", "help", "misspelt"])
def test_where_no_command_is_typed_all_are_there(words: list[str]) -> None:
    assert len(quick_command(app, words).commands) > 20


def test_a_shell_that_completes_is_offered_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_NARRAWORLD_COMPLETE", "complete_bash")
    assert len(quick_command(app, ["log"]).commands) > 20
