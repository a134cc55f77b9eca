"""What the next unit is told of those before it: who is known, and where everybody was left; and which unit would be told otherwise today.

New units add to it. Reads the journal and what stands beside it; derives nothing.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from narraworld.base.atomic_files import make_folder, write_whole
from narraworld.extract.embedded.discourse import DiscourseHistory, Moves, Place
from narraworld.reading.again.known_so_far import KnownHistory, NamedByUnit, ShownToUnit, is_named
from narraworld.reading.again.named_in import named_in
from narraworld.reading.how_read import HowRead, ToldToUnit, how_read
from narraworld.rules.living.living_world import stamp_of

if TYPE_CHECKING:
    from narraworld.kb.journal.leaf import Entry
    from narraworld.kb.journal.store import Store
    from narraworld.project.opened import OpenStory

__all__ = ["Memory", "all_told", "place_of", "say_all_told"]

FILE = "all-told"  # in the cache: the state of the story in which every unit was told what it would be told today


def place_of(entry: Entry) -> Place:
    """Where a unit stands in the telling."""
    return entry.order, entry.unit


class Memory:
    """What each unit is told, by the units before it in the telling; records are known to all."""

    def __init__(self, story: OpenStory, branch: str) -> None:
        self.story, self.branch = story, branch
        self._told: dict[str, ToldToUnit] = {}
        self._read: set[str] = set()  # by this reader
        self._knows = self._state()
        self._remember()

    @classmethod
    def of(cls, story: OpenStory, branch: str) -> Memory:
        """The memory of the last reading, if nothing else was committed since: an episode more costs one episode."""
        kept = story.kept.get((cls, branch))
        if not isinstance(kept, Memory) or kept._knows != kept._state():
            kept = story.kept[cls, branch] = cls(story, branch)
        return kept

    def _state(self) -> tuple[object, ...]:
        return stamp_of(self.story.store.snapshot(branch=self.branch))

    def _remember(self) -> None:
        named, moves, throughout = dict[Place, NamedByUnit](), dict[Place, Moves](), list[NamedByUnit]()
        for entry in self.story.store.snapshot(branch=self.branch).entries:
            how = how_read(self.story.store, entry)
            if how is None:
                throughout.append(named_in(self.story.store.body(entry)))
                continue
            place = place_of(entry)
            self._read.add(entry.unit)
            moves[place], named[place] = how.moves, self._named(entry, how)
            if how.told:
                self._told[entry.unit] = how.told
        self._known, self._stages = KnownHistory(named, throughout), DiscourseHistory(moves.items())

    def _named(self, entry: Entry, how: HowRead) -> NamedByUnit:
        return how.told.named if how.told else named_in(self.story.store.body(entry))

    def entries(self) -> list[Entry]:
        """The units that this reader has read."""
        found = self.story.store.snapshot(branch=self.branch).entries
        return [entry for entry in found if entry.unit in self._read]

    def later(self, place: Place) -> frozenset[str]:
        """The units of this reader that are told after this place."""
        return frozenset(entry.unit for entry in self.entries() if place_of(entry) > place)

    def words(self, place: Place) -> frozenset[str]:
        """The words of all names known when this place is reached."""
        return self._known.before(place).words

    def before(self, place: Place, words: tuple[str, ...]) -> ShownToUnit:
        """Who is known, and where everybody was left, when a unit of these words is read."""
        return self._known.before(place).shown(words, self._stages.before(place))

    def told_otherwise(self, entry: Entry) -> frozenset[str]:
        """Those of whom this unit would be told something else today; empty too when nobody knows what it was told."""
        told = self._told.get(entry.unit)
        if told is None:
            return frozenset()
        now, place = self.before(place_of(entry), told.words).digests(), place_of(entry)
        new = {one.id for one in told.named.cast if one.kind} - told.shown.keys()
        changed = {id for id in now.keys() | told.shown.keys() if now.get(id) != told.shown.get(id)}
        return frozenset(changed | (new & self._known.before(place).ids))

    def called(self, entry: Entry, ids: frozenset[str]) -> tuple[str, ...]:
        """What those are called of whom the unit's own words speak, by today's names or by those of its last reading."""
        told = self._told[entry.unit]
        today = self.before(place_of(entry), told.words).roster.by_id
        theirs = {one.id: one for one in told.named.cast}
        known = [one for id in sorted(ids) if (one := today.get(id) or theirs.get(id))]
        here = [one for one in known if is_named(one, told.words)] or known
        return tuple(dict.fromkeys(one.best_name for one in here))

    def add(self, entry: Entry, how: HowRead) -> None:
        """Take a committed unit in."""
        self._read.add(entry.unit)
        self._stages.add(place_of(entry), how.moves)
        self._known.add(place_of(entry), self._named(entry, how))
        if how.told:
            self._told[entry.unit] = how.told
        self._knows = self._state()


# -- whether every unit was told what it would be told today


def all_told(story: OpenStory, branch: str) -> bool:
    """Whether nothing was committed since every unit was told what it would be told today."""
    try:
        return _file(story.store, branch).read_text(encoding="utf-8") == _state_of(story.store, branch)
    except FileNotFoundError:
        return False


def say_all_told(story: OpenStory, branch: str) -> None:
    """Every unit has been told what it would be told today."""
    if not all_told(story, branch):
        make_folder(_file(story.store, branch).parent)
        write_whole(_file(story.store, branch), _state_of(story.store, branch))


def _file(store: Store, branch: str) -> Path:
    return store.cache(branch) / FILE


def _state_of(store: Store, branch: str) -> str:
    return sha256(repr(stamp_of(store.snapshot(branch=branch))).encode()).hexdigest()
