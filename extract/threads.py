"""Developments: promises, goals and plans that the text opens, and what later deeds, in later units too, make of them.

A thread is resolved by the very deed it was about, and blocked where the text denies that deed; more is not guessed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from narraworld.extract.clauses import Clause
from narraworld.extract.events import Fitted
from narraworld.extract.page import Deed, Page, Roles
from narraworld.kb.spans import Range

__all__ = ["Aim", "aim_of", "begin", "follow_threads", "note_possibility", "open_thread", "pledged"]

ABLE = frozenset({"could", "might", "may"})
PLEDGING = frozenset({"promise", "swear", "vow", "pledge", "give"})


@dataclass(frozen=True, slots=True)
class Aim:
    """A deed that somebody means to do, and the words for it; ``kept_by`` is empty for one they mean not to do."""

    where: Range
    kept_by: tuple[str, ...]


def aim_of(page: Page, clause: Clause) -> Aim:
    start = clause.where.start if clause.negated or clause.passive else clause.head.start
    deed = () if clause.negated else (clause.verb, *page.who(clause.objects))
    return Aim(Range(start, clause.where.end), deed)


def open_thread(page: Page, clause: Clause, fitted: Fitted, aims: list[Clause], number: int) -> bool:
    """A development with its first step, when somebody means or promises to do something."""
    frame, roles = fitted
    if frame is None or not aims or clause.realis != "actual":
        return False
    kind = "promise" if frame.manner == "promises" else frame.development
    holders = (*roles.get("agent", ()), *roles.get("addressee", ()))
    if kind is None:
        return False
    return begin(page, kind, holders, aim_of(page, aims[0]), clause.where, page.happened.get(number))


def begin(page: Page, kind: str, holders: Iterable[str], aim: Aim, quote: Range, event: str | None) -> bool:
    """Write a development of these people; whether any of them is somebody."""
    people = [id for id in dict.fromkeys(holders) if page.kind(id) in {"character", "group"}]
    if not people:
        return False
    title = " ".join(
        f"{page.company.figures[people[0]].names[0]}: {aim.where.cut(page.delta.unit.text)}".split()
    )
    taken = set(page.company.figures) | page.used
    id = page.company.roster.free_id(f"{page.company.prefix}{title}"[:60], taken)
    page.used.add(id)
    page.use(people)
    page.delta.add("Development", id, quote=aim.where, kind=kind, title=title, holder=people)
    page.add("Step", quote, development=id, status="opened", at=event)
    if aim.kept_by:
        page.stage.threads[id] = " ".join((people[0], *aim.kept_by))
    return True


def pledged(page: Page, said: Iterable[Clause], speaker: str) -> list[Aim]:
    """What a speaker promises in a sentence: `I will mend the lamp, I promise`."""
    return [
        aim_of(page, clause)
        for clause in said
        if clause.realis in {"future", "hypothetical"} and clause.verb not in PLEDGING and not clause.copular
        if clause.marker != "if" and page.who(clause.subjects) == (speaker,)
    ]


def follow_threads(page: Page) -> None:
    """Steps of the threads that the deeds of this sentence carry on."""
    latest = page.deeds[-len(page.happened) :] if page.happened and page.stage.threads else []
    here = [one for one in latest if one.event in page.happened.values()]
    for deed in here:
        for thread in [id for id, said in page.stage.threads.items() if _about(deed, said)]:
            status = {"actual": "resolved", "negated": "blocked"}.get(deed.realis)
            if status:
                quote = Range(page.words[0].start, page.words[-1].end)
                page.add("Step", quote, development=thread, status=status, at=deed.event)
            if status == "resolved":
                del page.stage.threads[thread]


def note_possibility(page: Page, clause: Clause, roles: Roles, number: int) -> None:
    """`he could take the boat`: a way in which the only open thread of whoever could may go on."""
    event = page.happened.get(number)
    agents = set(roles.get("agent", ()))
    if event is None or clause.realis != "hypothetical" or clause.negated or not clause.adverbs & ABLE:
        return
    open_ones = [id for id, said in page.stage.threads.items() if said.split()[0] in agents]
    if len(open_ones) == 1:
        summary = " ".join(clause.where.cut(page.delta.unit.text).split())
        page.add(
            "Possibility", clause.where, development=open_ones[0], possibleEvent=event, summary=summary,
            uncertainty="medium",
        )  # fmt: skip


def _about(deed: Deed, thread: str) -> bool:
    holder, verb, *patients = thread.split()
    return holder in deed.agents and deed.kind.split()[0] == verb and set(patients) <= set(deed.patients)
