"""The people of a unit: every name in its text, sorted into persons before anything is read.

Names are taken from the most telling to the least, so that the order of the text decides nothing: `Elizabeth` joins
`Elizabeth Bennet` when she is the only one it can be, and stays by itself when there are several. Touches no graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from narraworld.base.settings import CastSettings
from narraworld.extract.embedded.grammar.name_spans import NameUse, name_uses
from narraworld.extract.embedded.grammar.parser import Token
from narraworld.extract.embedded.lexicon.function_words import wordmap, wordrow, wordset
from narraworld.extract.embedded.lexicon.nouns import nouns
from narraworld.extract.embedded.lexicon.owner_words import owner_words
from narraworld.extract.embedded.lexicon.person_names import (
    OTHER_WORDS,
    NameForm,
    NameTable,
    SameName,
    compare,
    form_of,
    names,
)
from narraworld.extract.embedded.lexicon.verb_frames import frame_table
from narraworld.kb.roster import TELLER, Known

__all__ = ["NARRATOR", "NEITHER", "CastMember", "UnitCast", "gather"]

NARRATOR = TELLER  # what a teller is called whom nobody names


SETTINGS = CastSettings()


NEITHER = "0 0"  # how often somebody was `he`, and `she`


@dataclass(slots=True, eq=False)
class CastMember:
    """Everybody one set of names can mean; ``id`` when the roster knows them."""

    forms: dict[str, str] = field(default_factory=dict)  # key of a form → as written
    id: str | None = None
    kind: str | None = None
    gender: str | None = None
    counts: Counter[str] = field(default_factory=Counter)  # uses of each form
    sex: str = NEITHER  # how often they were `he`, and `she`, so far
    start: int = 0  # where the text first names them
    end: int = 0

    @property
    def uses(self) -> int:
        return self.counts.total()

    @property
    def names(self) -> list[str]:
        """What they are called, the most used first; without the slips of reading (`Give George`)."""
        ranked = sorted(self.forms, key=lambda key: (-self.counts[key], key))
        kept = [key for key in ranked if not self._slip(key)] or ranked
        return list(dict.fromkeys(self.forms[key] for key in kept))

    def _slip(self, key: str) -> bool:
        """A form met once that is another with some capital word before it."""
        form, rest = form_of(self.forms[key]), key.partition(" ")[2]
        return self.counts[key] == 1 and not form.titles and rest in self.forms and not form.gender

    @property
    def main(self) -> str:
        return self.names[0]

    @property
    def surely_human(self) -> bool:
        """Whether a title or a first name tells that it is somebody."""
        forms = [form_of(name) for name in self.forms.values()]
        return any(form.gender or set(form.titles) - names().empty for form in forms)

    @property
    def titles(self) -> set[str]:
        """All titles they go by."""
        return {title for name in self.forms.values() for title in form_of(name).titles}

    def surnames(self) -> set[str]:
        forms = [form_of(name) for name in self.forms.values()]
        return {form.words[-1] for form in forms if len(form.words) > 1 or form.surname_only}


@dataclass(slots=True)
class UnitCast:
    """The persons of a unit, found by name."""

    persons: list[CastMember] = field(default_factory=list)
    by_key: dict[str, CastMember] = field(default_factory=dict)
    # where a noun ends by which the text describes whom it names → who that is (`introduced`)
    described: dict[int, CastMember] = field(default_factory=dict)
    apart: set[frozenset[str]] = field(default_factory=set)  # keys of two forms that cannot be one person's
    _linked: dict[str, dict[int, CastMember]] = field(default_factory=dict)  # by the words of their names

    def called(self, name: str) -> CastMember | None:
        return self.by_key.get(form_of(name).key)

    def link(self, person: CastMember, form: NameForm) -> None:
        """Let a person be found by the words of a name."""
        for word in form.links:
            self._linked.setdefault(word, {})[id(person)] = person

    def near(self, form: NameForm) -> Iterable[CastMember]:
        """Whoever shares a word with this name; nobody else can bear it."""
        found = dict[int, CastMember]()
        for word in sorted(form.links):
            found |= self._linked.get(word, {})
        return found.values()

    def told(self, kinds: Mapping[str, str]) -> None:
        """Take over what the sentences make of names that do not tell it themselves."""
        for person in self.persons:
            if person.kind not in {None, "object"}:
                continue
            keys = [name.replace("_", " ").casefold() for name in person.names]
            said = [kinds[key] for key in keys if key in kinds]
            if said and not person.surely_human:
                _take_over(person, said)

    def presented(self, names: Iterable[str]) -> None:
        """These have been told to be somebody: `the guide, Tenzin`."""
        for name in names:
            person = self.called(name)
            if person is not None and person.id is None and person.kind != "group":
                person.kind = "character"

    def spouse(self, person: CastMember, gender: str) -> CastMember | None:
        """Who shares the family name under `Mr.` or `Mrs.`: whom `his wife`, `her mother` can mean."""
        titles = wordrow("kin.male_titles" if gender == "male" else "kin.female_titles")
        for surname in sorted(person.surnames()):
            for title in titles:
                found = self.by_key.get(f"{title} {surname}")
                if found is not None and found is not person:
                    return found
        return None


def _take_over(person: CastMember, said: Sequence[str]) -> None:
    """What a name stands for that nothing has told yet; a thing that is gone into is a place: `entered the TV_room`."""
    if person.kind == "object" and "place" in said:
        person.kind = "place"
    elif person.kind is None:
        person.kind = said[0]


# -- persons


def gather(
    sentences: Iterable[Sequence[Token]], known: Iterable[Known] = (), labels: Iterable[Token] = (),
    sexes: Mapping[str, str] = MappingProxyType({}),
) -> UnitCast:  # fmt: skip
    """Everybody named in these sentences, with those the roster knows; ``labels`` are the speakers of a script.

    ``sexes`` says of whom earlier units spoke as `he` and as `she`, and how often: `kell: 4 1`.
    """
    told = list(sentences)
    uses = [list(name_uses(tokens)) for tokens in told]
    spoken = list(labels)
    for label in spoken:  # whoever has a line is somebody
        told.append([label, Token("said", label.end, label.end)])
        uses.append([NameUse(label.text, form_of(label.text), 0, 1, label.start, label.end)])
    counts = Counter(use.form for found in uses for use in found)
    first = {use.form: use for found in reversed(uses) for use in reversed(found)}
    people = UnitCast(apart=set(_told_apart(told, uses)))
    for one in known:
        _enlist(people, one, sexes.get(one.id, NEITHER))
    for form in sorted(counts, key=_telling):
        _place(people, first[form], counts[form])
    _families(people)
    _judge(people, told, uses)
    for label in spoken:
        people.by_key[form_of(label.text).key].kind = "character"
    return people


def _enlist(people: UnitCast, one: Known, sex: str) -> None:
    """Somebody of the roster; only bearers of capital letters can be named here."""
    borne = _borne(one.names, names())
    if not borne:
        return
    person = CastMember({form.key: name for form, name in borne}, one.id, one.kind, sex=sex)
    person.gender = next((form.gender for form, _ in borne if form.gender), None)
    people.persons.append(person)
    for form, _ in borne:
        people.by_key.setdefault(form.key, person)
        people.link(person, form)


@lru_cache(maxsize=1 << 16)
def _borne(called: tuple[str, ...], _: NameTable) -> tuple[tuple[NameForm, str], ...]:
    """The names of somebody by which a unit may name them; each form as it is written last. Every unit asks for everybody's."""
    written = [name for name in called if name == NARRATOR or name != name.lower()]
    return tuple({form_of(name).key: (form_of(name), name) for name in written}.values())


