"""The state of one unit while it is read: the delta so far, entities, deeds, where things are; and of the sentence at hand.

What outlasts a sentence stands in `UnitState`, what does not in its `sentence`. Writers add records through `add` alone, or
through the delta where a record has a name of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Any

from narraworld.base.quick_dataclass import dataclass
from narraworld.extract.embedded.discourse import DiscourseState
from narraworld.extract.embedded.grammar.mentions import Mention, mention_of, said_to_be
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.grammar.tree import Clause
from narraworld.extract.embedded.ledger import Ledger
from narraworld.extract.embedded.lexicon.nouns import nouns
from narraworld.extract.embedded.lexicon.verb_frames import VerbFrame, frame_table
from narraworld.extract.embedded.people.coreference import OTHER, SUBJECT, Coreference
from narraworld.extract.embedded.people.entities import DiscourseEntity
from narraworld.extract.embedded.people.owners import Owners
from narraworld.extract.embedded.people.trail import Trail
from narraworld.extract.embedded.sentence import Roles, SentenceState
from narraworld.kb.delta import Delta
from narraworld.kb.propositions import Statement
from narraworld.kb.spans import TextRange
from narraworld.kb.time.finding.finder import TimeExpression

__all__ = ["Deed", "Held", "Roles", "ShownThing", "SpokenTurn", "UnitState"]

BROKEN = ("condition", "working", True)
ShownThing = tuple[str, str, str | None, TextRange]  # a thing, what it is in, the scene, and the words
SpokenTurn = tuple[str, tuple[str, ...], tuple[str, ...], list[Statement]]  # event, by whom, to whom, claims
Decision = tuple[Clause, tuple[VerbFrame | None, Roles]]


@dataclass(frozen=True, slots=True)
class Deed:
    """An event that was told, for what looks back at it; ``clause`` counts through the unit."""

    clause: int
    event: str
    kind: str
    realis: str
    agents: tuple[str, ...]
    patients: tuple[str, ...]
    earlier: bool = False  # told as past before the past


@dataclass(slots=True)
class Held:
    """How things stand by what the unit told, beside what the discourse keeps from unit to unit."""

    stood: dict[str, str] = field(default_factory=dict)  # the place where a thing was first said to be
    moved: set[str] = field(default_factory=set)  # what is where it is because of a deed
    left: dict[str, str] = field(default_factory=dict)  # the place that somebody left last
    broken: set[str] = field(default_factory=set)  # what was said to be so
    stated: set[str] = field(default_factory=set)  # the propositions that a state says already
    times: list[TimeExpression] = field(default_factory=list)  # told beside no deed: they date the next one
    ledger: Ledger = field(default_factory=Ledger)  # what each record was made of


@dataclass(slots=True)
class UnitState:
    """One unit in the reading."""

    delta: Delta
    company: Coreference
    stage: DiscourseState = field(default_factory=DiscourseState)
    sentence: SentenceState = field(default_factory=SentenceState)
    used: set[str] = field(default_factory=set)
    spoken: list[SpokenTurn] = field(default_factory=list)
    shown: list[ShownThing] = field(default_factory=list)
    held: Held = field(default_factory=Held)
    decided: list[Decision] = field(default_factory=list)  # not yet told as done
    deeds: list[Deed] = field(default_factory=list)
    owners: Owners = field(init=False)  # whom every word for somebody means, with how likely that is
    given: dict[int, tuple[str, ...]] = field(
        default_factory=dict
    )  # end of a mention → who it is, found elsewhere

    def __post_init__(self) -> None:
        self.owners = Owners(self.company, Trail())

    def begin_sentence(self, words: Sequence[Word]) -> SentenceState:
        """Go on to the next sentence."""
        self.sentence = SentenceState(words, len(self.shown))
        return self.sentence

    def who(
        self, heads: Iterable[Word], prominence: int = OTHER, besides: Iterable[str] = ()
    ) -> tuple[str, ...]:
        """The entities these words stand for, each once."""
        taken = set(besides)
        found = tuple(dict.fromkeys(id for head in heads for id in self._ids(head, prominence, taken)))
        if prominence == SUBJECT:
            self.sentence.subjects |= set(found)
        return found

    def _ids(self, head: Word, prominence: int, besides: set[str]) -> tuple[str, ...]:
        meant = self.sentence.meant
        if head.position not in meant:
            meant[head.position] = self._resolved(head, prominence, besides)
        elif prominence == SUBJECT:  # of a further clause: `Leo, being tired, went in and sat down`
            self.company.goes_on(meant[head.position])
        return meant[head.position]

    def _resolved(self, head: Word, prominence: int, besides: set[str]) -> tuple[str, ...]:
        mention = mention_of(head, self.sentence.words, self.delta.unit.text)
        given = (
            self.given.get(head.end)
            or self._described(head, prominence, besides)
            or self._around(mention)
            or self.company.one_such(mention)
        )
        vague = mention.sort == "noun" and _stands_for_nothing(mention.head)
        if vague and not (given and mention.head == "one"):
            self.company.overlook(prominence)
            return ()
        return self.company.resolve(mention, prominence, besides, given)

    def _described(self, head: Word, prominence: int, besides: set[str]) -> tuple[str, ...] | None:
        """`Walter was a man who read`: the man is Walter."""
        somebody = said_to_be(head, self.sentence.words)
        return self._ids(somebody, prominence, besides) or None if somebody else self._same_thing(head)

    def _same_thing(self, head: Word) -> tuple[str, ...] | None:
        """`She saw a tie. It was a silk tie …`: the tie that was just shown."""
        if not self._is_it(head):
            return None
        alike = [figure for figure in self.company.figures.values() if self._such_a_thing(figure, head)]
        return (max(alike, key=lambda figure: figure.seen).id,) if alike else None

    def _is_it(self, head: Word) -> bool:
        """`It was a tie`."""
        below = [word for word in self.sentence.words if word.head == head.position != word.position]
        it = any(word.text.lower() == "it" for word in below)
        return it and {"cop", "case"} & {word.relation for word in below} == {"cop"}

    def _such_a_thing(self, figure: DiscourseEntity, head: Word) -> bool:
        thing = figure.kind == "object" and not figure.generic
        return thing and figure.head == head.lemma and self.company.near(figure)

    def _around(self, mention: Mention) -> tuple[str, ...] | None:
        """`He entered the den. Mara left the room.`: the room is the den, where the telling is."""
        scene, sums_up = self.stage.scene, frame_table().nouns["rooms"]
        plain = mention.sort == "noun" and mention.definite and not mention.owner and mention.key in sums_up
        return (scene,) if scene in self.company.figures and plain and not self.company.met(mention) else None

    def mean(self, heads: Iterable[Word], id: str) -> tuple[str, ...]:
        """Settle for this sentence that these words stand for ``id``."""
        self.sentence.meant |= {head.position: (id,) for head in heads}
        return (id,)

    def add(self, kind: str, quote: TextRange | list[TextRange], /, **fields: Any) -> str:
        """Add a record; entities it names count as used. Roles nobody fills are left out."""
        given = {name: value for name, value in fields.items() if value not in (None, (), [])}
        for value in given.values():
            self.use(value)
        said = given.get("proposition") if kind == "State" else None
        if isinstance(said, Statement) and (said.predicate, said.value, said.negative) == BROKEN:
            self.held.broken.add(said.subject)
        if isinstance(said, Statement):
            self.held.stated.add(said.id)
            self.sentence.made_so[said.id] = given.get("at")
        else:
            self._hear(given.get("claim") or given.get("proposition"))
        record = self.delta.add(kind, quote=quote, **given)
        self.held.ledger.enter(record, kind, given, quote, self.sentence)
        return record

    def shown_event(self, number: int) -> str:
        """The event by which the scene shows its nth thing."""
        return f"{self.delta.unit.id}/shown-{number}"

    def _hear(self, said: Any) -> None:
        """Keep where somebody says or thinks that a thing is."""
        for one in said if isinstance(said, list) else [said]:
            if isinstance(one, Statement) and one.predicate == "location" and one.object and not one.negative:
                self.stage.said[one.subject] = one.object

    def use(self, value: Any) -> None:
        for one in value if isinstance(value, (tuple, list)) else (value,):
            if isinstance(one, Statement):
                self.used |= {one.subject, *([one.object] if one.object else [])}
            elif isinstance(one, str) and one in self.company.figures:
                self.used.add(one)

    def kind(self, id: str) -> str:
        """What it is; also for one that only an earlier unit has brought on the stage."""
        figure = self.company.figures.get(id)
        return figure.kind if figure else self.company.roster.by_id[id].kind

    def characters(self, ids: Iterable[str]) -> list[str]:
        return [id for id in ids if self.kind(id) == "character"]


def _stands_for_nothing(noun: str) -> bool:
    """A deed (`his act`) or something else that no hand can move."""
    return nouns().nothing(noun) or noun in frame_table().nouns["deeds"]
