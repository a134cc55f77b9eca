"""Whose it is: for any word that means somebody, the entity, how likely that is, and whether it is sure enough to warn by.

Two opinions are heard on a pronoun: the rules (`coreference`, `salience`), which answer while the telling goes on, and the
ranker, which answers beside it and for every pronoun. Where they agree, where the ranker is very likely right, or where the rules are
silent, its answer stands. Deeds keep the rules' answer. Never looks at later text; touches no graph.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from narraworld.base.quick_dataclass import dataclass
from narraworld.base.settings import OwnerSettings
from narraworld.extract.embedded.grammar.mentions import Mention
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.people.cast import CastMember
from narraworld.extract.embedded.people.coreference import Coreference
from narraworld.extract.embedded.people.rank_features import Chain
from narraworld.extract.embedded.people.ranker import PronounRanking, Ranked
from narraworld.extract.embedded.people.trail import PersonMention, Trail

__all__ = ["NOBODY", "Owner", "OwnerSettings", "Owners"]


SETTINGS = OwnerSettings()


@dataclass(frozen=True, slots=True)
class Owner:
    """Whom a word means; ``others`` are whom else it may mean, as the text calls them, likeliest first."""

    entity: str | None
    probability: float = 0.0
    sure: bool = False  # whether a check may warn by it
    others: tuple[str, ...] = ()


NOBODY = Owner(None)
UNKNOWN, CHARACTER = "unknown", "character"  # what a name stands for


@dataclass(slots=True)
class Owners:
    """Everybody's mentions in a unit, and what the two opinions make of them."""

    company: Coreference
    trail: Trail
    ranking: PronounRanking = field(default_factory=PronounRanking)
    # where `his` begins → whom the rules take it for
    possessors: dict[int, str] = field(default_factory=dict)
    # where `his` begins → where the subject of its clause does, where nobody else of the sentence can be meant
    bound: dict[int, int] = field(default_factory=dict)
    # the same of looks and relatives, where only one near can be meant
    only: dict[int, str] = field(default_factory=dict)
    # gender → whom the rules had in mind before the sentence
    _mind: dict[str, str] = field(default_factory=dict)
    _mentions: dict[int, PersonMention] = field(default_factory=dict)
    _beside: dict[int, CastMember] = field(default_factory=dict)
    _starts: list[int] = field(default_factory=list)
    _settled: dict[int, str] | None = None
    told: dict[int, str] = field(
        default_factory=dict
    )  # where a pronoun begins whose meaning its clause tells → who

    def __post_init__(self) -> None:
        self._mentions = {one.start: one for one in self.trail.mentions}
        self._beside = {where.start: who for where, who in self.trail.beside.items()}
        self._starts = [one.start for one in self.trail.mentions]

    # -- answers

    def at(self, place: int) -> Owner:
        """Whom the word that begins here means: a name, a noun, a pronoun or a possessive, `I` and `my` too."""
        if place in self.told:
            return Owner(self.told[place], 1.0, True)
        if place in self.trail.talkers:
            return self._talking(self.trail.talkers[place])
        if (ranked := self.ranking.answers.get(place)) is not None:
            return self._combined(ranked)
        chain = self.ranking.chains.get(place)
        if chain is None and (named := self._named_around(place)) is not None:
            who = self.company.person(named)
            return Owner(who, 1.0, True) if who is not None else NOBODY
        entity = self._entity(chain) if chain is not None else None
        return (
            Owner(entity, 1.0, sure=self._mentions[place].who is not None) if entity is not None else NOBODY
        )

    def _named_around(self, place: int) -> CastMember | None:
        """Who it is where the word stands beside a name (`his sister Maren`), or inside one (`old Mr. Fenn`)."""
        if place in self._beside:
            return self._beside[place]
        before = bisect_right(self._starts, place) - 1
        one = self.trail.mentions[before] if before >= 0 else None
        return one.who if one is not None and one.start < place < one.where.end else None

    def met(self, place: int, *, vouched: bool = False) -> Owner:
        """The same, of those only whom the reader has as an entity already; whoever asks makes nobody one.

        Only whoever is called by a name that may be anything becomes somebody where the asker ``vouched`` for it.
        """
        ranked, chain = self.ranking.answers.get(place), self.ranking.chains.get(place)
        likely = ranked.chain if ranked is not None else chain
        if likely is None or self.known(likely) is not None:
            return self.at(place)
        if vouched and chain is not None and chain.person is not None and chain.person.kind == UNKNOWN:
            chain.person.kind = CHARACTER
            return self.at(place)
        return Owner(None, others=(likely.name,))

    def _combined(self, ranked: Ranked) -> Owner:
        """The subject of its clause, if nobody else can be meant; else the likeliest, where the two opinions leave enough of it."""
        subject = self._subject_of(ranked.mention.start)
        if subject.sure or ranked.chain is None:
            return subject
        return self._likeliest(ranked, ranked.chain)

    def _subject_of(self, place: int) -> Owner:
        """Whom the subject means to which a possessive is bound."""
        subject = self.at(self.bound[place]) if place in self.bound else NOBODY
        return subject if subject.sure and subject.entity == self.ruled(place) else NOBODY

    def _likeliest(self, ranked: Ranked, chain: Chain) -> Owner:
        ruled = self.ruled(ranked.mention.start)
        agreed = ruled is not None and ruled == self.known(chain)
        least = SETTINGS.silent if ruled is None else SETTINGS.alone
        entity = self._entity(chain) if agreed or ranked.probability >= least else None
        others = tuple(dict.fromkeys(one.name for one in ranked.others))
        if entity is None:
            return Owner(None, 0.0, False, (chain.name, *others))
        likely = max(ranked.probability, SETTINGS.agreed) if agreed else ranked.probability
        return Owner(entity, likely, agreed and _unrivalled(ranked), others)

    def settled(self) -> dict[int, str]:
        """Where `his` or `her` begins → whose it surely is."""
        if self._settled is None:
            found = {
                place: owner.entity for place, one in self.ranking.answers.items()
                if one.mention.case == "possessive" and (owner := self.at(place)).sure and owner.entity is not None
            }  # fmt: skip
            self._settled = found | self.only
        return self._settled

    def _talking(self, number: int | None) -> Owner:
        """`I` and `my`: the teller, in a speech the speaker; where nobody knows who speaks, nobody."""
        if number is None:
            return Owner(self.company.teller, 1.0, True) if self.company.teller else NOBODY
        turn = self.trail.talk[number]
        who = self.company.person(turn.speaker) if turn.speaker is not None else None
        return Owner(who, 1.0 if turn.sure else SETTINGS.speaker, turn.sure) if who else NOBODY

    # -- the rules' opinion

    def ruled(self, place: int) -> str | None:
        """Whom the rules take the pronoun that begins here for."""
        return self.company.answers.get(place) or self.possessors.get(place)

    def before(self, words: Iterable[Word]) -> None:
        """Whom the rules have in mind as a sentence begins; asked without being told, so that nothing changes."""
        genders = {gender for _, gender in self._possessives(words)}
        self._mind = {gender: who for gender in genders if (who := self.company.in_mind(gender)) is not None}

    def after(self, words: Sequence[Word], meant: Mapping[int, tuple[str, ...]]) -> None:
        """Whom the rules take the possessives of a sentence for, now that its words are read."""
        for word, gender in self._possessives(words):
            told = self._possessor(word, words, meant, gender)
            if len(told) == 1:
                self.possessors[word.start] = told[0]

    def _possessives(self, words: Iterable[Word]) -> Iterator[tuple[Word, str]]:
        """Each `his` and `her` of a sentence, with its gender."""
        for word in words:
            mention = self._mentions.get(word.start)
            if mention is not None and mention.case == "possessive" and mention.gender is not None:
                yield word, mention.gender

    def _possessor(
        self, word: Word, words: Sequence[Word], meant: Mapping[int, tuple[str, ...]], gender: str
    ) -> tuple[str, ...]:
        """The subject of its clause, else the only one the sentence has told of before it, else who was in mind."""
        fitting = self._fitting(word, meant, gender)
        clause = self._clause(word.start)
        acting = {
            ids for place, ids in fitting.items()
            if words[place].relation == "nsubj" and self._clause(words[place].start) == clause
        }  # fmt: skip
        self._bind(word, words, fitting, gender)
        found = acting or set(fitting.values())
        if found:
            return next(iter(found)) if len(found) == 1 else ()
        return (self._mind[gender],) if gender in self._mind else ()

    def _fitting(
        self, word: Word, meant: Mapping[int, tuple[str, ...]], gender: str
    ) -> dict[int, tuple[str, ...]]:
        """Those whom the sentence has told of before a possessive, each alone, by the place of the word."""
        return {
            place: ids for place, ids in meant.items()
            if place < word.position and len(ids) == 1 and self._fits(ids[0], gender)
        }  # fmt: skip

    def _bind(
        self, word: Word, words: Sequence[Word], fitting: Mapping[int, tuple[str, ...]], gender: str
    ) -> None:
        """`Dorrit wore her hair short` is Dorrit's hair; not so `Dorrit knew her by her hair`."""
        subjects = [words[place].start for place in fitting if words[place].relation == "nsubj"]
        if subjects and len(set(fitting.values())) == 1:
            between = self.trail.mentions[
                bisect_right(self._starts, subjects[-1]) : bisect_left(self._starts, word.start)
            ]
            if not any(
                one.sort != "pronoun" or (one.gender == gender and one.case != "possessive")
                for one in between
            ):
                self.bound[word.start] = subjects[-1]

    def _clause(self, place: int) -> int:
        mention = self._mentions.get(place)
        return mention.clause if mention is not None else -1

    def _fits(self, id: str, gender: str) -> bool:
        figure = self.company.figures[id]
        return figure.kind == "character" and figure.gender in {None, gender}

    # -- deeds

    def weigh(self, mention: Mention, ruled: tuple[str, ...], besides: set[str]) -> tuple[str, ...]:
        """Whom a pronoun of a deed means: the ranker fills the silence of the rules; where it names another, the likely one or nobody."""
        ranked = self.ranking.answers.get(mention.where.start)
        if ranked is None or ranked.chain is None:
            return ruled
        who = self.known(ranked.chain)
        if ranked.probability < SETTINGS.deed or who in besides or (ruled and ranked.chain.person is None):
            return ruled  # `the widower` may be one whom the rules know by name
        if who is None or (ruled and who not in ruled and ranked.probability < SETTINGS.alone):
            return ()
        return ruled if who in ruled else (who,)

    def agreed(self, place: int, who: str) -> bool:
        """Whether the ranker, where it names anybody, also takes the pronoun that begins here for them."""
        if place in self.told:
            return self.told[place] == who
        ranked = self.ranking.answers.get(place)
        likely = self.known(ranked.chain) if ranked is not None and ranked.chain is not None else None
        return likely in {None, who}

    # -- entities

    def known(self, chain: Chain) -> str | None:
        """The entity that the reader has for somebody; None for one whom no record has needed yet."""
        if chain.person is not None:
            return self.company.person(chain.person)
        ends = (one.where.end for one in reversed(chain.called))
        return next((self.company.calls[end][1] for end in ends if end in self.company.calls), None)

    def _entity(self, chain: Chain) -> str | None:
        """The same, and a new one for somebody without a name whom no record has needed yet."""
        found = self.known(chain)
        if found is None and chain.person is None:
            return self.company.newcomer(chain.noun, chain.called[0].where, chain.gender)
        return found


def _unrivalled(ranked: Ranked) -> bool:
    """Whether nobody else of the gender is near, and the ranker finds it likely."""
    return not ranked.rivals and not ranked.from_talk and ranked.probability >= SETTINGS.sure
