"""`narraworld rules`: a person with a rule file, what they type and what they are told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Command = Callable[..., Any]


SOUND = ".decl Friend(a:symbol)\n.output Friend\nFriend(x) :- believes(x, _).\n"
BROKEN = ".decl Friend(a:symbol)\nFriend(x) :- beleives(x, _).\n.comp Minds { }\nFriend('leo').\n"


def test_check_tells_everything_at_once(narraworld: Command, tmp_path: Path) -> None:
    file = tmp_path / "mine.dl"
    file.write_text(BROKEN)
    said = narraworld("rules", "check", str(file))
    assert said.code == 1
    assert said.out == (
        f"{file}:3:1: expected a declaration, a fact or a rule, found '.'\n"
        "  rules have no components: write a rule file for each copy\n"
        f'{file}:4:8: unexpected "\'"\n  symbols stand in double quotes\n2 problems\n'
    )
    file.write_text(BROKEN.split(".comp")[0])
    said = narraworld("rules", "check", str(file))
    assert f"{file}:2:14: no relation is called beleives\n  did you mean believes?" in said.out


def test_check_hints_and_is_content(narraworld: Command, tmp_path: Path) -> None:
    file = tmp_path / "mine.dl"
    file.write_text(SOUND + "Friend(x) :- believes(x, leo).\n")
    said = narraworld("rules", "check", str(file))
    assert (said.code, said.out.splitlines()[-1]) == (0, "no problems, 1 hint")
    document = json.loads(narraworld("rules", "check", "--json", str(file)).out)
    assert [(one["line"], one["what"]) for one in document["hints"]] == [
        (4, "leo stands once and means anything at all")
    ]


def test_a_program_of_its_own(narraworld: Command, tmp_path: Path) -> None:
    file = tmp_path / "edges.dl"
    file.write_text('.decl contains(a:symbol, b:symbol)\ncontains("x", "y").\n.output contains\n')
    assert "contains is declared twice" in narraworld("rules", "check", str(file)).out
    assert narraworld("rules", "check", "--alone", str(file)).out == "no problems, 0 hints\n"


def test_show_a_relation_with_a_row_and_its_proof(
    narraworld: Command, key_folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / "mine.dl"
    file.write_text(SOUND)
    said = narraworld("rules", "show", "Friend", "--rules", str(file), "-w", str(key_folder))
    assert said.code == 0
    assert said.out.startswith(".decl Friend(a:symbol)\nFriend(x) :- believes(x, _).\n")
    assert "used by   nothing" in said.out
    assert "example   Friend(" in said.out

    unknown = narraworld("rules", "show", "Freind", "--rules", str(file), "-w", str(key_folder))
    assert unknown.code == 2
    assert "did you mean Friend?" in unknown.err


def test_format_prints_or_writes(narraworld: Command, tmp_path: Path) -> None:
    file = tmp_path / "mine.dl"
    file.write_text("// mine\n.decl r(a:symbol ,b:symbol)\n")
    assert narraworld("rules", "format", str(file)).out == "// mine\n.decl r(a:symbol, b:symbol)\n"
    assert narraworld("rules", "format", "--write", str(file)).out == f"laid out {file}\n"
    assert file.read_text() == "// mine\n.decl r(a:symbol, b:symbol)\n"
    assert narraworld("rules", "format", "--write", str(file)).out == ""
