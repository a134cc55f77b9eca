"""Where sentences and quotations begin and end, and which words are names. Looks at letters and marks only.

A full stop ends a sentence unless an abbreviation or an initial carries it; a paragraph break always does. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from narraworld.extract.frames import frame_table
from narraworld.extract.parsing import Token
from narraworld.kb.spans import Range

__all__ = ["FUNCTION_WORDS", "mark_names", "paragraphs", "quotations", "sentences", "without_speech"]

ABBREVIATIONS = frozenset(
    [
        "mr",
        "mrs",
        "ms",
        "dr",
        "st",
        "prof",
        "rev",
        "hon",
        "capt",
        "col",
        "gen",
        "lt",
        "sgt",
        "mme",
        "mlle",
        "messrs",
        "esq",
        "jr",
        "sr",
        "vs",
        "no",
        "vol",
        "ch",
        "etc",
    ]
)
FUNCTION_WORDS = frozenset(
    [
        "a",
        "an",
        "the",
        "this",
        "that",
        "these",
        "those",
        "i",
        "you",
        "he",
        "she",
        "it",
        "we",
        "they",
        "me",
        "him",
        "her",
        "us",
        "them",
        "my",
        "your",
        "his",
        "its",
        "our",
        "their",
        "mine",
        "yours",
        "hers",
        "ours",
        "theirs",
        "who",
        "whom",
        "whose",
        "which",
        "what",
        "when",
        "where",
        "why",
        "how",
        "if",
        "though",
        "although",
        "because",
        "since",
        "while",
        "until",
        "unless",
        "as",
        "and",
        "or",
        "but",
        "nor",
        "so",
        "yet",
        "for",
        "in",
        "on",
        "at",
        "by",
        "to",
        "from",
        "of",
        "with",
        "without",
        "within",
        "into",
        "onto",
        "upon",
        "under",
        "over",
        "between",
        "among",
        "through",
        "during",
        "before",
        "after",
        "behind",
        "beyond",
        "beside",
        "besides",
        "near",
        "above",
        "below",
        "against",
        "about",
        "around",
        "across",
        "along",
        "toward",
        "towards",
        "not",
        "no",
        "never",
        "ever",
        "now",
        "then",
        "there",
        "here",
        "again",
        "once",
        "twice",
        "soon",
        "still",
        "just",
        "only",
        "also",
        "too",
        "even",
        "very",
        "much",
        "many",
        "more",
        "most",
        "few",
        "some",
        "any",
        "all",
        "both",
        "each",
        "every",
        "either",
        "neither",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "another",
        "other",
        "such",
        "same",
        "own",
        "is",
        "are",
        "was",
        "were",
        "am",
        "be",
        "been",
        "being",
        "do",
        "does",
        "did",
        "have",
        "has",
        "had",
        "will",
        "would",
        "shall",
        "should",
        "can",
        "could",
        "may",
        "might",
        "must",
        "let",
        "oh",
        "ah",
        "yes",
        "well",
        "nothing",
        "something",
        "anything",
        "everything",
        "nobody",
        "somebody",
        "anybody",
        "everybody",
        "none",
        "perhaps",
        "maybe",
        "however",
        "meanwhile",
        "afterwards",
        "afterward",
        "finally",
        "suddenly",
        "presently",
        "instead",
        "indeed",
        "thus",
        "therefore",
        "hence",
        "than",
        "like",
        "till",
        "i'm",
        "i'll",
        "i've",
        "i'd",
        "don't",
        "didn't",
        "chapter",
    ]
)
_ENDS = re.compile(r"[.!?…]+[\"”’')\]]*(?=\s|$)|\n\s*\n")
_QUOTES = (
    re.compile(r"‘[^‘\n]*(?:\n[^‘\n]+)*?[,.!?;:—–-]’(?!\w)"),
    re.compile(r"“[^“”]*(?:”|(?=\n\s*\n)|\Z)"),
    re.compile(r"(?<!\w)\"[^\"]*(?:\"|(?=\n\s*\n)|\Z)"),
)
_VERB_AFTER = re.compile(r"(?:\w+ed|is|was|has|had)$")


def paragraphs(text: str) -> Iterator[Range]:
    """Stretches between empty lines."""
    for found in re.finditer(r"\S(?:.|\n(?!\s*\n))*", text):
        yield Range(*found.span())


def quotations(text: str) -> list[Range]:
    """Direct speech, marks included."""
    found = [Range(*one.span()) for marks in _QUOTES for one in marks.finditer(text)]
    return sorted(one for one in found if one.end - one.start > 2)


def without_speech(text: str) -> str:
    """The narration alone, every character in its place: what people say in quotation marks is nobody's fact."""
    pieces, at = list[str](), 0
    for one in quotations(text):
        if one.end > at:
            start = max(one.start, at)
            pieces += [text[at:start], re.sub(r"[^\n]", " ", text[start : one.end])]
            at = one.end
    return "".join([*pieces, text[at:]])


