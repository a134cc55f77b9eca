"""Each command on a bad day: one message that says what, where and what to do; exit 2; never a traceback."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from narraworld.kb.journal.store import Store

Command = Callable[..., Any]

DIGITS = "9" * 5000  # more than Python reads
UNIT = '[unit]\nid = "ch09"\norder = 9\ntext = "Leo left. Mara stayed."\n'


@pytest.mark.parametrize(
    ("words", "message"),
    [
        pytest.param("views --at ch9", "no moment 'ch9' in this story\n  there are three chapters; the last is ch03", id="unit, in --at"),
        pytest.param("views --told chapter", "no moment 'chapter' in this story\n", id="unit, in --told"),
        pytest.param("views --at 'ch02 scene 7'", "no moment 'ch02 scene 7' in this story\n", id="scene"),
        pytest.param("views -b rescu", "no branch 'rescu'\n", id="branch"),
        pytest.param("views -r r9", "main: no revision 9\n  revisions go from 0 (empty) to 3\n", id="revision"),
        pytest.param("views -r newest", "'newest' is not a revision\n  write r3", id="not a revision"),
        pytest.param(f"views -r r{DIGITS}", f"'r{DIGITS}' is not a revision\n", id="a revision without end"),
        pytest.param(f"views --at {DIGITS}", f"no moment '{DIGITS}' in this story\n", id="a moment without end"),
        pytest.param(f"views --at 'ch02 scene {DIGITS}'", f"no moment 'ch02 scene {DIGITS}' in this story\n", id="a scene without end"),
        pytest.param(f"query 'at(X, {DIGITS})'", f"<query>:1:7: {DIGITS} does not fit in 64 bits\n", id="a number without end"),
        pytest.param("views --as Maraa", "nothing in the story is called 'Maraa'\n  did you mean Mara?\n", id="focalizer"),
        pytest.param("views --engine fast", "there is no engine 'fast'\n  use auto, sqlite, duckdb or pydatalog\n", id="engine"),
        pytest.param("query 'believes(Leo,'", "<query>:1:14: ", id="query cut short"),
        pytest.param("query 'believes(Leo, P) Q'", "<query>:1:18: ", id="query with a stray word"),
        pytest.param("query 'belives(Leo, P)'", "<query>:1:1: no relation is called belives\n  did you mean believes?\n", id="relation"),
        pytest.param("query 'believes(Leo)'", "<query>:1:1: believes has 1 argument here but takes 2\n", id="arity"),
        pytest.param("query ''", "<query>:1:1: ", id="no query at all"),
        pytest.param("why 'open(X), open(Y)'", "<query>:1:1: a goal is one relation and nothing else\n", id="two goals"),
        pytest.param("retract ch07", "main@3: no unit 'ch07'\n  did you mean ch0", id="unit, to retract"),
        pytest.param("diff r1 r9", "main: no revision 9\n", id="revision, in diff"),
        pytest.param("sparql ' '", "the query is empty\n", id="no SPARQL at all"),
        pytest.param("sparql 'ASK { ?s ?p \"\udcff\" }'", "the query is not UTF-8 text\n", id="SPARQL that is no text"),
        pytest.param("sparql 'SELECT * WHERE {'", "not a SPARQL query: ", id="SPARQL cut short"),
        pytest.param("sparql 'DELETE WHERE { ?s ?p ?o }'", "DELETE would change the data\n", id="SPARQL that writes"),
        pytest.param("export story.pdf", "story.pdf: the format 'pdf' is not among trig, nq, ttl, jsonld\n", id="format"),
        pytest.param("export nowhere/story.nq", "nowhere/", id="folder of an export"),
        pytest.param("import missing.nq", "missing.nq: No such file or directory\n", id="import of nothing"),
        pytest.param("import .", ".: Is a directory\n", id="import of a folder"),
        pytest.param("import novel/.narraworld/lock", "novel/.narraworld/lock: the format '' is not among trig, nq\n", id="format of an import"),
        pytest.param("branch delete main", "'main' is the story itself\n", id="the story, to delete"),
        pytest.param("branch delete rescue", "no branch 'rescue'\n", id="branch, to delete"),
        pytest.param("branch new main", "there is a branch 'main' already\n", id="branch, taken"),
        pytest.param("branch new ../x", "branch name '../x' has a dot where a path could hide\n", id="branch, as a path"),
        pytest.param("branch compare rescue", "no branch 'rescue'\n", id="branch, to compare"),
        pytest.param("demo lantern", "there is no bundled story 'lantern'\n  choose from: key, lamp, gate\n", id="story"),
        pytest.param("demo --reader robot", "--reader has no choice 'robot'\n  choose from: records, model\n", id="reader, in the demo"),
        pytest.param("read x.md --reader robot", "--reader has no choice 'robot'\n  choose from: embedded, model, relay\n", id="reader"),
        pytest.param("read x.md --on-failure cry", "--on-failure has no choice 'cry'\n  choose from: stop, go-on\n", id="what to do on failure"),
        pytest.param("read x.md --model gpt-5", "--model, --replay, --record, --carry and --max-cost need --reader model\n  add --reader model, or leave them out\n", id="a model for the embedded reader"),
        pytest.param("context x --for role-play", "role-play needs a speaker\n  add --as NAME\n", id="nobody's role"),
        pytest.param("context x --to Leo", "--to is only used with --for role-play\n  add --for role-play, or leave it out\n", id="spoken to by nobody"),
        pytest.param("context x --for role-play --as Leo --to Maraa", "nothing in the story is called 'Maraa'\n  did you mean Mara?\n", id="spoken to"),
        pytest.param("context x --model gpt-5", "--model and --replay have no effect without --planner model or --with-model\n  add --planner model or --with-model, or leave them out\n", id="a model for the rules"),
        pytest.param("ask 'Where is Leo?' --replay .", "--model, --replay and --record have no effect without --with-model\n  add --with-model, or leave them out\n", id="a model for the table"),
        pytest.param("check --select NW101,XX", "no check has a number that begins with XX\n  all checks: narraworld rule\n", id="check"),
        pytest.param("decisions merge Leo key", "'Leo' is a character and 'key' is an object\n  if one of them", id="two kinds"),
        pytest.param("read ''", "one of the file names is empty\n  for the folder you are in", id="an empty name"),
        pytest.param("decisions merge Leo leo", "'Leo' and 'leo' are the same already\n", id="one and the same"),
    ],
)  # fmt: skip
def test_nothing_by_that_name(
    narraworld: Command, key_folder: Path, monkeypatch: pytest.MonkeyPatch, words: str, message: str
) -> None:
    monkeypatch.setenv("NARRAWORLD", str(key_folder))
    monkeypatch.chdir(key_folder.parent)

    said = narraworld(*shlex.split(words))

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"narraworld: {message}")
    assert "Traceback" not in said.err


def test_a_passage_that_is_no_text(narraworld: Command, key_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "scene.md").write_bytes(b"\x80")

    said = narraworld("context", "x", "--passage", tmp_path / "scene.md", "-w", key_folder)

    assert (said.code, said.out) == (2, "")
    assert said.err == f"narraworld: {tmp_path / 'scene.md'}: is not UTF-8 text\n  save it as UTF-8\n"


def test_an_export_onto_a_folder(narraworld: Command, key_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "story.nq").mkdir()

    said = narraworld("export", tmp_path / "story.nq", "-w", key_folder)

    assert (said.code, said.out) == (2, "")
    assert said.err == f"narraworld: {tmp_path / 'story.nq'}: cannot be written: Is a directory\n"
    assert [path.name for path in tmp_path.iterdir()] == ["story.nq"]


@pytest.mark.parametrize(
    "words",
    ["read ch01.md --dry-run", "read none.md", "import none.nq", "import ch01.md", "import junk.nq"],
)
def test_what_reads_nothing_leaves_no_world_behind(
    narraworld: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("ch01.md", "junk.nq"):
        (tmp_path / name).write_text("Leo left.\n", encoding="utf-8")

    narraworld(*words.split())

    assert sorted(path.name for path in tmp_path.iterdir()) == ["ch01.md", "junk.nq"]


def test_records_are_not_kept_by_a_dry_run(narraworld: Command, key_copy: Path) -> None:
    (key_copy / "ch09.toml").write_text(UNIT, encoding="utf-8")

    said = narraworld("read", key_copy / "ch09.toml", "--dry-run", "-w", key_copy)

    assert (said.code, said.out.startswith("0 units with ")) == (0, True)
    assert "ch09" not in narraworld("log", "-w", key_copy).out


@pytest.mark.parametrize(
    "tick", ["tick:" + "9" * 30, "tick:-" + "9" * 30], ids=["ever after", "before anything"]
)
def test_a_moment_beyond_every_clock(narraworld: Command, key_folder: Path, tick: str) -> None:
    assert narraworld("views", "--at", tick, "-w", key_folder).code == 0


def test_a_name_for_two_things(narraworld: Command, key_copy: Path, tmp_path: Path) -> None:
    file = tmp_path / "ch09.toml"
    file.write_text(UNIT + '[[character]]\nid = "other-leo"\nname = "Leo"\nquote = "Leo"\n', encoding="utf-8")
    narraworld("read", file, "-w", key_copy)

    said = narraworld("query", 'believes("Leo", P)', "-w", key_copy)

    assert (said.code, said.err) == (
        2,
        "narraworld: 'Leo' could be Leo (leo) or Leo (other-leo)\n  use the id: leo or other-leo\n",
    )

    asked = narraworld("context", "--for", "question", "Where does Leo think the key is?", "-w", key_copy)
    assert (asked.code, asked.err) == (0, "")  # for memory it is no error: both are looked for


@pytest.mark.parametrize(
    "words", ["views", "knows", "log", "query open(D)", "why open(D)", "retract ch01", "diff r0 r1", "reindex", "branch list", "export x.nq", "sparql ASK{}"]
)  # fmt: skip
@pytest.mark.parametrize("folder", ["empty", "missing"])
def test_no_world_here(narraworld: Command, tmp_path: Path, words: str, folder: str) -> None:
    (tmp_path / "empty").mkdir()

    said = narraworld(*words.split(), "-w", tmp_path / folder)

    assert (said.code, said.out) == (2, "")
    assert (
        said.err
        == f"narraworld: {tmp_path / folder}: no .narraworld/ here\n  make one with: narraworld read FILE…\n"
    )
    assert [path.name for path in tmp_path.rglob("*")] == ["empty"], "and none is made by asking"


# -- record files


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param("[unit", ": is not TOML: ", id="not TOML"),
        pytest.param(f"order = {DIGITS}", ": is not TOML: ", id="a number without end"),
        pytest.param(b"\xff\xfe", ": byte 0: is not UTF-8 text\n  save the file as UTF-8\n", id="not UTF-8"),
        pytest.param('title = "x"', ": has no [unit] table\n", id="no unit"),
        pytest.param('[unit]\nid = "a"', ": [unit] has no order, no text\n", id="half a unit"),
        pytest.param('[unit]\nid = 3\norder = "1"\ntext = 5', ": [unit] has id = 3, order = '1', text = 5\n", id="wrong kinds of value"),
        pytest.param('[unit]\nid = "../a"\norder = 1\ntext = "a"', ": unit id '../a' has a dot where a path could hide\n", id="a path for an id"),
        pytest.param('[unit]\nid = "a"\norder = -1\ntext = "a"', ": the order of unit a is -1\n", id="before the beginning"),
        pytest.param(UNIT + 'colour = "red"', ": [unit] has unknown key colour\n", id="unknown key"),
        pytest.param(UNIT + '[[charcter]]\nname = "Leo"', ": there is no class 'Charcter'\n  did you mean Character?\n", id="unknown class"),
        pytest.param(UNIT + '[[character]]\nname = "Leo"\ncolour = "red"', ": [[character]] number 1: there is no property of Character 'colour'\n", id="unknown property"),
        pytest.param(UNIT + '[character]\nname = "Leo"', ": [character] should be written [[character]], once per record\n", id="one bracket"),
        pytest.param(UNIT + '[[character]]\nid = 7\nname = "Leo"', ": [[character]] number 1: id is 7\n", id="a number for an id"),
        pytest.param(UNIT + '[[state]]\nproposition = "leo.location"\nquote = "Leo left"', ": [[state]] number 1: 'leo.location' is not a proposition\n", id="half a proposition"),
        pytest.param(UNIT + '[[event]]\nkind = {a = 1}', ": [[event]] number 1: kind is {'a': 1}\n  give one value, or a list of them\n", id="a table for a value"),
        pytest.param(UNIT + '[[character]]\nname = [["Leo"]]', ": [[character]] number 1: name is [['Leo']]\n", id="a list in a list"),
        pytest.param(UNIT + "participants = [7]", ": [unit] has participants = [7]\n", id="a number among the participants"),
    ],
)  # fmt: skip
def test_a_record_file_that_cannot_be_read(
    narraworld: Command, tmp_path: Path, content: str | bytes, message: str
) -> None:
    file = tmp_path / "bad.toml"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())

    said = narraworld("read", file, "-w", tmp_path)

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"narraworld: {file}{message}")
    assert list(tmp_path.iterdir()) == [file]  # no empty world beside it


def test_one_bad_file_of_records_and_none_is_committed(narraworld: Command, tmp_path: Path) -> None:
    good, bad = tmp_path / "1.toml", tmp_path / "2.toml"
    good.write_text(UNIT)
    bad.write_text("[unit")

    assert narraworld("read", good, bad, "-w", tmp_path).code == 2
    assert sorted(tmp_path.iterdir()) == [good, bad]


@pytest.mark.parametrize(
    "content", ["{", "[3]", '[{"record": "x"}]'], ids=["no JSON", "no tables", "half of it"]
)
@pytest.mark.parametrize(
    ("words", "name", "message"),
    [
        ("refusals", "refusals/ch01.json", "is not a list of refusals\n  delete it; reading ch01 again"),
        (
            "check --judge",
            "verdicts.json",
            "is not a list of verdicts\n  restore it from a copy, or delete it",
        ),
    ],
    ids=["refusals", "verdicts"],
)
def test_a_damaged_file_beside_the_journal(
    narraworld: Command, key_copy: Path, words: str, name: str, message: str, content: str
) -> None:
    file = key_copy / ".narraworld" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(content)

    said = narraworld(*words.split(), "-w", key_copy)

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"narraworld: {file}: {message}")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("none.toml", "cannot be read: No such file or directory\n"),
        ("folder", "has no readable files in it\n"),
    ],
    ids=["no file", "an empty folder"],
)
def test_nothing_to_read(narraworld: Command, tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "folder").mkdir()

    said = narraworld("read", tmp_path / name, "-w", tmp_path)

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"narraworld: {tmp_path / name}: {why}")


@pytest.mark.parametrize(
    ("records", "refused", "kept"),
    [
        pytest.param(
            '[[character]]\nid = "leo"\nname = "Leo"\nquote = "Theo"\n',
            ["leo: the quote is not in the text (Theo)"],
            ["mara"],
            id="a quote that is not there",
        ),
        pytest.param(
            '[[event]]\nid = "go"\nkind = "go"\nagent = "mara"\nquote = "e"\n',
            ["ch09/go: the quote stands 3 times in the text; quote more of it (e)"],
            ["mara"],
            id="a quote that is there thrice",
        ),
        pytest.param(
            '[[event]]\nid = "go"\nkind = "go"\nagent = "leo"\nquote = "Leo left"\n',
            ["ch09/go: "],
            ["mara"],
            id="nobody was introduced",
        ),
        pytest.param(
            '[[event]]\nid = "go"\nkind = "go"\nrealis = "maybe"\nquote = "Leo left"\n',
            ["ch09/go: whether an event happens is one of: "],
            ["mara"],
            id="not a code",
        ),
        pytest.param(
            '[[character]]\nid = "le o"\nname = "Leo"\nquote = "Leo"\n',
            ["le o: the id of a record starts with urn:nw: and holds no spaces"],
            ["mara"],
            id="an id with a space",
        ),
    ],
)
def test_what_is_refused_takes_no_neighbour_along(
    narraworld: Command, tmp_path: Path, records: str, refused: list[str], kept: list[str]
) -> None:
    file = tmp_path / "ch09.toml"
    file.write_text(
        UNIT + records + '[[character]]\nid = "mara"\nname = "Mara"\nquote = "Mara"\n', encoding="utf-8"
    )

    said = narraworld("read", file, "-w", tmp_path)
    lines = [line.strip() for line in said.out.splitlines()]

    assert (said.code, said.err) == (1, "")
    assert lines[0] == "ch09  r1  1 character"
    assert len(lines) == 1 + len(refused)
    assert all(line.startswith(f"refused {start}") for line, start in zip(lines[1:], refused, strict=True))
    assert narraworld("query", "entity(E, K)", "-w", tmp_path, "--json").out.count('"mara"') == len(kept)


def test_a_unit_that_is_refused_is_not_committed(narraworld: Command, tmp_path: Path) -> None:
    """Its records would have no place to stand."""
    file = tmp_path / "ch09.toml"
    file.write_text(UNIT + 'participants = "nobody"\n', encoding="utf-8")

    said = narraworld("read", file, "-w", tmp_path)

    assert said.code == 1
    assert said.out.startswith("ch09  not committed  no records\n  refused ch09: ")
    assert narraworld("log", "-w", tmp_path).out == ""
    assert narraworld("views", "-w", tmp_path).code == 0


# -- settings


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        pytest.param("[rules", ": is not TOML: ", id="not TOML"),
        pytest.param(b"\xff", ": is not TOML: ", id="not UTF-8"),
        pytest.param("[ruels]", ": has an unknown table [ruels]\n  known are: calendar, thresholds, respects, rules, limits, model, read\n", id="unknown table"),
        pytest.param("[rules]\nfilez = []", ": has an unknown key 'filez' in [rules]\n  known are: ", id="unknown key"),
        pytest.param("rules = 3", ": rules is not a table\n", id="not a table"),
        pytest.param('[rules]\nfiles = "a.dl"', ": files in [rules] is 'a.dl'\n  it should be a list of names\n", id="not a list"),
        pytest.param("[limits]\nfacts = 0", ": facts in [limits] is 0\n  it should be a number above zero\n", id="no limit at all"),
        pytest.param("[limits]\nfacts = inf", ": facts in [limits] is inf\n  it should be a number above zero\n", id="no end"),
        pytest.param('[limits]\nseconds = "5"', ": seconds in [limits] is '5'\n", id="not a number"),
    ],
)  # fmt: skip
def test_settings_that_cannot_be_used(
    narraworld: Command, key_copy: Path, settings: str | bytes, message: str
) -> None:
    file = key_copy / "narraworld.toml"
    file.write_bytes(settings if isinstance(settings, bytes) else settings.encode())

    said = narraworld("views", "-w", key_copy)

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"narraworld: {file}{message}")


def test_a_switch_nobody_knows(narraworld: Command, key_copy: Path) -> None:
    (key_copy / "narraworld.toml").write_text('[rules]\non = ["trsut"]\n', encoding="utf-8")

    said = narraworld("views", "-w", key_copy)

    assert said.code == 2
    assert (
        said.err
        == "narraworld: narraworld.toml: no rule asks for the switch 'trsut'\n  did you mean trust?\n"
    )


# -- somebody else is writing


@pytest.fixture
def writer(key_copy: Path) -> Iterator[Store]:
    store = Store.open(key_copy)
    with store.writing():
        yield store


@pytest.mark.parametrize("words", ["retract ch01", "branch new rescue", "read ch09.toml"])
def test_a_locked_store(
    narraworld: Command, writer: Store, key_copy: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    monkeypatch.chdir(key_copy)
    (key_copy / "ch09.toml").write_text(UNIT, encoding="utf-8")

    said = narraworld(*words.split(), "-w", key_copy)

    assert (said.code, said.out) == (2, "")
    assert "being written by process " in said.err
    assert "wait until it is done" in said.err


def test_a_locked_store_can_be_read(narraworld: Command, writer: Store, key_copy: Path) -> None:
    assert narraworld("query", "happened(E)", "-w", key_copy).code == 0


def test_a_reader_who_has_seen_enough_is_no_trouble(key_folder: Path) -> None:
    command = f"{sys.executable} -m narraworld views -w {shlex.quote(str(key_folder))}"
    ended = subprocess.run(
        ["bash", "-c", f"{command} | true; echo ${{PIPESTATUS[0]}}"], capture_output=True, text=True
    )

    assert (ended.stdout, ended.stderr) == ("141\n", "")
