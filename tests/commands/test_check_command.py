"""`narraworld check` as a writer meets it: two chapters, one dead man who walks, and the ways to answer."""

from __future__ import annotations

import io
import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from places import ROOT

Command = Callable[..., Any]

FIRST = "# The Garden\n\nMara was in the mill. Tom died in the garden.\n"
SECOND = "# The Kitchen\n\nMara slept.\n\nTom walked into the kitchen.\n"
UNDERSTOOD = "4 of 4 sentences understood; "
GHOST = "ch01.md:3:23: error NW101"
WALKS = "ch02.md:5:1   “Tom walked into the kitchen”"


@pytest.fixture(scope="module")
def read_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("check") / "novel"
    folder.mkdir()
    (folder / "ch01.md").write_text(FIRST, encoding="utf-8")
    (folder / "ch02.md").write_text(SECOND, encoding="utf-8")
    return folder


@pytest.fixture
def novel(read_once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, narraworld: Command) -> Path:
    """The chapters in a folder of one's own; the first to need it reads them, the others take a copy."""
    if not (read_once / ".narraworld").exists():
        monkeypatch.chdir(read_once)
        assert narraworld("check", "--fail-on", "never").code == 0
    folder = Path(shutil.copytree(read_once, tmp_path / "novel"))
    monkeypatch.chdir(folder)
    return folder


def spoken(value: object) -> str | None:
    return " ".join(value) if isinstance(value, tuple) else None


def told(report: str) -> str:
    """A report from its first finding on, after the line that says how much was understood."""
    understood, _, rest = report.partition("\n")
    assert re.fullmatch(f"{UNDERSTOOD}\\d+ of \\d+ checks? had something to look at", understood)
    return rest


def key_of(narraworld: Command) -> str:
    return str(json.loads(narraworld("check", "--select", "NW101", "-f", "json").out)["findings"][0]["key"])


# -- findings


def test_a_folder_nobody_has_read_is_read_and_checked(
    narraworld: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ch01.md").write_text(FIRST, encoding="utf-8")
    Path("ch02.md").write_text(SECOND, encoding="utf-8")

    said = narraworld("check")

    assert said.code == 1
    assert said.err.splitlines() == ["read ch01 (r1)", "read ch02 (r2)"]
    line, first, second, *_ = told(said.out).splitlines()
    assert line.startswith(f"{GHOST} Tom is dead")
    assert [first.strip(), second.strip()] == ["ch01.md:3:23  “Tom died in the garden”", WALKS]
    assert "not evaluated, for want of anything to look at" in said.out


@pytest.mark.parametrize("words", [(), ("none.md",), ("-", "--stdin-filename", "ch01.md")], ids=spoken)
def test_what_cannot_be_read_leaves_no_world_behind(
    narraworld: Command, tmp_path: Path, words: tuple[str, ...]
) -> None:
    said = narraworld("check", *words, "-w", tmp_path)

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("narraworld: ")
    assert list(tmp_path.iterdir()) == []


def test_a_second_check_reads_nothing_again(narraworld: Command, novel: Path) -> None:
    said = narraworld("check", "ch01.md", "ch02.md")

    assert (said.code, said.err) == (1, "")


def test_a_changed_chapter_is_read_and_what_is_gone_is_said(narraworld: Command, novel: Path) -> None:
    (novel / "ch02.md").write_text(SECOND.replace("Tom", "Leo"), encoding="utf-8")

    said = narraworld("check", "ch02.md", "--since", "r2", "--select", "NW1")

    assert (said.code, said.err) == (0, "read ch02 (r3)\n")
    assert "no findings since r2" in said.out
    assert "  gone since r2: NW101 Tom is dead" in said.out


def test_only_what_is_new_since_a_revision(narraworld: Command, novel: Path) -> None:
    assert narraworld("check", "--since", "r2").code == 0
    said = narraworld("check", "--since", "r1")

    assert said.code == 1
    assert told(said.out).startswith(GHOST)


def test_the_proof_on_request(narraworld: Command, novel: Path) -> None:
    assert "because:" not in narraworld("check").out
    assert "    because:\n" in narraworld("check", "--explain").out


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--select", "NW101"), 1),
        (("--select", "NW1"), 1),
        (("--select", "NW2,NW1"), 1),
        (("--select", "NW2"), 0),
        (("--ignore", "NW101"), 0),
        (("--fail-on", "error"), 1),
        (("--fail-on", "never"), 0),
        (("--min-severity", "error"), 1),
    ],
    ids=spoken,
)
def test_what_is_asked_for_and_how_it_ends(
    narraworld: Command, novel: Path, options: tuple[str, ...], code: int
) -> None:
    assert narraworld("check", *options).code == code


