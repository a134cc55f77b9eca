"""The grammar of one sentence as a tree, and what a clause is: first a draft that the grammar works on, then a value.

Looks up and down; knows no verb: it asks the table of frames. How a draft is filled is for `repair`, what drafts share with one
another for `clauses`, and who finishes them is `realis`. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import field
from typing import TYPE_CHECKING

from narraworld.base.quick_dataclass import dataclass
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.lexicon.function_words import wordrow, wordset
from narraworld.extract.embedded.lexicon.nouns import nouns
from narraworld.extract.embedded.lexicon.verb_frames import frame_table
from narraworld.kb.spans import TextRange

__all__ = ["FINITE", "NOMINAL", "Clause", "ClauseDraft", "Tree"]

NOWHERE = TextRange(0, 0)
NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM"})
FINITE = frozenset({"VBD", "VBZ", "VBP"})
NEVER_HEADS = frozenset({"aux", "amod", "case", "compound", "fixed", "mark", "cop"})
BESIDE_A_VERB = frozenset({"ADV", "PUNCT", "AUX"})
LOST_SUBJECTS = frozenset({"nsubj", "vocative", "root", "dislocated", "discourse"})


class _Form:
    """What the parts of a clause give away, drafted or finished."""

    __slots__ = ()

    if TYPE_CHECKING:
        head: Word
        verb: str
        relation: str
        subjects: Sequence[Word]
        objects: Sequence[Word]
        phrases: Sequence[tuple[str, Word]]
        predicates: Sequence[Word]
        adverbs: Set[str]
        marker: str | None
        negated: bool
        passive: bool

    @property
    def copular(self) -> bool:
        return bool(self.predicates)

    @property
    def habit(self) -> bool:
        """`used to`: no deed of its own."""
        return self.head.text.lower() == "used" and not self.passive and not self.objects and not self.phrases

    @property
    def unhelped(self) -> bool:
        """`could not help laughing`: what follows is done all the same."""
        return self.verb == "help" and self.negated and bool(self.adverbs & wordset("modals.able"))

    @property
    def only_named(self) -> bool:
        """`the danger of falling`: something is called what it is, and nobody does it."""
        named = self.relation == "acl" and self.head.tag == "VBG" and self.marker is not None
        return named and not self.subjects


@dataclass(slots=True, eq=False)
class ClauseDraft(_Form):
    """A clause while the grammar works on it; ``modal`` is what its helping verb says: future, hypothetical."""

    head: Word
    verb: str
    relation: str = "root"
    parent: int | None = None
    particle: str | None = None
    subjects: list[Word] = field(default_factory=list)
    objects: list[Word] = field(default_factory=list)
    seconds: list[Word] = field(default_factory=list)
    phrases: list[tuple[str, Word]] = field(default_factory=list)
    adverbs: set[str] = field(default_factory=set)
    predicates: list[Word] = field(default_factory=list)
    preposition: str | None = None
    marker: str | None = None
    negated: bool = False
    modal: str | None = None
    either: bool = False
    passive: bool = False
    earlier: bool = False
    going_on: bool = False
    where: TextRange = NOWHERE


@dataclass(frozen=True, slots=True)
class Clause(_Form):
    """One predicate with its parts; words stand for the phrases they head. Nobody changes it."""

    head: Word
    verb: str
    relation: str
    parent: int | None
    particle: str | None
    subjects: tuple[Word, ...]
    objects: tuple[Word, ...]
    seconds: tuple[Word, ...]
    phrases: tuple[tuple[str, Word], ...]
    adverbs: frozenset[str]
    predicates: tuple[Word, ...]
    preposition: str | None
    marker: str | None
    negated: bool
    realis: str
    either: bool
    passive: bool
    earlier: bool  # told as past before the past: `had gone`
    going_on: bool  # `was going`: not yet there
    seeming: bool  # `seemed to sleep`: how it looks, and no deed
    turned: bool  # `had she known it`: supposed by the order of its words
    announcing: bool  # `it was odd that …`: its subject is what comes behind
    where: TextRange


class Tree:
    """Looking up and down in the grammar of one sentence."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self.below: dict[int, list[Word]] = {}
        for word in words:
            if word.head != word.position:
                self.below.setdefault(word.head, []).append(word)
        self.heads = [word.position for word in words if self._heads(word)]
        self.owner = {word.position: self._owner(word) for word in words}

    def _heads(self, word: Word) -> bool:
        below = self.below.get(word.position, ())
        hanging = {child.dep for child in below}
        relations = {child.relation for child in below}
        if "cop" in relations:
            return True
        if word.relation in NEVER_HEADS or "det" in relations:  # `the long corridor`, taken for a deed
            return False
        root = word.head == word.position  # whatever the parser calls the `lay` of `a pear lay in a box`
        deed = word.pos == "VERB" or (root and (word.pos == "AUX" or word.tag.startswith("VB")))
        return (deed or "aux:pass" in hanging) and not _no_verb(word)  # `was annoyed by a fox`

    def children(self, word: Word) -> list[Word]:
        return self.below.get(word.position, [])

    def has(self, word: Word, relation: str) -> bool:
        """Whether something hangs on a word in this way."""
        below = self.below.get(word.position)
        return below is not None and any(child.relation == relation for child in below)

    def depth(self, word: Word) -> int:
        steps = 0
        while word.head != word.position:
            word, steps = self.words[word.head], steps + 1
        return steps

    def _owner(self, word: Word) -> int | None:
        while word.position not in self.heads:
            if word.head == word.position:
                return None
            word = self.words[word.head]
        return word.position

    def above(self, head: int) -> int | None:
        word = self.words[head]
        return None if word.head == head else self.owner[word.head]

    def row(self, word: Word) -> list[Word]:
        """A phrase and those joined to it by `and`, commas or `or`; `a bunch of peas` is its peas."""
        joined = [
            child for child in self.children(word)
            if child.relation == "conj" and child.position not in self.heads
        ]  # fmt: skip
        return [self.substance(word), *(each for child in joined for each in self.row(child))]

    def substance(self, word: Word) -> Word:
        """What a phrase is about: `a bunch of peas` its peas, `his brother Tom` Tom."""
        after = self.words[word.position + 1 : word.position + 2]
        if after and after[0].name and self._kinsman(word):
            return after[0]
        inside = [
            child for child in self.children(word) if child.relation == "nmod" and self.case(child) == "of"
        ]
        return inside[0] if inside and self._counts(word) else word

    def _kinsman(self, word: Word) -> bool:
        return word.lemma in nouns().people and not word.name and self._owned(word)

    def _counts(self, word: Word) -> bool:
        """`the two of them`, not `two of them`."""
        return word.lemma in frame_table().nouns["measures"] or (word.pos == "NUM" and self.has(word, "det"))

    def _owned(self, word: Word) -> bool:
        return any(child.relation == "det" or child.dep == "nmod:poss" for child in self.children(word))

    def case(self, word: Word) -> str | None:
        marks = [
            child.text.lower()
            for child in self.children(word)
            if child.relation == "case" and child.tag != "POS"
        ]
        if marks and marks[0] in wordset("prepositions.leading"):  # `out of the bag`, `from under the bed`
            return marks[0]
        return marks[-1] if marks else None

    def case_or(self, word: Word, outer: str) -> str:
        """`upon a pair of gloves`: the gloves stand behind `upon`."""
        mark = self.case(word)
        return outer if mark in {None, "of"} else mark or outer

    def nearest_nominative(self, verb: Word) -> list[Word]:
        """For a finite verb whose subject the parser lost (`Leo, ever so tired, slept`): the nearest name or `he` before it."""
        for word in reversed(self.words[: verb.position]):
            free = not self.case(word) and word.dep != "nmod:poss"
            if free and (self._beside(word, verb) or _subject_like(word)):
                return self.row(word)
        return []

    def _beside(self, name: Word, verb: Word) -> bool:
        between = self.words[name.position + 1 : verb.position]
        return name.name and all(word.pos in BESIDE_A_VERB or word.text.endswith("ly") for word in between)

    def subjects_of(self, head: Word) -> list[Word]:
        return [each for word in self.children(head) if word.relation == "nsubj" for each in self.row(word)]

    def behind_comma(self, clause: ClauseDraft) -> bool:
        """Whether a comma stands before its subject."""
        first = min(word.position for word in clause.subjects)
        return first > 0 and self.words[first - 1].text == ","

    def named_before(self, who: Word) -> list[Word]:
        """Whom `who` stands for: the name before it and a comma."""
        before = [word for word in self.words[max(0, who.position - 2) : who.position] if word.pos != "PUNCT"]
        return before[-1:] if before and before[-1].name else []

    def doer_of(self, deed: Word) -> Word | None:
        """Whose deed a noun speaks of: `Leo's act of moving the pear`."""
        owners = [word for word in self.children(deed) if word.dep == "nmod:poss"]
        return owners[0] if owners and deed.lemma in frame_table().nouns["deeds"] else None

    def described_by(self, clause: ClauseDraft) -> Word | None:
        """The noun whose nature an `-ing` tells: `down the corridor leading to the yard`."""
        before = self.words[clause.head.position - 1] if clause.head.position else clause.head
        describes = clause.head.tag == "VBG" and clause.verb in frame_table().describing
        return before if describes and before.tag.startswith("NN") else None

    def beyond_a_stop(self, word: Word) -> bool:
        """`He asked for water; that done, he slept`: what a semicolon parts is not what was asked."""
        first, last = sorted((word.position, word.head))
        return any(between.text == ";" for between in self.words[first:last])

    def range_of(self, head: int) -> TextRange:
        """The words whose nearest clause head this is, without the marks around them."""
        mine = [word for word in self.words if self.owner[word.position] == head]
        while len(mine) > 1 and (mine[0].pos in {"PUNCT", "CCONJ"} or mine[0].relation == "cc"):
            mine.pop(0)
        while len(mine) > 1 and mine[-1].pos == "PUNCT":
            mine.pop()
        return TextRange(mine[0].start, mine[-1].end)


def _no_verb(word: Word) -> bool:
    """Adjectives that a small parser takes for deeds, and what is left of `'ll`."""
    text = word.text.lower()
    return text.endswith(wordrow("endings.adjectives")) or text in wordset("clitics.verbs")


def _subject_like(word: Word) -> bool:
    return word.text.lower() in wordset("pronouns.nominative") or (
        word.name and word.relation in LOST_SUBJECTS
    )
