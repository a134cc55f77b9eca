"""From what a model said to what may be kept: every item on its own, in order, tied to the text or refused.

Whole answers go in, all stages of a unit at once, and come out as kept items with the place of their words and refused
items with a reason. Doing it again with a corrected item is doing it anew: whatever had been refused only because it
referred to that item is then kept. Pure: the same items give the same grounding; no model, no graph.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar, cast

from pydantic import BaseModel

from narraworld.extract.model.guards import GUARDS, doubtful_truths
from narraworld.extract.model.guards.sexes import Sexes, sexes_told
from narraworld.extract.model.linking import EntityLinks
from narraworld.extract.model.passage import NumberedText, nearest_words, tie
from narraworld.extract.model.prompts.cue_words import ENGLISH, GuardWords
from narraworld.extract.model.references import Items, references
from narraworld.extract.model.refusal_reasons import Reason, RefusedItem
from narraworld.extract.model.schema import (
    AnswerItem,
    DevelopmentItem,
    EntityItem,
    EventItem,
    JumpItem,
    PropositionItem,
    StepItem,
)
from narraworld.kb.delta import slug
from narraworld.kb.propositions import Statement, parse_statement
from narraworld.kb.roster import Known, Prior, Roster
from narraworld.kb.spans import NotLocated, TextRange
from narraworld.ontology.validate import REFERS_TO_REFUSED
from narraworld.ontology.vocabulary import vocabulary

__all__ = ["KINDS", "Grounded", "Grounding", "GroundingContext", "ground"]

# The order of work: an item refers only to kinds before its own, or to earlier items of its own kind.
KINDS = (
    "jump", "entity", "naming", "identity", "event", "cause", "time", "order", "proposition", "speech", "access", "attitude",
    "unawareness", "secret", "presence", "development", "step", "possibility", "realisation", "summary", "detail",
    "conflict",
)  # fmt: skip

LONGEST = {"summary": 800, "title": 200, "why": 400, "against": 1_000}  # characters, by field
LONGEST_WORD = 120

I = TypeVar("I", bound=AnswerItem)  # noqa: E741


@dataclass(frozen=True, slots=True)
class GroundingContext:
    """What a unit is read against: its passage, who is known (as shown, by number), what is open."""

    unit: str
    passage: NumberedText
    roster: Roster = field(default_factory=Roster)
    shown: tuple[Known, ...] = ()
    prior: Prior = field(default_factory=Prior)
    cues: GuardWords = ENGLISH


@dataclass(frozen=True, slots=True)
class Grounded(Generic[I]):
    """An item and the words it stands on."""

    item: I
    where: TextRange


class Grounding:
    """What was kept and what was refused. Filled by `ground`, then only read."""

    def __init__(self, context: GroundingContext, sexes: Sexes | None = None) -> None:
        self.sexes = sexes or {}
        self.context, self.passage, self.cues = context, context.passage, context.cues
        self.cast = EntityLinks(context.roster, context.shown, context.unit)
        self.statements: dict[int, Statement] = {}
        self.threads: dict[int, str] = {n: one.id for n, one in enumerate(context.prior.threads, 1)}
        self.unvouched: set[int] = set()
        self.refused: list[RefusedItem] = []
        self._kept: dict[str, list[Grounded[Any]]] = {}
        self._numbered: dict[str, dict[int, Grounded[Any]]] = {}
        self._lost: set[tuple[str, int]] = set()
        self._said: set[tuple[str, str, TextRange]] = set()

    # -- reading it

    def of(self, cls: type[I]) -> Sequence[Grounded[I]]:
        """The kept items of a class, in the order they were given."""
        return cast("Sequence[Grounded[I]]", self._kept.get(cls.kind, ()))

    def event(self, number: int) -> Grounded[EventItem]:
        return self._numbered["event"][number]

    def highest(self, kind: str) -> int:
        """The greatest number of this kind that is in use, refused ones among them."""
        shown = len(self.context.prior.threads) if kind == "development" else 0
        lost = (number for of_kind, number in self._lost if of_kind == kind)
        return max(shown, *self._numbered.get(kind, ()), *lost, 0)

    def predicate(self, said: str) -> str:
        """A dimension of ours, however it is spelled, or a word of the story's own."""
        plain = slug(said)
        return _dimensions().get(plain.replace("-", ""), plain)

    def is_spoken(self, where: TextRange) -> bool:
        """Whether the words stand between quotation marks."""
        spoken = self.passage.spoken if self.cues.dialogue else ()
        return any(said.start <= where.start and where.end <= said.end for said in spoken)

    def last_status(self, thread: int) -> str | None:
        """How the last step of this unit leaves a thread."""
        steps = [kept for kept in self.of(StepItem) if kept.item.development == thread]
        return max(steps, key=lambda kept: kept.where.start).item.status if steps else None

    @property
    def empty(self) -> bool:
        return not any(self._kept.values())

    # -- filling it

    def consider(self, index: int, item: AnswerItem) -> None:
        """Keep an item or refuse it."""
        found = self._judged(item)
        number = getattr(item, "number", None)
        if isinstance(found, Reason):
            self.refused.append(RefusedItem(item.kind, index, item, found))
            if number is not None and number not in self._numbered.get(item.kind, ()):
                self._lost.add((item.kind, number))
            return
        kept = Grounded(item, found)
        self._kept.setdefault(item.kind, []).append(kept)
        if number is not None:
            self._numbered.setdefault(item.kind, {})[number] = kept
            self._lost.discard((item.kind, number))
        self._settle(item, found)

    def doubt(self, items: Items) -> None:
        """Refuse the truth, and only the truth, of propositions whose words do not assert them."""
        given = items.get(PropositionItem.kind, ())
        for item, reason in doubtful_truths(self):
            self.unvouched.add(item.number)
            index = next(n for n, one in enumerate(given) if one is item)
            self.refused.append(RefusedItem(item.kind, index, item, reason, whole=False))

    def _judged(self, item: AnswerItem) -> TextRange | Reason:
        reason = _unfit(item) or self._misnumbered(item) or self._dangling(item)
        if reason is not None:
            return reason
        previous = self._kept.get(item.kind, ())
        where = tie(self.passage, item.quote, item.sentence, previous[-1].where if previous else None)
        if isinstance(where, NotLocated):
            return Reason("Quote-nowhere", where.why + self._hint(item.quote))
        if self._repeats(item, where):
            return Reason("Item-repeated")
        guards = GUARDS.get(type(item), ())
        return next((found for guard in guards if (found := guard(self, item, where))), where)

    def _repeats(self, item: AnswerItem, where: TextRange) -> bool:
        said = (item.kind, item.model_dump_json(), where)
        repeated = said in self._said
        self._said.add(said)
        return repeated

    def _hint(self, quote: str) -> str:
        near = nearest_words(self.passage, quote)
        return f"; the passage has: {near}" if near else ""

    def _misnumbered(self, item: AnswerItem) -> Reason | None:
        number = getattr(item, "number", None)
        if number is None:
            return None
        if number < 1:
            return Reason("Number-unknown", f"{item.kind}s are counted from 1, not {number}")
        shown = item.kind == "development" and number <= len(self.context.prior.threads)
        if shown or number in self._numbered.get(item.kind, ()):
            return Reason("Number-twice", f"{item.kind} {number}")
        return None

    def _dangling(self, item: AnswerItem) -> Reason | None:
        for field_name, to, number in references(item):
            if (to.kind, number) in self._lost:
                return Reason(REFERS_TO_REFUSED, f"{to.kind} {number}")
            if not self._is_there(to.kind, number):
                return Reason("Number-unknown", f"{field_name}: there is no {to.kind} {number}")
            if to.only and self.cast.members[number].kind not in to.only:
                kind = self.cast.members[number].kind
                return Reason(
                    "Number-kind", f"{field_name}: entity {number} is of kind {kind}, not {_or(to.only)}"
                )
        return None

    def _is_there(self, kind: str, number: int) -> bool:
        counted = {
            "known": len(self.context.shown),
            "fact": len(self.context.prior.facts),
            "remembered": len(self.context.prior.remembered),
            "scene": len(self.passage.scenes),
            "open possibility": len(self.context.prior.possibilities),
        }
        if kind in counted:
            return 1 <= number <= counted[kind]
        return number in (self.threads if kind == "development" else self._numbered.get(kind, ()))

    def _settle(self, item: AnswerItem, where: TextRange) -> None:
        """Give ids to what others will refer to."""
        if isinstance(item, EntityItem):
            settle = self.cast.settle_pronoun if self.cues.is_pronoun(item.name) else self.cast.settle
            settle(item, where)
        elif isinstance(item, PropositionItem):
            self.statements[item.number] = self._statement(item)
        elif isinstance(item, DevelopmentItem):
            used = self.cast.ids() | set(self.threads.values()) | {self.context.unit}
            self.threads[item.number] = self.context.roster.free_id(item.title, used)

    def _statement(self, item: PropositionItem) -> Statement:
        if item.fact is not None:
            known = parse_statement(self.context.prior.facts[item.fact - 1].id)
            return known.negated() if item.negative else known
        assert item.subject is not None and item.predicate is not None  # a guard has seen to it
        subject = self.cast.members[item.subject].id
        object_id = self.cast.members[item.object].id if item.object is not None else None
        if item.about is not None:
            object_id = self.statements[item.about].id
        value = " ".join(item.value.split()) if item.value is not None else None
        return Statement(subject, self.predicate(item.predicate), object_id, value, item.negative)


