"""The conversations of a unit: quotations, the signs beside them, and the speakers they point to.

    text → quotations → turns with tags, actions and calls → speakers → turns with speaker and addressees

Works on words, before any grammar. Writes no record; that is for `speeches.py`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from narraworld.base.settings import DialogueSettings
from narraworld.extract.embedded.grammar.name_spans import name_uses
from narraworld.extract.embedded.grammar.parser import Token
from narraworld.extract.embedded.layout.document import UnitDocument
from narraworld.extract.embedded.layout.quotations import Quotation
from narraworld.extract.embedded.layout.sentences import paragraphs
from narraworld.extract.embedded.lexicon.function_words import wordset
from narraworld.extract.embedded.lexicon.owner_words import owner_words
from narraworld.extract.embedded.people.cast import NARRATOR, CastMember, UnitCast
from narraworld.extract.embedded.talk.attribution import Scenery, SpeechTurn, attribute
from narraworld.extract.embedded.talk.speech_tags import ENDS, Tag, Who, acting, tag_after, tag_before
from narraworld.extract.embedded.talk.vocatives import Vocatives, calls_in
from narraworld.kb.spans import TextRange

__all__ = ["Dialogue", "dialogue_of"]


SETTINGS = DialogueSettings()


@dataclass(slots=True)
class Dialogue:
    """Every turn of a unit, and the teller if it is one of the people."""

    turns: list[SpeechTurn] = field(default_factory=list)
    narrator: CastMember | None = None


def dialogue_of(text: str, lines: UnitDocument, people: UnitCast) -> Dialogue:
    """The turns of a text, each with its speaker as far as that can be told."""
    told = [line.tokens for line in lines.told]
    page = _Narration(text, told)
    spoken = [[line.tokens for line in said] for said in lines.spoken]
    turns = list(_turns(text, lines.quoted, spoken, page))
    narrator = _teller(people, told)
    scenery = Scenery(page.named(people, narrator), page.actors())
    attribute(turns, people, scenery, narrator)
    if narrator is not None and (
        _says_own_name(narrator, turns, told, people) or _name_the_teller(narrator, turns, people, scenery)
    ):
        attribute(turns, people, scenery, narrator)
    return Dialogue(turns, narrator)


class _Narration:
    """The words of the narration, found by place."""

    def __init__(self, text: str, told: Sequence[Sequence[Token]]) -> None:
        self.told = told
        self.tokens = [token for tokens in told for token in tokens]
        self.starts = [token.start for token in self.tokens]
        self.paragraphs = list(paragraphs(text))
        self.first = [one.start for one in self.paragraphs]

    def between(self, start: int, end: int) -> list[Token]:
        return self.tokens[bisect_left(self.starts, start) : bisect_left(self.starts, end)]

    def paragraph(self, at: int) -> int:
        return max(0, bisect_left(self.first, at + 1) - 1)

    def named(self, people: UnitCast, teller: CastMember | None) -> dict[int, list[CastMember]]:
        """Who is named in which paragraph; a teller names himself by `I`; of Ann's house is told whose it is, of Tom who had gone home that he is not here."""
        found: dict[int, list[CastMember]] = {}
        for tokens in self.told:
            if teller is not None and (mine := next((token for token in tokens if token.text == "I"), None)):
                found.setdefault(self.paragraph(mine.start), []).append(teller)
            for use in name_uses(tokens):
                person = people.by_key.get(use.form.key)
                if person is not None and not _elsewhere(tokens, use.last):
                    found.setdefault(self.paragraph(use.start), []).append(person)
        return found

    def actors(self) -> dict[int, Who]:
        """Who acts in the last sentence of each paragraph."""
        found: dict[int, Who] = {}
        for tokens in self.told:
            if tokens and (who := acting(tokens)):
                found[self.paragraph(tokens[0].start)] = who
        return found


def _elsewhere(tokens: Sequence[Token], after: int) -> bool:
    """Whether the name that ends here only says whose something is, or who had gone."""
    following = [token.text.lower() for token in tokens[after : after + 2]]
    if following[:1] and following[0] in wordset("clitics.possessive"):
        return True
    had, gone = wordset("auxiliaries.earlier"), wordset("talk.gone")
    return len(following) == 2 and following[0] in had and following[1] in gone


