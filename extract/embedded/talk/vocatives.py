"""Vocatives and self-introductions inside direct speech: `No, my dear Watson`, `I am Holmes`. By words alone; finds nobody. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from narraworld.extract.embedded.grammar.name_spans import NameUse, name_uses
from narraworld.extract.embedded.grammar.parser import Token
from narraworld.extract.embedded.lexicon.function_words import wordset
from narraworld.extract.embedded.lexicon.speech_words import speech_words
from narraworld.extract.embedded.talk.speech_tags import ENDS, PAUSES

__all__ = ["Vocatives", "calls_in"]

SIGNED = 3  # words before the name: `your loving daughter`
DASHES = frozenset({"--", "—", "–"})


@dataclass(frozen=True, slots=True)
class Vocatives:
    """Whom spoken words address (names, genders) and whom they speak of."""

    names: tuple[str, ...] = ()
    genders: frozenset[str] = frozenset()
    about: tuple[str, ...] = ()
    own: tuple[str, ...] = ()  # `I am Holmes`


def calls_in(sentences: Iterable[Sequence[Token]]) -> Vocatives:
    """Everybody called, spoken of or introduced in the sentences of a quotation."""
    called, about, own, genders = list[str](), list[str](), list[str](), set[str]()
    for tokens in sentences:
        genders |= set(_addressed(tokens))
        for use in name_uses(tokens):
            if _introduces(tokens, use):
                own.append(use.text)
            elif _vocative(tokens, use.first, use.last):
                called.append(use.text)
            else:
                about.append(use.text)
    return Vocatives(tuple(called), frozenset(genders), tuple(about), tuple(own))


def _addressed(tokens: Sequence[Token]) -> Iterator[str]:
    words = speech_words()
    for nth, token in enumerate(tokens):
        word = token.text.lower()
        gender = "male" if word in words.he else "female" if word in words.she else None
        if gender and _vocative(tokens, nth, nth + 1):
            yield gender


def _vocative(tokens: Sequence[Token], first: int, last: int) -> bool:
    """A name between pauses, fond words aside: `No, my dear Watson, …`."""
    while first > 0 and tokens[first - 1].text.lower() in speech_words().fondly:
        first -= 1
    before = tokens[first - 1].text if first else None
    after = tokens[last].text if last < len(tokens) else None
    if after is not None and after not in PAUSES and after not in ENDS:
        return False
    if (
        _told_of(tokens, first, last)
        or _named_again(tokens, before, after, last)
        or _signs(tokens, first, last)
    ):
        return False
    return _opens_a_call(before, after)


def _signs(tokens: Sequence[Token], first: int, last: int) -> bool:
    """`Your daughter, Mara.`: the last words of a letter name whoever wrote it."""
    words = [token.text.lower() for token in tokens[:first] if token.text[:1].isalpha()]
    if not words or len(words) > SIGNED or any(token.text[:1].isalpha() for token in tokens[last:]):
        return False
    return words[0] in wordset("talk.signing") and words[-1] in wordset("talk.signed")


def _opens_a_call(before: str | None, after: str | None) -> bool:
    """Whether a pause or a hail leads to the name; at the very beginning, whether a pause follows it."""
    if before is None:
        return after in {",", "!", "--", "—"}
    return before in PAUSES or before.lower() in wordset("talk.hails")


def _named_again(tokens: Sequence[Token], before: str | None, after: str | None, last: int) -> bool:
    """`Leo--Mr. Vane--was a cashier`."""
    return after in DASHES and (before in DASHES or _named(tokens, last + 1))


def _named(tokens: Sequence[Token], at: int) -> bool:
    """Whether a name begins here, its title included."""
    return any(use.first == 0 for use in name_uses(tokens[at : at + 4]))


def _told_of(tokens: Sequence[Token], first: int, last: int) -> bool:
    """A name that is explained (`Peterson, who …`, `Horner, a plumber`) or one of a row of names calls nobody."""
    if last + 1 >= len(tokens) or tokens[last].text != ",":
        return False
    behind = {token.text.lower() for token in tokens[last + 1 : last + 3]}
    if behind & wordset("talk.relative") or _shows(tokens[:first]):
        return True
    return _explains(tokens[last + 1]) or _in_a_row(tokens, first, last)


def _explains(token: Token) -> bool:
    return token.text.lower() in wordset("talk.explaining") or token.text[:1].isdigit()


def _in_a_row(tokens: Sequence[Token], first: int, last: int) -> bool:
    """`Ada, Leo, Ines`: a name before and behind, with commas between."""
    before = tokens[max(first - 2, 0) : first]
    return len(before) == 2 and before[1].text == "," and bool(before[0].name and tokens[last + 1].name)


def _shows(before: Sequence[Token]) -> bool:
    """`This is my friend, Mara, …`: she is shown to somebody else."""
    words = [token.text.lower() for token in before]
    return any(" ".join(pair) in wordset("talk.showing") for pair in pairwise(words))


def _introduces(tokens: Sequence[Token], use: NameUse) -> bool:
    before = [token.text.lower() for token in tokens[max(0, use.first - 3) : use.first]]
    return " ".join(before[-2:]) in wordset("talk.introducing")
