"""Files that are written whole or not at all: whoever reads one meanwhile, or after we were stopped, finds the old or the new.

Here because the innermost room needs it too. Knows no format and makes no folder.
"""

from __future__ import annotations

import os
from contextlib import suppress
from errno import EISDIR
from pathlib import Path

__all__ = ["write_whole"]


def write_whole(path: Path, content: str | bytes) -> None:
    """Put ``content`` where ``path`` is, a text as UTF-8; an OSError names ``path`` and leaves what was there."""
    if path.is_dir():  # also for ".", where the system would say that it is busy
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(path))
    unfinished = path.parent / f".{path.name}.{os.getpid()}.writing"
    try:
        unfinished.write_bytes(content.encode() if isinstance(content, str) else content)
        unfinished.replace(path)
    except OSError as trouble:
        raise OSError(trouble.errno, trouble.strerror, str(path)) from trouble
    finally:
        with suppress(OSError):  # where it could not be made, it cannot be removed
            unfinished.unlink(missing_ok=True)
