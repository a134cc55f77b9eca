"""Forms of English verbs by the table of `questions.toml` and by rule. Pure beside that file."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from narraworld.query.name_finder import stem

__all__ = ["forms_of", "lemma_of", "past_of"]


def forms_of(word: str) -> set[str]:
    """What a word is compared by: itself, without its ending, and the verb it is a form of."""
    return {word, stem(word), lemma_of(word), stem(lemma_of(word))}


def lemma_of(word: str) -> str:
    """The verb that a form without rule belongs to; any other word is itself."""
    return next((verb for verb, spoken in _verbs().items() if word in spoken), word)


def past_of(word: str) -> str:
    """The past of a verb in its third person: `lives` is `lived`, `speaks` is `spoke`."""
    verb = word[:-1]
    if verb in _verbs():
        return str(_verbs()[verb][0])
    return f"{verb}d" if verb.endswith("e") else f"{verb}ed"


@cache
def _verbs() -> dict[str, Any]:
    table = tomllib.loads((files("narraworld.query.ask") / "questions.toml").read_text(encoding="utf-8"))
    return dict(table["verbs"])
