"""Mentions: the phrases by which a text points at people, places and things. From grammar to values; resolves nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.lexicon.function_words import wordmap, wordset
from narraworld.extract.embedded.lexicon.nouns import nouns
from narraworld.extract.embedded.lexicon.verb_frames import frame_table
from narraworld.kb.spans import TextRange

__all__ = ["Mention", "is_thing", "mention_of", "said_to_be"]

_JOINTS = re.compile("[_-]")
NARROWING = frozenset({"det", "amod", "nummod", "compound"})
INNER = frozenset({"compound", "amod", "flat", "nummod"})
QUALITIES = frozenset({"ADJ", "ADV", "DET"})  # words that stand for nothing by themselves
COMPARED = frozenset({"JJR", "JJS", "RBR", "RBS"})


@dataclass(frozen=True, slots=True)
class Mention:
    """A phrase: its words without article, its head, and what its form gives away."""

    text: str
    head: str
    where: TextRange
    sort: str  # name, noun, pronoun, unbound
    gender: str | None = None  # of pronouns also: thing, several
    definite: bool = True
    owner: str | None = None  # the possessive before it, as written
    plural: bool = False
    generic: bool = False  # without any article: a sort of thing
    telling: frozenset[str] = frozenset()  # of its words, those that tell it from others of its kind

    @property
    def key(self) -> str:
        """What two mentions of the same entity have in common, letter case and underscores aside."""
        return " ".join(self.text.replace("_", " ").casefold().split())


def mention_of(head: Word, words: Sequence[Word], text: str) -> Mention:
    """The mention a word heads."""
    lower = head.text.lower()
    gender = wordmap("pronouns.gender").get(lower)
    if head.pos in {"PRON", "NUM"} or gender or lower in wordset("pronouns.unbound"):
        return Mention(
            head.text, lower, TextRange(head.start, head.end), "pronoun" if gender else "unbound", gender
        )
    return _phrase(head, _inner(head, words), _below(head, words), text)


def _phrase(head: Word, inner: list[Word], below: list[Word], text: str) -> Mention:
    """What a name or a noun stands for, with the words that narrow it (``inner``) and those that hang on it (``below``)."""
    where = TextRange(inner[0].start, inner[-1].end)
    determiner, owner = _determiner(below), _owner(below)
    if _something_of(head, below):
        return Mention(head.text, head.text.lower(), where, "unbound")
    if not head.name and _stands_for_nothing(head, determiner, owner):
        return Mention(head.text, head.text.lower(), where, "unbound")
    named = head.name or (inner[-1].name and determiner is None)
    return Mention(
        where.cut(text),
        _noun(head),
        where,
        "name" if named else "noun",
        _gender([word.text for word in inner]),
        determiner not in wordset("articles.newcomers"),
        owner,
        head.tag == "NNS",
        not any(map(_narrowing, below)),
        _telling(head, below),
    )


def _something_of(head: Word, below: list[Word]) -> bool:
    """`Catriona's is full`: what is hers, and not she."""
    return head.relation == "nsubj" and any(word.tag == "POS" for word in below)


def _determiner(below: list[Word]) -> str | None:
    return next((word.text.lower() for word in below if word.relation == "det"), None)


def _owner(below: list[Word]) -> str | None:
    return next((word.text for word in below if word.dep == "nmod:poss"), None)


def _narrowing(word: Word) -> bool:
    return word.relation in NARROWING or word.dep == "nmod:poss"


def _stands_for_nothing(head: Word, determiner: str | None, owner: str | None) -> bool:
    """`asleep`, `more`, `nearer`; `every sister` is no sister."""
    bare = determiner is None and owner is None
    quality = head.pos in QUALITIES or head.tag in COMPARED
    return (bare and quality) or determiner in wordset("articles.each")


def _telling(head: Word, below: Sequence[Word]) -> frozenset[str]:
    """The words that tell it from others: `green_drawer`, `t-shirt`, `the garden gate`."""
    joined = _JOINTS.split(head.text.lower())[:-1]
    return frozenset(
        [*joined, *(word.text.lower() for word in below if word.relation in INNER and _tells(word))]
    )


def _below(head: Word, words: Sequence[Word]) -> list[Word]:
    return [word for word in words if word.head == head.position != word.position]


def _tells(word: Word) -> bool:
    """Whether a word tells a thing from others: `the garden gate`, `the other gate`; not `the dreaded gate`."""
    return word.relation != "amod" or word.lemma in nouns().telling


def said_to_be(head: Word, words: Sequence[Word]) -> Word | None:
    """Whom a noun after `be` describes: in `Walter was a man who read`, the man is Walter."""
    below = _below(head, words)
    ways = {word.relation for word in below}
    if nouns().kind(_noun(head)) != "character" or "cop" not in ways or "case" in ways:
        return None
    return next((word for word in below if word.relation == "nsubj"), None)


def _inner(head: Word, words: Sequence[Word]) -> list[Word]:
    """The head and the words that narrow it, as far as they stand beside it without a gap."""
    parts = {
        head.position,
        *(word.position for word in words if word.head == head.position and _narrows(word, head)),
    }
    first = last = head.position
    while first - 1 in parts or _joins(words, first - 1):
        first -= 1
    while last + 1 in parts and words[last + 1].relation == "flat":
        last += 1
    return list(words[first : last + 1])


def _narrows(word: Word, head: Word) -> bool:
    """Not `the open door`, `the Count himself`, `his brother Tom`."""
    lower = word.text.lower()
    said_of_it = lower in frame_table().adjectives or lower in wordmap("pronouns.gender")
    return word.relation in INNER and not said_of_it and not (head.name and word.text in nouns().people)


def _joins(words: Sequence[Word], position: int) -> bool:
    """A title before a name belongs to it; so does a name before a name."""
    if position < 0:
        return False
    before = words[position].text.rstrip(".")
    kin = before.islower() and before in nouns().people  # `his brother Tom`, not `Brother Tom`
    if before.lower() in nouns().titles and words[position + 1].name and not kin:
        return True
    return words[position].name and words[position + 1].name


def _noun(head: Word) -> str:
    """The noun itself, underscores aside: `back_yard` is a yard."""
    plain = head.text.lower() if head.name else (head.lemma or head.text.lower())
    return plain.rpartition("_")[2] or plain


def _gender(texts: Sequence[str]) -> str | None:
    words = {text.lower().rstrip(".") for text in texts}
    if words & nouns().male:
        return "male"
    return "female" if words & nouns().female else None


def is_thing(word: Word) -> bool:
    """Whether a noun means neither people nor a group of them."""
    return word.pos == "NOUN" and nouns().kind(word.lemma) not in {"character", "group"}
