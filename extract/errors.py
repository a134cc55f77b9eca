"""What can go wrong between a page and a delta.

* NarraWorldError
  - ExtractError
    . BadRecordFile      a file of records that cannot be read as one
    . BadSource          a manuscript that is missing, broken, too big or of no known format
    . ModelFailed        a model gave no usable answer (asking.py)
      .. Overflow        its answer was cut off by length

What a text or a model gives that we will not commit is a refusal, not an error: see `ontology.validate.Refusal`.
"""

from __future__ import annotations

from narraworld.base.errors import NarraWorldError

__all__ = ["BadRecordFile", "BadSource", "ExtractError"]


class ExtractError(NarraWorldError):
    """Base of what this room raises."""


class BadRecordFile(ExtractError):
    """A file of records that cannot be read as one."""


class BadSource(ExtractError):
    """A manuscript that is missing, broken, too big or of no known format."""
