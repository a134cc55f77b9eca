"""Clauses: who does what to whom, under which reservations. From the grammar of one sentence, without knowing any verb.

A clause owns the words whose nearest clause head it is; its range is theirs. Subjects are shared along `and`, handed down
to infinitives, and found behind `who`. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from narraworld.extract.frames import frame_table
from narraworld.extract.parsing import Word
from narraworld.kb.spans import Range

__all__ = ["Clause", "clauses"]

NOWHERE = Range(0, 0)
NEGATIONS = frozenset({"not", "n't", "n’t", "never", "no longer", "nor"})
MODALS = {
    "will": "future", "shall": "future", "would": "future", "'ll": "future", "’ll": "future", "wo": "future",
    "can": "hypothetical", "could": "hypothetical", "may": "hypothetical", "might": "hypothetical",
    "must": "hypothetical", "should": "hypothetical", "ought": "hypothetical",
}  # fmt: skip
SUPPOSING = frozenset({"if", "unless", "whether", "lest"})
HABITS = frozenset({"always", "often", "usually", "sometimes", "generally", "every", "seldom", "rarely"})
NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM"})
RELATIVE = frozenset({"who", "which", "that", "whom"})


@dataclass(slots=True)
class Clause:
    """One predicate with its parts; words stand for the phrases they head."""

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
    realis: str = "actual"
    either: bool = False
    passive: bool = False
    where: Range = NOWHERE

    @property
    def copular(self) -> bool:
        return bool(self.predicates)


def clauses(words: Sequence[Word]) -> list[Clause]:
    """The clauses of a sentence in the order of their heads, parents by position in the list."""
    tree = _Tree(words)
    found = [tree.clause(head) for head in tree.heads]
    for one, head in zip(found, tree.heads, strict=True):
        above = tree.above(head)
        one.parent = tree.heads.index(above) if above is not None else None
    for one in sorted(found, key=lambda each: tree.depth(each.head)):
        _share(one, found, tree)
    for one in found:
        one.realis = _realis(one, found)
    return found


class _Tree:
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
        if any(one.relation == "cop" for one in self.children(word)):
            return True
        if word.relation in {"aux", "amod", "case", "compound", "fixed", "mark", "cop"}:
            return False
        return word.pos == "VERB" or (word.head == word.position and word.pos == "AUX")

    def children(self, word: Word) -> list[Word]:
        return self.below.get(word.position, [])

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
        """A phrase and those joined to it by `and`, commas or `or`."""
        joined = [
            one for one in self.children(word) if one.relation == "conj" and one.position not in self.heads
        ]
        return [word, *(each for one in joined for each in self.row(one))]

    def case(self, word: Word) -> str | None:
        marks = [
            one.text.lower() for one in self.children(word) if one.relation == "case" and one.tag != "POS"
        ]
        return marks[-1] if marks else None

    def clause(self, head: int) -> Clause:
        word = self.words[head]
        copula = [one for one in self.children(word) if one.relation == "cop"]
        verb = "be" if copula else frame_table().lemma(word.text, word.lemma)
        one = Clause(word, verb, "root" if word.head == head else word.relation, where=self._range(head))
        if word.relation == "acl" or word.dep == "acl:relcl":
            one.relation = "relative" if word.dep.endswith("relcl") else "acl"
        if copula:
            one.predicates, one.preposition = self.row(word), self.case(word)
        for child in self.children(word):
            self._take(one, child)
        one.phrases += list(self._loose_phrases(one))
        self._mend(one)
        if copula and word.pos == "ADV" and one.phrases:  # `was still in the kitchen`
            one.preposition, one.predicates = one.phrases[0][0], [one.phrases[0][1]]
        _negate(one)
        return one

    def _take(self, one: Clause, child: Word) -> None:
        relation, text = child.relation, child.text.lower()
        if relation in {"nsubj", "csubj"} and child.position not in self.heads:
            one.subjects += self.row(child)
            one.passive = one.passive or child.dep.endswith("pass")
        elif relation == "obj" and child.position not in self.heads:
            one.objects += self.row(child)
        elif relation == "iobj":
            one.seconds += self.row(child)
        elif relation == "mark":
            one.marker = text
        elif child.dep == "compound:prt":
            one.particle = text
        elif relation in {"advmod", "cc", "aux", "obl", "discourse"} and child.position not in self.heads:
            self._adverb(one, child, text)

    def _mend(self, one: Clause) -> None:
        """A particle the parser took for something else; a speaker behind the verb (`said Mara`)."""
        following = self.words[one.head.position + 1 : one.head.position + 2]
        if (
            not one.particle
            and following
            and f"{one.verb} {following[0].text.lower()}" in frame_table().frames
        ) and following[0].relation != "case":
            one.particle = following[0].text.lower()
        inverted = not one.subjects and one.objects and one.head.position == 0
        if inverted and any(frame.type == "speech" for frame in frame_table().of(one.verb, None)):
            one.subjects, one.objects = one.objects[:1], one.objects[1:]

    def _adverb(self, one: Clause, child: Word, text: str) -> None:
        prepositions = self.case(child)
        if child.pos in NOMINAL and prepositions:
            one.phrases += [(self.case(each) or prepositions, each) for each in self.row(child)]
            return
        lower = " ".join(
            each.text.lower() for each in [*self.children(child), child] if each.relation != "punct"
        )
        one.adverbs |= {text, lower}
        one.either = one.either or text == "either"
        if child.tag == "WRB":
            one.marker = text
        if text in MODALS and child.relation == "aux":
            one.realis = MODALS[text]
        one.phrases += [
            (self.case(each) or "", each) for each in self.children(child) if each.relation in {"obl", "nmod"}
        ]

    def _loose_phrases(self, one: Clause) -> Iterator[tuple[str, Word]]:
        """Phrases the parser hung on the object or on another phrase; the verb may want them all the same."""
        carriers = [*one.objects, *(word for _, word in one.phrases)]
        for carrier in carriers:
            for word in self.children(carrier):
                preposition = self.case(word)
                if word.relation in {"nmod", "obl"} and preposition and preposition != "of":
                    yield preposition, word

    def _range(self, head: int) -> Range:
        mine = [word for word in self.words if self.owner[word.position] == head]
        while len(mine) > 1 and (mine[0].pos in {"PUNCT", "CCONJ"} or mine[0].relation == "cc"):
            mine.pop(0)
        while len(mine) > 1 and mine[-1].pos == "PUNCT":
            mine.pop()
        return Range(mine[0].start, mine[-1].end)


def _negate(one: Clause) -> None:
    one.negated = bool(one.adverbs & NEGATIONS)


def _share(one: Clause, found: list[Clause], tree: _Tree) -> None:
    """Give a clause without a subject the one it shares."""
    parent = found[one.parent] if one.parent is not None else None
    if one.relation == "relative":
        stood_for = tree.words[one.head.head]
        for part in (one.subjects, one.objects):
            part[:] = [stood_for if word.text.lower() in RELATIVE else word for word in part]
    if one.subjects or parent is None:
        return
    if one.relation == "conj" or one.relation in {"xcomp", "advcl", "parataxis"}:
        one.subjects = list(parent.objects if one.relation == "xcomp" and parent.objects else parent.subjects)
    if one.relation == "conj":
        one.marker = one.marker or parent.marker
        one.realis = parent.realis if one.realis == "actual" else one.realis


def _realis(one: Clause, found: list[Clause]) -> str:
    if one.marker in SUPPOSING:
        return "hypothetical"
    if one.realis != "actual":
        return one.realis
    if one.adverbs & HABITS:
        return "habitual"
    if one.marker == "to" or (one.relation == "xcomp" and one.parent is not None):
        return "hypothetical"
    return "negated" if one.negated else "actual"
