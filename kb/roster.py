"""What a reader may be told of the story so far: who is known, and which threads are open.

Pure values. The caller fills them from committed records; the model sees them by small numbers only, and what it
answers with a number is looked up here again. Knows no engine, no graph, no files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cached_property

from narraworld.base.quick_dataclass import dataclass
from narraworld.kb.delta import slug

__all__ = [
    "SKY",
    "TELLER",
    "Known",
    "KnownFact",
    "OpenPossibility",
    "OpenThread",
    "Prior",
    "Remembered",
    "Roster",
]

TELLER = "the narrator"  # what whoever tells the story as I is called until somebody names them
SKY = "sky"  # what the time of day is told of

LONGEST_NAME = 3  # words; a longer one is no better
RESERVED = frozenset({"not"})  # begins the notation of a denied proposition


@dataclass(frozen=True, slots=True)
class Known:
    """An entity of the story; ``kind`` is character, place, object or group, ``about`` what one knows it by, in a few words."""

    id: str
    kind: str
    names: tuple[str, ...]
    about: str = ""

    @property
    def best_name(self) -> str:
        """A proper name before a description, and of several the fullest: `Ines Corvo`, not `her`, `I. C.` or `that eminent lady`."""
        return min(self.names, key=_worse_name, default=self.id.replace("-", " "))


Rows = dict[str, list[Known]]
Keys = Callable[[Known], set[str]]


@dataclass(frozen=True)
class Roster:
    """The entities known before a unit, in the order the caller finds useful (the latest first, say).

    ``taken`` are further ids that a new entity or thread must not get: units, developments.
    """

    known: tuple[Known, ...] = ()
    taken: frozenset[str] = frozenset()

    def plus(self, newcomers: Iterable[Known], taken: Iterable[str] = ()) -> Roster:
        """The roster with a further unit's entities in it, and more names for those who were known.

        By id, and each one's names by the alphabet: as it would be told from the tables.
        """
        found, changed = dict(self.by_id), dict[str, Known]()
        for one in newcomers:
            old = found.get(one.id, one)
            named = replace(old, names=tuple(sorted({*old.names, *one.names})))
            if named != self.by_id.get(one.id):
                found[one.id] = changed[one.id] = named
        known = tuple(found[id] for id in sorted(found))
        later = Roster(known, self.taken | frozenset(taken))
        later._take_over(self, changed)
        return later

    def _take_over(self, earlier: Roster, changed: Mapping[str, Known]) -> None:
        """Have the tables that an earlier roster has made, as those whom a unit adds change them: most are the same."""
        made = earlier.__dict__
        self.__dict__["by_id"] = {one.id: one for one in self.known}
        if earlier.known and [one.id for one in earlier.known] != sorted(earlier.by_id):
            return  # in another order, and so are the rows of its tables
        if "words" in made:
            self.__dict__["words"] = earlier.words | _capitals(changed.values())
        for table, keys_of in (("_by_name", _names_of), ("_by_last_word", _last_words_of)):
            if table in made:
                self.__dict__[table] = _with(made[table], earlier.by_id, changed.values(), keys_of)

    def called(self, name: str, kind: str) -> tuple[Known, ...]:
        """Everybody of this kind with exactly this name, letter case aside."""
        return tuple(one for one in self._by_name.get(_folded(name), ()) if one.kind == kind)

    def bearing(self, name: str) -> tuple[Known, ...]:
        """Everybody and everything with exactly this name, letter case and underscores aside."""
        return tuple(self._by_name.get(_folded(name), ()))

    def ending(self, word: str) -> tuple[Known, ...]:
        """Everybody and everything whose names end with this word: the iron chest for `chest`."""
        return tuple(self._by_last_word.get(_folded(word), ()))

    def named_in(self, text: str) -> tuple[Known, ...]:
        """Those whose names share a word with ``text``."""
        words = set(_words(text))
        mentioned = {
            one.id for name, some in self._by_name.items() if words & set(_words(name)) for one in some
        }
        return tuple(one for one in self.known if one.id in mentioned)

    def likely(self, text: str, limit: int) -> tuple[Known, ...]:
        """At most ``limit`` of them: first those whose names share a word with ``text``, then people before things."""
        mentioned = {one.id for one in self.named_in(text)}
        return tuple(
            sorted(self.known, key=lambda one: (one.id not in mentioned, one.kind != "character"))[:limit]
        )

    def free_id(self, name: str, also: frozenset[str] | set[str] = frozenset()) -> str:
        """An id made from a name, with a number when it is taken: `mara`, `mara-2`."""
        plain, number = slug(name), 1
        id = plain
        while id in self._used or id in also:
            number += 1
            id = f"{plain}-{number}"
        return id

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of all names that begin with a capital."""
        return _capitals(self.known)

    @cached_property
    def _by_name(self) -> Rows:
        return _rows(self.known, _names_of)

    @cached_property
    def _by_last_word(self) -> Rows:
        return _rows(self.known, _last_words_of)

    @cached_property
    def by_id(self) -> dict[str, Known]:
        return {one.id: one for one in self.known}

    @cached_property
    def _used(self) -> frozenset[str]:
        return RESERVED | self.taken | self.by_id.keys()


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
class KnownFact:
    """A proposition that was read before, as ``words``; a reader names it by number instead of writing it again."""

    id: str
    words: str


@dataclass(frozen=True, slots=True)
class Remembered:
    """Something told before that a passage may not fit with: the span of its words, and a line that says it and quotes them."""

    span: str
    words: str


@dataclass(frozen=True, slots=True)
class Prior:
    """The state of things before a unit: context and never evidence."""

    facts: tuple[KnownFact, ...] = ()
    threads: tuple[OpenThread, ...] = ()
    possibilities: tuple[OpenPossibility, ...] = ()
    remembered: tuple[Remembered, ...] = ()  # the most telling first


def _rows(known: Iterable[Known], keys_of: Keys) -> Rows:
    """Those known by each of these keys."""
    found: Rows = {}
    for one in known:
        for key in keys_of(one):
            found.setdefault(key, []).append(one)
    return found


def _with(rows: Rows, before: Mapping[str, Known], changed: Iterable[Known], keys_of: Keys) -> Rows:
    """The rows with those who have changed since in their places; names are only ever added."""
    found = dict(rows)
    for one in changed:
        old = before.get(one.id)
        for key in keys_of(one):
            others = (other for other in found.get(key, ()) if other is not old)
            found[key] = sorted((*others, one), key=lambda each: each.id)
    return found


def _names_of(one: Known) -> set[str]:
    return {_folded(name) for name in one.names}


def _last_words_of(one: Known) -> set[str]:
    return {name.rpartition(" ")[2] for name in _names_of(one)}


def _capitals(some: Iterable[Known]) -> frozenset[str]:
    said = (word for one in some for name in one.names for word in name.split())
    return frozenset(word for word in said if word[:1].isupper())


def _worse_name(name: str) -> tuple[bool, bool, bool, int, str]:
    """Sorts names: all words with a capital, then some, then none; the fuller before the shorter, but no sentence."""
    words = name.split()
    capitals = sum(word[:1].isupper() for word in words)
    initials = all(len(word.strip(".")) < 2 for word in words)
    return capitals < len(words), capitals == 0, initials, -min(len(words), LONGEST_NAME), name


def _folded(name: str) -> str:
    return " ".join(name.replace("_", " ").split()).casefold()


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"\w+", text.casefold()) if len(word) > 2]
