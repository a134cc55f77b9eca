"""Names of people taken apart: titles, first names, family names; and whether two can be one person's.

A verdict always has its reason. What the words of a name give away stands in `person_names.toml`. Pure; knows no text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property, lru_cache

from narraworld.base.quick_dataclass import dataclass
from narraworld.extract.embedded.lexicon.function_words import wordset
from narraworld.extract.embedded.lexicon.language import Language, of_spoken

__all__ = ["OTHER_WORDS", "NameForm", "NameTable", "SameName", "compare", "form_of", "names"]

OTHER_WORDS = "their words differ"  # the one reason that a third name can outweigh
DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True, eq=False)
class NameTable:
    """The table of names."""

    male: frozenset[str]  # titles
    female: frozenset[str]
    titles: frozenset[str]
    before_given: frozenset[str]
    before_both: frozenset[str]
    empty: frozenset[str]
    ranks: frozenset[str]
    alone: frozenset[str]
    plain: frozenset[str]
    particles: frozenset[str]
    men: frozenset[str]
    women: frozenset[str]
    nobody: frozenset[str]
    somewhere: frozenset[str]
    long: Mapping[str, frozenset[str]]  # a short name → what it may be short for

    def title_gender(self, title: str) -> str | None:
        return "male" if title in self.male else "female" if title in self.female else None

    def given_gender(self, name: str) -> str | None:
        full = self.long.get(name, frozenset()) | {name}
        men, women = bool(full & self.men), bool(full & self.women)
        return None if men == women else "male" if men else "female"


def names() -> NameTable:
    """The names of the language that is read."""
    return of_spoken(_names)


def _names(language: Language) -> NameTable:
    said = language.table("person_names")
    titles = {sort: frozenset(words.split()) for sort, words in said["titles"].items()}
    long: dict[str, set[str]] = {}
    for full, shorts in said["short"].items():
        for short in shorts.split():
            long.setdefault(short, set()).add(full)
    return NameTable(
        male=titles["male"], female=titles["female"],
        titles=titles["male"] | titles["female"] | titles["either"],
        before_given=titles["given"], before_both=titles["both"], empty=titles["empty"], ranks=titles["ranks"],
        alone=titles["alone"], plain=titles["plain"], particles=frozenset(said["particles"]["words"].split()),
        men=frozenset(said["male"]["names"].split()), women=frozenset(said["female"]["names"].split()),
        nobody=frozenset(said["nobody"]["words"].split()), somewhere=frozenset(said["somewhere"]["words"].split()),
        long={short: frozenset(full) for short, full in long.items()},
    )  # fmt: skip


@dataclass(frozen=True)
class NameForm:
    """One way of naming somebody: `Miss Elizabeth Bennet` has the title miss and the words elizabeth bennet."""

    titles: tuple[str, ...]
    words: tuple[str, ...]

    @cached_property
    def key(self) -> str:
        return " ".join((*self.titles, *self.words))

    @cached_property
    def gender(self) -> str | None:
        """What titles, rank or first name say; a lone word may be a family name, so only a known first name counts."""
        said = {names().title_gender(word) for word in (*self.titles, *self.words[:1])} - {None}
        if said:
            return said.pop() if len(said) == 1 else None
        return names().given_gender(self.words[0]) if self.words and not self.surname_only else None

    @cached_property
    def links(self) -> frozenset[str]:
        """Words of which another form must share one to be possibly the same person's: see `compare`."""
        full = (names().long.get(word, frozenset()) for word in self.words)
        return frozenset({*self.titles, *self.words}.union(*full) or {""})

    @property
    def somewhere(self) -> bool:
        """`Baker Street`, `Castle Dracula`: the words are a place's."""
        ends = {self.words[0], self.words[-1]} if len(self.words) > 1 else set(self.words[-1:])
        return not self.titles and bool(ends & names().somewhere)

    @property
    def surname_only(self) -> bool:
        """`Mr. Darcy`: the one word after such a title is a family name."""
        own = set(self.titles) - names().empty
        return len(self.words) == 1 and bool(own) and not own & (names().before_given | names().before_both)

    @property
    def given_only(self) -> bool:
        own = set(self.titles) - names().empty
        return len(self.words) == 1 and bool(own & names().before_given)


