"""Decisions that turn out to have been carried out: `he decided to move the tie … nobody saw his act`.

To decide is not to do. Where the story goes on to speak of the decider's act, deed or relocation, the last decision that was
not told as done is what it speaks of, and becomes an event that quotes both places.
"""

from __future__ import annotations

from narraworld.extract.events import write_event
from narraworld.extract.frames import frame_table
from narraworld.extract.page import Page
from narraworld.extract.parsing import Word
from narraworld.kb.spans import Range

__all__ = ["confirm"]

CONFIRMED = -1  # the place of such an event among those of a sentence: before all its clauses


def confirm(page: Page) -> None:
    """Write the decision that this sentence speaks of as a deed."""
    _forget_done(page)
    spoken = [(word, doers) for word in page.words if (doers := _doers(page, word))]
    for word, doers in spoken:
        for clause, fitted in reversed(page.decided):
            if set(fitted[1].get("agent", ())) & doers:
                page.decided.remove((clause, fitted))
                clause.realis = "actual"
                write_event(page, clause, fitted, CONFIRMED, Range(word.start, word.end))
                return


def _doers(page: Page, word: Word) -> set[str]:
    """Whose deed a word speaks of; nobody's, unless it says whose."""
    if word.lemma not in frame_table().nouns["deeds"]:
        return set()
    owners = [one for one in page.words if one.head == word.position and one.dep == "nmod:poss"]
    return set(page.who(owners, besides=page.subjects))  # `Leo watched her moves`: somebody else's


def _forget_done(page: Page) -> None:
    """A decision is settled once a deed of the same kind by the same agent was told."""
    done = [
        (deed.kind.split()[0], set(deed.agents))
        for deed in page.deeds[-len(page.happened) or len(page.deeds) :]
    ]
    page.decided = [
        (clause, fitted)
        for clause, fitted in page.decided
        if not any(kind == clause.verb and agents & set(fitted[1].get("agent", ())) for kind, agents in done)
    ]
