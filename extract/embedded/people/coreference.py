"""Who is meant: mentions become entities by rules that need evidence; what stays doubtful stays unresolved.

A name is whoever bears it; a definite noun is the latest thing of that noun; pronouns are `salience`'s. Touches no graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from narraworld.extract.embedded.grammar.mentions import Mention
from narraworld.extract.embedded.lexicon.function_words import wordmap, wordset
from narraworld.extract.embedded.lexicon.kinship import relatives, turned
from narraworld.extract.embedded.lexicon.nouns import holding_words
from narraworld.extract.embedded.people.cast import CastMember, UnitCast
from narraworld.extract.embedded.people.entities import (
    OBJECT,
    OTHER,
    SUBJECT,
    DiscourseEntity,
    guessed_kind,
    longer_word,
    name_key,
    names_nobody,
    same_name,
    surely,
)
from narraworld.extract.embedded.people.salience import Salience
from narraworld.kb.roster import Known, Roster
from narraworld.kb.spans import TextRange

__all__ = ["OBJECT", "OTHER", "SUBJECT", "Coreference", "DiscourseEntity", "Kin"]

Call = tuple[TextRange, str]  # a name or noun, and whom it stands for
# whom a pronoun means, by what the rules say of it; never one of these
Weigh = Callable[[Mention, tuple[str, ...], set[str]], tuple[str, ...]]


@dataclass(slots=True)
class Kin:
    """Everybody's people, by `owner noun`; ``said`` can be kept from unit to unit."""

    said: dict[str, str] = field(default_factory=dict)

    def add(self, owner: str, noun: str, who: str, owner_gender: str | None) -> None:
        """``who`` is the noun of ``owner``; and the other way round, as far as the owner's gender tells."""
        self.said[f"{owner} {noun}"] = who
        if other := turned(noun, owner_gender):
            self.said.setdefault(f"{who} {other}", owner)

    def of(self, owners: Iterable[str], noun: str) -> str | None:
        """The one whom these people have as their noun; None where there is nobody, or several."""
        found = {self.said[key] for owner in owners if (key := f"{owner} {noun}") in self.said}
        return found.pop() if len(found) == 1 else None

    def owners(self, noun: str) -> list[str]:
        """Who is known to have such a one."""
        return [key.rpartition(" ")[0] for key in self.said if key.rpartition(" ")[2] == noun]


