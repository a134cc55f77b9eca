"""The table of respects as values: `respects.toml` with the closed lists of `words.toml`, and a project's own rows.

One door for all who need the table: prompts (`offered`), readers and questions (`named`), checks (`facts`), wording and
the reference page. Reads its two files and nothing else; what a value means is worked out in `kb.normal`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, fields, replace
from functools import cache
from hashlib import sha256
from typing import Any

from narraworld.base.quick_dataclass import dataclass
from narraworld.ontology.errors import OntologyError
from narraworld.ontology.files import ROOM, TABLES
from narraworld.ontology.word_lists import KinWord, WordLists, word_lists

__all__ = ["BY_HAND", "CHECKLESS", "KinWord", "Respect", "Respects", "WordLists", "plain_name", "respects"]

BY_HAND = "by hand only"  # no prompt offers it
CHECKLESS = "-"  # no two values of it can clash
OF = frozenset({"person", "thing", "place", "group", "event", "world"})
LASTS = frozenset({"one", "many", "life"})
SEEN = frozenset({"sight", "hearing", "touch", "told", "none"})
VALUES = frozenset(
    {
        "person", "place", "thing", "entity", "kin", "colour", "number", "age", "length", "duration", "money", "clock", "date",
        "weekday", "side", "word", "address", "title", "deed", "claim", "free",
    }
)  # fmt: skip
ALONE = -1  # the place of a field that is no list, among the facts of a project's rows
TRUTHS = {"True": True, "False": False}
MADE = frozenset({"name", "word", "each"})  # fields that no file gives
EACH = {"each-kin-word": "kin", "each-plural": "plurals", "each-direction": "direction"}


@dataclass(frozen=True, slots=True)
class Respect:
    """One row of the table; the fields are explained at the head of `respects.toml`."""

    name: str
    means: str
    of: tuple[str, ...]
    lasts: str
    value: str
    yes: str
    no: str
    asks: tuple[str, ...]
    example: str
    seen: str = "told"
    list: str = ""
    also: tuple[str, ...] = ()
    turned: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    loose: bool = False
    rival: bool = False
    secret: bool = False
    check: str = CHECKLESS
    stage: str = "events"
    since: str = "1.0"
    shorthand: str = ""
    words: tuple[str, ...] = ()
    noun: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    word: str = ""  # of a row made for each kin word or direction: which
    each: str = ""  # and the row that stands for all of them

    @property
    def functional(self) -> bool:
        """Whether a new value ends the old."""
        return self.lasts != "many"

    @property
    def watched(self) -> bool:
        """Whether two values of it can clash, or it holds for life."""
        return self.check != CHECKLESS or self.lasts == "life"

    def offered_in(self, stage: str) -> bool:
        """Whether the prompt of this stage offers it; a row may name several, with commas between."""
        return self.stage != BY_HAND and stage in self.stage.split(", ")

    @property
    def label(self) -> str:
        """The name as words: `memberOf` is `member of`."""
        return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", self.name).replace("-", " ").lower()

    @property
    def phrase(self) -> str:
        """The old short wording, with {subject} and {object}."""
        return self.shorthand or f"{{subject}} {self.name.replace('-', ' ')} {{object}}"


@dataclass(frozen=True, slots=True)
class Respects:
    """The table. Rows by name, in the order of the file."""

    rows: Mapping[str, Respect]
    words: WordLists
    aliases: Mapping[str, str] = field(default_factory=dict)  # plain name → row
    own: frozenset[str] = frozenset()  # the project's rows

    def named(self, predicate: str) -> Respect | None:
        """The row that a reader means by this predicate, under its name or another."""
        name = self.aliases.get(plain_name(predicate))
        return self.rows[name] if name else None

    def turned(self, predicate: str) -> Respect | None:
        """The row that a reader tells from the other side by this predicate: of a box, what it `contains`."""
        plain = plain_name(predicate)
        return next((row for row in self.rows.values() if plain in map(plain_name, row.turned)), None)

    def functional(self, predicate: str) -> bool:
        row = self.rows.get(predicate)
        return row is not None and row.functional

    def offered(self, stage: str) -> tuple[Respect, ...]:
        """The rows that the prompt of a stage may offer."""
        return tuple(row for row in self.rows.values() if row.offered_in(stage))

    def list_of(self, row: Respect) -> str:
        return row.list or row.name

    @property
    def key(self) -> str:
        """What tells this table from another: tables derived with it are good for no other."""
        said = repr([self.rows[name] for name in sorted(self.rows)])
        return sha256(said.encode()).hexdigest()[:16]

    def facts(self) -> dict[str, set[tuple[str | int, ...]]]:
        """What rules compare by: rows of the relations that are declared `from table`."""
        return {
            "lasting": {(row.name, row.lasts) for row in self.rows.values()},
            "perceived": {(row.name, row.seen) for row in self.rows.values()},
            "watched": {(row.name, row.check) for row in self.rows.values() if row.check != CHECKLESS},
            "family": set(self._families()),
            "against": set(self._against()),
            "alters": {(row.name, verb) for row in self.rows.values() for verb in row.starts},
            "compared": {(row.name,) for row in self.rows.values() if row.rival or row.value == "address"},
            **self._kin_facts(),
            "own_respect": set(self._own_rows()),
        }

    def _kin_facts(self) -> dict[str, set[tuple[str | int, ...]]]:
        return {
            "kin_word": {
                (word, mirror, sex)
                for word, said in self.words.kin.items()
                for mirror, sex in zip(said.mirror, ("male", "female"), strict=True)
            },
            "kin_excludes": set(self._excluded_kin()),
            "kin_agrees": set(self._agreeing_kin()),
            "kin_once": {(word,) for word, said in self.words.kin.items() if said.one},
        }

    def _own_rows(self) -> Iterator[tuple[str | int, ...]]:
        """The project's rows, one fact for each thing they say, so that whoever has the facts has the table."""
        for row in (self.rows[name] for name in sorted(self.own)):
            for one in fields(row):
                said = getattr(row, one.name)
                some = said if isinstance(said, tuple) else (said,)
                yield from (
                    (row.name, one.name, nth if isinstance(said, tuple) else ALONE, str(value))
                    for nth, value in enumerate(some)
                )

    def with_own(self, facts: Iterable[tuple[str | float, ...]]) -> Respects:
        """The table with the rows that these facts of `own_respect` tell."""
        told: dict[str, dict[str, Any]] = {}
        for name, key, nth, value in sorted(facts):
            row = told.setdefault(str(name), {})
            if nth == ALONE:
                row[str(key)] = TRUTHS.get(str(value), value)
            else:
                row.setdefault(str(key), []).append(value)
        plain = {name: {key: row[key] for key in row if key not in MADE} for name, row in told.items()}
        return self.with_rows(plain, "own_respect") if plain else self

    def _families(self) -> Iterator[tuple[str | int, ...]]:
        for row in self.rows.values():
            name = self.list_of(row)
            if row.value in {"colour", "word", "title"} and name not in self.words.against:
                for word, families in self.words.families.get(name, {}).items():
                    yield from ((row.name, word, family) for family in families)

    def _against(self) -> Iterator[tuple[str | int, ...]]:
        for row in self.rows.values():
            pairs = (
                [("left", "right")] if row.value == "side" else self.words.against.get(self.list_of(row), ())
            )
            for one, other in pairs:
                yield from ((row.name, one, other), (row.name, other, one))

    def _excluded_kin(self) -> Iterator[tuple[str | int, ...]]:
        for word, said in self.words.kin.items():
            for other in said.excludes:
                yield from ((word, other), (other, word))

    def _agreeing_kin(self) -> Iterator[tuple[str | int, ...]]:
        """Which two words can be said of a pair, one from each side; general words go with narrower ones."""
        alike = {word: {word, *self.words.general.get(word, ())} for word in self.words.kin}
        for word, said in self.words.kin.items():
            for mirror in said.mirror:
                yield from ((one, other) for one in _near(word, alike) for other in _near(mirror, alike))

    def with_rows(self, tables: Mapping[str, Any], where: str) -> Respects:
        """The table with a project's rows; a row of ours may be given again, and is then the project's."""
        made = {name: _row(name, said, where) for name, said in tables.items()}
        rows = {**self.rows, **made}
        return replace(
            self, rows=rows, aliases=_aliases([*made.values(), *rows.values()]), own=frozenset(made)
        )


