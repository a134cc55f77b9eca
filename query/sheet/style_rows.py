"""The style sheet as values: one row for each detail with its words, in the lists of `lists.toml`; those that differ are marked.

Asks an engine, writes nothing and judges nothing: two values may both be right. What is nobody's for sure stands with everybody it may be of.
"""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from narraworld.kb.english.normal_words import singular
from narraworld.kb.normal import Normaliser
from narraworld.ontology.respects import Respect, Respects, WordLists, respects
from narraworld.query.names import NameBook, rows
from narraworld.query.sheet.spellings import alike, families
from narraworld.rules.engines import Engine
from narraworld.rules.language.ir import Row

__all__ = ["SheetRow", "StyleSheet", "sheet_of"]

PlaceOf = Callable[[str, int], tuple[str, int | None, int | None] | None]
NEVER = 10**9  # no place of a story is as late
WORLD, UNSURE, SURE, AGENT = "", "high", "low", "agent"
THING_LISTS = frozenset({"things", "numbers"})
PERSON, TIME_LINE, OWN, USE, ACTS = "character", "time line", "own", "use", "acts"
NAMES, CALLED, DEATH, DEAD = "names", "called", "death", "alive:dead"
CLOTHES = "clothes"


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One detail: whose or of what, in which respect, the words, where they stand, and who says so where it is said."""

    section: str
    list: str  # what stands in one list can be compared
    owner: str
    kind: str
    respect: str
    value: str
    normal: tuple[str, ...]
    quote: str
    unit: str
    start: int
    end: int
    chapter: str = ""
    file: str | None = None
    line: int | None = None
    column: int | None = None
    said_by: str | None = None  # "" where nobody knows who
    unsure: tuple[str, ...] = ()  # whose it may be
    owner_p: str = SURE
    differs: bool = False
    record: str = ""
    told: int = 0


@dataclass(frozen=True, slots=True)
class StyleSheet:
    """All rows, what differs first in each list, and how much there was to look at."""

    rows: tuple[SheetRow, ...]
    title: str = "the manuscript"
    words: int = 0
    chapters: tuple[str, ...] = ()
    names: Mapping[str, int] = field(default_factory=dict)  # how often people are spoken of

    @property
    def differing(self) -> dict[str, list[SheetRow]]:
        """The lists in which two values differ, with those rows."""
        found: dict[str, list[SheetRow]] = {}
        for row in self.rows:
            if row.differs:
                found.setdefault(f"{row.list}/{row.respect}", []).append(row)
        return found

    def only(self, about: str | None = None, kind: str | None = None, *, differs: bool = False) -> StyleSheet:
        """The rows of somebody or something, of one list, or those alone that differ."""
        kept = [
            row
            for row in self.rows
            if (about is None or about.casefold() in row.owner.casefold())
            and (kind is None or kind in {row.kind, row.section})
            and (row.differs or not differs)
        ]
        return replace(self, rows=tuple(kept))


@cache
def _lists() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "lists.toml").read_text(encoding="utf-8"))


@cache
def _kind_of() -> dict[str, str]:
    """The list of each respect; `each-kin-word` stands for all rows that the table makes for a kin word."""
    listed = {respect: kind for kind, some in _lists()["lists"].items() for respect in some}
    made = {row.name: listed[row.each] for row in respects().rows.values() if row.each in listed}
    return made | listed


@cache
def _section_of() -> dict[str, str]:
    return {kind: section for section, kinds in _lists()["sections"].items() for kind in kinds}


def sheet_of(
    engine: Engine, place_of: PlaceOf, *, title: str = "the manuscript", words: int = 0
) -> StyleSheet:
    """The style sheet of the world that the engine holds."""
    gathering = _Gathering(engine, place_of)
    gathered = list(gathering.rows())
    found = sorted(
        _comparable([*_by_spelling(gathered), *gathering.acts_of_the_dead(gathered)]),
        key=lambda row: (row.told, row.start, row.respect),
    )
    chapters = [str(row[0]) for row in sorted(rows(engine, "unit"), key=lambda row: int(row[1]))]
    return StyleSheet(
        tuple(_in_order(_marked(found, gathering.table), gathering.spoken_of)),
        title,
        words,
        tuple(chapters),
        gathering.spoken_of,
    )


class _Gathering:
    """Records into rows over one engine."""

    def __init__(self, engine: Engine, place_of: PlaceOf) -> None:
        self._engine, self._place_of = engine, place_of
        self._names = NameBook(engine)
        self.table = self._names.respects
        self._normaliser = Normaliser(self.table)
        self._titles = {str(node): str(title) for node, title in rows(engine, "titled")}
        self._told = {str(record): int(place) for record, place in rows(engine, "told")}
        self._spans = {str(row[0]): row for row in rows(engine, "span")}
        self._quotes = {str(span): str(text) for span, text in rows(engine, "quote")}
        self._evidence = _grouped(rows(engine, "evidence"))
        self._kinds = {str(node): str(kind) for node, kind in rows(engine, "entity")}
        self._bearers = {str(name): str(who) for _, who, name in rows(engine, "named")}
        self.spoken_of = Counter(str(node) for _, node in rows(engine, "refers") if str(node) in self._kinds)

    def rows(self) -> Iterator[SheetRow]:
        yield from self._details()
        yield from self._states()

    def _details(self) -> Iterator[SheetRow]:
        of, thing = (dict(_pairs(rows(self._engine, name))) for name in ("detail_of", "detail_thing"))
        said = {record for record, _ in rows(self._engine, "detail_said")}
        speakers = dict(_pairs(rows(self._engine, "detail_speaker")))
        nearest = _grouped(rows(self._engine, "detail_nearest"))
        denied = {str(row[0]) for row in rows(self._engine, "detail_form") if row[4] == "no"}
        for record, respect, value, unsure, _basis in rows(self._engine, "detail"):
            kind = self._kind(str(respect))
            plain = self._row(str(record), str(respect), str(value)) if kind else None
            if plain is None or kind is None:
                continue
            speaker = speakers.get(str(record))
            by = (self._names(speaker) if speaker else "") if record in said else None
            whose = tuple(nearest.get(str(record), ())) if unsure != SURE else ()
            words = f"not {value}" if record in denied else str(value)
            row = replace(plain, value=words, said_by=by, unsure=whose, owner_p=str(unsure))
            yield from self._listed(row, kind, of.get(str(record)), thing.get(str(record), ""), whose)

    def _states(self) -> Iterator[SheetRow]:
        said = {str(row[0]): row for row in rows(self._engine, "proposition")}
        for record, proposition, truth in rows(self._engine, "state"):
            _, subject, respect, value, polarity = said[str(proposition)]
            kind = self._kind(str(respect).removesuffix("-of"))
            words = self._names(str(value)) if str(value) in self._kinds else str(value)
            no = polarity == "negative" or truth == "false"
            row = self._row(str(record), str(respect), f"not {words}" if no else words) if kind else None
            if row is None or kind is None:
                continue
            thing = "" if self._kinds.get(str(subject)) == PERSON else self._names(str(subject)).lower()
            yield from self._listed(row, kind, str(subject), thing, ())

    def acts_of_the_dead(self, found: Iterable[SheetRow]) -> Iterator[SheetRow]:
        """What somebody does after the words that say they are dead: looking back, a ghost, or a slip."""
        died: dict[str, int] = {}
        for row in found:
            if row.kind == DEATH and DEAD in row.normal and row.owner_p != UNSURE:
                who = row.list.partition("/")[0]
                died[who] = min(row.told, died.get(who, row.told))
        done = {str(row[0]) for row in rows(self._engine, "event") if row[2] == "actual"}
        for event, one, role in rows(self._engine, "role"):
            if role == AGENT and event in done and self._told.get(str(event), 0) > died.get(str(one), NEVER):
                plain = self._row(str(event), ACTS, "")
                if plain is not None:
                    told = replace(plain, value=plain.quote, normal=())
                    yield from self._listed(told, DEATH, str(one), "", ())

    def _kind(self, respect: str) -> str | None:
        """The list in which a respect stands, if it stands in any."""
        return OWN if self._own(respect) else _kind_of().get(respect)

    def _own(self, respect: str) -> Respect | None:
        """The row of the project itself that is meant."""
        row = self.table.named(respect)
        return row if row is not None and row.name in self.table.own else None

    def _normal(self, respect: str, value: str) -> Iterator[str]:
        """The words by which values are compared; of a respect of one's own whose values are rivals, the words themselves."""
        pairs = [pair for pair in self._normaliser.pairs(respect, value) if pair.so]
        yield from (f"{pair.full_respect}:{pair.word or pair.named or pair.owner or ''}" for pair in pairs)
        row = self._own(respect)
        if row is not None and row.rival and not pairs:
            yield f"{row.name}:{value}"

    def _row(self, record: str, respect: str, value: str) -> SheetRow | None:
        spans = [self._spans[span] for span in self._evidence.get(record, ()) if span in self._spans]
        if not spans:
            return None
        # what tells who "she" is stands before the words that say it
        span, unit, start, end = max(spans, key=lambda one: int(one[2]))
        file, line, column = self._place_of(str(unit), int(start)) or (None, None, None)
        words = tuple(dict.fromkeys(self._normal(respect, value)))
        own = self._own(respect)
        name = own.name if own else respect
        return SheetRow(
            "", "", "", "", name, value, words, self._quotes[str(span)], str(unit), int(start), int(end),
            self._titles.get(str(unit), str(unit)), file, line, column, record=record, told=self._told.get(record, 0),
        )  # fmt: skip

    def _listed(
        self, row: SheetRow, kind: str, who: str | None, thing: str, nearest: Iterable[str]
    ) -> Iterator[SheetRow]:
        """The row in its list; what may be several people's stands in the list of each."""
        row = replace(row, kind=kind, section=_section_of()[kind])
        if kind in _lists()["wide"]["lists"]:
            owner = row.chapter if kind == TIME_LINE else self._names(who) if who else thing or kind
            yield replace(row, owner=owner, list=kind)
        elif thing and (kind != CLOTHES or (who is None and not row.unsure)):
            yield replace(row, owner=thing, list=f"thing/{_thing_of(thing)}")
        elif kind in THING_LISTS and who is None:
            yield replace(row, owner="the story", list=kind)
        elif who is not None:
            yield replace(row, owner=self._names(who), list=f"{who}/{kind}")
            row = replace(row, owner_p=UNSURE, unsure=(self._names(who), *row.unsure))
            yield from self._perhaps(row, kind, [name for name in nearest if self._bearers.get(name) != who])
        else:
            yield from self._perhaps(row, kind, nearest or ("",))

    def _perhaps(self, row: SheetRow, kind: str, names: Iterable[str]) -> Iterator[SheetRow]:
        """The row in the list of everybody whose it may be."""
        for name in names:
            yield replace(
                row, owner=name or "somebody", list=f"{self._bearers.get(name, name or '?')}/{kind}"
            )


