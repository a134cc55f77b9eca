"""Developments: promises, goals and plans that the text opens, and what later deeds of the same unit make of them.

A thread is resolved by the very deed it was about, and blocked where the text denies that deed; more is not guessed.
"""

from __future__ import annotations

from narraworld.extract.clauses import Clause
from narraworld.extract.events import Fitted
from narraworld.extract.page import Deed, Page, Thread
from narraworld.kb.spans import Range

__all__ = ["follow_threads", "open_thread"]


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
    wanted = page.who(aims[0].objects)
    page.threads.append(Thread(taken, holders[0], aims[0].verb, wanted))
    return True


def follow_threads(page: Page) -> None:
    """Steps of the threads that the deeds of this sentence carry on."""
    latest = page.deeds[-len(page.happened) :] if page.happened and page.threads else []
    here = [one for one in latest if one.event in page.happened.values()]
    for deed in here:
        for thread in [one for one in page.threads if _about(deed, one)]:
            status = {"actual": "resolved", "negated": "blocked"}.get(deed.realis)
            if status:
                quote = Range(page.words[0].start, page.words[-1].end)
                page.add("Step", quote, development=thread.development, status=status, at=deed.event)
            if status == "resolved":
                page.threads.remove(thread)


def _about(deed: Deed, thread: Thread) -> bool:
    return (
        thread.holder in deed.agents
        and deed.kind.split()[0] == thread.kind
        and set(thread.patients) <= set(deed.patients)
    )
