"""A folder of stories read into a corpus: buckets dealt out to processes, each finished one told as it comes.

One bucket alone can be asked for, so that any scheduler can run as many of these as it has machines; the result is the same.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from narraworld.base.atomic_files import make_folder
from narraworld.base.settings import BulkSettings
from narraworld.corpus.buckets import FOLDER, BucketRead, read_bucket
from narraworld.corpus.errors import BadCorpus
from narraworld.corpus.story_folder import dealt_out, stories_in

__all__ = ["Share", "bucket_count", "read_corpus"]

SETTINGS = BulkSettings()


@dataclass(frozen=True, slots=True)
class Share:
    """One bucket of so many, counted from 1: `17/200`."""

    number: int
    of: int

    @classmethod
    def of_text(cls, text: str) -> Share:
        number, slash, of = text.partition("/")
        if not (slash and number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
            raise BadCorpus(f"{text!r} is no bucket", fix="say which of how many, as in --bucket 17/200")
        return cls(int(number), int(of))


def bucket_count(stories: int, size: int = SETTINGS.bucket) -> int:
    return -(-stories // size)


def read_corpus(
    folder: Path, into: Path, *, jobs: int = 1, size: int = SETTINGS.bucket, share: Share | None = None
) -> Iterator[BucketRead]:
    """Read the stories of ``folder``; every bucket as it is finished, those that were there already first.

    Without ``share`` the corpus is brought up to date whole, and buckets that no longer belong to it go.
    """
    stories = stories_in(folder)
    buckets = dealt_out(stories, share.of if share else bucket_count(len(stories), size))
    make_folder(into / FOLDER)
    if share:
        yield read_bucket(buckets[share.number - 1], share.number, into)
        return
    _sweep(into, len(buckets))
    wanted = list(enumerate(buckets, 1))
    if jobs == 1:
        yield from (read_bucket(some, number, into) for number, some in wanted)
        return
    with _workers(jobs) as pool:
        for done in as_completed([pool.submit(read_bucket, some, number, into) for number, some in wanted]):
            yield done.result()


@contextmanager
def _workers(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Fresh processes; what they have not begun is dropped when we are interrupted."""
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _sweep(into: Path, buckets: int) -> None:
    """Away with buckets of a longer corpus, and with what a crash left half done."""
    for place in (into / FOLDER).iterdir():
        if place.name.startswith(".") or (place.name.isdecimal() and not 1 <= int(place.name) <= buckets):
            shutil.rmtree(place, ignore_errors=True)
