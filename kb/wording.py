"""Propositions as English sentences, by the templates of the table of respects: `the tin box is in the mill`.

A template names the two it speaks of, {S} and {O}, and may say how: {a:O} with an indefinite article, {in:O} with the
preposition of the text, {S's} as owner, {O:years}, {O:when}, {O:clock}, {O:floor}, {O:handed}, {O:to}, {O:bare} by their kind.
Pure: knows names only through the function it is given.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from narraworld.kb.english import either, wordmap, wordrow, wordset
from narraworld.kb.numbers import number_in
from narraworld.kb.propositions import BadProposition, Statement, parse_statement
from narraworld.ontology.respects import Respect, Respects, respects

__all__ = ["Wording", "noun_phrase", "place_word"]

PLACE = "\x1a"  # stands for a place's name in a text that is searched
ARTICLE = re.compile(r"^(?:the|an?) ", re.IGNORECASE)

_SLOT = re.compile(r"\{(?:(?P<before>a|in):)?(?P<who>[SO])(?P<own>'s)?(?::(?P<kind>\w+))?\}(?P<mark>'s)?")
_FIRST = re.compile(r"^\{(?P<who>[SO])\} (?P<verb>\w+)")
_KIN_OF = re.compile(r"[-_ ]?of$", re.IGNORECASE)


@dataclass(frozen=True)
class Wording:
    """How statements are said: the table, what symbols are called, and which preposition the text uses for a place."""

    name: Callable[[str], str]
    table: Respects
    place_of: Callable[[Statement], str] = lambda _: ""

    def __call__(self, said: Statement) -> str:
        """The statement as a sentence, without capital and full stop."""
        row, said = self._row(said)
        if row is None:
            return self._unknown(said)
        return self._filled(_template(row, said), said)

    def asked(self, row: Respect, said: Statement, *, back: bool = False) -> str:
        """The question that the statement answers, from its subject, or ``back`` from its value."""
        return self._filled(row.asks[back], said)

    def _row(self, said: Statement) -> tuple[Respect | None, Statement]:
        """The row that words it, and the statement as that row tells it: `leo.has.key` is the key's possession."""
        row = self.table.named(said.predicate)
        if row is not None:
            return row, said
        stem = _KIN_OF.sub("", said.predicate)
        other = self.table.turned(said.predicate) or (
            self.table.named(stem) if stem != said.predicate else None
        )
        if other is None or said.object is None:
            return None, said
        return other, Statement(said.object, other.name, object=said.subject, negative=said.negative)

    def _unknown(self, said: Statement) -> str:
        """What no row words: the predicate is taken for a verb."""
        predicate = re.sub(r"(?<=[a-z])(?=[A-Z])|[-_]", " ", said.predicate.rpartition("/")[2]).lower()
        words = f"{self._noun(said.subject)} {predicate} {self._target(said)}"
        return f"it is not so that {words}" if said.negative else words

    def _filled(self, template: str, said: Statement) -> str:
        template = self._agreeing(template, said)
        return _SLOT.sub(lambda slot: self._slot(slot, said), template)

    def _agreeing(self, template: str, said: Statement) -> str:
        """The template with its verb in the plural, where that is what its subject is."""
        first = _FIRST.match(template)
        if first is None:
            return template
        name = self._noun(said.subject) if first["who"] == "S" else self._target(said)
        if not _is_plural(name):
            return template
        return template[: first.start("verb")] + _plural_verb(first["verb"]) + template[first.end("verb") :]

    def _slot(self, slot: re.Match[str], said: Statement) -> str:
        is_subject = slot["who"] == "S"
        words = self._noun(said.subject) if is_subject else self._target(said)
        if slot["before"] == "in":
            return self._in(words, said)
        if slot["before"] == "a":
            words = _with_article(words, named=is_subject or said.object is not None)
        if slot["kind"]:
            words = KINDS[slot["kind"]](words)
        return _owner(words) if slot["own"] or slot["mark"] else words

    def _target(self, said: Statement) -> str:
        return said.value if said.value is not None else self._noun(said.object or "")

    def _noun(self, symbol: str) -> str:
        """An entity with its article; what a mind holds as the sentence it is."""
        try:
            inner = parse_statement(symbol)
        except BadProposition:
            return noun_phrase(self.name(symbol))
        return self(inner)

    def _in(self, words: str, said: Statement) -> str:
        first = words.lower()
        if first in _list("places") or _begins(first, _list("prepositions")):
            return words
        return f"{self.place_of(said) or 'in'} {words}"


def _template(row: Respect, said: Statement) -> str:
    """The row's sentence; another where the value is words in place of somebody, or a thing in place of a word."""
    pair = (row.yes, row.no)
    if row.words and said.value is not None:
        pair = (row.words[0], row.words[1])
    if row.noun and (said.object is not None or _is_noun(said.value or "", bare=row.loose)):
        pair = (row.noun[0], row.noun[1])
    return pair[said.negative]


# -- words


def noun_phrase(name: str) -> str:
    """A name with the article it needs: none before a proper name, or behind a word that stands for one.

    >>> noun_phrase("tin box"), noun_phrase("Mara"), noun_phrase("her sister")
    ('the tin box', 'Mara', 'her sister')
    """
    first = name.split(" ", 1)[0].lower()
    if not name[:1].islower() or first in _list("determiners") or name.lower() in _list("places"):
        return name
    return f"the {name}"


