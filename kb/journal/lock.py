"""One writer at a time, and a message that says who it is.

The lock is the operating system's, on an open file, so a crash releases it. The file also records who took it last:
for the message, and so that a writer can tell that nobody wrote since it last held the lock, without looking at
the journal. The file is never removed: removing a lock file is how two processes come to hold "the" lock.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from narraworld.base.atomic_files import make_file
from narraworld.kb.errors import StoreLocked

__all__ = ["Lock"]

if sys.platform == "win32":
    import msvcrt

    # Windows locks bytes, and forbids reading them: take one far behind the record.
    _FAR = 1 << 30

    def _try_lock(fd: int) -> None:
        os.lseek(fd, _FAR, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _try_lock(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Lock:
    """A lock on `path`. Two objects exclude each other, in one process as in two."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._fd: int | None = None
        self._token: str | None = None

    @property
    def held(self) -> bool:
        return self._fd is not None

    def take(self) -> bool:
        """Take the lock or raise StoreLocked. True if nobody else has held it since this object last did."""
        fd = os.open(make_file(self.path), os.O_RDWR)
        try:
            _try_lock(fd)
        except OSError as busy:
            os.close(fd)
            raise self._refusal() from busy
        untouched = self.last_was_mine()
        self._fd, self._token = fd, uuid4().hex
        self._record(fd)
        return untouched

    def release(self) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def last_was_mine(self) -> bool:
        """Whether this object was the last to take the lock: then no one else can have written since."""
        return self._token is not None and self._holder().get("token") == self._token

    def _record(self, fd: int) -> None:
        since = datetime.now(UTC).isoformat(timespec="seconds")
        holder = {"pid": os.getpid(), "host": socket.gethostname(), "since": since, "token": self._token}
        os.ftruncate(fd, 0)
        os.lseek(fd, 0, os.SEEK_SET)
        os.write(fd, json.dumps(holder).encode())

    def _holder(self) -> Mapping[str, object]:
        # The record may be half written at this moment: then we do not know who it is, which is no error.
        try:
            holder = json.loads(self.path.read_bytes())
        except (OSError, ValueError):
            return {}
        return holder if isinstance(holder, dict) else {}

    def _refusal(self) -> StoreLocked:
        holder = self._holder()
        who = (
            "process {pid} on {host} since {since}".format_map(holder)
            if "since" in holder
            else "another process"
        )
        fix = "wait until it is done; the lock goes with the process, there is nothing to delete"
        return StoreLocked(f"being written by {who}", where=str(self.path.parent), fix=fix)
