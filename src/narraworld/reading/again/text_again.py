"""The text of a unit that is to be read again though nobody handed it in: from the pieces at hand, the files, or the journal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from narraworld.extract.note_records import digest_of
from narraworld.extract.sources.piece import Piece, SceneRange
from narraworld.extract.sources.places import Places
from narraworld.kb.units import Unit
from narraworld.reading.how_read import how_read

if TYPE_CHECKING:
    from narraworld.kb.journal.leaf import Entry
    from narraworld.project.opened import OpenStory

__all__ = ["AtHand"]


class AtHand:
    """Pieces at hand, with the way to others that the story was read from."""

    def __init__(self, story: OpenStory, branch: str, pieces: Iterable[Piece]) -> None:
        self._story, self._branch = story, branch
        self._pieces = {piece.unit.id: piece for piece in pieces}

    def piece(self, entry: Entry) -> Piece | None:
        """The very words of this version with the author's notes beside them; None where the notes are gone."""
        how = how_read(self._story.store, entry)
        sha, notes = self._story.store.of_unit(entry, "sha256"), how.notes if how else ""
        for look in (self._given, self._kept, self._written):
            piece = look(entry)
            if piece is not None and piece.unit.sha256 == sha and notes in {"", digest_of(piece)}:
                return replace(piece, unit=self._as_known(piece.unit, entry))
        return None

    def _as_known(self, unit: Unit, entry: Entry) -> Unit:
        """Under the title, at the place and from the file under which the journal knows it."""
        title, source, places = (
            self._story.store.of_unit(entry, name) for name in ("title", "source", "sourceMap")
        )
        return replace(
            unit, order=entry.order, title=title, source=source, source_map=places, branch=self._branch
        )

    def _given(self, entry: Entry) -> Piece | None:
        return self._pieces.get(entry.unit)

    def _written(self, entry: Entry) -> Piece | None:
        return self._in_files.get(entry.unit)

    @cached_property
    def _in_files(self) -> dict[str, Piece]:
        from narraworld.reading.changed import manuscript_of

        return {piece.unit.id: piece for piece in manuscript_of(self._story, branch=self._branch).pieces}

    def _kept(self, entry: Entry) -> Piece:
        """As the journal has it, without any notes."""
        store = self._story.store
        title, source, places = (store.of_unit(entry, name) for name in ("title", "source", "sourceMap"))
        unit = Unit(
            entry.unit, entry.order, store.text(entry), title, source, places, self._branch,
            time_anchor=store.of_unit(entry, "timeAnchor"),
        )  # fmt: skip
        found = Places.from_text(places) if places else Places.from_text("[]")
        return Piece(unit, (SceneRange(0, len(unit.text), None),), (), found)
