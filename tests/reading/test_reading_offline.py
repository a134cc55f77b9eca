"""The embedded reader over several units: one journal, however the work is cut; who is known stays known."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from narraworld.commands.app import app
from narraworld.extract.embedded import parse_ahead as ahead
from narraworld.extract.embedded.english import LANGUAGE
from narraworld.extract.embedded.grammar import parser as parsing
from narraworld.extract.embedded.lexicon.language import speaking
from narraworld.extract.embedded.parse_ahead import AheadSettings
from narraworld.extract.sources import read_sources
from narraworld.query.names import rows
from narraworld.reading.again import told_before
from narraworld.reading.order import in_place
from narraworld.reading.outcome import UnitRead
from narraworld.reading.with_embedded import read_embedded
from narraworld.world import World

CHAPTERS = {
    "ch01.md": "# The Den\n\nMara entered the den. Leo was in the den. Mara took the key. Zounds, quite.\n",
    "ch02.md": "# The Drop\n\nMara dropped the key. Leo said that the lamp was broken.\n",
    "ch03.md": "# The Box\n\nLeo picked up the key. He put the key in the box. Mara left the den.\n",
}
TWO = AheadSettings(from_characters=0)
ONE = AheadSettings(from_characters=1 << 40)


@pytest.fixture
def manuscript(tmp_path: Path) -> Path:
    folder = tmp_path / "book"
    folder.mkdir()
    for name, text in CHAPTERS.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def read(tmp_path: Path, manuscript: Path) -> Callable[..., list[UnitRead]]:
    """Reads chapters of the manuscript into a world by name."""

    def reads(
        world: str, *names: str, settings: AheadSettings = ONE, chapters: Sequence[str] = tuple(CHAPTERS)
    ) -> list[UnitRead]:
        with speaking(LANGUAGE):
            parsing.forget()
        with World.open(tmp_path / world, create=True) as opened:
            pieces = in_place(
                opened.story, read_sources([str(manuscript / name) for name in names or chapters])
            )
            return list(read_embedded(opened.story, pieces, ahead=settings))

    return reads


def journal(tmp_path: Path, world: str) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in (tmp_path / world / ".narraworld/journal").iterdir()}


def facts(tmp_path: Path, world: str) -> set[str]:
    with World.open(tmp_path / world) as opened:
        return {str(matter) for _, matter, sign in rows(opened.scope().engine, "current") if sign == "yes"}


# -- one journal, however the work is cut


def test_one_process_or_two(read: Callable[..., list[UnitRead]], tmp_path: Path) -> None:
    read("one", settings=ONE)
    read("two", settings=TWO)

    assert journal(tmp_path, "one") == journal(tmp_path, "two")


def test_one_chapter_more_costs_one_chapter(
    manuscript: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing that was read before is looked at again, unless something else was committed in between."""
    looked: list[str] = []
    real = told_before.how_read
    monkeypatch.setattr(
        told_before, "how_read", lambda store, entry: (looked.append(entry.unit), real(store, entry))[1]
    )
    with World.open(tmp_path / "kept", create=True) as world:
        for name in CHAPTERS:
            world.read(manuscript / name)
        assert looked == []
        world.retract("ch02")
        (manuscript / "ch04.md").write_text("# The End\n\nMara took the box.\n")
        world.read(manuscript / "ch04.md")
    assert looked == ["ch01", "ch03"]


