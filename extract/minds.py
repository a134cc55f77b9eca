"""Speech, belief and perception: who says what to whom, who holds what, who saw it happen.

What is said or thought never becomes a fact here: it is a claim of a speech or the object of an attitude.
"""

from __future__ import annotations

from narraworld.extract.clauses import Clause
from narraworld.extract.events import Fitted
from narraworld.extract.frames import Frame, frame_table
from narraworld.extract.page import Page, Roles
from narraworld.extract.states import claims_of
from narraworld.kb.propositions import Statement
from narraworld.kb.spans import Range

__all__ = ["contents", "write_access", "write_attitude", "write_speech"]

NEGATED = {"knows": None, "believes": "disbelieves", "doubts": "believes", "disbelieves": "believes"}


def contents(found: list[Clause], number: int) -> list[int]:
    """The clauses that say what is said or thought, by position."""
    return [
        n for n, one in enumerate(found)
        if one.parent == number and one.relation in {"ccomp", "xcomp"} and found[number].verb != "be"
    ]  # fmt: skip


def write_speech(page: Page, clause: Clause, fitted: Fitted, told: list[Clause], number: int) -> bool:
    """A speech for each speaker; whether there was one."""
    frame, roles = fitted
    assert frame is not None
    claims = [said for one in told for said in claims_of(page, one)]
    manner, kind = _manner(frame, clause)
    for speaker in roles.get("agent", ()):
        addressees = tuple(page.characters(roles.get("addressee", ())))
        event = page.add(
            "Speech", _whole(clause, told), kind=kind, speaker=speaker, addressee=list(addressees), claim=claims,
            manner=manner, realis=clause.realis,
        )  # fmt: skip
        page.happened[number] = event
        page.spoken.append((event, (speaker,), addressees, claims))
    return bool(roles.get("agent"))


def _manner(frame: Frame, clause: Clause) -> tuple[str, str]:
    said = {frame_table().adverbs[word] for word in clause.adverbs if word in frame_table().adverbs}
    kind = f"{clause.verb} privately" if "privately" in said else clause.verb
    return "lies" if "lies" in said else frame.manner, kind


def write_attitude(page: Page, clause: Clause, fitted: Fitted, thought: list[Clause], number: int) -> bool:
    """What the holders hold, doubt or do not know; whether anything was said about it."""
    frame, roles = fitted
    assert frame is not None and frame.attitude is not None
    claims = [said for one in thought for said in claims_of(page, one)]
    event = None
    if not thought:
        claims, event = _trusted(page, roles)
    for holder in page.characters(roles.get("agent", ())):
        for claim in claims:
            _hold(page, holder, claim, frame.attitude, clause, event, _whole(clause, thought))
    return bool(claims)


def _whole(clause: Clause, told: list[Clause]) -> Range:
    """The clause with what is said or thought in it."""
    return Range(clause.where.start, max(one.where.end for one in (clause, *told)))


def _hold(
    page: Page, holder: str, claim: Statement, attitude: str, clause: Clause, event: str | None, quote: Range
) -> None:
    if clause.realis not in {"actual", "negated"}:
        return
    kept = NEGATED.get(attitude, attitude) if clause.negated else attitude
    if kept is None:
        page.add("Unawareness", quote, holder=holder, proposition=claim, at=event)
    else:
        page.add("Attitude", quote, holder=holder, proposition=claim, attitude=kept, at=event)


def _trusted(page: Page, roles: Roles) -> tuple[list[Statement], str | None]:
    """`He believed her`: the claims of the latest speech by whoever is believed."""
    for event, speakers, _, claims in reversed(page.spoken):
        if claims and set(speakers) & set(roles.get("patient", ())):
            return claims, event
    return [], None


def write_access(page: Page, clause: Clause, roles: Roles, seen: list[int]) -> bool:
    """Who saw an event happen: the one it is told of, or the one it happened beside (`while she looked on`)."""
    beside = [clause.parent] if clause.relation == "advcl" and clause.parent is not None else []
    events = [page.happened[number] for number in [*seen, *beside] if number in page.happened]
    for holder in page.characters(roles.get("agent", ())):
        for event in events:
            page.add("Access", clause.where, holder=holder, event=event, mode="observation", at=event)
    return bool(events)