def _turns(
    text: str, quoted: Sequence[Quotation], spoken: Sequence[Sequence[Sequence[Token]]], page: _Narration
) -> Iterable[SpeechTurn]:
    turn: SpeechTurn | None = None
    for nth, (one, sentences) in enumerate(zip(quoted, spoken, strict=True)):
        mine, calls = _alone(text, quoted, nth, page), calls_in(sentences)
        mine.answers = nth > 0 and _answers(text, quoted[nth - 1], one)
        mine.answered = nth + 1 < len(quoted) and _answers(text, one, quoted[nth + 1])
        if turn is not None and _goes_on(turn, one, mine):
            turn.quotations.append(one)
            turn.tag = turn.tag or mine.tag
            turn.calls = _joined(turn.calls, calls)
            continue
        if turn is not None:
            yield turn
        turn = mine
        turn.calls = _joined(mine.calls, calls)
    if turn is not None:
        yield turn


def _goes_on(turn: SpeechTurn, one: Quotation, mine: SpeechTurn) -> bool:
    """Whether a quotation continues the turn: the same paragraph without another tag, or a paragraph left open."""
    if one.labels or mine.answers or (mine.answered and mine.tag is None):
        return False
    if one.paragraph != turn.last:
        return one.continues
    if turn.answers and turn.tag is None and mine.tag is not None:
        return False
    return mine.tag is None or turn.tag is None or _may_be_one(turn.tag.who, mine.tag.who)


def _may_be_one(who: Who, other: Who) -> bool:
    """Whether a second tag may mean who the first does: the same words, or `she said` behind a name; not `I said` behind `she said`."""
    if who.text == other.text:
        return True
    if other.sort != "pronoun" or (other.gender == "me") != (who.gender == "me"):
        return False
    return who.gender == other.gender or None in (who.gender, other.gender)


def _answers(text: str, one: Quotation, other: Quotation) -> bool:
    """Whether a quotation stands right behind another in its paragraph, `“Where is it?” “In the barn.”`: nobody closes their words to go on at once."""
    return one.paragraph == other.paragraph and not text[one.where.end : other.where.start].strip()


def _joined(one: Vocatives, other: Vocatives) -> Vocatives:
    return Vocatives(
        one.names + other.names, one.genders | other.genders, one.about + other.about, one.own + other.own
    )


def _alone(text: str, quoted: Sequence[Quotation], nth: int, page: _Narration) -> SpeechTurn:
    """A quotation by itself, with the tag and the actions around it."""
    one = quoted[nth]
    if one.labels:
        labels = tuple(label.cut(text) for label in one.labels)
        return SpeechTurn([one], None, [], Vocatives(one.to), one.paragraph, labels)
    around = page.paragraphs[one.paragraph]
    before = _stretch(page, quoted, nth, -1, around)
    after = _stretch(page, quoted, nth, 1, around)
    tag = (None if _anew(text, one, after) else tag_after(after)) or tag_before(before)
    if tag is None and _opens(quoted, nth, around):
        tag = _announced(text, page, one.paragraph - 1)
    named = tuple(use.text for use in name_uses(before))
    return SpeechTurn([one], tag, _beats(before, after), Vocatives(), one.paragraph, near=named)


def _beats(before: list[Token], after: list[Token]) -> list[Who]:
    """Who acts beside a quotation: `She closed the door. “…”`"""
    return [who for part in (_whole_sentences(before), after) if part and (who := acting(part))]


def _opens(quoted: Sequence[Quotation], nth: int, around: TextRange) -> bool:
    """Whether a quotation is the first thing in its paragraph, and another paragraph stands before."""
    one = quoted[nth]
    first = nth == 0 or quoted[nth - 1].paragraph != one.paragraph
    return first and one.where.start == around.start and one.paragraph > 0


def _anew(text: str, one: Quotation, after: Sequence[Token]) -> bool:
    """Whether what follows is a sentence of its own: `“Come in.” He turned and said …`."""
    first = after[0].text if after else ""
    ended = one.words.cut(text).rstrip()[-1:] == "."
    return first in wordset("talk.anew") or (ended and first[:1].isupper())


def _stretch(
    page: _Narration, quoted: Sequence[Quotation], nth: int, step: int, around: TextRange
) -> list[Token]:
    """The narration between a quotation and the next one on this side, within the paragraph."""
    other = quoted[nth + step] if 0 <= nth + step < len(quoted) else None
    mine = quoted[nth].where
    if step < 0:
        start = other.where.end if other is not None and other.where.end > around.start else around.start
        return page.between(start, mine.start)
    end = other.where.start if other is not None and other.where.start < around.end else around.end
    return page.between(mine.end, end)


