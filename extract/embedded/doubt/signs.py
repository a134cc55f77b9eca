"""What can be seen of how a record came about, as words: who wrote it, from which grammar, of whom, and how surely they are meant.

A sign is a name or a name with its value (`subject=pronoun`); which of them speak against a record is for the table. Reads the unit, changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from narraworld.extract.embedded.doubt.clause_signs import LITTLE, of_clause, of_sentence, sort_of
from narraworld.extract.embedded.doubt.people_signs import of_somebody
from narraworld.extract.embedded.doubt.surroundings import Standing, Surroundings, size
from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.ledger import LedgerEntry
from narraworld.extract.embedded.lexicon.noun_kinds import noun_kinds
from narraworld.kb.propositions import Statement

__all__ = ["signs_of"]

AGENT, PATIENT, SPEAKER = "agent", "patient", "speaker"
CORE = frozenset({AGENT, PATIENT, "recipient", "origin", "destination", "place", "instrument", "companion"})
ROLES = CORE | {"holder", SPEAKER, "addressee", "about"}
CODES = frozenset(
    {"realis", "kind", "manner", "movement", "mode", "relation", "status", "attitude", "truth", "valence"}
)
BY_THE_WAY = frozenset({"requires", "at"})
DEED = "read_deed"
OF_A_VERB = frozenset({DEED, "read_report"})  # passes that follow a frame
QUOTED = (15, 30, 60, 120)  # characters


def signs_of(entry: LedgerEntry, around: Surroundings) -> set[str]:
    """Everything that can be seen of one record."""
    here = Standing.of(entry, around)
    found = {around.prose, *_of_writer(entry), *of_sentence(here), *_of_fields(here)}
    if here.clause is not None:
        found.update(of_clause(here.clause, here.words))
    if entry.kind == "State":
        found.update(_of_statement(entry.fields["proposition"], here))
    elif entry.kind == "Detail":
        found.update(_of_detail(here))
    elif here.clause is not None:
        found.update(_unfilled(entry, here.clause))
    return found


def _of_writer(entry: LedgerEntry) -> Iterator[str]:
    yield f"by={entry.by}"
    yield f"quotes={min(len(entry.quotes), 4)}"
    yield f"long={size(sum(one.end - one.start for one in entry.quotes), *QUOTED)}"
    if entry.by in OF_A_VERB:
        yield f"frame={entry.frame}"


def _of_fields(here: Standing) -> Iterator[str]:
    """Which fields a record has, and who fills its roles."""
    fields = here.entry.fields
    yield "has " + " ".join(sorted(fields.keys() - BY_THE_WAY))
    for name, value in fields.items():
        if name in CODES:
            yield f"{name}={value}"
        if name in ROLES:
            ids = [value] if isinstance(value, str) else list(value)
            if len(ids) > 1:
                yield f"{name} several"
            yield from (f"{name} {sign}" for id in ids[:1] for sign in of_somebody(id, here))


# -- states


def _of_statement(said: Statement, here: Standing) -> Iterator[str]:
    what, entry = said.predicate, here.entry
    yield f"says={what}"
    yield f"says={what} {'not' if said.negative else ''}"
    yield f"says={what} by {entry.by}"
    if entry.by == DEED:
        yield f"says={what} by {entry.frame}"
    yield f"says={what} then={'at' in entry.fields}"
    for role, id in (("of", said.subject), ("in", said.object)):
        for sign in of_somebody(id, here) if id else ():
            yield f"{role} {sign}"
            yield f"{what} {role} {sign}"
    if said.value is not None:
        yield from _of_value(str(said.value), here)
    if (clause := here.clause) is not None:
        yield f"{what} hangs={clause.relation}"
        yield f"{what} verb={clause.verb}"
        yield f"{what} realis={clause.realis}"


def _of_value(value: str, here: Standing) -> Iterator[str]:
    yield f"value={value}"
    for word in [one for one in here.words if one.text.lower() == value.lower()][:1]:
        yield f"value tag={word.tag}"
        yield f"value hangs={word.dep}"
        if word.position:
            yield f"value behind={here.words[word.position - 1].text.lower()}"


# -- details


def _of_detail(here: Standing) -> Iterator[str]:
    fields, by = here.entry.fields, here.entry.by
    respect, value = fields["respect"], str(fields["value"]).lower().split()
    owned = next((name for name in ("about", "name") if name in fields), "nobody")
    yield f"respect={respect}"
    yield f"respect={respect} by {by}"
    yield f"basis={fields.get('basis')} {respect}"
    for sign in (f"sure={fields.get('uncertainty')}", f"length={min(len(value), 8)}", f"of={owned}"):
        yield sign
        yield f"{sign} {respect}"
    yield f"begins={value[0]}"
    yield f"begins={respect} {value[0]}"
    yield f"ends={value[-1]}"
    if "name" in fields:
        yield from _of_thing(str(fields["name"]).lower().split()[-1], respect)
    if fields.keys() & {SPEAKER, "manner"}:
        yield f"in speech {respect}"
    yield from _at_its_edges(here)


def _of_thing(noun: str, respect: str) -> Iterator[str]:
    found = noun_kinds().of(noun)
    kind = found.kind if found else "none"
    yield f"thing={kind}"
    yield f"thing={kind} {respect}"
    yield f"thing={noun}"


def _at_its_edges(here: Standing) -> Iterator[str]:
    """What stands left and right of the words."""
    if here.sentence is None:
        return
    where = here.entry.quotes[0]
    left = [word for word in here.words if word.end <= where.start][-1:]
    right = [word for word in here.words if word.start >= where.end][:1]
    for name, near in (("left", left), ("right", right)):
        yield from (f"{name}={_edge(word)}" for word in near)
        if not near:
            yield f"{name}=edge"


def _edge(word: Word) -> str:
    return word.text.lower() if word.pos in LITTLE or word.pos == "PUNCT" else word.pos


# -- deeds


def _unfilled(entry: LedgerEntry, clause: Clause) -> Iterator[str]:
    """Roles that the clause has words for and the record has nobody for."""
    fields, doer = entry.fields, PATIENT if clause.passive else AGENT
    if clause.subjects and doer not in fields and SPEAKER not in fields:
        yield "doer missing"
        yield f"doer missing {sort_of(clause.subjects[0])}"
    if not clause.subjects and doer in fields:
        yield "doer unsaid"
    if clause.objects and not clause.passive and PATIENT not in fields:
        yield "object missing"
        yield f"object missing {sort_of(clause.objects[0])}"
    if entry.kind == "Event":
        framed = "frame" if entry.frame != "none" else "no frame"
        yield f"{framed} {' '.join(sorted(fields.keys() & ROLES))}"
