"""The closed lists of `words.toml` as values: which words a respect knows, what clashes, and the small tables beside them.

What was read comes in as it stands in the file; nothing is read here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from narraworld.base.quick_dataclass import dataclass

__all__ = ["KinWord", "WordLists", "word_lists"]


@dataclass(frozen=True, slots=True)
class KinWord:
    """A kin word: how it is said, what the other is to them (a man, a woman), and what the same person cannot be besides."""

    says: tuple[str, ...]
    mirror: tuple[str, ...]
    sex: str = ""
    one: bool = False
    excludes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WordLists:
    """The closed lists: for each respect its words with their families, what clashes, and the small tables."""

    families: Mapping[str, Mapping[str, tuple[str, ...]]]  # list → word → its families
    phrases: Mapping[str, Mapping[str, str]]  # list → what is written → normal word
    against: Mapping[
        str, tuple[tuple[str, str], ...]
    ]  # list → pairs that clash; a list without pairs clashes by family
    means: Mapping[str, Mapping[str, tuple[str, ...]]]  # list → word → what else is so
    denied: Mapping[str, Mapping[str, str]]  # list → word → what is so where that is not
    shades: frozenset[str]
    likeness: Mapping[str, str]
    parts: Mapping[str, str]
    kinds_of: Mapping[str, str]
    kin: Mapping[str, KinWord]
    kin_words: Mapping[str, str]
    plurals: Mapping[str, str]
    general: Mapping[str, tuple[str, ...]]  # kin word → narrower ones
    units: Mapping[str, Mapping[str, str]]
    rough: tuple[str, ...]
    unsure: tuple[str, ...]
    wording: Mapping[str, tuple[str, ...]]


def word_lists(said: Mapping[str, Any]) -> WordLists:
    """The lists of `words.toml`, as it is read."""
    families, phrases = _closed_lists(said)
    kin = {word: _kin_word(one) for word, one in said["kin"].items()}
    return WordLists(
        families,
        phrases,
        {name: tuple(_pair(one) for one in pairs) for name, pairs in said["against"].items()},
        {name: _tupled(table) for name, table in said["means"].items()},
        said["denied"],
        frozenset(said["shades"]),
        said["likeness"],
        _turned(said["parts"]),
        _turned(said["kinds_of"]),
        kin,
        {written: word for word, one in kin.items() for written in one.says},
        said["plurals"],
        _tupled(said["general"]),
        {name: _turned(table) for name, table in said["units"].items()},
        tuple(said["doubt"]["rough"]),
        tuple(said["doubt"]["unsure"]),
        _tupled(said["wording"]),
    )


def _closed_lists(
    said: Mapping[str, Any],
) -> tuple[dict[str, dict[str, tuple[str, ...]]], dict[str, dict[str, str]]]:
    """By list: each word with the families it belongs to, and the word that is meant by each way to write it."""
    families: dict[str, dict[str, tuple[str, ...]]] = {}
    phrases: dict[str, dict[str, str]] = {}
    for name, groups in said["shades"].items():
        families[name] = _shades(groups)
        phrases[name] = {word: word for word in families[name]} | {
            written: word for written, word in said["spelling"].items() if word in families[name]
        }
    for name, groups in {**said["sorts"], **said["poles"]}.items():
        families[name] = {word: (word,) for word in groups}
        phrases[name] = {written: word for word, some in groups.items() for written in (word, *some)}
    return families, phrases


def _shades(groups: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    words = dict.fromkeys(word for some in groups.values() for word in some)
    return {word: tuple(family for family, some in groups.items() if word in some) for word in words}


def _kin_word(said: Mapping[str, Any]) -> KinWord:
    excludes = tuple(said.get("not", ()))
    return KinWord(
        tuple(said["says"]), tuple(said["mirror"]), said.get("sex", ""), said.get("one", False), excludes
    )


def _pair(text: str) -> tuple[str, str]:
    one, other = text.split()
    return one, other


def _tupled(table: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {word: tuple(some) for word, some in table.items()}


def _turned(groups: Mapping[str, list[str]]) -> dict[str, str]:
    return {written: word for word, some in groups.items() for written in some}
