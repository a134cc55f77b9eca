"""Each command on a good day: what it prints and how it ends."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from places import STORIES
from typer.testing import CliRunner

from narraworld.commands.app import app

Command = Callable[..., Any]

KEY = sorted((STORIES / "key").glob("*.toml"))
MOVED = "“Mara moved the key from the drawer into the hollow book” (ch02 0–55)"


def test_read_says_what_became_of_each_file(narraworld: Command, tmp_path: Path) -> None:
    said = narraworld("read", *KEY, "-w", tmp_path)

    assert said.code == 0
    assert said.out.splitlines() == [
        "ch01  r1  1 character, 1 development, 2 event, 2 object, 1 place, 1 presence, 1 state, 1 step",
        "ch02  r2  1 character, 2 event, 1 object, 2 possibility, 1 presence, 1 state, 1 step",
        "ch03  r3  1 access, 1 attitude, 1 event, 1 realisation, 1 speech, 2 state, 1 step",
    ]


def test_views_quote_the_page(narraworld: Command, key_folder: Path) -> None:
    said = narraworld("views", "-w", key_folder, "--at", "ch02")

    assert said.code == 0
    assert [line for line in said.out.splitlines() if line and not line.startswith(" ")] == [
        "W  the world",
        "B  what is on whose mind",
        "D  developments",
        "H  what may yet come (never a fact)",
    ]
    assert f"the key is in the hollow book   {MOVED}" in said.out
    assert (
        "Leo wrongly believes that the key is in the drawer (took part); in truth the key is in the hollow book"
        in said.out
    )
    assert "Leo means to come back for the key (goal): opened → advanced" in said.out


def test_views_as_json(narraworld: Command, key_folder: Path) -> None:
    found = json.loads(narraworld("views", "-w", key_folder, "--json").out)

    assert [fact["proposition"] for fact in found["facts"]] == [
        "key.possession.leo",
        "not.key.location.hollow-book",
    ]
    assert found["beliefs"]["leo"][0]["status"] == "knows"


def test_views_of_an_empty_world(narraworld: Command, tmp_path: Path) -> None:
    narraworld("read", "-w", tmp_path, *KEY[:1])
    narraworld("retract", "ch01", "-w", tmp_path)

    said = narraworld("views", "-w", tmp_path)

    assert said.code == 0
    for line in ("nothing is known", "no evidence about anybody", "nothing is open", "nothing is on offer"):
        assert f"   {line}\n" in said.out


@pytest.mark.parametrize(("columns", "options"), [("100", ()), ("80", ("--wide",))], ids=["fits", "wide"])
def test_knows_is_a_table(
    narraworld: Command,
    key_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    columns: str,
    options: tuple[str, ...],
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert narraworld("knows", "-w", key_folder, "--at", "ch02", *options).out.splitlines() == [
        "                                                           Leo               Mara",
        "─────────────────────────────────────────────────────────  ────────────────  ───────────",
        "the key is in the drawer                                   believes falsely  no evidence",
        "the key is in the hollow book                              no evidence       knows",
        "“Leo left the key in the drawer”                           knows             no evidence",
        "“went down to the harbour”                                 knows             no evidence",
        "“Mara moved the key from the drawer into the hollow book”  no evidence       knows",
    ]


def test_knows_of_one_mind_shows_what_is_on_that_mind(narraworld: Command, key_folder: Path) -> None:
    assert narraworld("knows", "Mara", "-w", key_folder, "--at", "ch02", "--wide").out.splitlines() == [
        "                                                           Mara",
        "─────────────────────────────────────────────────────────  ─────",
        "the key is in the hollow book                              knows",
        "“Mara moved the key from the drawer into the hollow book”  knows",
    ]


def test_knows_of_nobody_there_is_a_usage_error(narraworld: Command, key_folder: Path) -> None:
    said = narraworld("knows", "Bertram", "-w", key_folder)
    assert (said.code, said.out) == (2, "")
    assert "Bertram" in said.err


def test_knows_as_json(narraworld: Command, key_folder: Path) -> None:
    found = json.loads(narraworld("knows", "-w", key_folder, "--json").out)

    assert found["characters"] == ["leo", "mara"]
    assert {"proposition": "key.possession.leo", "who": "mara", "status": "knows"} in found["cells"]
    assert {"event": "ch02/move", "who": "mara", "status": "knows"} in found["cells"]


@pytest.mark.parametrize(
    ("query", "code", "lines"),
    [
        pytest.param("knows(Leo, P)", 0, ["P", "─────────────────────────────────", "Leo has the key", "the key is not in the hollow book"], id="names"),
        pytest.param('knows("leo", "Leo has the key")', 0, ["yes"], id="yes"),
        pytest.param('knows("leo", "key.location.drawer")', 1, ["no"], id="no"),
        pytest.param("doubts(Who, P)", 1, ["no answer"], id="no answer"),
        pytest.param("knows(Who, P), !perceives(Who, _, \"observation\")", 0, ["Who  P", "───  ─────────────────────────────────", "Leo  Leo has the key", "Leo  the key is not in the hollow book"], id="a conjunction"),
        pytest.param("N = count : { happened(E) }", 0, ["N", "─", "5"], id="a count"),
        pytest.param('believes2(Mara, Leo, "Leo has the key")', 0, ["yes"], id="on demand"),
    ],
)  # fmt: skip
def test_query(narraworld: Command, key_folder: Path, query: str, code: int, lines: list[str]) -> None:
    said = narraworld("query", query, "-w", key_folder)

    assert (said.code, said.out.splitlines(), said.err) == (code, lines, "")


def test_query_as_json(narraworld: Command, key_folder: Path) -> None:
    assert json.loads(narraworld("query", "knows(Leo, P)", "-w", key_folder, "--json").out) == {
        "columns": ["P"],
        "rows": [["key.possession.leo"], ["not.key.location.hollow-book"]],
        "words": [["Leo has the key"], ["the key is not in the hollow book"]],
        "read_as": [{"text": "Leo", "meant": "leo", "words": "Leo"}],
    }


def test_text_is_printed_as_it_stands(narraworld: Command, tmp_path: Path) -> None:
    """Dots in a quotation do not make it a proposition."""
    file = tmp_path / "a.toml"
    file.write_text(
        '[unit]\nid="a"\norder=1\ntitle="Mr.J.Smith"\ntext="He came. Alone. Today."\n[[event]]\nkind="come"\nquote="He came. Alone. Today."\n'
    )
    narraworld("read", file, "-w", tmp_path)

    assert (
        narraworld("query", "quote(S, Text)", "-w", tmp_path)
        .out.splitlines()[-1]
        .endswith("He came. Alone. Today.")
    )
    assert narraworld("query", "titled(U, Title)", "-w", tmp_path).out.splitlines()[-1].endswith("Mr.J.Smith")


def test_why_and_why_not(narraworld: Command, key_folder: Path) -> None:
    why = narraworld("why", "knows(Mara, P)", "-w", key_folder, "--at", "ch02")
    why_not = narraworld(
        "why", 'believes(Leo, "the key is in the hollow book")', "-w", key_folder, "--at", "ch02"
    )

    assert (why.code, why_not.code) == (0, 1)
    assert MOVED in why.out
    assert MOVED in why_not.out


def test_why_as_a_tree_and_as_json(narraworld: Command, key_folder: Path) -> None:
    tree = narraworld("why", 'holds("Leo has the key")', "-w", key_folder, "--tree").out
    proof = json.loads(narraworld("why", 'holds("Leo has the key")', "-w", key_folder, "--json").out)
    missing = json.loads(
        narraworld("why", 'holds("the key is in the drawer")', "-w", key_folder, "--json").out
    )

    assert tree.startswith("holds(Leo has the key)  [world.dl:")
    assert proof[0]["format"] == "narraworld-proof/1"
    assert (missing["relation"], missing["holds"]) == ("holds", None)


@pytest.mark.parametrize(
    ("query", "code", "expected"),
    [
        ("SELECT ?n WHERE { <urn:nw:leo> <https://w3id.org/narraworld/name> ?n }", 0, "n\n───\nLeo\n"),
        ("SELECT ?n WHERE { <urn:nw:nobody> ?p ?n }", 1, "no answer\n"),
        ("ASK { <urn:nw:leo> a <https://w3id.org/narraworld/Character> }", 0, "yes\n"),
        ("ASK { <urn:nw:leo> a <https://w3id.org/narraworld/Place> }", 1, "no\n"),
    ],
    ids=["rows", "no rows", "yes", "no"],
)
def test_sparql(narraworld: Command, key_folder: Path, query: str, code: int, expected: str) -> None:
    said = narraworld("sparql", query, "-w", key_folder)

    assert (said.code, said.out) == (code, expected)


def test_sparql_that_would_never_end_is_ended(narraworld: Command, key_folder: Path) -> None:
    every = "".join(f"?s{n} ?p{n} ?o{n} . " for n in range(9))

    said = narraworld("sparql", f"SELECT (COUNT(*) AS ?n) {{ {every} }}", "--seconds", "2", "-w", key_folder)

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("narraworld: the query was not answered within 2 seconds\n")


def test_sparql_may_take_as_long_as_it_likes(narraworld: Command, key_folder: Path) -> None:
    said = narraworld("sparql", "ASK { ?s ?p ?o }", "--seconds", "inf", "-w", key_folder)

    assert (said.code, said.out) == (0, "yes\n")


def test_what_is_exported_can_be_imported(narraworld: Command, key_folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "key.trig"

    assert narraworld("export", file, "-w", key_folder).code == 0
    assert narraworld("import", file, "-w", tmp_path / "copy").code == 0
    assert narraworld("views", "-w", tmp_path / "copy").out == narraworld("views", "-w", key_folder).out


@pytest.mark.parametrize(
    ("suffix", "sign"), [("ttl", "nw:Character"), ("jsonld", "@graph"), ("dl", 'entity("leo", "character").')]
)
def test_what_is_exported_for_others(
    narraworld: Command, key_folder: Path, tmp_path: Path, suffix: str, sign: str
) -> None:
    file = tmp_path / f"key.{suffix}"

    assert narraworld("export", file, "-w", key_folder).code == 0
    assert sign in file.read_text(encoding="utf-8")


def test_history(narraworld: Command, key_copy: Path) -> None:
    assert narraworld("retract", "ch03", "-w", key_copy).out == "ch03  r4  retracted\n"
    log = [line.split()[:3] for line in narraworld("log", "-w", key_copy).out.splitlines()]
    diff = narraworld("diff", "r3", "r4", "-w", key_copy)

    assert log == [
        ["r1", "ch01", "unit"],
        ["r2", "ch02", "unit"],
        ["r3", "ch03", "unit"],
        ["r4", "ch03", "retract"],
    ]
    assert diff.code == 1
    assert diff.out.splitlines()[:6] == [
        "units: ch03",
        "facts",
        "  - Leo has the key",
        "  - the key is not in the hollow book",
        "  + the key is in the hollow book",
        "events",
    ]
    assert narraworld("diff", "r3", "r3", "-w", key_copy).out == "the views are the same\n"
    assert (
        narraworld("views", "-w", key_copy, "-r", "r3").out
        == narraworld("views", "-w", key_copy, "-r", "3").out
    )


def test_branches(narraworld: Command, key_copy: Path) -> None:
    assert narraworld("branch", "new", "kept", "-w", key_copy).out == "kept  from main r3\n"
    assert narraworld("retract", "ch03", "-b", "kept", "-w", key_copy).code == 0
    assert narraworld("branch", "list", "-w", key_copy).out == "kept  from main r3\n"
    assert narraworld("branch", "compare", "kept", "-w", key_copy).code == 1
    assert narraworld("branch", "compare", "main", "-w", key_copy).out == "the views are the same\n"
    assert narraworld("branch", "delete", "kept", "-w", key_copy).code == 0
    assert narraworld("branch", "list", "-w", key_copy).out == ""


def test_doctor_and_reindex(narraworld: Command, key_copy: Path) -> None:
    assert narraworld("reindex", "-w", key_copy).code == 0
    said = narraworld("doctor", "-w", key_copy)
    checks = json.loads(narraworld("doctor", "-w", key_copy, "--json").out)

    assert said.code == 0
    assert said.out.splitlines()[-1] == "ok    everything that is sound on main can be derived"
    assert {check["state"] for check in checks} == {"ok"}


def test_doctor_without_a_world(narraworld: Command, tmp_path: Path) -> None:
    said = narraworld("doctor", "-w", tmp_path)

    assert said.code == 0
    assert said.out.splitlines()[-2].startswith("warn  no world in ")


# -- the same through typer's own runner, and as a program of its own


def test_the_demo_tells_a_story() -> None:
    result = CliRunner().invoke(app, ["demo", "lamp"])

    assert result.exit_code == 0
    assert "Iona falsely told Tomas it worked" in result.output
    assert "narraworld why 'mistaken(Tomas, P, Truth)'" in result.output


def test_every_command_has_help() -> None:
    names = [
        command.name or command.callback.__name__ for command in app.registered_commands if command.callback
    ]
    for words in [[], *([name.rstrip("_")] for name in names), ["branch"], ["branch", "new"]]:
        result = CliRunner().invoke(app, [*words, "--help"])
        assert result.exit_code == 0, words
        assert result.output.startswith("Usage: "), words


def test_the_folder_may_come_from_the_environment(key_folder: Path) -> None:
    result = CliRunner().invoke(app, ["log"], env={"NARRAWORLD": str(key_folder)})

    assert result.exit_code == 0
    assert result.output.count("unit") == 3


def run(*words: str | Path, **more: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "narraworld", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


def test_a_program_of_its_own(key_folder: Path) -> None:
    said = run("query", "knows(Mara, P)", cwd=key_folder)

    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout.splitlines()[-1] == "the key is not in the hollow book"


def test_an_error_is_one_message_and_no_traceback(tmp_path: Path) -> None:
    said = run("views", cwd=tmp_path)

    assert (said.returncode, said.stdout) == (2, "")
    assert said.stderr == "narraworld: .: no .narraworld/ here\n  make one with: narraworld read FILE…\n"


def test_a_reader_who_has_seen_enough(key_folder: Path) -> None:
    """`narraworld export /dev/stdout | head -1` and the like: no complaint when nobody listens any more."""
    command = f"{sys.executable} -m narraworld log -w '{key_folder}' | true"
    said = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)

    assert "Traceback" not in said.stderr


HELP = """
import sys
from narraworld.commands.app import main
sys.argv = ["narraworld", "--help"]
try:
    main()
finally:
    print(*sorted(set(sys.modules) & set(HEAVY)), file=sys.stderr)
"""
HEAVY = (
    "pyDatalog", "rdflib", "pyshacl", "oxrdflib", "pyoxigraph", "duckdb", "lark", "openai", "instructor", "pydantic",
    "numpy", "jinja2", "tiktoken", "lemminflect",
)  # fmt: skip


def test_help_comes_at_once() -> None:
    """It loads none of what takes long to load; how long that is, a busy machine cannot say."""
    said = subprocess.run(
        [sys.executable, "-c", HELP.replace("HEAVY", repr(HEAVY))], capture_output=True, text=True, check=True
    )

    assert "Usage" in said.stdout and said.stderr == "\n"
