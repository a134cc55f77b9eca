"""Speech and belief: who says what to whom, and who holds what.

What is said or thought never becomes a fact here: it is a claim of a speech or the object of an attitude.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.lexicon.function_words import wordset
from narraworld.extract.embedded.lexicon.verb_frames import VerbFrame, frame_table
from narraworld.extract.embedded.people.coreference import SUBJECT
from narraworld.extract.embedded.unit import Roles, UnitState
from narraworld.extract.embedded.writers.events import outcome, write_event
from narraworld.extract.embedded.writers.role_filling import Fitted, fit
from narraworld.extract.embedded.writers.states import stated
from narraworld.kb.propositions import Statement
from narraworld.kb.spans import TextRange

__all__ = ["claims_of", "contents", "write_attitude", "write_certainty", "write_speech"]

PLAIN = frozenset({None, "that"})  # what is told behind them is told as so


NEGATED = {"knows": None, "believes": "disbelieves", "doubts": "believes", "disbelieves": "believes"}


def contents(found: Sequence[Clause], number: int) -> list[int]:
    """The clauses that say what is said or thought, by position."""
    above = found[number]
    wanted = {"ccomp", "xcomp"}
    if frame_table().perceives(above.verb):
        wanted |= {"acl", "relative"}
    elif f"{above.verb} {above.particle}" in frame_table().frames and above.objects:  # `made a plan to go`
        wanted |= {"acl", "advcl"}
    return [
        n for n, one in enumerate(found)
        if one.parent == number and one.relation in wanted and (above.verb != "be" or one.relation == "ccomp")
    ]  # fmt: skip


def write_speech(unit: UnitState, clause: Clause, fitted: Fitted, told: list[Clause], number: int) -> bool:
    """A speech for each speaker; whether there was one."""
    frame, roles = fitted
    assert frame is not None
    claims = [said for one in told for said in claims_of(unit, one)]
    manner, kind = _manner(frame, clause)
    for speaker in roles.get("agent", ()):
        addressees = tuple(unit.characters(roles.get("addressee", ())))
        event = unit.add(
            "Speech", _whole(clause, told), kind=kind, speaker=speaker, addressee=list(addressees), claim=claims,
            manner=manner, realis=clause.realis,
        )  # fmt: skip
        unit.sentence.events[number] = event
        unit.spoken.append((event, (speaker,), addressees, claims))
    return bool(roles.get("agent"))


def _manner(frame: VerbFrame, clause: Clause) -> tuple[str, str]:
    said = {frame_table().adverbs[word] for word in clause.adverbs if word in frame_table().adverbs}
    kind = f"{clause.verb} privately" if "privately" in said else clause.verb
    return "lies" if "lies" in said else frame.manner, kind


def write_attitude(unit: UnitState, clause: Clause, fitted: Fitted, thought: dict[int, Clause]) -> bool:
    """What the holders hold, doubt or do not know; whether anything was said about it."""
    frame, roles = fitted
    assert frame is not None and frame.attitude is not None
    holders = unit.characters(roles.get("agent", ()))
    if not thought:
        claims, event = _trusted(unit, roles)
        return hold(unit, holders, claims, frame.attitude, clause, clause.where, event)
    if frame.attitude == "knows" and clause.realis == "negated":
        return _unknown_deeds(unit, holders, clause, thought)
    claims = [said for one in thought.values() for said in claims_of(unit, one)]
    remembered = clause.verb in wordset("verbs.remembering") and _remembered(unit, holders, clause, thought)
    return hold(unit, holders, claims, frame.attitude, clause, _whole(clause, thought.values())) or remembered


def _remembered(unit: UnitState, holders: list[str], clause: Clause, thought: dict[int, Clause]) -> bool:
    """`He remembered how she had taught him`: it did happen, before what was told last."""
    earlier = {n: one for n, one in thought.items() if one.earlier and one.realis == "actual"}
    events = [event for n, one in earlier.items() if (event := _deed(unit, one, n))]
    for holder in holders if clause.realis == "actual" else ():
        for event in events:
            unit.add("Access", _whole(clause, thought.values()), holder=holder, event=event, mode="memory")
    return bool(events)


def write_certainty(unit: UnitState, clause: Clause, thought: list[Clause]) -> bool:
    """`Rose was sure that Lily had left it there`: what somebody is sure of is thought, and no fact."""
    words = {word.text.lower() for word in clause.predicates} & frame_table().certainty.keys()
    if not words or not thought:
        return False
    claims = [said for one in thought for said in claims_of(unit, one)]
    holders = unit.characters(unit.who(clause.subjects, SUBJECT))
    attitude = frame_table().certainty[words.pop()]
    return hold(unit, holders, claims, attitude, clause, _whole(clause, thought))


def _unknown_deeds(unit: UnitState, holders: list[str], clause: Clause, thought: dict[int, Clause]) -> bool:
    """`She did not know that he had taken the book`: it is so, and she does not know it."""
    quote, wrote = _whole(clause, thought.values()), False
    for number, one in thought.items():
        said = claims_of(unit, one)
        wrote = hold(unit, holders, said, "knows", clause, quote) or wrote
        if one.marker not in PLAIN or one.realis not in {"actual", "negated"}:
            continue
        if one.copular:
            _grant(unit, said, one)
        elif event := _deed(unit, one, number):
            for holder in holders:
                unit.add("Unawareness", quote, holder=holder, event=event)
            wrote = True
    return wrote


def _grant(unit: UnitState, said: Iterable[Statement], clause: Clause) -> None:
    """What somebody does not know is so, unless the stage has it already."""
    for one in said:
        if one.predicate != "location" or unit.stage.where.get(one.subject, ("",))[0] != one.object:
            unit.add("State", clause.where, proposition=one)


def _deed(unit: UnitState, clause: Clause, number: int) -> str | None:
    """The deed that is told here again, or else for the first time."""
    fitted = fit(unit, clause)
    who, what = (set(fitted[1].get(role, ())) for role in ("agent", "patient"))
    for one in reversed(unit.deeds):
        if one.realis == "actual" and what and who == set(one.agents) and what == set(one.patients):
            return one.event
    if what & (
        unit.stage.where.keys() | unit.stage.holder.keys()
    ):  # an earlier unit has told where it came to
        return None
    return write_event(unit, clause, fitted, number)


def _whole(clause: Clause, told: Iterable[Clause]) -> TextRange:
    """The clause with what is said or thought in it."""
    return TextRange(clause.where.start, max(one.where.end for one in (clause, *told)))


def hold(
    unit: UnitState, holders: Iterable[str], claims: list[Statement], attitude: str, clause: Clause, quote: TextRange,
    event: str | None = None,
) -> bool:  # fmt: skip
    """Write that these people hold, doubt or do not know each claim; whether there was any."""
    kept = NEGATED.get(attitude, attitude) if clause.negated else attitude
    for holder in holders if clause.realis in {"actual", "negated"} else ():
        for claim in claims:
            if kept is None:
                unit.add("Unawareness", quote, holder=holder, proposition=claim, at=event)
            else:
                unit.add("Attitude", quote, holder=holder, proposition=claim, attitude=kept, at=event)
    return bool(claims)


def _trusted(unit: UnitState, roles: Roles) -> tuple[list[Statement], str | None]:
    """`He believed her`: the claims of the latest speech by whoever is believed."""
    for event, speakers, _, claims in reversed(unit.spoken):
        if claims and set(speakers) & set(roles.get("patient", ())):
            return claims, event
    return [], None


# -- What a clause puts forward, whoever vouches for it: a state said outright, or what a deed it tells of has changed

TOLD = frozenset({"actual", "negated"})


def claims_of(unit: UnitState, clause: Clause) -> list[Statement]:
    """The propositions a clause puts forward."""
    unit.company.main = False  # what somebody speaks of does not lead the telling
    said = stated(unit, clause)
    if said or clause.copular or clause.realis not in TOLD:
        return said
    frame, roles = fit(unit, clause)
    if frame is None or (clause.negated and not frame.stative):
        return []
    return [one.negated() if clause.negated else one for one in outcome(unit, frame, roles)]
