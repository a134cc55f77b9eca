"""What a person means by a name: in a goal, behind an option, in a question. One road for all of them.

A text names, in this order: an id; a name; a name without its article; a title; a proposition in words or in notation; a word
that is part of the names of one alone. Several candidates are data (`Named`); whoever needs one refuses with their names.
Asks an engine, writes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from narraworld.base.quick_dataclass import dataclass
from narraworld.kb.english import wordset
from narraworld.query.errors import AmbiguousName, UnknownName
from narraworld.query.name_finder import ARTICLES, tokens
from narraworld.query.names import NameBook, ReadAs, rows
from narraworld.rules.engines import Engine
from narraworld.rules.language.ir import Column

__all__ = ["ANY", "MINDS", "GoalText", "NameResolver", "Named", "goal_text", "kinds_for"]

ANY: frozenset[str] = frozenset()
MINDS = frozenset({"Character", "Group"})
ALL = frozenset({"Character", "Group", "Place", "Object"})

# What the columns of our relations hold, by the column's name. A part of a name is looked for where an entity belongs.
OF_MINDS = frozenset({"who", "holder", "speaker", "group", "a", "b", "c", "d"})
OF_NO_ENTITY = frozenset({
    "access", "attitude", "because", "carrier", "class", "development", "event", "kind", "later", "manner", "map",
    "matter", "mode", "movement", "name", "plot", "plotline", "polarity", "possibility", "predicate", "presence",
    "proposition", "realis", "realisation", "record", "reference", "relation", "role", "scene", "sign", "slot", "source",
    "span", "speech", "state", "status", "step", "text", "title", "truth", "unawareness", "unit", "verdict", "words",
})  # fmt: skip
SMALL_WORDS = ARTICLES | wordset("names.joining")
FUNCTION_WORDS = SMALL_WORDS | wordset("text.idle") | wordset("names.of_descriptions")

_ATOM = re.compile(r"(?P<head>(?<!\w)[a-z]\w*\s*\()(?P<arguments>[^()]*)\)")
_QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_BARE = re.compile(r"(?!(?:[A-Z]\w*|_)$)[^\W\d_][\w'’-]*(?: +[\w'’-]+)*")
_FREE = re.compile(r"\?([A-Z]\w*)")
MARK = "\x00"  # stands for a quoted text while the rest is looked at


@dataclass(frozen=True, slots=True)
class Named:
    """What a text may name, and what those are called; ``part`` when it is a word of longer names."""

    text: str
    candidates: tuple[str, ...]
    names: tuple[str, ...]
    part: bool = False

    @property
    def symbol(self) -> str:
        """The one it names; several are refused by their names."""
        if len(self.candidates) != 1:
            if len(set(self.names)) == len(self.names):
                raise AmbiguousName(self.text, self.names, meant=self.candidates)
            raise AmbiguousName(self.text, self._told_apart(), self.candidates)
        return self.candidates[0]

    @property
    def read_as(self) -> ReadAs:
        """How the text was understood."""
        return ReadAs(self.text, self.symbol, self.names[0])

    def _told_apart(self) -> tuple[str, ...]:
        return tuple(f"{name} ({symbol})" for name, symbol in zip(self.names, self.candidates, strict=True))


def kinds_for(column: Column) -> frozenset[str] | None:
    """The kinds of entity whose name a part of is looked for in a column; None where no entity belongs."""
    if column.type != "symbol" or column.name in OF_NO_ENTITY:
        return None
    return MINDS if column.name in OF_MINDS else ANY


class NameResolver:
    """Names of one situated world, led back to its symbols."""

    def __init__(self, engine: Engine, names: NameBook) -> None:
        self._engine, self._names = engine, names

    def named(self, text: str, kinds: frozenset[str] | None = ANY) -> Named | None:
        """What ``text`` names; None if nothing. Of a part of names ``kinds`` come first; None looks for no parts."""
        if rows(self._engine, "instance", text):
            return self._of(text, [text])
        if whole := self.whole(text):
            return self._of(text, whole)
        part = self._part(text, kinds) if kinds is not None else []
        return self._of(text, part, part=True) if part else None

    def symbol(self, text: str, kinds: frozenset[str] = ANY) -> str:
        """The one symbol that ``text`` names; refused where there is none, or more."""
        return self.read(text, kinds).meant

    def read(self, text: str, kinds: frozenset[str] = ANY) -> ReadAs:
        """The same, with what the one is called."""
        return self.look_up(text, kinds).read_as

    def look_up(self, text: str, kinds: frozenset[str] = ANY) -> Named:
        """Whatever ``text`` names; refused only where that is nothing."""
        found = self.named(text, kinds)
        if found is None:
            raise UnknownName(text, self._vocabulary())
        return found

    def whole(self, text: str) -> list[str]:
        """Every symbol that goes by this very name, title or wording, whatever the case of the letters."""
        wanted = text.casefold()
        called = self._names.called
        if found := called.get(wanted) or self._bare.get(" ".join(_without_article(wanted.split()))):
            return sorted(found)
        return sorted({*self._headed.get(wanted, ()), *self._said(wanted)})

    def _of(self, text: str, symbols: Sequence[str], *, part: bool = False) -> Named:
        return Named(text, tuple(symbols), tuple(self._names(symbol) for symbol in symbols), part)

    def _part(self, text: str, kinds: frozenset[str]) -> list[str]:
        """Whoever has this word in a longer name: of the kinds asked for if there are any, else of all."""
        words = [word for word in tokens(text) if word not in ARTICLES]
        bearers = self._parts.get(words[0], set()) if len(words) == 1 else set()
        fitting = {one for one in bearers if self._names.kinds(one) & kinds}
        return sorted(fitting or bearers)

    @cached_property
    def _parts(self) -> dict[str, set[str]]:
        """Words of longer names; initials and small words stand for nobody."""
        found: dict[str, set[str]] = {}
        for _, entity, name in rows(self._engine, "named"):
            for word in _telling_words(str(name)):
                found.setdefault(word, set()).add(str(entity))
        return found

    @cached_property
    def _bare(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for name, bearers in self._names.called.items():
            found.setdefault(" ".join(_without_article(name.split())), set()).update(bearers)
        return found

    @cached_property
    def _headed(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for node, title in rows(self._engine, "titled"):
            found.setdefault(str(title).casefold(), set()).add(str(node))
        return found

    def _said(self, wanted: str) -> set[str]:
        """Propositions that read so, in a sentence or in short; each names its subject."""
        words = _without_articles(wanted)
        found = (
            str(row[0])
            for subject in sorted(self._spoken_of(wanted.split()))
            for row in rows(self._engine, "proposition", None, subject)
        )
        return {one for one in found if words in map(_without_articles, self._ways_to_say(one))}

    def _spoken_of(self, words: Sequence[str]) -> set[str]:
        """Whoever is named, with or without an article, by words that stand side by side."""
        stretches = {
            " ".join(words[start:end])
            for start in range(len(words))
            for end in range(start + 1, len(words) + 1)
        }
        named = (self._names.called.get(one, set()) | self._bare.get(one, set()) | {one} for one in stretches)
        return {entity for some in named for entity in some}

    def _ways_to_say(self, proposition: str) -> tuple[str, str]:
        return self._names(proposition).casefold(), self._names.in_short(proposition).casefold()

    def _vocabulary(self) -> list[str]:
        names = [str(name) for _, _, name in rows(self._engine, "named")]
        return [*names, *(self._names(str(row[0])) for row in rows(self._engine, "proposition"))]


def _telling_words(name: str) -> set[str]:
    """Of a name of several words those that may stand for it: "Will" of Will Tanner, never "who" of the woman who came."""
    words = tokens(name)
    small = FUNCTION_WORDS & {word for word in name.split() if word.islower()}
    return {word for word in words if len(word) > 1} - small - SMALL_WORDS if len(words) > 1 else set()


def _without_articles(text: str) -> list[str]:
    return [word for word in text.split() if word not in ARTICLES]


def _without_article(words: list[str]) -> list[str]:
    return words[1:] if len(words) > 1 and words[0] in ARTICLES else words


# -- a goal as people type it


@dataclass(frozen=True, slots=True)
class GoalText:
    """A goal in the rule language, which of its texts were bare words, and which variables were written with `?`."""

    text: str
    bare: frozenset[str]
    free: frozenset[str]


def goal_text(typed: str) -> GoalText:
    """`mistaken(marsh, ?P, T)` as `mistaken("marsh", P, T)`: bare words are names, `?` makes a variable of any word.

    >>> goal_text("mistaken(Ines Calder, P, ?Truth)").text
    'mistaken("Ines Calder", P, Truth)'
    """
    quoted = _QUOTED.findall(typed)
    text, bare = _QUOTED.sub(MARK, typed), set[str]()

    def argument(written: str) -> str:
        word = written.strip()
        if not _BARE.fullmatch(word):
            return written
        bare.add(word)
        return written.replace(word, f'"{word}"')

    def atom(match: re.Match[str]) -> str:
        return match["head"] + ",".join(map(argument, match["arguments"].split(","))) + ")"

    free = dict.fromkeys(_FREE.findall(text))
    spelled = {word: f"{word}_" if re.search(rf"(?<![\w?]){word}\b", text) else word for word in free}
    text = _ATOM.sub(atom, _FREE.sub(lambda match: spelled[match[1]], text))
    originals = iter(quoted)
    text = re.sub(MARK, lambda _: next(originals), text)
    return GoalText(text, frozenset(bare), frozenset(spelled.values()))
