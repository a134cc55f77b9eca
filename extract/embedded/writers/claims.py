"""What a clause puts forward, whoever vouches for it: a state said outright, or what a deed it tells of has changed.

`the key is in the drawer` and `Mara hid the key in the drawer` claim the same. Nothing here becomes a fact.
"""

from __future__ import annotations

from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.unit import Page
from narraworld.extract.embedded.writers.events import outcome
from narraworld.extract.embedded.writers.role_filling import fit
from narraworld.extract.embedded.writers.states import stated
from narraworld.kb.propositions import Statement

__all__ = ["claims_of"]

TOLD = frozenset({"actual", "negated"})


def claims_of(page: Page, clause: Clause) -> list[Statement]:
    """The propositions a clause puts forward."""
    page.company.main = False  # what somebody speaks of does not lead the telling
    said = stated(page, clause)
    if said or clause.copular or clause.realis not in TOLD:
        return said
    frame, roles = fit(page, clause)
    if frame is None or (clause.negated and not frame.stative):
        return []
    return [one.negated() if clause.negated else one for one in outcome(page, frame, roles)]