def _told_apart(
    told: Sequence[Sequence[Token]], uses: Sequence[Sequence[NameUse]]
) -> Iterator[frozenset[str]]:
    """`Captain Hale` and `Ruth Hale` in one sentence are two people; so they are where it says `Ruth Hale, his daughter`."""
    titled = {use.form for found in uses for use in found if _title_and_family(use.form)}
    for tokens, found in zip(told, uses, strict=True):
        here = titled & {use.form for use in found}
        for use in filter(_full, found):
            others = titled if _relative(tokens, use) else here
            yield from (frozenset({use.form.key, other.key}) for other in others if _family(other, use.form))


def _title_and_family(form: NameForm) -> bool:
    """`Captain Hale`."""
    return bool(form.titles) and len(form.words) == 1


def _full(use: NameUse) -> bool:
    return len(use.form.words) > 1 and not use.form.titles


def _family(titled: NameForm, full: NameForm) -> bool:
    return titled.words == full.words[-1:]


def _relative(tokens: Sequence[Token], use: NameUse) -> bool:
    """`…, his daughter`: of the family of somebody else."""
    match [token.text.lower() for token in tokens[use.last : use.last + 3]]:
        case [",", whose, who]:
            return whose in wordset("pronouns.possessive") and who in nouns().people
    return False


