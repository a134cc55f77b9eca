"""Reading with the embedded reader: units in the order of the telling, each committed before the next is read.

Offline, no key, deterministic: the journal is the same in one run or in many, with one process or two, and after any number of
edits: a unit that would be told something else of those before it than it was is read again. Nothing is derived on the way;
that is done when somebody asks. Knows no file format; the pieces are handed in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from narraworld.reading.again.known_so_far import words_of
from narraworld.reading.again.named_in import named_in
from narraworld.reading.again.text_again import AtHand
from narraworld.reading.again.told_before import Memory, all_told, place_of, say_all_told
from narraworld.reading.how_read import HowRead, ToldToUnit, how_read, keep
from narraworld.reading.outcome import UnitRead, unchanged
from narraworld.reading.refusals import keep_refusals

if TYPE_CHECKING:
    from narraworld.extract.embedded.discourse import Place
    from narraworld.extract.embedded.parse_ahead import AheadSettings
    from narraworld.extract.sources import Piece
    from narraworld.project.opened import OpenStory
    from narraworld.query.ask.aligned.grammar import ParsedWord

__all__ = ["get_ready", "parsed", "read_embedded"]

FEW_PAGES = 8_000  # characters


def read_embedded(
    story: OpenStory, pieces: Sequence[Piece], *, branch: str = "main", ahead: AheadSettings | None = None,
    at_hand: Sequence[Piece] = (),
) -> Iterator[UnitRead]:  # fmt: skip
    """Read pieces one by one; a unit whose words were read already is not read again, unless what is told before it has changed.

    ``at_hand`` are pieces whose words are read already, should one be wanted again.
    """
    from narraworld.extract.embedded.english import LANGUAGE
    from narraworld.extract.embedded.parse_ahead import helped

    done = {piece.unit.id: _unchanged(story, piece, branch) for piece in pieces}
    wanted = sorted((piece for piece in pieces if done[piece.unit.id] is None), key=_place)
    memory, given = Memory.of(story, branch), AtHand(story, branch, (*at_hand, *pieces))
    start = min(map(_place, wanted), default=None) if all_told(story, branch) else (0, "")
    known = memory.words(_place(wanted[0])) if wanted else ()
    with helped([piece.unit.text for piece in wanted], known, LANGUAGE, ahead) as helper:
        for place, piece in _in_order(memory, pieces):
            if piece is not None and done[piece.unit.id] is None:
                helper.take_next()
                yield _read(memory, piece)
                continue
            again = _read_again(memory, given, place[1]) if start is not None and place > start else None
            if again or piece:
                yield again or done[place[1]] or UnitRead(place[1], None, "unchanged")
    say_all_told(story, branch)


def _place(piece: Piece) -> Place:
    return piece.unit.order, piece.unit.id


def _in_order(memory: Memory, pieces: Iterable[Piece]) -> list[tuple[Place, Piece | None]]:
    """All units of the story with those to be read, in the order of the telling."""
    found: dict[str, tuple[Place, Piece | None]] = {
        entry.unit: (place_of(entry), None) for entry in memory.entries()
    }
    found |= {piece.unit.id: (_place(piece), piece) for piece in pieces}
    return sorted(found.values(), key=lambda one: one[0])


def get_ready(story: OpenStory, *, branch: str = "main") -> None:
    """Load the reader and what it remembers of the story, so that the first chapter that is saved costs no more than the second.

    Reads a few pages of the story again and throws them away; commits nothing. Fewer leave patterns to be compiled by the save.
    """
    from narraworld.extract.embedded.reader import read_prose
    from narraworld.kb.units import Unit
    from narraworld.ontology.validate import sift

    told = [(one, story.store.text(one)) for one in story.store.snapshot(branch=branch).entries]
    last, text = next(((one, text) for one, text in reversed(told) if text), (None, ""))
    if last is None:
        return
    unit = Unit(last.unit, last.order, text[:FEW_PAGES])
    with story.turn:
        shown = Memory.of(story, branch).before((unit.order, unit.id), words_of([unit.text]))
        known = story.census(branch)
    found = read_prose(unit, shown.roster, stage=shown.stage, calendar=story.frame.calendar)
    sift(found.delta.graph, known.kinds((), besides=[unit.id]))


def _unchanged(story: OpenStory, piece: Piece, branch: str) -> UnitRead | None:
    """The outcome for a unit whose words, and the author's notes beside them, were read already."""
    from narraworld.extract.note_records import digest_of

    done = unchanged(story, piece, branch)
    how = how_read(story.store, story.store.snapshot(branch=branch)[piece.unit.id]) if done else None
    return None if how and how.notes != digest_of(piece) else done


def _read_again(memory: Memory, given: AtHand, unit: str) -> UnitRead | None:
    """A unit read again because of what is told before it; None where nothing comes of it."""
    entry = memory.story.store.snapshot(branch=memory.branch)[unit]
    ids = memory.told_otherwise(entry)
    piece = given.piece(entry) if ids else None
    if piece is None:
        return None
    names = memory.called(entry, ids)
    read = _read(memory, piece, unless_same=True)
    same = read.committed is not None and read.committed.entry == entry
    return None if same else replace(read, again=names)


def _read(memory: Memory, piece: Piece, *, unless_same: bool = False) -> UnitRead:
    from narraworld.extract.embedded.reader import read_prose
    from narraworld.extract.note_records import AuthorsNotes, digest_of

    story, branch = memory.story, memory.branch
    words = words_of([piece.unit.text, *(note.value for note in piece.notes)])
    shown = memory.before(_place(piece), words)
    notes = AuthorsNotes.of(piece, shown.roster)
    known = shown.roster.plus(notes.cast) if notes.cast else shown.roster
    found = read_prose(notes.unit, known, stage=shown.stage, calendar=story.frame.calendar)
    notes.write(found.delta)
    how = HowRead(found.coverage, found.moves, digest_of(piece))
    keep(story.store, notes.unit, how, branch)
    committed = story.commit(
        found.delta, branch=branch, later=memory.later(_place(piece)), unless_same=unless_same
    )
    keep_refusals(story.store, piece.unit.id, committed.refusals)
    if committed.entry:
        told = ToldToUnit(words, shown.digests(), named_in(story.store.body(committed.entry)))
        how = replace(how, told=told)
        keep(story.store, notes.unit, how, branch)
        memory.add(committed.entry, how)
    return UnitRead(piece.unit.id, notes.unit.title, "read", committed, coverage=found.coverage)


def parsed(texts: Sequence[str], names: frozenset[str]) -> list[list[ParsedWord]]:
    """The grammar of each text as one sentence, for whoever answers questions; ``names`` are words of names, which the parser is lent common ones for."""
    from dataclasses import replace

    from narraworld.extract.embedded.english import LANGUAGE
    from narraworld.extract.embedded.grammar.parser import parse, tokens_of
    from narraworld.extract.embedded.lexicon.language import speaking
    from narraworld.extract.embedded.lexicon.noun_kinds import noun_kinds
    from narraworld.query.ask.aligned.grammar import ParsedWord

    with speaking(LANGUAGE):
        tokens = [[replace(one, name=one.text in names) for one in tokens_of(text)] for text in texts]
        kinds = noun_kinds()
        return [
            [
                ParsedWord(
                    one.text,
                    one.start,
                    one.end,
                    one.lemma,
                    "PROPN" if one.name else one.pos,
                    one.tag,
                    one.dep,
                    one.head,
                    (kinds.surely(one.lemma.lower()) or "") if one.pos == "NOUN" else "",
                )
                for one in sentence
            ]
            for sentence in parse(tokens)
        ]
