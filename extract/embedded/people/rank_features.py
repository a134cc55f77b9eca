"""What there is to say of everybody whom a pronoun can mean: how long ago, in which role, told or spoken of, beside whom.

Each feature is a number with a name (`FEATURES`); what they weigh stands in the ranker's table. Pure; decides nothing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from narraworld.extract.embedded.people.cast import CastMember
from narraworld.extract.embedded.people.trail import ROLES, PersonMention, Talk

__all__ = ["CROSSED", "FEATURES", "Chain", "PronounScene"]

TOLD_BY = 2  # pronouns of one gender that tell it of somebody, …
LEAD = 3  # … where they are so many times those of the other
FAR = 40  # sentences since somebody who was never called anything
DOUBT = 0.05  # what a link counts for at least


@dataclass(slots=True, eq=False)
class Chain:
    """Somebody as the mentions have told of them so far."""

    person: CastMember | None  # None for one who is only a noun
    noun: str
    gender: str | None
    last: PersonMention
    likely: float = 1.0  # how likely the last mention is theirs
    called: list[PersonMention] = field(default_factory=list)  # by name or noun
    pronouns: int = 0  # since they were last called by a name or noun
    doubt: float = 0.0  # of these, as a sum of logarithms
    votes: Counter[str] = field(default_factory=Counter)
    subject_at: int = -FAR  # the last sentence with them as its subject
    told: bool = False  # whether the narration has told of them, and not only of what is theirs
    told_at: int = -1  # where the narration last told of them

    @property
    def name(self) -> str:
        """What the text calls them."""
        return self.person.main if self.person is not None else self.noun

    def add(self, mention: PersonMention, likely: float = 1.0) -> None:
        """Take a mention in."""
        if mention.sort == "pronoun":
            self.pronouns, self.doubt = self.pronouns + 1, self.doubt + math.log(max(DOUBT, likely))
            self._vote(mention.gender or "")
        else:
            self.called.append(mention)
            self.pronouns, self.doubt = 0, 0.0
        self.last, self.likely = mention, likely
        if mention.role == "subject":
            self.subject_at = max(self.subject_at, mention.sentence)
        self.told = self.told or (mention.turn is None and not mention.owns)
        if mention.turn is None:
            self.told_at = mention.start

    def _vote(self, gender: str) -> None:
        self.votes[gender] += 1
        mine = self.votes[gender]
        others = self.votes.total() - mine
        if self.gender is None and mine >= TOLD_BY and mine >= LEAD * others:
            self.gender = gender


_AGO = ("same sentence", "one ago", "two ago", "up to five ago", "farther", "log sentences")
_RANK = ("latest", "second latest", "third latest", "log candidates", "only candidate")
_GENDER = (
    "of the gender",
    "votes",
    "log of the gender",
    "only of the gender",
    "latest of it",
    "second of it",
)
_LAST = (*(f"last {role}" for role in ROLES), "parallel", "last by name", "last by pronoun")
_CLAUSE = (
    "subject of the clause",
    "else in the clause",
    "subject of the sentence",
    "subject lately",
    "owned",
)
_SPEECH = ("in speech", "last in speech", "same turn", "speaks", "is spoken to", "spoke last", "of the tag")
_TOLD = (
    "by name",
    "only spoken of",
    "last pronoun",
    "same pronoun",
    "last spoken of",
    "told last",
    "told second",
)
_CHAIN = ("likely", "log since called", "log pronouns", "chain", "called last", "called second", "called last of it",
          "log rivals since", "log rivals here")  # fmt: skip
FEATURES = (*_AGO, *_RANK, *_GENDER, *_LAST, *_CLAUSE, *_SPEECH, *_TOLD, *_CHAIN)
CROSSED = (
    "same sentence", "latest", "latest of it", "only of the gender", "subject of the clause", "else in the clause",
    "subject of the sentence", "last pronoun", "last subject", "in speech", "of the gender", "called last of it",
    "called last", "log sentences", "log since called", "subject lately", "speaks", "last owner", "last owner of subject",
    "is spoken to", "only spoken of", "last spoken of", "told last",
)  # fmt: skip


class PronounScene:
    """A pronoun among everybody it can mean, the latest first."""

    def __init__(
        self, mention: PersonMention, chains: Sequence[Chain], talk: Sequence[Talk], turn: int | None,
        latest: Chain | None,
    ) -> None:  # fmt: skip
        self.mention, self.chains, self.latest = mention, chains, latest
        self.of_it = _of_gender(chains, mention.gender)
        self.called = sorted(chains, key=lambda one: -one.called[-1].start)
        self.called_of_it = _of_gender(self.called, mention.gender)
        fitting = [one for one in chains if one.gender in {None, mention.gender} and one.told_at >= 0]
        self.told = sorted(fitting, key=lambda one: -one.told_at)
        self.here = sum(one.last.sentence >= mention.sentence - 1 for one in chains)
        self.turn = talk[mention.turn] if mention.turn is not None else None
        self.before = talk[turn] if turn is not None and mention.turn is None else None
        self.tagged = _tagged(mention, talk, turn)
        self.crowd = (math.log(len(chains)), float(len(chains) == 1))

    def rows(self) -> list[list[float]]:
        """The features of everybody."""
        return [
            [*self._ago(one), *self._rank(place), *self._gender(one), *self._last(one), *self._clause(one),
             *self._speech(one), *self._told(one), *self._chain(one)]
            for place, one in enumerate(self.chains)
        ]  # fmt: skip

    def _ago(self, one: Chain) -> tuple[float, ...]:
        ago = max(0, self.mention.sentence - one.last.sentence)
        return (ago == 0, ago == 1, ago == 2, 3 <= ago <= 5, ago > 5, math.log1p(ago))

    def _rank(self, place: int) -> tuple[float, ...]:
        return (place == 0, place == 1, place == 2, *self.crowd)

    def _gender(self, one: Chain) -> tuple[float, ...]:
        gender, of_it = self.mention.gender, self.of_it
        total, mine = one.votes.total(), one.votes[gender or ""]
        same = one.gender == gender
        first, second = (len(of_it) > n and of_it[n] is one for n in range(2))
        return (
            same,
            (2 * mine - total) / (total + 1),
            math.log1p(len(of_it)),
            same and len(of_it) == 1,
            first,
            second,
        )

    def _last(self, one: Chain) -> tuple[float, ...]:
        last = one.last
        parallel = (self.mention.case == "nominative") == (last.role == "subject")
        return (*_ROLE_ROWS[last.role], parallel, last.sort == "name", last.sort == "pronoun")

    def _clause(self, one: Chain) -> tuple[float, ...]:
        mention, last = self.mention, one.last
        subject = last.role == "subject"
        together = last.sentence == mention.sentence
        same = together and last.clause == mention.clause
        lately = one.subject_at >= mention.sentence - 1
        owned = mention.owned is not None and last.sort == "noun" and last.word == mention.owned
        return (same and subject, same and not subject, together and subject, lately, owned)

    def _speech(self, one: Chain) -> tuple[float, ...]:
        mention, last, turn, before = self.mention, one.last, self.turn, self.before
        who = one.person
        return (
            turn is not None, last.turn is not None, turn is not None and last.turn == mention.turn,
            who is not None and turn is not None and turn.speaker is who,
            who is not None and turn is not None and who in turn.to,
            who is not None and before is not None and before.speaker is who,
            who is not None and self.tagged is who,
        )  # fmt: skip

    def _told(self, one: Chain) -> tuple[float, ...]:
        last, mention = one.last, self.mention
        narrated = mention.turn is None
        unseen = narrated and not one.told
        first, second = (narrated and len(self.told) > n and self.told[n] is one for n in range(2))
        again = last.sort == "pronoun" and last.case == mention.case and last.sentence >= mention.sentence - 1
        spoken = narrated and last.turn is not None
        return (one.person is not None, unseen, self.latest is one, again, spoken, first, second)

    def _chain(self, one: Chain) -> tuple[float, ...]:
        since = max(0, self.mention.sentence - one.called[-1].sentence)
        trust = math.exp(one.doubt / max(1, one.pronouns))
        rank = self.called.index(one)
        first_of_it = bool(self.called_of_it) and self.called_of_it[0] is one
        here = self.here - (one.last.sentence >= self.mention.sentence - 1)
        return (one.likely, math.log1p(since), math.log1p(one.pronouns), trust, rank == 0, rank == 1, first_of_it,
                math.log1p(rank), math.log1p(here))  # fmt: skip


_ROLE_ROWS = {role: tuple(float(role == other) for other in ROLES) for role in ROLES}


def _of_gender(chains: Iterable[Chain], gender: str | None) -> list[Chain]:
    return [one for one in chains if one.gender == gender]


def _tagged(mention: PersonMention, talk: Sequence[Talk], turn: int | None) -> CastMember | None:
    """Who speaks, where the pronoun is the `he` of `he said`."""
    near = talk[max(0, (turn or 0) - 1) : (turn or 0) + 3]
    return next((one.speaker for one in near if one.tag == mention.where.end), None)
