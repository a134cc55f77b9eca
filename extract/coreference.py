"""Who is meant: mentions become entities by rules that need evidence; what stays doubtful stays unresolved.

A name is whoever bears it; a definite noun is the latest thing of that noun; a pronoun is the nearest entity that fits in
gender and number and is not already in the same clause. Two that fit equally well leave it open. Touches no graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from narraworld.extract.mentions import Mention, nouns
from narraworld.extract.people import People, Person
from narraworld.kb.roster import Known, Roster
from narraworld.kb.spans import Range

__all__ = ["Company", "Figure"]

NOWHERE = Range(0, 0)
REACH = 12  # clauses a pronoun looks back
ME = frozenset({"i", "me", "my", "mine", "myself"})
YOU = frozenset({"you", "your", "yours", "yourself"})
SUBJECT, OBJECT, OTHER = 0, 1, 2


@dataclass(slots=True)
class Figure:
    """An entity of this unit: what it is called, and when it was last spoken of."""

    id: str
    kind: str
    names: list[str]
    where: Range
    head: str
    new: bool = True
    gender: str | None = None
    seen: tuple[int, int] = (-1, OTHER)  # clause, and how prominent there
    said: Range = NOWHERE  # the clause that last called it by a name or noun

    @property
    def keys(self) -> set[str]:
        return {_key(name) for name in self.names}


@dataclass(slots=True)
class Company:
    """Everybody and everything met so far."""

    roster: Roster
    unit: str
    kinds: Mapping[str, str]
    prefix: str = ""
    people: People = field(default_factory=People)
    teller: str | None = None  # who `I` is in the narration
    me: str | None = None  # who is speaking, and to whom
    you: tuple[str, ...] = ()
    figures: dict[str, Figure] = field(default_factory=dict)
    unresolved: list[Mention] = field(default_factory=list)
    together: tuple[str, ...] = ()
    clause: int = 0
    here: Range = NOWHERE
    leans: list[Range] = field(default_factory=list)  # the clauses that the pronouns of this one lean on

    def begin_clause(self, where: Range) -> None:
        self.clause, self.here, self.leans = self.clause + 1, where, []

    def speaking(self, speaker: str, to: Iterable[str]) -> None:
        """From here on the words are somebody's own."""
        self.me, self.you = speaker, tuple(to)

    def silent(self) -> None:
        self.me, self.you = None, ()

    def resolve(
        self,
        mention: Mention,
        prominence: int = OTHER,
        besides: Iterable[str] = (),
        given: tuple[str, ...] | None = None,
    ) -> tuple[str, ...]:
        """The ids meant; several for `they`, none when it cannot be told. ``given`` when it is known already."""
        if given is not None:
            found = given
        elif mention.sort == "unbound":
            return self._person_talking(mention.head)
        elif mention.sort == "pronoun":
            found = self._pronoun(mention, set(besides))
        else:
            found = self._named(mention)
        if not found:
            self.unresolved.append(mention)
        for id in found:
            self._notice(self.figures[id], mention, prominence)
        return found

    def _notice(self, figure: Figure, mention: Mention, prominence: int) -> None:
        last, rank = figure.seen
        figure.seen = (self.clause, min(rank, prominence) if last == self.clause else prominence)
        if mention.sort != "pronoun":
            figure.said = self.here
        elif figure.said not in (NOWHERE, self.here, *self.leans):
            self.leans.append(figure.said)

    def _person_talking(self, word: str) -> tuple[str, ...]:
        """`I` and `you`: in speech those who talk, in the narration whoever tells it."""
        if word in ME:
            one = self.me or self.teller
            return (one,) if one else ()
        return self.you if word in YOU and len(self.you) == 1 else ()

    def kind(self, id: str) -> str:
        return self.figures[id].kind

    def called(self, id: str) -> set[str]:
        """All words by which somebody or something was called."""
        return {word for key in self.figures[id].keys for word in key.split()}

    def near(self, figure: Figure) -> bool:
        """Whether a pronoun may still reach it."""
        return 0 <= self.clause - figure.seen[0] <= REACH

    # -- pronouns

    def _pronoun(self, mention: Mention, besides: set[str]) -> tuple[str, ...]:
        if mention.gender == "several" and set(self.together) & besides:  # `Tom moved them`: things, not Tom
            return self._best(("object", "group"), None, besides)
        if mention.gender == "several":
            return self.together if len(self.together) > 1 else self._best(("group",), None, besides)
        if mention.gender == "thing":
            return self._best(("object", "place"), None, besides)
        found = self._best(("character",), mention.gender, besides)
        for id in found:
            self.figures[id].gender = self.figures[id].gender or mention.gender
        return found

    def _best(self, kinds: tuple[str, ...], gender: str | None, besides: set[str]) -> tuple[str, ...]:
        near = [
            one for one in self.figures.values()
            if one.kind in kinds and one.id not in besides and 0 <= self.clause - one.seen[0] <= REACH
            and (gender is None or one.gender in {None, gender})
        ]  # fmt: skip
        if gender and any(
            one.gender == gender for one in near
        ):  # who is of the gender, or has just been acting
            near = [
                one
                for one in near
                if one.gender == gender or (one.seen >= (self.clause - 1, SUBJECT) and one.seen[1] == SUBJECT)
            ]
        ranked = sorted((_rank(one, kinds, gender), one.id) for one in near)
        if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
            return ()
        return (ranked[0][1],)

    # -- names and nouns

    def person(self, person: Person, where: Range | None = None) -> str | None:
        """The entity of somebody the unit names; None for a name that stands for nobody."""
        if person.id is not None and person.id in self.figures:
            return person.id
        kind = self._kind_of(person)
        if kind is None:
            return None
        name = person.main
        known = person.id is not None
        person.id = person.id or self.roster.free_id(f"{self.prefix}{name}", set(self.figures) | {self.unit})
        place = where or Range(person.start, person.end)
        head = name.split()[-1].lower()
        self._join(Figure(person.id, kind, person.names, place, head, new=not known, gender=person.gender))
        return person.id

    def _kind_of(self, person: Person) -> str | None:
        """What a name stands for: as the roster has it, as the sentences treat it, or as its words look."""
        if person.kind in {"character", "object", "group"} or (person.id and person.kind):
            return person.kind
        if person.surely_human:
            return "character"
        said = [self.kinds[key] for name in person.names if (key := _key(name)) in self.kinds]
        if said:
            return said[0]
        return {None: "character", "unknown": None}.get(person.kind, person.kind)

    def _named(self, mention: Mention) -> tuple[str, ...]:
        person = self.people.called(mention.text) if mention.sort == "name" else None
        if person is not None:
            id = self.person(person, mention.where)
            return (id,) if id is not None else ()
        found = self._known(mention)
        if found is None:
            found = self._new(mention)
        if mention.gender and not found.gender:
            found.gender = mention.gender
        return (found.id,)

    def _known(self, mention: Mention) -> Figure | None:
        alike = [one for one in self.figures.values() if mention.key in one.keys]
        if mention.sort == "noun":
            if not mention.definite and alike:
                return None
            bare = mention.key == _key(mention.head)
            alike = alike or [one for one in self.figures.values() if bare and one.head == mention.head]
        elif not alike:
            alike = [one for one in self.figures.values() if _same_name(mention, one)]
            for one in alike[:1] if len(alike) == 1 else []:
                one.names.append(mention.text)
            alike = alike if len(alike) == 1 else []
        if alike:
            return max(alike, key=lambda one: one.seen)
        return self._from_roster(mention)

    def _from_roster(self, mention: Mention) -> Figure | None:
        if not mention.definite:
            return None
        met = self.roster.bearing(mention.key)
        if len(met) != 1:
            return None
        return self._join(
            Figure(met[0].id, met[0].kind, list(met[0].names), mention.where, mention.head, new=False)
        )

    def _new(self, mention: Mention) -> Figure:
        kind = self.kinds.get(mention.key) or _guess(mention)
        kind = "group" if kind == "character" and mention.plural and mention.sort == "noun" else kind
        taken = set(self.figures) | {self.unit}
        name = mention.text.replace("\n", " ")
        id = self.roster.free_id(f"{self.prefix}{name}", taken)
        return self._join(Figure(id, kind, [name], mention.where, mention.head, gender=mention.gender))

    def _join(self, figure: Figure) -> Figure:
        self.figures[figure.id] = figure
        return figure

    def roll(self) -> tuple[Known, ...]:
        """Everybody as the roster of the next unit wants them."""
        return tuple(
            Known(one.id, one.kind, tuple(dict.fromkeys(one.names))) for one in self.figures.values()
        )