@dataclass(slots=True)
class Coreference(Salience):
    """Everybody and everything met so far."""

    roster: Roster
    unit: str
    kinds: Mapping[str, str]
    prefix: str = ""
    people: UnitCast = field(default_factory=UnitCast)
    kin: Kin = field(default_factory=Kin)
    unresolved: list[Mention] = field(default_factory=list)
    answers: dict[int, str] = field(default_factory=dict)  # where `he` begins → whom the rules take it for
    calls: dict[int, Call] = field(default_factory=dict)  # where a name or noun ends → whom it stands for
    weigh: Weigh | None = None  # the second opinion on a pronoun

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
            found = self._weighed(mention, set(besides), prominence)
        else:
            found = self._named(mention)
        if given is not None or mention.sort != "pronoun":
            self._note(mention, found)
        if not found:
            self.unresolved.append(mention)
        aside = mention.owner is not None and mention.owner.lower() in wordset(
            "pronouns.his_or_her"
        )  # `her aunt` told of her, not of the aunt
        for id in found:
            self._notice(self.figures[id], mention, max(prominence, OBJECT) if aside else prominence)
        return found

    def _weighed(self, mention: Mention, besides: set[str], prominence: int) -> tuple[str, ...]:
        """What the rules say of a pronoun, heard beside the other opinion."""
        ruled = self._pronoun(mention, besides, prominence)
        self._note(mention, ruled)
        return self.weigh(mention, ruled, {*besides, *self._talking()}) if self.weigh else ruled

    def _note(self, mention: Mention, found: tuple[str, ...]) -> None:
        """Keep who was meant where, for those who look back."""
        if len(found) != 1:
            return
        if mention.sort == "pronoun":
            self.answers[mention.where.start] = found[0]
        else:
            self.calls[mention.where.end] = (mention.where, found[0])

    def kind(self, id: str) -> str:
        return self.figures[id].kind

    def called(self, id: str) -> set[str]:
        """All words by which somebody or something was called."""
        return {word for key in self.figures[id].keys for word in key.split()}

    def met(self, mention: Mention) -> bool:
        """Whether something of this noun was spoken of before."""
        return any(one.head == mention.head for one in self.figures.values())

    # -- names and nouns

    def one_such(self, mention: Mention) -> tuple[str, ...] | None:
        """`the red one`: the only thing near that was called red."""
        marks = set(mention.key.split()[:-1])
        if mention.head != "one" or not marks or not mention.definite:
            return None
        alike = [one.id for one in self.figures.values() if one.kind == "object" and self.near(one)]
        found = [id for id in alike if marks <= self.called(id)]
        return tuple(found) if len(found) == 1 else None

    def person(self, person: CastMember, where: TextRange | None = None) -> str | None:
        """The entity of somebody the unit names; None for a name that stands for nobody."""
        if person.id is not None and person.id in self.figures:
            return person.id
        kind = self._kind_of(person)
        if kind is None:
            return None
        name = person.main
        known = person.id is not None
        person.id = person.id or self.roster.free_id(f"{self.prefix}{name}", set(self.figures) | {self.unit})
        place = where or TextRange(person.start, person.end)
        head = name.split()[-1].lower()
        sure = person.surely_human or person.gender is not None or person.kind is not None
        self._join(
            DiscourseEntity(person.id, kind, person.names, place, head, not known, person.gender, sure=sure)
        )
        return person.id

    def christen(self, id: str, person: CastMember) -> None:
        """Somebody known by a noun only turns out to be called this."""
        figure = self.figures[id]
        person.id, person.kind, figure.kind, figure.sure = id, "character", "character", True
        figure.names = [*person.names, *figure.names]
        figure.gender = figure.gender or person.gender

    def _kind_of(self, person: CastMember) -> str | None:
        """What a name stands for: as the roster has it, as the sentences treat it, or as its words look."""
        if person.kind in {"character", "object", "group"} or (person.id and person.kind):
            return person.kind
        if person.surely_human:
            return "character"
        said = [self.kinds[key] for name in person.names if (key := name_key(name)) in self.kinds]
        if said:
            return said[0]
        return {None: "character", "unknown": None}.get(person.kind, person.kind)

    def _named(self, mention: Mention) -> tuple[str, ...]:
        person = self.people.called(mention.text) if mention.sort == "name" else None
        if person is not None:
            id = self.person(person, mention.where)
            return (id,) if id is not None else ()
        if (described := self.people.described.get(mention.where.end)) is not None:
            return self._described(mention, described)
        found = self._relative(mention) or self._known(mention)
        if found is None and mention.sort == "name" and names_nobody(mention):
            return ()
        found = found or self._new(mention)
        found.gender = found.gender or mention.gender
        return (found.id,)

    def _described(self, mention: Mention, person: CastMember) -> tuple[str, ...]:
        """`the surveyor … a Mr. Quill`: one who is named elsewhere; of an earlier unit, whoever only had the noun."""
        if person.id is None:
            met = self._from_roster(mention)
            self.christen((met if met and met.kind == "character" else self._new(mention)).id, person)
        id = self.person(person)
        if id is None:
            return ()
        if mention.head not in relatives():
            self.figures[id].known_as.add(mention.head)
            self._also_called([self.figures[id]], mention)
        return (id,)

    def _relative(self, mention: Mention) -> DiscourseEntity | None:
        """`her father`, `Nora's mother`: whoever the text has said that is."""
        if mention.sort != "noun" or mention.owner is None:
            return None
        id = self.kin.of(self._owners(mention.owner, mention.head), mention.head)
        return None if id is None else self.figures.get(id) or self._recalled(id, mention)

    def _owners(self, word: str, noun: str) -> tuple[str, ...]:
        """Whom a possessive means: of those known to have such a one who acts here, else who is spoken of."""
        if word.lower() not in wordset("pronouns.every_possessive"):
            person = self.people.called(word)
            return (person.id,) if person is not None and person.id else ()
        if word.lower() in wordset("pronouns.me"):
            return self._person_talking(word.lower())
        gender = wordmap("pronouns.gender").get(word.lower())
        return tuple(one.id for one in self._owning(noun, gender) if self.near(one))

    def _owning(self, noun: str, gender: str | None) -> list[DiscourseEntity]:
        """Who can be the owner: of those known to have such a one, whoever acts in this clause, if anybody does."""
        able = self._having(noun, gender)
        here = [one for one in able if self._last(one) == (self.clause, SUBJECT)]
        return (here or able) if gender is None or here else self._named_owner(gender, able)

    def _having(self, noun: str, gender: str | None) -> list[DiscourseEntity]:
        """Those here of the gender who are known to have such a one."""
        met = [self.figures[id] for id in self.kin.owners(noun) if id in self.figures]
        return [one for one in met if gender is None or one.gender in {None, gender}]

    def _named_owner(self, gender: str, able: list[DiscourseEntity]) -> list[DiscourseEntity]:
        best = self._best(("character",), gender, set())
        return [one for one in able if not best or one.id in best]

    def _recalled(self, id: str, mention: Mention) -> DiscourseEntity | None:
        """Somebody whom only an earlier unit has brought in."""
        known = self.roster.by_id.get(id)
        if known is None:
            return None
        return self._join(
            DiscourseEntity(
                id, known.kind, list(known.names), mention.where, mention.head, False, mention.gender
            )
        )

    def _known(self, mention: Mention) -> DiscourseEntity | None:
        if mention.sort == "noun" and not mention.definite:
            return None
        alike = self._alike(mention)
        if alike:
            return max(alike, key=lambda one: one.seen)
        return self._from_roster(mention) or self._titled(mention)

    def _alike(self, mention: Mention) -> list[DiscourseEntity]:
        """Those of the unit that go by the same words, or by a name that can be the same."""
        key = mention.key
        same = [one for one in self.figures.values() if one.goes_by(key) and self._this_one(one, mention)]
        if mention.sort == "noun":
            return self._of_noun(mention, same)
        if same:
            return same
        return self._also_called([one for one in self.figures.values() if same_name(mention, one)], mention)

    def _titled(self, mention: Mention) -> DiscourseEntity | None:
        """`the captain`: the only one here whose name has that title."""
        if mention.sort != "noun" or not _bare_noun(mention):
            return None
        bearers = [one for one in self.people.persons if one.uses and mention.head in one.titles]
        id = self.person(bearers[0]) if len(bearers) == 1 else None
        return self.figures[id] if id is not None else None

    def _of_noun(self, mention: Mention, alike: list[DiscourseEntity]) -> list[DiscourseEntity]:
        """Those a noun can mean; `the lemon` rather one that was met than lemons as such."""
        single = " ".join((*mention.key.split()[:-1], mention.head))  # `lemons` may be `the lemon` of before
        same = self._of_head(mention) if single == name_key(mention.head) else []
        if mention.generic:
            return alike or same
        met = {one.id: one for one in (*alike, *same) if not one.generic}
        return list(met.values()) or alike or same or self._only_one(mention) or self._part_of_word(mention)

    def _of_head(self, mention: Mention) -> list[DiscourseEntity]:
        """Those of this very noun that no word of the mention tells apart."""
        same = [
            one for one in self.figures.values() if one.head == mention.head and self._as_many(one, mention)
        ]
        return [one for one in same if mention.telling <= self.called(one.id)]

    def _this_one(self, one: DiscourseEntity, mention: Mention) -> bool:
        """`the door` is no longer the wardrobe door of long ago."""
        bare = name_key(one.names[0]) == mention.key or mention.key not in holding_words().common
        return bare or one.kind != "object" or self.near(one)

    def _as_many(self, one: DiscourseEntity, mention: Mention) -> bool:
        """`the bag` is none of `two bags`, and `the wall` not the staircase wall of long ago."""
        if mention.key in one.keys or mention.generic or one.kind != "object":
            return True
        common = mention.head in holding_words().common  # there are many walls
        return one.many == mention.plural and (self.near(one) or not common)

    def _only_one(self, mention: Mention) -> list[DiscourseEntity]:
        """`the dreaded coat` after `a blue coat`: the one thing of that noun, unless a word tells it from others."""
        alike = [one for one in self._of_head(mention) if one.kind == "object" and not one.generic]
        return self._also_called(alike, mention)

    def _part_of_word(self, mention: Mention) -> list[DiscourseEntity]:
        """`the book` may be the logbook, when no other thing ends like it."""
        if not _bare_noun(mention):
            return []
        longer = [one for one in self.figures.values() if longer_word(one, mention) and self.near(one)]
        return self._also_called(longer, mention)

    def _also_called(self, found: list[DiscourseEntity], mention: Mention) -> list[DiscourseEntity]:
        """The only one found goes by this name from now on."""
        if len(found) != 1:
            return []
        found[0].names.append(mention.text)
        return found

    def _from_roster(self, mention: Mention) -> DiscourseEntity | None:
        if not mention.definite:
            return None
        met = self.roster.bearing(mention.key) or self._narrower(mention)
        if len(met) != 1:
            return None
        return self._join(
            DiscourseEntity(
                met[0].id, met[0].kind, list(met[0].names), mention.where, mention.head, new=False
            )
        )

    def _narrower(self, mention: Mention) -> list[Known]:
        """`the chest` in a later unit is the one chest met before, the iron chest."""
        everywhere = mention.head in holding_words().common  # `the wall` of another chapter is another
        if mention.sort != "noun" or not _bare_noun(mention) or everywhere:
            return []
        return [one for one in self.roster.ending(mention.head) if one.kind == "object"]

    def _new(self, mention: Mention) -> DiscourseEntity:
        kind = self.kinds.get(mention.key) or guessed_kind(mention)
        kind = "group" if kind == "character" and mention.plural and mention.sort == "noun" else kind
        taken = set(self.figures) | {self.unit}
        name = mention.text.replace("\n", " ")
        id = self.roster.free_id(f"{self.prefix}{name}", taken)
        sure = surely(kind, mention, mention.key in self.kinds)
        return self._join(
            DiscourseEntity(id, kind, [name], mention.where, mention.head, gender=mention.gender, sure=sure, generic=mention.generic, many=mention.plural)
        )  # fmt: skip

    def newcomer(self, noun: str, where: TextRange, gender: str | None) -> str:
        """Somebody known by a noun only, whom no record has needed so far."""
        id = self.roster.free_id(f"{self.prefix}{noun}", set(self.figures) | {self.unit})
        self.calls[where.end] = (where, id)
        return self._join(DiscourseEntity(id, "character", [noun], where, noun, gender=gender)).id

    def _join(self, figure: DiscourseEntity) -> DiscourseEntity:
        self.figures[figure.id] = figure
        return figure

    def roll(self) -> tuple[Known, ...]:
        """Everybody as the roster of the next unit wants them."""
        return tuple(
            Known(one.id, one.kind, tuple(dict.fromkeys(one.names))) for one in self.figures.values()
        )


def _bare_noun(mention: Mention) -> bool:
    """One of its noun, and nobody's in particular: `the book`, not `her book`, `the old book`, `the books`."""
    return mention.key == mention.head and not mention.owner and not mention.plural
