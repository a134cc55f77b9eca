"""Developments: promises, goals and plans that the text opens. It closes none: only later text can."""

from __future__ import annotations

from narraworld.extract.clauses import Clause
from narraworld.extract.events import Fitted
from narraworld.extract.page import Page

__all__ = ["open_thread"]


def open_thread(page: Page, clause: Clause, fitted: Fitted, aims: list[Clause], number: int) -> bool:
    """A development with its first step, when somebody means or promises to do something."""
    frame, roles = fitted
    if frame is None or not aims or clause.realis != "actual":
        return False
    kind = "promise" if frame.manner == "promises" else frame.development
    holders = [
        id
        for id in (*roles.get("agent", ()), *roles.get("addressee", ()))
        if page.kind(id) in {"character", "group"}
    ]
    if kind is None or not holders:
        return False
    text = page.delta.unit.text
    title = " ".join(f"{page.company.figures[holders[0]].names[0]}: {aims[0].where.cut(text)}".split())
    taken = page.company.roster.free_id(
        f"{page.company.prefix}{title}"[:60], set(page.company.figures) | page.used
    )
    page.used.add(taken)
    page.use(holders)
    page.delta.add("Development", taken, quote=aims[0].where, kind=kind, title=title, holder=holders)
    page.add("Step", clause.where, development=taken, status="opened", at=page.happened.get(number))
    return True