def _rank(one: Figure, kinds: tuple[str, ...], gender: str | None) -> tuple[int, bool, int, bool]:
    """The latest first, subjects of the gender a clause longer; of one clause whoever is of the gender, then the most prominent."""
    lasting = one.seen[0] + (one.seen[1] == SUBJECT and (gender is None or one.gender == gender))
    return (-lasting, gender is not None and one.gender != gender, one.seen[1], one.kind != kinds[0])


def _guess(mention: Mention) -> str:
    if mention.sort == "name":
        return "character"
    kind = nouns().kind(mention.head) or "object"
    return "group" if kind == "character" and mention.plural else kind


def _key(name: str) -> str:
    return " ".join(name.replace("_", " ").casefold().split())


def _bare(name: str) -> list[str]:
    """The words of a name without its titles."""
    return [word for word in _key(name).replace(".", "").split() if word not in nouns().titles]


def _same_name(mention: Mention, one: Figure) -> bool:
    """One name inside the other, no clash of gender or number: `Elizabeth` and `Elizabeth Bennet`, not Mr and Mrs."""
    if (mention.gender and one.gender and mention.gender != one.gender) or one.kind == "object":
        return False
    said = _bare(mention.text)
    return any(_within(said, _bare(name)) for name in one.names if name[:1].isupper())


def _within(one: list[str], other: list[str]) -> bool:
    short, long = sorted((one, other), key=len)
    return bool(short) and (short == long or short == long[: len(short)] or short == long[-len(short) :])
