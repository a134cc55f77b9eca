"""The desk: a save is read, checked and told of; a file that cannot be read keeps its last good reading."""

from __future__ import annotations

import gc
import json
import os
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from world_fixtures import Said

from narraworld.base.settings import WatchSettings
from narraworld.desk.answers.overview import overview
from narraworld.desk.answers.seen_story import SeenStory, seen_in
from narraworld.desk.bell import Bell, DeskNews
from narraworld.desk.story_desk import StoryDesk
from narraworld.desk.watched_files import WatchedFiles
from narraworld.extract.sources import read_files
from narraworld.query.situation import Situation
from narraworld.world import World


def test_the_bell_rings_for_everybody_and_lets_go_of_who_wants_no_more() -> None:
    bell, heard = Bell(), list[str]()
    bell.join(lambda news: heard.append("once") or False)
    bell.join(lambda news: heard.append("always") or None)
    bell.ring(DeskNews("changed", 1))
    bell.ring(DeskNews("changed", 2))
    assert heard == ["once", "always", "always"]


def test_who_comes_after_the_last_ring_is_sent_home_at_once() -> None:
    bell, heard = Bell(), list[DeskNews | None]()
    bell.close()
    bell.join(heard.append)
    assert heard == [None]


def test_a_file_that_was_only_touched_has_not_changed(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text("one")
    watched = WatchedFiles([file])
    os.utime(file, ns=(1, 1))
    assert watched.changed([file]) == []
    file.write_text("two")
    assert watched.changed([file]) == [file]
    file.unlink()
    assert watched.changed([file]) == [file]


def test_a_save_is_read_and_what_it_took_away_is_told(novel_copy: Path) -> None:
    before = (novel_copy / "02-the-mill.md").read_text()
    with StoryDesk(World.open(novel_copy)) as desk:
        heard = list[DeskNews | None]()
        desk.bell.join(heard.append)
        assert [one.rule.id for one in desk.remember().findings if one.rule.severity == "error"] == ["NW111"]
        (novel_copy / "02-the-mill.md").write_text(before.replace("brown", "green"), encoding="utf-8")
        desk.look_again()
        changed = next(news for news in heard if news and news.kind == "changed")
        assert changed.data["units"] == ["02-the-mill"]
        assert [one.rule.id for one in changed.data["lost"]] == ["NW111"]
        assert changed.data["gained"] == []


def test_a_story_read_from_outside_its_folder_is_watched_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, narraworld: Callable[..., Said]
) -> None:
    novel, elsewhere = tmp_path / "novel", tmp_path / "elsewhere"
    novel.mkdir()
    elsewhere.mkdir()
    (novel / "ch01.md").write_text("Leo put the key in the drawer.\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert narraworld("read", "novel", "-w", "novel").code == 0
    monkeypatch.chdir(elsewhere)
    with StoryDesk(World.open(novel)) as desk:
        (novel / "ch01.md").write_text("Leo put the lamp in the drawer.\n", encoding="utf-8")
        desk.look_again()
        assert desk.world.store.snapshot().revision == 2
    assert narraworld("check", "../novel/ch01.md", "-w", "../novel").code == 0
    with World.open(novel) as world:
        assert world.store.snapshot().revision == 2  # the same file, however one comes to it


def test_the_end_does_not_wait_for_a_worker_deep_in_a_check(
    novel_copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy, go_on, closed = threading.Event(), threading.Event(), threading.Event()
    desk = StoryDesk(World.open(novel_copy), settings=WatchSettings(quiet_seconds=0.0, leave_seconds=0.0))
    monkeypatch.setattr(desk, "look_again", lambda: (busy.set(), go_on.wait()))
    monkeypatch.setattr(desk.world, "close", closed.set)
    desk.start()
    assert busy.wait(60)
    desk.close()
    assert not closed.is_set()
    go_on.set()
    assert closed.wait(60)  # the worker closes what it was left with


def test_a_file_that_cannot_be_read_keeps_its_last_reading(novel_copy: Path) -> None:
    with StoryDesk(World.open(novel_copy)) as desk:
        (novel_copy / "01-the-inn.md").write_bytes(b"# The Inn\n\n\xff\xfe\x00broken\x00")
        report = desk.look_again()
        assert list(desk.troubles) == ["01-the-inn.md"]
        assert "NW111" in {one.rule.id for one in report.findings}


def test_columns_that_are_wished_for_are_filled_and_kept(novel_copy: Path) -> None:
    with StoryDesk(World.open(novel_copy)) as desk:
        there = Situation(at="01-the-inn")
        assert desk.kept.column(there) is None
        desk.wants([there])
        assert desk.kept.fill_one()
        assert desk.kept.column(there) is not None
        assert not desk.kept.fill_one()


def test_one_save_parses_one_file(novel_copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = list[str]()
    read = read_files._read
    monkeypatch.setattr(
        read_files, "_read", lambda source, settings: parsed.append(source.name) or read(source, settings)
    )
    with StoryDesk(World.open(novel_copy)) as desk:
        desk.look_again()
        parsed.clear()
        file = novel_copy / "02-the-mill.md"
        file.write_text(file.read_text() + "\nLeo laughed.\n", encoding="utf-8")
        desk.look_again()
        assert parsed == ["02-the-mill.md"]


def test_however_many_moments_are_asked_for_few_are_kept(novel: Path) -> None:
    with StoryDesk(World.open(novel), settings=WatchSettings(reports=2, columns=2)) as desk:
        desk.remember()
        scenes = [one.moment for one in seen_in(desk, {}).ruler.scenes]
        asked = [(at, told) for n, told in enumerate(scenes) for at in scenes[: n + 1]]
        for at, told in asked:
            seen = seen_in(desk, {"at": at, "told": told})
            overview(seen)
            desk.kept.derive(seen.situation)
        del seen
        gc.collect()
        story = desk.world.story
        assert len(asked) > story.settings.situations >= len(story._scopes.things())
        assert (len(desk.kept._reports), len(desk.kept._columns)) == (2, 2)


def test_the_reader_gets_ready_before_anybody_saves_and_commits_nothing(novel: Path) -> None:
    with StoryDesk(World.open(novel)) as desk:
        before = desk.revision
        assert [desk.got_ready(), desk.got_ready()] == [True, False]
        assert desk.revision == before
    with tempfile.TemporaryDirectory() as empty, StoryDesk(World.open(empty, create=True)) as desk:
        assert desk.got_ready()  # where nothing was read yet, too


def test_watch_tells_a_script_what_was_saved_since(
    novel_copy: Path, narraworld: Callable[..., Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = novel_copy / "02-the-mill.md"
    file.write_text(file.read_text().replace("brown", "green"), encoding="utf-8")
    said = narraworld("watch", "--once", "--world", novel_copy, "--json")
    state, changed = map(json.loads, said.out.splitlines())
    assert (said.code, state["type"], changed["type"]) == (0, "state", "changed")
    assert changed["units"] == ["02-the-mill"]
    assert [one["rule"] for one in changed["lost"]] == ["NW111"]


def test_watch_speaks_the_linters_lines(novel_copy: Path, narraworld: Callable[..., Said]) -> None:
    file = novel_copy / "03-the-cove.md"
    file.write_text(file.read_text() + "\nMara's eyes were blue.\n", encoding="utf-8")
    lines = narraworld("watch", "--once", "--world", novel_copy).out.splitlines()
    assert lines[0].startswith("r3  3 chapters, ")
    assert lines[1].startswith("r4  03-the-cove: ")
    assert any(line.startswith("01-the-inn.md:3:1: error NW111 ") for line in lines[2:])


def test_who_waits_for_a_turn_holds_nothing_that_others_need(novel_copy: Path) -> None:
    """Python 3.11 locks a `cached_property` for all instances: a page that held it, and waited, stopped the whole desk."""
    with StoryDesk(World.open(novel_copy)) as desk:
        one, other = seen_in(desk, {}), seen_in(desk, {"at": "1"})
        with desk.world.story.turn:
            waiting = threading.Thread(target=lambda: other.ruler)
            waiting.start()
            waiting.join(0.3)
            lock = getattr(vars(SeenStory)["_ruler"], "lock", None)
            assert lock is None or lock.acquire(blocking=False)
            if lock is not None:
                lock.release()
            assert one.ruler.number("02-the-mill") == 2
        waiting.join()
