"""Developments: promises, goals and plans that the text opens, what may come of them, and what later deeds make of them.

A thread is resolved by the very deed it was about, or once what it aims at has come about, in later units too; it is blocked
where the text denies that deed; more is not guessed. `If the storm comes, the ferry could be lost` is a way in which an open
thread may go on; where there is none, whether the storm comes is an open question of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.lexicon.function_words import pattern, wordset
from narraworld.extract.embedded.lexicon.speech_words import speech_words
from narraworld.extract.embedded.lexicon.verb_frames import frame_table
from narraworld.extract.embedded.unit import Deed, Roles, UnitState
from narraworld.extract.embedded.writers.events import outcome
from narraworld.extract.embedded.writers.role_filling import Fitted, fit
from narraworld.kb.propositions import Statement
from narraworld.kb.spans import TextRange

__all__ = [
    "Aim",
    "aim_of",
    "announce",
    "announced",
    "begin",
    "follow_threads",
    "note_possibility",
    "open_thread",
    "pledged",
    "suppose",
    "threads_of",
]

ENDS = frozenset({"resolved", "abandoned"})
MEANT = frozenset({"future", "hypothetical"})
TOLD = frozenset({"actual", "negated"})  # `decided that it was late`: no aim, but a judgement


@dataclass(frozen=True, slots=True)
class Aim:
    """A deed that somebody means to do, and the words for it; ``kept_by`` is empty for one they mean not to do."""

    where: TextRange
    kept_by: tuple[str, ...]
    target: Statement | None = None  # what would hold then
    to: tuple[str, ...] = ()  # for whom it would be done

    def said_of(self, people: Sequence[str]) -> str:
        """The line by which the stage knows the thread: its people, the deed, and what it aims at."""
        return " ".join(("+".join(people), *self.kept_by, *([f"={self.target.id}"] if self.target else [])))


def aim_of(unit: UnitState, clause: Clause, holder: tuple[str, ...] = ()) -> Aim:
    """What somebody means to do; with the subject where the deed is another's, or denied, or suffered."""
    another = clause.marker == "that" and unit.who(clause.subjects) != holder
    whole = clause.negated or clause.passive or another
    where = TextRange(_first_word(unit, clause) if whole else clause.head.start, clause.where.end)
    if clause.negated:
        return Aim(where, ())
    frame, roles = fit(unit, clause)
    wanted = outcome(unit, frame, roles) if frame else []
    deed = (clause.verb, *unit.who(clause.objects))
    return Aim(where, deed, wanted[0] if wanted else None, roles.get("recipient", ()))


def _first_word(unit: UnitState, clause: Clause) -> int:
    """Where a clause begins behind its marker."""
    behind = (word for word in unit.sentence.words if word.start >= clause.where.start)
    return next((word.start for word in behind if word.text.lower() != clause.marker), clause.head.start)


def open_thread(unit: UnitState, clause: Clause, fitted: Fitted, aims: list[Clause], number: int) -> bool:
    """A development with its first step, when somebody means or promises to do something."""
    frame, roles = fitted
    if frame is None or not aims or clause.realis != "actual" or aims[0].realis in TOLD:
        return False
    kind = "promise" if frame.manner == "promises" else frame.development
    holders = (*roles.get("agent", ()), *roles.get("addressee", ()))
    if kind is None:
        return False
    return (
        begin(
            unit,
            kind,
            holders,
            aim_of(unit, aims[0], holders[:1]),
            clause.where,
            unit.sentence.events.get(number),
        )
        is not None
    )


def begin(
    unit: UnitState,
    kind: str,
    holders: Iterable[str],
    aim: Aim,
    quote: TextRange,
    event: str | None,
    lead: str = "",
) -> str | None:
    """Write a development of these people and give its id; ``lead`` begins the title of one that may be nobody's."""
    people = [id for id in dict.fromkeys(holders) if unit.kind(id) in {"character", "group"}]
    if not people and not lead:
        return None
    title = _title(unit, people, aim, lead)
    taken = set(unit.company.figures) | unit.used
    id = unit.company.roster.free_id(f"{unit.company.prefix}{title}"[:60], taken)
    unit.used.add(id)
    target = {"target": aim.target} if aim.target else {}
    unit.use([*people, *target.values()])
    unit.delta.add("Development", id, quote=aim.where, kind=kind, title=title, holder=people, **target)
    unit.add("Step", quote, development=id, status="opened", at=event)
    if aim.kept_by:
        unit.stage.threads[id] = aim.said_of(people)
    return id


