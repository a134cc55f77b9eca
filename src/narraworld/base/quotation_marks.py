"""Words of the page between quotation marks, one pair of them: for pages, terminals, editors and agents alike."""

from __future__ import annotations

import re

__all__ = ["in_marks"]

_SPEECH = re.compile(r"[“\"]([^“”\"]*)(?:[”\"]|$)")


def in_marks(words: str) -> str:
    """Words of the page between quotation marks: what is all speech keeps its own, speech among other words gets single ones.

    >>> in_marks("“I am Mr. Brown,” he told Ada")
    '“‘I am Mr. Brown,’ he told Ada”'
    """
    alone = _SPEECH.fullmatch(words.strip())
    inside = alone[1] if alone else _SPEECH.sub(r"‘\1’", words)
    return f"“{inside}”"
