"""A store is its owner's: folders and files that others cannot look into, unless the owner opens them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from narraworld.base.atomic_files import write_whole
from narraworld.kb.journal.store import Store
from narraworld.rules.language.program import load_builtin
from narraworld.rules.living.living_world import LivingWorld, WorldSetup

pytestmark = pytest.mark.skipif(os.name == "nt", reason="permissions are another matter here")

BODY = '<urn:nw:ch01/r1> <urn:p> "word" .\n'


def modes(root: Path) -> dict[str, set[int]]:
    """The permissions of all folders and of all files."""
    found = [root, *root.rglob("*")]
    return {
        "folders": {path.stat().st_mode & 0o777 for path in found if path.is_dir()},
        "files": {path.stat().st_mode & 0o777 for path in found if path.is_file()},
    }


def used(folder: Path) -> Store:
    """A store with a journal, a branch and caches."""
    store = Store.create(folder)
    store.new_branch("what-if")
    living = LivingWorld(store, WorldSetup(load_builtin()), branch="what-if", folder=store.cache("what-if"))
    living.refresh()
    living.close()
    store.commit("ch01", BODY)
    return store


def test_a_new_store_is_private_whatever_the_umask_allows(tmp_path: Path) -> None:
    before = os.umask(0o000)
    try:
        store = used(tmp_path)
    finally:
        os.umask(before)
    assert modes(store.root) == {"folders": {0o700}, "files": {0o600}}


def test_an_owner_may_share_it_and_it_stays_shared(tmp_path: Path) -> None:
    Store.create(tmp_path)
    for folder in (tmp_path / ".narraworld", tmp_path / ".narraworld" / "journal"):
        folder.chmod(0o750)
    store = used(tmp_path)
    assert modes(store.root) == {"folders": {0o750}, "files": {0o640}}


def test_what_is_written_elsewhere_keeps_the_permissions_it_had(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    report.touch(mode=0o600)
    write_whole(report, "{}")
    assert (report.read_text(), report.stat().st_mode & 0o777) == ("{}", 0o600)


def test_a_file_is_on_the_disk_before_it_gets_its_name_and_its_name_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    sync, replace = os.fsync, Path.replace

    def synced(fd: int) -> None:
        steps.append("sync " + Path(f"/proc/self/fd/{fd}").readlink().name.split(".")[-1])
        sync(fd)

    def renamed(path: Path, target: Path) -> Path:
        steps.append("rename")
        return replace(path, target)

    if not Path("/proc/self/fd").is_dir():
        pytest.skip("nobody can say which file it is")
    folder = tmp_path / "a.folder"
    folder.mkdir()
    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", renamed)
    write_whole(folder / "x.json", "{}")
    assert steps == ["sync writing", "rename", "sync folder"]
