"""Details written down: as a state of the world where nobody else can be meant and the narration says it, else as a detail.

A detail is no fact of the story: the style sheet and checks read it, views and questions do not. The quote is always the words that say it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from narraworld.extract.embedded.details.being import people_by_grammar
from narraworld.extract.embedded.details.coloured import coloured_things
from narraworld.extract.embedded.details.finding import FoundDetail, details_in
from narraworld.extract.embedded.details.masked import MaskedSentence, masked_sentences
from narraworld.extract.embedded.details.naming import write_names
from narraworld.extract.embedded.details.noun_phrases import details_by_grammar
from narraworld.extract.embedded.details.owning import SURE, UNSURE, Belonging, belonging
from narraworld.extract.embedded.details.table import DetailForms, detail_forms
from narraworld.extract.embedded.layout.document import UnitDocument
from narraworld.extract.embedded.people.trail import PersonMention
from narraworld.extract.embedded.unit import UnitState
from narraworld.kb.normal import Pair
from narraworld.kb.numbers import number_in
from narraworld.kb.propositions import Statement
from narraworld.kb.spans import TextRange
from narraworld.ontology.respects import respects

__all__ = ["write_particulars"]

EARLIER = 6  # mentions before a sentence that are looked back at
WHEN = "when"
_OLD = re.compile(r"[- ]years?(?:[- ]old| of age)$")
_BASIS = {True: "done", False: "described"}


def write_particulars(unit: UnitState, document: UnitDocument) -> None:
    """Add every detail of a unit, told or said, and every time that it names."""
    table, trail = detail_forms(), unit.owners.trail
    earlier: list[PersonMention] = []
    for sentence in masked_sentences(unit.delta.unit.text, document, trail):
        for found in _each(sentence, table):
            whose = (
                belonging(found, sentence, earlier, unit.owners, table)
                if found.form.of == "person"
                else Belonging(None, UNSURE if found.doubtful or sentence.said else SURE)
            )
            _write(unit, sentence, found, whose)
        for line in details_by_grammar(sentence):
            _write_detail(unit, sentence, line, Belonging(None, SURE), listed=True)
        _write_times(unit, sentence)
        earlier = [*earlier, *sentence.mentions][-EARLIER:]
    write_names(unit, document)


def _each(sentence: MaskedSentence, table: DetailForms) -> Iterator[FoundDetail]:
    """Every detail of a sentence, by its words, then by its grammar where the words gave none at the same place."""
    met = set[tuple[str, int]]()
    for found in details_in(sentence, table):
        met.add((found.form.respect, found.where.end))
        yield found
    for found in (*people_by_grammar(sentence), *coloured_things(sentence)):
        if (found.form.respect, found.where.end) not in met:
            yield found


def _write(unit: UnitState, sentence: MaskedSentence, found: FoundDetail, whose: Belonging) -> None:
    """A state, where it is a fact that no record of the unit says already; what is said again is a line of the sheet."""
    unit.held.ledger.by = found.form.row
    facts = list(_statements(found, whose)) if _is_fact(found, whose) else []
    fresh = [said for said in facts if said.id not in unit.held.stated]
    for said in fresh:
        unit.add("State", found.quote, proposition=said)
    if not fresh:
        _write_detail(unit, sentence, found, whose, listed=bool(facts))


def _is_fact(found: FoundDetail, whose: Belonging) -> bool:
    form = found.form
    fits = form.of == "person" and not (form.deed or form.sheet or form.any) and not found.thing
    return fits and whose.entity is not None and whose.uncertainty == SURE


def _statements(found: FoundDetail, whose: Belonging) -> Iterable[Statement]:
    """What a sure detail says of somebody, in the vocabulary of respects."""
    form, who = found.form, whose.entity or ""
    first = found.value.split()[0]
    if form.total:
        counts = [pair for pair in found.pairs if _is_count(pair)]
        return [Statement(who, one.respect, value=_as_said(first, one)) for one in counts]
    word = found.pairs[0].word if form.respect in detail_forms().nounless else found.value
    return [Statement(who, form.respect, value=_OLD.sub("", word), negative=form.negative)]


def _as_said(first: str, count: Pair) -> str:
    """The number in the author's word, where that word is the number: one of four sisters has three."""
    said = number_in(first)
    return first if said is not None and said[0] == count.least else count.word


def _is_count(pair: Pair) -> bool:
    counted = pair.least is not None and pair.least == pair.most
    return counted and pair.respect in respects().words.plurals.values()


def _write_detail(
    unit: UnitState, sentence: MaskedSentence, found: FoundDetail, whose: Belonging, *, listed: bool
) -> None:
    form, unit.held.ledger.by = found.form, found.form.row
    listed = listed or form.sheet or found.doubtful or not found.pairs
    unit.add(
        "Detail",
        found.quote,
        respect=form.respect,
        value=found.value,
        about=whose.entity,
        name=found.thing or None,
        basis="listed" if listed else _BASIS[form.deed],
        uncertainty=whose.uncertainty,
        polarity="negative" if form.negative else None,
        speaker=_speaker(unit, sentence),
        manner="asserts" if sentence.said else None,
        nearest=list(whose.nearest),
    )


def _write_times(unit: UnitState, sentence: MaskedSentence) -> None:
    """The words of time of a sentence: what the time line of the sheet is made of."""
    for one in sentence.times:
        if one.sort == "age":
            continue  # a detail of its own
        unit.held.ledger.by = one.sort
        unit.add(
            "Detail", TextRange(one.start, one.end), respect=WHEN, value=one.words, name=one.sort, basis="listed",
            uncertainty=SURE, speaker=_speaker(unit, sentence), manner="asserts" if sentence.said else None,
        )  # fmt: skip


def _speaker(unit: UnitState, sentence: MaskedSentence) -> str | None:
    """Who says it, where that is known and is one of the story's people."""
    if sentence.turn is None:
        return None
    speaker = unit.owners.trail.talk[sentence.turn].speaker
    return unit.company.person(speaker) if speaker is not None else None