def form_of(name: str) -> NameForm:
    """The form of a written name; articles and dots aside. A title alone is a name: `the Queen`."""
    return _form_of(name, names())


@lru_cache(maxsize=20_000)
def _form_of(name: str, table: NameTable) -> NameForm:
    words = [word.strip(".,'’") for word in re.sub(r"['’]s\b", "", name).replace("_", " ").lower().split()]
    words = [word for word in words if word]
    while len(words) > 1 and words[0] in wordset("articles.all"):
        words.pop(0)
    first = 0
    while first < len(words) - 1 and words[first] in table.titles and words[first + 1] != "of":
        first += 1
    return NameForm(tuple(words[:first]), tuple(words[first:]))


@dataclass(frozen=True, slots=True)
class SameName:
    """Whether two names can be one person's: `same`, `maybe` (one is part of the other) or `different`; and why."""

    verdict: str
    why: str

    @property
    def possible(self) -> bool:
        return self.verdict != "different"


def compare(one: NameForm, other: NameForm) -> SameName:
    """The verdict on two names, by their words alone."""
    return _compared(one, other, names())


def _compared(one: NameForm, other: NameForm, _table: NameTable) -> SameName:
    if why := _apart(one, other):
        return SameName("different", why)
    if _bare_title(one, other) or _bare_title(other, one):
        return SameName("maybe", "the title agrees")
    short, long = sorted((one, other), key=lambda form: (len(form.words), form.key))
    if short.words == long.words:
        return SameName("same", "they are the same words")
    if len(short.words) > 1:
        return _both_full(short, long)
    return _one_word(short, long)


def _apart(one: NameForm, other: NameForm) -> str | None:
    """Why two names cannot be one person's, before their words are compared."""
    if DIGITS.findall(one.key) != DIGITS.findall(other.key):
        return "their numbers differ"
    if one.gender and other.gender and one.gender != other.gender:
        return "one is a man's name, the other a woman's"
    if one.somewhere != other.somewhere and one.words != other.words:
        return "one is the name of a place"
    return _titles_clash(one, other)


def _titles_clash(one: NameForm, other: NameForm) -> str | None:
    own, others = (set(form.titles) - names().plain for form in (one, other))
    if own and others and own != others:
        return f"{' '.join(sorted(own))} is not {' '.join(sorted(others))}"
    return None


def _bare_title(one: NameForm, other: NameForm) -> bool:
    """`the Count` beside `Count Dracula`."""
    return not one.titles and len(one.words) == 1 and one.words[0] in names().alone & set(other.titles)


def _both_full(short: NameForm, long: NameForm) -> SameName:
    initial = min(short.words[0], long.words[0], key=len)
    first = _alike(short.words[0], long.words[0]) or (
        len(initial) == 1 and short.words[0][0] == long.words[0][0]
    )
    if first and short.words[-1] == long.words[-1]:
        return SameName("same", "first and last name agree")
    if long.words[: len(short.words)] == short.words or long.words[-len(short.words) :] == short.words:
        return SameName("maybe", "one is part of the other")
    return SameName("different", OTHER_WORDS)


def _one_word(short: NameForm, long: NameForm) -> SameName:
    word = short.words[0] if short.words else ""
    if len(long.words) == 1:
        return _two_lone(short, long)
    if word == long.words[-1] and not short.given_only:
        return SameName("maybe", "the family name agrees")
    if _alike(word, long.words[0]) and not short.surname_only:
        return SameName("maybe", "the first name agrees")
    return SameName("different", OTHER_WORDS)


def _two_lone(one: NameForm, other: NameForm) -> SameName:
    """Two single names: alike only when one is short for the other and neither is a family name."""
    if _alike(one.words[0], other.words[0]) and not (one.surname_only or other.surname_only):
        return SameName("maybe", "one is short for the other")
    return SameName("different", OTHER_WORDS)


def _alike(one: str, other: str) -> bool:
    """The same first name: equal, short for one another, or both short for a third."""
    full, others = (names().long.get(name, frozenset()) | {name} for name in (one, other))
    return bool(full & others)
