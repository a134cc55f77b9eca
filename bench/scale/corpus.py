"""Many short stories: the kernel against a world each, the lifted program against one run each, two jobs against one.

Stories of about 200 words, cut from the bundled ones, as many as asked for (their words repeat; their names do not matter to the cost).
Kernel and lifting are compared by processor time in one run and must give the same rows; jobs are compared by wall time, which says
something on a quiet machine only. Memory is the peak of a process of its own that reads some stories, then of one that reads twice as many.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

import narraworld
from bench.frame import Figures, alone, peak_mb, show
from narraworld.corpus.kernel import Kernel
from narraworld.corpus.read import read_corpus
from narraworld.corpus.shared_rules import corpus_setup
from narraworld.extract.sources import Piece, read_sources
from narraworld.rules.engines.duckdb import DuckEngine
from narraworld.rules.engines.sql.writer import stored
from narraworld.rules.engines.sqlite.engine import SqliteEngine
from narraworld.rules.language.ir import Row
from narraworld.rules.language.lifting import STORIES, lift, lifted_relations
from narraworld.rules.living.cut import every_row, same_for_all
from narraworld.world import World

__all__ = ["add_options", "run"]

WORDS = 200
StoryTables = Mapping[str, Mapping[str, set[Row]]]  # story → relation → rows


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--stories", type=int, default=80, help="how many are derived one by one and lifted")
    parser.add_argument("--worlds", type=int, default=12, help="how many are read by a world each")
    parser.add_argument("--jobs", type=int, default=2, help="processes against one")


def run(options: argparse.Namespace) -> Figures:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "tales"
        _write(folder, options.stories)
        kernel = _kernel_against_world(folder, options.worlds)
        rows = {
            path.stem: Kernel(corpus_setup()).read(_pieces(path)).rows for path in sorted(folder.iterdir())
        }
        lifted = _lifted_against_single(rows)
        jobs = _jobs(folder, Path(scratch), options.jobs)
        memory = {many: alone(_peak, str(folder), many) for many in (options.stories // 2, options.stories)}
    show("a corpus of short stories", ["what", "figure"], [
        ["kernel, ms a story", f"{1e3 * kernel['kernel_s']:.0f}"], ["world, ms a story", f"{1e3 * kernel['world_s']:.0f}"],
        ["kernel is quicker by", f"{kernel['world_s'] / kernel['kernel_s']:.1f} ×"],
        [f"{len(rows)} stories one by one, s", f"{lifted.single_s:.2f}"], ["lifted (load + derive), s", f"{lifted.lifted_s:.2f}"],
        ["lifted is quicker by", f"{lifted.single_s / lifted.lifted_s:.1f} ×"],
        ["equal digests", "yes" if lifted.single_digest == lifted.lifted_digest else "NO"],
        [f"{options.jobs} jobs quicker by (wall)", f"{jobs:.2f} ×"],
        *([f"peak MB, {many} stories", f"{peak:.0f}"] for many, peak in memory.items()),
    ])  # fmt: skip
    return {
        **kernel, **asdict(lifted), "kernel_ratio": kernel["world_s"] / kernel["kernel_s"],
        "lifted_ratio": lifted.single_s / lifted.lifted_s, "jobs_ratio_wall": jobs,
        "peak_mb": {str(many): peak for many, peak in memory.items()}, "stories": len(rows), "rss_mb": peak_mb(),
    }  # fmt: skip


# -- the stories


def _write(folder: Path, many: int) -> None:
    folder.mkdir()
    tales = list(_tales())
    for number in range(many):
        (folder / f"tale{number:04}.md").write_text(
            f"# Tale {number}\n\n{tales[number % len(tales)]}\n", "utf-8"
        )


def _tales() -> Iterator[str]:
    """The bundled prose in pieces of about so many words, cut between paragraphs."""
    stories = Path(narraworld.__file__).parent / "stories"
    for path in sorted(stories.rglob("*.md")):
        piece: list[str] = []
        for paragraph in path.read_text("utf-8").split("\n\n"):
            piece += [paragraph] if not paragraph.startswith("#") else []
            if sum(len(one.split()) for one in piece) >= WORDS:
                yield "\n\n".join(piece)
                piece = []


def _pieces(path: Path) -> list[Piece]:
    return read_sources([path], root=path.parent)


# -- what is measured


def _kernel_against_world(folder: Path, many: int) -> dict[str, float]:
    """Seconds a story: read by the kernel, and by a world that is opened, read into and derived."""
    paths = sorted(folder.iterdir())[:many]
    kernel = Kernel(corpus_setup())
    for path in paths:  # loads what is loaded once, and parses every sentence, for both alike
        kernel.read(_pieces(path))
    began = time.process_time()
    for path in paths:
        kernel.read(_pieces(path))
    between = time.process_time()
    for path in paths:
        with tempfile.TemporaryDirectory() as place, World.open(place, create=True) as world:
            world.read(path)
            world.scope()
    return {"kernel_s": (between - began) / many, "world_s": (time.process_time() - between) / many}


@dataclass(frozen=True, slots=True)
class LiftedRun:
    """Processor seconds one by one and lifted, and a digest of all that each derived."""

    single_s: float
    lifted_s: float
    single_digest: str
    lifted_digest: str


def _lifted_against_single(rows: StoryTables) -> LiftedRun:
    setup = corpus_setup()
    program, same = setup.program, same_for_all(setup.program)
    tables, over = sorted(stored(program)), lifted_relations(program, same)
    given: dict[str, set[Row]] = {name: set(some) for name, some in setup.settings_rows.items()}
    began = time.process_time()
    single = {story: _derived_alone(dict(some), given, tables) for story, some in rows.items()}
    between = time.process_time()
    with closing(DuckEngine(lift(program, same))) as engine:
        facts: dict[str, set[Row]] = {**given, STORIES: {(story,) for story in rows}}
        for story, some in rows.items():
            for name, told in some.items():
                if name in program.relations:
                    facts.setdefault(name, set()).update((story, *row) for row in told)
        engine.load(facts)
        engine.derive()
        ended = time.process_time()
        together = {name: every_row(engine, name) for name in tables}
    ours = _digest((name, row) for name in tables if name in over for row in together[name])
    theirs = _digest((name, (story, *row)) for story, some in single.items() for name in tables if name in over for row in some[name])  # fmt: skip
    return LiftedRun(between - began, ended - between, theirs, ours)


def _derived_alone(
    rows: dict[str, set[Row]], given: dict[str, set[Row]], tables: list[str]
) -> dict[str, list[Row]]:
    program = corpus_setup().program
    with closing(SqliteEngine(program)) as engine:
        engine.load({**{name: some for name, some in rows.items() if name in program.relations}, **given})
        return {name: every_row(engine, name) for name in tables}


def _digest(rows: Iterator[tuple[str, Row]]) -> str:
    said = hashlib.sha256()
    for one in sorted(map(repr, rows)):
        said.update(one.encode())
    return said.hexdigest()[:16]


def _jobs(folder: Path, scratch: Path, jobs: int) -> float:
    spent = {}
    for many in (1, jobs):
        began = time.perf_counter()
        alone(_read, str(folder), str(scratch / f"corpus-{many}"), many)
        spent[many] = time.perf_counter() - began
    return spent[1] / spent[jobs]


def _read(folder: str, into: str, jobs: int) -> int:
    return len(list(read_corpus(Path(folder), Path(into), jobs=jobs, size=10)))


def _peak(folder: str, many: int) -> float:
    """Peak memory of a process that reads so many stories in buckets of ten."""
    with tempfile.TemporaryDirectory() as scratch:
        some = Path(scratch) / "tales"
        some.mkdir()
        for path in sorted(Path(folder).iterdir())[:many]:
            (some / path.name).write_bytes(path.read_bytes())
        _read(str(some), str(Path(scratch) / "corpus"), 1)
        return peak_mb()