def test_the_first_thing_a_fresh_process_reads_may_need_two(manuscript: Path, tmp_path: Path) -> None:
    """Nothing has been read yet that would have said in which language."""
    script = f"""
from narraworld.base.settings import AheadSettings
from narraworld.reading.with_embedded import read_embedded
from narraworld.reading.read import open_files
from narraworld.world import World
with World.open({str(tmp_path / "fresh")!r}, create=True) as world:
    pieces = open_files([{str(manuscript / "ch01.md")!r}]).pieces
    print(*(unit.outcome for unit in read_embedded(world.story, pieces, ahead=AheadSettings(from_characters=0))))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert done.stdout == "read\n", done.stderr


def test_what_the_second_process_sends_is_used(
    read: Callable[..., list[UnitRead]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parsing, "_parsed", lambda sentences: {words: () for words in sentences if 1 / 0})
    read("two", settings=TWO)

    with pytest.raises(ZeroDivisionError):
        read("one", settings=ONE)


def test_sentences_one_by_one_or_many_at_once(
    read: Callable[..., list[UnitRead]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read("many")
    monkeypatch.setattr(parsing, "BATCH", 1)
    read("few")

    assert journal(tmp_path, "many") == journal(tmp_path, "few")


def test_one_run_or_one_for_each_chapter(read: Callable[..., list[UnitRead]], tmp_path: Path) -> None:
    read("at-once")
    for name in CHAPTERS:
        read("by-and-by", name)

    assert journal(tmp_path, "at-once") == journal(tmp_path, "by-and-by")


def test_a_second_process_that_dies_is_gone_around(
    read: Callable[..., list[UnitRead]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    read("one", settings=ONE)
    monkeypatch.setattr(ahead, "COMMAND", ("-c", "pass"))
    with caplog.at_level(logging.WARNING):
        read("two", settings=TWO)

    assert journal(tmp_path, "one") == journal(tmp_path, "two")
    assert "ended early" in caplog.text


# -- from unit to unit


def test_who_is_known_keeps_the_id_and_things_stay_where_they_were(
    read: Callable[..., list[UnitRead]], tmp_path: Path
) -> None:
    """Only the first chapter says where Mara is, so only it can say where what she drops in the second lies."""
    read("world", chapters=["ch01.md", "ch02.md"])

    assert "key.location.den" in facts(tmp_path, "world")
    with World.open(tmp_path / "world") as world:
        assert {who for who, kind in rows(world.scope().engine, "entity") if kind == "character"} == {
            "mara",
            "leo",
        }


def test_an_edited_chapter_changes_its_unit_and_no_other(
    read: Callable[..., list[UnitRead]], tmp_path: Path, manuscript: Path
) -> None:
    read("world")
    before = journal(tmp_path, "world")
    (manuscript / "ch02.md").write_text("# The Drop\n\nMara dropped the key. Leo slept.\n")
    done = read("world")

    assert [one.outcome for one in done] == ["unchanged", "read", "unchanged"]
    after = journal(tmp_path, "world")
    assert {name: after[name] for name in before} == before
    assert after.keys() - before.keys() == {"000004-ch02.nq"}
    assert b"<urn:nw:mara>" in after["000004-ch02.nq"]


def test_a_chapter_that_speaks_of_what_an_edit_changed_is_read_again(
    read: Callable[..., list[UnitRead]], run: Callable[..., str], manuscript: Path
) -> None:
    """Who has the key when Leo picks it up is for the second chapter to say."""
    read("world")
    (manuscript / "ch02.md").write_text("# The Drop\n\nMara kept the key. Leo slept.\n")

    assert "ch03  The Box  read again: it speaks of key\n" in run("read", str(manuscript / "ch02.md"))
    assert [one.outcome for one in read("world")] == ["unchanged"] * 3


def test_a_chapter_put_back_is_what_it_was(
    read: Callable[..., list[UnitRead]], tmp_path: Path, manuscript: Path
) -> None:
    """Reading again is told of the same people and the same stage as reading first, whatever comes later; so are those it concerns."""
    read("world")
    (manuscript / "ch02.md").write_text("Nothing.\n")
    read("world")
    (manuscript / "ch02.md").write_text(CHAPTERS["ch02.md"])
    read("world")

    bodies = [text.partition(b"\n")[2] for text in journal(tmp_path, "world").values()]
    assert len(bodies) == 3 + 2 + 2
    assert len(set(bodies)) == 3 + 2


# -- what was understood


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., str]:
    def runs(*words: str, code: int = 0) -> str:
        result = CliRunner().invoke(app, [*words, "--world", str(tmp_path / "world")])
        assert result.exit_code == code, result.output
        return result.output

    return runs


def test_coverage_counts_what_was_read_and_quotes_what_was_not(
    read: Callable[..., list[UnitRead]], run: Callable[..., str], manuscript: Path
) -> None:
    read("world", chapters=["ch01.md", "ch02.md"])
    told = run("coverage", "--unread")

    assert "ch01  The Den  4 sentences: 3 read, 0 partly, 1 not;" in told
    assert f"not read      {manuscript.name}" in told.replace(str(manuscript), manuscript.name)
    assert "Zounds, quite." in told
    assert "Zounds" not in run("coverage")


def test_coverage_as_json_adds_up_and_counts_everybody_once(
    read: Callable[..., list[UnitRead]], run: Callable[..., str]
) -> None:
    read("world")
    said = json.loads(run("coverage", "--json"))

    assert [one["unit"] for one in said["units"]] == ["ch01", "ch02", "ch03"]
    for name in ("sentences", "read", "partly"):
        assert said["total"][name] == sum(one[name] for one in said["units"])
    assert said["total"]["records"]["Character"] == 2


def test_without_the_file_beside_the_journal_coverage_does_not_pretend(
    read: Callable[..., list[UnitRead]], run: Callable[..., str], tmp_path: Path
) -> None:
    read("world", chapters=["ch01.md"])
    for kept in (tmp_path / "world/.narraworld/readings").iterdir():
        kept.write_text("{")

    assert "ch01  The Den  read by other means;" in run("coverage")


def test_deleted_caches_change_nothing(
    read: Callable[..., list[UnitRead]], run: Callable[..., str], tmp_path: Path
) -> None:
    import shutil

    read("world")
    before = run("coverage", "--unread")
    shutil.rmtree(tmp_path / "world/.narraworld/cache")

    assert run("coverage", "--unread") == before


# -- what cannot be read leaves nothing behind


def test_a_missing_file_makes_no_world(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["read", str(tmp_path / "missing.md"), "--world", str(tmp_path)])

    assert result.exit_code != 0
    assert not (tmp_path / ".narraworld").exists()


# -- the author's notes


NOTED = """---
pov: Mara
char: Leo, the Warden
location: Tower
time: in Frostmoon
---
# One

