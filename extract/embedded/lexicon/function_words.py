"""The small words of the language that is read, by what they do: lists, rows, words with a meaning, patterns.

They stand in `grammar.toml`, `parser_input.toml`, `function_words.toml` and `patterns.toml`, each list under `section.name`.
Holds no word itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from narraworld.extract.embedded.lexicon.language import Language, of_spoken

__all__ = ["pattern", "patterns", "wordmap", "wordrow", "wordset"]

TABLES = ("grammar", "parser_input")
_PART = re.compile(r"\{([a-z_]+)\}")  # another pattern of the same section


def wordset(name: str) -> frozenset[str]:
    """The words of a list."""
    return of_spoken(_sets)[name]


def wordmap(name: str) -> Mapping[str, str]:
    """The words of a list, each with what it means."""
    return of_spoken(_maps)[name]


def wordrow(name: str) -> tuple[str, ...]:
    """A list in its order: for `str.endswith`, or where the first that fits wins."""
    return of_spoken(_rows)[name]


def pattern(name: str) -> re.Pattern[str]:
    """A pattern over letters."""
    return patterns(name)[0]


def patterns(name: str) -> tuple[re.Pattern[str], ...]:
    """All patterns under a name, in their order."""
    return of_spoken(_patterns)[name]


def _lists(language: Language) -> dict[str, Any]:
    sections = {section: lists for name in TABLES for section, lists in language.table(name).items()}
    small = {f"small.{name}": text.split() for name, text in language.table("function_words").items()}
    return small | {
        f"{section}.{name}": said for section, lists in sections.items() for name, said in lists.items()
    }


def _rows(language: Language) -> dict[str, tuple[str, ...]]:
    return {name: tuple(said) for name, said in language.made(_lists).items() if isinstance(said, list)}


def _sets(language: Language) -> dict[str, frozenset[str]]:
    return {name: frozenset(said) for name, said in language.made(_rows).items()}


def _maps(language: Language) -> dict[str, Mapping[str, str]]:
    return {name: said for name, said in language.made(_lists).items() if isinstance(said, dict)}


def _patterns(language: Language) -> dict[str, tuple[re.Pattern[str], ...]]:
    return {
        f"{section}.{name}": tuple(re.compile(_whole(one, shapes)) for one in ([said] if isinstance(said, str) else said))
        for section, shapes in language.table("patterns").items()
        for name, said in shapes.items()
    }  # fmt: skip


def _whole(shape: str, shapes: Mapping[str, Any]) -> str:
    """A pattern with the parts that it names put in."""
    return _PART.sub(lambda part: _whole(shapes[part[1]], shapes), shape)
