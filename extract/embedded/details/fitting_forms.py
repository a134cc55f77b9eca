"""The forms of the table that fit a sentence, each match: tried are only those of which it has a cue and all the words they cannot do without.

Of some four hundred patterns a sentence has the words of three or four. Judges no match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from narraworld.base.needed_words import NeededWords, kept_needs
from narraworld.extract.embedded.details.masked import MaskedSentence
from narraworld.extract.embedded.details.table import DetailForm, detail_forms, pattern_of
from narraworld.extract.embedded.lexicon.language import Language, of_spoken

__all__ = ["fits"]

Numbers = frozenset[int]


@dataclass(frozen=True, slots=True)
class _NeedyForm:
    """A form with the needs of its cues, and of each of its shapes."""

    form: DetailForm
    cues: Numbers
    shapes: tuple[tuple[str, Numbers], ...]


@dataclass(frozen=True, slots=True)
class _NeedyForms:
    """All of them, in the order of the table."""

    words: NeededWords
    forms: tuple[_NeedyForm, ...]


def fits(sentence: MaskedSentence) -> Iterator[tuple[DetailForm, re.Match[str]]]:
    """Every match of every form, in the order of the table."""
    needy, low = of_spoken(_needy_forms), sentence.text.lower()
    met = {sentence.text: needy.words.met(sentence.text)}
    cued = met[sentence.text]
    for one in needy.forms:
        form = one.form
        if not one.cues <= cued or (form.unparsed and sentence.clauses):
            continue
        if any(cue in low for cue in form.cues):
            text = _text_for(form, sentence)
            there = met.get(text)
            if there is None:
                there = met[text] = needy.words.met(text)
            for shape, needs in one.shapes:
                if needs <= there:
                    yield from ((form, match) for match in pattern_of(shape).finditer(text))


def _text_for(form: DetailForm, sentence: MaskedSentence) -> str:
    """What a form is tried on: of the world names and all, of people without them."""
    return sentence.text if form.of == "world" else sentence.named if form.plain else sentence.masked


def _needy_forms(language: Language) -> _NeedyForms:
    forms = detail_forms().forms
    cues = ["|".join(map(re.escape, form.cues)) for form in forms]
    shapes = [shape for form in forms for shape in form.shapes]
    words = NeededWords(kept_needs(f"details-{language.name}", [*cues, *shapes], re.IGNORECASE))
    numbers = iter(words.of)
    of_cues = [next(numbers) for _ in forms]
    return _NeedyForms(
        words,
        tuple(
            _NeedyForm(form, cued, tuple((shape, next(numbers)) for shape in form.shapes))
            for form, cued in zip(forms, of_cues, strict=True)
        ),
    )