def _telling(form: NameForm) -> tuple[int, int, str]:
    return (-len(form.words), -len(form.titles), form.key)


def _place(people: UnitCast, use: NameUse, uses: int) -> None:
    form = use.form
    person = people.by_key.get(form.key) or _bearer(people, form)
    if person is None:
        person = CastMember()
        people.persons.append(person)
    if not person.counts or use.start < person.start:
        person.start, person.end = use.start, use.end
    person.forms.setdefault(form.key, use.text)
    person.gender = person.gender or form.gender
    person.counts[form.key] += uses
    people.by_key[form.key] = person
    people.link(person, form)


def _families(people: UnitCast) -> None:
    """`the Bennets` are several, when somebody is called Bennet."""
    surnames = {word for person in people.persons for form in person.forms for word in form.split()}
    for person in people.persons:
        if person.kind is not None:
            continue
        words = [form_of(name).words[-1] for name in person.forms.values()]
        if all(word.endswith("s") and word[:-1] in surnames for word in words):
            person.kind, person.gender = "group", None


def _bearer(people: UnitCast, form: NameForm) -> CastMember | None:
    """The one person met so far who can bear this name too; None when there is nobody, or several."""
    able = [
        one for one in people.near(form) if one.kind in {None, "character"} and _can_bear(people, one, form)
    ]
    fitting = _nearest(able, form) if len(able) > 1 and not form.titles else able
    return fitting[0] if len(fitting) == 1 else None


def _nearest(able: list[CastMember], form: NameForm) -> list[CastMember]:
    """Of several, whoever has just these words; a bare family name is the gentleman's."""
    exact = [one for one in able if any(form_of(name).words == form.words for name in one.forms.values())]
    men = [one for one in exact if one.gender == "male"]
    return men if len(men) == 1 else exact if len(exact) == 1 else able


def _can_bear(people: UnitCast, person: CastMember, form: NameForm) -> bool:
    if person.gender and form.gender and person.gender != form.gender:
        return False
    if any(frozenset({form.key, key}) in people.apart for key in person.forms):
        return False
    verdicts = [compare(form, form_of(name)) for name in person.forms.values()]
    return any(one.possible for one in verdicts) and not any(_forbids(one) for one in verdicts)


def _forbids(one: SameName) -> bool:
    """Whether a name cannot stand beside another in one person; other words alone forbid nothing."""
    return not one.possible and one.why != OTHER_WORDS


# -- what the text says of them


def _judge(people: UnitCast, told: Sequence[Sequence[Token]], uses: Sequence[Sequence[NameUse]]) -> None:
    """Gender by the pronouns beside a name that stands alone; person or place by the words around it."""
    signs: dict[int, Counter[str]] = {id(person): Counter() for person in people.persons}
    before: CastMember | None = None
    for tokens, found in zip(told, uses, strict=True):
        met = [people.by_key[use.form.key] for use in found]
        for use, person in zip(found, met, strict=True):
            signs[id(person)].update(_signs(tokens, use))
        alone = met[0] if len(set(map(id, met))) == 1 else None
        about = alone if met else before
        if about is not None:
            signs[id(about)].update(_heard(tokens, found))
        before = alone
    for person in people.persons:
        _settle(person, signs[id(person)])


