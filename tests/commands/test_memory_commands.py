"""`narraworld context`, `ask` and `preview` as a shell would run them: output, machine-readable twins, exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def test_ask_says_the_answer_its_holder_its_words_and_its_query(narraworld: Run, key_folder: Path) -> None:
    said = narraworld("ask", "Where does Leo think the key is?", "-w", key_folder, "--at", "ch02", "--query")

    assert (said.code, said.out.splitlines()[:3]) == (
        0,
        ["drawer", "    Leo, since ch01 (The drawer)", "    ch01 0–30: “Leo left the key in the drawer”"],
    )
    assert said.out.splitlines()[3].startswith('query: belief("leo", P')


@pytest.mark.parametrize(
    ("question", "code", "first"),
    [
        ("Where is the key?", 0, "hollow book"),
        ("Is the key in the drawer?", 1, "no"),
        ("Where is Mara?", 0, "found in the text, not derived:"),
        ("Sing a song", 2, "not understood; the nearest sentences, and the nearest query, are below"),
    ],
)
def test_exit_codes_of_ask(narraworld: Run, key_folder: Path, question: str, code: int, first: str) -> None:
    said = narraworld("ask", question, "-w", key_folder, "--at", "ch02")

    assert (said.code, said.out.splitlines()[0]) == (code, first)


def test_context_is_readable(narraworld: Run, key_folder: Path) -> None:
    said = narraworld(
        "context", "rewrite the betrayal scene", "-w", key_folder, "--at", "ch02", "--budget", "400"
    )

    assert said.code == 0
    for part in (
        "W: the world\n",
        "B: Leo\n",
        "D: developments\n",
        "[ch01]\n",
        "wrongly believes that the key is in the drawer",
    ):
        assert part in said.out
    assert "of 400 tokens" in said.out.splitlines()[-1]


def test_context_through_leos_eyes_says_nothing_of_the_book(narraworld: Run, key_folder: Path) -> None:
    said = narraworld(
        "context", "rewrite the betrayal scene", "-w", key_folder, "--at", "ch02", "--as", "Leo"
    )

    assert said.code == 0
    assert "book" not in said.out
    assert "no longer" not in said.out


def test_the_twin_has_records_and_spans(narraworld: Run, key_folder: Path) -> None:
    said = narraworld("context", "the key", "-w", key_folder, "--at", "ch02", "--json")
    twin = json.loads(said.out)

    assert twin["tokens"] <= twin["budget"] == 4000
    assert all(item["spans"][0]["quote"] for item in twin["items"])
    assert all(item["records"] for item in twin["items"] if item["section"] != "T")
    assert {"form", "focal", "intent", "needs", "planner"} <= twin["plan"].keys()
    assert twin["plan"]["planner"] == "rules"


def test_a_reply_as_json(narraworld: Run, key_folder: Path) -> None:
    reply = json.loads(narraworld("ask", "Where is the key?", "-w", key_folder, "--json").out)

    assert (reply["outcome"], reply["answers"][0]["symbols"]) == ("derived", ["leo"])


def test_preview(narraworld: Run, key_folder: Path) -> None:
    said = narraworld("preview", "-w", key_folder)

    assert (said.code, said.out.splitlines()[0].split(",")[0]) == (0, "Memory holds 3 chapters")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("context", "x", "--budget", "0"), "a budget of 0 tokens holds nothing"),
        (("context", " "), "the request is empty"),
        (("context", "x", "--for", "fun"), "--for has no choice 'fun'"),
        (("context", "x", "--planner", "magic"), "--planner has no choice 'magic'"),
        (("context", "x", "--without", "W"), "--without has no choice 'W'"),
        (("context", "x", "--as", "Nobody"), "nothing in the story is called 'Nobody'"),
        (("ask", "?"), "the question is empty"),
        (("ask", "Where is the key?", "--at", "ch99"), "no moment 'ch99'"),
    ],
)
def test_bad_input_is_one_message_and_exit_2(
    narraworld: Run, key_folder: Path, words: tuple[str, ...], message: str
) -> None:
    said = narraworld(*words, "-w", key_folder)

    assert said.code == 2
    assert message in said.err
