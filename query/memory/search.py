"""Search over the records of one situation: by word, by meaning, by name.

Documents are made of what a record says of itself (its quotes, and the ids and texts it refers to), never of what other
units call things, so an index kept for the whole branch serves every situation on it; a mask admits the records of this
one. Brings the index up to date unit by unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from narraworld.kb.propositions import BadProposition, Statement, parse_statement
from narraworld.kb.search.inverted_index import Bm25, Document, LexicalIndex
from narraworld.query.memory import vectors as semantic
from narraworld.query.memory.neighbours import Layout
from narraworld.query.names import rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from narraworld.kb.journal.store import Snapshot
    from narraworld.query.scope import Scope
    from narraworld.rules.engines import Engine
    from narraworld.rules.language.ir import Row

    Numbers: TypeAlias = NDArray[np.float32]

__all__ = ["SEARCHED", "Search", "Shelf", "versions_of"]

SEARCHED = frozenset({
    "State", "Event", "Speech", "Attitude", "Access", "Unawareness", "Presence", "Step", "Possibility", "Scene",
    "Plotline", "Plot", "Identity",
})  # fmt: skip
HELD = (
    "speech",
    "attitude",
    "access",
    "ignorance",
    "ignorance_of",
    "presence",
)  # the second column is whose it is
OWN_ROLES, COMPANY = frozenset({"agent", "experiencer"}), frozenset({"addressee", "companion"})
FEW = 16  # up to so many units are read one by one, more of them all at once


@dataclass(slots=True)
class Shelf:
    """Where the index of a branch is kept, and what it must hold: the units of ``source`` and their versions."""

    index: LexicalIndex
    source: Engine
    versions: Mapping[str, str]
    whole: bool = True

    def refresh(self) -> LexicalIndex:
        """Documents of exactly these versions of these units."""
        while (kept := self.index.units) != self.versions:  # another process may have moved it meanwhile
            stale = [unit for unit in kept if unit not in self.versions]
            fresh = {unit: version for unit, version in self.versions.items() if kept.get(unit) != version}
            self.index.update(_documents(self.source, fresh), [*stale, *fresh], fresh)
        return self.index


class Search:
    """Everything a scope can find. Arrays run parallel to ``records``: the admitted records, in the order of their ids, so
    that not even the order of a sum depends on what else the index holds."""

    def __init__(self, scope: Scope) -> None:
        self.engine, self.eyes = scope.engine, scope.focalizer
        shelf = scope.shelf() if scope.shelf else None
        shelf = shelf if isinstance(shelf, Shelf) else _own(scope.engine)
        self.index, self._whole = shelf.refresh(), shelf.whole

    @cached_property
    def records(self) -> list[str]:
        known = self.index.numbers
        everything = self._whole and self.eyes is None
        return sorted(known if everything else {record for record in self._visible() if record in known})

    def _visible(self) -> Iterable[str]:
        if self.eyes is None:
            return (str(node) for node, kind in rows(self.engine, "instance") if kind in SEARCHED)
        return _through(self.engine, self.eyes)

    @cached_property
    def _numbers(self) -> NDArray[np.int64]:
        return np.array([self.index.numbers[record] for record in self.records], dtype=np.int64)

    @cached_property
    def _admitted(self) -> NDArray[np.bool_]:
        mask = np.zeros(len(self.index.documents), dtype=bool)
        mask[self._numbers] = True
        return mask

    @cached_property
    def _vectors(self) -> Numbers:
        return semantic.from_bytes([self.index.vectors[number] for number in self._numbers])

    @cached_property
    def layout(self) -> Layout:
        """Where the records stand in the telling."""
        scenes = [(str(unit), int(start)) for _, unit, start, _ in rows(self.engine, "scene")]
        stored = (self.index.documents[number] for number in self._numbers)
        return Layout.of([(unit, start, end) for _, unit, start, end, *_ in stored], scenes)

    def by_word(self, text: str, bm25: Bm25) -> Numbers:
        return self.index.scores(text, admitted=self._admitted, bm25=bm25)[self._numbers]

    def by_meaning(self, *things: Sequence[str]) -> Numbers:
        """For each thing, given in one wording or several, how close every record is to it; one row each."""
        wanted = [semantic.embed([text for text in wordings if text]).sum(axis=0) for wordings in things]
        close = np.array(wanted, dtype=np.float32) @ self._vectors.T
        return np.asarray(np.maximum(close, 0.0), dtype=np.float32)

    def naming(self, entities: Iterable[str]) -> Numbers:
        """1 for each record that names one of these entities."""
        return self._marked(self.index.naming(entity) for entity in entities)

    def of(self, holders: Iterable[str]) -> Numbers:
        """1 for each record that is one of these holders'."""
        return self._marked(self.index.of(holder) for holder in holders)

    def _marked(self, several: Iterable[NDArray[np.int64]]) -> Numbers:
        found = np.zeros(len(self.index.documents), dtype=np.float32)
        for numbers in several:
            found[numbers] = 1.0
        return found[self._numbers]


def versions_of(engine: Engine, snapshot: Snapshot) -> dict[str, str]:
    """The version of every unit the engine has."""
    found = {str(unit): snapshot.find(str(unit)) for unit, _ in rows(engine, "unit")}
    return {unit: entry.body_sha for unit, entry in found.items() if entry}


