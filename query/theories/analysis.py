"""A pack over one situated world: its results, its features, and what could not be evaluated for want of records.

Asks engines, writes nothing. "Not evaluated" and "none" are different answers: the first says that the world has no record of
a kind that the theory needs, the second that it has and nothing matches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias

from narraworld.base.errors import NarraWorldError
from narraworld.query.scope import Explanation, Scope
from narraworld.query.theories.frame import Cell, TheoryFrame, joined
from narraworld.query.theories.told_where import ToldWhere
from narraworld.rules.engines import Engine
from narraworld.rules.engines.choose import EngineName
from narraworld.rules.language.ir import Atom, Relation, Row, Var
from narraworld.rules.packs.head import Feature
from narraworld.rules.packs.pack import Pack
from narraworld.rules.packs.pack_engine import PackEngine

if TYPE_CHECKING:
    from narraworld.query.theories.figures.drawing import Figure

__all__ = ["Analysis", "PieceName", "TheoryResult", "analysis_of", "stories_by_features"]

PieceName: TypeAlias = Literal["story", "unit", "scene"]


@dataclass(frozen=True, slots=True)
class TheoryResult:
    """The rows of one relation of a theory, as symbols and in words; or the sentences that say why there can be none."""

    relation: str
    says: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    words: tuple[tuple[str, ...], ...]
    not_evaluated: tuple[str, ...] = ()

    @property
    def frame(self) -> TheoryFrame:
        return TheoryFrame(self.columns, self.rows)


@dataclass(frozen=True)
class Analysis:
    """What a theory says of a story. ``frame`` is its row of stories × features, ``figure`` its drawing."""

    pack: Pack
    story: str
    revision: int
    scope: Scope = field(repr=False)
    engine: PackEngine = field(repr=False)
    missing: frozenset[str]

    def __getitem__(self, relation: str) -> TheoryResult:
        if relation not in self.pack.own:
            known = ", ".join(one.name for one in self.pack.results)
            raise NarraWorldError(f"{self.pack.name} has no result {relation!r}", fix=f"known are: {known}")
        return self._result(self.pack.program.relations[relation])

    @cached_property
    def results(self) -> tuple[TheoryResult, ...]:
        return tuple(self._result(relation) for relation in self.pack.results)

    @property
    def not_evaluated(self) -> tuple[str, ...]:
        """Each reason once, in the order of the head."""
        return tuple(str(need) for need in self.pack.head.needs if need.relation in self.missing)

    @property
    def evaluated(self) -> bool:
        return any(not result.not_evaluated for result in self.results)

    def rows(self, relation: str) -> list[Row]:
        width = self.pack.program.relations[relation].arity
        return self.engine.ask(Atom(relation, tuple(Var(f"V{i}") for i in range(width))))

    @cached_property
    def features(self) -> dict[str, Cell]:
        """Each feature of the head; None where it could not be evaluated."""
        return {one.name: self._folded(one, self.rows(one.relation)) for one in self.pack.head.features}

    @property
    def frame(self) -> TheoryFrame:
        return self.by("story")

    def by(self, by: PieceName) -> TheoryFrame:
        """Features for the whole story, or for each of its units or scenes."""
        names = tuple(one.name for one in self.pack.head.features)
        if by == "story":
            return TheoryFrame(("story", *names), ((self.story, *self.features.values()),))
        told = ToldWhere(self.scope.engine)
        places, where = (told.units, told.unit) if by == "unit" else (told.scenes, told.scene)
        if not places:
            fix = "use --by unit" if by == "scene" else None
            raise NarraWorldError(f"Not evaluated: no record of kind {by}", where=self.story, fix=fix)
        columns = [self._by_place(one, where, places) for one in self.pack.head.features]
        found = ((self.story, place, *values) for place, *values in zip(places, *columns, strict=True))
        return TheoryFrame(("story", by, *names), tuple(found))

    def _by_place(
        self, feature: Feature, where: Callable[[Row], str | None], places: Sequence[str]
    ) -> list[Cell]:
        """One feature in each place, from the rows that lie there."""
        lying = [(where(row), row) for row in self.rows(feature.relation)]
        return [self._folded(feature, [row for at, row in lying if at == place]) for place in places]

    @property
    def figure(self) -> Figure:
        from narraworld.query.theories.figures import figure_of

        return figure_of(self)

    def why(self, goal: str) -> Explanation:
        """Why a row of the theory holds, down to the words on the page; or why it does not."""
        return self.situated.why(goal)

    @cached_property
    def situated(self) -> Scope:
        """The scope that sees the theory's relations too."""
        return Scope(self.engine, place_of=self.scope.place_of)

    def _folded(self, feature: Feature, rows: Sequence[Row]) -> Cell:
        if self.pack.waits(feature.relation, self.missing):
            return None
        columns = tuple(column.name for column in self.pack.program.relations[feature.relation].columns)
        return feature.of(columns, list(rows))

    def _result(self, relation: Relation) -> TheoryResult:
        waits = tuple(str(need) for need in self.pack.waits(relation.name, self.missing))
        rows = tuple(self.rows(relation.name)) if not waits else ()
        words = tuple(tuple(self._word(value) for value in row) for row in rows)
        return TheoryResult(
            relation.name, relation.doc, tuple(one.name for one in relation.columns), rows, words, waits
        )

    def _word(self, value: str | float) -> str:
        return self.scope.names(value) if isinstance(value, str) else str(value)


def analysis_of(
    pack: Pack, scope: Scope, *, story: str, revision: int, engine: EngineName = "auto"
) -> Analysis:
    """The theory over the world as ``scope`` sees it."""
    goals = [one.name for one in pack.results] + [one.relation for one in pack.head.features]
    missing = frozenset(_missing(pack, scope.engine))
    with scope.steady():
        return Analysis(pack, story, revision, scope, PackEngine(pack, scope.engine, goals, engine), missing)


def _missing(pack: Pack, engine: Engine) -> Iterable[str]:
    """The needs that no row of this world meets."""
    for need in pack.head.needs:
        known = [
            engine.program.relations[name] for name in need.relations if name in engine.program.relations
        ]
        if known and not any(
            engine.count(Atom(one.name, tuple(Var(column.name) for column in one.columns))) for one in known
        ):
            yield need.relation


def stories_by_features(analyses: Sequence[Analysis], by: PieceName = "story") -> TheoryFrame:
    """One table over many stories: a line for each story, or for each of its units or scenes."""
    return joined([one.by(by) for one in analyses])
