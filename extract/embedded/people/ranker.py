"""Who a pronoun means: everybody met so far is weighed by a small table of numbers, and the likeliest gets a probability.

A mention joins the chain of whoever it means; a pronoun asks every chain that its gender allows, none from later text. The
odds of all are taken together with those of nobody, so that two good ones lower each other. What was answered with enough
odds is entered, and later pronouns see it. The table is trained by `training/owners.py` on LitBank. Pure; touches no graph.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np

from narraworld.base.quick_dataclass import dataclass
from narraworld.base.settings import RankerSettings
from narraworld.extract.embedded.lexicon.language import Language, of_spoken
from narraworld.extract.embedded.people.cast import CastMember
from narraworld.extract.embedded.people.rank_features import CROSSED, FEATURES, Chain, PronounScene
from narraworld.extract.embedded.people.trail import CASES, PersonMention, Trail, told_apart

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "CROSSED",
    "FEATURES",
    "Chain",
    "Judge",
    "PronounQuestion",
    "PronounRanking",
    "RankTable",
    "Ranked",
    "odds_of",
    "rank_table",
    "walk",
]

RankFloats: TypeAlias = "NDArray[np.float64]"
Key = TypeVar("Key")
_CROSSED_AT = [FEATURES.index(name) for name in CROSSED]


SETTINGS = RankerSettings()


@dataclass(frozen=True, slots=True)
class PronounQuestion:
    """A pronoun, whom it can mean (the latest first), and what there is to say of each."""

    mention: PersonMention
    chains: list[Chain]
    features: RankFloats  # a row for each chain, a column for each of FEATURES


Judge = Callable[[PronounQuestion], Sequence[float]]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A pronoun's answer: the likeliest chain, how likely it is, and whom else it can mean, likeliest first."""

    mention: PersonMention
    chain: Chain | None = None
    probability: float = 0.0
    others: tuple[Chain, ...] = ()
    rivals: int = 0  # others of the gender whom the last sentences have spoken of
    from_talk: bool = False  # asked by the narration, where only talk has spoken of them since


@dataclass(slots=True)
class PronounRanking:
    """Everybody along a trail: whom each pronoun means, and whose chain each mention belongs to, by where it begins."""

    answers: dict[int, Ranked] = field(default_factory=dict)
    chains: dict[int, Chain] = field(default_factory=dict)


# -- the table


@dataclass(frozen=True, slots=True)
class RankTable:
    """What each feature weighs, for all pronouns and beside it for each case."""

    weights: RankFloats  # of FEATURES
    by_case: dict[str, RankFloats]  # of CROSSED
    bias: float

    def judge(self, question: PronounQuestion) -> list[float]:
        """The probability of each chain."""
        found = question.features
        said = found @ self.weights + found[:, _CROSSED_AT] @ self.by_case[question.mention.case] + self.bias
        return [float(one) for one in odds_of(1 / (1 + np.exp(-said)))]

    def write(self) -> str:
        """As JSON: names and numbers."""
        rounded = {name: round(float(one), 4) for name, one in zip(FEATURES, self.weights, strict=True)}
        cases = {
            case: {name: round(float(one), 4) for name, one in zip(CROSSED, weights, strict=True)}
            for case, weights in self.by_case.items()
        }
        return json.dumps({"bias": round(self.bias, 4), "all": rounded} | cases, indent=1)


def odds_of(alone: RankFloats) -> RankFloats:
    """Probabilities of each by itself, taken together: nobody has the weight 1."""
    sure = np.clip(alone, 1e-4, 1 - 1e-4)
    odds = sure / (1 - sure)
    return np.asarray(odds / (1 + odds.sum()))


def rank_table() -> RankTable:
    """The table of the language that is read."""
    return of_spoken(_rank_table)


def _rank_table(language: Language) -> RankTable:
    said = json.loads((language.tables / "owners.json").read_text("utf-8"))
    by_case = {case: np.array([said[case][name] for name in CROSSED]) for case in CASES}
    return RankTable(np.array([said["all"][name] for name in FEATURES]), by_case, said["bias"])


# -- the walk


def walk(trail: Trail, judge: Judge) -> PronounRanking:
    """Go along the mentions; ``judge`` says how likely each candidate is."""
    walker = _Walker(trail, judge)
    for mention in trail.mentions:
        walker.take(mention)
    return walker.found


