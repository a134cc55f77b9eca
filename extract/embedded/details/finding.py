"""Details found: each form of the table tried on each sentence that has one of its cues. Words in, words out; knows no entity."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from narraworld.extract.embedded.details.masked import MaskedSentence
from narraworld.extract.embedded.details.table import DetailForm, DetailForms
from narraworld.kb.normal import Pair, normal
from narraworld.kb.spans import TextRange

__all__ = ["FoundDetail", "details_in"]

SIDES = {"left": "right", "right": "left"}
_SIDE = re.compile(r"\b(left|right)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FoundDetail:
    """A detail before anybody is asked whose it is: its form, its value, the thing it is said of, its place, its normal words."""

    form: DetailForm
    value: str
    thing: str
    where: TextRange  # in the sentence
    quote: TextRange  # in the unit: the words that say it
    who: TextRange | None  # in the sentence: the words for whose it is, where the form has them
    pairs: tuple[Pair, ...]
    doubtful: bool


def details_in(sentence: MaskedSentence, table: DetailForms) -> Iterator[FoundDetail]:
    """Every detail of a sentence, the first form that finds it at a place alone."""
    low = sentence.text.lower()
    taken: set[tuple[str, str, int]] = set()
    for form in table.forms:
        if any(cue in low for cue in form.cues):
            for found in _of_form(sentence, form, table):
                key = found.form.kind, found.form.respect, found.where.end
                if key not in taken:
                    taken.add(key)
                    yield found


def _of_form(sentence: MaskedSentence, form: DetailForm, table: DetailForms) -> Iterator[FoundDetail]:
    for pattern in form.patterns:
        for match in pattern.finditer(sentence.masked):
            found = _found(sentence, form, match, table)
            if found is not None:
                yield found


def _found(
    sentence: MaskedSentence, form: DetailForm, match: re.Match[str], table: DetailForms
) -> FoundDetail | None:
    groups = match.groupdict()
    name = "value" if groups.get("value") is not None else "value2" if groups.get("value2") else ""
    where = TextRange(*match.span(name)) if name else TextRange(*match.span())
    words = " ".join(where.cut(sentence.text).split())
    noun = groups.get("noun")
    value = form.value.replace("{value}", f"{words} {noun}" if noun else words)
    value = _SIDE.sub(lambda side: SIDES[side[0].lower()], value) if form.flip else value
    pairs = tuple(pair for pair in normal(form.respect, value) if pair.so)
    if not pairs and not form.any:
        return None
    who = TextRange(*match.span("who")) if groups.get("who") is not None else None
    quote = TextRange(
        sentence.where.start + (where.start if form.of == "person" and who is None else match.start()),
        sentence.where.start + max(where.end, match.end()),
    )
    thing = groups.get("thing") or groups.get("thing2") or ""
    doubtful = _doubtful(sentence, match.start() if form.negative else where.start, match.end(), table)
    return FoundDetail(form, value, thing.lower(), where, quote, who, pairs, doubtful)


def _doubtful(sentence: MaskedSentence, start: int, end: int, table: DetailForms) -> bool:
    """Whether the words around it take it back: supposed, dreamed, denied, long past, or asked."""
    before, behind = sentence.masked[:start], sentence.masked[end:]
    asked = table.question.search(sentence.text.rstrip("”\"' ’"))
    return bool(table.doubt_before.search(before) or table.doubt_behind.search(behind) or asked)
