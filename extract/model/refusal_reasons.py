"""Why an item of a model's answer is not taken: a table of reasons, and the refused item as a value.

A refusal is data for the author. The reasons a model can do something about are put to it once more; the others (a
repetition, a reference to something refused) would only be answered with the same item again. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass

from narraworld.extract.model.particulars import NOT_REPAIRED
from narraworld.extract.model.schema import AnswerItem
from narraworld.ontology.validate import REFERS_TO_REFUSED, Refusal

__all__ = ["NOT_ASKED_AGAIN", "REASONS", "Reason", "RefusedItem"]

REASONS = {
    "Quote-nowhere": "the quote cannot be tied to the text",
    "Number-twice": "the number was given before, and the item needs a free one",
    "Number-unknown": "there is nothing with that number",
    "Number-kind": "what has that number cannot stand here",
    REFERS_TO_REFUSED: "refers to something that was refused",
    "Item-repeated": "the same was said before",
    "Words-unfit": "a name, word or sentence is missing, too long, or holds control characters",
    "Name-nowhere": "the name does not stand in the text",
    "Name-pronoun": "a pronoun names nobody; use a name or a description of the passage",
    "Content-count": "a known fact alone is needed, or a subject, a predicate and exactly one of object, about and value, and about only for knows and believes",
    "Detail-count": "exactly one of value and other is needed",
    "Conflict-count": "exactly one of a known fact and other words of the passage is needed",
    "Content-missing": "neither a proposition nor an event is given",
    "Content-itself": "it is said of itself",
    "Cause-chronology": "the words tell a sequence, not a cause",
    "Time-of-nothing": "only words at its beginning tell the time of the whole passage; say of which event or scene these do",
    "Plan-as-deed": "the words tell it as planned, wanted or tried, not as done",
    "Plan-as-fact": "the words tell what may come to be so, not what is so",
    "Speech-as-deed": "the words are someone's speech: they prove that it was said, not that it happened",
    "Speech-as-fact": "the words are someone's speech: the narration does not vouch for them",
    "Claim-as-fact": "the words report a claim: the narration does not vouch for it",
    "Value-elsewhere": "the value does not stand in the words",
    "Subject-elsewhere": "the words are not about the one named",
    "Polarity-turned": "yes and no have changed places",
    "Movement-turned": "the words tell of the contrary movement",
    "Cause-reversed": "the words tell it the other way round",
    "Identity-untold": "the words do not say that the two are one, or are not",
    "Name-of-another": "the name is another's",
    "Speaker-elsewhere": "the text names another speaker",
    "Question-as-claim": "the words are a question: nothing is claimed",
    "Step-untold": "the words do not tell this step",
    "Claim-as-belief": "the words report that it was said: neither saying nor hearing is believing",
    "Silence-as-unawareness": "the words do not say that anyone lacks knowledge",
    "Openness-as-secret": "the words do not say that anything is kept from anyone",
    "Speech-unmarked": "the event is not one of saying something",
    "Thread-closed": "a thread that is resolved or abandoned has no possibilities",
    "Scene-elsewhere": "an event or the quote does not lie in that scene",
    "Summary-unsupported": "the summary has a name or number that the scene has not",
}

NOT_ASKED_AGAIN = frozenset({REFERS_TO_REFUSED, "Item-repeated"})


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason of the table with what it means here."""

    code: str
    detail: str = ""

    @property
    def message(self) -> str:
        return f"{REASONS[self.code]}: {self.detail}" if self.detail else REASONS[self.code]


@dataclass(frozen=True, slots=True)
class RefusedItem:
    """Item ``index`` of its kind, and why it was refused. ``whole`` is false where only its truth was."""

    kind: str
    index: int
    item: AnswerItem
    reason: Reason
    whole: bool = True

    @property
    def label(self) -> str:
        return f"{self.kind} {getattr(self.item, 'number', self.index + 1)}"

    @property
    def asks_again(self) -> bool:
        return self.reason.code not in NOT_ASKED_AGAIN and self.kind not in NOT_REPAIRED

    def refusal(self, unit: str) -> Refusal:
        """As the rest of the system keeps refusals; the record is named by what the model called it."""
        return Refusal(f"{unit}/{self.label}", self.reason.code, self.reason.message, self.item.quote)
