"""Where sentences begin and end, and which words are names. Looks at letters and marks only.

A full stop ends a sentence unless an abbreviation or an initial carries it; a paragraph break always does. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from narraworld.extract.embedded.grammar.parser import Token
from narraworld.extract.embedded.lexicon.function_words import pattern, wordset
from narraworld.extract.embedded.lexicon.noun_kinds import noun_kinds
from narraworld.extract.embedded.lexicon.nouns import nouns
from narraworld.extract.embedded.lexicon.person_names import names
from narraworld.extract.embedded.lexicon.verb_frames import frame_table
from narraworld.kb.english.normal_words import singular
from narraworld.kb.spans import TextRange

__all__ = ["mark_names", "paragraphs", "sentences"]


_ENDS = re.compile(r"(?<![.!?…])[.!?…]+[\"”’')\]]*(?=\s|$)|\n\s*\n")


def paragraphs(text: str) -> Iterator[TextRange]:
    """Stretches between empty lines."""
    for found in re.finditer(r"\S(?:.|\n(?!\s*\n))*", text):
        yield TextRange(*found.span())


def sentences(text: str, within: TextRange) -> list[TextRange]:
    """The sentences of one stretch of text, without the white space around them."""
    found, start = list[TextRange](), within.start
    for mark in _ENDS.finditer(text, within.start, within.end):
        if _abbreviated(text, mark.start()) or _goes_on(text, mark.end()):
            continue
        found.append(TextRange(start, mark.end()))
        start = mark.end()
    found.append(TextRange(start, within.end))
    return [trimmed for one in found if (trimmed := _trim(text, one)).end > trimmed.start]


def _abbreviated(text: str, dot: int) -> bool:
    word = re.search(r"(\w+)$", text[max(0, dot - 12) : dot])
    if word is None or text[dot] != ".":
        return False
    return word[1].lower() in wordset("small.abbreviations") or (
        len(word[1]) == 1 and word[1].isupper() and word[1] != "I"
    )


def _goes_on(text: str, end: int) -> bool:
    """A small letter after the mark: the sentence is not over (“Stop!” he said)."""
    following = text[end : end + 40].lstrip()
    return bool(following) and following[0].islower()


def _trim(text: str, one: TextRange) -> TextRange:
    inner = one.cut(text)
    start = one.start + len(inner) - len(inner.lstrip())
    return TextRange(start, max(start, one.end - (len(inner) - len(inner.rstrip()))))


def mark_names(told: Iterable[list[Token]], known: Iterable[str] = ()) -> list[list[Token]]:
    """The sentences with their names marked; ``known`` are words of names met before.

    Inside a sentence a capital is a name. At its beginning it is one if the word is a name elsewhere, or stands where
    only a doer can stand: before a verb, or in a row of names.
    """
    listed = list(told)
    names, plain = Counter[str](known), Counter[str]()
    for text, often in Counter(token.text for tokens in listed for token in tokens[1:]).items():
        (names if _capital(text) else plain)[text] += often
    return [_marked(tokens, names, plain) for tokens in listed]


def _marked(tokens: list[Token], capital: Counter[str], plain: Counter[str]) -> list[Token]:
    marked = [replace(token, name=True) if _capital(token.text) else token for token in tokens]
    first = next((n for n, token in enumerate(marked) if token.text[:1].isalpha()), None)
    if first is not None and marked[first].name:
        text = marked[first].text
        often = capital[text] > plain[text.lower()]
        marked[first] = replace(marked[first], name=often or _doer(marked, first, plain))
    return marked


def _doer(tokens: list[Token], first: int, plain: Counter[str]) -> bool:
    """Whether a capital at the beginning stands where only somebody can stand: before a verb, or in a row of names."""
    if plain[tokens[first].text.lower()] or first + 1 >= len(tokens) or _no_doer(tokens, first):
        return False
    after = tokens[first + 1]
    if _in_a_row(tokens, first) or after.name or _verb(after.text) or _adverb_and_verb(tokens, first):
        return True
    return bool(pattern("sentence.after_a_name").match(after.text)) and _only_a_name(
        tokens[first].text.lower()
    )


def _only_a_name(word: str) -> bool:
    """`Desmond could not swim`, `Astrid's wrist`: a given name of the table, or a word that no dictionary has."""
    if names().given_gender(word) is not None:
        return True
    kinds, one = noun_kinds(), singular(word)
    unknown = kinds.of(word) is None and kinds.of(one) is None and not kinds.masks(word)
    return unknown and not pattern("sentence.made_word").match(word)


def _no_doer(tokens: list[Token], first: int) -> bool:
    """`Gently picking it up`, `Unexpectedly, Ann left`, `Curiosity led them in`; `Lily` and `Grace` are names."""
    word, after = tokens[first].text.lower(), tokens[first + 1].text
    adverb = word.endswith("ly") and (after.endswith("ing") or after == ",")
    return names().given_gender(word) is None and (adverb or word in nouns().vague)


def _in_a_row(tokens: list[Token], first: int) -> bool:
    """`Tom and Ann`, `Tom, who`."""
    second = tokens[first + 2] if first + 2 < len(tokens) else None
    if second is None or tokens[first + 1].text not in wordset("conjunctions.row"):
        return False
    return second.name or second.text in wordset("pronouns.of_a_doer")


def _adverb_and_verb(tokens: list[Token], first: int) -> bool:
    near = [token.text for token in tokens[first + 1 : first + 3]]
    return len(near) == 2 and near[0].endswith("ly") and _verb(near[1])


def _verb(text: str) -> bool:
    """Whether a word looks like a verb that somebody could be doing."""
    return bool(pattern("sentence.verb_after").match(text)) or text in frame_table().lemmas


def _capital(text: str) -> bool:
    return (
        text[:1].isupper()
        and text.lower() not in wordset("small.function_words")
        and (len(text) > 1 or text != "I")
    )
