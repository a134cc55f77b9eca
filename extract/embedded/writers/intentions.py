"""Decisions that turn out to have been carried out: `he decided to move the tie … nobody saw his act`.

To decide is not to do. Where the story goes on to speak of the decider's act, deed or relocation, the last decision that was
not told as done is what it speaks of, and becomes an event that quotes both places. Only who decides to leave counts as gone.
"""

from __future__ import annotations

from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.grammar.realis import carried_out
from narraworld.extract.embedded.lexicon.function_words import wordset
from narraworld.extract.embedded.lexicon.verb_frames import frame_table
from narraworld.extract.embedded.unit import UnitState
from narraworld.extract.embedded.writers.events import move, write_event
from narraworld.extract.embedded.writers.role_filling import Fitted
from narraworld.kb.spans import TextRange

__all__ = ["CONFIRMED", "confirm", "take_leave"]

CONFIRMED = -1  # the place of such an event among those of a sentence: before all its clauses


def confirm(unit: UnitState) -> None:
    """Write the decision that this sentence speaks of as a deed."""
    _forget_done(unit)
    spoken = [(word, doers) for word in unit.sentence.words if (doers := _doers(unit, word))]
    for word, doers in spoken:
        for clause, fitted in reversed(unit.decided):
            if set(fitted[1].get("agent", ())) & doers:
                unit.decided.remove((clause, fitted))
                write_event(unit, carried_out(clause), fitted, CONFIRMED, TextRange(word.start, word.end))
                return


def take_leave(unit: UnitState, clause: Clause, fitted: Fitted) -> bool:
    """Whoever decides to leave is not taken to be there any longer; whether it was such a decision."""
    frame, roles = fitted
    if frame is None or frame.presence != "leaves":
        return False
    move(unit, frame.presence, roles, clause.where, None)
    return True


def _doers(unit: UnitState, word: Word) -> set[str]:
    """Whose deed a word speaks of, by its owner or by pointing back at it; else nobody's."""
    if word.lemma not in frame_table().nouns["deeds"]:
        return set()
    below = [one for one in unit.sentence.words if one.head == word.position]
    owners = [one for one in below if one.dep == "nmod:poss"]
    if owners:  # `Leo watched her moves`: somebody else's
        return set(unit.who(owners, besides=unit.sentence.subjects))
    if any(one.text.lower() in wordset("articles.pointing") for one in below):  # `this sneaky act`
        return _who_decided(unit)
    return set(unit.sentence.subjects) if _is_taken(unit, word) else set()


def _who_decided(unit: UnitState) -> set[str]:
    return {id for _, (_, roles) in unit.decided for id in roles.get("agent", ())}


def _is_taken(unit: UnitState, word: Word) -> bool:
    """`she took action`: the deed is that of who takes it."""
    return unit.sentence.words[word.head].text.lower() == "took" and word.relation == "obj"


def _forget_done(unit: UnitState) -> None:
    """A decision is settled once a deed of the same kind by the same agent was told."""
    done = [
        (deed.kind.split()[0], set(deed.agents))
        for deed in unit.deeds[-len(unit.sentence.events) or len(unit.deeds) :]
    ]
    unit.decided = [
        (clause, fitted)
        for clause, fitted in unit.decided
        if not any(kind == clause.verb and agents & set(fitted[1].get("agent", ())) for kind, agents in done)
    ]
