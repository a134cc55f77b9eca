"""Words of the page between quotation marks, one pair of them: for pages, terminals, editors and agents alike."""

from __future__ import annotations

import re

__all__ = ["in_brief", "in_marks"]

_LAST_COMMA = re.compile(r"(?<=[^\s,]),(?=[’']?$)")  # of what is said: it belongs to the sentence around
_ENDED = "”"  # of a speech that begins in a sentence before
_SPEECH = re.compile(r"“([^“”]*)(?:”|$)")
_OPENS = re.compile(r"(?:(?<=[\s(\[—–-])|^)\"(?=\S)")  # a straight mark with which a speech begins


def in_marks(words: str) -> str:
    """Words of the page between quotation marks: what is all speech keeps its own, speech among other words gets single ones.

    >>> in_marks("“I am Mr. Brown,” he told Ada")
    '“‘I am Mr. Brown,’ he told Ada”'
    >>> in_marks("“A fuse only,”")
    '“A fuse only”'
    >>> in_marks('never came back," said Ida. "He was afraid."')
    '“‘never came back,’ said Ida. ‘He was afraid.’”'
    """
    words = _curled(words).strip()
    if words.find(_ENDED) < words.find("“") or "“" not in words:  # it begins in a speech
        words = f"“{words}" if _ENDED in words.removesuffix(_ENDED) else words.removesuffix(_ENDED)
    alone = _SPEECH.fullmatch(words)
    inside = alone[1] if alone else _SPEECH.sub(r"‘\1’", words)
    return f"“{_LAST_COMMA.sub('', inside)}”"


def _curled(words: str) -> str:
    """Straight marks as the curly ones they stand for."""
    return _OPENS.sub("“", words).replace('"', _ENDED)


def in_brief(words: str, most: int) -> str:
    """Words of a length: what is left out begins with a word, and nothing but words stands before the dots.

    >>> in_brief("the key, which was in the clock", 12)
    'the key…'
    """
    if len(words) <= most:
        return words
    whole = words[: most + 1].rpartition(" ")[0] or words[:most]
    return f"{whole.rstrip(' ,;:–—-')}…"
