"""The skill for agents: every command it names runs, on a bundled story, and ends as the skill says."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from places import STORIES

ANSWERED = (0, 1)  # 1: it does not hold, nothing was found, or nothing is left


@pytest.fixture
def skill(tmp_path: Path, narraworld: Callable[..., Any]) -> Path:
    said = narraworld("skill", "--into", tmp_path / "skills")
    assert said.code == 0
    return tmp_path / "skills" / "narraworld"


def commands(page: Path) -> list[list[str]]:
    blocks = re.findall(r"^```sh\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [shlex.split(line) for block in blocks for line in block.splitlines()]


def test_every_command_of_the_skill_runs(
    skill: Path, tmp_path: Path, narraworld: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(STORIES / "crossing" / "chapters", tmp_path / "novel" / "chapters")
    monkeypatch.chdir(tmp_path / "novel")
    pages = [skill / "SKILL.md", *sorted((skill / "references").iterdir())]
    ran = 0
    for program, *arguments in [one for page in pages for one in commands(page)]:
        assert program == "narraworld"
        said = narraworld(*arguments)
        assert said.code in ANSWERED, (arguments, said.err)
        ran += 1
    assert ran >= 15


def test_the_skill_is_short_and_names_its_pages(skill: Path) -> None:
    text = (skill / "SKILL.md").read_text("utf-8")
    assert text.startswith("---\nname: narraworld\ndescription: ")
    assert len(text.split()) < 500
    named = set(re.findall(r"references/\w+\.md", text))
    assert named == {f"references/{page.name}" for page in (skill / "references").iterdir()}


def test_it_writes_over_nothing_by_itself(skill: Path, narraworld: Callable[..., Any]) -> None:
    again = narraworld("skill", "--into", skill.parent)
    assert again.code == 2 and "say --force" in again.err
    assert narraworld("skill", "--into", skill.parent, "--force").code == 0
