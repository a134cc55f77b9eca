"""Buckets: some stories read together and kept as Parquet, each bucket whole or not at all.

    corpus/buckets/00017/event.parquet …   the base rows, first column `story`
    corpus/buckets/00017/stories.json      which stories, with words and refusals, and what the bucket was made from

A bucket is made in a folder beside its place and moved there when it is complete, so that a crash leaves no half of one and a second
run goes on where the first ended. It is made anew when a story in it, the reader or the rules' base relations have changed.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from narraworld.base.atomic_files import make_folder
from narraworld.base.errors import NarraWorldError
from narraworld.base.version import __version__
from narraworld.corpus.kernel import Kernel, StoryRows
from narraworld.corpus.shared_rules import base_program, checking_setup
from narraworld.corpus.story_folder import StorySource
from narraworld.extract.sources import read_sources
from narraworld.extract.sources.find import readable_in
from narraworld.rules.engines.parquet import write_parquet
from narraworld.rules.language.ir import Row
from narraworld.rules.language.lifting import STORIES

__all__ = ["FOLDER", "BucketRead", "StoryRead", "read_bucket", "read_whole_buckets"]

FOLDER, LIST = "buckets", "stories.json"


@dataclass(frozen=True, slots=True)
class StoryRead:
    """What became of one story: ``why`` it could not be read, or how long it is and how many records were refused."""

    story: str
    words: int = 0
    rows: int = 0
    refused: int = 0
    why: str | None = None


@dataclass(frozen=True, slots=True)
class BucketRead:
    """What became of one bucket; ``fresh`` if it was read now, and not before."""

    number: int
    stories: tuple[StoryRead, ...] = ()
    made_from: str = ""
    fresh: bool = field(default=False, compare=False)


@cache
def _kernel() -> Kernel:
    return Kernel(checking_setup())


def read_bucket(stories: Sequence[StorySource], number: int, into: Path) -> BucketRead:
    """Read the stories of one bucket, unless it is there already; runs in any process."""
    made_from, place = _made_from(stories), into / FOLDER / f"{number:05}"
    known = _known(place)
    if known and known.made_from == made_from:
        return known
    unfinished = place.with_name(f".{place.name}-{os.getpid()}")
    shutil.rmtree(unfinished, ignore_errors=True)
    make_folder(unfinished)
    try:
        found = BucketRead(number, _written(stories, unfinished), made_from, fresh=True)
        told = asdict(found)
        told.pop("fresh")
        (unfinished / LIST).write_text(json.dumps(told, ensure_ascii=False, indent=1), encoding="utf-8")
        shutil.rmtree(place, ignore_errors=True)
        unfinished.rename(place)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return found


def read_whole_buckets(corpus: Path) -> list[tuple[Path, BucketRead]]:
    """The buckets that are there, in order."""
    places = sorted((corpus / FOLDER).glob("[0-9]*")) if (corpus / FOLDER).is_dir() else []
    return [(place, known) for place in places if (known := _known(place))]


def _written(stories: Sequence[StorySource], folder: Path) -> tuple[StoryRead, ...]:
    rows: dict[str, list[Row]] = {}
    read = []
    for story in stories:
        try:
            told = _kernel().read(read_sources([story.path], root=story.path.parent))
        except NarraWorldError as error:
            read.append(StoryRead(story.name, why=str(error)))
            continue
        lifted = _with_story(story.name, told)
        for name, some in lifted.items():
            rows.setdefault(name, []).extend(some)
        count = sum(map(len, lifted.values())) - 1
        read.append(StoryRead(story.name, told.words, count, len(told.refusals)))
    write_parquet(folder, base_program(), rows)
    return tuple(read)


def _with_story(name: str, told: StoryRows) -> Mapping[str, list[Row]]:
    rows = {relation: [(name, *row) for row in some] for relation, some in told.rows.items()}
    return {**rows, STORIES: [(name,)]}


def _known(place: Path) -> BucketRead | None:
    """What a bucket's list says; None if there is none that can be read."""
    try:
        told: dict[str, Any] = json.loads((place / LIST).read_text(encoding="utf-8"))
        stories = tuple(StoryRead(**one) for one in told["stories"])
        return BucketRead(told["number"], stories, told["made_from"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _made_from(stories: Sequence[StorySource]) -> str:
    """A digest of all that a bucket's rows depend on."""
    said = hashlib.sha256(f"{__version__}\n{_schema()}".encode())
    for story in stories:
        said.update(f"\n{story.name}\n".encode("utf-8", "surrogateescape"))
        for path in [story.path] if story.path.is_file() else sorted(readable_in(story.path)):
            said.update(f"{path.relative_to(story.path.parent)}\n".encode("utf-8", "surrogateescape"))
            said.update(hashlib.sha256(path.read_bytes()).digest())
    return said.hexdigest()


@cache
def _schema() -> str:
    base = (one for one in base_program().relations.values() if one.base)
    return repr([(one.name, [(column.name, column.type) for column in one.columns]) for one in base])
