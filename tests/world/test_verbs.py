"""Every command is a verb of World: what can be typed can be said in Python, and means the same."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from narraworld.base.errors import NarraWorldError
from narraworld.commands.app import app
from narraworld.extract.sources import Piece
from narraworld.kb.delta import Delta
from narraworld.project.opened import OpenStory
from narraworld.query.errors import UnknownName
from narraworld.query.situation import Situation
from narraworld.reading.outcome import UnitRead
from narraworld.world import World

DRAWER = "# The Drawer\n\nLeo Marsh left the brass key in the drawer. Ida Calder had green eyes.\n"
BOOK = "# The Book\n\nMara moved the brass key from the drawer into the hollow book. Ida Calder had brown eyes.\n"
RECORDS = '[unit]\nid = "{id}"\norder = {order}\ntext = "Tomas left."\n[[character]]\nid = "tomas"\nname = "Tomas"\nquote = "Tomas"\n'

# The demo is about the bundled stories; rule files, catalogues, models, the relay's desk, and what serves browsers, editors and agents are no worlds.
OF_NO_WORLD = {
    "format", "show", "try", "answer", "give-back", "next", "status", "stop", "mcp", "skill", "serve", "watch", "lsp", "formalisms", "relations",
}  # fmt: skip
WITHOUT_A_VERB = {"demo", *OF_NO_WORLD}
SAID_OTHERWISE = {
    "import": "import_", "rule": "checks", "merge": "decide", "split": "decide", "new": "branch", "list": "branches",
    "delete": "delete_branch",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A manuscript in which prose and records stand side by side, and settings that are neither."""
    chapters = tmp_path / "chapters"
    chapters.mkdir()
    (chapters / "01.md").write_text(DRAWER, encoding="utf-8")
    (chapters / "02.md").write_text(BOOK, encoding="utf-8")
    (chapters / "03.toml").write_text(RECORDS.format(id="03", order=3), encoding="utf-8")
    (chapters / "narraworld.toml").write_text('[rules]\non = ["trust"]\n', encoding="utf-8")
    (chapters / "notes.toml").write_text("[shopping]\nmilk = 2\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def world(folder: Path) -> Iterator[World]:
    with World.open(folder, create=True) as opened:
        yield opened


def commands() -> Iterator[str]:
    for command in app.registered_commands:
        yield command.name or getattr(command.callback, "__name__", "")
    for group in app.registered_groups:
        assert group.typer_instance is not None
        for command in group.typer_instance.registered_commands:
            yield command.name or getattr(command.callback, "__name__", "")


def test_every_command_is_a_verb() -> None:
    silent = {name for name in commands() if not hasattr(World, SAID_OTHERWISE.get(name, name))}

    assert silent == WITHOUT_A_VERB


# -- read


def test_a_folder_of_prose_and_records(world: World, folder: Path) -> None:
    told: list[tuple[int, int, str]] = []

    units = world.read(folder / "chapters", tell=lambda *how: told.append(how))

    assert [(unit.unit, unit.title, unit.outcome) for unit in units] == [
        ("01", "The Drawer", "read"), ("02", "The Book", "read"), ("03", None, "read"),
    ]  # fmt: skip
    assert told == [(1, 3, "03"), (2, 3, "The Drawer"), (3, 3, "The Book")]
    assert [unit.coverage is None for unit in units] == [False, False, True]
    assert all(unit.committed and unit.committed.entry and unit.refusals == () for unit in units)


def test_what_was_read_is_not_read_again(world: World, folder: Path) -> None:
    world.read(folder / "chapters" / "01.md")

    assert [unit.outcome for unit in world.read(folder / "chapters" / "01.md")] == ["unchanged"]


def test_files_folders_and_standard_input(
    world: World, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("# Later\n\nMara wept.\n"))

    units = world.read(folder / "chapters" / "01.md", str(folder / "chapters" / "03.toml"), "-")

    assert {unit.title or unit.unit for unit in units} == {"The Drawer", "03", "Later"}


def test_a_folder_of_records_alone(world: World, tmp_path: Path) -> None:
    (tmp_path / "records").mkdir()
    for order, name in ((2, "b"), (1, "a")):
        text = RECORDS.format(id=name, order=order)
        (tmp_path / "records" / f"{name}.toml").write_text(text, encoding="utf-8")

    assert [unit.unit for unit in world.read(tmp_path / "records")] == ["a", "b"]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        pytest.param("", "one of the file names is empty", id="no name"),
        pytest.param("none.md", "there is no such file", id="no file"),
        pytest.param("none.toml", "cannot be read", id="no records"),
    ],
)
def test_nothing_is_read_where_one_cannot_be_opened(
    world: World, folder: Path, path: str, message: str
) -> None:
    with pytest.raises(NarraWorldError, match=message):
        world.read(folder / "chapters" / "03.toml", path)

    assert world.log() == []


class Parrot:
    """A reader of one's own: whoever speaks is called Polly."""

    def read(self, story: OpenStory, pieces: Sequence[Piece], *, branch: str) -> Iterator[UnitRead]:
        for piece in pieces:
            if "Mara" in piece.unit.text:
                yield UnitRead(piece.unit.id, piece.unit.title, "failed", why="too long")
                continue
            delta = Delta(piece.unit)
            delta.add("Character", "polly", name="Polly")
            yield UnitRead(piece.unit.id, piece.unit.title, "read", story.commit(delta, branch=branch))


def test_a_reader_of_ones_own(world: World, folder: Path) -> None:
    files = [folder / "chapters" / name for name in ("01.md", "02.md")]

    assert [unit.outcome for unit in world.read(*files, reader=Parrot())] == ["read", "failed"]
    assert world.name("Polly").symbol == "polly"


