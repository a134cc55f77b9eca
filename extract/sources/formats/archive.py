"""A zip archive that is not trusted: nothing is unpacked to disk, sizes are counted and not believed, names stay inside.

XML from it is parsed without entities of its own.
"""

from __future__ import annotations

import io
import lzma
import posixpath
import re
import struct
import zipfile
import zlib
from typing import TYPE_CHECKING
from urllib.parse import unquote

from narraworld.base.settings import SourceSettings
from narraworld.extract.errors import BadSource

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

__all__ = ["Archive", "parse_xml"]

OLD_OFFICE = b"\xd0\xcf\x11\xe0"
ENCRYPTED = 0x1
ENTITY = "<!ENTITY"
ENCODINGS = frozenset({"utf-8", "utf8", "utf-16", "us-ascii", "ascii", "iso-8859-1", "windows-1252"})
DECLARATION = 400  # bytes at the beginning in which an encoding is declared
CHUNK = 1 << 20
DAMAGE = (  # what the zip library raises where bytes are not what they should be
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, OSError, RuntimeError, ValueError, LookupError,
)  # fmt: skip

_ENCODING = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)""", re.ASCII)


class Archive:
    """The members of a docx, epub or odt."""

    def __init__(self, data: bytes, name: str, settings: SourceSettings) -> None:
        self.name, self._settings, self._unpacked = name, settings, 0
        if data.startswith(OLD_OFFICE):
            raise self.bad("is encrypted, or an old .doc", fix="save it as .docx without a password")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except DAMAGE as error:
            raise self.bad("is damaged or not what its name says: no zip archive") from error
        members = self._zip.infolist()
        if len(members) > settings.most_members:
            raise self.bad(f"holds {len(members)} files, more than {settings.most_members}")
        for member in members:
            self._check(member)

    def bad(self, what: str, *, fix: str | None = None) -> BadSource:
        return BadSource(what, where=self.name, fix=fix)

    def __contains__(self, member: str) -> bool:
        return member in self._zip.NameToInfo

    def read(self, member: str) -> bytes:
        """The bytes of a member, counted while they come out."""
        parts, size = list[bytes](), 0
        packed = max(1, self._zip.NameToInfo[member].compress_size) if member in self else 0
        try:
            with self._zip.open(member) as file:
                while part := file.read(CHUNK):
                    size, self._unpacked = size + len(part), self._unpacked + len(part)
                    self._bear(size, packed, member)
                    parts.append(part)
        except KeyError as error:
            raise self.bad(f"has no {member} in it: damaged, or not what its name says") from error
        except DAMAGE as error:
            raise self.bad(f"is damaged at {member}: {error}") from error
        return b"".join(parts)

    def xml(self, member: str) -> Element:
        return parse_xml(self.read(member), f"{self.name}: {member}", self._settings)

    def beside(self, member: str, reference: str) -> str:
        """The name of the member that a reference in another one means; it may not lead out of the archive."""
        path = unquote(reference.partition("#")[0])
        joined = posixpath.normpath(posixpath.join(posixpath.dirname(member), path))
        if path.startswith("/") or joined.startswith("..") or ":" in path:
            raise self.bad(f"refers to {path!r}, which is outside of it")
        return joined

    def _check(self, member: zipfile.ZipInfo) -> None:
        path = member.filename.replace("\\", "/")
        if path.startswith("/") or ".." in path.split("/") or path[1:2] == ":":
            raise self.bad(f"has a file named {member.filename!r} in it, which leads out of it")
        if member.flag_bits & ENCRYPTED:
            raise self.bad("is encrypted", fix="save it without a password")

    def _bear(self, size: int, packed: int, member: str) -> None:
        settings = self._settings
        steep = size > settings.ratio_matters_from and size > settings.steepest_ratio * packed
        if steep or self._unpacked > settings.largest_unpacked:
            raise self.bad(f"unpacks to far more than a book holds, at {member}: perhaps a zip bomb")


def parse_xml(data: bytes, where: str, settings: SourceSettings) -> Element:
    """The root of an XML document that brings no entities of its own, in an encoding in which we would see them."""
    from xml.etree import ElementTree

    if max(data.count(b"<"), data.count(b"=")) > settings.most_marks:
        raise BadSource(f"has more than {settings.most_marks} XML tags or attributes", where=where)
    declared = _ENCODING.search(data[:DECLARATION].replace(b"\0", b""))
    if declared and (name := declared[1].decode("ascii").lower()) not in ENCODINGS:
        raise BadSource(f"is XML in the encoding {name!r}", where=where, fix="save it as UTF-8")
    if any(ENTITY.encode(code) in data for code in ("utf-8", "utf-16-le", "utf-16-be")):
        raise BadSource("declares XML entities, which no manuscript needs", where=where)
    try:
        return ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise BadSource(f"is not well-formed XML: {error}", where=where) from error