class _Walker:
    """Everybody met so far, on the way through a unit."""

    def __init__(self, trail: Trail, judge: Judge) -> None:
        self._trail, self._judge = trail, judge
        self._persons: dict[int, Chain] = {}
        self._nouns: dict[str, Chain] = {}  # whom each noun meant last
        self._chains: list[Chain] = []
        self._asides = list(reversed(trail.asides))
        self._turn: int | None = None  # the last turn of talk
        self._latest: dict[str, Chain] = {}  # whom the last pronoun of a gender meant
        self.found = PronounRanking()

    def take(self, mention: PersonMention) -> None:
        """Whoever it means is spoken of."""
        self._turn = self._turn if mention.turn is None else mention.turn
        if mention.sort == "pronoun":
            self._ask(mention)
            return
        chain = self._named(mention) if mention.who is not None else self._noun(mention)
        chain.add(mention)
        self.found.chains[mention.start] = chain
        self._say_beside(mention.start)

    def _say_beside(self, place: int) -> None:
        """`Ruth, his daughter`: from here on the daughter is Ruth."""
        while self._asides and self._asides[-1][0] <= place:
            _, person, noun = self._asides.pop()
            if id(person) in self._persons:
                self._nouns[noun] = self._persons[id(person)]

    def _named(self, mention: PersonMention) -> Chain:
        assert mention.who is not None
        found = self._persons.get(id(mention.who))
        return found or self._join(mention, self._persons, id(mention.who))

    def _noun(self, mention: PersonMention) -> Chain:
        """One said beside it, the last of that noun where it can be picked up, else somebody new."""
        if mention.known is not None:
            return self._introduced(mention, mention.known)
        same = self.found.chains.get(mention.same_as) if mention.same_as is not None else None
        if same is not None and not _clash(same.gender, mention.gender):
            self._nouns[mention.word] = same
            return same
        old = self._nouns.get(mention.word)
        if old is not None and mention.picks_up and self._near(old, mention) and not _another(old, mention):
            return old
        return self._join(mention, self._nouns, mention.word)

    def _introduced(self, mention: PersonMention, person: CastMember) -> Chain:
        """`the boy, whose name was Piet`: from here on the boy is Piet."""
        found = self._persons.get(id(person))
        if found is None:
            found = self._join(mention, self._persons, id(person))
            found.person, found.gender = person, person.gender or mention.gender
        self._nouns[mention.word] = found
        return found

    def _join(self, mention: PersonMention, where: dict[Key, Chain], key: Key) -> Chain:
        chain = where[key] = Chain(mention.who, mention.word, mention.gender, mention)
        self._chains.append(chain)
        return chain

    def _near(self, chain: Chain, mention: PersonMention) -> bool:
        return mention.sentence - chain.last.sentence <= SETTINGS.window

    def _ask(self, mention: PersonMention) -> None:
        chains = self._candidates(mention)
        if not chains:
            self.found.answers[mention.start] = Ranked(mention)
            return
        scene = PronounScene(
            mention, chains, self._trail.talk, self._turn, self._latest.get(mention.gender or "")
        )
        likely = self._judge(PronounQuestion(mention, chains, np.array(scene.rows())))
        order = sorted(range(len(chains)), key=lambda place: (-likely[place], place))
        best, *others = (chains[place] for place in order)
        probability = float(likely[order[0]])
        rivals = sum(mention.sentence - one.last.sentence <= SETTINGS.rivals for one in others)
        told = tuple(others[: SETTINGS.others])
        heard = mention.turn is None and best.last.turn is not None
        self.found.answers[mention.start] = Ranked(mention, best, probability, told, rivals, heard)
        if probability >= SETTINGS.link:
            best.add(mention, probability)
            self.found.chains[mention.start] = best
            self._latest[mention.gender or ""] = best

    def _candidates(self, mention: PersonMention) -> list[Chain]:
        """Whom a pronoun can mean, the latest first."""
        near = [
            one for one in self._chains if self._near(one, mention) and not _clash(one.gender, mention.gender)
        ]
        near.sort(key=lambda one: -one.last.start)
        return near[: SETTINGS.crowd]


def _another(chain: Chain, mention: PersonMention) -> bool:
    """`the old man` after `the young man`: other words beside the same noun."""
    same = (one for one in reversed(chain.called) if one.sort == "noun" and one.word == mention.word)
    last = next(same, None)
    return last is not None and told_apart(last, mention)


def _clash(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one != other