def test_a_report_can_go_to_a_file(narraworld: Command, novel: Path) -> None:
    said = narraworld("check", "-f", "html", "-o", "report.html", "--knows")

    assert (said.code, said.out) == (1, "")
    page = (novel / "report.html").read_text("utf-8")
    assert "<h1>novel</h1>" in page and "Why: the proof" in page and "Who knows what" in page


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--format", "yaml"), "--format has no choice 'yaml'"),
        (("--fail-on", "info"), "--fail-on has no choice 'info'"),
        (("-",), "'-' and --stdin-filename go together"),
        (("--stdin-filename", "ch02.md"), "'-' and --stdin-filename go together"),
        (("nowhere.md",), "there is no such file"),
        (("--since", "five"), "'five' is not a revision"),
        (("--since", "r99"), "no revision 99"),
        (("--new-only",), "there is no baseline"),
    ],
    ids=spoken,
)
def test_a_wrong_question_is_one_message(
    narraworld: Command, novel: Path, words: tuple[str, ...], message: str
) -> None:
    said = narraworld("check", *words)

    assert (said.code, said.out) == (2, "")
    assert message in said.err


def test_a_missing_chapter_is_said_and_stays_in_the_world(narraworld: Command, novel: Path) -> None:
    (novel / "ch02.md").unlink()

    said = narraworld("check")

    assert said.code == 1
    assert "  trouble: ch02.md is gone, and ch02 is still in the world: narraworld retract ch02" in said.out


# -- an editor's buffer


def test_an_unsaved_buffer_is_checked_and_forgotten(
    narraworld: Command, novel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(SECOND.replace("walked", "ran")))

    readings = sorted(novel.glob(".narraworld/readings/*"))
    said = narraworld("check", "-", "--stdin-filename", str(novel / "ch02.md"))

    assert said.code == 1
    assert told(said.out).startswith("ch02.md:5:1: error NW101")  # the place in the buffer comes first
    assert "“Tom ran into the kitchen”" in said.out
    assert len(narraworld("log").out.splitlines()) == 2
    assert narraworld("branch", "list").out == ""
    assert sorted(novel.glob(".narraworld/readings/*")) == readings != []


# -- the author's word


def test_a_waiver_holds_until_its_words_change(narraworld: Command, novel: Path) -> None:
    key = key_of(narraworld)

    assert narraworld("waive", key[:6], "--reason", "a ghost").code == 0
    said = narraworld("check", "--select", "NW101")
    assert (said.code, "  1 finding the author means so" in said.out.splitlines()) == (0, True)

    (novel / "ch02.md").write_text(SECOND.replace("kitchen.", "hall."), encoding="utf-8")
    said = narraworld("check", "--select", "NW101")
    assert said.code == 1
    assert f"  not needed any more: {key} (.narraworld/decisions.toml)" in said.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("waive", "zzz", "--reason", "x"), "no finding has the key 'zzz'"),
        (("waive", ""), "say why the finding is intended"),
        (("waive", "", "--keep", "ch09"), "no passage of this finding is in 'ch09'"),
    ],
    ids=["unknown", "no-reason", "not-a-passage"],
)
def test_a_waiver_that_cannot_be_meant(
    narraworld: Command, novel: Path, words: tuple[str, ...], message: str
) -> None:
    narraworld("check", "--select", "NW101")
    said = narraworld(*words)

    assert (said.code, message in said.err) == (2, True)


def test_a_canon_choice_says_which_chapter_to_change(narraworld: Command, novel: Path) -> None:
    assert narraworld("waive", key_of(narraworld), "--keep", "ch01").out.startswith("canon: NW101")

    said = narraworld("check", "--select", "NW101")

    assert said.code == 1
    assert told(said.out).startswith("ch02.md:5:1: error NW101")
    assert "(you decided that ch01 holds: change ch02)" in said.out


def test_a_comment_in_the_chapter_is_heard_also_when_other_files_are_named(
    narraworld: Command, novel: Path
) -> None:
    marked = SECOND.replace("Tom walked", "<!-- narraworld: ignore NW101 a ghost -->\nTom walked")
    (novel / "ch02.md").write_text(marked, encoding="utf-8")

    assert narraworld("check", "--select", "NW101").code == 0
    assert narraworld("check", "ch01.md", "--select", "NW101").code == 0


def test_a_comment_nothing_needs_is_reported(narraworld: Command, novel: Path) -> None:
    (novel / "ch02.md").write_text(f"<!-- narraworld: ignore NW101 a ghost -->\n{SECOND}", encoding="utf-8")

    said = narraworld("check", "--select", "NW101")

    assert said.code == 1
    assert "  not needed any more: NW101 (ch02.md:" in said.out


def test_a_rule_of_the_world_the_author_declares(narraworld: Command, novel: Path) -> None:
    (novel / ".narraworld/decisions.toml").write_text(
        '[[exception]]\nrule = "NW101"\nabout = "Tom"\nreason = "the dead walk here"\n'
        '[[fact]]\nsays = "magic.impossible:walk"\nsubject_is = "Object"\n',
        encoding="utf-8",
    )

    said = narraworld("check", "--select", "NW101,NW703")

    assert said.code == 1
    assert [line.split(" ")[2] for line in said.out.splitlines() if line.startswith("ch")] == ["NW703"]
    (novel / ".narraworld/decisions.toml").unlink()
    assert narraworld("check", "--select", "NW703").code == 0
    assert narraworld("log").out.splitlines()[-1].split()[1:3] == ["authors-word", "retract"]


