"""Sources: manuscripts as authors keep them, turned into source units. Knows file formats; no language, no model.

One road for all formats: a reader makes blocks of a file (`markdown`, `plain`, `docx`, `epub`, `odt`, `novelwriter`,
`fountain`), `chapters` cuts them, `canon` writes the text and its map back, `naming` names the units.
"""

from narraworld.base.settings import SourceSettings
from narraworld.extract.sources.find import READERS
from narraworld.extract.sources.piece import AuthorNote, Piece, SceneRange
from narraworld.extract.sources.places import Place, Places, Run
from narraworld.extract.sources.read_files import read_sources

__all__ = [
    "READERS", "AuthorNote", "Piece", "Place", "Places", "Run", "SceneRange", "SourceSettings", "read_sources",
]  # fmt: skip
