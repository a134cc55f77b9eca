"""Appositions: who somebody is, said beside the name (`Ruth, his daughter,`; `the guide, Tenzin`; `a man called Lutz`).

Found before the grammar is asked, because they confuse small parsers, and taken out of the sentence: the name stays, and
what stood beside it is kept as a value. A row (`Tom, the driver, and Ann`) is no aside. Pure; resolves nobody.
"""

from __future__ import annotations

from collections.abc import Sequence

from narraworld.base.quick_dataclass import dataclass
from narraworld.extract.embedded.grammar.name_spans import NameUse, name_uses
from narraworld.extract.embedded.grammar.parser import Token
from narraworld.extract.embedded.lexicon.function_words import wordset
from narraworld.extract.embedded.lexicon.nouns import nouns
from narraworld.kb.spans import TextRange

__all__ = ["Apposition", "without_asides"]

CLOSING = frozenset({",", ".", "!", "?", ";", "—", "–", ")"})
FEW = 3  # words between the article and the noun
TAIL = 8  # words behind the noun
LONGEST = 8  # words of what somebody is said to be: `being the thoughtful soul that she was`


@dataclass(frozen=True, slots=True)
class Apposition:
    """Somebody, and what the text says beside the name: the noun, and whose it is."""

    name: NameUse
    noun: str
    where: TextRange  # name and noun
    owner: Token | None = None  # `his`, or the name before `'s`
    article: str | None = None


@dataclass(frozen=True, slots=True)
class _Phrase:
    """`his late aunt`, `a boy of nine`: tokens ``first`` up to ``last`` (exclusive), ending with its noun or the `of`."""

    first: int
    last: int
    noun: str
    owner: Token | None
    article: str | None
    several: bool


def without_asides(tokens: Sequence[Token]) -> tuple[list[Token], list[Apposition]]:
    """The sentence without its asides, and these."""
    kept, found = list(tokens), list[Apposition]()
    while (one := _next(kept)) is not None:
        asides, gone = one
        found += asides
        kept = [token for place, token in enumerate(kept) if place not in gone]
    return kept, found


def _next(tokens: Sequence[Token]) -> tuple[list[Apposition], set[int]] | None:
    uses = list(name_uses(tokens))
    for place, use in enumerate(uses):
        found = (
            _called(tokens, use)
            or _being(tokens, use)
            or _behind(tokens, use)
            or _before(tokens, uses[place:])
        )
        if found:
            phrase, named, gone = found
            return [_aside(tokens, phrase, one) for one in named], gone
    return None


def _aside(tokens: Sequence[Token], phrase: _Phrase, use: NameUse) -> Apposition:
    start, end = min(tokens[phrase.first].start, use.start), max(tokens[phrase.last - 1].end, use.end)
    return Apposition(use, phrase.noun, TextRange(start, end), phrase.owner, phrase.article)


Found = tuple[_Phrase, list[NameUse], set[int]]


def _called(tokens: Sequence[Token], use: NameUse) -> Found | None:
    """`a thin man called Lutz`; not `the nurse called Lutz back`."""
    if _word(tokens, use.first - 1) not in wordset("verbs.called"):
        return None
    phrase = _phrase_to(tokens, use.first - 1)
    if phrase and phrase.article == "the" and _word(tokens, use.last) in wordset("verbs.calling_on"):
        return None
    return (phrase, [use], set(range(phrase.first, use.first))) if phrase and not phrase.several else None


def _behind(tokens: Sequence[Token], use: NameUse) -> Found | None:
    """`Ruth Hale, his daughter,`."""
    if _word(tokens, use.last) != ",":
        return None
    phrase = _phrase_from(tokens, use.last + 1)
    if phrase is None or phrase.several or not _closed(tokens, phrase.last):
        return None
    if _word(tokens, use.first - 1) in {
        *wordset("conjunctions.joining_phrases"),
        ",",
    }:  # `Tom, Ann, the driver`
        return None
    end = phrase.last + _comma(tokens, phrase.last)
    return phrase, [use], set(range(use.last, end))


def _being(tokens: Sequence[Token], use: NameUse) -> Found | None:
    """`Ruth, being the honest woman she was, left`: no news of who she is, and in the way of the grammar."""
    if [_word(tokens, use.last), _word(tokens, use.last + 1)] != [",", "being"]:
        return None
    phrase = _phrase_from(tokens, use.last + 2, whole=False)
    if phrase is None or phrase.several:
        return None
    ends = range(phrase.last, min(use.last + LONGEST + FEW, len(tokens)))
    end = next((place for place in ends if tokens[place].text == ","), None)
    return None if end is None else (phrase, [], set(range(use.last, end + 1)))


def _comma(tokens: Sequence[Token], at: int) -> bool:
    """A comma that only closes the aside: `…, who` keeps its own."""
    return _word(tokens, at) == "," and not _word(tokens, at + 1).startswith("wh")


