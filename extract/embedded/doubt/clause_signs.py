"""What can be seen of the sentence and the clause that a record quotes: its verb, its parts, what stands beside it. Changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from narraworld.extract.embedded.doubt.surroundings import Standing, size
from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.lexicon.noun_kinds import noun_kinds

__all__ = ["LITTLE", "kind_of", "of_clause", "of_sentence", "sort_of"]

LITTLE = frozenset({"AUX", "SCONJ", "ADV", "PART", "CCONJ", "DET", "ADP"})  # small words stand for themselves
HELPING = frozenset({"AUX", "SCONJ", "ADV", "PART"})
MARKS = (":", ";", "—", "-", "–", "(", "?", "!")
DASHES = frozenset({"—", "–", "-", ";", ":"})
FLAGS = ("negated", "either", "passive", "earlier", "going_on", "seeming", "turned", "announcing", "copular")
WORDS, LETTERS = (6, 10, 15, 20, 30, 45), (15, 30, 60, 100, 160)
TO_SUBJECT, TO_OBJECT, DEPTHS = (0, 2, 4, 7, 12), (0, 2, 3, 5, 9), (1, 2, 3, 4, 6)
DEEPEST = 10


def of_sentence(here: Standing) -> Iterator[str]:
    """How long it is, how it is parted, and whether somebody says it."""
    if here.sentence is None:
        return
    texts = [word.text for word in here.words]
    yield f"words={size(len(texts), *WORDS)}"
    yield f"clauses={min(len(here.sentence.clauses), 7)}"
    yield f"commas={min(texts.count(','), 5)}"
    yield from (f"mark{mark}" for mark in MARKS if mark in texts)
    if here.sentence.where.start in here.around.said:
        yield "said"
    if not texts:
        yield "unparsed"


def of_clause(clause: Clause, words: Sequence[Word]) -> Iterator[str]:
    """The whole clause."""
    yield from _of_head(clause)
    yield from _of_parts(clause)
    yield from _beside(clause.head, words)
    yield from _of_subject(clause, words)
    yield from _of_object(clause)
    yield f"deep={size(_depth(clause.head, words), *DEPTHS)}"


def _of_head(clause: Clause) -> Iterator[str]:
    head = clause.head
    yield f"verb={clause.verb}"
    yield f"form={head.tag}"
    yield f"hangs={clause.relation}"
    yield f"hangs={clause.relation} {head.tag}"
    yield f"marker={clause.marker}"
    yield f"realis={clause.realis}"
    yield f"clause={size(clause.where.end - clause.where.start, *LETTERS)}"
    yield from (name for name in FLAGS if getattr(clause, name))
    mostly = noun_kinds().of(head.text.lower())
    if mostly is not None:
        yield f"noun too={mostly.kind}"
    if head.text[:1].isupper():
        yield "head in capitals"


def _of_parts(clause: Clause) -> Iterator[str]:
    subjects, objects = min(len(clause.subjects), 3), min(len(clause.objects), 3)
    yield f"subjects={subjects} objects={objects}"
    yield f"subjects={subjects}"
    yield f"objects={objects}"
    yield f"phrases={min(len(clause.phrases), 4)}"
    if clause.seconds:
        yield "seconds"
    if clause.particle:
        yield f"particle={clause.particle}"
    for preposition, word in clause.phrases:
        yield f"phrase={preposition}"
        yield f"phrase={preposition} {kind_of(word)}"


def _beside(head: Word, words: Sequence[Word]) -> Iterator[str]:
    """What stands before and behind the verb, and what hangs on it."""
    if head.position:
        before = words[head.position - 1]
        yield f"before={_small(before)}"
        yield f"before={before.pos} {head.tag}"
    else:
        yield "before=nothing"
    if head.position + 1 < len(words):
        yield f"behind={_small(words[head.position + 1])}"
    for word in words:
        if word.head == head.position != word.position:
            yield f"below={word.dep}"
            if word.pos in HELPING:
                yield f"beside={word.text.lower()}"


def _small(word: Word) -> str:
    return word.text.lower() if word.pos in LITTLE else word.pos


def _of_subject(clause: Clause, words: Sequence[Word]) -> Iterator[str]:
    for first in clause.subjects[:1]:
        start, end = sorted((first.position, clause.head.position))
        yield f"subject at={size(clause.head.position - first.position, *TO_SUBJECT)}"
        yield f"between={_parting([word.text for word in words[start + 1 : end]])}"
        if first.head != clause.head.position:
            yield f"subject of another={first.dep}"
        yield f"subject={sort_of(first)}"
        yield f"subject is={kind_of(first)}"


def _parting(between: Sequence[str]) -> str:
    """What parts a subject from its verb."""
    if "," in between:
        return "comma"
    return "dash" if DASHES & {*between} else "and" if "and" in between else ""


def _of_object(clause: Clause) -> Iterator[str]:
    for word in clause.objects[:1]:
        yield f"object is={kind_of(word)}"
        yield f"object={sort_of(word)}"
        yield f"object at={size(word.position - clause.head.position, *TO_OBJECT)}"
        if word.head != clause.head.position:
            yield f"object of another={word.dep}"


def _depth(word: Word, words: Sequence[Word]) -> int:
    steps = 0
    while word.head != word.position and steps < DEEPEST:
        word, steps = words[word.head], steps + 1
    return steps


def sort_of(word: Word) -> str:
    """A name, a pronoun by itself, else the tag."""
    return "name" if word.name else word.text.lower() if word.pos == "PRON" else word.tag


def kind_of(word: Word) -> str:
    """What a word stands for: a name, a pronoun, or the dictionary's kind of its noun."""
    if word.name:
        return "name"
    if word.pos == "PRON":
        return "pronoun"
    found = noun_kinds().of(word.lemma)
    return word.pos if found is None else found.kind if found.sure else f"{found.kind}?"
