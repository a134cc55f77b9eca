"""What is found by search: every record and every sentence of a unit as a document.

Documents are made of what a record says of itself (its quotes, and the ids and texts it refers to) and of the text as it
stands, never of what other units call things, so an index kept for the whole branch serves every situation on it. Reads an
engine and the text of a unit; ranks nothing and admits nobody.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from narraworld.kb.propositions import BadProposition, Statement, parse_statement
from narraworld.kb.search.inverted_index import Document
from narraworld.kb.search.passages import passage_id, passages_of
from narraworld.query.memory.index import vectors as semantic
from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.kb.spans import TextRange
    from narraworld.rules.engines import Engine
    from narraworld.rules.language.ir import Row

__all__ = ["PASSAGE", "SEARCHED", "TOLD_AS_TEXT", "TextOf", "documents_of"]

TextOf: TypeAlias = Callable[[str], str]
"""The prose of a unit; nothing for one that has none."""

PASSAGE = "Passage"
SEARCHED = frozenset({
    "State", "Event", "Speech", "Attitude", "Access", "Unawareness", "Presence", "Step", "Possibility", "Scene",
    "Plotline", "Plot", "Identity",
})  # fmt: skip
TOLD_AS_TEXT = frozenset({"Event", "Speech"})  # what they say is how the text says it
HELD = (
    "speech",
    "attitude",
    "access",
    "ignorance",
    "ignorance_of",
    "presence",
)  # the second column is whose it is
OWN_ROLES, COMPANY = frozenset({"agent", "experiencer"}), frozenset({"addressee", "companion"})
WHOLES = frozenset({"Scene", "Plotline", "Plot"})  # made of what others tell
FEW = 16  # up to so many units are read one by one, more of them all at once


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


def documents_of(engine: Engine, units: Mapping[str, str], text_of: TextOf) -> Iterator[Document]:
    """Every record and every passage of these units; versions by unit."""
    for unit in [None] if len(units) > FEW else sorted(units):
        drafts = {
            record: draft
            for record, draft in _drafts(engine, unit).items()
            if record.partition("/")[0] in units
        }
        resting = _by_unit(drafts)
        for one in units if unit is None else [unit]:
            yield from _passages(one, units[one], text_of(one), resting.get(one, {}))
        vectors = semantic.embed([_meaning(draft) for draft in drafts.values()])
        for (record, draft), vector in zip(drafts.items(), vectors, strict=True):
            where = record.partition("/")[0]
            yield Document(
                record, where, units[where], draft.kind, " ".join(draft.quotes), draft.about,
                tuple(dict.fromkeys(draft.entities)), tuple(dict.fromkeys(draft.holders)),
                min(draft.places, default=(0, 0)), semantic.to_bytes(vector),
            )  # fmt: skip


def _by_unit(drafts: Mapping[str, _Draft]) -> dict[str, dict[str, _Draft]]:
    """The records that have a moment of their own, by unit: a passage is seen only with all of these that rest on it."""
    found: dict[str, dict[str, _Draft]] = {}
    for record, draft in drafts.items():
        if draft.kind not in WHOLES:
            found.setdefault(record.partition("/")[0], {})[record] = draft
    return found


def _passages(unit: str, version: str, text: str, drafts: Mapping[str, _Draft]) -> Iterator[Document]:
    """The sentences of a unit, each with the records that rest on it, whom they name and who says it."""
    places = passages_of(text)
    resting = _resting(places, drafts)
    said = [" ".join(place.cut(text).split()) for place in places]
    for place, words, records, vector in zip(places, said, resting, semantic.embed(said), strict=True):
        known = [drafts[record] for record in records]
        yield Document(
            passage_id(unit, place), unit, version, PASSAGE, words, "",
            tuple(dict.fromkeys(one for draft in known for one in draft.entities)),
            tuple(dict.fromkeys(one for draft in known for one in draft.holders)),
            (place.start, place.end), semantic.to_bytes(vector), tuple(sorted(records)), words,
        )  # fmt: skip


def _resting(places: Sequence[TextRange], drafts: Mapping[str, _Draft]) -> list[list[str]]:
    """For each passage the records that quote any of it."""
    starts = [place.start for place in places]
    found: list[list[str]] = [[] for _ in places]
    for record, draft in drafts.items():
        for start, end in draft.places:
            for nth in range(max(0, bisect_right(starts, start) - 1), bisect_left(starts, end)):
                if places[nth].end > start and record not in found[nth]:
                    found[nth].append(record)
    return found


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

    def of(*relations: str) -> Iterator[tuple[_Draft, Row]]:
        found = (row for relation in relations for row in told(relation))
        return ((drafts[str(row[0])], row) for row in found if str(row[0]) in drafts)

    _quote(of("evidence"), told)
    for draft, (_, text) in of("titled", "summary"):
        draft.texts.append(str(text))
    for draft, (_, holder, *_) in of(*HELD):
        draft.holders.append(str(holder))
    for draft, (_, who, role) in of("role"):
        _enlist(draft, str(who), str(role))
    meant = _Meant()
    for draft, (_, node) in of("refers"):
        if "/" not in str(node):
            _refer(draft, str(node), meant)
    return drafts


def _enlist(draft: _Draft, who: str, role: str) -> None:
    if role in OWN_ROLES:
        draft.holders.append(who)
    if role in COMPANY:
        draft.company.append(who)


def _quote(evidence: Iterable[tuple[_Draft, Row]], told: _About) -> None:
    """Each record's own words of the page, and where they stand."""
    spans = {str(span): (int(start), int(end)) for span, _, start, end in told("span")}
    quotes = {str(span): " ".join(str(text).split()) for span, text in told("quote")}
    for draft, (_, span) in evidence:
        if str(span) in quotes:
            draft.quotes.append(quotes[str(span)])
            draft.places.append(spans[str(span)])


class _Meant(dict[str, "tuple[Statement, str, list[str]] | None"]):
    """What each node says that is a proposition, its words and the entities in it; looked at once, for many records refer to it."""

    def __missing__(self, node: str) -> tuple[Statement, str, list[str]] | None:
        try:
            said = parse_statement(node)
        except BadProposition:
            self[node] = None
            return None
        self[node] = found = (said, *_readable(said))
        return found


def _refer(draft: _Draft, node: str, meant: _Meant) -> None:
    found = meant[node]
    if found is None:
        draft.entities.append(node)
        return
    said, words, entities = found
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
