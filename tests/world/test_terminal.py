"""A manuscript may hold what a terminal obeys (titles, bells, colours): it is shown, never sent."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from places import ROOT

from narraworld.commands.options import visible

Command = Callable[..., Any]

TITLE, BELL, C1 = "\x1b]0;owned\x07", "\x07", "\x9b31m"
STORY = f"# The {TITLE}door\n\nMara{BELL} took the {C1}lamp. Mara said, “The lamp is {TITLE}red.”\n"
OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@pytest.fixture
def novel(narraworld: Command, tmp_path: Path) -> Path:
    (tmp_path / "ch01.md").write_text(STORY)
    said = narraworld("read", tmp_path / "ch01.md", "-w", tmp_path)
    assert said.out.startswith("ch01  The \\u001b]0;owned\\u0007door  r1  ")
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        ["views"], ["views", "--json"], ["knows"], ["query", "called(X, N)"], ["query", "called(X, N)", "--json"],
        ["why", "happened(ch01/take)"], ["sparql", "select ?t where { graph ?g { ?s ?p ?t } }"], ["log"], ["coverage"],
        ["coverage", "--json"], ["context", "What of the lamp?"], ["ask", "Who took the lamp?"], ["preview"], ["check"],
        ["check", "--format", "json"], ["check", "--format", "sarif"], ["check", "--format", "markdown"], ["refusals"],
        ["doctor"], ["query", f"called(X, \"{TITLE}\")"], ["retract", f"ch{TITLE}"],
    ],
    ids=lambda command: " ".join(command[:3]).replace("\x1b", "ESC").replace("\x07", "BEL"),
)  # fmt: skip
def test_nothing_that_a_terminal_obeys_is_printed(
    narraworld: Command, novel: Path, command: list[str]
) -> None:
    said = narraworld(*command, "-w", novel)
    assert OBEYED.findall(said.out + said.err) == []


def test_json_means_the_same_sign(narraworld: Command, novel: Path) -> None:
    said = narraworld("sparql", "ask { graph ?g { ?s ?p ?t } }", "-w", novel)
    assert said.out == "yes\n"
    sign = json.loads(visible(json.dumps(C1, ensure_ascii=False)))
    assert sign == C1


def test_what_a_terminal_shows_is_left_alone() -> None:
    assert visible("Zoë said,\n\t“Über 字 😀 \\u001b”") == "Zoë said,\n\t“Über 字 😀 \\u001b”"
    assert visible("a\rb\x7f\udc80") == "a\\u000db\\u007f\\udc80"


def test_commands_print_in_no_other_way() -> None:
    rooms = (ROOT / "src" / "narraworld").rglob("*.py")
    others = {
        file.name for file in rooms if re.search(r"\b(?:typer|click)\.echo\b|\bprint\(", file.read_text())
    }
    assert len(others) == 1, others
