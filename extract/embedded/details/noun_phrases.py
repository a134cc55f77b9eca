"""Details of things by grammar: what is done to them, how they are and where, whatever the words.

Lines of the style sheet. Which nouns and verbs count stands in `phrases.toml`; whose a thing is and which one is for others. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from narraworld.base.quick_dataclass import dataclass
from narraworld.extract.embedded.details.finding import FoundDetail
from narraworld.extract.embedded.details.masked import MaskedSentence
from narraworld.extract.embedded.details.table import DetailForm, detail_forms
from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.lexicon.language import Language, of_spoken
from narraworld.extract.embedded.lexicon.noun_kinds import NounKind, noun_kinds
from narraworld.extract.embedded.lexicon.nouns import nouns
from narraworld.kb.english.normal_words import singular
from narraworld.kb.spans import TextRange

__all__ = ["PhraseTable", "details_by_grammar", "hanging", "phrase_table"]

LONGEST = 70  # letters of a value
WHERE, USE, CONDITION = "location", "use", "condition"
DESCRIBING = frozenset(
    {"NOUN", "PROPN", "ADJ", "NUM", "VERB"}
)  # what may stand between an article and its noun
PLURAL = "NNS"
PARTS = frozenset({"det", "amod", "compound", "nmod", "nummod", "case"})  # of a phrase, before its noun
DEEDS = "deeds"  # the part of the table that is no sets of words
SUBJECT, OBJECT, WITH = "subject", "object", "with"  # else the preposition


@dataclass(frozen=True, slots=True)
class PhraseTable:
    """`phrases.toml` as values."""

    things: frozenset[str]
    places: frozenset[str]
    coloured: frozenset[str]
    never: frozenset[str]
    deeds: dict[str, str]  # a verb → the respect
    postures: frozenset[str]
    beside: frozenset[str]
    through: frozenset[str]
    used: frozenset[str]
    definite: frozenset[str]
    common: frozenset[str]
    again: frozenset[str]
    kin: frozenset[str]
    serving: frozenset[str]
    becoming: frozenset[str]
    running: frozenset[str]
    garments: frozenset[str]
    idle: frozenset[str]
    worn: frozenset[str]
    dressing: frozenset[str]
    talking: frozenset[str]
    spoken_into: frozenset[str]

    def thing(self, noun: Word) -> bool:
        found = noun_kinds().of(noun.lemma)
        return found is not None and found.kind in self.things

    def place(self, noun: Word) -> bool:
        found = noun_kinds().of(noun.lemma)
        return found is not None and found.kind in self.places

    def maybe(self, noun: Word) -> bool:
        """Whether a noun may be a thing where something is done to it that is done to things: the ring, a van."""
        found: NounKind | None = noun_kinds().of(noun.lemma)
        return found is None or found.kind not in self.never or not found.whole

    def is_somewhere(self, noun: Word) -> bool:
        """Whether a noun is one of which a text says where it is: a thing or a place."""
        return self.thing(noun) or self.place(noun)


def phrase_table() -> PhraseTable:
    return of_spoken(_phrase_table)


def _phrase_table(language: Language) -> PhraseTable:
    said = language.table("phrases")
    sets = {
        name: frozenset(words.split())
        for part, some in said.items()
        if part != DEEDS
        for name, words in some.items()
    }
    return PhraseTable(
        deeds={verb: respect for respect, verbs in said[DEEDS].items() for verb in verbs.split()}, **sets
    )


def details_by_grammar(sentence: MaskedSentence) -> Iterator[FoundDetail]:
    """Every line that the grammar of a sentence gives; none where nobody has parsed it."""
    if not sentence.clauses:
        return
    reading = _Reading(sentence, hanging(sentence.words), phrase_table())
    taken = set[tuple[int, str, str]]()
    for noun, respect, first, last in reading.lines():
        if (first.start, noun.lemma, respect) not in taken:
            taken.add((first.start, noun.lemma, respect))
            yield _found(sentence, respect, noun, first, last)


def hanging(words: Sequence[Word]) -> dict[int, list[Word]]:
    below: dict[int, list[Word]] = {}
    for word in words:
        if word.head != word.position:
            below.setdefault(word.head, []).append(word)
    return below


Line = tuple[
    Word, str, Word, Word
]  # the noun, the respect, and the first and last word of what is told of it


@dataclass(frozen=True, slots=True)
class _Reading:
    """A sentence with what hangs on each word."""

    sentence: MaskedSentence
    below: Mapping[int, Sequence[Word]]
    table: PhraseTable

    def lines(self) -> Iterator[Line]:
        held: Word | None = None  # what `it` means in the clauses behind
        for clause in self.sentence.clauses:
            yield from self._of_clause(clause, held)
            held = next((self._whole(one) for one in clause.objects if self._is_thing(one)), held)
        yield from self._where_things_are()

    def _of_clause(self, clause: Clause, held: Word | None) -> Iterator[Line]:
        for role, word in _arguments(clause):
            again = held if self._means_held(clause, role, word) else None
            noun = again or self._whole(word)
            respect = self._respect(clause, role, noun, known=noun is held)
            if respect is not None:
                yield noun, respect, *self._span(clause, word)

    def _means_held(self, clause: Clause, role: str, word: Word) -> bool:
        """`took the key and hid it`: whether a word stands for the thing of the clause before."""
        return role == OBJECT and clause.verb in self.table.deeds and word.text.lower() in self.table.again

    def _is_thing(self, word: Word) -> bool:
        return _is_noun(word) and self.table.maybe(word) and not self.table.place(word)

    def _whole(self, word: Word) -> Word:
        """`the middle of the causeway`: the causeway; where the parser stopped at the first of two nouns, the second: `the brass ring`."""
        word = self._last(word)
        parts = (one for one in self._on(word) if one.relation == "nmod" and self._case(one) == "of")
        whole = next(parts, None) if word.lemma in self.table.common else None
        return word if whole is None or whole.pos != "NOUN" else whole

    def _last(self, word: Word) -> Word:
        after = self.sentence.words[word.position + 1 : word.position + 2]
        joined = after and _is_noun(after[0]) and after[0].start == word.end + 1
        return self._last(after[0]) if joined and word.pos in DESCRIBING else word

    def _respect(self, clause: Clause, role: str, noun: Word, *, known: bool) -> str | None:
        """In which respect a clause tells of a thing, if it does."""
        if not self._is_told_of(noun, known):
            return None
        if clause.copular:
            return self._being(clause) if role == SUBJECT and self.table.is_somewhere(noun) else None
        if role == SUBJECT and clause.verb in self.table.postures:
            return WHERE if self._placed(clause) and self.table.is_somewhere(noun) else None
        return self._undergone(clause, role, noun) or self._use(clause, role, noun)

    def _is_told_of(self, noun: Word, known: bool) -> bool:
        return _is_noun(noun) and not nouns().nothing(noun.lemma) and (known or self._definite(noun))

    def _placed(self, clause: Clause) -> bool:
        return any(case in self.table.beside for case, _ in clause.phrases)

    def _undergone(self, clause: Clause, role: str, noun: Word) -> str | None:
        """The respect of a deed that is done to a thing."""
        done = role == OBJECT or (role == SUBJECT and clause.passive)
        respect = self.table.deeds.get(clause.verb) if done else None
        if respect == WHERE and not self._says_where(clause):
            return None
        return respect if respect is not None and self.table.maybe(noun) and self._one(noun) else None

    def _says_where(self, clause: Clause) -> bool:
        """Whether a deed by which a thing changes its place says to where or from where; `took off his ring`, `carried the urn` do not."""
        if clause.particle is not None:
            return clause.particle not in self.table.dressing
        return any(case != WITH for case, _ in clause.phrases) or bool(clause.adverbs & self.table.beside)

    def _use(self, clause: Clause, role: str, noun: Word) -> str | None:
        if not self._one(noun) or role not in self.table.used or self._put_to_no_use(clause, role, noun):
            return None
        used = self.table.thing(noun) or (role in self.table.through and self.table.place(noun))
        return USE if used else None

    def _put_to_no_use(self, clause: Clause, role: str, noun: Word) -> bool:
        """`wanted his boots`; `came down in her slippers`; `left the oars on the raft`, where the oars are put; `said in the van`."""
        table = self.table
        if role == OBJECT:
            return clause.verb in table.idle or clause.particle in table.dressing
        worn = role in table.worn and noun.lemma in table.garments
        goes_there = bool(clause.objects) and clause.verb in table.deeds and role != WITH
        return worn or goes_there or (clause.verb in table.talking and role not in table.spoken_into)

    def _being(self, clause: Clause) -> str | None:
        if clause.preposition in self.table.beside:
            return WHERE
        return CONDITION if any(one.pos == "ADJ" for one in clause.predicates) else None

    def _where_things_are(self) -> Iterator[Line]:
        """`the camera over the drug room`, `the town on the north bank`."""
        for noun in self.sentence.words:
            if self._is_known(noun) and self.table.is_somewhere(noun):
                for place in self._on(noun):
                    if self._tells_where(noun, place):
                        yield noun, WHERE, self._first(noun), place

    def _is_known(self, noun: Word) -> bool:
        return _is_noun(noun) and self._definite(noun) and self._one(noun)

    def _tells_where(self, noun: Word, place: Word) -> bool:
        """Whether what hangs on a noun stands right behind it and says where it is."""
        near = noun.position < place.position <= noun.position + NEAR
        where = place.relation == "nmod" and place.pos == "NOUN"
        return near and where and self._case(place) in self.table.beside

    def _on(self, word: Word) -> Sequence[Word]:
        return self.below.get(word.position, ())

    def _case(self, word: Word) -> str | None:
        return next((one.text.lower() for one in self._on(word) if one.relation == "case"), None)

    def _definite(self, noun: Word) -> bool:
        """Whether it is one of which the reader knows: by the words before it, since the parser may hang the article elsewhere."""
        first = self._joined(noun)
        before = self.sentence.words[first.position - 1] if first.position else None
        return before is not None and (
            before.text.lower() in self.table.definite or before.dep == "nmod:poss" or before.tag == "POS"
        )

    def _joined(self, noun: Word) -> Word:
        """The first of the words that stand right before a noun and belong to it."""
        before = self.sentence.words[noun.position - 1] if noun.position else noun
        inside = (
            before.pos in DESCRIBING
            and before.dep != "nmod:poss"
            and before is not noun
            and before.text.isalpha()
        )
        return self._joined(before) if inside and before.end + 1 == noun.start else noun

    def _one(self, noun: Word) -> bool:
        """Whether it is one thing, and not one of many that every house has."""
        apart = self._joined(noun) is not noun or any(one.dep == "nmod:poss" for one in self._on(noun))
        return apart or noun.lemma not in self.table.common

    def _span(self, clause: Clause, word: Word) -> tuple[Word, Word]:
        """From the verb to the phrase, or from the phrase to the verb."""
        ends = [clause.head, word, self._first(word), *clause.predicates]
        behind = [one for _, one in clause.phrases if one.position > clause.head.position]
        ends += behind[:1] if word in clause.objects or word in clause.subjects else []
        return min(ends, key=lambda one: one.start), max(ends, key=lambda one: one.end)

    def _first(self, word: Word) -> Word:
        """The first word of the phrase before its noun."""
        inside = [
            self._first(one)
            for one in self._on(word)
            if one.relation in PARTS and one.position < word.position
        ]
        return min((word, *inside), key=lambda one: one.position)


NEAR = 6  # words between a thing and where it is


def _is_noun(word: Word) -> bool:
    return not word.name and (word.pos == "NOUN" or (word.pos == "PROPN" and word.text.islower()))


def _arguments(clause: Clause) -> Iterator[tuple[str, Word]]:
    yield from ((OBJECT, word) for word in clause.objects)
    yield from ((SUBJECT, word) for word in clause.subjects)
    yield from clause.phrases


def _found(sentence: MaskedSentence, respect: str, noun: Word, first: Word, last: Word) -> FoundDetail:
    start, end = first.start, max(first.end, min(last.end, first.start + LONGEST))
    where = TextRange(start - sentence.where.start, end - sentence.where.start)
    value = " ".join(where.cut(sentence.text).split())
    form = DetailForm(respect, "things", (), (), of="thing", any=True, sheet=True)
    several = respect == USE and noun.tag == PLURAL  # whoever uses the canoes may leave the broken one out
    name = noun.text.lower() if several else _name(noun)
    return FoundDetail(form, value, name, where, TextRange(start, end), None, (), False)


def _name(noun: Word) -> str:
    """A noun in its plain form; of a joined one the parser may only know a half."""
    name = singular(noun.text.lower()) if "-" in noun.text else noun.lemma
    return detail_forms().same_thing.get(name, name)
