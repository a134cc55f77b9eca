"""A question as a pattern with one hole: what kind of thing is asked for, how it hangs on the predicate, and what else was said.

The grammar is the parser's; where it does not know questions well, the order of the words says it: what stands between the word that
asks and the first helping verb is its noun, and a subject behind that verb leaves the hole to the object.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, NamedTuple

from narraworld.kb.search.search_words import analyse
from narraworld.query.ask.aligned.grammar import ParsedWord, ParseTree
from narraworld.query.ask.from_sentences.deed_questions import deed_words

__all__ = ["AskedPart", "QuestionPattern", "pattern_of", "sort_of", "table"]

ASKING = frozenset({"WDT", "WP", "WP$", "WRB"})
TELLING = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"})
NOUNS, SUBJECTS = frozenset({"NOUN", "PROPN"}), frozenset({"NOUN", "PROPN", "PRON"})
VERB, VERBS = "VERB", frozenset({"VERB", "AUX"})


class AskedPart(NamedTuple):
    """A telling word of a question: where it stands, and what it is to the predicate."""

    place: int
    word: ParsedWord
    role: str

    @property
    def named(self) -> bool:
        return self.word.pos == "PROPN" or (self.word.text[0].isupper() and self.place > 0)


@dataclass(frozen=True, slots=True)
class QuestionPattern:
    """``kind`` is what kind of thing is asked for, ``noun`` the noun behind which, what or how many; ``role`` what the hole is to the
    predicate, ``by`` the preposition of it."""

    tree: ParseTree
    kind: str
    noun: str
    predicate: int
    role: str
    by: str
    parts: tuple[AskedPart, ...]

    @property
    def verb(self) -> ParsedWord:
        return self.tree.words[self.predicate]


def pattern_of(tree: ParseTree) -> QuestionPattern | None:
    """The question as a pattern; None where no word asks, and where yes or no is wanted, whatever else it says: `Did he go when it rang?`."""
    asks = next((nth for nth, word in enumerate(tree.words) if _is_asking(word)), None)
    if asks is None or _wants_a_verdict(tree.words[:asks]):
        return None
    return _Question(tree, asks).pattern()


def _wants_a_verdict(before: Sequence[ParsedWord]) -> bool:
    """It begins with a helping verb and does not ask whoever is to answer: `Do you know where …`."""
    return bool(before) and _helps(before[0]) and not any(_is_addressed(word) for word in before)


def _is_addressed(word: ParsedWord) -> bool:
    return word.lemma.lower() in sort_of("addressed")


def _is_asking(word: ParsedWord) -> bool:
    return word.tag in ASKING or word.lemma.lower() in table()["asking"]


def _helps(word: ParsedWord) -> bool:
    return word.pos == "AUX" or word.text.lower() in deed_words("question", "helping")


class _Question:
    """The words of a question around the one that asks."""

    def __init__(self, tree: ParseTree, asks: int) -> None:
        self.tree, self.words, self.asks = tree, tree.words, asks

    def pattern(self) -> QuestionPattern:
        noun = self.words[self.noun].lemma.lower() if self.noun is not None else ""
        return QuestionPattern(
            self.tree, self._kind(), noun, self.predicate, self._role(), self.by, tuple(self._parts())
        )

    def _behind(self, first: int) -> range:
        return range(first, len(self.words))

    @cached_property
    def verbs(self) -> int:
        """Where the first helping verb behind the word that asks stands, or the first verb."""
        found = (
            nth
            for nth in self._behind(self.asks + 1)
            if _helps(self.words[nth]) or self.words[nth].pos == VERB
        )
        return next(found, len(self.words))

    @cached_property
    def between(self) -> list[int]:
        """What stands between the word that asks and the verbs: its noun and what goes with it."""
        return [nth for nth in range(self.asks + 1, self.verbs) if self.words[nth].pos in TELLING]

    @cached_property
    def noun(self) -> int | None:
        return next((nth for nth in reversed(self.between) if self.words[nth].pos in NOUNS), None)

    @cached_property
    def predicate(self) -> int:
        """The word all else hangs on: the root, unless that is no verb or only helps."""
        root, words = self.tree.root, self.words
        if root > self.asks and words[root].pos == VERB and not _helps(words[root]):
            return root
        verbs = [
            nth for nth in self._behind(self.asks + 1) if words[nth].pos == VERB and not _helps(words[nth])
        ]
        own = [nth for nth in self._behind(self.verbs + 1) if words[nth].pos in VERBS]
        telling = [nth for nth in self._behind(self.verbs) if words[nth].pos in TELLING]
        others = [nth for nth in (root, *telling) if nth > self.asks and not _helps(words[nth])]
        return next(iter((*verbs, *own, *others)), root)

    @cached_property
    def by(self) -> str:
        """The preposition of the hole: before the word that asks, or left alone at the end."""
        if self.asks and self.words[self.asks - 1].pos == "ADP":
            return self.words[self.asks - 1].lemma.lower()
        said = [word for word in self.words if word.pos != "PUNCT"]
        return said[-1].lemma.lower() if len(said) > 2 and said[-1].tag in sort_of("left_alone") else ""

    def _kind(self) -> str:
        asking = str(table()["asking"].get(self.words[self.asks].lemma.lower(), "what"))
        behind = self.words[self.asks + 1].lemma.lower() if self.asks + 1 < len(self.words) else ""
        if asking == "how" and behind in table()["measures"]:
            return str(table()["measures"][behind])
        if self.noun is None and asking in ("what", "how") and (kind := self._kind_by_predicate()):
            return kind
        return self._kind_by_noun() if self.noun is not None and asking != "whose" else asking

    def _kind_by_predicate(self) -> str:
        """By the verb, or by the noun that something is: `what is the name of his dog`."""
        helped = self.words[self.predicate].pos != VERB
        telling = [word.lemma for word in self.words if helped and word.pos == "NOUN"]
        named = (
            lemma for lemma in (self.words[self.predicate].lemma, *telling) if lemma in table()["predicates"]
        )
        return str(table()["predicates"].get(next(named, ""), ""))

    def _kind_by_noun(self) -> str:
        noun = self.words[self.noun or 0]
        named = (kind for kind, nouns in table()["nouns"].items() if noun.lemma.lower() in nouns.split())
        return next(named, "") or str(table()["kinds"].get(noun.kind, "which"))

    def _role(self) -> str:
        """What the hole is to the predicate."""
        if self.words[self.asks].tag == "WRB":
            return "adverb"
        if self.by:
            return "oblique"
        if self.tree.having(self.predicate, "cop") or self.words[self.predicate].pos != VERB:
            return "copula"
        subject = range(self.verbs + 1, self.predicate) if self._inverted else range(0)
        return "object" if any(self.words[nth].pos in SUBJECTS for nth in subject) else "subject"

    @property
    def _inverted(self) -> bool:
        return self.verbs < self.predicate and _helps(self.words[self.verbs])

    def _parts(self) -> Iterator[AskedPart]:
        """The telling words, but for those of the hole itself."""
        for nth, word in enumerate(self.words):
            helps = _helps(word) and nth != self.predicate
            if (
                nth != self.asks
                and nth not in self.between
                and not helps
                and word.pos in TELLING
                and analyse(word.text)
            ):
                yield AskedPart(nth, word, self._part_role(nth))

    def _part_role(self, nth: int) -> str:
        """What a word is to the predicate: the predicate itself, of its subject, its object, or beside it."""
        if self.verbs < nth < self.predicate:
            return "subject"
        if nth == self.predicate:
            return "verb"
        below = nth
        for one in self.tree.above(nth):
            if one == self.predicate:
                break
            below = one
        return str(table()["roles"].get(self.words[below].dep.partition(":")[0], "beside"))


@cache
def sort_of(name: str) -> frozenset[str]:
    """A list of tags or kinds of the table."""
    return frozenset(table()["sorts"][name].split())


@cache
def table() -> dict[str, Any]:
    return tomllib.loads((files("narraworld.query.ask.aligned") / "aligned.toml").read_text(encoding="utf-8"))
