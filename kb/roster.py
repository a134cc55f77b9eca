"""What a reader may be told of the story so far: who is known, and which threads are open.

Pure values. The caller fills them from committed records; the model sees them by small numbers only, and what it
answers with a number is looked up here again. Knows no engine, no graph, no files.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property

from narraworld.kb.delta import slug

__all__ = ["Known", "OpenPossibility", "OpenThread", "Prior", "Roster"]

RESERVED = frozenset({"not"})  # begins the notation of a denied proposition


@dataclass(frozen=True, slots=True)
class Known:
    """An entity of the story; ``kind`` is character, place, object or group."""

    id: str
    kind: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class Roster:
    """The entities known before a unit, in the order the caller finds useful (the latest first, say).

    ``taken`` are further ids that a new entity or thread must not get: units, developments.
    """

    known: tuple[Known, ...] = ()
    taken: frozenset[str] = frozenset()

    def plus(self, newcomers: tuple[Known, ...]) -> Roster:
        """The roster with the newcomers at its head; more names for one who is known are added to theirs."""
        fresh = {one.id: one for one in newcomers}
        old = {one.id: one for one in self.known}
        merged = [_with_names(old[id], one.names) if id in old else one for id, one in fresh.items()]
        return replace(self, known=(*merged, *(one for one in self.known if one.id not in fresh)))

    def called(self, name: str, kind: str) -> tuple[Known, ...]:
        """Everybody of this kind with exactly this name, letter case aside."""
        return tuple(one for one in self._by_name.get(_folded(name), ()) if one.kind == kind)

    def likely(self, text: str, limit: int) -> tuple[Known, ...]:
        """At most ``limit`` of them: first those whose names share a word with ``text``, then as the caller ordered."""
        words = set(_words(text))
        mentioned = {
            one.id for name, some in self._by_name.items() if words & set(_words(name)) for one in some
        }
        return tuple(sorted(self.known, key=lambda one: one.id not in mentioned)[:limit])

    def free_id(self, name: str, also: frozenset[str] | set[str] = frozenset()) -> str:
        """An id made from a name, with a number when it is taken: `mara`, `mara-2`."""
        plain, number = slug(name), 1
        id = plain
        while id in self._used or id in also:
            number += 1
            id = f"{plain}-{number}"
        return id

    @cached_property
    def _by_name(self) -> dict[str, list[Known]]:
        found: dict[str, list[Known]] = {}
        for one in self.known:
            for name in {_folded(name) for name in one.names}:
                found.setdefault(name, []).append(one)
        return found

    @cached_property
    def _used(self) -> frozenset[str]:
        return RESERVED | self.taken | {one.id for one in self.known}


@dataclass(frozen=True, slots=True)
class OpenThread:
    """A development that is not closed."""

    id: str
    title: str
    kind: str
    status: str


@dataclass(frozen=True, slots=True)
class OpenPossibility:
    """A possibility that no text has realised yet."""

    id: str
    summary: str


@dataclass(frozen=True, slots=True)
class Prior:
    """The state of things before a unit: ``lines`` are plain sentences, context and never evidence."""

    lines: tuple[str, ...] = ()
    threads: tuple[OpenThread, ...] = ()
    possibilities: tuple[OpenPossibility, ...] = ()


def _with_names(one: Known, names: tuple[str, ...]) -> Known:
    have = {_folded(name) for name in one.names}
    return replace(one, names=(*one.names, *(name for name in names if _folded(name) not in have)))


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"\w+", text.casefold()) if len(word) > 2]
