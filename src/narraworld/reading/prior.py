"""What a reader of the next unit may be told: who is known, which threads and possibilities are open.

Read from derived relations into the plain values of `kb.roster`. A unit that is read again is told nothing that
only its own earlier version said. Bounded, so that neither the prompt nor the work for it grows with the story: what is
latest is looked up first, and only what will be told is put into words.
"""

from __future__ import annotations

from heapq import nlargest

from narraworld.base.settings import PriorSettings
from narraworld.kb.roster import Known, OpenPossibility, OpenThread, Prior, Roster
from narraworld.query.names import NameBook, rows
from narraworld.query.views import possibilities_of
from narraworld.rules.engines import Engine

__all__ = ["PriorSettings", "prior_of", "roster_of"]


BOUNDS = PriorSettings()


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


def prior_of(engine: Engine, bounds: PriorSettings = BOUNDS) -> Prior:
    """How things stand: facts as sentences, open threads, possibilities that may yet come."""
    with engine.reading():
        return _prior(engine, bounds)


def _prior(engine: Engine, bounds: PriorSettings) -> Prior:
    names = NameBook(engine, _everybody(engine), short=True)
    possibilities = [
        OpenPossibility(one.possibility, names(one.possibility))
        for one in possibilities_of(engine, names)
        if not one.realised
    ]
    lines = [names(proposition) for proposition in _latest_facts(engine, bounds.facts)]
    return Prior(tuple(lines), tuple(_open_threads(engine, names, bounds.threads)), tuple(possibilities))


def _everybody(engine: Engine) -> dict[str, str]:
    """What each entity is called first of all, in one question instead of two for each."""
    found = sorted(rows(engine, "named"), key=lambda row: row[0] == row[1], reverse=True)
    return {str(entity): str(name) for _, entity, name in reversed(found)}


def _latest_facts(engine: Engine, limit: int) -> list[str]:
    """The propositions that hold now and began last, oldest first."""
    begun = {matter: int(since) for matter, since in rows(engine, "begun")}
    since: dict[str, int] = {}
    for state, matter, sign in rows(engine, "current"):
        positive = sign == "yes" and matter in begun
        proposition = f"not.{matter}" if sign == "no" else str(matter)
        since[proposition] = begun[matter] if positive else int(rows(engine, "world_claim", state)[0][3])
    latest = nlargest(limit, ((tick, proposition) for proposition, tick in since.items()))
    return [proposition for _, proposition in reversed(latest)]


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
