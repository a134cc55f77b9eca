"""Little stories drawn at random: units over a small shared cast, so that chapters speak of the same things.

A drawn unit is plain data (hypothesis can shrink it); `delta` turns it into the records a reader would have made.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

from narraworld.kb.delta import Delta
from narraworld.kb.units import Unit
from narraworld.rules.engines import Engine
from narraworld.rules.language.ir import Row
from narraworld.rules.living.cut import every_row

__all__ = ["ORDERS", "WORDS", "Chapter", "Record", "chapters", "delta", "everything", "journals"]

WORDS = ("amber", "birch", "cedar", "delta", "ember", "frost", "grove", "heron", "iris", "juniper")
TEXT = " ".join(WORDS)
ORDERS = {"ch01": 1, "ch02": 2, "ch03": 3, "ch04": 4}
CAST = {
    "ann": "Character",
    "ben": "Character",
    "cup": "Object",
    "hall": "Place",
    "yard": "Place",
    "guild": "Group",
}
PROPOSITIONS = (
    "cup.location.hall",
    "cup.location.yard",
    "not.cup.location.hall",
    "cup.possession.ann",
    "ann.location.hall",
    "ben.location.yard",
    "ben.memberOf.guild",
    "cup.condition:cracked",
)
EVENTS = ("e0", "e1")
FOREIGN = tuple(f"{unit}/{event}" for unit in ORDERS for event in EVENTS)

people = st.sampled_from(("ann", "ben"))
places = st.sampled_from(("hall", "yard"))
propositions = st.sampled_from(PROPOSITIONS)
moments = st.none() | st.sampled_from((*EVENTS, *FOREIGN))


@dataclass(frozen=True)
class Record:
    """One record to be: its class, the number of the word it quotes, and its properties."""

    kind: str
    word: int
    fields: tuple[tuple[str, Any], ...]

    def __repr__(self) -> str:
        said = ", ".join(f"{name}={value!r}" for name, value in self.fields)
        return f"{self.kind}@{self.word}({said})"


@dataclass(frozen=True)
class Chapter:
    """One version of one unit: whom it introduces, and what else it calls them."""

    unit: str
    cast: tuple[str, ...] = tuple(CAST)
    names: tuple[tuple[str, str], ...] = ()
    events: tuple[Record, ...] = ()
    records: tuple[Record, ...] = ()
    anchor: str | None = None

    def speaking_only_of(self, *units: str) -> Chapter:
        """The chapter without the records that refer to other units than these."""
        others = set(ORDERS) - set(units)
        kept = (one for one in self.records if not others & {str(v).partition("/")[0] for _, v in one.fields})
        return replace(self, records=tuple(kept))

    def without(self, *kinds: str) -> Chapter:
        return replace(self, records=tuple(one for one in self.records if one.kind not in kinds), anchor=None)


def _record(cls: str, /, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Record]:
    word = st.integers(0, len(WORDS) - 1)
    return st.tuples(word, st.fixed_dictionaries(fields)).map(
        lambda drawn: Record(cls, drawn[0], tuple((k, v) for k, v in drawn[1].items() if v is not None))
    )


happenings = _record(
    "Event",
    kind=st.just("act"),
    agent=st.none() | people,
    patient=st.none() | st.just("cup"),
    place=st.none() | places,
    realis=st.sampled_from(("actual", "actual", "actual", "hypothetical")),
) | _record(
    "Speech",
    kind=st.just("tell"),
    speaker=people,
    addressee=st.none() | people,
    claim=propositions,
    manner=st.sampled_from(("asserts", "lies", "promises")),
)

others = st.one_of(
    _record(
        "State",
        proposition=propositions,
        at=moments,
        truth=st.sampled_from(("asserted", "asserted", "false", "unknown")),
    ),
    _record(
        "Access",
        holder=people,
        proposition=propositions,
        mode=st.sampled_from(("reading", "memory")),
        at=moments,
    ),
    _record("Access", holder=people, event=st.sampled_from(FOREIGN), mode=st.just("observation"), at=moments),
    _record(
        "Attitude",
        holder=people,
        proposition=propositions,
        attitude=st.sampled_from(("believes", "doubts", "disbelieves")),
        at=moments,
    ),
    _record("Unawareness", holder=people, proposition=propositions, at=moments),
    _record(
        "Presence",
        holder=people,
        place=places,
        movement=st.sampled_from(("present", "enters", "leaves", "asleep", "awake")),
        at=moments,
    ),
    _record(
        "Step",
        development=st.just("quest"),
        status=st.sampled_from(("opened", "advanced", "resolved")),
        at=moments,
    ),
    _record(
        "Possibility",
        development=st.just("quest"),
        summary=st.just("It may be found."),
        premise=propositions,
        constraint=propositions,
    ),
    _record(
        "TimeRelation",
        event=st.sampled_from((*EVENTS, *FOREIGN)),
        relation=st.sampled_from(("before", "after", "during", "sameTime")),
        reference=st.sampled_from((*EVENTS, *FOREIGN, *ORDERS)),
    ),
    _record(
        "TimeAnchor",
        event=st.sampled_from((*EVENTS, *FOREIGN)),
        expression=st.sampled_from(("three days later", "ten years earlier", "on 3 May 1850")),
    ),
    _record("Naming", entity=people, name=st.sampled_from(("the Fox", "the Stranger"))),
    _record("Identity", one=people, other=people, verdict=st.sampled_from(("same", "different"))),
    _record("Scene", start=st.just(0), end=st.integers(10, len(TEXT))),
)

names = st.lists(
    st.tuples(st.sampled_from(tuple(CAST)), st.sampled_from(("", " the Elder"))), max_size=4, unique=True
)


def chapters(unit: st.SearchStrategy[str] | str) -> st.SearchStrategy[Chapter]:
    """Versions of a unit."""
    return st.builds(
        Chapter,
        unit if not isinstance(unit, str) else st.just(unit),
        st.just(tuple(CAST)) | st.lists(st.sampled_from(tuple(CAST)), unique=True).map(tuple),
        names.map(tuple),
        st.lists(happenings, min_size=1, max_size=2).map(tuple),
        st.lists(others, max_size=6).map(tuple),
        st.none() | st.sampled_from(("the next morning", "in 1850")),
    )


def journals(**bounds: int) -> st.SearchStrategy[list[Chapter | str]]:
    """Commits and retractions: a chapter is read (again), a bare name is taken out."""
    units = st.sampled_from(tuple(ORDERS))
    return st.lists(chapters(units) | chapters(units) | units, **bounds)


def delta(chapter: Chapter) -> Delta:
    """The chapter as a reader would hand it over; what it speaks of without introduction, SHACL may refuse."""
    made = Delta(Unit(chapter.unit, ORDERS[chapter.unit], TEXT, time_anchor=chapter.anchor))
    made.reserve(f"e{number}" for number in range(len(chapter.events)))
    for entity in chapter.cast:
        made.add(CAST[entity], entity, name=entity.title(), quote=WORDS[0])
    for entity, suffix in chapter.names:
        made.add(CAST[entity], entity, name=entity.title() + suffix, quote=WORDS[1])
    made.add("Development", "quest", kind="goal", title="The quest", quote=WORDS[0])
    for number, event in enumerate(chapter.events):
        made.add(event.kind, f"e{number}", quote=WORDS[event.word], **dict(event.fields))
    for record in chapter.records:
        extra = {"unit": chapter.unit} if record.kind == "Scene" else {}
        made.add(record.kind, quote=WORDS[record.word], **dict(record.fields), **extra)
    return made


def everything(engine: Engine) -> dict[str, frozenset[Row]]:
    """All rows of each relation that has rows of its own, base or derived."""
    relations = engine.program.relations.values()
    return {one.name: frozenset(every_row(engine, one.name)) for one in relations if not one.on_demand}