@pytest.mark.parametrize(("on_failure", "read"), [("stop", ["02"]), ("go-on", ["02", "03"])])
def test_what_a_failure_does(world: World, folder: Path, on_failure: str, read: list[str]) -> None:
    (folder / "chapters" / "03.md").write_text("# Quiet\n\nNobody came.\n", encoding="utf-8")
    files = [folder / "chapters" / name for name in ("02.md", "03.md")]

    units = world.reading(*files, reader=Parrot(), on_failure=on_failure)  # type: ignore[arg-type]

    assert [unit.unit for unit in units] == read


def test_a_reader_nobody_knows(world: World, folder: Path) -> None:
    with pytest.raises(NarraWorldError, match="there is no reader 'oracle'"):
        world.read(folder / "chapters", reader="oracle")  # type: ignore[arg-type]


# -- check, and the author's word


def test_check_reads_what_changed_and_hears_the_author(world: World, folder: Path) -> None:
    told: list[str] = []
    report = world.check(folder / "chapters" / "01.md", folder / "chapters" / "02.md")
    [found] = [finding for finding in report.findings if finding.rule.id == "NW111"]

    assert world.waive(found.key[:6], "she wears lenses").decision.kind == "intentional"
    (folder / "chapters" / "02.md").write_text(BOOK + "\nMara wept.\n", encoding="utf-8")
    again = world.check(tell=lambda done, total, unit: told.append(f"{done}/{total} {unit}"))

    assert again.findings == () and [one.key for one in again.checked.waived] == [found.key]
    assert told == ["1/1 02 (r3)"]
    assert [decision["reason"] for decision in world.decisions()[0].all] == ["she wears lenses"]


def test_a_past_state_is_checked_without_reading(world: World, folder: Path) -> None:
    world.read(folder / "chapters" / "01.md", folder / "chapters" / "02.md")
    (folder / "chapters" / "02.md").write_text("# The Book\n\nNothing.\n", encoding="utf-8")

    assert world.check(situation=Situation(revision=1)).findings == ()
    assert len(world.log()) == 2


def test_a_baseline_and_an_unsaved_text(world: World, folder: Path) -> None:
    files = [folder / "chapters" / name for name in ("01.md", "02.md")]
    path, known = world.keep_baseline(world.check(*files))
    unsaved = world.check(buffer=(str(files[1]), "# The Book\n\nIda Calder had blue eyes.\n"))

    assert (path.name, known) == ("baseline.json", 1)
    assert world.check(baseline=True).known == 1
    assert [finding.message for finding in unsaved.findings] == [
        "Ida Calder has green eyes, and later blue ones."
    ]
    assert world.branches() == []


def test_a_check_that_there_is_not(world: World, folder: Path) -> None:
    with pytest.raises(NarraWorldError, match="no check has a number that begins with NW99"):
        world.check(folder / "chapters" / "01.md", select=["NW99"])


def test_who_is_who(world: World, folder: Path) -> None:
    world.read(folder / "chapters")
    decided = world.decide("different", "Ida", "Leo", reason="two people")

    assert decided.decision.line() == "different: one ida-calder, other leo-marsh (two people)"
    with pytest.raises(NarraWorldError, match="'Ida' and 'Calder' are the same already"):
        world.decide("same", "Ida", "Calder")


def test_checks_by_number(world: World) -> None:
    assert set(world.checks("NW101")) == {"NW101"} < set(world.checks("NW1")) < set(world.checks())


# -- out


def test_a_situation_in_keywords(world: World, folder: Path) -> None:
    world.read(folder / "chapters")

    views = world.views(at="the drawer", as_="Marsh")

    assert views == world.views(Situation(at="the drawer", focalizer="Marsh"))
    assert [str(how) for how in views.read_as] == [
        "the drawer was read as chapter 01, The Drawer", "Marsh was read as Leo Marsh",
    ]  # fmt: skip
    assert len(world.knows(revision="r1").characters) < len(world.knows().characters)
    with pytest.raises(NarraWorldError, match="'x3' is not a revision"):
        world.views(revision="x3")


def test_search_coverage_refusals_and_doctor(world: World, folder: Path) -> None:
    world.read(folder / "chapters")

    assert "brass key" in world.search("brass key", limit=3)[0].span.quote
    assert [unit.unit for unit in world.coverage()] == ["01", "02", "03"]
    assert world.refusals() == world.refusals("01") == []
    assert not any(ailment.state == "fail" for ailment in world.doctor())


def test_somebody_spoken_to_is_looked_up(world: World, folder: Path) -> None:
    world.read(folder / "chapters")
    speaking = Situation.role_play("Mara", to="Marsh")

    assert "Marsh was read as Leo Marsh" in map(str, world.context("What does Mara say?", speaking).read_as)
    with pytest.raises(UnknownName):
        world.context("What does Mara say?", Situation.role_play("Mara", to="Nobody"))


def test_a_forecast_asks_nobody(world: World, folder: Path) -> None:
    forecast = world.forecast(folder / "chapters", model="gpt-5-mini")

    assert (forecast.units, forecast.model) == (2, "gpt-5-mini")
    assert forecast.expected.calls.low > 0
    assert world.log() == []


def test_what_an_edit_means(world: World, folder: Path) -> None:
    chapter = folder / "chapters" / "02.md"
    world.read(folder / "chapters" / "01.md", chapter)
    chapter.write_text("# The Book\n\nIda Calder had green eyes.\n", encoding="utf-8")

    with world.watching(chapter) as watch:
        world.read(chapter)

    assert watch.edit is not None
    assert watch.edit.lost == ("NW111 Ida Calder has green eyes, and later brown ones.",)
