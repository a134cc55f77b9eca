"""Why things are done and felt, where the page marks it: causes, purposes, attempts and their ends, feelings, norms.

Looks at one sentence once its deeds are written. A cause is never taken from later text; where no event stands for one side of a
`because`, nothing is written. What stands in somebody's words or thoughts is theirs and is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.lexicon.motive_words import motive_words
from narraworld.extract.embedded.lexicon.verb_frames import frame_table
from narraworld.extract.embedded.people.entities import SUBJECT
from narraworld.extract.embedded.unit import UnitState
from narraworld.extract.embedded.writers.developments import aim_of, begin, threads_of
from narraworld.kb.spans import TextRange

__all__ = ["write_motives"]

HANGING = frozenset({"advcl", "conj", "parataxis", "ccomp"})
INFINITIVE = frozenset({"advcl", "xcomp", "ccomp", "acl"})


def write_motives(unit: UnitState, found: Sequence[Clause], before: str | None) -> None:
    """All that the sentence marks; ``before`` is the last event of what was told before it."""
    for number, clause in enumerate(found):
        if number in unit.sentence.reported:
            continue
        _cause(unit, found, number, before)
        if clause.realis == "actual":
            _aims(unit, found, number)
            _ending(unit, clause, unit.sentence.events.get(number))
        _feeling(unit, found, number)
        _norm(unit, found, number)


# -- causes


def _cause(unit: UnitState, found: Sequence[Clause], number: int, before: str | None) -> None:
    clause, words, events = found[number], motive_words(), unit.sentence.events
    above = events.get(clause.parent) if clause.parent is not None else None
    if clause.marker in words.because and clause.relation == "advcl" and _can_be_why(clause):
        _write_cause(unit, found[clause.parent or 0], above, clause, events.get(number))
    elif clause.adverbs & words.therefore:
        earlier = above if clause.relation in HANGING else before
        _write_cause(unit, clause, events.get(number), clause, earlier)


def _can_be_why(clause: Clause) -> bool:
    """`as he had no money` says why; `as she ran up the stairs` says when, `as he had told her` how."""
    words = motive_words()
    state = clause.verb in words.states or clause.negated or clause.copular
    return clause.marker not in words.of_states or state


def _write_cause(
    unit: UnitState, effect: Clause, event: str | None, told: Clause, because: str | None
) -> None:
    if event is None or because is None or event == because:
        return
    where = TextRange(min(effect.where.start, told.where.start), max(effect.where.end, told.where.end))
    unit.add("Cause", where, event=event, because=because, kind=_kind_of_cause(unit, effect, told))


def _kind_of_cause(unit: UnitState, effect: Clause, told: Clause) -> str:
    """By what the cause is: a thought or feeling moves the mind, any other moves somebody to act, or a thing."""
    if told.verb in motive_words().minding or _felt(told):
        return "psychological"
    return "motivational" if unit.characters(unit.who(effect.subjects)) else "physical"


# -- what deeds are for


def _aims(unit: UnitState, found: Sequence[Clause], number: int) -> None:
    """Goals that the sentence marks: `went to fetch it`, `tried to climb`, `longed to go`, `begged him to come`."""
    clause, words = found[number], motive_words()
    holders = unit.who(clause.subjects)
    for aim in _infinitives(found, number):
        wished = clause.verb in words.trying | words.wanting
        asked = clause.verb in words.asking | words.commanding
        purpose = (
            aim.relation == "advcl" and clause.verb not in words.unwilled | words.forbidding | words.allowing
        )
        known = any(frame.type == "intend" for frame in frame_table().of(clause.verb, clause.particle))
        if holders and not known and (wished or asked or purpose):
            where = aim_of(unit, aim, holders[:1])
            begin(unit, "goal", holders[:1], where, clause.where, unit.sentence.events.get(number))


def _infinitives(found: Sequence[Clause], number: int) -> Iterator[Clause]:
    for one in found:
        if one.parent == number and one.marker in motive_words().purpose and one.relation in INFINITIVE:
            yield one


def _ending(unit: UnitState, clause: Clause, event: str | None) -> None:
    """`she succeeded`, `he failed`, `in vain`: how the last thread of the one who tries came out."""
    words = motive_words()
    achieved, failed = clause.verb in words.achieved, clause.verb in words.failed or _in_vain(clause)
    threads = threads_of(unit, unit.who(clause.subjects)) if achieved or failed else []
    if not threads:
        return
    last, done = threads[-1], achieved != clause.negated
    status, outcome = "resolved" if done else "blocked", "achieved" if done else "failed"
    unit.add("Step", clause.where, development=last, status=status, outcome=outcome, at=event)
    if done:
        del unit.stage.threads[last]


def _in_vain(clause: Clause) -> bool:
    words = motive_words()
    return any(noun.lemma in words.in_vain and case in words.before_vain for case, noun in clause.phrases)


# -- feelings


def _felt(clause: Clause) -> str | None:
    """The word of feeling in a clause: `was glad`, `rejoiced`."""
    said = [word.lemma for word in clause.predicates] if clause.copular else [clause.verb]
    return next((word for word in said if word in motive_words().feelings), None)


def _feeling(unit: UnitState, found: Sequence[Clause], number: int) -> None:
    clause = found[number]
    word = _felt(clause)
    if word is None or clause.negated or clause.realis != "actual":
        return
    causes = [
        unit.sentence.events[n]
        for n, one in enumerate(found)
        if one.parent == number and n in unit.sentence.events
    ]
    for holder in unit.characters(unit.who(clause.subjects, SUBJECT)):
        unit.add("Emotion", clause.where, holder=holder, feeling=word, valence=motive_words().feelings[word], cause=causes,
                 at=unit.sentence.events.get(number))  # fmt: skip


# -- norms


def _norm(unit: UnitState, found: Sequence[Clause], number: int) -> None:
    """`he forbade her to go`, `told him to wait`, `you must not look`."""
    clause, words = found[number], motive_words()
    kind = _kind_of_norm(clause)
    if kind is None or clause.realis == "negated":
        return
    if clause.verb in words.commanding | words.forbidding | words.allowing:
        inner = next(_infinitives(found, number), None)
        bearers, source = (
            unit.characters(unit.who(clause.objects)),
            unit.characters(unit.who(clause.subjects)),
        )
        if inner is None:
            return
    else:
        bearers, source = unit.characters(unit.who(clause.subjects)), []
    for bearer in bearers[:1]:
        unit.add("Norm", clause.where, bearer=bearer, kind=kind, source=source[0] if source else None,
                 at=unit.sentence.events.get(number))  # fmt: skip


def _kind_of_norm(clause: Clause) -> str | None:
    words = motive_words()
    if clause.verb in words.forbidding:
        return "prohibition"
    if clause.verb in words.allowing:
        return "permission"
    if clause.verb in words.commanding:
        return "obligation"
    if clause.adverbs & words.must:
        return "prohibition" if clause.negated else "obligation"
    return None