def _own(engine: Engine) -> Shelf:
    """An index for this engine alone, kept nowhere."""
    return Shelf(LexicalIndex(), engine, {str(unit): "" for unit, _ in rows(engine, "unit")})


def _through(engine: Engine, eyes: str) -> Iterator[str]:
    """Records a character could tell of."""
    yield from (str(row[1]) for row in rows(engine, "knows_of", eyes))
    sources = {str(row[4]) for row in rows(engine, "belief", eyes)}
    yield from (str(record) for source in sources for record, _ in rows(engine, "tied", None, source))
    yield from sources
    yield from (str(row[0]) for row in rows(engine, "attitude", None, eyes))
    yield from (str(row[0]) for row in rows(engine, "access", None, eyes))
    yield from (str(row[1]) for row in rows(engine, "sees_turn", eyes))
    yield from (str(row[1]) for row in rows(engine, "conceives", eyes))


# -- documents


@dataclass(slots=True)
class _Draft:
    """What is known of a record before it becomes a document."""

    kind: str
    quotes: list[str] = field(default_factory=list)
    places: list[tuple[int, int]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    holders: list[str] = field(default_factory=list)
    company: list[str] = field(default_factory=list)
    entities: list[str] = field(default_factory=list)

    @property
    def about(self) -> str:
        """Titles, summaries and propositions as words, and the things named that nobody says or does."""
        persons = {*self.holders, *self.company}
        return " ".join((*self.texts, *(_words(one) for one in self.entities if one not in persons)))


def _documents(engine: Engine, units: Mapping[str, str]) -> Iterator[Document]:
    for unit in [None] if len(units) > FEW else sorted(units):
        drafts = {
            record: draft
            for record, draft in _drafts(engine, unit).items()
            if record.partition("/")[0] in units
        }
        vectors = semantic.embed([_meaning(draft) for draft in drafts.values()])
        for (record, draft), vector in zip(drafts.items(), vectors, strict=True):
            where = record.partition("/")[0]
            yield Document(
                record, where, units[where], draft.kind, " ".join(draft.quotes), draft.about,
                tuple(dict.fromkeys(draft.entities)), tuple(dict.fromkeys(draft.holders)),
                min(draft.places, default=(0, 0)), semantic.to_bytes(vector),
            )  # fmt: skip


def _meaning(draft: _Draft) -> str:
    """The text a record is compared by: its own sentence if it has one, else what it quotes."""
    return (
        " ".join(draft.texts)
        if any(" " in text for text in draft.texts)
        else " ".join((*draft.texts, *draft.quotes))
    )


def _drafts(engine: Engine, unit: str | None) -> dict[str, _Draft]:
    """Records of one unit, or of all, with everything they say of themselves."""
    told = _About(engine, unit)
    drafts = {str(node): _Draft(str(kind)) for node, kind in told("instance") if kind in SEARCHED}
    spans = {str(span): (int(start), int(end)) for span, _, start, end in told("span")}
    quotes = {str(span): " ".join(str(text).split()) for span, text in told("quote")}
    for record, span in told("evidence"):
        if (draft := drafts.get(str(record))) and str(span) in quotes:
            draft.quotes.append(quotes[str(span)])
            draft.places.append(spans[str(span)])
    for relation in ("titled", "summary"):
        for record, text in told(relation):
            if draft := drafts.get(str(record)):
                draft.texts.append(str(text))
    for relation in HELD:
        for record, holder, *_ in told(relation):
            if draft := drafts.get(str(record)):
                draft.holders.append(str(holder))
    for record, who, role in told("role"):
        if draft := drafts.get(str(record)):
            draft.holders += [str(who)] if role in OWN_ROLES else []
            draft.company += [str(who)] if role in COMPANY else []
    for record, node in told("refers"):
        if (draft := drafts.get(str(record))) and "/" not in str(node):
            _refer(draft, str(node))
    return drafts


def _refer(draft: _Draft, node: str) -> None:
    try:
        said = parse_statement(node)
    except BadProposition:
        draft.entities.append(node)
        return
    words, entities = _readable(said)
    draft.texts.append(words)
    draft.entities += entities
    if draft.kind == "State":
        draft.holders.append(said.subject)


class _About:
    """Base rows whose first column is a node that ``unit`` speaks of; of all units where none is given."""

    def __init__(self, engine: Engine, unit: str | None) -> None:
        self._engine = engine
        self._nodes = unit and [str(node) for node, _ in rows(engine, "occurs", None, unit)]

    def __call__(self, relation: str) -> list[Row]:
        if self._nodes is None:
            return rows(self._engine, relation)
        return [row for node in self._nodes for row in rows(self._engine, relation, node)]


def _readable(said: Statement) -> tuple[str, list[str]]:
    """A proposition as words and the entities in it: `key.location.hollow-book` is about a key and a hollow book."""
    inner, entities = (said.value, []) if said.value is not None else _object(said.object or "")
    subject = _words(said.subject)
    whole = inner.lower().startswith(subject)
    return (inner if whole else f"{subject} {said.predicate} {inner}"), [said.subject, *entities]


def _object(node: str) -> tuple[str, list[str]]:
    try:
        return _readable(parse_statement(node))
    except BadProposition:
        return _words(node), [node]


def _words(symbol: str) -> str:
    return symbol.replace("-", " ")
