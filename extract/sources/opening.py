"""Bytes of a file, and bytes as text: with limits, and with words for everything that is not text."""

from __future__ import annotations

import codecs
import errno
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from narraworld.base.given_files import read_given
from narraworld.base.settings import SourceSettings
from narraworld.extract.errors import BadSource

__all__ = ["OpenedFile", "load", "load_stream"]

SAVE_AS_UTF8 = "save it as UTF-8 plain text"
ZIP = b"PK\x03\x04"
MAGIC = {
    b"%PDF": "a PDF", ZIP: "a zip archive", b"\xd0\xcf\x11\xe0": "an old Office document",
    b"\x89PNG": "a PNG picture", b"\xff\xd8\xff": "a JPEG picture", b"GIF8": "a GIF picture", b"\x1f\x8b": "gzip data",
    b"{\\rtf": "rich text (RTF)", b"SQLite format 3": "a database",
}  # fmt: skip
WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
REASONS = {errno.ENOENT: "there is no such file", errno.EACCES: "may not be read by you"}


@dataclass(frozen=True, slots=True)
class OpenedFile:
    """What a reader is given: bytes and the name to show for them; a path when there is one."""

    name: str
    data: bytes
    path: Path | None = None

    @property
    def text(self) -> str:
        """The text, if it is UTF-8, with or without a byte order mark."""
        return _as_text(self.data, self.name)


def load(path: Path, name: str, settings: SourceSettings) -> OpenedFile:
    """A file that is there, may be read, is not too big and not empty."""
    try:
        data = read_given(path, settings.largest_file)
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise _too_big(name, settings.largest_file) from error
        reason = REASONS.get(error.errno or 0, f"cannot be read: {error.strerror}")
        raise BadSource(reason, where=name) from error
    return OpenedFile(name, _within(data, name, settings), path)


def load_stream(stream: TextIO, name: str, settings: SourceSettings) -> OpenedFile:
    """The same for what comes in by a stream."""
    try:
        text = stream.read(settings.largest_file + 1)
    except UnicodeDecodeError as error:
        raise BadSource(f"is not {error.encoding} text", where=name, fix=SAVE_AS_UTF8) from error
    return OpenedFile(name, _within(text.encode("utf-8", "surrogatepass"), name, settings))


def _too_big(name: str, most: int) -> BadSource:
    return BadSource(f"is bigger than {most / 1024**2:.3g} MiB", where=name, fix="split it")


def _within(data: bytes, name: str, settings: SourceSettings) -> bytes:
    most = settings.largest_file if data.startswith(ZIP) else settings.largest_text
    if len(data) > most:
        raise _too_big(name, most)
    if not data.removeprefix(codecs.BOM_UTF8).strip():
        raise BadSource("is empty", where=name)
    return data


def _as_text(data: bytes, name: str) -> str:
    kind = next((kind for start, kind in MAGIC.items() if data.startswith(start)), None)
    if kind:
        raise BadSource(f"is {kind}, not text", where=name)
    if data.startswith(WIDE):
        raise BadSource("is UTF-16 text", where=name, fix=SAVE_AS_UTF8)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_utf8(data, error.start, name) from error
    if (at := text.find("\0")) >= 0:
        raise BadSource(
            "has a NUL character in it: not a text file", where=f"{name}:{text.count(chr(10), 0, at) + 1}"
        )
    return text


def _not_utf8(data: bytes, at: int, name: str) -> BadSource:
    if b"\0" in data:
        return BadSource("has NUL bytes in it: not a text file", where=name)
    line = data.count(b"\n", 0, at) + 1
    what = f"is not UTF-8 text: byte 0x{data[at]:02x} at offset {at}"
    try:
        guess = data[at : at + 1].decode("cp1252")
    except UnicodeDecodeError:
        return BadSource(what, where=f"{name}:{line}", fix=SAVE_AS_UTF8)
    fix = f"perhaps Windows-1252, where it is {guess!r}: iconv -f cp1252 -t utf-8"
    return BadSource(what, where=f"{name}:{line}", fix=fix)
