"""The workload's rules written by hand, twice: as window SQL for DuckDB and as loops over Python dictionaries.

These are what a good engineer would write for this one program, so they bound what a generator can reach.
Never touches `workload.dl` or our engines; results are compared by digest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

__all__ = ["END", "RESULTS", "WINDOW_SQL", "derive_in_python"]

Row: TypeAlias = tuple[Any, ...]
Facts: TypeAlias = Mapping[str, Collection[Row]]

END = 1_000_000_000

RESULTS = {
    "valid": ("s", "subj", "pred", "obj", "t", "e"),
    "holds_now": ("subj", "pred", "obj"),
    "believes": ("c", "subj", "pred", "obj"),
    "false_belief": ("c", "subj", "pred", "obj"),
    "inside": ("x", "y"),
    "plot_event": ("p", "e"),
    "acts_after_death": ("e", "c"),
    "two_places": ("subj", "t"),
    "uses_without_access": ("e", "c", "s"),
}

WINDOW_SQL = {
    "valid": f"""
        SELECT s, subj, pred, obj, t, coalesce(e, {END}) AS e
        FROM state JOIN (
            SELECT subj, pred, t, lead(t) OVER (PARTITION BY subj, pred ORDER BY t) AS e
            FROM (SELECT DISTINCT subj, pred, t FROM state)
        ) USING (subj, pred, t)""",
    "holds_now": f"SELECT DISTINCT subj, pred, obj FROM valid WHERE e = {END}",
    "believes": """
        SELECT DISTINCT c, subj, pred, obj FROM (
            SELECT a.c, s.subj, s.pred, s.obj,
                   rank() OVER (PARTITION BY a.c, s.subj, s.pred ORDER BY a.t DESC) AS age
            FROM access a JOIN state s USING (s)
        ) WHERE age = 1""",
    "false_belief": "SELECT * FROM believes ANTI JOIN holds_now USING (subj, pred, obj)",
    "inside": """
        WITH RECURSIVE up(x, y) AS (
            SELECT x, y FROM member UNION SELECT up.x, member.y FROM up JOIN member ON member.x = up.y
        ) SELECT x, y FROM up""",
    "plot_event": """
        SELECT DISTINCT p, e FROM plot JOIN inside ON inside.y = plot.p JOIN event ON event.e = inside.x""",
    "acts_after_death": """
        SELECT DISTINCT actor.e, c FROM dead JOIN actor USING (c) JOIN event USING (e) WHERE event.t > dead.t""",
    "two_places": """
        SELECT DISTINCT a.subj, a.t FROM state a JOIN state b USING (subj, t)
        WHERE a.pred = 'location' AND b.pred = 'location' AND a.obj <> b.obj""",
    "uses_without_access": """
        SELECT e, c, s FROM uses JOIN event USING (e)
        WHERE NOT EXISTS (FROM access a WHERE a.c = uses.c AND a.s = uses.s AND a.t <= event.t)""",
}


def derive_in_python(facts: Facts) -> dict[str, Collection[Row]]:
    """Everything the rules derive, each relation by the dictionary that suits it best."""
    ticks: dict[str, int] = dict(facts["event"])
    valid = list(_intervals(facts["state"]))
    holds_now = {row[1:4] for row in valid if row[5] == END}
    believes = list(_beliefs(facts["access"], facts["state"]))
    inside = _closure(facts["member"])
    plots = {plot for (plot,) in facts["plot"]}
    return {
        "valid": valid,
        "holds_now": holds_now,
        "believes": believes,
        "false_belief": [row for row in believes if row[1:] not in holds_now],
        "inside": inside,
        "plot_event": [(plot, event) for event, plot in inside if plot in plots and event in ticks],
        "acts_after_death": list(_posthumous(facts, ticks)),
        "two_places": list(_two_places(facts["state"])),
        "uses_without_access": list(_unlearned(facts, ticks)),
    }


def _intervals(states: Iterable[Row]) -> Iterator[Row]:
    by_slot = defaultdict(list)
    for row in states:
        by_slot[row[1], row[2]].append(row)
    for rows in by_slot.values():
        begins = sorted({row[4] for row in rows})
        ends = dict(zip(begins, [*begins[1:], END], strict=True))
        yield from ((*row, ends[row[4]]) for row in rows)


def _beliefs(accesses: Iterable[Row], states: Iterable[Row]) -> Iterator[Row]:
    about = {row[0]: row for row in states}
    last: dict[Row, tuple[int, set[str]]] = {}
    for who, state, tick, _ in accesses:
        _, subject, predicate, thing, _ = about[state]
        slot = (who, subject, predicate)
        known = last.get(slot)
        if known is None or tick > known[0]:
            last[slot] = (tick, {thing})
        elif tick == known[0]:
            known[1].add(thing)
    return ((*slot, thing) for slot, (_, things) in last.items() for thing in things)


def _closure(members: Iterable[Row]) -> set[Row]:
    above = defaultdict(list)
    for part, whole in members:
        above[part].append(whole)
    closure: set[Row] = set()
    fresh = {(part, whole) for part, wholes in above.items() for whole in wholes}
    while fresh:
        closure |= fresh
        fresh = {(part, higher) for part, whole in fresh for higher in above.get(whole, ())} - closure
    return closure


def _posthumous(facts: Facts, ticks: dict[str, int]) -> Iterator[Row]:
    died: dict[str, int] = {}
    for who, tick in facts["dead"]:
        died[who] = min(tick, died.get(who, END))
    return ((event, who) for event, who in facts["actor"] if ticks[event] > died.get(who, END))


def _two_places(states: Iterable[Row]) -> Iterator[Row]:
    places = defaultdict(set)
    for _, subject, predicate, thing, tick in states:
        if predicate == "location":
            places[subject, tick].add(thing)
    return (key for key, things in places.items() if len(things) > 1)


def _unlearned(facts: Facts, ticks: dict[str, int]) -> Iterator[Row]:
    learned: dict[Row, int] = {}
    for who, state, tick, _ in facts["access"]:
        learned[who, state] = min(tick, learned.get((who, state), END))
    return (use for use in facts["uses"] if learned.get(use[1:], END) > ticks[use[0]])
