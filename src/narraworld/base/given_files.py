"""Files that others wrote: only real files are opened, never more than a bound is read, and TOML comes without traps.

What is wrong is an OSError (the file) or a ValueError (its words); who asked for the file knows what to call that.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

__all__ = ["LARGEST", "open_given", "read_given", "read_given_text", "toml_of"]

MIB = 1024 * 1024
LARGEST = 64 * MIB
KEY_PARTS = 200  # `a.b.c` has three; the parser's time grows with their square
NUMBER_BITS = 333  # a hundred digits; Python refuses to write down numbers of thousands
NO_FILE = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}

_KEY_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+"""
_LONG_KEY = re.compile(rf"(?<![\w-])(?:{_KEY_PART}){{{KEY_PARTS}}}")


def open_given(path: Path) -> IO[bytes]:
    """A file opened to be read; a pipe or a device, which may never end, is refused before a byte is read."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        kind = stat.S_IFMT(os.fstat(handle).st_mode)
        if kind == stat.S_IFDIR:
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if kind in NO_FILE:
            raise OSError(errno.EINVAL, f"it is {NO_FILE[kind]}, not a file", str(path))
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_given(path: Path, largest: int = LARGEST) -> bytes:
    """The bytes of a file that is not too big."""
    parts, size = list[bytes](), 0
    with open_given(path) as file:
        while part := file.read(MIB):  # its size is counted and not believed
            parts.append(part)
            size += len(part)
            if size > largest:
                raise OSError(errno.EFBIG, f"it is bigger than {largest / MIB:.3g} MiB", str(path))
    return b"".join(parts)


def read_given_text(path: Path, largest: int = LARGEST) -> str:
    """The same as text; UnicodeDecodeError, a ValueError, if it is not UTF-8."""
    return read_given(path, largest).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def toml_of(text: str) -> dict[str, Any]:
    """The tables of a TOML text; ValueError for what is none, or could only have been written to do harm."""
    if _LONG_KEY.search(text):
        raise ValueError(f"a key has more than {KEY_PARTS} parts")
    try:
        tables = tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if any(isinstance(one, int) and one.bit_length() > NUMBER_BITS for one in _leaves(tables)):
        raise ValueError("it has a number of more than a hundred digits")
    return tables


def _leaves(tables: Any) -> Iterator[Any]:
    """All values, however deep, without recursion."""
    waiting = [tables]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
        else:
            yield one