def ground(context: GroundingContext, items: Items) -> Grounding:
    """Judge all items of a unit. Where the telling jumps, its scenes are known before anything else."""
    sexes = sexes_told(item for some in items.values() for item in some)
    grounding = Grounding(replace(context, passage=_with_jumps(context.passage, items)), sexes)
    for kind in KINDS:
        for index, item in enumerate(items.get(kind, ())):
            grounding.consider(index, item)
    grounding.doubt(items)
    return grounding


def _with_jumps(passage: NumberedText, items: Items) -> NumberedText:
    jumps = (tie(passage, item.quote, item.sentence) for item in items.get(JumpItem.kind, ()))
    return passage.broken_at(where.start for where in jumps if isinstance(where, TextRange))


def _unfit(item: BaseModel) -> Reason | None:
    """Names, verbs, values and sentences must be plain and of sensible length."""
    for field_name in type(item).model_fields:
        for value in _several(getattr(item, field_name)):
            if isinstance(value, BaseModel) and (inner := _unfit(value)):
                return inner
            if isinstance(value, str) and field_name != "quote" and not _is_plain(value, field_name):
                return Reason("Words-unfit", field_name)
    return None


def _is_plain(text: str, field_name: str) -> bool:
    longest = LONGEST.get(field_name, LONGEST_WORD)
    controls = any(unicodedata.category(sign) in ("Cc", "Cs") and not sign.isspace() for sign in text)
    return any(sign.isalnum() for sign in text) and len(text) <= longest and not controls


def _dimensions() -> dict[str, str]:
    return {name.lower(): name for name in vocabulary().dimensions}


def _several(value: Any) -> Iterable[Any]:
    return value if isinstance(value, list) else (value,)


def _or(words: Sequence[str]) -> str:
    return " or ".join(words)