def _before(tokens: Sequence[Token], uses: Sequence[NameUse]) -> Found | None:
    """`her husband, Daniel,`; `his brother Tom`; `his daughters, Carla and Lucia,`."""
    first = uses[0].first
    comma = _word(tokens, first - 1) == ","
    phrase = _phrase_to(tokens, first - comma)
    if phrase is None or not (comma or phrase.owner):
        return None
    named = _row(tokens, uses) if phrase.several else [uses[0]]
    end = named[-1].last
    if (len(named) > 1) != phrase.several or (comma and not _closed(tokens, end)):
        return None
    gone = set(range(phrase.first, first)) | ({end} if comma and _comma(tokens, end) else set())
    return phrase, named, gone


def _row(tokens: Sequence[Token], uses: Sequence[NameUse]) -> list[NameUse]:
    """The names joined to the first by commas and `and`."""
    row = [uses[0]]
    for one in uses[1:]:
        between = {_word(tokens, place) for place in range(row[-1].last, one.first)}
        if not between or not between <= {",", "and"}:
            break
        row.append(one)
    return row


def _closed(tokens: Sequence[Token], at: int) -> bool:
    """Whether the aside ends here, and no row goes on behind it."""
    if at < len(tokens) and tokens[at].text not in CLOSING:
        return False
    joined = _word(tokens, at + 1) in wordset("conjunctions.joining_phrases")
    return not joined or not (_determines(tokens, at + 2) or (at + 2 < len(tokens) and tokens[at + 2].name))


def _phrase_from(tokens: Sequence[Token], first: int, *, whole: bool = True) -> _Phrase | None:
    """The phrase that begins here; where it need not be whole, more may follow its noun."""
    start = _owned_from(tokens, first)
    for last in range(start, min(start + FEW + 1, len(tokens))):
        if not _plain(tokens, last):
            return None
        if not _somebody(tokens[last].text):
            continue
        if _word(tokens, last + 1) in wordset("prepositions.behind_a_noun"):
            end = last + 2
            while end < len(tokens) and tokens[end].text not in CLOSING and end - last <= TAIL:
                end += 1
            return _phrase(tokens, first, start, end, last)
        if not (whole and _plain(tokens, last + 1)):
            return _phrase(tokens, first, start, last + 1)
    return None


def _phrase_to(tokens: Sequence[Token], end: int) -> _Phrase | None:
    """The phrase that ends before this place."""
    if end < 1 or not _somebody(tokens[end - 1].text) or not _plain(tokens, end - 1):
        return None
    start = end - 1
    while start > 0 and end - start <= FEW and _is_inside(tokens, start - 1):
        start -= 1
    if _owned_by_name(tokens, start):
        return _phrase(tokens, start - 2, start, end)
    return _phrase(tokens, start - 1, start, end) if _determines(tokens, start - 1) else None


def _owned_by_name(tokens: Sequence[Token], start: int) -> bool:
    """`Ada's` stands before it."""
    possessive = start > 1 and _word(tokens, start - 1) in wordset("clitics.possessive")
    return possessive and bool(tokens[start - 2].name)


def _is_inside(tokens: Sequence[Token], at: int) -> bool:
    return _plain(tokens, at) and not _determines(tokens, at)


def _phrase(tokens: Sequence[Token], first: int, start: int, last: int, noun: int | None = None) -> _Phrase:
    head = tokens[last - 1 if noun is None else noun].text.lower()
    word = tokens[first].text.lower()
    owner = tokens[first] if word not in wordset("articles.all") else None
    return _Phrase(first, last, _single(head), owner, word if owner is None else None, _single(head) != head)


def _owned_from(tokens: Sequence[Token], first: int) -> int:
    """Where the words behind `his`, `a` or `Nora's` begin; far behind the sentence where there are none."""
    if _determines(tokens, first):
        return first + 1
    if (
        first < len(tokens)
        and tokens[first].name
        and _word(tokens, first + 1) in wordset("clitics.possessive")
    ):
        return first + 2
    return len(tokens)


def _determines(tokens: Sequence[Token], at: int) -> bool:
    return _word(tokens, at) in wordset("articles.all") | wordset("pronouns.possessive")


def _plain(tokens: Sequence[Token], at: int) -> bool:
    return 0 <= at < len(tokens) and tokens[at].text.replace("-", "").isalpha() and tokens[at].text.islower()


def _word(tokens: Sequence[Token], at: int) -> str:
    return tokens[at].text.lower() if 0 <= at < len(tokens) else ""


def _somebody(text: str) -> bool:
    word = text.lower()
    return word in nouns().people | nouns().creatures or _single(word) != word


def _single(word: str) -> str:
    """`daughters` is several of a noun for people."""
    one = word.removesuffix("s")
    return one if word not in nouns().people and one in nouns().people else word
