"""Files that are written whole or not at all: whoever reads one meanwhile, or after we were stopped, finds the old or the new.

What is made anew is open to those to whom the folder around it is, whatever the umask allows others: one decision, at the
root of a store, holds for all that is in it. Here because the innermost room needs it too. Knows no format.
"""

from __future__ import annotations

import os
from contextlib import suppress
from errno import EISDIR
from pathlib import Path

__all__ = ["PRIVATE", "make_file", "make_folder", "to_disk", "write_whole"]

PRIVATE = 0o700  # of a folder whose owner alone may look


def make_folder(path: Path) -> None:
    """Make a folder where there is none, and those above it."""
    if not path.is_dir():
        make_folder(path.parent)
        path.mkdir(mode=path.parent.stat().st_mode & 0o777, exist_ok=True)


def make_file(path: Path) -> Path:
    """Make an empty file where there is none; its folder must be there."""
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, path.parent.stat().st_mode & 0o666))
    return path


def to_disk(path: Path) -> None:
    """Make a file's content, or the names in a folder, survive a power cut, where the system lets us."""
    if os.name == "nt":
        return
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def write_whole(path: Path, content: str | bytes) -> None:
    """Put ``content`` where ``path`` is, a text as UTF-8; an OSError names ``path`` and leaves what was there.

    A file that was there keeps its permissions.
    """
    if path.is_dir():  # also for ".", where the system would say that it is busy
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(path))
    unfinished = path.parent / f".{path.name}.{os.getpid()}.writing"
    try:
        make_file(unfinished).write_bytes(content.encode() if isinstance(content, str) else content)
        if path.exists():
            unfinished.chmod(path.stat().st_mode & 0o777)
        to_disk(unfinished)
        unfinished.replace(path)
        to_disk(path.parent)
    except OSError as trouble:
        raise OSError(trouble.errno, trouble.strerror, str(path)) from trouble
    finally:
        with suppress(OSError):  # where it could not be made, it cannot be removed
            unfinished.unlink(missing_ok=True)
