"""The trail of people through a unit: every name, noun and pronoun that can mean somebody, in the order of the text.

What the ranker (`ranker.py`) walks along. Each mention carries the grammar and the talk around it as plain values, so that
ranking needs neither. Resolves no pronoun; names are the cast's. Touches no graph.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from narraworld.base.quick_dataclass import dataclass
from narraworld.extract.embedded.grammar.appositions import Apposition
from narraworld.extract.embedded.grammar.mentions import said_to_be
from narraworld.extract.embedded.grammar.name_spans import NameUse, name_uses
from narraworld.extract.embedded.grammar.parser import Token, Word
from narraworld.extract.embedded.layout.document import Sentence, UnitDocument
from narraworld.extract.embedded.lexicon.function_words import wordmap, wordset
from narraworld.extract.embedded.lexicon.nouns import nouns
from narraworld.extract.embedded.lexicon.owner_words import owner_words
from narraworld.extract.embedded.people.cast import CastMember, UnitCast
from narraworld.kb.spans import TextRange

__all__ = ["CASES", "ROLES", "PersonMention", "Talk", "Trail", "told_apart", "trail_of"]

CASES = ("nominative", "objective", "possessive", "reflexive")
ROLES = ("subject", "object", "oblique", "joined", "owner of subject", "owner", "root", "other")
SUBJECTS = frozenset({"nsubj", "nsubj:pass", "csubj"})
PEOPLE = frozenset({"male", "female"})
NOT_SOMEBODY = frozenset({"place", "object", "group"})
CLAUSES = frozenset({"advcl", "ccomp", "xcomp", "acl", "conj", "parataxis", "csubj", "root"})
_ROLE = {"obj": "object", "iobj": "object", "conj": "joined", "obl": "oblique", "nmod": "oblique"}
_ROLE |= dict.fromkeys(("root", "vocative", "parataxis"), "root")


@dataclass(slots=True, eq=False)
class PersonMention:
    """One word or name that means somebody: where it stands, what it is, and what it does in its sentence."""

    where: TextRange
    sort: str  # name, noun, pronoun
    word: str  # a pronoun in small letters, or the noun itself
    sentence: int
    turn: int | None  # in which turn it is said; None in the narration
    gender: str | None = None
    who: CastMember | None = None  # of a name
    role: str = "other"
    clause: int = -1  # the verb that it hangs on, by its place in the text
    case: str = ""  # of a pronoun
    owned: str | None = None  # the noun that a possessive owns
    picks_up: bool = False  # `the girl`, `his aunt`: may have been met before
    telling: frozenset[str] = frozenset()  # words that tell it from others of its noun: `the old man`
    known: CastMember | None = None  # of a noun: who it is by the words that introduce them (`introduced`)
    same_as: int | None = None  # where the mention begins that this one says more of: `Pell …, a thin man`

    @property
    def start(self) -> int:
        return self.where.start

    @property
    def owns(self) -> bool:
        return self.role.startswith("owner")


@dataclass(frozen=True, slots=True)
class Talk:
    """A turn of talk: who has it, to whom, and where the narration says `he` for the speaker."""

    quotations: tuple[TextRange, ...]
    speaker: CastMember | None
    to: tuple[CastMember, ...] = ()
    tag: int | None = None  # where the word of the tag for the speaker ends
    sure: bool = False  # whether the text names the speaker


@dataclass(slots=True)
class Trail:
    """All mentions in order, and the turns of talk that they stand in."""

    mentions: list[PersonMention] = field(default_factory=list)
    talk: Sequence[Talk] = ()
    talkers: dict[int, int | None] = field(default_factory=dict)  # where `I` or `my` begins → in which turn
    asides: list[tuple[int, CastMember, str]] = field(
        default_factory=list
    )  # `Ruth, his daughter`: where, who, what
    beside: dict[TextRange, CastMember] = field(default_factory=dict)  # the same nouns by where they stand


def trail_of(lines: UnitDocument, people: UnitCast, talk: Sequence[Talk] = ()) -> Trail:
    """Everybody whom a unit mentions, by whatever word."""
    spoken = _Spoken(talk)
    ordered = sorted(lines, key=lambda line: line.where.start)
    found, own = Trail(talk=talk), wordset("pronouns.me")
    for number, line in enumerate(ordered):
        turn = spoken.turn(line.where.start)
        found.mentions += _in_sentence(line, number, turn, people)
        me = (token.start for token in line.tokens if token.text.lower() in own)
        found.talkers |= dict.fromkeys(me, turn)
        for aside in line.asides:
            person = people.by_key.get(aside.name.form.key)
            if person is not None:
                found.asides.append((aside.where.start, person, aside.noun))
                found.beside |= dict.fromkeys(_noun_of(aside, line.tokens), person)
    found.mentions.sort(key=lambda one: one.start)
    found.asides.sort(key=lambda one: one[0])
    return found


def _noun_of(aside: Apposition, tokens: Sequence[Token]) -> Iterator[TextRange]:
    """Where the noun of an aside stands."""
    yield from (
        TextRange(token.start, token.end) for token in tokens
        if aside.where.start <= token.start < aside.where.end and token.text.lower() == aside.noun
    )  # fmt: skip


def told_apart(one: PersonMention, other: PersonMention) -> bool:
    """`the old man` is not `the young man`; the plain man may be either."""
    return bool(one.telling and other.telling and one.telling != other.telling)


class _Spoken:
    """In which turn a place of the text lies."""

    def __init__(self, talk: Sequence[Talk]) -> None:
        places = sorted(
            (where.start, where.end, turn) for turn, one in enumerate(talk) for where in one.quotations
        )
        self._places, self._starts = places, [start for start, _, _ in places]

    def turn(self, place: int) -> int | None:
        at = bisect_right(self._starts, place) - 1
        return self._places[at][2] if at >= 0 and place < self._places[at][1] else None


def _in_sentence(line: Sentence, number: int, turn: int | None, people: UnitCast) -> Iterator[PersonMention]:
    """The mentions of one sentence; where nobody has parsed it, by its words alone."""
    at = {word.start: word for word in line.words}
    named = set[int]()
    for use in name_uses(line.tokens):
        person = people.by_key.get(use.form.key)
        if person is not None:
            starts = [token.start for token in line.tokens[use.first : use.last]]
            named.update(starts)
            if person.kind not in NOT_SOMEBODY:
                top = _top([at[start] for start in starts if start in at])
                yield _placed(_by_name(use, person, number, turn), top, line.words)
    yield from _plain_in(line, number, turn, named)


def _by_name(use: NameUse, person: CastMember, number: int, turn: int | None) -> PersonMention:
    return PersonMention(TextRange(use.start, use.end), "name", use.text, number, turn, person.gender, person)


def _plain_in(line: Sentence, number: int, turn: int | None, named: set[int]) -> Iterator[PersonMention]:
    """Pronouns and nouns that are no part of a name, those that nobody has parsed last."""
    for word in line.words:
        if word.start not in named and (plain := _common(word, line.words, number, turn)):
            yield _placed(plain, word, line.words)
    seen = named.union(word.start for word in line.words)
    unseen = _unparsed(line.tokens, number, turn, seen)  # what stands beside a name was cut out
    yield from (one for one in unseen if one.sort == "pronoun" or not line.words)


def _common(word: Word, words: Sequence[Word], number: int, turn: int | None) -> PersonMention | None:
    """A pronoun, or a noun for one person."""
    text, where = word.text.lower(), TextRange(word.start, word.end)
    gender = wordmap("pronouns.gender").get(text)
    if gender in PEOPLE and not word.name:
        return PersonMention(where, "pronoun", text, number, turn, gender, case=_case_of(word, words))
    if word.pos != "NOUN" or word.tag == "NNS" or nouns().kind(word.lemma) != "character":
        return None
    one = PersonMention(where, "noun", word.lemma, number, turn, nouns().gender(word.lemma))
    one.picks_up, one.telling = _definite(word, words), _telling(word, words)
    more = said_to_be(word, words) or _beside(word, words)
    one.same_as = more.start if more is not None else None
    return one


def _beside(noun: Word, words: Sequence[Word]) -> Word | None:
    """Of whom a noun says more: `Pell stood in the doorway, a thin man`. Small parsers lose these, so the comma tells."""
    if noun.relation == "appos" and words[noun.head].name:
        return words[noun.head]
    article = _begins_an_aside(noun, words)
    if article is None:
        return None
    before = words[article - 2]
    if before.name or nouns().kind(before.lemma) == "character":
        return before
    return next((word for word in reversed(words[:article]) if word.dep in SUBJECTS), None)


def _begins_an_aside(noun: Word, words: Sequence[Word]) -> int | None:
    """Where the article of somebody new stands right behind a comma, if the noun is neither a subject nor joined to another word."""
    below = [word for word in words[: noun.position] if word.head == noun.position]
    article = next((word.position for word in below if word.relation == "det"), 0)
    new = words[article].text.lower() in owner_words().newcomer
    aside = new and article >= 2 and words[article - 1].text == ","
    return article if aside and not _is_joined(noun, below) else None


def _is_joined(noun: Word, below: Sequence[Word]) -> bool:
    return noun.dep in SUBJECTS or any(word.relation in {"cc", "case"} for word in below)


def _telling(noun: Word, words: Sequence[Word]) -> frozenset[str]:
    """The words before a noun that tell whom it means: `old`, `other`, `second`."""
    return frozenset(
        word.text.lower() for word in words[: noun.position]
        if word.head == noun.position and word.relation in {"amod", "compound", "nummod"}
    )  # fmt: skip


def _definite(noun: Word, words: Sequence[Word]) -> bool:
    """`the`, `that` or a possessive before it."""
    before = (word for word in words[: noun.position] if word.head == noun.position)
    return any(
        word.text.lower() in owner_words().picking_up for word in before
        if word.relation == "det" or word.dep == "nmod:poss"
    )  # fmt: skip


def _case_of(word: Word, words: Sequence[Word]) -> str:
    """The case of a pronoun; of `her right hand` the parser may have taken `her` for the object."""
    after = words[word.position + 1].text.lower() if word.position + 1 < len(words) else ""
    owns = word.text.lower() == "her" and after in owner_words().after_possessive
    return _case(word.text.lower(), "nmod:poss" if owns else word.dep)


def _case(pronoun: str, relation: str) -> str:
    """What a pronoun's form says; `her` is a possessive where the grammar says so."""
    return "possessive" if relation == "nmod:poss" else owner_words().case.get(pronoun, "objective")


