"""Words of the page between quotation marks, one pair of them: for pages, terminals, editors and agents alike."""

from __future__ import annotations

import re

__all__ = ["in_brief", "in_marks"]

_LAST_COMMA = re.compile(r"(?<=[^\s,]),(?=[’']?$)")  # of what is said: it belongs to the sentence around
_ENDED = "”"  # of a speech that begins in a sentence before
_SPEECH = re.compile(r"[“\"]([^“”\"]*)(?:[”\"]|$)")


def in_marks(words: str) -> str:
    """Words of the page between quotation marks: what is all speech keeps its own, speech among other words gets single ones.

    >>> in_marks("“I am Mr. Brown,” he told Ada")
    '“‘I am Mr. Brown,’ he told Ada”'
    >>> in_marks("“A fuse only,”")
    '“A fuse only”'
    """
    words = words if "“" in words else words.strip().removesuffix(_ENDED)
    alone = _SPEECH.fullmatch(words.strip())
    inside = alone[1] if alone else _SPEECH.sub(r"‘\1’", words)
    return f"“{_LAST_COMMA.sub('', inside)}”"


def in_brief(words: str, most: int) -> str:
    """Words of a length: what is left out begins with a word, and nothing but words stands before the dots.

    >>> in_brief("the key, which was in the clock", 12)
    'the key…'
    """
    if len(words) <= most:
        return words
    whole = words[: most + 1].rpartition(" ")[0] or words[:most]
    return f"{whole.rstrip(' ,;:–—-')}…"
