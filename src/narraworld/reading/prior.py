"""What a reader of the next unit may be told: who is known, what is so of those it names, which threads are open.

Read from derived relations into the plain values of `kb.roster`. A unit that is read again is told nothing that
only its own earlier version said. Bounded, so that neither the prompt nor the work for it grows with the story: what is
about those in the passage comes first, of that what a check watches, then the latest; only what will be told is put into words.
"""

from __future__ import annotations

from dataclasses import replace
from heapq import nlargest

from narraworld.base.settings import PriorSettings
from narraworld.kb.propositions import Statement, parse_statement
from narraworld.kb.roster import Known, KnownFact, OpenPossibility, OpenThread, Prior, Roster
from narraworld.ontology.respects import respects
from narraworld.query.names import NameBook, rows
from narraworld.query.views import possibilities_of
from narraworld.rules.engines import Engine

__all__ = ["PriorSettings", "prior_of", "recognisable", "roster_of"]


BOUNDS = PriorSettings()
ONLY_SAID = ", unstated"  # as the reader's own lists mark what only somebody's word stands for


def roster_of(engine: Engine, *, but: str | None = None) -> Roster:
    """Every entity with its names; ``but`` leaves out what only that unit speaks of."""
    with engine.reading():  # one state, asked many times
        return _roster(engine, but)


def _roster(engine: Engine, but: str | None) -> Roster:
    names: dict[str, list[str]] = {}
    for record, entity, name in rows(engine, "named"):
        if not _only_in(str(record), but):
            names.setdefault(str(entity), []).append(str(name))
    known = [
        Known(str(e), str(kind), tuple(dict.fromkeys(names[str(e)])))
        for e, kind in rows(engine, "entity")
        if str(e) in names
    ]
    if but is not None and rows(engine, "unit", but):  # it is read again: who is known from elsewhere?
        known = [one for one in known if _told_outside(engine, one.id, but)]
    units = {str(unit) for unit, _ in rows(engine, "unit")}
    return Roster(tuple(known), frozenset(units | {str(d) for d, _ in rows(engine, "development")}))


def prior_of(engine: Engine, roster: Roster, text: str, bounds: PriorSettings = BOUNDS) -> Prior:
    """How things stand for a reader of ``text``: facts about those in it, open threads, possibilities that may yet come."""
    with engine.reading():
        return _prior(engine, roster, text, bounds)


def _prior(engine: Engine, roster: Roster, text: str, bounds: PriorSettings) -> Prior:
    names = NameBook(engine, {one.id: one.best_name for one in roster.known}, short=True)
    possibilities = [
        OpenPossibility(one.possibility, names(one.possibility))
        for one in possibilities_of(engine, names)
        if not one.realised
    ]
    facts = [
        KnownFact(said.id, _in_words(said, roster) + ("" if so else ONLY_SAID))
        for said, so in _told_facts(engine, roster, text, bounds.facts)
    ]
    return Prior(tuple(facts), tuple(_open_threads(engine, names, bounds.threads)), tuple(possibilities))


# -- facts


def _told_facts(engine: Engine, roster: Roster, text: str, limit: int) -> list[tuple[Statement, bool]]:
    """What is so, or was only claimed, of those the reader knows; the most telling last."""
    standing, present = _standing(engine), {one.id for one in roster.named_in(text)}
    told = {
        said: since
        for said, since in {**_claimed(engine), **standing}.items()
        if said.subject in roster.by_id
    }
    weighed = (
        (bool({said.subject, said.object} & present), _watched(said), since, said.id, said)
        for said, since in told.items()
    )
    latest = nlargest(limit, weighed, key=lambda row: row[:-1])
    return [(said, said in standing) for *_, said in reversed(latest)]


def _watched(said: Statement) -> bool:
    """Whether a check watches it or it holds for life: looks, kin, deaths, injuries, damage, ways, dates."""
    row = respects().rows.get(said.predicate)
    return row is not None and row.watched


def _standing(engine: Engine) -> dict[Statement, int]:
    """The propositions that hold now, with the moment from which they do."""
    begun = {matter: int(since) for matter, since in rows(engine, "begun")}
    since: dict[Statement, int] = {}
    for state, matter, sign in rows(engine, "current"):
        said = parse_statement(f"not.{matter}" if sign == "no" else str(matter))
        positive = sign == "yes" and matter in begun
        since[said] = begun[matter] if positive else int(rows(engine, "world_claim", state)[0][3])
    return since


def _claimed(engine: Engine) -> dict[Statement, int]:
    """What somebody has said, true or not: others may come to speak of it."""
    when = {event: int(tick) for event, tick in rows(engine, "at")}
    return {parse_statement(str(said)): when.get(event, 0) for event, said in rows(engine, "claim")}


def _in_words(said: Statement, roster: Roster) -> str:
    """As propositions stand in the reader's own lists: `sea chest open: locked`."""
    row = respects().rows.get(said.predicate)
    target = said.value if said.value is not None else _called(said.object or "", roster)
    label = row.label if row else said.predicate.replace("-", " ")
    return f"{'not: ' if said.negative else ''}{_called(said.subject, roster)} {label}: {target}"


def _called(id: str, roster: Roster) -> str:
    if "." in id or ":" in id:
        return f"({_in_words(parse_statement(id), roster)})"
    return roster.by_id[id].best_name if id in roster.by_id else id.replace("-", " ")


# -- what one knows people by


def recognisable(engine: Engine, roster: Roster, bounds: PriorSettings = BOUNDS) -> Roster:
    """The roster with a few words on who is who: somebody's mother, a ferryman, dead."""
    about: dict[str, list[str]] = {}
    with engine.reading():
        for said in sorted(_standing(engine), key=lambda one: one.id):
            row = respects().rows.get(said.predicate)
            if row is None or said.negative:
                continue
            if row.word and row.value == "person" and said.object:
                about.setdefault(said.object, []).append(f"{row.word} of {_called(said.subject, roster)}")
            elif row.name in bounds.recognised and said.value:
                about.setdefault(said.subject, []).append(said.value)
    known = (replace(one, about=", ".join(about.get(one.id, ())[: bounds.about])) for one in roster.known)
    return replace(roster, known=tuple(known))


def _open_threads(engine: Engine, names: NameBook, limit: int) -> list[OpenThread]:
    """The open threads that moved last, in the order in which they began."""
    open_ids = {development for (development,) in rows(engine, "open")}
    standing = {
        str(d): (int(since), str(status)) for d, status, since in rows(engine, "status") if d in open_ids
    }
    latest = nlargest(limit, standing, key=lambda d: (standing[d][0], d))
    return [
        OpenThread(d, names(d), str(rows(engine, "development", d)[0][1]), standing[d][1])
        for d in sorted(latest, key=lambda d: (_begins(engine, d), d))
    ]


def _begins(engine: Engine, development: str) -> int:
    return min(int(when) for _, _, _, when in rows(engine, "turn", development))


def _only_in(record: str, unit: str | None) -> bool:
    return unit is not None and record.startswith(f"{unit}/")


def _told_outside(engine: Engine, node: str, unit: str) -> bool:
    return any(where != unit for _, where in rows(engine, "occurs", node))
