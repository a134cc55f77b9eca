"""Grammar: sentences in, words with lemma, part of speech and head out. The only door to spaCy.

The parser never sees the story's own names: each is lent a common one (`stand_ins`), because a small model knows `John`
better than `Isla`; and what it parsed once it does not parse again. Knows nothing of stories.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spacy.language import Language

__all__ = ["Token", "Word", "english", "parse", "tokens_of"]

WEIGHTS = Path(__file__).with_name("english")
LENT = ("John", "Mary", "David", "Sarah", "James", "Susan", "Robert", "Linda", "Peter", "Karen")
SIMPLER = {"no longer": "not"}  # two words that the parser takes better as one
CACHE = 50_000  # sentences; a long novel has fewer


@dataclass(frozen=True, slots=True)
class Token:
    """A word as it stands in the text."""

    text: str
    start: int
    end: int
    name: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its grammar; ``head`` is the position in the sentence of the word it depends on (its own: the root)."""

    position: int
    text: str
    start: int
    end: int
    lemma: str
    pos: str
    tag: str
    dep: str
    head: int
    name: bool

    @property
    def relation(self) -> str:
        """The grammatical relation without its subtype: `obl:tmod` is an `obl`."""
        return self.dep.partition(":")[0]


Grammar = tuple[tuple[str, str, str, str, int], ...]  # lemma, pos, tag, dep, head


@lru_cache(maxsize=1)
def english() -> Language:
    """The English pipeline; heavy, so loaded when first needed."""
    import spacy

    return spacy.load(WEIGHTS)


@lru_cache(maxsize=1)
def _tokenizer() -> Any:
    return english().tokenizer


def tokens_of(text: str, start: int = 0) -> list[Token]:
    """The words of a text that begins at ``start`` of its unit; white space is nobody's word."""
    found = [
        Token(one.text, start + one.idx, start + one.idx + len(one.text))
        for one in _tokenizer()(text)
        if not one.is_space
    ]
    return _rejoined(found)


def _rejoined(tokens: list[Token]) -> list[Token]:
    """Hyphenated words made whole again: the tokenizer takes `drawing-room` for three."""
    found = list[Token]()
    for token in tokens:
        last = found[-1] if found else None
        whole = last and (
            (last.end == token.start and _hyphenated(last.text, token.text))
            or f"{last.text} {token.text}".lower() in SIMPLER
        )
        if last and whole and last.end == token.start:
            found[-1] = Token(last.text + token.text, last.start, token.end)
        elif last and whole:
            found[-1] = Token(f"{last.text} {token.text}", last.start, token.end)
        else:
            found.append(token)
    return found


def _hyphenated(one: str, other: str) -> bool:
    return (one[-1].isalnum() and other == "-") or (
        len(one) > 1 and one[-1] == "-" and one[-2].isalnum() and other[0].isalnum()
    )


def parse(sentences: Iterable[Sequence[Token]]) -> list[list[Word]]:
    """The grammar of each sentence, in order."""
    wanted = list(sentences)
    shown = [_shown(tokens) for tokens in wanted]
    _learn({words for words in shown if words and words not in _known})
    return [
        _words(tokens, _known[words] if words else ()) for tokens, words in zip(wanted, shown, strict=True)
    ]


_known: dict[tuple[str, ...], Grammar] = {}


def _learn(sentences: set[tuple[str, ...]]) -> None:
    from spacy.tokens import Doc

    if len(_known) + len(sentences) > CACHE:
        _known.clear()
    ordered = sorted(sentences, key=lambda words: (len(words), words))
    docs = (Doc(english().vocab, words=list(words)) for words in ordered)
    for words, doc in zip(ordered, english().pipe(docs, batch_size=64), strict=True):
        _known[words] = _grammar(doc)


def _grammar(doc: Any) -> Grammar:
    """What the parser says; where it sees two sentences in one, the second hangs on the first."""
    root = next(word.i for word in doc if word.head.i == word.i)
    return tuple(
        (
            word.lemma_.lower(),
            word.pos_,
            word.tag_,
            "parataxis" if word.head.i == word.i != root else word.dep_,
            root if word.head.i == word.i else word.head.i,
        )
        for word in doc
    )


def _shown(tokens: Sequence[Token]) -> tuple[str, ...]:
    """The words as the parser sees them."""
    found, lent = [], 0
    for token in tokens:
        if token.name:
            found.append(LENT[lent % len(LENT)])
            lent += 1
        elif token.text.lower() in SIMPLER:
            found.append(SIMPLER[token.text.lower()])
        else:
            found.append(re.split(r"[_-]", token.text.strip("_-"))[-1] or token.text)
    return tuple(found)


def _words(tokens: Sequence[Token], grammar: Grammar) -> list[Word]:
    return [
        Word(position, token.text, token.start, token.end, token.text if token.name else lemma,
             "PROPN" if token.name else pos, tag, dep, head, token.name)
        for position, (token, (lemma, pos, tag, dep, head)) in enumerate(zip(tokens, grammar, strict=True))
    ]  # fmt: skip