def sentences(text: str, within: Range) -> list[Range]:
    """The sentences of one stretch of text, without the white space around them."""
    found, start = list[Range](), within.start
    for mark in _ENDS.finditer(text, within.start, within.end):
        if _abbreviated(text, mark.start()) or _goes_on(text, mark.end()):
            continue
        found.append(Range(start, mark.end()))
        start = mark.end()
    found.append(Range(start, within.end))
    return [trimmed for one in found if (trimmed := _trim(text, one)).end > trimmed.start]


def _abbreviated(text: str, dot: int) -> bool:
    word = re.search(r"(\w+)$", text[max(0, dot - 12) : dot])
    if word is None or text[dot] != ".":
        return False
    return word[1].lower() in ABBREVIATIONS or (len(word[1]) == 1 and word[1].isupper() and word[1] != "I")


def _goes_on(text: str, end: int) -> bool:
    """A small letter after the mark: the sentence is not over (“Stop!” he said)."""
    following = text[end : end + 40].lstrip()
    return bool(following) and following[0].islower()


def _trim(text: str, one: Range) -> Range:
    inner = one.cut(text)
    start = one.start + len(inner) - len(inner.lstrip())
    return Range(start, max(start, one.end - (len(inner) - len(inner.rstrip()))))


def mark_names(told: Iterable[list[Token]], known: Iterable[str] = ()) -> list[list[Token]]:
    """The sentences with their names marked; ``known`` are words of names met before.

    Inside a sentence a capital is a name. At its beginning it is one if the word is a name elsewhere, or stands where
    only a doer can stand: before a verb, or in a row of names.
    """
    listed = list(told)
    names, plain = Counter[str](known), Counter[str]()
    for tokens in listed:
        for token in tokens[1:]:
            (names if _capital(token.text) else plain)[token.text] += 1
    return [_marked(tokens, names, plain) for tokens in listed]


def _marked(tokens: list[Token], names: Counter[str], plain: Counter[str]) -> list[Token]:
    marked = [replace(token, name=_capital(token.text)) for token in tokens]
    first = next((n for n, token in enumerate(marked) if token.text[:1].isalpha()), None)
    if first is not None and marked[first].name:
        text = marked[first].text
        often = names[text] > plain[text.lower()]
        marked[first] = replace(marked[first], name=often or _doer(marked, first, plain))
    return marked


def _doer(tokens: list[Token], first: int, plain: Counter[str]) -> bool:
    if plain[tokens[first].text.lower()] or first + 1 >= len(tokens):
        return False
    after = tokens[first + 1].text
    row = after in {",", "and"} and first + 2 < len(tokens) and tokens[first + 2].name
    return row or tokens[first + 1].name or _verb(after) or _adverb_and_verb(tokens, first)


def _adverb_and_verb(tokens: list[Token], first: int) -> bool:
    near = [token.text for token in tokens[first + 1 : first + 3]]
    return len(near) == 2 and near[0].endswith("ly") and _verb(near[1])


def _verb(text: str) -> bool:
    """Whether a word looks like a verb that somebody could be doing."""
    return bool(_VERB_AFTER.match(text)) or text in frame_table().lemmas


def _capital(text: str) -> bool:
    return text[:1].isupper() and text.lower() not in FUNCTION_WORDS and (len(text) > 1 or text != "I")
