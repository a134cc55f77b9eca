"""The grammar of one sentence as a tree, and the clause that stands at each of its heads, mended where a small parser errs.

Looks up and down; what clauses share with one another is for `clauses`. Knows no verb: it asks the table of frames. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.lexicon.function_words import endings, wordmap, wordset
from narraworld.extract.embedded.lexicon.nouns import nouns
from narraworld.extract.embedded.lexicon.verb_frames import frame_table
from narraworld.kb.spans import TextRange

__all__ = ["FINITE", "Clause", "Tree"]

NOWHERE = TextRange(0, 0)
PASSIVE = frozenset({"aux:pass", "obl:agent"})
NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM"})
FINITE = frozenset({"VBD", "VBZ", "VBP"})


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
    earlier: bool = False  # told as past before the past: `had gone`
    going_on: bool = False  # `was going`: not yet there
    seeming: bool = False  # `seemed to sleep`: how it looks, and no deed
    turned: bool = False  # `had she known it`: supposed by the order of its words
    announcing: bool = False  # `it was odd that …`: its subject is what comes behind
    where: TextRange = NOWHERE

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
        if any(one.relation == "cop" for one in self.children(word)):
            return True
        if word.relation in {"aux", "amod", "case", "compound", "fixed", "mark", "cop"}:
            return False
        if any(one.relation == "det" for one in self.children(word)):  # `the long corridor`, taken for a deed
            return False
        if word.text.lower().endswith(endings("endings.adjectives")) or word.text.lower() in wordset(
            "clitics.verbs"
        ):
            return False
        root = word.head == word.position  # whatever the parser calls the `lay` of `a pear lay in a box`
        return word.pos == "VERB" or (root and (word.pos == "AUX" or word.tag.startswith("VB")))

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
        """A phrase and those joined to it by `and`, commas or `or`; `a bunch of peas` is its peas."""
        joined = [
            one for one in self.children(word) if one.relation == "conj" and one.position not in self.heads
        ]
        return [self._substance(word), *(each for one in joined for each in self.row(one))]

    def _substance(self, word: Word) -> Word:
        if word.lemma in nouns().people and not word.name and self._owned(word):  # `his brother Tom` is Tom
            after = self.words[word.position + 1 : word.position + 2]
            if after and after[0].name:
                return after[0]
        inside = [one for one in self.children(word) if one.relation == "nmod" and self.case(one) == "of"]
        whole = word.pos == "NUM" and any(one.relation == "det" for one in self.children(word))
        counted = (
            word.lemma in frame_table().nouns["measures"] or whole
        )  # `the two of them`, not `two of them`
        return inside[0] if inside and counted else word

    def _owned(self, word: Word) -> bool:
        return any(one.relation == "det" or one.dep == "nmod:poss" for one in self.children(word))

    def case(self, word: Word) -> str | None:
        marks = [
            one.text.lower() for one in self.children(word) if one.relation == "case" and one.tag != "POS"
        ]
        if marks and marks[0] in wordset("prepositions.leading"):  # `out of the bag`, `from under the bed`
            return marks[0]
        return marks[-1] if marks else None

    def _case_or(self, word: Word, outer: str) -> str:
        """`upon a pair of gloves`: the gloves stand behind `upon`."""
        mark = self.case(word)
        return outer if mark in {None, "of"} else mark or outer

    def nearest_nominative(self, verb: Word) -> list[Word]:
        """For a finite verb whose subject the parser lost (`Leo, ever so tired, slept`): the nearest name or `he` before it."""
        for word in reversed(self.words[: verb.position]):
            between = self.words[word.position + 1 : verb.position]
            beside = all(one.pos in {"ADV", "PUNCT", "AUX"} or one.text.endswith("ly") for one in between)
            if word.name and beside and not self.case(word) and word.dep != "nmod:poss":
                return self.row(word)
            fits = word.text.lower() in wordset("pronouns.nominative") or (
                word.name and word.relation in {"nsubj", "vocative", "root", "dislocated", "discourse"}
            )
            if fits and not self.case(word) and word.dep != "nmod:poss":
                return self.row(word)
        return []

    def subjects_of(self, head: Word) -> list[Word]:
        return [each for word in self.children(head) if word.relation == "nsubj" for each in self.row(word)]

    def behind_comma(self, one: Clause) -> bool:
        """Whether a comma stands before its subject."""
        first = min(word.position for word in one.subjects)
        return first > 0 and self.words[first - 1].text == ","

    def named_before(self, who: Word) -> list[Word]:
        """Whom `who` stands for: the name before it and a comma."""
        before = [word for word in self.words[max(0, who.position - 2) : who.position] if word.pos != "PUNCT"]
        return before[-1:] if before and before[-1].name else []

    def doer_of(self, deed: Word) -> Word | None:
        """Whose deed a noun speaks of: `Leo's act of moving the pear`."""
        owners = [word for word in self.children(deed) if word.dep == "nmod:poss"]
        return owners[0] if owners and deed.lemma in frame_table().nouns["deeds"] else None

    def described_by(self, one: Clause) -> Word | None:
        """The noun whose nature an `-ing` tells: `down the corridor leading to the yard`."""
        before = self.words[one.head.position - 1] if one.head.position else one.head
        describes = one.head.tag == "VBG" and one.verb in frame_table().describing
        return before if describes and before.tag.startswith("NN") else None

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
        one.phrases.sort(
            key=lambda phrase: phrase[1].position < head
        )  # what follows the verb is nearer to it
        self._mend(one)
        self._hand_over(one)
        if one.passive and not copula and self._feels(one):
            one.verb, one.predicates, one.passive = "be", [word], False
        if copula:
            self._mend_copular(one, copula[0])
        one.going_on = word.tag == "VBG" and bool(one.adverbs & wordset("auxiliaries.being"))
        if one.relation == "dep":  # what the parser left open: `saw Mara coming`
            one.relation = "ccomp" if one.marker == "that" else "xcomp" if word.tag == "VBG" else "dep"
        if one.relation == "ccomp" and self.beyond_a_stop(word):
            one.relation = "parataxis"
        return one

    def beyond_a_stop(self, word: Word) -> bool:
        """`He asked for water; that done, he slept`: what a semicolon parts is not what was asked."""
        first, last = sorted((word.position, word.head))
        return any(one.text == ";" for one in self.words[first:last])

    def _hand_over(self, one: Clause) -> None:
        """`gave each of them a biscuit`, taken for two things that were given: the first is to whom."""
        if (
            len(one.objects) == 2
            and not one.seconds
            and one.objects[0].pos == "PRON"
            and one.objects[1].pos == "NOUN"
        ):
            one.seconds, one.objects = one.objects[:1], one.objects[1:]

    def _feels(self, one: Clause) -> bool:
        """`Marcus was ashamed`, taken for something done to him."""
        return frame_table().adjectives.get(one.head.text.lower(), "").endswith("*") and not any(
            preposition == "by" for preposition, _ in one.phrases
        )

    def _mend_copular(self, one: Clause, copula: Word) -> None:
        """`was still in the kitchen`; and turned round: `inside the box was a pear`."""
        if one.head.pos == "ADV" and one.phrases:
            one.preposition, one.predicates = one.phrases[0][0], [one.phrases[0][1]]
        if (
            one.marker in wordset("prepositions.locative") and one.subjects and not one.preposition
        ):  # the same, taken for a `while`
            one.subjects, one.predicates = one.predicates, one.subjects
            one.preposition, one.marker = one.marker, None
        if (
            one.subjects
            or one.preposition
            or one.head.pos not in NOMINAL
            or copula.position > one.head.position
        ):
            return
        before = [
            word
            for word in self.words[: copula.position]
            if self.case(word) in wordset("prepositions.locative")
        ]
        if before:
            one.subjects, one.predicates, one.preposition = one.predicates, before[-1:], self.case(before[-1])

    def _take(self, one: Clause, child: Word) -> None:
        relation, text = child.relation, child.text.lower()
        if relation in {"nsubj", "csubj"} and child.position not in self.heads:
            if text.endswith("ly") and not child.name and len(text) > 4:  # `he slyly moved`
                return
            if self.case(child) in wordset("prepositions.locative"):  # `in the drawer lay a letter`
                one.phrases.append((self.case(child) or "", child))
                return
            one.subjects += self.row(child)
            one.passive = one.passive or child.dep.endswith("pass")
        elif relation == "nsubj" and any(each.text.lower() == "being" for each in self.children(child)):
            one.subjects += self.subjects_of(child)  # `Leo, being a kind man, left`
        elif relation == "obj" and child.position not in self.heads:
            one.objects += self.row(child)
        elif relation == "iobj":
            one.seconds += self.row(child)
        elif relation == "mark":
            one.marker = self._mark(child)
        elif child.dep == "compound:prt":
            one.particle = text
        elif relation in {"advmod", "cc", "aux", "obl", "discourse"} and child.position not in self.heads:
            one.passive = one.passive or child.dep in PASSIVE
            self._adverb(one, child, text)
        elif relation == "xcomp" and child.pos in {"ADJ", "ADV"} and child.position not in self.heads:
            one.adverbs.add(text)  # `left him alone`

    def _mark(self, word: Word) -> str:
        """The word a clause begins with; `as though` supposes as `if` does."""
        near = self.words[max(0, word.position - 1) : word.position + 2]
        text = " ".join(one.text.lower() for one in near)
        return "if" if any(said in text for said in wordset("conjunctions.as_if")) else word.text.lower()

    def _mend(self, one: Clause) -> None:
        """A particle the parser took for something else; a speaker behind the verb (`said Mara`)."""
        known = frame_table().frames
        if (
            one.passive
            and one.objects
            and not any(word.relation == "aux" for word in self.children(one.head))
        ):
            one.passive = False  # `Leo gently picked up the pear`, misread
        following = self.words[one.head.position + 1 : one.head.position + 2]
        near = [word.text.lower() for word in following if word.relation != "case"]
        light = [word.lemma for word in one.objects]
        for word in (*near, *light, *sorted(one.adverbs)):
            if not one.particle and f"{one.verb} {word}" in known:
                one.particle = word
        self._mend_particle(one, following)
        if not one.subjects and any(word.relation == "expl" for word in self.children(one.head)):
            one.subjects, one.objects = one.objects, []  # `there sat a pear`
        if not one.subjects and one.objects and one.head.position > 0 and self._lies(one):
            one.subjects, one.objects, one.relation = (
                one.objects,
                [],
                "parataxis",
            )  # `in the drawer lay a pear`
            before = [
                word
                for word in self.words[: one.head.position]
                if self.case(word) in wordset("prepositions.locative")
            ]
            one.phrases += [(self.case(word) or "", word) for word in before[-1:]]
        if not one.subjects and one.objects and one.verb in frame_table().perfect_with_be:
            one.subjects, one.objects = one.objects, []  # `at last came a rumbling`
        if one.head.text.lower() == "lay" and not one.objects:
            one.verb = "lie"  # `he lay there`
        inverted = not one.subjects and one.objects and one.head.position == 0
        if inverted and any(frame.type == "speech" for frame in frame_table().of(one.verb, None)):
            one.subjects, one.objects = one.objects[:1], one.objects[1:]

    def _mend_particle(self, one: Clause, following: Sequence[Word]) -> None:
        """`put on the shirt`: what looks like a place is what was put on."""
        said = following[0].text.lower() if following else ""
        needs = {need for frame in frame_table().frames.get(f"{one.verb} {said}", ()) for need in frame.needs}
        if one.particle or one.objects or not needs & {"patient", "patient:object"}:
            return  # `came to the house`, though who `comes to` awakes
        moved = [phrase for phrase in one.phrases if phrase[0] == said]
        if moved and following[0].relation == "case":
            one.particle, one.objects = said, [word for _, word in moved]
            one.phrases = [phrase for phrase in one.phrases if phrase not in moved]

    def _lies(self, one: Clause) -> bool:
        """Whether the verb says where a thing is, and the sentence begins with the place."""
        return any(
            frame.type == "show" and "place" in frame.needs for frame in frame_table().of(one.verb, None)
        ) and not any(word.relation in {"nsubj", "conj", "advcl"} for word in [one.head] if word.head != 0)

    def _adverb(self, one: Clause, child: Word, text: str) -> None:
        prepositions = self.case(child)
        if prepositions and (child.pos in NOMINAL or child.relation == "obl"):
            one.phrases += [(self._case_or(each, prepositions), each) for each in self.row(child)]
            return
        lower = " ".join(
            each.text.lower() for each in [*self.children(child), child] if each.relation != "punct"
        )
        one.adverbs |= {text, lower}
        one.either = one.either or text == "either"
        if child.tag == "WRB":
            one.marker = text
        if text in wordmap("modals.realis") and child.relation == "aux":
            one.realis = wordmap("modals.realis")[text]
        one.earlier = one.earlier or (
            child.relation == "aux" and text in wordset("auxiliaries.earlier") and one.head.tag == "VBN"
        )
        one.phrases += [
            (self.case(each) or "", each) for each in self.children(child) if each.relation in {"obl", "nmod"}
        ]

    def _loose_phrases(self, one: Clause) -> Iterator[tuple[str, Word]]:
        """Phrases the parser hung on the object or on another phrase; the verb may want them all the same."""
        carriers = [*one.objects, *(word for _, word in one.phrases)]
        if one.verb == "be" and not one.predicates:  # `there was a key in the drawer`
            carriers += one.subjects
        for carrier in carriers:
            for word in self.children(carrier):
                preposition = self.case(word)
                if word.relation in {"nmod", "obl"} and preposition:
                    carriers.append(
                        word
                    )  # `the crate of plums from the pantry to the drawer`: one may hang on another
                    if preposition != "of":
                        yield preposition, self._substance(word)

    def _range(self, head: int) -> TextRange:
        mine = [word for word in self.words if self.owner[word.position] == head]
        while len(mine) > 1 and (mine[0].pos in {"PUNCT", "CCONJ"} or mine[0].relation == "cc"):
            mine.pop(0)
        while len(mine) > 1 and mine[-1].pos == "PUNCT":
            mine.pop()
        return TextRange(mine[0].start, mine[-1].end)