Mara went to the Tower. Leo laughed.
"""


def test_notes_are_facts_on_the_author_s_word(
    read: Callable[..., list[UnitRead]], tmp_path: Path, manuscript: Path
) -> None:
    (manuscript / "noted.md").write_text(NOTED)
    read("world", "noted.md")
    with World.open(tmp_path / "world") as world:
        asked = """PREFIX nw: <https://w3id.org/narraworld/> PREFIX nwc: <https://w3id.org/narraworld/code/>
            SELECT ?who ?place WHERE { ?p a nw:Presence ; nw:authority nwc:authorNote ; nw:holder ?who ; nw:place ?place }"""
        present = {tuple(map(str, row)) for row in world.sparql(asked).rows}
        unit = world.sparql(
            "PREFIX nw: <https://w3id.org/narraworld/> SELECT ?eyes ?when WHERE { ?u nw:focalizer ?eyes ; nw:timeAnchor ?when }"
        ).rows

    assert {who.rpartition(":")[2].rstrip(">") for who, _ in present} == {"mara", "leo", "warden"}
    assert len(unit) == 1
    assert "mara" in str(unit[0][0])
    assert "in Frostmoon" in str(unit[0][1])


def test_a_place_the_author_names_is_the_place_the_text_names(
    read: Callable[..., list[UnitRead]], tmp_path: Path, manuscript: Path
) -> None:
    (manuscript / "noted.md").write_text(NOTED)
    read("world", "noted.md")

    assert "mara.location.tower" in facts(tmp_path, "world")


def test_a_changed_note_alone_is_read(
    read: Callable[..., list[UnitRead]], tmp_path: Path, manuscript: Path
) -> None:
    (manuscript / "noted.md").write_text(NOTED)
    read("world", "noted.md")
    (manuscript / "noted.md").write_text(NOTED.replace("pov: Mara", "pov: Leo"))

    assert [one.outcome for one in read("world", "noted.md")] == ["read"]
    assert [one.outcome for one in read("world", "noted.md")] == ["unchanged"]