def _near(word: str, alike: Mapping[str, set[str]]) -> set[str]:
    return {word, *alike[word], *(other for other, some in alike.items() if word in some)}


def plain_name(predicate: str) -> str:
    """A predicate without capitals, blanks and dashes: `eye_color`, `eyeColor` and `eye colour` are spelled alike."""
    return re.sub(r"[^\w]|_", "", predicate.casefold())


@cache
def respects() -> Respects:
    """The shipped table, read from its files once, and again only when they have changed."""
    from narraworld.base.compiled import compiled, digest

    key = digest((), [*TABLES, ROOM / "respects.py", ROOM / "word_lists.py"])
    return compiled("respects", key, _read, (Respects, Respect, WordLists, KinWord))


def _read() -> Respects:
    words = word_lists(_toml("words"))
    rows = {row.name: row for row in _rows(_toml("respects"), words)}
    return Respects(rows, words, _aliases(rows.values()))


def _toml(name: str) -> dict[str, Any]:
    return tomllib.loads((ROOM / f"{name}.toml").read_text(encoding="utf-8"))


def _rows(tables: Mapping[str, Any], words: WordLists) -> Iterator[Respect]:
    for name, said in tables.items():
        if name in EACH:
            yield from _each(name, said, words)
        else:
            yield _row(name, said, "respects.toml")


