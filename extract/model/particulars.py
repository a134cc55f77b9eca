"""What a model is asked to fill in as a copy editor: particulars with their owners, and what does not fit with what was told before.

A stage of its own, asked last and only where it is wanted (`ReaderSettings.details`): one cheap question, quotes first, owners by
number. What is refused here is not asked again. The prompt is `prompts/details.md`.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import Field

from narraworld.extract.model.forms import StageAnswer
from narraworld.extract.model.schema import AnswerItem, Entity, OnceOrWill, PropositionItem, Refers, Some

__all__ = ["NOT_REPAIRED", "ConflictItem", "ConflictMatter", "DetailItem", "DetailsAnswer"]

RememberedFact: TypeAlias = Annotated[int, Refers("remembered")]
ConflictMatter: TypeAlias = Literal[
    "looks", "kin", "years", "death", "wound", "damage", "whereabouts", "ownership", "timing", "amount", "calling", "skill",
    "knowing", "attendance", "naming", "law", "climate", "otherMatter",
]  # fmt: skip


class DetailItem(AnswerItem):
    """A particular of somebody or something; without an owner, of the world at large."""

    kind: ClassVar[str] = "detail"

    owner: Entity | None = None
    respect: str = Field(description="one of the listed respects, or one word of your own")
    value: str | None = Field(
        None, description="words of the passage; exactly one of value and other is given"
    )
    other: Entity | None = None
    negative: bool = Field(False, description="true for: it is not so")
    when: OnceOrWill | None = Field(None, description="once: was so and is over; will: is still to come")
    said_by: Entity | None = Field(None, description="who says it, if it stands in speech")

    def as_proposition(self) -> PropositionItem:
        """The same as the other stages say it, so that the same guards can look at it."""
        return PropositionItem(
            fact=None, about=None, effect_of=None,
            quote=self.quote, sentence=self.sentence, number=1, subject=self.owner, predicate=self.respect, object=self.other,
            value=self.value, negative=self.negative, when=self.when, truth="asserted" if self.said_by is None else "unstated",
        )  # fmt: skip


class ConflictItem(AnswerItem):
    """Words that do not fit with a known fact, or with other words of the same passage."""

    kind: ClassVar[str] = "conflict"

    fact: RememberedFact | None = Field(
        None, description="a known fact; exactly one of fact and against is given"
    )
    against: str | None = Field(None, description="other words of the passage, copied exactly")
    is_a: ConflictMatter
    why: str = Field(description="one sentence")


class DetailsAnswer(StageAnswer):
    details: Some[DetailItem]
    conflicts: Some[ConflictItem]


NOT_REPAIRED = frozenset({DetailItem.kind, ConflictItem.kind})  # asking again would cost more than the stage