def _title(unit: UnitState, people: list[str], aim: Aim, lead: str) -> str:
    """`Ada: bring Leo the book`, in the words of the page."""
    figures = unit.company.figures
    said = aim.where.cut(unit.delta.unit.text)
    if len(people) == 2 and aim.to == tuple(people[1:]):  # `bring you the book` has lost who that was
        said = pattern("talk.you").sub(figures[people[1]].names[0], said)
    return " ".join(f"{lead or figures[people[0]].names[0] + ':'} {said}".split())


def pledged(unit: UnitState, said: Iterable[Clause], speaker: str) -> list[Aim]:
    """What a speaker says that they will do: `I will mend the lamp, I promise`, `we will find it`."""
    words = list(said)
    return [
        aim_of(unit, clause)
        for clause in words
        if _meant(clause, words) and clause.verb not in wordset("verbs.pledging") and not clause.copular
        if clause.marker not in wordset("conjunctions.conditional") and _speaks_for(unit, clause, speaker)
    ]


def _meant(clause: Clause, said: Sequence[Clause]) -> bool:
    """`I will come`, `I mean to come`; not `I wrote to you to complain`, `I have no wish to come`."""
    above = said[clause.parent] if clause.parent is not None else None
    if clause.marker != "to" or above is None:
        return clause.realis == "future"  # `I could do it` is no promise
    table = frame_table()
    intends = any(
        frame.type == "intend" or frame.manner == "promises" for frame in table.of(above.verb, None)
    )
    return not above.negated and (intends or above.verb in wordset("verbs.going_to"))


def _speaks_for(unit: UnitState, clause: Clause, speaker: str) -> bool:
    return unit.who(clause.subjects) == (speaker,) or {word.text.lower() for word in clause.subjects} == {
        "we"
    }


def announced(aims: Iterable[Aim]) -> list[Aim]:
    """Those worth a thread though nobody gives their word: a deed with an object, and no turn of phrase (`I'll bet`)."""
    return [one for one in aims if len(one.kept_by) > 1 and one.kept_by[0] not in speech_words().idle]


def announce(unit: UnitState, clause: Clause) -> None:
    """`I shall bring the shawl`, in the narration: what the teller means to do."""
    teller = unit.company.teller
    if teller is None or clause.realis != "future" or unit.who(clause.subjects) != (teller,):
        return
    for aim in announced([aim_of(unit, clause)]):
        begin(unit, "plan", [teller], aim, clause.where, None)


def follow_threads(unit: UnitState) -> None:
    """Steps of the threads that the deeds of this sentence carry on; what another brings about is no step of theirs."""
    latest = unit.deeds[-len(unit.sentence.events) :] if unit.sentence.events and unit.stage.threads else []
    here = [one for one in latest if one.event in unit.sentence.events.values()]
    if not here or not unit.sentence.words:
        return
    quote = TextRange(unit.sentence.words[0].start, unit.sentence.words[-1].end)
    acting = {agent for one in here for agent in one.agents}
    for thread, said in list(unit.stage.threads.items()):  # a novel has hundreds that nobody here holds
        for status, event in _turns(unit, here, said) if _holder(said) in acting else ():
            unit.add("Step", quote, development=thread, status=status, at=event)
            if status in ENDS:
                del unit.stage.threads[thread]
                break


@lru_cache(maxsize=1 << 14)
def _holder(said: str) -> str:
    """Whose deed would fulfil a thread."""
    return said.split()[0].split("+")[0]


def _turns(unit: UnitState, here: Iterable[Deed], said: str) -> Iterable[tuple[str, str | None]]:
    meant, _, target = said.partition(" =")
    _, verb, *patients = meant.split()
    holder = _holder(said)
    for deed in (one for one in here if holder in one.agents):
        same = deed.kind.split()[0] == verb and set(patients) <= set(deed.patients)
        if status := _status(unit, deed, holder, same, target):
            yield status, deed.event


def _status(unit: UnitState, deed: Deed, holder: str, same: bool, target: str) -> str | None:
    """What a deed of its holder makes of a thread; ``same`` when it is the very deed it was about."""
    if deed.realis == "actual" and (same or unit.sentence.made_so.get(target) == deed.event):
        return "resolved"
    if deed.realis == "negated" and same:
        return "blocked"
    given = _word_given(unit, deed)  # first, because few sentences speak of one
    return given if given and len(_threads_of(unit, holder)) == 1 else None


