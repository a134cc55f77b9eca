"""Checking: the world once more with the checks among its rules, in tables of its own, and what they find.

Ordinary reading and asking pay nothing for it; a second check after an edit follows the edit. Applies no waivers and asks
no model: `checkup` and `judge` stand on top of this.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from narraworld.checking.word_meanings import made_by, meanings
from narraworld.project.opened import OpenStory
from narraworld.project.setup import frame_of
from narraworld.project.source_places import PlaceFinder
from narraworld.query.checks.findings import Checked, RuleCard
from narraworld.query.checks.gather import Spot, SpotOf, cards_of, findings_of, reports_of, wanted
from narraworld.query.checks.word_rows import RELATIONS
from narraworld.query.names import rows
from narraworld.query.situation import NOW, Situation
from narraworld.rules.language.cards import card_texts, check_program
from narraworld.rules.language.ir import Change, Row

if TYPE_CHECKING:
    from narraworld.kb.journal.store import Snapshot
    from narraworld.query.scope import Scope
    from narraworld.rules.engines import Engine
    from narraworld.rules.engines.sqlite.engine import SqliteEngine
    from narraworld.rules.living.living_world import LivingWorld, WorldSetup

__all__ = ["CheckWorld", "check_world", "checks_scope", "rule_cards", "spots"]


def check_world(
    story: OpenStory, *, situation: Situation = NOW, select: Sequence[str] = (), ignore: Sequence[str] = (),
    rules: Iterable[Path] = (),
) -> Checked:  # fmt: skip
    """What does not fit in the world, each rule's outcome, and how many words were looked at.

    ``select`` and ``ignore`` take numbers or their beginnings; ``rules`` are further files or folders of checks.
    """
    scope = checks_scope(story, situation, rules)
    cards = cards_of(scope.engine, card_texts(_own(story, rules)))
    asked = {number: card for number, card in cards.items() if wanted(number, select, ignore)}
    with scope.steady():
        found = findings_of(scope.engine, asked, spots(scope.engine))
        reports = reports_of(scope.engine, asked, found)
    snapshot = story.store.snapshot(situation.revision, situation.branch)
    words = sum(len(story.store.text(entry).split()) for entry in snapshot.entries)
    return Checked(tuple(found), (), reports, (), words, snapshot.revision)


def checks_scope(story: OpenStory, situation: Situation = NOW, rules: Iterable[Path] = ()) -> Scope:
    """The situated world with the checks in it: ask it why a finding's goal holds."""
    return _beside(story, tuple(rules)).scope(situation)


def rule_cards(story: OpenStory | None = None, rules: Iterable[Path] = ()) -> dict[str, RuleCard]:
    """Every check by its number, without deriving anything; ``story`` adds the project's own."""
    from narraworld.rules.engines.choose import engine_for
    from narraworld.rules.language.dependencies import needed

    own = _own(story, rules) if story else tuple(rules)
    program = needed(check_program(story.settings.rule_files if story else (), own), ["check"])
    engine = engine_for(program, {})
    try:
        return cards_of(engine, card_texts(own))
    finally:
        engine.close()


def _own(story: OpenStory, rules: Iterable[Path]) -> tuple[Path, ...]:
    return (*story.settings.check_files, *rules)


def _beside(story: OpenStory, rules: tuple[Path, ...]) -> CheckWorld:
    """The world's check tables, opened once for each set of rules."""
    known = story.beside.get(rules)
    if not isinstance(known, CheckWorld):
        settings = replace(story.settings, check_files=_own(story, rules))
        known = CheckWorld(story.path, story.store, settings)
        story.beside[rules] = known
    return known


class CheckWorld(OpenStory):
    """The story whose program holds the checks; its tables live beside the ordinary ones."""

    @property
    def frame(self) -> WorldSetup:
        if self._frame is None:
            self._frame = frame_of(
                self.settings, check_program(self.settings.rule_files, self.settings.check_files)
            )
        return self._frame

    def living(self, branch: str = "main") -> LivingWorld:
        found = super().living(branch)
        self._spell(found.engine)
        return found

    def _at_revision(self, branch: str, snapshot: Snapshot) -> LivingWorld:
        found = super()._at_revision(branch, snapshot)
        self._spell(found.engine)
        return found

    def _alive(self, branch: str, folder: Path | None) -> LivingWorld:
        return super()._alive(branch, folder / "checks" if folder else None)

    def _spell(self, engine: SqliteEngine) -> None:
        """Bring the rows that are worked out from words up to date; once for each state of the tables."""
        worked_out = f"{engine.stamp} {made_by()}"
        if engine.stamp and engine.remark == worked_out:
            return
        meant = meanings(partial(rows, engine), self.frame.calendar)
        had = {name: set(rows(engine, name)) for name in RELATIONS if name in engine.program.relations}
        come = {name: meant.get(name, set()) - known for name, known in had.items()}
        gone = {name: known - meant.get(name, set()) for name, known in had.items()}
        change = Change(_filled(come), _filled(gone))
        if change:
            engine.follow(change, engine.stamp)
        engine.keep_remark(worked_out)


def _filled(changes: dict[str, set[Row]]) -> dict[str, set[Row]]:
    return {name: some for name, some in changes.items() if some}


def spots(engine: Engine) -> SpotOf:
    """Where the author finds an offset of a unit."""
    finder = PlaceFinder(engine)

    def spot(unit: str, offset: int) -> Spot | None:
        place = finder.place(unit, offset)
        return Spot(place.file, place.line, place.column) if place else None

    return spot
