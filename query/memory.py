"""What a reader of the next unit may be told: who is known, which threads and possibilities are open.

Read from derived relations into the plain values of `kb.roster`. A unit that is read again is told nothing that
only its own earlier version said.
"""

from __future__ import annotations

from narraworld.kb.roster import Known, OpenPossibility, OpenThread, Prior, Roster
from narraworld.query.names import Names, rows
from narraworld.query.views import facts_of, possibilities_of, threads_of
from narraworld.rules.engines import Engine

__all__ = ["prior_of", "roster_of"]

PRIOR_LINES = 60


def roster_of(engine: Engine, *, but: str | None = None) -> Roster:
    """Every entity with its names; ``but`` leaves out what only that unit speaks of."""
    names: dict[str, list[str]] = {}
    for record, entity, name in rows(engine, "named"):
        if not _only_in(str(record), but):
            names.setdefault(str(entity), []).append(str(name))
    known = [
        Known(str(e), str(kind), tuple(dict.fromkeys(names[str(e)])))
        for e, kind in rows(engine, "entity")
        if str(e) in names
    ]
    elsewhere = [one for one in known if but is None or _told_outside(engine, one.id, but)]
    units = {str(unit) for unit, _ in rows(engine, "unit")}
    return Roster(tuple(elsewhere), frozenset(units | {str(d) for d, _ in rows(engine, "development")}))


def prior_of(engine: Engine) -> Prior:
    """How things stand: facts as sentences, open threads, possibilities that may yet come."""
    names = Names(engine)
    open_ids = {str(development) for (development,) in rows(engine, "open")}
    threads = [
        OpenThread(one.development, one.words, one.kind, one.status)
        for one in threads_of(engine, names)
        if one.development in open_ids
    ]
    possibilities = [
        OpenPossibility(one.possibility, names(one.possibility))
        for one in possibilities_of(engine, names)
        if not one.realised
    ]
    lines = [fact.words for fact in facts_of(engine, names)][-PRIOR_LINES:]
    return Prior(tuple(lines), tuple(threads), tuple(possibilities))


def _only_in(record: str, unit: str | None) -> bool:
    return unit is not None and record.startswith(f"{unit}/")


def _told_outside(engine: Engine, node: str, unit: str) -> bool:
    return any(where != unit for _, where in rows(engine, "occurs", node))
