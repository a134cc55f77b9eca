"""The parts of a sentence that can answer: phrases, with or without their preposition, clauses, what is done, qualities and numbers.

Each hangs on one word and has a shape; whether it answers is for others to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from narraworld.query.ask.aligned.grammar import ParseTree

__all__ = ["AnswerPart", "candidates_of"]

NOUNS = frozenset({"NOUN", "PROPN", "NUM", "SYM"})
# what stands behind a phrase and is not of it, if it is told shortly
APART = frozenset(
    {
        "acl",
        "appos",
        "conj",
        "cc",
        "parataxis",
        "advcl",
        "punct",
        "case",
        "mark",
        "cop",
        "nsubj",
        "aux",
        "discourse",
        "vocative",
        "orphan",
        "advmod",
    }
)
WITHOUT_SUBJECT = frozenset(
    {"nsubj", "csubj", "aux", "parataxis", "conj", "cc", "advcl", "mark", "discourse", "vocative", "expl"}
)
CLAUSES = frozenset({"advcl", "ccomp", "xcomp", "acl", "csubj", "parataxis"})


class AnswerPart(NamedTuple):
    """A part of a sentence: the word it hangs on, its words from first to last, its shape, its preposition or mark."""

    head: int
    first: int
    last: int
    shape: str
    mark: str


def candidates_of(tree: ParseTree) -> list[AnswerPart]:
    """Every part of the sentence that can answer, none twice."""
    found = dict[tuple[int, int], AnswerPart]()
    for one in _all(tree):
        trimmed = _trimmed(tree, one)
        if trimmed is not None:
            found.setdefault((trimmed.first, trimmed.last), trimmed)
    return list(found.values())


def _all(tree: ParseTree) -> Iterator[AnswerPart]:
    for nth, word in enumerate(tree.words):
        dep = word.dep.partition(":")[0]
        if word.pos in NOUNS and word.dep not in ("compound", "flat", "nummod", "det"):
            yield from _phrases(tree, nth)
        if word.dep.startswith("nmod:poss") and word.pos in NOUNS:
            yield _span(tree, list(tree.under(nth, APART)), nth, "owner", "")
        if word.pos == "PRON" and dep in ("nsubj", "obj", "obl"):
            yield AnswerPart(nth, nth, nth, "pronoun", "")
        if word.pos == "NUM" or word.tag == "CD":
            yield _span(tree, tree.under(nth, APART), nth, "number", "")
        if word.pos == "ADV" and dep in ("advmod", "root") and word.tag == "RB":
            yield AnswerPart(nth, nth, nth, "adverb", "")
        if word.pos == "ADJ":
            yield _span(tree, tree.under(nth, APART - {"advmod"}), nth, "quality", "")
        if word.pos in ("VERB", "AUX"):
            yield from _clauses(tree, nth)
        elif dep in CLAUSES:
            yield from _whole(tree, nth)


def _phrases(tree: ParseTree, nth: int) -> Iterator[AnswerPart]:
    case = next(iter(tree.having(nth, "case")), None)
    short = tree.under(nth, APART)
    yield _span(tree, _joined(short, nth), nth, "phrase", "")
    long = list(tree.under(nth, APART - {"acl", "conj", "cc", "appos", "advmod"}))
    yield _span(tree, long, nth, "long phrase", "")
    if case is not None and case < nth:
        mark = tree.words[case].lemma.lower()
        for shape, words in (("beside", short), ("long beside", long)):
            before = [*tree.under(case), *words]
            yield _span(tree, sorted(before), nth, shape, mark)


def _joined(places: list[int], nth: int) -> list[int]:
    """The words that stand together with the one a phrase hangs on."""
    own = {nth}
    for step in (-1, 1):
        at = nth + step
        while at in places:
            own.add(at)
            at += step
    return sorted(own) if len(own) < len(places) and min(places) < min(own) - 1 else places


def _clauses(tree: ParseTree, nth: int) -> Iterator[AnswerPart]:
    done = tree.under(nth, WITHOUT_SUBJECT)
    behind = [one for one in done if one >= nth]
    yield _span(tree, behind, nth, "deed", "")
    yield from _whole(tree, nth)


def _whole(tree: ParseTree, nth: int) -> Iterator[AnswerPart]:
    mark = next((tree.words[one].lemma.lower() for one in tree.having(nth, "mark")), "")
    yield _span(tree, tree.under(nth, frozenset({"conj", "cc", "parataxis", "punct"})), nth, "clause", mark)


def _span(tree: ParseTree, places: list[int], head: int, shape: str, mark: str) -> AnswerPart:
    return AnswerPart(head, places[0], places[-1], shape, mark)


def _trimmed(tree: ParseTree, one: AnswerPart) -> AnswerPart | None:
    """Without marks at its ends; None where nothing is left."""
    first, last = one.first, one.last
    while first <= last and tree.words[first].pos in ("PUNCT", "CCONJ", "SPACE"):
        first += 1
    while last >= first and tree.words[last].pos in ("PUNCT", "CCONJ", "SPACE"):
        last -= 1
    return one._replace(first=first, last=last) if first <= last else None