def place_word(text: str, name: str) -> str:
    """The preposition behind which a place stands in a text, as one that rests there says it; else nothing.

    >>> place_word("He hid the letter under the loose floor.", "floor")
    'under'
    """
    bare = ARTICLE.sub("", name)
    if bare.lower() not in text.lower():
        return ""  # nearly always: making an expression for each name of a thing with thousands takes minutes
    marked = re.sub(rf"(?<= ){re.escape(bare)}\b", PLACE, text, flags=re.IGNORECASE)
    found = _behind().search(marked)
    word = found[1].lower() if found else ""
    return dict(pair.split(":") for pair in _list("resting")).get(word, word)


@cache
def _behind() -> re.Pattern[str]:
    """A preposition, and a few words up to the place: one expression for all places, as making one takes longer than using it."""
    some = "|".join(sorted((re.escape(one) for one in _list("prepositions")), key=len, reverse=True))
    return re.compile(rf"\b({some}) (?:(?!(?:{some})\b)[\w'’-]+ ){{0,3}}?{PLACE}", re.IGNORECASE)


def _owner(words: str) -> str:
    return f"{words}'" if _is_plural(words) and words.endswith("s") else f"{words}'s"


def _is_plural(words: str) -> bool:
    """By the look of its head: `the shutters`, `the keys of the house`; a proper name without an article is one person."""
    first, _, rest = words.partition(" ")
    if not words[:1].islower() and first.lower() != "the":
        return " and " in words
    head = re.split(rf" (?:{either('text.behind_nouns')}) ", rest or first)[0].rsplit(" ", 1)[-1].lower()
    if head in _list("plural"):
        return True
    return (
        head.endswith("s")
        and not head.endswith(wordrow("text.singular_endings"))
        and head not in _list("singular")
    )


def _plural_verb(verb: str) -> str:
    if verb in _list("unchanging") or not verb.endswith("s"):
        return verb
    return str(wordmap("verbs.plural").get(verb, verb[:-1]))


def _with_article(words: str, *, named: bool) -> str:
    """`a joiner`; a proper name, a plural or what has an article already stays as it is."""
    bare = words.removeprefix("the ") if named else words
    first = bare.split(" ", 1)[0].lower()
    kept = not bare[:1].islower() or first in {*_list("determiners"), *_list("adjectives")}
    if kept or _is_plural(f"the {bare}") or number_in(first):
        return bare
    return f"{'an' if bare[0] in 'aeiou' else 'a'} {bare}"


def _is_noun(value: str, *, bare: bool) -> bool:
    """Whether a value in words names a thing (`a long coat`, `forty crowns`) and is no quality or deed; ``bare``: it may lack an article."""
    words = value.lower().split()
    if not words or words[0] in _list("adverbs"):
        return False
    if words[0] in _list("determiners") or number_in(words[0]):
        return True
    quality = words[-1].endswith(_list("adjective_endings")) or words[-1] in _qualities()
    return bare and len(words) == 2 and not quality and not wordset("values.joining") & set(words)


def _years(words: str) -> str:
    number = number_in(words)
    bare = number is not None and not number[1] and not _begins(words.lower(), ("in",))
    return f"{words} years old" if bare else words


def _when(words: str) -> str:
    low = words.lower()
    if _begins(
        low,
        (
            *_list("prepositions"),
            "before",
            "after",
            "during",
            "tomorrow",
            "yesterday",
            "today",
            "last",
            "next",
        ),
    ):
        return words
    if re.fullmatch(r"(?:[a-z]+ )?\d{4}|[a-z]+", low) and not low.endswith("day"):
        return f"in {words}"
    return f"on {words}"


def _clock(words: str) -> str:
    return words if _begins(words.lower(), (*_list("prepositions"), "before", "after")) else f"at {words}"


def _floor(words: str) -> str:
    if "floor" in words.lower() or "storey" in words.lower():
        return noun_phrase(words)
    return f"floor {words}" if words.isdigit() else f"{noun_phrase(words)} floor"


def _handed(words: str) -> str:
    return f"{words.lower()}-handed" if words.lower() in {"left", "right"} else words


def _to(words: str) -> str:
    """What is wanted: a deed gets its `to`, a thing stays as it is."""
    first, _, rest = words.partition(" ")
    behind = rest.split(" ", 1)[0].lower()
    deed = behind in _list("determiners") or behind in _list("prepositions") or behind == "to"
    return f"to {words}" if deed and first.lower() not in {*_list("determiners"), "to", "that"} else words


def _bare(words: str) -> str:
    return words.removeprefix("the ")


KINDS: Mapping[str, Callable[[str], str]] = {
    "years": _years, "when": _when, "clock": _clock, "floor": _floor, "handed": _handed, "to": _to, "bare": _bare,
}  # fmt: skip


def _begins(text: str, words: tuple[str, ...]) -> bool:
    return any(text.startswith(f"{word} ") for word in words)


@cache
def _qualities() -> frozenset[str]:
    """The words of the closed lists: colours, sizes, conditions."""
    return frozenset(word for phrases in respects().words.phrases.values() for word in phrases)


@cache
def _list(name: str) -> tuple[str, ...]:
    return respects().words.wording[name]
