"""One leaf of the journal: a file that holds one version of one unit and proves that it is whole.

`000001-ch01.nq` begins with a line `# narraworld {header}`; the rest is the body. The header names revision and unit,
holds the digest of the body and of the leaf before it, and is sealed by a digest of itself. A leaf is written once:
into a temporary file, to the disk, and only then under its name, which is never given twice.

Bodies are bytes here; what they say, and in which folder they lie, is for others.
"""

from __future__ import annotations

import errno
import json
import re
from enum import StrEnum
from hashlib import sha256
from pathlib import Path

from narraworld.base.atomic_files import make_file, to_disk
from narraworld.base.quick_dataclass import dataclass
from narraworld.kb.errors import JournalDamaged

__all__ = [
    "TEMPORARY",
    "Damage",
    "Entry",
    "EntryKind",
    "LeafFault",
    "check",
    "check_header",
    "claimed_revision",
    "damage",
    "digest",
    "examine",
    "examine_header",
    "leaf_name",
    "parse_name",
    "read_body",
    "sync_folder",
    "write_once",
]  # fmt: skip

TEMPORARY = ".writing-"

_MARK = b"# narraworld "
_to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_NAME = re.compile(r"(\d{6,})-([A-Za-z0-9_][A-Za-z0-9._-]*)\.nq")
_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}


class EntryKind(StrEnum):
    UNIT = "unit"
    RETRACT = "retract"


class LeafFault(StrEnum):
    """What can be wrong with a leaf."""

    HEADER = "the first line is not a narraworld header"
    SEAL = "the header was altered"
    PLACE = "the file was renamed or exchanged"
    SHORT = "the file was cut short"
    LONG = "something was added at the end"
    BODY = "the statements were altered"
    UNREADABLE = "the file cannot be read"
    MISSING = "the file is missing"
    TWICE = "another file has the same revision"
    CHAIN = "the next revision was written after a different file"
    STRANGER = "not a file of the journal"


@dataclass(frozen=True, slots=True)
class Damage:
    """One thing that is wrong, where, and with which unit; `unit` is None when nobody can tell."""

    file: Path
    unit: str | None
    revision: int | None
    fault: LeafFault

    def __str__(self) -> str:
        about = f" (unit {self.unit}, revision {self.revision})" if self.unit else ""
        return f"{self.file}{about}: {self.fault}"

    def error(self) -> JournalDamaged:
        return JournalDamaged(str(self.file), self.unit, str(self.fault))


@dataclass(frozen=True, slots=True)
class Entry:
    """One committed version of a unit, or its retraction. No wall clock: the same commits give the same bytes.

    `previous` is the digest of the leaf before, `body_sha` that of the statements, `size` their length in bytes.
    """

    file: Path
    revision: int
    unit: str
    kind: EntryKind
    order: int
    previous: str
    body_sha: str
    size: int
    note: str | None = None

    @property
    def retracted(self) -> bool:
        return self.kind is EntryKind.RETRACT

    @property
    def seal(self) -> str:
        """Digest of the header: two entries are the same exactly when their seals are."""
        return digest(self._said())

    def header(self) -> bytes:
        said = self._said()
        return _MARK + said[:-1] + f',"seal":"{digest(said)}"}}\n'.encode()

    def _said(self) -> bytes:
        return _to_json(self._fields()).encode()

    def _fields(self) -> dict[str, object]:
        return {
            "revision": self.revision,
            "unit": self.unit,
            "kind": self.kind,
            "order": self.order,
            "previous": self.previous,
            "body": self.body_sha,
            "size": self.size,
            "note": self.note,
        }


# Names


def leaf_name(revision: int, unit: str) -> str:
    return f"{revision:06d}-{unit}.nq"


def parse_name(name: str) -> tuple[int, str] | None:
    """Revision and unit of a leaf's name; None for any other file."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    revision, unit = int(match[1]), match[2]
    return (revision, unit) if name == leaf_name(revision, unit) else None


def damage(path: Path, fault: LeafFault) -> Damage:
    """`fault` of the file at `path`, with the unit and revision that its name tells."""
    revision, unit = parse_name(path.name) or (None, None)
    return Damage(path, unit, revision, fault)


# Reading


def examine(path: Path) -> tuple[Entry | Damage, bytes]:
    """What `check` finds in a file, with the bytes it found it in; a file we cannot read is damage too."""
    try:
        data = path.read_bytes()
    except OSError as trouble:
        return damage(path, _unreadable(trouble)), b""
    return check(path, data), data


def examine_header(path: Path) -> Entry | Damage:
    """As `examine`, but of the first line only."""
    try:
        with path.open("rb") as file:
            return check_header(path, file.readline())
    except OSError as trouble:
        return damage(path, _unreadable(trouble))


def read_body(entry: Entry) -> str:
    """The statements of `entry`, verified."""
    found, data = examine(entry.file)
    if found != entry:
        raise (found if isinstance(found, Damage) else damage(entry.file, LeafFault.CHAIN)).error()
    return data.partition(b"\n")[2].decode()


def check(path: Path, data: bytes) -> Entry | Damage:
    """The entry in a whole leaf, or the first thing that is wrong with it."""
    line, _, body = data.partition(b"\n")
    entry = check_header(path, line + b"\n")
    if isinstance(entry, Damage):
        return entry
    if len(body) != entry.size:
        return damage(path, LeafFault.SHORT if len(body) < entry.size else LeafFault.LONG)
    return entry if digest(body) == entry.body_sha else damage(path, LeafFault.BODY)


def check_header(path: Path, line: bytes) -> Entry | Damage:
    """As `check`, but of the first line only."""
    place = parse_name(path.name)
    if place is None:
        return damage(path, LeafFault.STRANGER)
    entry = _parse_header(path, line)
    if entry is None:
        return damage(path, LeafFault.HEADER)
    if entry.header() != line:
        return damage(path, LeafFault.SEAL)
    return entry if place == (entry.revision, entry.unit) else damage(path, LeafFault.PLACE)


def claimed_revision(path: Path, data: bytes) -> int | None:
    """Which revision a leaf with an unbroken seal says it is, wherever it lies."""
    line = data.partition(b"\n")[0] + b"\n"
    entry = _parse_header(path, line)
    return entry.revision if entry and entry.header() == line else None


def _unreadable(trouble: OSError) -> LeafFault:
    return LeafFault.MISSING if isinstance(trouble, FileNotFoundError) else LeafFault.UNREADABLE


def _parse_header(path: Path, line: bytes) -> Entry | None:
    if not line.startswith(_MARK):
        return None
    try:
        said = json.loads(line[len(_MARK) :])
        kind, body, _ = EntryKind(said.pop("kind")), said.pop("body"), said.pop("seal")
        return Entry(file=path, kind=kind, body_sha=body, **said)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


# Writing


def write_once(path: Path, content: bytes) -> None:
    """Give `content` the name `path`, whole or not at all, and never over something that is there."""
    temporary = path.with_name(TEMPORARY + path.name)
    try:
        make_file(temporary).write_bytes(content)
        to_disk(temporary)
        _name_once(temporary, path)
    except FileExistsError as taken:
        raise damage(path, LeafFault.TWICE).error() from taken
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make names given in `folder` survive a power cut, where the system lets us."""
    to_disk(folder)


def _name_once(temporary: Path, path: Path) -> None:
    """A hard link refuses a name that is taken; a rename, on file systems without links, has to ask first."""
    try:
        path.hardlink_to(temporary)
    except OSError as trouble:
        if trouble.errno not in _NO_LINKS:
            raise
        if path.exists():
            raise FileExistsError(path) from trouble
        temporary.rename(path)


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()
