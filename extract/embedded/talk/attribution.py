"""Who says it: for every turn of a conversation the person whom tags, actions, calls and the taking of turns point to.

A tag with a name decides; everything else is weighed. A conversation is solved as a whole: the cheapest row of speakers, where
it costs something to speak twice running, to call oneself by name, to come from far away. Weights in one place; pure.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import chain

from narraworld.base.quick_dataclass import dataclass
from narraworld.base.settings import AttributionSettings
from narraworld.extract.embedded.layout.quotations import Quotation
from narraworld.extract.embedded.lexicon.function_words import wordmap, wordset
from narraworld.extract.embedded.lexicon.nouns import nouns
from narraworld.extract.embedded.lexicon.speech_words import speech_words
from narraworld.extract.embedded.people.cast import CastMember, UnitCast
from narraworld.extract.embedded.talk.speech_tags import ONESELF, Tag, Who
from narraworld.extract.embedded.talk.vocatives import Vocatives

__all__ = ["AttributionSettings", "Scenery", "SpeechTurn", "attribute"]

NEVER = 1000.0


@dataclass(slots=True)
class SpeechTurn:
    """What somebody says in one go, with every sign of who it is."""

    quotations: list[Quotation]
    tag: Tag | None
    beats: list[Who]
    calls: Vocatives
    paragraph: int
    labels: tuple[str, ...] = ()
    near: tuple[str, ...] = ()  # who is named before the words, in their paragraph
    answers: bool = False  # right behind the words of somebody else, in one paragraph
    answered: bool = False  # right before them
    speaker: CastMember | None = None
    addressees: list[CastMember] = field(default_factory=list)

    @property
    def last(self) -> int:
        return self.quotations[-1].paragraph

    @property
    def sure(self) -> bool:
        """Whether the text names the speaker."""
        return bool(self.labels) or (self.tag is not None and self.tag.who.sort == "name")


@dataclass(frozen=True, slots=True)
class Scenery:
    """Who is named in the narration of which paragraph, and who acts there last."""

    named: Mapping[int, Sequence[CastMember]]
    acting: Mapping[int, Who]


class _Cast:
    """People, those known by a noun only, and the narrator."""

    def __init__(self, people: UnitCast, narrator: CastMember | None) -> None:
        self.people, self.narrator = people, narrator
        self.nouns: dict[str, CastMember] = {}

    def noun(self, who: Who) -> CastMember:
        person = self.people.called(who.text)
        if person is not None and person.kind != "place":
            return person
        stranger = CastMember({who.head: who.text}, kind="noun", gender=who.gender)
        return self.nouns.setdefault(f"{who.head} {who.start}" if who.new else who.head, stranger)

    def named(self, text: str) -> CastMember | None:
        person = self.people.called(text)
        return None if person is None or person.kind in {"place", "object"} else person

    def all(self, texts: Iterable[str]) -> list[CastMember]:
        return [person for text in texts if (person := self.named(text)) is not None]


def attribute(
    turns: Sequence[SpeechTurn],
    people: UnitCast,
    scenery: Scenery,
    narrator: CastMember | None,
    weights: AttributionSettings | None = None,
) -> None:
    """Set speaker and addressees of every turn, as far as they can be told."""
    cast, chosen = _Cast(people, narrator), weights or AttributionSettings()
    for talk in _conversations(turns, chosen):
        _Conversation(talk, cast, scenery, chosen).solve()


def _conversations(turns: Sequence[SpeechTurn], weights: AttributionSettings) -> Iterator[list[SpeechTurn]]:
    talk = list[SpeechTurn]()
    for turn in turns:
        if talk and turn.paragraph - talk[-1].last > weights.gap:
            yield talk
            talk = []
        talk.append(turn)
    if talk:
        yield talk


@dataclass(frozen=True, slots=True)
class _Way:
    """A row of speakers, from its last one back, and what it costs."""

    cost: float
    person: CastMember | None = None
    before: _Way | None = None

    def row(self) -> list[CastMember | None]:
        found, way = list[CastMember | None](), self
        while way.before is not None:
            found.append(way.person)
            way = way.before
        return found[::-1]


class _Conversation:
    """One conversation and everybody who may be speaking in it."""

    def __init__(
        self, turns: list[SpeechTurn], cast: _Cast, scenery: Scenery, weights: AttributionSettings
    ) -> None:
        self.turns, self.cast, self.scenery, self.weights = turns, cast, scenery, weights
        self.fixed = [self._fixed(turn) for turn in turns]
        self.heard = self._heard()
        self.crowd = self._crowd()
        self.near = {id(one): [n for n, found in self.heard.items() if one in found] for one in self.crowd}
        self.called = [self.cast.all(turn.calls.names) for turn in turns]
        self.partners = {id(one) for one in (*self.fixed, *chain(*self.called)) if one is not None}

    def solve(self) -> None:
        for turn, speaker in zip(self.turns, self._cheapest(), strict=True):
            turn.speaker = speaker
        for nth, turn in enumerate(self.turns):
            turn.addressees = self._addressees(nth)

    # -- who may speak

    def _fixed(self, turn: SpeechTurn) -> CastMember | None:
        """The speaker when the text names one."""
        if turn.labels:
            return self.cast.named(turn.labels[0])
        who = turn.tag.who if turn.tag else None
        if who is None or who.sort == "pronoun":
            return self.cast.narrator if who is not None and who.gender == "me" else None
        if who.sort == "name":
            return self.cast.named(who.text)
        return (
            self.cast.noun(who)
            if who.new or who.head not in wordset("talk.generic") | wordmap("kin.spouses").keys()
            else None
        )

    def _heard(self) -> dict[int, list[CastMember]]:
        """Who is heard of in which paragraph, from a little before the conversation on."""
        first, last = self.turns[0].paragraph - self.weights.window, self.turns[-1].last
        found = {number: list(self.scenery.named.get(number, ())) for number in range(first, last + 1)}
        for turn, person in zip(self.turns, self.fixed, strict=True):
            if person is not None:
                found[turn.paragraph].append(person)
            found[turn.paragraph] += self.cast.all(turn.calls.names)
        return found

    def _crowd(self) -> list[CastMember]:
        counts: Counter[int] = Counter()
        met: dict[int, CastMember] = {}
        for found in self.heard.values():
            for person in found:
                if person.kind in {None, "character", "noun"}:
                    counts[id(person)] += 1
                    met.setdefault(id(person), person)
        fixed = Counter(id(person) for person in self.fixed if person is not None)
        ranked = sorted(met, key=lambda one: -(counts[one] + 3 * fixed[one]))
        return [met[one] for one in ranked[: self.weights.crowd]]

    # -- what it costs

    def _cost(self, nth: int, person: CastMember) -> float:
        turn, weights = self.turns[nth], self.weights
        cost = self._distance(turn.paragraph, person)
        cost += self._by_tag(turn, person) + self._by_action(turn, person)
        cost += weights.calls_self * (person in self.called[nth] or self._spoken_to(turn, person))
        cost += weights.speaks_of_self * (person in self.cast.all(turn.calls.about))
        cost += weights.introduces * (person in self.cast.all(turn.calls.own))
        if nth:
            before = self.turns[nth - 1]
            cost += weights.called * (person in self.called[nth - 1])
            cost += weights.spoken_to * self._spoken_to(before, person)
        if nth + 1 < len(self.turns):
            cost += weights.calls_back * (person in self.called[nth + 1])
        return cost

    def _distance(self, paragraph: int, person: CastMember) -> float:
        near = self.near[id(person)]
        before = bisect_right(near, paragraph)
        if not before:
            return self.weights.later
        return self.weights.far * min(paragraph - near[before - 1], self.weights.furthest)

    def _by_tag(self, turn: SpeechTurn, person: CastMember) -> float:
        who = turn.tag.who if turn.tag else None
        if who is None:
            return 0.0
        pairs = self._spouses(who)
        if any(pairs):
            return 0.0 if person in pairs else NEVER
        return self._gender(person, who.gender or _gender_of(who.head), NEVER)

    def _spouses(self, who: Who) -> list[CastMember | None]:
        """Whom `his wife` can mean: those who share a family name with somebody here."""
        spouses = wordmap("kin.spouses")
        if who.sort != "noun" or who.head not in spouses or who.owner not in {"male", "female"}:
            return []
        owners = [one for one in self.crowd if one.gender in {None, who.owner}]
        return [self.cast.people.spouse(one, spouses[who.head]) for one in owners]

    def _gender(self, person: CastMember, gender: str | None, mismatch: float) -> float:
        if gender not in {"male", "female"}:
            return 0.0
        if person is self.cast.narrator:
            return mismatch
        return 0.0 if person.gender == gender else self.weights.unsure if person.gender is None else mismatch

    def _by_action(self, turn: SpeechTurn, person: CastMember) -> float:
        """Who acts in the paragraph of the words, or just before it."""
        weights, cost = self.weights, 0.0
        for who in turn.beats[:2]:
            cost += self._action(who, person, weights.acts, weights.acts_not)
        before = self.scenery.acting.get(turn.paragraph - 1)
        if before is not None and not turn.beats and turn.tag is None:
            cost += self._action(before, person, weights.acted, 0.0)
        return cost + weights.told_of * (self._told_of(turn) is person)

    def _told_of(self, turn: SpeechTurn) -> CastMember | None:
        """Whom the paragraph has just named, of the gender of `he said`."""
        who = turn.tag.who if turn.tag else None
        if who is None or who.sort != "pronoun" or who.gender not in {"male", "female"}:
            return None
        named = self.cast.all(turn.near)
        return next((one for one in reversed(named) if one.gender in {None, who.gender}), None)

    def _action(self, who: Who, person: CastMember, does: float, other: float) -> float:
        if who.gender == "me":
            return does if person is self.cast.narrator else 0.0
        if who.sort == "name":
            return does if self.cast.named(who.text) is person else 0.0
        return self._gender(person, who.gender, other)

    def _spoken_to(self, before: SpeechTurn, person: CastMember) -> bool:
        to = before.tag.to if before.tag else None
        if to is None:
            return False
        if to.gender == "me":
            return person is self.cast.narrator
        return to.sort == "name" and self.cast.named(to.text) is person

    def _steps(self, nth: int) -> tuple[float, float, float]:
        """What it costs to speak after oneself, after somebody else, and in turn with them."""
        weights, turn = self.weights, self.turns[nth]
        apart = turn.paragraph - self.turns[nth - 1].last
        tag = turn.tag
        goes_on = tag is not None and tag.who.sort == "pronoun" and tag.verb in speech_words().going_on
        at_once = apart == 1 and not turn.near  # nothing is told between
        again = 0.0 if apart == 0 or goes_on else weights.again if at_once else weights.again_after
        other = weights.breaks_in * goes_on
        return NEVER if turn.answers else again, other, other + weights.in_turn

    # -- the cheapest row of speakers

    def _options(self, nth: int) -> list[tuple[CastMember | None, float]]:
        fixed, turn = self.fixed[nth], self.turns[nth]
        if fixed is not None:
            return [(fixed, 0.0)]
        if turn.tag is not None and turn.tag.who.gender in {"several", "us"}:
            return [(None, 0.0)]
        found: list[tuple[CastMember | None, float]] = [
            (person, cost) for person in self.crowd if (cost := self._cost(nth, person)) < NEVER / 2
        ]
        if turn.tag is None and (
            turn.answers or turn.answered
        ):  # one of those who talk here, or nobody known
            found = [one for one in found if id(one[0]) in self.partners]
            known = len(self.partners) > 1
            found.append((None, self.weights.stranger if known else self.weights.unheard))
        if turn.tag is not None and turn.tag.who.sort == "noun":
            found.append((self.cast.noun(turn.tag.who), self.weights.stranger))
        return found or [(None, 0.0)]

    def _cheapest(self) -> list[CastMember | None]:
        """Over pairs of neighbours, since turns alternate: the best way to every pair, then back from the end."""
        ways = [_Way(0.0)]
        for nth in range(len(self.turns)):
            options, steps = self._options(nth), self._steps(nth) if nth else (0.0, 0.0, 0.0)
            best: dict[int, dict[int, _Way]] = {}  # by who spoke last, and who speaks now
            for way in ways:
                _go_on(way, options, steps, best.setdefault(id(way.person), {}))
            ways = [way for row in best.values() for way in row.values()]
        return min(ways, key=lambda way: way.cost).row()

    # -- to whom

    def _addressees(self, nth: int) -> list[CastMember]:
        turn = self.turns[nth]
        to = turn.tag.to if turn.tag else None
        if _to_nobody(turn):
            return []
        meant = [person for person in self.called[nth] if person is not turn.speaker]
        if to is not None and (told := self._told(to)):
            meant.append(told)
        if meant:
            return list({id(one): one for one in meant}.values())
        return self._talking_with(nth, to.gender if to is not None else None)

    def _told(self, to: Who) -> CastMember | None:
        """Whom a tag names as the listener."""
        told = self.cast.named(to.text) if to.sort == "name" else None
        return self.cast.narrator if told is None and to.gender == "me" else told

    def _talking_with(self, nth: int, gender: str | None) -> list[CastMember]:
        """Who speaks just before or after, if it is one and the same, and of the gender of `to her`."""
        turn = self.turns[nth]
        beside = [one.speaker for one in self._near(nth) if one.speaker not in (None, turn.speaker)]
        others = {id(one): one for one in beside}
        fitting = [one for one in others.values() if one and self._gender(one, gender, NEVER) < NEVER]
        return fitting if len(fitting) == 1 else []

    def _near(self, nth: int) -> list[SpeechTurn]:
        """The turns before and after, where they stand close by."""
        here = self.turns[nth].paragraph
        beside = [self.turns[n] for n in (nth - 1, nth + 1) if 0 <= n < len(self.turns)]
        return [one for one in beside if abs(one.paragraph - here) <= self.weights.beside]


def _go_on(
    way: _Way,
    options: Sequence[tuple[CastMember | None, float]],
    steps: tuple[float, float, float],
    best: dict[int, _Way],
) -> None:
    """Take a way one turn further, to everybody whom it reaches for less than those before it."""
    again, other, in_turn = steps
    before, earlier = way.person, way.before.person if way.before else None
    for person, cost in options:
        step = (
            0.0 if person is None else again if person is before else in_turn if person is earlier else other
        )
        total = way.cost + cost + step
        known = best.get(id(person))
        if known is None or total < known.cost:
            best[id(person)] = _Way(total, person, way)


def _to_nobody(turn: SpeechTurn) -> bool:
    """`he thought`, `she said to herself`."""
    if turn.tag is None:
        return False
    to = turn.tag.to
    return turn.tag.verb in speech_words().thinking or (to is not None and to.gender == ONESELF)


def _gender_of(noun: str) -> str | None:
    """Whether a noun says man or woman; of one that may say both, a woman."""
    return "female" if noun in nouns().female else "male" if noun in nouns().male else None
