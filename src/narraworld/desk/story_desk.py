"""The desk: one living world with its files, one worker and one bell. Every surface asks it; none keeps a world of its own.

    a file is saved → the worker reads it and checks → the bell rings → pages, editors and agents look again

The worker reads offline, never with a model. A file that cannot be read keeps its last good reading, and `troubles` says so.
Manuscript files are never opened for writing.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from narraworld.base.errors import NarraWorldError
from narraworld.base.settings import DEFAULTS, WatchSettings
from narraworld.desk.bell import Bell, DeskNews, NewsKind
from narraworld.desk.kept_answers import KeptAnswers
from narraworld.desk.watched_files import WatchedFiles, readable_files
from narraworld.query.situation import NOW, Situation

if TYPE_CHECKING:
    from typing import Any, Self

    from narraworld.extract.sources import Piece
    from narraworld.extract.sources.read_files import KeptManuscripts
    from narraworld.query.checks.findings import Finding
    from narraworld.query.checks.report import Report
    from narraworld.world import World

__all__ = ["StoryDesk"]

LOG = logging.getLogger(__name__)
DECISIONS = "decisions.toml"


class _Stopped(Exception):
    """The desk is being closed: what is under way ends between two units."""


class StoryDesk:
    """A world held open by a process that lives. Use it in a `with`; `start` sets its worker to work."""

    def __init__(
        self, world: World, files: Sequence[Path] = (), *, settings: WatchSettings = DEFAULTS.surfaces.desk
    ) -> None:
        self.world, self.bell, self.settings = world, Bell(), settings
        self.kept = KeptAnswers(world, settings)
        self.troubles: dict[str, str] = {}
        self._given = tuple(files)
        self._known: tuple[object, tuple[Path, ...]] = (None, ())
        self._watched = WatchedFiles()
        self._seen_revision, self._rang = -1, 0.0
        self._stop, self._checking = threading.Event(), threading.RLock()
        self._is_ready = self._is_left = False
        self._parsed: KeptManuscripts = {}  # files as they were read last: one save parses one file
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def revision(self) -> int:
        return self.world.store.snapshot().revision

    # -- the worker

    def start(self) -> None:
        """Set the worker to work: it looks at the files, reads, checks, and fills what pages wait for."""
        self._thread = threading.Thread(target=self._work, name="narraworld-desk", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Tell everybody, and close the world. A worker deep in a check is not waited for: its tables bear being left in the
        middle, and it closes the world itself where the process lives on."""
        self._stop.set()
        self.bell.close()
        if self._thread is not None:
            self._thread.join(self.settings.leave_seconds)
            if self._thread.is_alive():
                self._is_left = True
                return
        self.world.close()

    def ring_out(self) -> None:
        """Everybody who listens goes home; what is under way ends between two units."""
        self._stop.set()
        self.bell.close()

    def _work(self) -> None:
        self._work_on()
        if self._is_left:
            self.world.close()

    def _work_on(self) -> None:
        while not self._stop.is_set():
            try:
                if not self._looked() and not self.got_ready() and not self._filled():
                    self._stop.wait(self.settings.look_seconds)
            except _Stopped:
                return
            except Exception as error:  # the worker outlives whatever one look at the files brings
                LOG.exception("the desk's worker")
                self._ring("failed", {"unit": None, "what": str(error)})
                self._stop.wait(self.settings.look_seconds)

    def _looked(self) -> bool:
        """Whether there was anything new, which is then read and checked."""
        files = self._files()
        revision = self.revision
        if revision == self._seen_revision and not self._watched.changed(files):
            return False
        self._settle(files)
        self.look_again()
        return True

    def got_ready(self) -> bool:
        """Whether the reader was loaded just now: nobody who saves a chapter should wait for that."""
        if self._is_ready:
            return False
        from narraworld.reading.with_embedded import get_ready

        self._is_ready = True
        get_ready(self.world.story)
        return True

    def _settle(self, files: Sequence[Path]) -> None:
        """Wait until nobody is saving."""
        before = self._watched.marks(files)
        while not self._stop.wait(self.settings.quiet_seconds):
            if (now := self._watched.marks(files)) == before:
                return
            before = now

    def remember(self) -> Report:
        """Take what the last reading found as known, so that the first look tells what was saved since."""
        with self._checking:
            report = self.kept.report(NOW)
            self.kept.renew(report)
            return report

    def look_again(self) -> Report:
        """Read what changed, check, and tell everybody what was gained and lost."""
        with self._checking:
            before, old = self.kept.latest, self.world.store.snapshot()
            self._watched.watch(self._files())
            report = self._checked()
            self._watched.changed(self._files())
            self.kept.renew(report)
            self._seen_revision = self.revision
            units = self.world.store.diff(old, self.world.store.snapshot()).units
        gained, lost = _missing(report, before), _missing(before, report)
        self._ring("changed", {"units": list(units), "gained": gained, "lost": lost})
        return report

    def _checked(self) -> Report:
        from narraworld.reading.changed import manuscript_of, read_changed
        from narraworld.reading.read import OpenedFiles

        pieces = self._pieces()
        if pieces is not None or not self._given:
            read_changed(self.world.story, manuscript_of(self.world.story, pieces), tell=self._tell)
        opened = [OpenedFiles(pieces=tuple(pieces), whole=not self._given)] if pieces is not None else []
        return self.world.check(*opened, least="note")

    def _pieces(self) -> list[Piece] | None:
        """What is in the files as far as they can be read; None where the world knows its files best."""
        from narraworld.extract.sources import read_sources

        files = [path for path in self._files() if path.name != DECISIONS]
        root = None if self._given else self.world.path
        self.troubles = {}
        if not files:
            return None
        try:
            return read_sources(files, root=root, kept=self._parsed)
        except NarraWorldError:
            return read_sources(self._readable(files), root=root, kept=self._parsed)

    def _readable(self, files: Iterable[Path]) -> list[Path | str]:
        """The files that can be read alone; what is wrong with the others is said, and their last reading stays."""
        from narraworld.extract.sources import read_sources

        good = list[Path | str]()
        for path in files:
            try:
                read_sources([path])
                good.append(path)
            except NarraWorldError as error:
                self.troubles[path.name] = error.what
                self._ring("failed", {"unit": path.name, "what": error.what})
        return good

    def _files(self) -> tuple[Path, ...]:
        """The files at hand: those named, or those the story was read from; and the author's decisions."""
        from narraworld.reading.changed import files_of

        decisions = self.world.store.root / DECISIONS
        if self._given:
            return (*readable_files(self._given), decisions)
        stamp = self.world.store.snapshot().stamp
        if self._known[0] != stamp:
            self._known = stamp, tuple(map(Path, files_of(self.world.story)))
        return (*readable_files(self._known[1]), decisions)

    def _tell(self, done: int, total: int, title: str) -> None:
        if self._stop.is_set():
            raise _Stopped
        self._ring("busy", {"done": done, "total": total, "title": title})

    def _ring(self, kind: NewsKind, data: dict[str, Any]) -> None:
        self.bell.ring(DeskNews(kind, self.revision, data))

    # -- what pages wait for

    def wants(self, moments: Sequence[Situation]) -> None:
        """Minds at these moments are wanted; those nearest to hand first, newest wish first."""
        self.kept.wish(moments)

    def _filled(self) -> bool:
        """Whether a column that somebody waits for was derived."""
        filled = self.kept.fill_one()
        if filled:
            self._stop.wait(self.settings.quiet_seconds / 10)  # whoever waits for the world comes first
        if filled and (not self.kept.wishes or time.monotonic() > self._rang + self.settings.news_seconds):
            self._rang = time.monotonic()
            self._ring("filled", {})
        return filled

    def report(self, situation: Situation = NOW) -> Report:
        """The check as of a situation; that of the whole story is the worker's latest."""
        return self.kept.report(situation)

    def ready(self, seconds: float) -> bool:
        """Wait until the worker has checked once."""
        end = time.monotonic() + seconds
        while self.kept.latest is None and time.monotonic() < end and not self._stop.is_set():
            time.sleep(self.settings.look_seconds / 10)
        return self.kept.latest is not None


def _missing(here: Report | None, there: Report | None) -> list[Finding]:
    """Findings of one check that another has not."""
    known = {one.key for one in _each(there)}
    return [one for one in _each(here) if one.key not in known]


def _each(report: Report | None) -> list[Finding]:
    return [each for one in report.findings for each in one.each()] if report else []
