"""One thread an engine: it interrupts what takes too long, again until it stops, and never what came after."""

from __future__ import annotations

import threading
from contextlib import closing

from narraworld.rules.engines.watchdog import Watchdog


def test_what_takes_too_long_is_interrupted_until_it_stops() -> None:
    heard = threading.Semaphore(0)
    with closing(Watchdog(heard.release)) as dog, dog.watching(0):
        assert all(heard.acquire(timeout=60) for _ in range(3))


def test_a_shorter_time_than_the_last_is_kept_too() -> None:
    heard = threading.Event()
    with closing(Watchdog(heard.set)) as dog:
        with dog.watching(3600):
            pass
        with dog.watching(0):
            assert heard.wait(60)


def test_what_is_done_is_never_interrupted() -> None:
    heard: list[str] = []
    with closing(Watchdog(lambda: heard.append("interrupted"))) as dog:
        for _ in range(100):
            with dog.watching(3600):
                pass
    assert heard == []


def test_many_questions_share_one_thread() -> None:
    dog, before = Watchdog(lambda: None), threading.active_count()
    for _ in range(50):
        with dog.watching(3600):
            assert threading.active_count() == before + 1
    dog.close()

    assert threading.active_count() == before