def test_who_is_who_is_the_authors_to_say(narraworld: Command, novel: Path) -> None:
    assert narraworld("decisions").out.startswith("nothing is decided yet")
    said = narraworld("decisions", "merge", "Tom", "Mara", "--reason", "a disguise")

    assert (said.code, said.out) == (0, "same: one tom, other mara (a disguise)\n")
    rows = json.loads(narraworld("query", 'identity(_, One, Other, "same")', "--json").out)["rows"]
    assert rows == [["tom", "mara"]]
    assert narraworld("decisions", "split", "Tom", "Nobody").code == 2


def test_what_the_shapes_refuse_is_told_each_time(narraworld: Command, novel: Path) -> None:
    (novel / ".narraworld/decisions.toml").write_text(
        '[[fact]]\nsays = "nobody.ability:fly"\n', encoding="utf-8"
    )

    for _ in range(2):
        assert "trouble: decisions.toml: " in narraworld("check", "--select", "NW7").out
    assert narraworld("decisions").code == 1


# -- a baseline


def test_a_baseline_leaves_only_what_is_new(narraworld: Command, novel: Path) -> None:
    said = narraworld("check", "--write-baseline")
    assert (said.code, said.out) == (0, "")

    said = narraworld("check", "--new-only")
    assert said.code == 0
    assert "in the baseline" in said.out

    (novel / "ch02.md").write_text(SECOND.replace("kitchen.", "hall."), encoding="utf-8")
    assert narraworld("check", "--new-only", "--select", "NW101").code == 1


# -- rules and edits


def test_a_rule_explains_itself_without_a_world(narraworld: Command, tmp_path: Path) -> None:
    said = narraworld("rule", "NW101", "-w", tmp_path)

    assert said.code == 0
    assert said.out.startswith("NW101  acts after death\n  severity  error\n")
    for part in ("\nabout\n", "\nspeaks up\n", "\nstays silent\n"):
        assert part in said.out
    assert list(tmp_path.iterdir()) == []


def test_all_rules_are_listed(narraworld: Command, tmp_path: Path) -> None:
    listed = narraworld("rule", "-w", tmp_path).out.splitlines()

    assert [line.split()[0] for line in listed] == sorted(line.split()[0] for line in listed)
    assert len(listed) == len(json.loads(narraworld("rule", "--json", "-w", tmp_path).out)) > 20
    assert narraworld("rule", "NW999", "-w", tmp_path).code == 2


def test_reading_an_edited_chapter_says_what_it_means(narraworld: Command, novel: Path) -> None:
    (novel / "ch02.md").write_text(SECOND.replace("Tom", "Leo"), encoding="utf-8")

    lines = narraworld("read", "ch02.md").out.splitlines()

    assert lines[0].startswith("ch02  The Kitchen  r3")
    assert lines[1] == "units: ch02"
    assert "  - “Tom walked into the kitchen”" in lines and "  + “Leo walked into the kitchen”" in lines
    assert [line for line in lines if line.startswith("  - NW101 Tom is dead")]


# -- what is written about it

PAGE = (ROOT / "docs" / "checking.md").read_text("utf-8")


def test_every_option_and_format_is_documented(narraworld: Command) -> None:
    from narraworld.query.checks.report import FORMATS

    options = set(re.findall(r"--[a-z-]+", narraworld("check", "--help").out)) - {
        "--help",
        "--world",
        "--branch",
    }

    assert {one for one in options if f"`{one}" not in PAGE and f"{one}`" not in PAGE} == {"--stdin-filename"}
    assert "`- --stdin-filename ch03.md`" in PAGE
    assert {form for form in FORMATS if f"`{form}`" not in PAGE} == set()


def test_the_hooks_call_what_there_is() -> None:
    text = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")

    assert re.findall(r"^- id: (.+)$", text, re.MULTILINE) == ["narraworld-check", "narraworld-check-new"]
    assert re.findall(r"^  entry: (.+)$", text, re.MULTILINE) == [
        "narraworld check",
        "narraworld check --new-only",
    ]
    assert text.count("require_serial: true") == 2


def test_one_of_several_of_one_cause_is_waived_by_its_own_key(tmp_path: Path, narraworld: Command) -> None:
    (tmp_path / "ch01.md").write_text(
        "Tomas died in the night. Mara wept. Tomas opened the gate. Tomas closed the gate.\n",
        encoding="utf-8",
    )

    def findings() -> list[dict[str, Any]]:
        said = narraworld("check", "--format", "json", "-w", tmp_path, tmp_path / "ch01.md")
        return [one for one in json.loads(said.out)["findings"] if one["rule"] == "NW101"]

    [before] = findings()
    [other] = before["others"]
    said = narraworld("waive", other["key"], "--reason", "a ghost", "-w", tmp_path)
    assert (said.code, said.out) == (0, f"intentional: NW101 {other['message']}\n")
    [after] = findings()
    assert (after["key"], after["others"], after["alike"]) == (before["key"], [], 1)
