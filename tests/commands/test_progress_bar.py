"""What a person sees at a terminal while a model reads: one line that changes, and the lines that stay.

The command runs in a pseudo-terminal, against a server on this machine.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from fault_server import FaultServer, answers

pty = pytest.importorskip("pty", reason="a terminal to look at")
WIDTH = 60
TITLES = ("The lantern", "The night in which the lantern was carried over the bridge")
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def at_a_terminal(folder: Path, *words: str, **settings: str) -> tuple[int, str]:
    """The exit code of the command, and all that it sent to its terminal."""
    ours, its = pty.openpty()
    world = {**os.environ, "TERM": "xterm", "COLUMNS": str(WIDTH), "LINES": "24", **settings}
    command = subprocess.Popen(
        [sys.executable, "-m", "narraworld", *words], cwd=folder, env=world, stdin=its, stdout=its, stderr=its
    )
    os.close(its)
    seen = b""
    try:
        while piece := os.read(ours, 65536):
            seen += piece
    except OSError:  # how Linux says that nobody is left at the other end
        pass
    os.close(ours)
    return command.wait(), seen.decode()


def drawn(seen: str) -> list[str]:
    """The bar, each time it was drawn."""
    pieces = re.split(r"[\r\n]", CONTROL.sub("", seen))
    return [piece for piece in pieces if re.search(r" \d/\d ", piece)]


def left_standing(seen: str) -> list[str]:
    """The lines that nothing wiped."""
    lines = (
        re.split(r"\r(?:\x1b\[1A)?\x1b\[2K", line)[-1] for line in seen.replace("\r\n", "\n").split("\n")
    )
    return [line for line in (CONTROL.sub("", one).strip() for one in lines) if line and not drawn(line)]


def test_the_bar_is_one_line_and_leaves_only_what_was_read(tmp_path: Path) -> None:
    for number, title in enumerate(TITLES, 1):
        (tmp_path / f"ch0{number}.md").write_text(f"# {title}\n\nMara waited.\n", encoding="utf-8")

    with FaultServer(answers({})) as server:
        code, seen = at_a_terminal(
            tmp_path, "read", "ch01.md", "ch02.md", "--reader", "model",
            OPENAI_BASE_URL=server.url, OPENAI_API_KEY="any", NARRAWORLD_MODEL="gpt-5-mini",
        )  # fmt: skip

    bars = drawn(seen)
    assert code == 0
    assert {_step(bar) for bar in bars} >= {"0/3", "1/3", "2/3"}
    assert all(len(bar) <= WIDTH for bar in bars), bars
    assert "\x1b[1A\x1b[2K\x1b[1A" not in seen, "a bar of several lines is wiped by going up, and up again"
    assert any("The night" in bar and "… ━" in bar for bar in bars), "a long title gives way"
    assert [line.split()[0] for line in left_standing(seen)] == ["2", "ch01", "ch02"]

    code, seen = at_a_terminal(tmp_path, "check", "--fail-on", "never")
    assert code == 0
    assert "looking for what does not fit" in CONTROL.sub("", seen), "a check may take long"


def _step(bar: str) -> str:
    found = re.search(r"\d/\d", bar)
    return found[0] if found else ""
