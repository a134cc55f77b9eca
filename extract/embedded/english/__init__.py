"""The English that ships: its tables, a spaCy pipeline of our own and, on top of its parse, marks for events and entities.

`LANGUAGE` is what the reader is handed; `load()` the whole pipeline. Where the weights come from is told in ATTRIBUTION.md.
Never touches the network.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from narraworld.extract.embedded.lexicon.language import Language

if TYPE_CHECKING:
    from spacy.language import Language as Pipeline

__all__ = ["FOLDER", "LANGUAGE", "WEIGHTS", "load"]

FOLDER = Path(__file__).parent
WEIGHTS = FOLDER / "weights"
LANGUAGE = Language("english", FOLDER / "tables", WEIGHTS)
MARKS = "narraworld_marks"


@cache
def load() -> Pipeline:
    """The whole pipeline; loaded once in a process."""
    import spacy
    from spacy.language import Language as Pipeline

    from narraworld.extract.embedded.english.marks import Marks

    marks = Marks.load(WEIGHTS / "marks.npz")
    if not Pipeline.has_factory(MARKS):
        Pipeline.component(MARKS, func=marks)
    nlp = spacy.load(WEIGHTS)
    nlp.add_pipe(MARKS)
    return nlp
