"""Who has been named so far in a story, and the part of it that a unit is told: those of whom its own words can speak.

A unit is shown no more than that, so that what it was shown tells whether it would be read otherwise today. Pure values.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from hashlib import sha256

from narraworld.base.quick_dataclass import dataclass
from narraworld.base.settings import CastSettings
from narraworld.extract.embedded.discourse import DiscourseState, Place
from narraworld.kb.roster import SKY, TELLER, Known, Roster

__all__ = ["KnownHistory", "KnownSoFar", "NamedByUnit", "ShownToUnit", "is_named", "words_of"]

ALWAYS = frozenset({TELLER, SKY})  # who tells, and what the time of day is told of, need no word of the text
DIGITS = 10  # of a digest of what a unit was shown of somebody
_WORD = re.compile(r"[^\W_]+")
SURE = CastSettings()


def words_of(texts: Iterable[str]) -> tuple[str, ...]:
    """The words by which a text can speak of somebody: as they stand, and of one with a capital also without its last letter (`the Bennets`)."""
    found = {word for text in texts for word in _WORD.findall(text)}
    shorter = {word[:-1] for word in found if word[:1].isupper()}
    return tuple(sorted({word.casefold() for word in found | shorter if word}))


@dataclass(frozen=True, slots=True)
class NamedByUnit:
    """Whom one unit names, and further ids that are taken from then on."""

    cast: tuple[Known, ...] = ()
    taken: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ShownToUnit:
    """What one unit is told, and a digest of it for each entity: equal digests, equal reading."""

    roster: Roster
    stage: DiscourseState

    def digests(self) -> dict[str, str]:
        said: dict[str, list[object]] = {one.id: [one.kind, *one.names] for one in self.roster.known}
        for name in ("where", "holder", "said", "sexes", "kin", "threads"):
            for key, value in sorted(getattr(self.stage, name).items()):
                said[_about(name, key, value)].append((name, key, value))
        return {id: sha256(json.dumps(one).encode()).hexdigest()[:DIGITS] for id, one in said.items()}


class KnownSoFar:
    """Everybody whom the units so far have named, found by the words of their names."""

    def __init__(self) -> None:
        self._kinds: dict[str, str] = {}
        self._names: dict[str, set[str]] = {}
        self._by_word: dict[str, set[str]] = {}
        self.taken: set[str] = set()

    def add(self, named: NamedByUnit) -> None:
        """Take in whom a further unit names."""
        self.taken |= named.taken
        for one in named.cast:
            if one.kind:
                self._kinds.setdefault(one.id, one.kind)
            new = set(one.names) - self._names.setdefault(one.id, set())
            self._names[one.id] |= new
            for word in (word for name in new for word in _telling(name)):
                self._by_word.setdefault(word, set()).add(one.id)

    @property
    def ids(self) -> set[str]:
        """What no newcomer may be called."""
        return self.taken | self._kinds.keys()

    @property
    def words(self) -> frozenset[str]:
        """The words of all names that begin with a capital."""
        said = (word for names in self._names.values() for name in names for word in name.split())
        return frozenset(word for word in said if word[:1].isupper())

    def shown(self, words: Iterable[str], stage: DiscourseState) -> ShownToUnit:
        """What a unit of these words is told: whom it can mean, with those who have to do with them."""
        here = frozenset(words)
        ids = self._joined(here, stage)
        known = [Known(id, self._kinds[id], self._names_for(id, here)) for id in sorted(ids)]
        left = {id: said for id, said in stage.threads.items() if ids & set(_holders(said))}
        sexes = {id: settled(votes) for id, votes in stage.sexes.items() if id in ids}
        kin = {key: who for key, who in stage.kin.items() if _speaks_of(here, key)}
        told = replace(stage, threads=left, sexes=sexes, kin=kin).for_next_unit(ids)
        return ShownToUnit(Roster(tuple(known), frozenset(self.ids)), told)

    def _names_for(self, id: str, here: frozenset[str]) -> tuple[str, ...]:
        """Proper names whole; of what else somebody is called, what the unit can say."""
        names = self._names[id]
        kept = {
            name for name in names if name != name.lower() or name in ALWAYS or here & set(_telling(name))
        }
        return tuple(sorted(kept or names))

    def _joined(self, here: frozenset[str], stage: DiscourseState) -> set[str]:
        """Those named by these words, where they are and who has them, what is in them, their people, and who is bound with them."""
        found = {id for word in here | ALWAYS for id in self._by_word.get(word, ()) if id in self._kinds}
        ties, fresh = self._ties(here, stage), set(found)
        while fresh:
            fresh = {other for id in fresh for other in ties.get(id, ()) if other in self._kinds} - found
            found |= fresh
        return found

    def _ties(self, here: frozenset[str], stage: DiscourseState) -> Mapping[str, set[str]]:
        ties: dict[str, set[str]] = {}
        for one, other in self._tied(here, stage):
            ties.setdefault(one, set()).add(other)
        return ties

    def _tied(self, here: frozenset[str], stage: DiscourseState) -> Iterator[tuple[str, str]]:
        for thing, (at, _) in (*stage.where.items(), *stage.holder.items()):
            yield thing, at
        for thing, at in (*_places(stage), *stage.said.items()):
            yield thing, at
            if self._kinds.get(at) == "object" and self._kinds.get(thing) == "object":
                yield at, thing  # whoever looks into the box may miss it
        for key, who in stage.kin.items():
            if _speaks_of(here, key):
                yield key.partition(" ")[0], who
        for said in stage.threads.values():
            yield from ((one, other) for one in _holders(said) for other in _holders(said))


class KnownHistory:
    """Whom each unit of a story finds known; asked in the order of the telling, each answer costs one unit's names.

    ``throughout`` are those known from the beginning: records are committed before prose is read.
    """

    def __init__(self, named: Mapping[Place, NamedByUnit], throughout: Iterable[NamedByUnit] = ()) -> None:
        self._named, self._throughout = dict(named), list(throughout)
        self._places = sorted(self._named)
        self._known, self._done = KnownSoFar(), 0  # after so many of the places
        self._rewind()

    def before(self, place: Place) -> KnownSoFar:
        """Everybody named before this place; good until the next question."""
        upto = bisect_left(self._places, place)
        if upto < self._done:
            self._rewind()
        for one in self._places[self._done : upto]:
            self._known.add(self._named[one])
        self._done = upto
        return self._known

    def add(self, place: Place, named: NamedByUnit) -> None:
        """A unit was read, perhaps again, perhaps at a new place."""
        for old in [one for one in self._places if one[1] == place[1]]:
            self._places.remove(old)
        at = bisect_left(self._places, place)
        self._places.insert(at, place)
        self._named[place] = named
        if at < self._done:
            self._rewind()

    def _rewind(self) -> None:
        self._known, self._done = KnownSoFar(), 0
        for named in self._throughout:
            self._known.add(named)


def is_named(one: Known, words: Container[str]) -> bool:
    """Whether these words speak of somebody by name."""
    return any(word in words for name in one.names for word in _telling(name))


def settled(votes: str, settings: CastSettings = SURE) -> str:
    """Votes for `he` and `she`; once they are plain it no longer matters how many there are."""
    male, female = map(int, votes.split())
    if max(male, female) < max(settings.sure_of_gender, settings.gender_lead * min(male, female)):
        return votes
    return f"{settings.sure_of_gender} 0" if male > female else f"0 {settings.sure_of_gender}"


def _places(stage: DiscourseState) -> Iterator[tuple[str, str]]:
    return ((thing, at) for thing, (at, _) in stage.where.items())


def _telling(name: str) -> list[str]:
    """The words of a name by which a text speaks of its bearer: those with a capital, and the last."""
    if name in ALWAYS:
        return [name]
    words = _WORD.findall(name)
    return [word.casefold() for word in dict.fromkeys((*filter(_capital, words), *words[-1:]))]


def _capital(word: str) -> bool:
    return word[:1].isupper()


def _speaks_of(here: frozenset[str], key: str) -> bool:
    """Whether these words can speak of this relative: `ann brother`."""
    return here.issuperset(word.casefold() for word in _WORD.findall(key.rpartition(" ")[2]))


def _holders(said: str) -> list[str]:
    return said.split()[0].split("+")


def _about(name: str, key: str, value: object) -> str:
    """Whom a line of the stage is about."""
    return _holders(str(value))[0] if name == "threads" else key.split()[0]