def _comparable(found: Iterable[SheetRow]) -> list[SheetRow]:
    """Without the uses of a thing of which nothing else is told: there is nothing to compare them with."""
    some = list(found)
    often = Counter(row.list for row in some)
    return [row for row in some if row.respect != USE or often[row.list] > 1]


def _by_spelling(found: Iterable[SheetRow]) -> list[SheetRow]:
    """The names in lists of those that may be one; one word alone only beside another spelling of it."""
    some = list(found)
    family = families(row.value for row in some if row.kind == NAMES)
    spellings = {first: {name for name, one in family.items() if one == first} for first in family.values()}
    return [
        replace(row, list=f"{NAMES}/{family[row.value]}") if row.kind == NAMES else row
        for row in some
        if row.respect != CALLED or _misspelled(row.value, spellings[family[row.value]])
    ]


def _misspelled(name: str, others: Iterable[str]) -> bool:
    return any(alike(name, word) for other in others for word in other.split())


def _pairs(found: Iterable[Row]) -> Iterator[tuple[str, str]]:
    yield from ((str(one), str(other)) for one, other in found)


def _grouped(found: Iterable[Row]) -> dict[str, list[str]]:
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for one, other in _pairs(found):
        groups[one].append(other)
    return groups


def _thing_of(noun: str) -> str:
    """The last word of several, of which one: `six looms`, `the small loom` are about a loom."""
    return singular(noun.rpartition(" ")[2])


