"""Writers killed at every step: the journal opens, is whole, has every commit that was acknowledged, and nothing that was deleted.

The killing is `bench.scale.crash`'s, which counts the moments instead of waiting for them: 200 here, `python -m bench crash --many`
for 1,000. It forks, so it runs in a process without threads.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from errno import ENOSPC
from pathlib import Path

import pytest
from places import ROOT

from narraworld.kb.errors import BranchInUse, UnknownBranch
from narraworld.kb.journal.store import Store

BODY = "".join(f'<urn:nw:ch/r{n}> <urn:p> "{"word " * 40}" .\n' for n in range(40))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")
def test_no_crash_loses_halves_or_leaves_anything() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench", "crash", "--kills", "200"], cwd=ROOT, capture_output=True, text=True
    )
    figures = json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else done.stderr
    del figures["seconds"]
    assert figures.pop("steps") > 60, "fewer moments than a writer has: the counting is broken"
    assert figures == {"kills": 200, "lost": 0, "left behind": 0, "not whole": 0, "not writable": 0}


def test_the_next_writer_sweeps_and_continues(tmp_path: Path) -> None:
    store = Store.create(tmp_path)
    store.commit("ch01", BODY)
    journal = tmp_path / ".narraworld" / "journal"
    (journal / ".writing-000999-ch0-0.nq").write_bytes(b"# narraworld {")
    store = Store.open(tmp_path)
    assert store.commit("ch99", BODY).revision == 2
    assert [path for path in journal.iterdir() if path.name.startswith(".")] == []
    assert store.verify() == []


def what_if(folder: Path) -> Store:
    """A story with a what-if that has words in its journal and in its cache."""
    store = Store.create(folder)
    store.new_branch("what-if")
    store.commit("ch01", BODY, branch="what-if")
    store.cache("what-if").mkdir(parents=True)
    (store.cache("what-if") / "words").write_text("the butler did it", encoding="utf-8")
    return store


def test_words_of_a_branch_that_is_no_more_go_at_the_next_opening(tmp_path: Path) -> None:
    """As a `branch delete` of an earlier version left them, killed before it came to the cache."""
    store = what_if(tmp_path)
    (store.root / "branches" / "what-if").rename(store.root / "branches" / ".old-what-if")
    Store.open(tmp_path)
    assert list((store.root / "cache").iterdir()) == list((store.root / "branches").iterdir()) == []


def test_a_branch_that_cannot_be_deleted_keeps_its_cache(tmp_path: Path) -> None:
    store = what_if(tmp_path)
    store.new_branch("then", parent="what-if")
    with pytest.raises(BranchInUse):
        store.delete_branch("what-if")
    with pytest.raises(UnknownBranch):
        store.delete_branch("nobody")
    assert (store.cache("what-if") / "words").is_file()


def test_a_full_disk_is_no_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store.create(tmp_path)
    store.commit("ch01", BODY)

    def full(_: int) -> None:
        raise OSError(ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left"):
            store.commit("ch02", BODY)
    assert [path.name for path in (store.root / "journal").iterdir()] == ["000001-ch01.nq"]
    assert store.commit("ch02", BODY).revision == 2
    assert store.verify() == []


def test_a_commit_interrupted_after_it_got_its_name_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may or may not survive a power cut, so it is not acknowledged; but its number is not given twice."""
    store = Store.create(tmp_path)

    def interrupted(_: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("narraworld.kb.journal.leaf.sync_folder", interrupted)
        with pytest.raises(KeyboardInterrupt):
            store.commit("ch01", BODY)
    assert store.commit("ch02", BODY).revision == 2
    assert [entry.unit for entry in store.log()] == ["ch01", "ch02"]
    assert store.verify() == []


def test_a_disk_that_is_full_in_the_middle_of_a_leaf_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store.create(tmp_path)
    store.commit("ch01", BODY)
    write = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        write(path, data[: len(data) // 2])
        raise OSError(ENOSPC, "No space left on device", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(OSError, match="No space left on device"):
            store.commit("ch02", BODY)
    assert [path.name for path in (store.root / "journal").iterdir()] == ["000001-ch01.nq"]
    assert (store.commit("ch02", BODY).revision, store.verify()) == (2, [])