def _each(name: str, said: Mapping[str, Any], words: WordLists) -> Iterator[Respect]:
    """One row for every word of a list, from the row that stands for all."""
    if EACH[name] == "kin":
        for word, kin in words.kin.items():
            lasts = "life" if kin.one else said["lasts"]
            yield _of_word(name, word, word, {**said, "lasts": lasts, "also": _kin_aliases(kin.says)})
    elif EACH[name] == "plurals":
        for word in words.plurals.values():
            yield _of_word(name, word, word, {**said, "also": [f"number of {word}", f"{word} count"]})
    else:
        for word in words.families["direction"]:
            yield _of_word(name, f"{word}Of", word, {**said, "also": [f"{word} of"]})


def _kin_aliases(says: Iterable[str]) -> list[str]:
    return [
        word
        for word in says
        if " and " not in word and word not in {"boy", "brothers", "sisters", "siblings"}
    ]


def _of_word(each: str, name: str, word: str, said: Mapping[str, Any]) -> Respect:
    row = _row(name, said, "respects.toml")
    filled = {key: getattr(row, key).replace("{word}", word) for key in ("means", "yes", "no")}
    asks, asked = (tuple(one.replace("{word}", word) for one in some) for some in (row.asks, row.asked))
    return replace(row, asks=asks, asked=asked, word=word, each=each, **filled)


def _row(name: str, said: Any, where: str) -> Respect:
    """A row, checked: every mistake says where it stands and what may stand there."""
    place = f"{where}: [{name}]"
    if not isinstance(said, Mapping):
        raise OntologyError("is not a table", where=place, fix="write one field per line below it")
    known = {one.name for one in fields(Respect)} - MADE
    needed = ("means", "of", "lasts", "value", "yes", "no", "asks", "example")
    for key in (*(key for key in said if key not in known), *(key for key in needed if key not in said)):
        what = "lacks" if key in needed else "has an unknown field"
        raise OntologyError(f"{what} {key!r}", where=place, fix=f"fields are: {', '.join(sorted(known))}")
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in said.items()
    }
    row = Respect(name, **values)
    _among("of", row.of, OF, place)
    _among("lasts", (row.lasts,), LASTS, place)
    _among("value", (row.value,), VALUES, place)
    _among("seen", (row.seen,), SEEN, place)
    if len(row.asks) != 2:
        raise OntologyError("asks has not two questions", where=place, fix="ask from {S}, then from {O}")
    return row


def _among(field_name: str, given: Iterable[str], known: frozenset[str], where: str) -> None:
    for one in given:
        if one not in known:
            raise OntologyError(
                f"{field_name} is {one!r}", where=where, fix=f"it is one of: {', '.join(sorted(known))}"
            )


def _aliases(rows: Iterable[Respect]) -> Mapping[str, str]:
    """Every name of every row; a row's own name goes before another's alias."""
    some = list(rows)
    other = {plain_name(name): row.name for row in reversed(some) for name in row.also}
    return other | {plain_name(row.name): row.name for row in some}