# -- what differs


def _marked(found: Iterable[SheetRow], table: Respects) -> list[SheetRow]:
    """The rows, marked where another of the same list and respect excludes them and both are somebody's for sure."""
    alike: defaultdict[tuple[str, str], list[SheetRow]] = defaultdict(list)
    some = list(found)
    for row in some:
        if row.owner_p != UNSURE:
            alike[row.list, row.respect].append(row)
    differing = {
        id(row)
        for group in alike.values()
        for row in group
        if any(_exclude(row.normal, other.normal, table) for other in group if other is not row)
    }
    return [replace(row, differs=True) if id(row) in differing else row for row in some]


def _exclude(one: Iterable[str], other: Iterable[str], table: Respects) -> bool:
    """Whether two normal forms cannot both be so: numbers that differ, colours without a common family, left and right."""
    mine, theirs = (dict(word.split(":", 1) for word in some) for some in (one, other))
    return any(
        _apart(respect, mine[respect], theirs[respect], table) for respect in mine.keys() & theirs.keys()
    )


def _apart(respect: str, one: str, other: str, table: Respects) -> bool:
    if one == other:
        return False
    if one.isdigit() and other.isdigit():
        return True
    row = table.rows.get(respect.partition("-of-")[0])
    if row is None:
        return False
    if row.value == "side" or (row.rival and row.name in table.own):
        return True
    return _words_apart(table.list_of(row), one, other, table.words)


def _words_apart(name: str, one: str, other: str, words: WordLists) -> bool:
    """Whether two words of a closed list exclude each other: as a pair, or without a common family."""
    if name in words.against:
        return (one, other) in words.against[name] or (other, one) in words.against[name]
    families = words.families.get(name, {})
    return one in families and other in families and not set(families[one]) & set(families[other])


def _in_order(found: Iterable[SheetRow], spoken_of: Mapping[str, int]) -> list[SheetRow]:
    """What differs first, then people by how often they are spoken of, then the rest as the sections go."""
    sections = {name: number for number, name in enumerate(_lists()["sections"])}
    kinds = {name: number for number, name in enumerate(_lists()["lists"])}

    def place(row: SheetRow) -> tuple[object, ...]:
        often = -spoken_of.get(row.list.partition("/")[0], 0)
        whose = "" if row.kind == TIME_LINE else row.owner
        return (not row.differs, sections[row.section], often, whose, kinds[row.kind], row.told, row.start)

    return sorted(found, key=place)
