"""What a copy editor is told of the chapters before: the facts that a passage could contradict, chosen by relevance, each with its words.

Looks, kin, deaths, injuries, damage, ways and rules of those whom the passage names come first, then the same of others (who may be there as
`she`), dates, what people know and where they were, other states, deeds. Each has a share of the places, so that none crowds out the
others; owners take turns, people first and several facts at a time, each with what is most telling first; of one matter only the first and the last telling have a place. Of dates,
minds and deeds the latest come first.
Asks an engine; composed outside the reader, which sees numbers and never looks anything up.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace

from narraworld.base.settings import PriorSettings
from narraworld.kb.normal import shipped
from narraworld.kb.propositions import BadProposition, Statement, parse_statement
from narraworld.kb.roster import Remembered, Roster
from narraworld.ontology.respects import respects
from narraworld.query.names import rows
from narraworld.rules.engines import Engine

__all__ = ["remembered_of"]

LASTING, ELSEWHERE, DATES, MINDS, STANDING, DEEDS, OTHERS = range(7)  # in the order in which they are told
PASSING = frozenset(
    {"location", "possession", "open"}
)  # two values of these are more often a change than a slip
WORLD, PERSON = "world", "character"
QUOTED = 140  # characters of a quotation


@dataclass(frozen=True, slots=True, order=True)
class _Candidate:
    rank: int
    turn: int  # which of its owner's facts
    place: int  # the later it was told, the smaller
    span: str
    says: str
    quoted: str
    about: _About


@dataclass(frozen=True, slots=True, order=True)
class _About:
    """Whose it is, in which respect, and what it is about: of several values the first and the last are told."""

    owner: str = ""
    respect: str = ""
    matter: tuple[str, ...] = ()


def remembered_of(
    engine: Engine, roster: Roster, text: str, bounds: PriorSettings, *, but: str | None = None
) -> tuple[Remembered, ...]:
    """The known facts for a reader of ``text``, the most telling first; ``but`` is a unit that is read again."""
    with engine.reading():
        found = _ends_of_matters(_once_each(_Memory(engine, roster, text, but).candidates()))
    people = {id for id, known in roster.by_id.items() if known.kind == PERSON}
    told = sorted(_shared_out(sorted(_in_turns(found, people, bounds)), bounds))
    return tuple(Remembered(one.span, f"{one.says} ({one.quoted})") for one in told)


def _once_each(found: Iterable[_Candidate]) -> list[_Candidate]:
    """What was said several times, where it was said first; dates in each unit."""
    first: dict[tuple[str, ...], _Candidate] = {}
    for one in found:
        said = one.about.matter if one.rank == DATES else (one.says,)
        known = first.setdefault(said, one)
        if known.place < one.place:
            first[said] = one
    return list(first.values())


def _ends_of_matters(found: Iterable[_Candidate]) -> Iterator[_Candidate]:
    """Of one matter in many words what was told first and last; what is about nothing in particular, all of it."""
    matters: dict[tuple[str, ...], list[_Candidate]] = {}
    for one in found:
        matters.setdefault(one.about.matter or (one.span, one.says), []).append(one)
    for some in matters.values():
        last, first = (choose(some, key=lambda one: (one.place, one.span)) for choose in (min, max))
        yield first
        if last.span != first.span:  # else it is told as begun and ended in one breath
            yield last


def _in_turns(
    found: Iterable[_Candidate], people: Container[str], bounds: PriorSettings
) -> Iterator[_Candidate]:
    """Each owner's facts by turns, the most telling first, and of equals what was told first; of people several in a turn."""
    owners: dict[tuple[int, str], list[_Candidate]] = {}
    for one in found:
        owners.setdefault((one.rank, one.about.owner), []).append(one)
    for (_, owner), some in owners.items():
        some.sort(key=lambda one: (one.about.respect in bounds.least, -one.place))
        first, each = (0, bounds.at_a_turn) if owner in people else (1, 1)
        yield from (
            replace(one, turn=first + number // each if owner else 0) for number, one in enumerate(some)
        )


def _shared_out(found: list[_Candidate], bounds: PriorSettings) -> list[_Candidate]:
    """To each rank its share, and what is left over to whoever is next."""
    ranks: dict[int, list[_Candidate]] = {}
    for one in found:
        ranks.setdefault(one.rank, []).append(one)
    first = [one for rank, some in ranks.items() for one in some[: bounds.shares[rank]]]
    rest = [one for rank in sorted(ranks) for one in ranks[rank][bounds.shares[rank] :]]
    return [*first, *rest[: max(0, bounds.remembered - len(first))]]


class _Memory:
    """Records into lines, over one engine, for one passage."""

    def __init__(self, engine: Engine, roster: Roster, text: str, but: str | None) -> None:
        self._engine, self._roster, self._but = engine, roster, but
        self._present = {one.id for one in roster.named_in(text)} | {WORLD}
        self._spans = {str(span): str(unit) for span, unit, _, _ in rows(engine, "span")}
        self._quotes = {str(span): str(text) for span, text in rows(engine, "quote")}
        self._evidence = _first(rows(engine, "evidence"))
        self._told = {str(record): int(place) for record, place in rows(engine, "told")}
        self._titles = {str(node): str(title) for node, title in rows(engine, "titled")}
        self._roles = _grouped(rows(engine, "role"))

    def candidates(self) -> Iterator[_Candidate]:
        for some in (
            self._states(),
            self._details(),
            self._claims(),
            self._dates(),
            self._minds(),
            self._deeds(),
        ):
            yield from (one for one in some if one is not None)

    # -- the kinds of facts

    def _states(self) -> Iterator[_Candidate | None]:
        """What is over is told in one breath as so and as not so any more: of these, that it was so once."""
        told = [
            (str(state), parse_statement(str(said)), truth)
            for state, said, truth in rows(self._engine, "state")
        ]
        signs = {(self._evidence.get(state), said.matter, said.negative) for state, said, _ in told}
        for state, said, truth in told:
            over = (self._evidence.get(state), said.matter, not said.negative) in signs
            if over and said.negative:
                continue
            words = self._in_words(said if truth != "false" else said.negated()) + (", once" if over else "")
            yield self._line(state, self._rank(said), words, _about(said))

    def _details(self) -> Iterator[_Candidate | None]:
        of, things, speakers = (
            _first(rows(self._engine, name)) for name in ("detail_of", "detail_thing", "detail_speaker")
        )
        denied = {str(row[0]) for row in rows(self._engine, "detail_form") if row[4] == "no"}
        for row in rows(self._engine, "detail"):
            record, respect, value = (str(part) for part in row[:3])
            owner = of.get(record, WORLD)
            said = Statement(owner, respect, value=value, negative=record in denied)
            called = self._called(owner) if record in of else things.get(record, WORLD)
            words = f"{called} {_label(respect)}: {value}{', not so' if said.negative else ''}"
            words += self._says(speakers.get(record))
            yield self._line(record, self._rank(said), words, _about(said) if record in of else None)

    def _claims(self) -> Iterator[_Candidate | None]:
        speakers = {str(event): str(who) for event, who, _ in rows(self._engine, "speech")}
        for event, proposition in rows(self._engine, "claim"):
            said = parse_statement(str(proposition))
            words = self._in_words(said) + self._says(speakers.get(str(event)))
            yield self._line(str(event), self._rank(said), words, _about(said))

    def _dates(self) -> Iterator[_Candidate | None]:
        """Each expression of a chapter once: what it is the time of stands in the words on the page."""
        for record, _, words in rows(self._engine, "anchored"):
            yield self._line(str(record), DATES, f"time: {words}")

    def _minds(self) -> Iterator[_Candidate | None]:
        thoughts = [
            (record, who, said, str(kind)) for record, who, said, kind in rows(self._engine, "attitude")
        ]
        thoughts += [
            (record, who, said, "does not know") for record, who, said in rows(self._engine, "ignorance")
        ]
        for record, who, said, kind in thoughts:
            if who in self._present:
                words = f"{self._called(str(who))} {kind}: {self._in_words(parse_statement(str(said)))}"
                yield self._line(str(record), MINDS, words)
        where = _first(rows(self._engine, "presence_place"))
        for record, who, movement in rows(self._engine, "presence"):
            if who in self._present:
                place = f" ({self._called(where[str(record)])})" if str(record) in where else ""
                yield self._line(str(record), MINDS, f"{self._called(str(who))} {movement}{place}")

    def _deeds(self) -> Iterator[_Candidate | None]:
        happened = {str(event) for (event,) in rows(self._engine, "happened")}
        for event, kind, _ in rows(self._engine, "event"):
            takes_part = {who for who, _ in self._roles.get(str(event), ())}
            if event in happened and takes_part & self._present:
                yield self._line(str(event), DEEDS, self._deed(str(event), str(kind)))

    # -- how much each tells, and its words

    def _rank(self, said: Statement) -> int:
        here = {said.subject, said.object} & self._present or _is_rule(said.predicate)
        if any(map(_lasts, _respects_of(said))):
            return LASTING if here else ELSEWHERE
        return STANDING if here else OTHERS

    def _line(self, record: str, rank: int, words: str, about: _About | None = None) -> _Candidate | None:
        """With the words on the page; nothing that only the unit's own earlier version said."""
        span = self._evidence.get(record)
        unit = self._spans.get(span or "")
        if span is None or unit is None or unit == self._but:
            return None
        quote = " ".join(self._quotes[span].split())[:QUOTED]
        quoted = f'{self._titles.get(unit) or unit}: "{quote}"'
        about = about or _About(matter=(words, unit) if rank == DATES else ())
        return _Candidate(rank, 0, -self._told.get(record, 0), span, words, quoted, about)

    def _deed(self, event: str, kind: str) -> str:
        roles = self._roles.get(event, ())
        doers = [self._called(who) for who, role in roles if role == "agent"]
        others = [self._called(who) for who, role in roles if role in ("patient", "recipient", "destination")]
        return " ".join(filter(None, (", ".join(doers), kind, ", ".join(others))))

    def _in_words(self, said: Statement) -> str:
        target = said.value if said.value is not None else self._called(said.object or "")
        return f"{self._called(said.subject)} {_label(said.predicate)}: {target}{', not so' if said.negative else ''}"

    def _called(self, id: str) -> str:
        if "." in id or ":" in id:
            try:
                return f"({self._in_words(parse_statement(id))})"
            except BadProposition:
                return id
        known = self._roster.by_id.get(id)
        return known.best_name if known else id.replace("-", " ")

    def _says(self, speaker: str | None) -> str:
        return f", says {self._called(speaker)}" if speaker else ""


def _respects_of(said: Statement) -> set[str]:
    """In which respects it says something, by the table and in normal words: `appearance: grey eyes` is about eyes."""
    pairs = shipped().pairs(said.predicate, said.value) if said.value is not None else ()
    return {said.predicate, *(one.respect for one in pairs)}


def _about(said: Statement) -> _About:
    """Whose and in which respect; where that can have several values at a time, each is a matter of its own."""
    row = respects().named(said.predicate)
    name = row.name if row else said.predicate
    value = () if row and row.functional else (str(said.value or said.object).casefold(),)
    return _About(said.subject, name, (said.subject, name, *value))


def _lasts(respect: str) -> bool:
    row = respects().named(respect)
    return row is not None and row.watched and row.name not in PASSING


def _is_rule(respect: str) -> bool:
    row = respects().named(respect)
    return row is not None and WORLD in row.of


def _label(predicate: str) -> str:
    row = respects().rows.get(predicate)
    return row.label if row else predicate.replace("-", " ")


def _first(pairs: Iterable[tuple[object, ...]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for one, other, *_ in pairs:
        found.setdefault(str(one), str(other))
    return found


def _grouped(triples: Iterable[tuple[object, ...]]) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for one, *others in triples:
        found.setdefault(str(one), []).append((str(others[0]), str(others[1])))
    return found
