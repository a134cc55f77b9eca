"""A desk over three tiny chapters, and a page served from this process: what the tests of the surfaces share."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from narraworld.desk.answers.seen_story import SituationPins
from narraworld.desk.story_desk import StoryDesk
from narraworld.world import World

__all__ = ["CHAPTERS", "ServedPage", "made_novel", "served"]

CHAPTERS = {
    "01-the-inn.md": "# The Inn\n\nMara had green eyes. Mara hid the key in the clock.\n\nLeo came to the inn.\n",
    "02-the-mill.md": "# The Mill\n\nMara's eyes were brown. Leo went to the mill.\n\n***\n\nMara told Leo that the key was in the drawer.\n",
    "03-the-cove.md": "# The Cove\n\nTobin sailed to the cove. Tobin found the lantern.\n",
}


def made_novel(folder: Path) -> Path:
    """The chapters on the disk, read."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in CHAPTERS.items():
        (folder / name).write_text(text, encoding="utf-8")
    with World.open(folder, create=True) as world:
        world.check()  # as `narraworld check` in the folder: places are told as the author sees them
    return folder


def copied(novel: Path, to: Path) -> Path:
    return Path(shutil.copytree(novel, to))


@dataclass(frozen=True)
class ServedPage:
    """A page that is being served: its address and the desk behind it."""

    url: str
    desk: StoryDesk


@contextmanager
def served(folder: Path, pins: SituationPins | None = None, *, agents: bool = False) -> Iterator[ServedPage]:
    """The site on a port of loopback, in a thread that dies with the test."""
    from narraworld.web.guard import PageGuard
    from narraworld.web.serving import PageServer, bound
    from narraworld.web.site import Site, made_site

    listening = bound("127.0.0.1", 0)
    host = f"127.0.0.1:{listening.getsockname()[1]}"
    desk, held = StoryDesk(World.open(folder)), pins or SituationPins()
    mounted = None
    if agents:
        from narraworld.mcp.server import mounted as made

        mounted = made(desk, held, [host])
    server = PageServer(PageGuard(made_site(Site(desk, held), mounted), {host}), desk.ring_out)
    thread = threading.Thread(target=lambda: server.run(sockets=[listening]), daemon=True)
    thread.start()
    desk.start()
    try:
        assert desk.ready(60)
        yield ServedPage(f"http://{host}", desk)
    finally:
        server.leave()
        thread.join(10)
        desk.close()
