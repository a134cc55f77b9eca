"""The README is true: its console blocks are run, its Python is run, its example rule is loaded."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from answerer import answer_to, tale
from places import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
ELISION = "…"
WIDE = {"COLUMNS": "100"}  # the terminal of the README, whatever width the one around the tests has
CHAPTERS = {
    "01.md": "# The Drawer\n\nLeo left the brass key in the drawer. He went down to the harbour. Ida had green eyes.\n",
    "02.md": "# The Book\n\nMara moved the brass key from the drawer into the hollow book. Ida had brown eyes.\n",
}


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that looks like a fresh clone as far as the README's paths go."""
    shutil.copytree(ROOT / "src" / "narraworld" / "stories", tmp_path / "src" / "narraworld" / "stories")
    (tmp_path / "chapters").mkdir()
    for name, text in CHAPTERS.items():
        (tmp_path / "chapters" / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("block", blocks("console"))
def test_console_block(block: str, desk: Path) -> None:
    for command, expected in re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
        words = [
            part
            for word in shlex.split(command)
            for part in (
                sorted(str(path.relative_to(desk)) for path in desk.glob(word)) if "*" in word else [word]
            )
        ]
        assert words[0] == "narraworld"
        done = subprocess.run(
            [sys.executable, "-m", *words], cwd=desk, env=os.environ | WIDE, capture_output=True, text=True, check=False
        )  # fmt: skip
        assert done.returncode == (1 if words[1] == "check" else 0), done.stderr
        assert matches(done.stdout.splitlines(), expected.splitlines()), done.stdout


def matches(lines: list[str], expected: list[str]) -> bool:
    """Line by line; a line that is only an ellipsis stands for any number of lines."""
    pattern = "".join(".*" if line.strip() == ELISION else re.escape(line) + "\n" for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in lines), re.DOTALL) is not None


def test_an_ellipsis_is_not_a_blank_cheque() -> None:
    assert matches(["a", "b", "c"], ["a", ELISION, "c"])
    assert not matches(["a", "b", "d"], ["a", ELISION, "c"])


def test_your_agent_reads_as_the_readme_says(tmp_path: Path) -> None:
    """The lines of the README, with a script for the agent between them."""
    [block] = [one for one in blocks("sh") if "--reader relay" in one]
    begin, ask, answer, serve = [line.partition("#")[0].strip() for line in block.splitlines()]
    tale(tmp_path / "chapters", units=1)
    assert shell(begin, tmp_path).returncode == 0
    answered = 0
    while shell(ask, tmp_path).returncode == 0:
        question = (tmp_path / "question.md").read_text("utf-8")
        id = question.split()[1]
        (tmp_path / "answer.json").write_text(json.dumps(answer_to(id.rpartition("-")[0], question)))
        assert shell(answer.replace("ID", id), tmp_path).returncode == 0
        answered += 1
    assert answered == 5, "four stages, and what was refused"
    assert "ch01" in shell("narraworld log", tmp_path).stdout
    assert shell(serve, tmp_path).returncode == 0, "ends when its host is gone"


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = line.replace("narraworld", f"{shlex.quote(sys.executable)} -m narraworld", 1)
    return subprocess.run(
        command, shell=True, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("code", blocks("python"))
def test_python_block(code: str, desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "README.md", "exec"), {})

    promised = re.findall(r"^\s*# (.+)$", code, re.MULTILINE)
    printed = capsys.readouterr().out.splitlines()
    assert matches(printed, promised), printed


@pytest.mark.parametrize("rules", blocks("prolog"))
def test_example_rules_load(rules: str, tmp_path: Path) -> None:
    from narraworld.rules.language.program import load_builtin

    (tmp_path / "house.dl").write_text(rules, encoding="utf-8")

    assert "keeps_from" in load_builtin([tmp_path / "house.dl"]).relations


def test_every_public_name_is_mentioned() -> None:
    import narraworld

    assert [name for name in narraworld.__all__ if name not in README] == []