def _placed(one: PersonMention, word: Word | None, words: Sequence[Word]) -> PersonMention:
    """The mention with what its word does in the sentence."""
    if word is None:
        return one
    if word.dep == "nmod:poss":
        thing = words[word.head]
        one.role, one.owned = "owner of subject" if thing.dep in SUBJECTS else "owner", thing.lemma
    else:
        one.role = "subject" if word.dep in SUBJECTS else _ROLE.get(word.relation, "other")
    head = word
    for _ in words:
        if head.relation in CLAUSES or head.head == head.position:
            break
        head = words[head.head]
    one.clause = head.start
    return one


def _top(words: Sequence[Word]) -> Word | None:
    """Of the words of a name the one that the others hang on."""
    inside = {word.position for word in words}
    above = (word for word in words if word.head not in inside or word.head == word.position)
    return next(above, words[-1] if words else None)


def _unparsed(
    tokens: Sequence[Token], number: int, turn: int | None, named: Iterable[int]
) -> Iterator[PersonMention]:
    """Pronouns and nouns of a sentence without grammar: what their form alone tells."""
    taken, genders = set(named), wordmap("pronouns.gender")
    for place, token in enumerate(tokens):
        if token.start in taken or token.name:
            continue
        text, where = token.text.lower(), TextRange(token.start, token.end)
        gender = genders.get(text)
        if gender in PEOPLE:
            owner = text == "her" and _owns_next(tokens, place)
            case = _case(text, "nmod:poss" if owner else "")
            role = {"nominative": "subject", "possessive": "owner"}.get(case, "other")
            yield PersonMention(where, "pronoun", text, number, turn, gender, case=case, role=role)
        elif nouns().kind(text) == "character":
            before = tokens[place - 1].text.lower() if place else ""
            picks_up = before in owner_words().picking_up
            yield PersonMention(where, "noun", text, number, turn, nouns().gender(text), picks_up=picks_up)


def _owns_next(tokens: Sequence[Token], place: int) -> bool:
    """Whether a noun can follow: a word that is none of the small ones."""
    after = tokens[place + 1].text.lower() if place + 1 < len(tokens) else ""
    return after[:1].isalpha() and after not in owner_words().after_objective
