"""What one living server costs: memory over many moments, an edited chapter, the end after a signal.

    make bench BENCH=surfaces ARGS='--world novel --moments 200'

Processor seconds and resident memory of this process; the end of the server is told in seconds after the signal.
"""

from __future__ import annotations

import argparse
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.request import urlopen

from bench.frame import Figures
from narraworld.desk.answers.overview import overview
from narraworld.desk.answers.seen_story import seen_in
from narraworld.desk.story_desk import StoryDesk
from narraworld.world import World

__all__ = ["add_options", "run"]


def memory() -> float:
    """Resident memory now, in MB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--world", type=Path, required=True, help="a story that was read; a copy of it is used"
    )
    parser.add_argument("--moments", type=int, default=200)


def run(options: argparse.Namespace) -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        novel = Path(shutil.copytree(options.world, Path(folder) / "novel"))
        with StoryDesk(World.open(novel)) as desk:
            desk.look_again()
            desk.got_ready()  # as the worker of a server does before anybody saves
            found = {**_moments(desk, options.moments), **_edit(desk)}
        return {**found, **_ending(novel)}


def _moments(desk: StoryDesk, many: int) -> Figures:
    """The overview of as many different moments as are asked for: scenes, and how far they are told."""
    scenes = seen_in(desk, {}).ruler.scenes
    pairs = [
        (a.moment, b.moment) for b in reversed(scenes) for a in scenes if scenes.index(a) <= scenes.index(b)
    ][:many]
    overview(seen_in(desk, {}))
    before, began = memory(), time.process_time()
    for at, told in pairs:
        overview(seen_in(desk, {"at": at, "told": told}))
    spent = time.process_time() - began
    grown, each = memory() - before, spent / max(1, len(pairs))
    print(
        f"{len(pairs)} moments: memory {before:.0f} MB and {grown:.0f} more, {each:.2f} s of processor time each"
    )
    return {
        "moments": len(pairs),
        "memory_mb": round(before),
        "grown_mb": round(grown),
        "moment_seconds": round(each, 2),
    }


def _edit(desk: StoryDesk) -> Figures:
    """One chapter is saved with one more sentence, twice: the second time everything is warm."""
    from narraworld.reading.changed import files_of

    file, found = Path(files_of(desk.world.story)[0]), dict[str, float]()
    for nth in (1, 2):
        file.write_text(
            file.read_text(encoding="utf-8") + f"\nThe {nth}. rain came in the evening.\n", encoding="utf-8"
        )
        began = time.process_time()
        desk.look_again()
        overview(seen_in(desk, {}))
        found[f"edit_{nth}_seconds"] = round(time.process_time() - began, 2)
        print(
            f"edit {nth} of {file.name}: {found[f'edit_{nth}_seconds']} s of processor time until the page has it"
        )
    return found


def _ending(novel: Path) -> Figures:
    command = [sys.executable, "-m", "narraworld", "serve", "--port", "0", "--world", str(novel), "--no-mcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        said = re.search(r"http://\S+/", server.stdout.readline() if server.stdout else "")
        assert said
        with urlopen(f"{said[0]}live") as stream:
            stream.readline()
            time.sleep(5)
            server.send_signal(signal.SIGTERM)
            began = time.monotonic()
            code = server.wait(60)
            seconds = round(time.monotonic() - began, 2)
    print(f"ended with {code} after {seconds} s, a stream open")
    return {"exit_code": code, "ending_seconds": seconds}