def _word_given(unit: UnitState, deed: Deed) -> str | None:
    """`kept his promise` ends it; `broke his word`, `did not keep his word` give it up."""
    table = frame_table()
    given = table.pledged.get(f"{deed.kind.split()[0]}, {deed.realis}")
    pledges = table.nouns["pledges"]
    return given if given and any(word.lemma in pledges for word in unit.sentence.words) else None


def _threads_of(unit: UnitState, holder: str) -> list[str]:
    return [id for id, said in unit.stage.threads.items() if _holder(said) == holder]


# -- what may come


def note_possibility(
    unit: UnitState, clause: Clause, roles: Roles, number: int, found: Sequence[Clause]
) -> None:
    """`he could take the boat`, `if she took it, they would die`: how an open thread may go on, in the narration."""
    event, condition = unit.sentence.events.get(number), _condition(found, number)
    if event is None or not _may_come(clause, condition):
        return
    people = [id for ids in roles.values() for id in unit.characters(ids)]
    if condition is not None and clause.adverbs & wordset("modals.with_a_condition"):
        people += unit.characters(unit.who(condition.subjects))
        _offer(unit, people, clause, condition, event, None)
    elif clause.adverbs & wordset("modals.possible"):
        _offer(unit, people, clause, None, event, None)


def _may_come(clause: Clause, condition: Clause | None) -> bool:
    open_end = clause.realis == "hypothetical" or (condition is not None and clause.realis == "future")
    return open_end and not clause.negated and clause.marker not in wordset("conjunctions.conditional")


def suppose(unit: UnitState, said: Sequence[Clause], people: Sequence[str], speech: str) -> None:
    """The same in what somebody says; ``people`` are who talk, the speaker first."""
    for number, clause in enumerate(said):
        condition = _condition(said, number)
        if not _supposes(clause, condition):
            continue
        about = unit.who(clause.subjects) or (unit.who(condition.subjects) if condition else ())
        if about and clause.realis in {*MEANT, "negated"}:
            _offer(unit, [*people, *unit.characters(about)], clause, condition, None, speech)


def _supposes(clause: Clause, condition: Clause | None) -> bool:
    """Whether a clause tells what may come; not `I could not bear it`."""
    if clause.marker in wordset("conjunctions.conditional") or (condition is None and clause.negated):
        return False
    return bool(clause.adverbs & wordset("modals.with_a_condition" if condition else "modals.possible"))


def _condition(found: Sequence[Clause], number: int) -> Clause | None:
    """The `if` or `unless` that hangs on a clause."""
    hanging = (
        one for one in found if one.parent == number and one.marker in wordset("conjunctions.conditional")
    )
    return next((one for one in hanging if not _idle(one, found[number])), None)


def _idle(condition: Clause, main: Clause) -> bool:
    """`if you like`, `if I may say so`: courtesy; `if he had come`, `would have gone`: it is settled that it was not so."""
    polite = condition.verb in speech_words().courtesies and not condition.objects
    return polite or condition.earlier or wordset("modals.would_have") <= main.adverbs


def _offer(
    unit: UnitState, people: Sequence[str], clause: Clause, condition: Clause | None, event: str | None, since: str | None
) -> None:  # fmt: skip
    """A possibility of the only open thread of these people; a condition of none is an open question by itself."""
    open_ones = threads_of(unit, people)
    thread = open_ones[0] if len(open_ones) == 1 else None
    if condition is not None and not open_ones:
        aim = Aim(_without_marker(unit, condition), ())
        thread = begin(unit, "mystery", people, aim, aim.where, since, lead="whether")
    if thread is None:
        return
    quote = _across(clause.where, condition.where if condition else clause.where)
    summary = " ".join(quote.cut(unit.delta.unit.text).split())
    unit.add(
        "Possibility", quote, development=thread, possibleEvent=event, summary=summary, uncertainty="medium"
    )


def threads_of(unit: UnitState, people: Iterable[str]) -> list[str]:
    """The open threads that any of these people keeps, in the order they were opened."""
    return [id for id, said in unit.stage.threads.items() if {*people} & {*said.split()[0].split("+")}]


def _across(one: TextRange, other: TextRange) -> TextRange:
    return TextRange(min(one.start, other.start), max(one.end, other.end))


def _without_marker(unit: UnitState, clause: Clause) -> TextRange:
    inner = [
        word
        for word in unit.sentence.words
        if clause.where.start <= word.start and word.text.lower() != clause.marker
    ]
    return TextRange(inner[0].start if inner else clause.where.start, clause.where.end)
