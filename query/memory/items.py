"""Records told as items: one line each, with its view, its holder, its moment and the words it rests on.

Reads an engine that was already cut to the situation and, where there is a focalizer, tells only what those eyes could
tell. A kind of record is one entry in a table; a record nobody can word is told by nothing at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from narraworld.base.undisturbed import undisturbed
from narraworld.kb.propositions import BadProposition, parse_statement
from narraworld.query.evidence import Span
from narraworld.query.memory.index.search import Search
from narraworld.query.memory.needs import MemoryItem, Section
from narraworld.query.names import rows
from narraworld.query.shown.phrases import also_called, held, once_held

if TYPE_CHECKING:
    from narraworld.query.memory.index.admission import AdmittedPassage
    from narraworld.query.scope import Scope

__all__ = ["Teller"]

UNREAL = {
    "negated": "did not happen",
    "hypothetical": "imagined",
    "future": "meant to happen",
    "dreamed": "dreamed",
}
KNOWS = "knows"
TOLD_FROM = (
    "instance", "at", "told", "evidence", "span", "quote", "state", "lasts", "event", "role", "attitude", "step", "happened", "belief",
    "mistaken",
)  # fmt: skip
_NAME = re.compile(r"[^\W\d_a-z][\w.'’-]*(?: [^\W\d_a-z][\w.'’-]*)*")  # every word of it as a name is written
_LABEL = re.compile(r"[^:\n]{1,40}:\s*")
WHOLES = "D|whole|"  # a scene, plotline or plot: told by nobody's eyes but the author's
USED = 3  # sentences that use a name, for it to be one
STEPS = 5  # of a thread, told in a line
FOREVER = 9_000_000_000_000_000_000


class Teller:
    """Items of one scope; asked twice for a record, it answers from memory."""

    def __init__(self, scope: Scope) -> None:
        self.scope, self.engine, self.names = scope, scope.at_once, scope.names
        self.eyes = scope.focalizer
        if (
            scope.once(Search).filled
        ):  # beside making an index, reading what is told from costs nothing, and it spares the next requests
            with undisturbed(keeping=True):
                self.engine.read(TOLD_FROM)
        self._told: dict[str, tuple[MemoryItem, ...]] = {}
        self._kinds: dict[str, frozenset[str]] = {}
        self._quoted: dict[str, tuple[Span, ...]] = {}
        self._minds: dict[tuple[str, str], MemoryItem | None] = {}
        self._stated: dict[str, tuple[MemoryItem, ...]] = {}
        self._others: dict[str, tuple[MemoryItem, ...]] = {}

    @property
    def _tellers(self) -> dict[str, Callable[[str], Iterator[MemoryItem]]]:
        """By class; made when wanted, since a table of one's own methods would keep a scope alive that nobody holds."""
        return {
            "State": self._state, "Event": self._event, "Speech": self._speech, "Attitude": self._attitude,
            "Access": self._access, "Unawareness": self._unawareness, "Presence": self._presence,
            "Development": self._thread, "Step": self._step, "Possibility": self._possibility,
            "Scene": self._whole, "Plotline": self._whole, "Plot": self._whole, "Identity": self._identity,
        }  # fmt: skip

    def items(self, record: str) -> tuple[MemoryItem, ...]:
        """Everything this record, or this passage, says; nothing for what is not in the scope."""
        found = self._told.get(record)
        if found is None:
            passage = self._passages.get(record)
            told = self._of_record(record) if passage is None else self._passage(passage)
            found = self._told[record] = tuple(told)
        return found

    def _of_record(self, record: str) -> Iterator[MemoryItem]:
        tellers = self._tellers
        for kind in sorted(self.kinds(record) & tellers.keys()):
            yield from filter(self._tellable, tellers[kind](record))

    def kinds(self, node: str) -> frozenset[str]:
        """The classes of a node."""
        found = self._kinds.get(node)
        if found is None:
            found = self._kinds[node] = frozenset(
                str(kind) for _, kind in rows(self.engine, "instance", node)
            )
        return found

    def held(self, holder: str, proposition: str) -> MemoryItem | None:
        """What a holder makes of a proposition, if anything; nobody sees into another's mind."""
        if (holder, proposition) not in self._minds:
            self._minds[holder, proposition] = self._in_mind(holder, proposition)
        return self._minds[holder, proposition]

    def stated(self, proposition: str) -> tuple[MemoryItem, ...]:
        """The proposition as the world has it: what the states say that are about it."""
        if proposition not in self._stated:
            about = [str(record) for record, _ in rows(self.engine, "refers", None, proposition)]
            states = (record for record in about if "State" in self.kinds(record))
            self._stated[proposition] = tuple(item for record in states for item in self.items(record))
        return self._stated[proposition]

    def _in_mind(self, holder: str, proposition: str) -> MemoryItem | None:
        if self.eyes not in (None, holder):
            return None
        stance, records = self._stance(holder, proposition)
        if stance is None:
            return None
        said = self.proposition_words(proposition)
        known = said if stance == KNOWS else ""
        return self._item(
            "B", f"B|{holder}|{proposition}", held(stance, said), *records, holder=holder, known=known
        )

    def proposition_words(self, proposition: str) -> str:
        """A proposition as a sentence; one whose value is a sentence about its subject is that sentence."""
        try:
            said = parse_statement(proposition)
        except BadProposition:
            return self.names(proposition)
        name = self.names(said.subject)
        begins = re.match(rf"{re.escape(name)}(?:['’]s)? ", said.value or "")
        return str(said.value) if begins and not said.negative else self.names(proposition)

    # -- T

    @cached_property
    def _passages(self) -> Mapping[str, AdmittedPassage]:
        return {passage.id: passage for passage in self.scope.once(Search).passages}

    def _passage(self, passage: AdmittedPassage) -> Iterator[MemoryItem]:
        """The sentence as it stands; one that is all within what somebody says is told as their words."""
        for record in passage.rests:
            if "Speech" in self.kinds(record) and self._says(record, passage):
                yield from self.items(record)
                return
        place = self.scope.place_of(passage.unit, passage.start)
        span = Span(passage.unit, passage.start, passage.end, passage.words, place)
        when, told = self._clock("at", passage.rests), self._clock("told", passage.rests)
        yield MemoryItem(f"T|{passage.id}", "T", passage.words, (), (span,), None, when, told)

    def _says(self, record: str, passage: AdmittedPassage) -> bool:
        """Whether a passage is all within the words of a speech; a script's `Name:` before them is none of its words."""
        return any(
            span.unit == passage.unit
            and passage.end <= span.end
            and (span.start <= passage.start or _LABEL.fullmatch(passage.words[: span.start - passage.start]))
            for span in self.spans(record)
        )

    # -- W

    def _state(self, record: str) -> Iterator[MemoryItem]:
        [(_, proposition, truth)] = rows(self.engine, "state", record)
        words = self.proposition_words(str(proposition)) if truth == "asserted" else self.names(record)
        lasting = rows(self.engine, "lasts", record)
        if self.eyes:  # that it has ended may not have reached them
            yield self._item("W", f"W|{truth}|{proposition}", words, record)
        elif lasting and int(lasting[0][4]) < FOREVER:
            yield self._item("W", f"W|{record}", f"{words} (no longer)", record)
        elif lasting or truth in ("disputed", "unknown"):
            yield self._item("W", f"W|{truth}|{proposition}", words, record)

    def _event(self, record: str) -> Iterator[MemoryItem]:
        [(_, _, realis)] = rows(self.engine, "event", record)[:1]
        if realis == "hypothetical":
            return  # told with the possibility it belongs to, never alone
        if realis not in UNREAL and (standing := self.scope.once(Search).standing.get(record)):
            for passage in standing:
                yield from self.items(passage.id)
            return
        said = " … ".join(span.quote for span in self.spans(record)) or self.names(record)
        yield self._item("T", f"T|{self._place_key(record)}", _marked(said, UNREAL.get(str(realis))), record)

    def _speech(self, record: str) -> Iterator[MemoryItem]:
        [(_, speaker, manner)] = rows(self.engine, "speech", record)[:1]
        said = " … ".join(span.quote for span in self.spans(record)) or self.names(record)
        words = f"{self.names(str(speaker))}{'' if manner == 'asserts' else f' ({manner})'}: {said}"
        yield self._item("T", f"T|{self._place_key(record)}", words, record)

    def _presence(self, record: str) -> Iterator[MemoryItem]:
        [(_, who, movement)] = rows(self.engine, "presence", record)[:1]
        place = "".join(
            f", {self.names(str(where))}" for _, where in rows(self.engine, "presence_place", record)
        )
        words = f"{self.names(str(who))}: {movement}{place}"
        yield self._item("W", f"W|{record}", words, record)

    def _identity(self, record: str) -> Iterator[MemoryItem]:
        [(_, one, other, verdict)] = rows(self.engine, "identity", record)[:1]
        relation = "is" if verdict == "same" else "is not"
        words = f"{self.names(str(one))} {relation} {self.names(str(other))}"
        yield self._item("W", f"W|{one}|{verdict}|{other}", words, record)

    def other_names(self, entity: str) -> Iterator[MemoryItem]:
        """Under which other names somebody goes, where somebody was given them or the page goes on using them: a false name, a real
        one, that of a marriage."""
        if entity not in self._others:
            self._others[entity] = tuple(self._named_also(entity, list(self._bynames(entity))))
        yield from self._others[entity]

    def _bynames(self, entity: str) -> Iterator[str]:
        given = {str(name) for _, _, name in rows(self.engine, "given_name", None, entity)}
        own = set(self.names(entity).split())
        for name in sorted(str(name) for _, name in rows(self.engine, "byname", entity)):
            meant = _NAME.fullmatch(name) and rows(self.engine, "named", None, entity, name)
            if meant and not own & set(name.split()) and (name in given or self._is_used(name)):
                yield name

    def _named_also(self, entity: str, names: list[str]) -> Iterator[MemoryItem]:
        records = [str(row[0]) for name in names for row in rows(self.engine, "named", None, entity, name)]
        if records:
            yield self._item("W", f"W|names|{entity}", also_called(self.names(entity), names), *records)

    def _is_used(self, name: str) -> bool:
        word = re.compile(rf"\b{re.escape(name)}\b")
        using = (1 for passage in self.scope.once(Search).passages if word.search(passage.words))
        return sum(islice(using, USED)) == USED

    # -- B

    def _attitude(self, record: str) -> Iterator[MemoryItem]:
        for _, holder, proposition, kind in rows(self.engine, "attitude", record):
            stance, _ = self._stance(str(holder), str(proposition))
            if (
                stance is None
                and kind == "disbelieves"
                and (denied := self._denied(str(holder), str(proposition)))
            ):
                yield denied
                continue
            said = self.proposition_words(str(proposition))
            words = held(stance, said) if stance else once_held(str(kind), said)
            known = said if stance == KNOWS else ""
            yield self._item("B", f"B|{holder}|{proposition}", words, record, holder=str(holder), known=known)

    def _denied(self, holder: str, proposition: str) -> MemoryItem | None:
        """Whoever disbelieves something holds its opposite."""
        return self.held(holder, parse_statement(proposition).negated().id)

    def _access(self, record: str) -> Iterator[MemoryItem]:
        [(_, holder, _)] = rows(self.engine, "access", record)[:1]
        for _, proposition in rows(self.engine, "access_to", record):
            if item := self.held(str(holder), str(proposition)):
                yield item
        for _, event in rows(self.engine, "access_event", record):
            words = f"knows of: {self.names(str(event))}"
            yield self._item("B", f"B|{holder}|{event}", words, record, str(event), holder=str(holder))

    def _unawareness(self, record: str) -> Iterator[MemoryItem]:
        if self.eyes:
            return  # nobody can tell what they do not know
        for relation, derived in (("ignorance", "unaware"), ("ignorance_of", "unaware_of")):
            for _, holder, what in rows(self.engine, relation, record):
                if rows(self.engine, derived, holder, what):
                    said = self.proposition_words(str(what))
                    words = held(derived, said) if derived == "unaware" else f"does not know of: {said}"
                    yield self._item("B", f"B|{holder}|{what}", words, record, holder=str(holder))

    def _stance(self, holder: str, proposition: str) -> tuple[str | None, tuple[str, ...]]:
        """How the holder stands to it now, and the records that made it so."""
        found = rows(self.engine, "belief", holder, proposition)
        sources = tuple(dict.fromkeys(str(row[4]) for row in found))
        if found and self.eyes == holder:
            return "believes", sources
        for relation in ("knows", "mistaken") if found else ("doubts",):
            if rows(self.engine, relation, holder, proposition):
                return relation, sources
        return ("believes" if found else None), sources

    # -- D and H

    def _thread(self, record: str) -> Iterator[MemoryItem]:
        status = rows(self.engine, "status", record)
        turns = sorted(rows(self.engine, "turn", record), key=lambda row: (row[3], row[1]))
        seen = [
            row for row in turns if self.eyes is None or rows(self.engine, "sees_turn", self.eyes, row[1])
        ]
        if not status or not seen:
            return
        [(_, kind)] = rows(self.engine, "development", record)[:1]
        stands = status[0][1] if len(seen) == len(turns) else seen[-1][2]
        seen = (
            seen if len(seen) <= STEPS else [seen[0], *seen[1 - STEPS :]]
        )  # how it began, and how it came to stand so
        steps = "; ".join(f"{row[2]}: {self.names(str(row[1]))}" for row in seen)
        words = f"{self.names(record)} ({kind}, {stands}). {steps}"
        yield self._item("D", f"D|{record}", words, record, *(str(row[1]) for row in seen))

    def _step(self, record: str) -> Iterator[MemoryItem]:
        for _, development, _ in rows(self.engine, "step", record):
            yield from self.items(str(development))

    def _possibility(self, record: str) -> Iterator[MemoryItem]:
        if not rows(self.engine, "possible", record) or not self._conceived(record):
            return
        words = f"possible: {self.names(record).rstrip('.')}"
        premises = [f"if {self.names(str(p))}" for _, p in rows(self.engine, "premise", record)]
        limits = [f"as long as {self.names(str(p))}" for _, p in rows(self.engine, "constraint", record)]
        yield self._item("H", f"H|{record}", words, record, conditions=(*premises, *limits))

    def _conceived(self, record: str) -> bool:
        return self.eyes is None or bool(rows(self.engine, "conceives", self.eyes, record))

    def _whole(self, record: str) -> Iterator[MemoryItem]:
        """A scene, plotline or plot in a sentence; what it is made of is told beside it. Nobody in the story has read it."""
        if self.eyes:
            return
        for _, text in rows(self.engine, "summary", record):
            yield self._item("D", f"{WHOLES}{record}", str(text), record)

    # -- shared

    def _tellable(self, item: MemoryItem) -> bool:
        """Through a character's eyes: own beliefs, facts believed, events known of. D and H are cut where they are told."""
        if self.eyes is None or not item.records:  # a passage was admitted by its own rule
            return True
        if item.section == "B":
            return item.holder == self.eyes
        if item.section in ("D", "H") and not item.key.startswith(WHOLES):
            return True
        return all(self._known(record) for record in item.records)

    def _known(self, record: str) -> bool:
        assert self.eyes is not None
        if rows(self.engine, "knows_of", self.eyes, record):
            return True
        events = {record, *(str(event) for _, event in rows(self.engine, "tied", record))}
        stated = [str(row[1]) for row in rows(self.engine, "state", record)]
        sources = {str(row[4]) for one in stated for row in rows(self.engine, "belief", self.eyes, one)}
        return bool(events & sources)  # it came from here, not merely from something that says the same

    def _item(
        self,
        section: Section,
        key: str,
        words: str,
        *records: str,
        holder: str | None = None,
        conditions: tuple[str, ...] = (),
        known: str = "",
    ) -> MemoryItem:
        spans = tuple(dict.fromkeys(span for record in records for span in self.spans(record)))
        return MemoryItem(
            key,
            section,
            words,
            records,
            spans,
            holder,
            self._clock("at", records),
            self._clock("told", records),
            conditions,
            known,
        )

    def _clock(self, relation: str, records: tuple[str, ...]) -> int | None:
        return min((int(row[1]) for row in self.engine.each(relation, records)), default=None)

    def spans(self, record: str) -> tuple[Span, ...]:
        """The words that a record rests on."""
        if record not in self._quoted:
            quotes = self.scope.quotes(record)
            self._quoted[record] = tuple(
                Span(one.unit, one.start, one.end, one.text, one.place) for one in quotes
            )
        return self._quoted[record]

    def _place_key(self, record: str) -> str:
        """Two events told by the same words are one line."""
        return ",".join(f"{span.unit}@{span.start}-{span.end}" for span in self.spans(record)) or record


def _marked(words: str, how: str | None) -> str:
    return f"{words} ({how})" if how else words
