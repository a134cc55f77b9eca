"""What the author says beside the text, as records: who is in a unit, whose eyes, where, when, and which scenes it has.

`@pov`, `@char`, `@location`, `@object` and front matter name entities before the text is read, so that the text's own
mentions find them; what they state rests on the author's word (`authorNote`) and needs no quote. A note that names
somebody without saying what they are (`@mention`, `@entity`) adds nothing of its own. Touches no file and no engine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256

from narraworld.extract.sources.piece import AuthorNote, Piece
from narraworld.kb.delta import Delta
from narraworld.kb.roster import Known, Roster
from narraworld.kb.units import Unit

__all__ = ["AuthorsNotes", "digest_of"]

KINDS = {
    "pov": "character",
    "focus": "character",
    "char": "character",
    "location": "place",
    "object": "object",
}
CLASSES = {"character": "Character", "place": "Place", "object": "Object", "group": "Group"}
EYES = ("focus", "pov")  # the first that speaks for the whole unit wins
AUTHOR = "authorNote"


def digest_of(piece: Piece) -> str:
    """Equal when notes and scenes are: a unit whose notes have changed is read again."""
    return sha256(repr((piece.notes, piece.scenes)).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class AuthorsNotes:
    """The notes of one piece, with the entities they name."""

    piece: Piece
    named: dict[AuthorNote, Known]

    @classmethod
    def of(cls, piece: Piece, roster: Roster) -> AuthorsNotes:
        named = dict[AuthorNote, Known]()
        for note in piece.notes:
            if note.kind in KINDS:
                named[note] = _known(note, roster, named)
        return cls(piece, named)

    @property
    def cast(self) -> tuple[Known, ...]:
        return tuple({one.id: one for one in self.named.values()}.values())

    @property
    def unit(self) -> Unit:
        """The unit with those who take part in it, and through whose eyes it is told if that is one pair."""
        people = [one.id for note, one in self.named.items() if KINDS[note.kind] == "character"]
        eyes = [found[0] for kind in EYES if len(found := self._ids(kind)) == 1]
        return replace(
            self.piece.unit,
            participants=tuple(dict.fromkeys(people)),
            focalizer=eyes[0] if eyes else self.piece.unit.focalizer,
        )

    def write(self, delta: Delta) -> None:
        """Add what the author says to the records of the unit."""
        for one in self.cast:
            delta.add(CLASSES[one.kind], one.id, name=list(one.names))
        places = self._ids("location", start=0)
        if len(places) == 1:  # everybody whom the author puts there; of two places nobody knows who is where
            for who in dict.fromkeys([*self._ids("pov", start=0), *self._ids("char", start=0)]):
                delta.add("Presence", holder=who, place=places[0], movement="present", authority=AUTHOR)
        self._write_scenes(delta)

    def _write_scenes(self, delta: Delta) -> None:
        times = {note.start: note.value for note in self.piece.notes if note.kind == "time"}
        if len(self.piece.scenes) < 2:  # a unit of one scene says everything itself
            return
        for number, scene in enumerate(self.piece.scenes, 1):
            place = {"start": scene.start, "end": scene.end, "title": scene.title}
            id = delta.add("Scene", f"scene-{number}", unit=delta.unit.id, authority=AUTHOR, **place)
            if scene.start in times and scene.start > 0:
                delta.add("TimeAnchor", event=id, expression=times[scene.start], authority=AUTHOR)

    def _ids(self, kind: str, start: int | None = None) -> list[str]:
        chosen = (note for note in self.named if note.kind == kind and start in (None, note.start))
        return list(dict.fromkeys(self.named[note].id for note in chosen))


def _known(note: AuthorNote, roster: Roster, named: dict[AuthorNote, Known]) -> Known:
    """Who is meant: one of that name whom an earlier unit or note has brought, else somebody new."""
    kind = KINDS[note.kind]
    here = [one for one in named.values() if one.kind == kind and note.value in one.names]
    met = here or roster.called(note.value, kind)
    if len(met) == 1:
        return replace(met[0], names=(note.value,))
    taken = {one.id for one in named.values()}
    return Known(roster.free_id(note.value, taken), kind, (note.value,))
