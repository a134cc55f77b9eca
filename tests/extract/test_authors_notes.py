"""What the author says beside the text becomes records on the author's word."""

from __future__ import annotations

import pytest

from narraworld.extract.note_records import AuthorsNotes, digest_of
from narraworld.extract.sources.piece import AuthorNote, Piece, SceneRange
from narraworld.extract.sources.places import Places
from narraworld.kb.delta import Delta
from narraworld.kb.roster import Known, Roster
from narraworld.kb.units import Unit
from narraworld.ontology.validate import sift
from narraworld.ontology.vocabulary import NW, compact

TEXT = "Mara waited.\n\nLater, Leo came."


def piece(*notes: tuple[str, str, int], scenes: tuple[SceneRange, ...] = ()) -> Piece:
    said = tuple(AuthorNote(*note) for note in notes)
    return Piece(Unit("ch01", 1, TEXT), scenes, said, Places((), ()))


def records(notes: AuthorsNotes) -> set[tuple[str, str, str]]:
    delta = Delta(notes.unit)
    notes.write(delta)
    assert sift(delta.graph, {})[1] == []
    said = {(compact(str(s)), str(p).removeprefix(NW), compact(str(o))) for s, p, o in delta.graph}
    return {
        one
        for one in said
        if one[1] in {"holder", "place", "expression", "event", "participant", "focalizer"}
    }


def test_who_is_there_and_through_whose_eyes() -> None:
    notes = AuthorsNotes.of(
        piece(("pov", "Mara", 0), ("char", "Leo", 0), ("location", "The Den", 0)), Roster()
    )

    assert records(notes) == {
        ("ch01", "participant", "mara"), ("ch01", "participant", "leo"), ("ch01", "focalizer", "mara"),
        ("ch01/presence-1", "holder", "mara"), ("ch01/presence-1", "place", "den"),
        ("ch01/presence-2", "holder", "leo"), ("ch01/presence-2", "place", "den"),
    }  # fmt: skip


@pytest.mark.parametrize(
    "notes",
    [
        pytest.param((("char", "Mara", 0), ("location", "Den", 0), ("location", "Hall", 0)), id="two places"),
        pytest.param((("char", "Mara", 0), ("location", "Den", 14)), id="a place for a later scene"),
        pytest.param((("char", "Mara", 0),), id="no place"),
    ],
)
def test_nobody_is_put_where_the_author_does_not_put_them(notes: tuple[tuple[str, str, int], ...]) -> None:
    assert records(AuthorsNotes.of(piece(*notes), Roster())) == {("ch01", "participant", "mara")}


def test_two_pairs_of_eyes_are_nobody_s() -> None:
    notes = AuthorsNotes.of(piece(("pov", "Mara", 0), ("pov", "Leo", 14)), Roster())

    assert notes.unit.focalizer is None


def test_whoever_is_known_keeps_the_id_and_a_namesake_of_another_kind_gets_one() -> None:
    roster = Roster((Known("mara-of-the-hill", "character", ("Mara",)), Known("leo", "place", ("Leo",))))
    notes = AuthorsNotes.of(piece(("char", "Mara", 0), ("char", "Leo", 0), ("pov", "Leo", 0)), roster)

    assert [one.id for one in notes.cast] == ["mara-of-the-hill", "leo-2"]


def test_a_mention_says_nothing_by_itself() -> None:
    assert AuthorsNotes.of(piece(("mention", "Mara", 0), ("plot", "The Theft", 0)), Roster()).cast == ()


def test_scenes_and_their_times() -> None:
    scenes = (SceneRange(0, 12, "One"), SceneRange(14, len(TEXT), None))
    notes = AuthorsNotes.of(piece(("time", "in Frostmoon", 14), scenes=scenes), Roster())

    assert records(notes) == {
        ("ch01/timeanchor-1", "event", "ch01/scene-2"),
        ("ch01/timeanchor-1", "expression", "in Frostmoon"),
    }


def test_notes_and_scenes_tell_versions_apart() -> None:
    one, other = piece(("pov", "Mara", 0)), piece(("pov", "Leo", 0))

    assert len({digest_of(one), digest_of(other), digest_of(piece())}) == 3
    assert digest_of(one) == digest_of(piece(("pov", "Mara", 0)))
