"""Reading with the embedded reader: units in the order of the telling, each committed before the next is read.

Offline, no key, deterministic: the journal is the same in one run or in many, with one process or two. Nothing is
derived on the way; that is done when somebody asks. Knows no file format; the pieces are handed in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from narraworld.extract.embedded.discourse import DiscourseHistory, DiscourseState, Moves
from narraworld.query.situation import Situation
from narraworld.reading.how_read import HowRead, how_read, keep
from narraworld.reading.outcome import UnitRead, unchanged
from narraworld.reading.prior import roster_of
from narraworld.reading.refusals import keep_refusals
from narraworld.rules.living.census import classes_in
from narraworld.rules.living.living_world import stamp_of

if TYPE_CHECKING:
    from narraworld.extract.embedded.parse_ahead import AheadSettings
    from narraworld.extract.sources import Piece
    from narraworld.kb.journal.leaf import Entry
    from narraworld.kb.roster import Known, Roster
    from narraworld.kb.units import Unit
    from narraworld.project.opened import OpenStory
    from narraworld.query.ask.aligned.grammar import ParsedWord
    from narraworld.rules.engines import Engine

__all__ = ["get_ready", "parsed", "read_embedded"]

FEW_PAGES = 8_000  # characters


def read_embedded(
    story: OpenStory, pieces: Sequence[Piece], *, branch: str = "main", ahead: AheadSettings | None = None
) -> Iterator[UnitRead]:
    """Read pieces one by one; a unit whose words were read already is not read again."""
    from narraworld.extract.embedded.english import LANGUAGE
    from narraworld.extract.embedded.parse_ahead import helped

    done = {piece.unit.id: _unchanged(story, piece, branch) for piece in pieces}
    wanted = [piece.unit for piece in pieces if done[piece.unit.id] is None]
    memory = Memory.of(story, branch)
    known = memory.roster().words if wanted else ()
    with helped([unit.text for unit in wanted], known, LANGUAGE, ahead) as helper:
        for piece in pieces:
            already = done[piece.unit.id]
            if already is None:
                helper.take_next()
            yield already or _read(memory, piece)


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
        roster, stage = Memory.of(story, branch).before(unit)
        known = story.census(branch)
    found = read_prose(unit, roster, stage=stage, calendar=story.frame.calendar)
    sift(found.delta.graph, known.kinds((), besides=unit.id))


def _unchanged(story: OpenStory, piece: Piece, branch: str) -> UnitRead | None:
    """The outcome for a unit whose words, and the author's notes beside them, were read already."""
    from narraworld.extract.note_records import digest_of

    done = unchanged(story, piece, branch)
    how = how_read(story.store, story.store.snapshot(branch=branch)[piece.unit.id]) if done else None
    return None if how and how.notes != digest_of(piece) else done


def _read(memory: Memory, piece: Piece) -> UnitRead:
    from narraworld.extract.embedded.reader import read_prose
    from narraworld.extract.note_records import AuthorsNotes, digest_of

    roster, stage = memory.before(piece.unit)
    notes = AuthorsNotes.of(piece, roster)
    known = roster.plus(notes.cast) if notes.cast else roster
    found = read_prose(notes.unit, known, stage=stage, calendar=memory.story.frame.calendar)
    notes.write(found.delta)
    unit, store = notes.unit, memory.story.store
    keep(store, unit, HowRead(found.coverage, found.moves, digest_of(piece)))
    committed = memory.story.commit(found.delta, branch=memory.branch)
    keep_refusals(store, unit.id, committed.refusals)
    if committed.entry:
        memory.add((*notes.cast, *found.cast), found.moves, committed.entry)
    return UnitRead(unit.id, unit.title, "read", committed, coverage=found.coverage)


class Memory:
    """What the next unit is told of those before it: who is known, and where everybody was left.

    New units add to it. For a unit that is read again the tables are asked, which know what only its old version said.
    """

    def __init__(self, story: OpenStory, branch: str) -> None:
        self.story, self.branch = story, branch
        self._roster: Roster | None = None
        self._knows = self._state()

    @classmethod
    def of(cls, story: OpenStory, branch: str) -> Memory:
        """The memory of the last reading, if nothing else was committed since: an episode more costs one episode."""
        kept = story.kept.get((cls, branch))
        if not isinstance(kept, Memory) or kept._knows != kept._state():
            kept = story.kept[cls, branch] = cls(story, branch)
        return kept

    def _state(self) -> tuple[object, ...]:
        return stamp_of(self.story.store.snapshot(branch=self.branch))

    def roster(self) -> Roster:
        """Who is known by now."""
        if self._roster is None:
            self._roster = roster_of(self._engine())
        return self._roster

    def before(self, unit: Unit) -> tuple[Roster, DiscourseState]:
        """Who is known, and where everybody was left, when this unit is read."""
        stage = self._stages.before((unit.order, unit.id))
        if self.story.store.snapshot(branch=self.branch).find(unit.id) is None:
            return self.roster(), stage
        self._roster = None
        return roster_of(self._engine(), but=unit.id), stage

    def add(self, cast: Iterable[Known], moves: Moves, entry: Entry) -> None:
        """Take a committed unit in; whoever was refused is not known."""
        self._stages.add((entry.order, entry.unit), moves)
        self._knows = self._state()
        if self._roster is not None:
            classes = classes_in(self.story.store.body(entry))
            threads = {node for node, kind in classes.items() if kind == "Development"}
            accepted = (one for one in cast if one.id in classes)
            self._roster = self._roster.plus(accepted, threads | {entry.unit})

    def _engine(self) -> Engine:
        return self.story.scope(Situation(branch=self.branch)).engine

    @cached_property
    def _stages(self) -> DiscourseHistory:
        store = self.story.store
        read = ((entry, how_read(store, entry)) for entry in store.snapshot(branch=self.branch).entries)
        return DiscourseHistory(((entry.order, entry.unit), how.moves) for entry, how in read if how)


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