def _heard(tokens: Sequence[Token], found: Sequence[NameUse]) -> list[str]:
    """The sex of the first pronoun behind a name, or in a sentence without one."""
    start = found[0].last if found else 0
    for at, token in enumerate(tokens[start:], start):
        if (gender := _sex(token.text)) and not (found and _another(tokens, at)):
            return [gender]
    return []


def _sex(word: str) -> str | None:
    """Of which sex a pronoun speaks: `he`, `hers`; not `it` or `them`."""
    gender = wordmap("pronouns.gender").get(word.lower())
    return gender if gender in {"male", "female"} else None


def _another(tokens: Sequence[Token], at: int) -> bool:
    """`Morrow believed her`: what follows a verb as its object is somebody else; `her hat` may be Morrow's."""
    word = tokens[at].text.lower()
    after = tokens[at + 1].text.lower() if at + 1 < len(tokens) else ""
    owns = after[:1].isalpha() and after not in owner_words().after_objective
    return word == "him" or (word == "her" and not owns)


def _signs(tokens: Sequence[Token], use: NameUse) -> Iterator[str]:
    """What the words beside a name make of it: somewhere, or somebody who does something."""
    before = tokens[use.first - 1].text.lower() if use.first else ""
    following = (token.text.lower() for token in tokens[use.last :])
    after = next((word for word in following if not word.endswith("ly")), "")
    if before == "the" and not _somebody(tokens, use):
        yield "thing"  # `the Halcyon`
    if before in wordset("prepositions.before_a_place"):
        yield "placed"
    elif _does(before, after):
        yield "does"


def _does(before: str, after: str) -> bool:
    """Whether a name between these words is of somebody who does something, or to whom it is done."""
    verb = (
        after in wordset("auxiliaries.of_somebody") or after in frame_table().lemmas or after.endswith("ed")
    )
    beside = "and" in {before, after} or before in frame_table().lemmas
    return verb or beside or (not before and after[:1].isalpha())


def _somebody(tokens: Sequence[Token], use: NameUse) -> bool:
    """Whether a name behind `the` is of one who can act: `the Captain`, `the Dormouse`, `said the Gryphon`."""
    said = tokens[use.first - 2].text if use.first > 1 else ""
    beings = nouns().people | nouns().creatures | names().titles
    return bool(use.form.titles) or use.form.words[-1] in beings or frame_table().speaks(said)


def _ship(person: CastMember, signs: Counter[str]) -> bool:
    """Always `the Halcyon`, and seldom doing anything."""
    return signs["thing"] == person.uses and signs["does"] <= SETTINGS.thing_share * person.uses


def _settle(person: CastMember, signs: Counter[str]) -> None:
    """Gender and kind, as far as the signs tell."""
    male, female = (
        int(so_far) + signs[name] for so_far, name in zip(person.sex.split(), ("male", "female"), strict=True)
    )
    person.sex = f"{male} {female}"
    if person.gender is None and max(male, female) >= max(1, SETTINGS.gender_lead * min(male, female)):
        person.gender = "male" if male > female else "female"
    if person.kind is not None or not person.uses:
        return
    forms = [form_of(name) for name in person.forms.values()]
    if not any(set(form.titles) - names().empty for form in forms):
        person.kind = _kind_by(person, signs, forms)


def _kind_by(person: CastMember, signs: Counter[str], forms: Sequence[NameForm]) -> str | None:
    """What a name without a title stands for; nothing where nobody so called ever does anything."""
    somewhere = any(form.somewhere for form in forms)
    if not somewhere and _ship(person, signs):
        return "object"
    if somewhere or _placed(person, signs):
        return "place"
    human = signs["does"] or any(names().given_gender(form.words[0]) for form in forms)
    return None if human else "unknown"


def _placed(person: CastMember, signs: Counter[str]) -> bool:
    """Often enough behind `in`, `at`, … to be a place."""
    return signs["placed"] >= SETTINGS.place_share * person.uses and signs["placed"] > signs["does"]
