"""Salience: when each entity was last spoken of, and so whom `he`, `it` and `they` can mean.

A pronoun is the nearest entity that fits in gender and number and is not already in the same clause. Two that fit equally
well leave it open. Knows no names: those are `coreference`'s. Touches no graph.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from narraworld.extract.embedded.grammar.mentions import Mention
from narraworld.extract.embedded.lexicon.function_words import wordset
from narraworld.extract.embedded.lexicon.nouns import nouns
from narraworld.extract.embedded.people.entities import NOWHERE, OBJECT, OTHER, SUBJECT, DiscourseEntity
from narraworld.kb.spans import TextRange

__all__ = ["REACH", "Salience"]

REACH = 12  # clauses a pronoun looks back
LEAD = 3  # clauses that the subject of a main clause stays ahead
HE_NEAR = 6  # clauses after which `he` is no longer surely the one who was spoken of
THEY_NEAR = 6  # the same for `they`
IT_NEAR = 4  # the same for `it`
OWNER_NEAR = 4  # clauses among whose people a possessive must leave no choice


@dataclass(slots=True, kw_only=True)
class Salience:
    """The figures of a unit as the telling goes from one to the next."""

    teller: str | None = None  # who `I` is in the narration
    me: str | None = None  # who is speaking, and to whom
    you: tuple[str, ...] = ()
    figures: dict[str, DiscourseEntity] = field(default_factory=dict)
    together: tuple[str, ...] = ()
    clause: int = 0
    here: TextRange = NOWHERE
    main: bool = False  # whether this clause is no part of another
    passing: int = -1  # the last clause about something that is no entity
    faint: set[int] = field(default_factory=set)  # where an `it` begins that means what was hardly spoken of
    leans: list[TextRange] = field(default_factory=list)  # the clauses that the pronouns of this one lean on

    def begin_clause(self, where: TextRange, main: bool = False) -> None:
        """Go on to the next clause; ``main`` when it is no part of another."""
        self.clause, self.here, self.leans, self.main = self.clause + 1, where, [], main

    def speaking(self, speaker: str, to: Iterable[str]) -> None:
        """From here on the words are somebody's own."""
        self.me, self.you = speaker, tuple(to)

    def hear(self, words: Iterable[str]) -> None:
        """Things that talk speaks of by their noun alone, where nobody has looked at its grammar."""
        spoken = set(words)
        for one in self.figures.values():
            if one.kind == "object" and one.head in spoken:
                one.heard = (self.clause, OBJECT)

    def silent(self) -> None:
        self.me, self.you = None, ()

    def _notice(self, figure: DiscourseEntity, mention: Mention, prominence: int) -> None:
        last, rank = figure.seen if self.me is None else figure.heard
        now = (self.clause, min(rank, prominence) if last == self.clause else prominence)
        if self.me is None:
            figure.seen = now
        else:
            figure.heard = now
        if self.main and now[1] == SUBJECT and self.me is None:
            figure.led = self.clause
        if mention.sort != "pronoun":
            figure.said = self.here
            if not mention.generic:
                figure.many = mention.plural
        elif figure.said not in (NOWHERE, self.here, *self.leans):
            self.leans.append(figure.said)

    def _person_talking(self, word: str) -> tuple[str, ...]:
        """`I` and `you`: in speech those who talk, in the narration whoever tells it."""
        if word in wordset("pronouns.me"):
            one = self.me or self.teller
            return (one,) if one else ()
        return self.you if word in wordset("pronouns.you") and len(self.you) == 1 else ()

    def near(self, figure: DiscourseEntity) -> bool:
        """Whether a pronoun may still reach it."""
        return 0 <= self.clause - figure.seen[0] <= REACH

    def only(self, gender: str, besides: Iterable[str] = ()) -> str | None:
        """The one person of the latest clauses whom `his` or `her` can mean, if there is just one."""
        found = [
            one.id
            for one in self.figures.values()
            if one.kind == "character" and one.gender in {None, gender} and one.id not in besides
            and 0 <= self.clause - one.seen[0] <= OWNER_NEAR
        ]  # fmt: skip
        return found[0] if len(found) == 1 else None

    def in_mind(self, gender: str) -> str | None:
        """Whom a pronoun of this gender would mean here; only asked, so that nothing changes."""
        found = self._best(("character",), gender, set(self._talking()))
        near = [id for id in found if self.clause - self._last(self.figures[id])[0] <= HE_NEAR]
        return near[0] if near else None

    def spoke(self, id: str) -> None:
        """Somebody has just been told to speak: the narration goes on from there."""
        self.figures[id].seen, self.figures[id].led = (self.clause, SUBJECT), self.clause

    def goes_on(self, ids: Iterable[str]) -> None:
        """Those of whom the sentence has told something are the subject of this clause too."""
        if self.main:
            self.lead(ids)

    def lead(self, ids: Iterable[str]) -> None:
        """The telling is about these: as the subject of a main clause, or as whose face fell."""
        for one in (self.figures[id] for id in ids if self.me is None):
            one.seen, one.led = (self.clause, SUBJECT), self.clause

    def overlook(self, prominence: int) -> None:
        """A noun that stands for no entity (`a pause`), but that `it` may mean."""
        if prominence != OTHER:
            self.passing = self.clause

    # -- pronouns

    def _talking(self) -> tuple[str, ...]:
        """Whom no `he` can mean: who is `I` here, and who `you`."""
        one = self.me or self.teller
        return (one, *self.you) if one else self.you

    def _pronoun(self, mention: Mention, besides: set[str], prominence: int) -> tuple[str, ...]:
        if (
            mention.head in wordset("pronouns.reflexive")
            and len(acting := self._doing_it(mention.gender)) == 1
        ):
            return acting
        besides = besides | set(self._talking())
        if mention.gender == "several":
            return self._they(besides)
        if mention.gender == "thing":
            found = self._best(("object", "place"), None, besides)
            sure = tuple(id for id in found if self._surely_it(self.figures[id], besides))
            if any(self._last(self.figures[id])[1] == OTHER for id in sure):
                self.faint.add(mention.where.start)
            return sure
        return self._he(mention.gender, besides, prominence)

    def _they(self, besides: set[str]) -> tuple[str, ...]:
        """Those who do something together, else a group; `Tom moved them`: things, not Tom."""
        if set(self.together) & besides:
            return tuple(
                id
                for id in self._best(("object", "group"), None, besides)
                if self._can_be_they(self.figures[id])
            )
        found = self.together if len(self.together) > 1 else self._best(("group",), None, besides)
        return tuple(id for id in found if self.clause - self._last(self.figures[id])[0] <= THEY_NEAR)

    def _can_be_they(self, one: DiscourseEntity) -> bool:
        """Several, and spoken of just now."""
        near = self.clause - self._last(one)[0] <= THEY_NEAR
        return near and (one.many or one.kind == "group")

    def _he(self, gender: str | None, besides: set[str], prominence: int) -> tuple[str, ...]:
        """Somebody of the gender, who is of it from now on."""
        found = self._best(("character",), gender, besides)
        sure = tuple(id for id in found if self._surely_him(self.figures[id], gender, besides, prominence))
        for id in sure:
            self.figures[id].gender = self.figures[id].gender or gender
        return sure

    def _surely_him(
        self, one: DiscourseEntity, gender: str | None, besides: set[str], prominence: int
    ) -> bool:
        """Not too long ago; and who was the subject is `him` only while nobody else of the gender has just been spoken of."""
        clause, rank = self._last(one)
        if self.clause - clause > HE_NEAR:
            return False
        if prominence == SUBJECT or rank != SUBJECT:
            return True
        return not any(
            other.kind == "character" and other.gender == gender and other.id not in {one.id, *besides}
            and 0 <= self.clause - self._last(other)[0] <= LEAD
            for other in self.figures.values()
        )  # fmt: skip

    def _doing_it(self, gender: str | None) -> tuple[str, ...]:
        """Who is the subject of this clause: whom `herself` means."""
        return tuple(
            one.id for one in self.figures.values()
            if self._last(one) == (self.clause, SUBJECT) and (gender is None or one.gender in {None, gender})
        )  # fmt: skip

    def _surely_it(self, one: DiscourseEntity, besides: set[str]) -> bool:
        """Whether `it` can only be this: one thing, more than a guess calls it one, spoken of just now, and no other as much."""
        heard = max(one.seen, one.heard)[0]
        fresh = heard >= self.passing and self.clause - heard <= IT_NEAR
        return one.sure and not one.many and fresh and not self._rivalled(one, besides)

    def _rivalled(self, one: DiscourseEntity, besides: set[str]) -> bool:
        """Whether another thing or beast has been spoken of as prominently since, or more so and hardly earlier."""
        clause, rank = self._last(one)
        return any(
            self._can_be_it(other) and other.id not in {one.id, *besides}
            and self._stands_out(self._last(other), clause, rank)
            for other in self.figures.values()
        )  # fmt: skip

    @staticmethod
    def _stands_out(other: tuple[int, int], clause: int, rank: int) -> bool:
        """Whether what was last spoken of so competes with what was spoken of in ``clause`` as ``rank``."""
        if rank == OTHER:
            return other[0] >= clause - 1 and other[1] < OTHER
        return other[1] < OTHER and (other[0] > clause or (other[0] == clause and other[1] <= rank))

    def _can_be_it(self, one: DiscourseEntity) -> bool:
        """A thing, a place, a beast, or somebody of no sex and without a name: `the child`."""
        nameless = one.gender is None and one.names[0].islower()
        return one.kind in {"object", "place"} or (
            one.kind == "character" and (nameless or nouns().creature(one.head))
        )

    def _last(self, one: DiscourseEntity) -> tuple[int, int]:
        """When it was last spoken of: by the narration, in talk also by those who talk."""
        return one.seen if self.me is None else max(one.seen, one.heard)

    def _best(self, kinds: tuple[str, ...], gender: str | None, besides: set[str]) -> tuple[str, ...]:
        """The one that fits best; nobody where two fit equally well."""
        near = [
            figure for figure in self.figures.values()
            if figure.kind in kinds and figure.id not in besides and self._can_be(figure, gender)
        ]  # fmt: skip
        fitting = self._of_gender(near, gender) if gender else near
        ranked = sorted((self._rank(figure, kinds, gender), figure.id) for figure in fitting)
        told = 2 if gender else 3  # of things in one clause the object goes before what lies beside it
        equal = len(ranked) > 1 and ranked[0][0][:told] == ranked[1][0][:told]
        return (ranked[0][1],) if ranked and not equal else ()

    def _of_gender(self, near: list[DiscourseEntity], gender: str) -> list[DiscourseEntity]:
        """Where somebody is of the gender: these, and who has just been acting."""
        if not any(figure.gender == gender for figure in near):
            return near
        return [figure for figure in near if figure.gender == gender or self._acting(figure)]

    def _can_be(self, figure: DiscourseEntity, gender: str | None) -> bool:
        """Whether a pronoun of this gender still reaches it."""
        if not 0 <= self.clause - self._last(figure)[0] <= REACH:
            return False
        return gender is None or figure.gender == gender or (figure.gender is None and figure.sure)

    def _acting(self, one: DiscourseEntity) -> bool:
        clause, prominence = self._last(one)
        return clause >= self.clause - 1 and prominence == SUBJECT

    def _rank(
        self, one: DiscourseEntity, kinds: tuple[str, ...], gender: str | None
    ) -> tuple[int, bool, int, bool]:
        """The latest first, subjects of the gender a clause longer; of one clause who is of the gender, then the most prominent."""
        clause, prominence = self._last(one)
        fits = gender is None or one.gender in {None, gender}
        led = one.led + LEAD * fits if one.led >= 0 else one.led
        longer = fits and prominence == SUBJECT and gender is not None  # of things simply the latest
        lasting = max(clause + longer, led)
        return (-lasting, gender is not None and one.gender != gender, prominence, one.kind != kinds[0])
