"""Who somebody is, by grammar: a trade or a relative, as a predicate, beside the name, behind `as` or `years a …`; and whose relative.

`the house's only plumber`, `thirty years a guard`, `I'm only Odrun's grandson`. Lines of the style sheet; which nouns count stands in
tables. Resolves nobody. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator

from narraworld.extract.embedded.details.finding import FoundDetail
from narraworld.extract.embedded.details.masked import MaskedSentence
from narraworld.extract.embedded.details.noun_phrases import PhraseTable, hanging, phrase_table
from narraworld.extract.embedded.details.table import DetailForm
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.lexicon.trades import trades
from narraworld.kb.normal import normal
from narraworld.kb.spans import TextRange
from narraworld.ontology.respects import respects

__all__ = ["people_by_grammar"]

TRADE = DetailForm("occupation", "work", (), (), any=True)
WORK = DetailForm("occupation", "work", (), (), any=True, sheet=True)
RELATIVE = DetailForm("relation", "kin", (), (), any=True, sheet=True)
KIN = DetailForm("kinship", "kin", (), (), any=True)
WORN = DetailForm("clothing", "clothes", (), (), any=True, sheet=True)
NARROWING = frozenset({"amod", "compound"})
YEAR = "year"


def people_by_grammar(sentence: MaskedSentence) -> Iterator[FoundDetail]:
    """Trades and relatives of a sentence, each with whom it is said of."""
    if not sentence.clauses:
        return
    table, below = phrase_table(), hanging(sentence.words)
    for noun in sentence.words:
        if noun.pos == "NOUN" and not noun.name:
            yield from _Noun(sentence, noun, below, table).told()
    yield from _at_work(sentence, table)
    yield from _worn(sentence, table)


class _Noun:
    """A noun with what hangs on it."""

    def __init__(
        self, sentence: MaskedSentence, noun: Word, below: dict[int, list[Word]], table: PhraseTable
    ) -> None:
        self._sentence, self._noun, self._below, self._table = sentence, noun, below, table

    def told(self) -> Iterator[FoundDetail]:
        noun = self._noun
        if noun.tag != "NNS" and trades().is_trade(noun.lemma) and (who := self._who()) is not None:
            yield _found(self._sentence, TRADE, self._first(), noun, who)
        if noun.lemma in respects().words.kin or noun.lemma in self._table.kin:
            yield from self._relative()

    def _relative(self) -> Iterator[FoundDetail]:
        """`I'm only Odrun's grandson`: of whom it is said, and of Odrun; `her cousin` is told of her alone."""
        owner = next((one for one in self._on(self._noun) if one.dep == "nmod:poss"), None)
        if owner is None:
            return
        who = self._who()
        if who is not None:
            yield _found(self._sentence, KIN if owner.name else RELATIVE, owner, self._noun, who)
        if who is not None or owner.pos != "PRON" or self._noun.lemma in self._table.kin:
            yield _found(self._sentence, RELATIVE, owner, self._noun, owner)

    def _who(self) -> Word | None:
        """Of whom the noun says what they are."""
        noun = self._noun
        head = self._sentence.words[noun.head]
        if self._has(noun, "cop"):
            asked = noun.relation == "ccomp"  # `asked him who was prime minister`
            return None if asked or self._has(noun, "case") else self._subject(noun)
        if noun.relation == "appos" and (head.name or head.pos in {"PRON", "NOUN"}):
            return head
        return self._subject(head) if self._is_said_with(head) else None

    def _is_said_with(self, head: Word) -> bool:
        """`thirty years a guard`, `worked as a guard`, `became a guard`: whether it is of whoever the word above it is said of."""
        noun = self._noun
        if head.lemma == YEAR and noun.position > head.position and self._has(noun, "det"):
            return True
        if head.pos != "VERB":
            return False
        serves = noun.lemma in respects().words.kin or head.lemma in self._table.serving
        if serves and self._case() == "as":
            return True
        return noun.relation in {"xcomp", "obj"} and head.lemma in self._table.becoming

    def _subject(self, word: Word) -> Word | None:
        return next((one for one in self._on(word) if one.relation == "nsubj"), None)

    def _on(self, word: Word) -> list[Word]:
        return self._below.get(word.position, [])

    def _has(self, word: Word, relation: str) -> bool:
        return any(one.relation == relation for one in self._on(word))

    def _case(self) -> str | None:
        return next((one.text.lower() for one in self._on(self._noun) if one.relation == "case"), None)

    def _first(self) -> Word:
        """The first of the words that narrow the noun: `renal consultant`, `heart surgeon`."""
        inside = [
            one
            for one in self._on(self._noun)
            if one.relation in NARROWING and one.position < self._noun.position
        ]
        return min((self._noun, *inside), key=lambda one: one.position)


def _at_work(sentence: MaskedSentence, table: PhraseTable) -> Iterator[FoundDetail]:
    """`kept the pawnshop by the stairs`, `who owned the rope-walk`."""
    for clause in sentence.clauses:
        for thing in clause.objects:
            if clause.subjects and clause.verb in table.running and trades().is_workplace(thing.lemma):
                yield _found(sentence, WORK, clause.head, thing, clause.subjects[0])


def _found(sentence: MaskedSentence, form: DetailForm, first: Word, last: Word, who: Word) -> FoundDetail:
    base, meant = sentence.where.start, _meant(sentence, who)
    start, end = min(first.start, last.start), max(first.end, last.end)
    where = TextRange(start - base, end - base)
    value = " ".join(where.cut(sentence.text).split())
    quote = TextRange(min(start, who.start) if abs(start - who.start) < FAR else start, end)
    pairs = tuple(pair for pair in normal(form.respect, value) if pair.so) if not form.sheet else ()
    return FoundDetail(form, value, "", where, quote, meant, pairs, False)


def _meant(sentence: MaskedSentence, who: Word) -> TextRange:
    """The words that mean somebody, of which one is given: of `Mother Inch` both."""
    names = (one.where for one in sentence.mentions if one.where.start <= who.start < one.where.end)
    found = next(names, TextRange(who.start, who.end))
    return TextRange(found.start - sentence.where.start, found.end - sentence.where.start)


def _worn(sentence: MaskedSentence, table: PhraseTable) -> Iterator[FoundDetail]:
    """`smoothed the black skirt over her knees`: what whoever acts has on, or takes off."""
    for clause in sentence.clauses:
        for noun in clause.objects:
            if noun.lemma in table.garments and clause.subjects and not clause.passive:
                yield _found(sentence, WORN, clause.head, noun, clause.subjects[0])


FAR = 60  # letters between somebody and what they are said to be
