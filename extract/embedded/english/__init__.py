"""The English that ships: a spaCy pipeline of our own and, on top of its parse, marks for events and entities.

`load()` is the way in. Where the weights come from is told in ATTRIBUTION.md. Never touches the network.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language

__all__ = ["FOLDER", "WEIGHTS", "load"]

FOLDER = Path(__file__).parent
WEIGHTS = FOLDER / "weights"
MARKS = "narraworld_marks"


@cache
def load() -> Language:
    """The whole pipeline; loaded once in a process."""
    import spacy
    from spacy.language import Language

    from narraworld.extract.embedded.english.marks import Marks

    marks = Marks.load(WEIGHTS / "marks.npz")
    if not Language.has_factory(MARKS):
        Language.component(MARKS, func=marks)
    nlp = spacy.load(WEIGHTS)
    nlp.add_pipe(MARKS)
    return nlp
