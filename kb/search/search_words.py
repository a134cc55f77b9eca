"""Text as the terms it is found by: small words left out, the rest by their stems. The only door to whoosh.

Whoosh stems, and `query_language` has its parser from here; words are split by an expression of our own, equal to whoosh's, because
a question must not wait for the whole library. Knows no index.
"""

from __future__ import annotations

import re
import warnings
from functools import cache, lru_cache
from typing import Any

from narraworld.kb.english import wordset
from narraworld.kb.search.stems import base_form

__all__ = ["analyse", "whoosh_library"]

_WORD = re.compile(r"\w+(?:\.?\w+)*")


@lru_cache(1 << 12)  # many records quote the same sentence
def analyse(text: str) -> tuple[str, ...]:
    """The stems of the words that tell documents apart; irregular forms count as the word they are forms of."""
    words = _WORD.findall(text.lower().replace("’", "'"))
    small, scraps = wordset("search.small"), wordset("search.scraps")
    return tuple(_stem(base_form(word)) for word in words if word not in small and word not in scraps)


@lru_cache(1 << 16)
def _stem(word: str) -> str:
    return str(_stemmer()(word))


@cache
def _stemmer() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its sources have escapes that newer Pythons warn of
        from whoosh.lang.porter import stem
    return stem


@cache
def whoosh_library() -> Any:
    """Whoosh, imported when first used."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import whoosh
        import whoosh.analysis
        import whoosh.fields
        import whoosh.filedb.filestore
        import whoosh.qparser
        import whoosh.query
    return whoosh
