"""Details found: each form of the table tried on each sentence that has one of its cues. Words in, words out; knows no entity."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from narraworld.extract.embedded.details.fitting_forms import fits
from narraworld.extract.embedded.details.masked import MaskedSentence
from narraworld.extract.embedded.details.table import DetailForm, DetailForms
from narraworld.extract.embedded.lexicon.inflection import verb_of
from narraworld.extract.embedded.lexicon.noun_kinds import noun_kinds
from narraworld.kb.english.normal_words import bare_name, singular
from narraworld.kb.normal import Pair, normal
from narraworld.kb.spans import TextRange

__all__ = ["FoundDetail", "details_in"]

HALF = 0.5  # of the uses of a noun
# kinds of nouns that tell one thing from another of its noun
TELLING = frozenset({"place", "thing", "vehicle", "person", "group"})
_WORD = re.compile(r"\w+")


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
    taken: set[tuple[str, str, bool, int]] = set()
    for form, match in fits(sentence):
        found = _found(sentence, form, match, table)
        if found is not None:
            key = form.kind, form.respect, form.total, found.where.end
            if key not in taken:
                taken.add(key)
                yield found


def _found(
    sentence: MaskedSentence, form: DetailForm, match: re.Match[str], table: DetailForms
) -> FoundDetail | None:
    where = TextRange(*match.span(_first_of(match, "value", "value2") or 0))
    value = _value(sentence, form, match, table, where)
    if _is_excepted(value, form):
        return None
    pairs = tuple(pair for pair in normal(form.respect, value) if pair.so)
    thing = _thing(sentence, form, match, table)
    if thing is None or not (pairs or form.any):
        return None
    who = TextRange(*match.span("who")) if match.groupdict().get("who") is not None else None
    quote = TextRange(sentence.where.start + match.start(), sentence.where.start + match.end())
    start = match.start() if form.negative else where.start
    doubtful = _doubtful(sentence, TextRange(start, match.end()), form, table)
    return FoundDetail(form, value, thing, where, quote, who, pairs, doubtful)


def _is_excepted(value: str, form: DetailForm) -> bool:
    last = value.lower().split()[-1:]
    return bool(last) and last[0] in form.but.split()


def _value(
    sentence: MaskedSentence, form: DetailForm, match: re.Match[str], table: DetailForms, where: TextRange
) -> str:
    """The value in the words of its form."""
    groups = match.groupdict()
    words = " ".join([*where.cut(sentence.text).split(), *filter(None, [groups.get("noun")])])
    value = form.value.replace("{value}", words)
    value = _exchanged(value, table.sides) if form.flip else value
    value = _exchanged(value, table.same_kin) if form.kind == "kin" else value
    value = verb_of(value.lower(), value.lower()) if form.verb else value
    return f"{_other(sentence, match)}'s {singular(value.lower())}" if groups.get("other") else value


def _other(sentence: MaskedSentence, match: re.Match[str]) -> str:
    """The name of the other of two: `Yusuf and Idris were brothers` makes Yusuf Idris's brother."""
    return TextRange(*match.span("other")).cut(sentence.text)


def _exchanged(value: str, others: Mapping[str, str]) -> str:
    """The value with other words for those that have them."""
    return _WORD.sub(lambda word: others.get(word[0].lower(), word[0]), value)


def _thing(
    sentence: MaskedSentence, form: DetailForm, match: re.Match[str], table: DetailForms
) -> str | None:
    """What it is said of: a thing, or a way by its ends; nothing of what is somebody's, None for a noun that is no thing."""
    groups = match.groupdict()
    if groups.get("end") and groups.get("end2"):  # in one order, whichever is named first: `mill – thorn`
        ends = (TextRange(*match.span(name)).cut(sentence.text) for name in ("end", "end2"))
        return " – ".join(sorted(map(bare_name, ends)))
    name = _first_of(match, "thing", "thing2")
    return "" if name is None else _called(sentence, form, match, table, name)


def _first_of(match: re.Match[str], *names: str) -> str | None:
    """The first of these groups that the form has found."""
    return next((one for one in names if match.groupdict().get(one)), None)


def _called(
    sentence: MaskedSentence, form: DetailForm, match: re.Match[str], table: DetailForms, name: str
) -> str | None:
    """A thing by its noun, with what tells it from others of that noun."""
    noun = match[name].lower()
    if noun in table.uncounted or not (noun_kinds().of(singular(noun)) or noun_kinds().of(noun)):
        return None
    plain = table.same_thing.get(singular(noun), singular(noun))
    before = sentence.masked[: match.start(name)].lower().split()[-1:]
    return " ".join([*filter(lambda word: _tells_apart(word, form, table), before), plain])


def _tells_apart(word: str, form: DetailForm, table: DetailForms) -> bool:
    """Whether the word before a noun tells one thing from another of it: a church clock is not the clock, nor a blue jug the white one."""
    kind = noun_kinds().of(word)
    noun = kind is not None and kind.kind in TELLING and kind.share >= HALF
    return noun or (form.kind in table.told_apart and word in table.telling)


def _doubtful(sentence: MaskedSentence, where: TextRange, form: DetailForm, table: DetailForms) -> bool:
    """Whether the words around it take it back: supposed, dreamed, denied, long past, or asked."""
    before, behind = sentence.masked[: where.start], sentence.masked[where.end :]
    asked = table.question.search(sentence.text.rstrip("”\"' ’"))
    turned = not form.given and (asked or table.denied.search(before))
    another_time = not form.deed and table.elsewhen.search(before)
    back_then = form.passing and table.then.search(before)
    one_day = form.usual and table.unusual.search(sentence.masked)
    supposed = table.supposed.search(before) or table.behind.search(behind)
    return bool(turned or another_time or back_then or one_day or supposed)
