"""Speech, belief and perception: who says what to whom, who holds what, who saw it happen.

What is said or thought never becomes a fact here: it is a claim of a speech or the object of an attitude.
"""

from __future__ import annotations

from collections.abc import Iterable

from narraworld.extract.claims import claims_of
from narraworld.extract.clauses import Clause
from narraworld.extract.coreference import REACH, SUBJECT
from narraworld.extract.events import Fitted, fit, write_event
from narraworld.extract.frames import Frame, frame_table
from narraworld.extract.page import Page, Roles
from narraworld.extract.parsing import Word
from narraworld.kb.propositions import Statement
from narraworld.kb.spans import Range

__all__ = ["contents", "write_access", "write_attitude", "write_certainty", "write_ignorance", "write_speech"]

PLAIN = frozenset({None, "that"})  # what is told behind them is told as so
REMEMBERING = frozenset({"remember", "recall", "recollect"})
LATEST = 40  # deeds that a look back goes through
NEGATED = {"knows": None, "believes": "disbelieves", "doubts": "believes", "disbelieves": "believes"}


def contents(found: list[Clause], number: int) -> list[int]:
    """The clauses that say what is said or thought, by position."""
    wanted = (
        {"ccomp", "xcomp", "acl", "relative"}
        if frame_table().perceives(found[number].verb)
        else {"ccomp", "xcomp"}
    )
    return [
        n for n, one in enumerate(found)
        if one.parent == number and one.relation in wanted and (found[number].verb != "be" or one.relation == "ccomp")
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


def write_attitude(page: Page, clause: Clause, fitted: Fitted, thought: dict[int, Clause]) -> bool:
    """What the holders hold, doubt or do not know; whether anything was said about it."""
    frame, roles = fitted
    assert frame is not None and frame.attitude is not None
    holders = page.characters(roles.get("agent", ()))
    if not thought:
        claims, event = _trusted(page, roles)
        return hold(page, holders, claims, frame.attitude, clause, clause.where, event)
    if frame.attitude == "knows" and clause.realis == "negated":
        return _unknown_deeds(page, holders, clause, thought)
    claims = [said for one in thought.values() for said in claims_of(page, one)]
    remembered = clause.verb in REMEMBERING and _remembered(page, holders, clause, thought)
    return hold(page, holders, claims, frame.attitude, clause, _whole(clause, thought.values())) or remembered


def _remembered(page: Page, holders: list[str], clause: Clause, thought: dict[int, Clause]) -> bool:
    """`He remembered how she had taught him`: it did happen, before what was told last."""
    earlier = {n: one for n, one in thought.items() if one.earlier and one.realis == "actual"}
    events = [event for n, one in earlier.items() if (event := _deed(page, one, n))]
    for holder in holders if clause.realis == "actual" else ():
        for event in events:
            page.add("Access", _whole(clause, thought.values()), holder=holder, event=event, mode="memory")
    return bool(events)


def write_certainty(page: Page, clause: Clause, thought: list[Clause]) -> bool:
    """`Rose was sure that Lily had left it there`: what somebody is sure of is thought, and no fact."""
    words = {word.text.lower() for word in clause.predicates} & frame_table().certainty.keys()
    if not words or not thought:
        return False
    claims = [said for one in thought for said in claims_of(page, one)]
    holders = page.characters(page.who(clause.subjects, SUBJECT))
    attitude = frame_table().certainty[words.pop()]
    return hold(page, holders, claims, attitude, clause, _whole(clause, thought))


def _unknown_deeds(page: Page, holders: list[str], clause: Clause, thought: dict[int, Clause]) -> bool:
    """`She did not know that he had taken the book`: it is so, and she does not know it."""
    quote, wrote = _whole(clause, thought.values()), False
    for number, one in thought.items():
        said = claims_of(page, one)
        wrote = hold(page, holders, said, "knows", clause, quote) or wrote
        if one.marker not in PLAIN or one.realis not in {"actual", "negated"}:
            continue
        if one.copular:
            _grant(page, said, one)
        elif event := _deed(page, one, number):
            for holder in holders:
                page.add("Unawareness", quote, holder=holder, event=event)
            wrote = True
    return wrote


def _grant(page: Page, said: Iterable[Statement], clause: Clause) -> None:
    """What somebody does not know is so, unless the stage has it already."""
    for one in said:
        if one.predicate != "location" or page.stage.where.get(one.subject, ("",))[0] != one.object:
            page.add("State", clause.where, proposition=one)


def _deed(page: Page, clause: Clause, number: int) -> str | None:
    """The deed that is told here again, or else for the first time."""
    fitted = fit(page, clause)
    who, what = (set(fitted[1].get(role, ())) for role in ("agent", "patient"))
    for one in reversed(page.deeds):
        if one.realis == "actual" and what and who == set(one.agents) and what == set(one.patients):
            return one.event
    return write_event(page, clause, fitted, number)


def _whole(clause: Clause, told: Iterable[Clause]) -> Range:
    """The clause with what is said or thought in it."""
    return Range(clause.where.start, max(one.where.end for one in (clause, *told)))


def hold(
    page: Page, holders: Iterable[str], claims: list[Statement], attitude: str, clause: Clause, quote: Range,
    event: str | None = None,
) -> bool:  # fmt: skip
    """Write that these people hold, doubt or do not know each claim; whether there was any."""
    kept = NEGATED.get(attitude, attitude) if clause.negated else attitude
    for holder in holders if clause.realis in {"actual", "negated"} else ():
        for claim in claims:
            if kept is None:
                page.add("Unawareness", quote, holder=holder, proposition=claim, at=event)
            else:
                page.add("Attitude", quote, holder=holder, proposition=claim, attitude=kept, at=event)
    return bool(claims)


def _trusted(page: Page, roles: Roles) -> tuple[list[Statement], str | None]:
    """`He believed her`: the claims of the latest speech by whoever is believed."""
    for event, speakers, _, claims in reversed(page.spoken):
        if claims and set(speakers) & set(roles.get("patient", ())):
            return claims, event
    return [], None


def write_access(page: Page, clause: Clause, roles: Roles, seen: list[int]) -> bool:
    """Who saw an event happen, or did not: one that is told, one beside it (`while she looked on`), somebody's `actions`."""
    beside = [clause.parent] if clause.relation == "advcl" and clause.parent is not None else []
    watchers = page.characters(roles.get("agent", ()))
    events = [page.happened[number] for number in [*seen, *beside] if number in page.happened]
    events += _watched(page, clause, watchers)
    for holder in watchers:
        for event in dict.fromkeys(events):
            _notice(page, holder, event, clause)
    return bool(events) or _see_things(page, clause, watchers, roles)


def _see_things(page: Page, clause: Clause, watchers: list[str], roles: Roles) -> bool:
    """Who sees a thing sees where it is; who does not notice it does not know that it is there."""
    here = [
        Statement(thing, "location", page.stage.where[thing][0])
        for thing in roles.get("patient", ())
        if page.kind(thing) == "object" and thing in page.stage.where and "place" not in roles
    ]
    for holder in watchers:
        for said in here:
            if clause.realis == "negated":
                page.add("Unawareness", clause.where, holder=holder, proposition=said)
            elif clause.realis == "actual":
                page.add("Access", clause.where, holder=holder, proposition=said, mode="observation")
    return bool(here)


def _notice(page: Page, holder: str, event: str, clause: Clause) -> None:
    if clause.realis == "negated":
        page.add("Unawareness", clause.where, holder=holder, event=event)
    elif clause.realis == "actual":
        page.add("Access", clause.where, holder=holder, event=event, mode="observation", at=event)


def _watched(page: Page, clause: Clause, watchers: list[str]) -> list[str]:
    """What was just done by whoever is being watched: `watched his every move`, `was observing Leo`."""
    found = list[str]()
    for word in clause.objects:
        if word.lemma in frame_table().nouns["deeds"]:
            owners = [one for one in page.words if one.head == word.position and one.dep == "nmod:poss"]
            found += _just_done(page, page.who(owners, besides=watchers) if owners else None, watchers)
        elif clause.head.tag == "VBG" and (people := page.characters(page.who([word]))):
            found += _just_done(page, people, watchers)
    return found


def _just_done(page: Page, by: Iterable[str] | None, besides: Iterable[str]) -> list[str]:
    """The latest deeds of these people; of everybody else when nobody is named."""
    return [
        one.event
        for one in page.deeds[-LATEST:]
        if page.company.clause - one.clause <= REACH
        and (
            set(one.agents) & set(by) if by is not None else one.agents and not set(one.agents) & set(besides)
        )
    ]


# -- ignorance said by a word


def write_ignorance(page: Page) -> int:
    """`unaware of what he did`, `unbeknownst to her`: who does not know of what was just done; how many such words."""
    count = 0
    for word in page.words:
        side = frame_table().ignorance.get(word.text.lower())
        if side is None:
            continue
        count += 1
        holder = _ignorant(page, word, before=side == "before")
        for event in _unknown(page, word, holder):
            page.add(
                "Unawareness", Range(page.words[0].start, page.words[-1].end), holder=holder[0], event=event
            )
    return count


def _ignorant(page: Page, word: Word, *, before: bool) -> tuple[str, ...]:
    """Who it is said of: the nearest person before `unaware`, the first one behind `unbeknownst to`."""
    people = [one for one in page.words if one.pos in {"PROPN", "PRON"} and one.dep != "nmod:poss"]
    left = [one for one in reversed(people) if one.position < word.position]
    right = [one for one in people if one.position > word.position]
    for one in (*left, *right) if before else right:
        if found := page.characters(page.who([one], besides=() if before else page.subjects)):
            return tuple(found[:1])
    return ()


def _unknown(page: Page, word: Word, holder: tuple[str, ...]) -> list[str]:
    """The deeds it is about: those of this sentence behind `unbeknownst to her`, else what others did just before."""
    here = set(page.happened.values())
    deeds = _just_done(page, None, holder) if holder else []
    told_here = [event for event in deeds if event in here]
    return told_here if told_here and frame_table().ignorance[word.text.lower()] == "after" else deeds