def _whole_sentences(tokens: list[Token]) -> list[Token]:
    """The last sentence before the quotation."""
    last = len(tokens) - 1
    while last > 0 and tokens[last - 1].text not in ENDS:
        last -= 1
    return tokens[max(0, last) :]


def _announced(text: str, page: _Narration, paragraph: int) -> Tag | None:
    """The tag of a paragraph that ends with a colon or comma: `Then she said:`."""
    around = page.paragraphs[paragraph]
    if around.cut(text).rstrip(" \n-—–")[-1:] not in {":", ","}:
        return None
    return tag_before(page.between(around.start, around.end))


# -- the teller


def _teller(people: UnitCast, told: Sequence[Sequence[Token]]) -> CastMember | None:
    """The narrator as a person, when the narration says `I`."""
    said = sum(token.text == "I" for tokens in told for token in tokens)
    if said < SETTINGS.first_person:
        return None
    first = next(token for tokens in told for token in tokens if token.text == "I")
    known = next((one for one in people.persons if NARRATOR in one.forms.values()), None)
    teller = known or CastMember({NARRATOR: NARRATOR}, kind="character")
    teller.start, teller.end = first.start, first.end
    return teller


def _says_own_name(
    narrator: CastMember, turns: Sequence[SpeechTurn], told: Sequence[Sequence[Token]], people: UnitCast
) -> bool:
    """`My name is Eve`, `“I'm Eve,” I said`: a teller who says the own name is one with whoever bears it."""
    said = [name for tokens in told for name in _own_names(tokens)]
    said += [name for turn in filter(_is_mine, turns) for name in turn.calls.own]
    bearers = {id(person): person for person in filter(None, map(people.called, said))}
    if len(bearers) != 1 or id(narrator) in bearers:
        return False
    _join_teller(narrator, next(iter(bearers.values())), people)
    return True


def _is_mine(turn: SpeechTurn) -> bool:
    """`… ,” I said`."""
    return turn.tag is not None and turn.tag.who.head in wordset("pronouns.me")


def _own_names(tokens: Sequence[Token]) -> Iterable[str]:
    """The names in a sentence behind `my name is`."""
    words = [token.text.lower() for token in tokens]
    for use in name_uses(tokens):
        if any(
            tuple(words[use.first - len(phrase) : use.first]) == phrase for phrase in owner_words().own_name
        ):
            yield use.text


def _name_the_teller(
    narrator: CastMember, turns: Sequence[SpeechTurn], people: UnitCast, scenery: Scenery
) -> bool:
    """Whom others call in talk with the teller, and the narration never names: that is the teller."""
    named = Counter(id(person) for found in scenery.named.values() for person in found)
    named.update(id(person) for turn in turns for name in turn.calls.about if (person := people.called(name)))
    votes = _votes_for_teller(narrator, turns, people)
    ranked = [(person, count) for person, count in votes if count > named[id(person)]]
    if not _is_clear([count for _, count in ranked]):
        return False
    _join_teller(narrator, ranked[0][0], people)
    return True


def _is_clear(counts: list[int]) -> bool:
    """Whether the first has votes enough, and enough more than the next."""
    if not counts or counts[0] < SETTINGS.calls:
        return False
    return len(counts) == 1 or counts[0] >= SETTINGS.lead * counts[1]


def _votes_for_teller(
    narrator: CastMember, turns: Sequence[SpeechTurn], people: UnitCast
) -> list[tuple[CastMember, int]]:
    """Who is called how often by those beside whom the teller speaks, most often first."""
    called = Counter[str]()
    for nth, turn in enumerate(turns):
        near = {
            id(beside.speaker) for beside in turns[max(0, nth - 1) : nth + 2] if beside.speaker is not None
        }
        if id(narrator) in near and turn.speaker is not narrator:
            called.update(turn.calls.names)
    votes, met = Counter[int](), dict[int, CastMember]()
    for name, count in called.items():
        person = people.called(name)
        if person is not None and person is not narrator:
            votes[id(person)] += count
            met[id(person)] = person
    return [(met[key], count) for key, count in votes.most_common()]


def _join_teller(narrator: CastMember, person: CastMember, people: UnitCast) -> None:
    """The teller takes over the names of somebody who turns out to be nobody else."""
    narrator.forms |= person.forms
    narrator.counts += person.counts
    narrator.gender = narrator.gender or person.gender
    narrator.id = narrator.id or person.id
    for key in person.forms:
        people.by_key[key] = narrator
    people.persons = [one for one in people.persons if one is not person]
