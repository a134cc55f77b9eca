"""What colour things are, by grammar: `the red door`, `on its blue cord`, whosever they are.

A colour beside its noun; which nouns are things stands in `phrases.toml`, which words are colours in the ontology. Resolves nobody. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from narraworld.extract.embedded.details.being import NARROWING
from narraworld.extract.embedded.details.finding import FoundDetail
from narraworld.extract.embedded.details.masked import MaskedSentence
from narraworld.extract.embedded.details.noun_phrases import hanging, phrase_table
from narraworld.extract.embedded.details.table import DetailForm, detail_forms
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.lexicon.noun_kinds import noun_kinds
from narraworld.kb.normal import normal
from narraworld.kb.spans import TextRange

__all__ = ["coloured_things"]

COLOUR = DetailForm("colour", "clothes", (), (), of="thing")
TELLING_APART = DetailForm(
    "colour", "clothes", (), (), of="thing", sheet=True
)  # the white jug: not the blue one


def coloured_things(sentence: MaskedSentence) -> Iterator[FoundDetail]:
    """Every thing of a sentence that has one colour."""
    below = hanging(sentence.words) if sentence.clauses else {}
    for noun in sentence.words:
        if noun.pos == "NOUN" and noun.position in below and _is_thing(noun):
            yield from _coloured(sentence, noun, below)


def _is_thing(noun: Word) -> bool:
    return not noun.name and noun_kinds().surely(noun.lemma) in phrase_table().coloured


def _coloured(
    sentence: MaskedSentence, noun: Word, below: Mapping[int, Sequence[Word]]
) -> Iterator[FoundDetail]:
    words = [one for one in below[noun.position] if one.position < noun.position]
    colours = [one for one in words if one.relation in NARROWING and _is_colour(one)]
    if len(colours) != 1 or any(_tells_apart(one) for one in words if one not in colours):
        return
    colour, base = colours[0], sentence.where.start
    joined = [one.lemma.lower() for one in words if one.relation == "compound" and one not in colours]
    pairs = tuple(pair for pair in normal(COLOUR.respect, colour.text.lower()) if pair.so)
    where = TextRange(colour.start - base, colour.end - base)
    quote = TextRange(colour.start, noun.end)
    form = COLOUR if any(one.dep == "nmod:poss" for one in words) else TELLING_APART
    yield FoundDetail(
        form, colour.text.lower(), " ".join([*joined, noun.lemma]), where, quote, None, pairs, False
    )


def _is_colour(word: Word) -> bool:
    return any(pair.so and pair.exact for pair in normal(COLOUR.respect, word.text.lower()))


def _tells_apart(word: Word) -> bool:
    """Whether a word tells one thing from another of its noun, as a colour may: `the other red door`."""
    return word.lemma.lower() in detail_forms().telling
