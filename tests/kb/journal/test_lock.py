"""One writer at a time; a crash lets go; the message says who."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

from narraworld.kb.errors import StoreLocked
from narraworld.kb.journal.lock import Lock
from narraworld.kb.journal.store import Store

HOLDER = """
import sys
from pathlib import Path
from narraworld.kb.journal.lock import Lock
lock = Lock(Path(sys.argv[1]))
lock.take()
print("held", flush=True)
sys.stdin.read()
"""


def holding(path: Path) -> subprocess.Popen[str]:
    """A process that holds the lock until its stdin is closed or it is killed."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_another_process_is_refused_and_told_who_writes(tmp_path: Path) -> None:
    with holding(tmp_path / "lock") as other:
        with pytest.raises(StoreLocked, match=rf"process {other.pid} on .+ since \d{{4}}-"):
            Lock(tmp_path / "lock").take()
        other.kill()


def test_a_killed_writer_lets_go(tmp_path: Path) -> None:
    with holding(tmp_path / "lock") as other:
        other.kill()
    mine = Lock(tmp_path / "lock")
    mine.take()
    assert mine.held


def test_a_second_writer_in_the_same_process_is_refused(tmp_path: Path) -> None:
    first, second = Lock(tmp_path / "lock"), Lock(tmp_path / "lock")
    first.take()
    with pytest.raises(StoreLocked, match=f"process {os.getpid()} "):
        second.take()
    first.release()
    second.take()
    assert (first.held, second.held) == (False, True)


def test_a_writer_knows_whether_somebody_came_between(tmp_path: Path) -> None:
    mine, other = Lock(tmp_path / "lock"), Lock(tmp_path / "lock")
    assert mine.take() is False, "nobody knows what was before the first time"
    mine.release()
    assert mine.take() is True
    mine.release()
    other.take()
    other.release()
    assert mine.last_was_mine() is False
    assert mine.take() is False


@pytest.mark.parametrize("record", [b"", b"{half", b"[]", b'{"pid": 1}'])
def test_a_record_that_makes_no_sense_is_nobody(tmp_path: Path, record: bytes) -> None:
    holder = Lock(tmp_path / "lock")
    holder.take()
    (tmp_path / "lock").write_bytes(record)
    with pytest.raises(StoreLocked, match="being written by another process"):
        Lock(tmp_path / "lock").take()
    assert holder.last_was_mine() is False


def test_two_stores_take_turns_and_see_each_other(tmp_path: Path) -> None:
    one, two = Store.create(tmp_path), Store.create(tmp_path)
    for turn in range(6):
        (one, two)[turn % 2].commit(f"ch{turn}", "")
    assert (
        [entry.unit for entry in one.log()]
        == [entry.unit for entry in two.log()]
        == [f"ch{n}" for n in range(6)]
    )
    with one.writing(), pytest.raises(StoreLocked):
        two.commit("ch6", "")
    assert two.commit("ch6", "").revision == 7


def test_a_failure_while_writing_lets_go(tmp_path: Path) -> None:
    one, two = Store.create(tmp_path), Store.create(tmp_path)
    with pytest.raises(ZeroDivisionError), one.writing(), one.writing():
        raise ZeroDivisionError
    assert two.commit("ch01", "").revision == 1


def test_threads_of_one_store_wait_for_each_other(tmp_path: Path) -> None:
    store = Store.create(tmp_path)
    threads = [
        Thread(target=lambda name: [store.commit(f"{name}-{n}", "") for n in range(10)], args=(name,))
        for name in "abcd"
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (store.snapshot().revision, len(store.snapshot()), store.verify()) == (40, 40, [])
