"""The names in a sentence: runs of name words with their titles and particles. From tokens to values; knows nobody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from narraworld.base.settings import NameSpanSettings
from narraworld.extract.embedded.grammar.parser import Token
from narraworld.extract.embedded.lexicon.function_words import wordset
from narraworld.extract.embedded.lexicon.person_names import NameForm, form_of, names

__all__ = ["NameUse", "name_uses"]

_DASHES = "-—–,"
_TRAILING = f".{_DASHES}"


SETTINGS = NameSpanSettings()


@dataclass(frozen=True, slots=True)
class NameUse:
    """A name where it stands: tokens ``first`` up to ``last`` (exclusive) of its sentence."""

    text: str
    form: NameForm
    first: int
    last: int
    start: int
    end: int


def name_uses(tokens: Sequence[Token]) -> Iterator[NameUse]:
    """The names in a sentence: runs of name words with their titles, joined by particles (`Catherine de Bourgh`)."""
    if not any(token.name for token in tokens) or _heading(tokens):
        return
    at = 0
    while at < len(tokens):
        # most words are no name, and stand before none
        end = _run(tokens, at) if _named(tokens, at) or _named(tokens, at + 1) else at
        if end > at:
            use = _use(tokens, at, end)
            if use is not None:
                yield use
        at = max(end, at + 1)


def _run(tokens: Sequence[Token], at: int) -> int:
    end = at
    while end < len(tokens) and (
        _unbroken(tokens[end]) or _titled(tokens, end) or (end > at and _particle(tokens, end))
    ):
        end += 1
    return end if any(token.name for token in tokens[at:end]) else at


def _unbroken(token: Token) -> bool:
    """A name, and no two things that a dash has run together."""
    return token.name and "--" not in token.text.rstrip("-")


def _titled(tokens: Sequence[Token], at: int) -> bool:
    return _named(tokens, at + 1) and _plain(tokens[at]) in names().titles and not _owned(tokens, at)


def _owned(tokens: Sequence[Token], at: int) -> bool:
    """`her cousin Edgar` and `Ann's cousin Edgar` are called Edgar."""
    if at == 0 or not tokens[at].text.islower():
        return False
    before = tokens[at - 1].text.lower()
    return before in wordset("pronouns.possessive") | wordset("clitics.possessive")


def _particle(tokens: Sequence[Token], at: int) -> bool:
    word = tokens[at].text
    if not _named(tokens, at + 1) or word not in names().particles:
        return False
    return word != "of" or _plain(tokens[at - 1]) in names().ranks


def _named(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and tokens[at].name


def _plain(token: Token) -> str:
    return token.text.rstrip(_TRAILING).lower()


def _use(tokens: Sequence[Token], first: int, last: int) -> NameUse | None:
    """The name in a run of capitals; words that name nobody are cut off its ends, unless a title stands before them."""
    while first < last and _stands_before(tokens, first, last):
        first += 1
    while last - 1 > first and _names_nobody(tokens[last - 1]):
        last -= 1
    if first == last or _plain(tokens[first]).upper() == "I":
        return None
    text = " ".join(token.text.rstrip(_DASHES) or token.text for token in tokens[first:last])
    return NameUse(text, form_of(text), first, last, tokens[first].start, tokens[last - 1].end)


def _stands_before(tokens: Sequence[Token], at: int, last: int) -> bool:
    """Whether a word is no part of the name behind it: `But`, `dear`."""
    nobody = _names_nobody(tokens[at]) and not _title(tokens, at, last)
    return nobody or _fond(tokens, at, last)


def _names_nobody(token: Token) -> bool:
    return _plain(token) in names().nobody


def _fond(tokens: Sequence[Token], at: int, last: int) -> bool:
    return at + 1 < last and _plain(tokens[at]) in wordset("talk.fond")


def _title(tokens: Sequence[Token], at: int, last: int) -> bool:
    return _plain(tokens[at]) in names().titles and at + 1 < last


def _heading(tokens: Sequence[Token]) -> bool:
    """Capitals all over: a heading or a shout names nobody."""
    words = [token.text for token in tokens if token.text[:1].isalpha()]
    capitals = sum(word[0].isupper() for word in words)
    shouted = sum(word.isupper() and len(word) > 1 for word in words)
    many = len(words) >= SETTINGS.heading_words and capitals >= SETTINGS.heading_share * len(words)
    return many or (shouted > 0 and shouted >= SETTINGS.heading_share * len(words))
