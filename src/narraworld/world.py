"""The world: what can be said to a story, verb by verb. Each verb is one call into the room that does it; decides nothing itself.

Holds one `OpenStory`. One writer at a time; any number of readers. Threads may share a world: they take turns.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from narraworld.base.atomic_files import write_whole
from narraworld.project.opened import Committed, OpenStory
from narraworld.query.scope import Explanation, GoalAnswer, Scope
from narraworld.query.situation import NOW, Situation
from narraworld.rules.engines import Limits
from narraworld.rules.engines.choose import EngineName

if TYPE_CHECKING:
    from collections.abc import Sequence

    from narraworld.kb.delta import Delta
    from narraworld.kb.errors import JournalDamaged
    from narraworld.kb.journal.branches import Branch
    from narraworld.kb.journal.leaf import Damage, Entry
    from narraworld.kb.journal.store import Store
    from narraworld.kb.rdf.exchange import Imported, RefusedStatement
    from narraworld.kb.rdf.sparql import SparqlAnswer
    from narraworld.query.ask.answer import Reply, Translate
    from narraworld.query.checks.findings import Checked
    from narraworld.query.difference import Difference
    from narraworld.query.knows import Matrix
    from narraworld.query.memory.context import Planner
    from narraworld.query.memory.needs import MemoryContext, MemorySwitches
    from narraworld.query.memory.preview import Preview
    from narraworld.query.views import Views

__all__ = ["NOW", "Committed", "World"]


class World:
    """A story world beside a manuscript. Use it in a `with`, or close it."""

    def __init__(self, story: OpenStory) -> None:
        self.story = story

    @classmethod
    def open(
        cls,
        path: Path | str = ".",
        *,
        create: bool = False,
        rules: tuple[Path, ...] = (),
        engine: EngineName = "auto",
    ) -> World:
        """The world in the folder ``path``; ``create`` makes one where there is none."""
        return cls(OpenStory.open(path, create=create, rules=rules, engine=engine))

    def __enter__(self) -> World:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.story.close()

    @property
    def path(self) -> Path:
        """The folder of the manuscript."""
        return self.story.path

    @property
    def store(self) -> Store:
        """The journal of what was read."""
        return self.story.store

    # -- in

    def read(self, path: Path | str, *, branch: str = "main") -> Committed:
        """Read one file of records and commit what can be accepted."""
        from narraworld.extract.records import read_records

        return self.commit(read_records(Path(path), branch=branch), branch=branch)

    def commit(self, delta: Delta, *, branch: str = "main") -> Committed:
        """Validate a unit's delta and append what is accepted; refused records are returned, never repaired."""
        return self.story.commit(delta, branch=branch)

    def retract(self, unit: str, *, branch: str = "main") -> Entry:
        """Take a unit out; earlier revisions still have it."""
        return self.store.retract(unit, branch=branch)

    # -- out

    def scope(self, situation: Situation = NOW) -> Scope:
        """The world as ``situation`` sees it; asked twice, it is the same object until something is committed."""
        return self.story.scope(situation)

    def query(self, text: str, situation: Situation = NOW) -> GoalAnswer:
        """Ask in rules: `mistaken(Who, P, Truth)`."""
        return self.scope(situation).query(text)

    def why(self, text: str, situation: Situation = NOW) -> Explanation:
        """Why a fact holds, or why not."""
        return self.scope(situation).why(text)

    def views(self, situation: Situation = NOW) -> Views:
        return self.scope(situation).views()

    def knows(self, situation: Situation = NOW) -> Matrix:
        return self.scope(situation).knows()

    def preview(self, situation: Situation = NOW) -> Preview:
        """A compact look at memory: who there is, what is under way, how much lies where."""
        from narraworld.query.memory.preview import preview_of

        return self.scope(situation).once(preview_of)

    def context(
        self,
        request: str,
        situation: Situation = NOW,
        budget: int = 4000,
        *,
        passage: str = "",
        outline: str = "",
        switches: MemorySwitches | None = None,
        planner: Planner | None = None,
    ) -> MemoryContext:
        """Memory for the next passage, in at most ``budget`` tokens; passage and outline guide and are no evidence."""
        from narraworld.query.memory.context import memory_for
        from narraworld.query.memory.plan import Request

        asked = Request(request, situation.purpose, passage, outline, situation.recipient)
        return memory_for(asked, self.scope(situation), budget, switches=switches, planner=planner)

    def ask(
        self,
        question: str,
        situation: Situation = NOW,
        *,
        switches: MemorySwitches | None = None,
        translate: Translate | None = None,
    ) -> Reply:
        """A question in English; the answer is derived, and the query it became is part of it."""
        from narraworld.query.ask.answer import ask

        possibilities = switches is None or switches.possibilities
        return ask(question, self.scope(situation), possibilities=possibilities, translate=translate)

    def check(
        self, situation: Situation = NOW, *, select: Sequence[str] = (), ignore: Sequence[str] = ()
    ) -> Checked:
        """What does not fit, with both passages; the author's waivers are not applied."""
        from narraworld.checking.check_world import check_world

        return check_world(self.story, situation=situation, select=select, ignore=ignore)

    def sparql(
        self, query: str, *, branch: str = "main", revision: int | None = None, seconds: float | None = None
    ) -> SparqlAnswer:
        """Ask the RDF of the base facts, read-only; ``seconds`` at most, by default the limit of the settings."""
        from narraworld.kb.rdf.sparql_process import sparql_apart

        limit = seconds or self.story.settings.limits.get("seconds", Limits().seconds)
        return sparql_apart(self.store, query, branch=branch, revision=revision, seconds=limit)

    def export(self, path: Path | str, *, branch: str = "main", revision: int | None = None) -> None:
        """Write the base facts to one file, in the format of its suffix; `.dl` is program and facts for Soufflé."""
        if Path(path).suffix == ".dl":
            from narraworld.rules.language.souffle import to_souffle
            from narraworld.rules.living.cut import every_row

            engine = self.scope(Situation(branch=branch, revision=revision)).engine
            facts = {name: every_row(engine, name) for name in engine.program.base()}
            write_whole(Path(path), to_souffle(self.story.frame.program, facts))
            return
        from narraworld.kb.rdf.exchange import export

        export(self.store.snapshot(revision, branch), path)

    def import_(
        self, file: Path | str | Imported, *, branch: str = "main"
    ) -> tuple[list[Committed], tuple[RefusedStatement, ...]]:
        """Commit the units of a file that `export` wrote; shapes are checked as for any other reading."""
        from narraworld.kb.quads import graph_of
        from narraworld.kb.rdf.exchange import Imported, read_export

        found = file if isinstance(file, Imported) else read_export(file)
        committed = [self.story.commit_graph(unit, graph_of(quads), branch) for unit, quads in found.units]
        return committed, found.refused

    # -- history and branches

    def log(self, branch: str = "main") -> list[Entry]:
        return self.store.log(branch)

    def branch(self, name: str, *, parent: str = "main", revision: int | None = None) -> Branch:
        """A what-if that grows from ``parent`` and leaves it alone."""
        return self.store.new_branch(name, parent=parent, revision=revision)

    def delete_branch(self, name: str) -> None:
        """Forget a what-if, and how the texts were read that it alone had."""
        from narraworld.reading.how_read import forget

        forget(self.story, name)

    def diff(self, before: int, after: int, branch: str = "main") -> Difference:
        """What the world gained and lost between two revisions."""
        from narraworld.query.difference import difference

        old, new = Situation(revision=before, branch=branch), Situation(revision=after, branch=branch)
        edits = self.store.diff(self.store.snapshot(before, branch), self.store.snapshot(after, branch))
        units = (*edits.added, *edits.changed, *edits.removed)
        return difference(self.scope(old), self.scope(new), units)

    def compare(self, branch: str, other: str) -> Difference:
        """How the world on ``other`` differs from that on ``branch``."""
        from narraworld.query.difference import difference

        return difference(self.scope(Situation(branch=branch)), self.scope(Situation(branch=other)))

    def verify(self) -> list[Damage]:
        """Everything wrong with the journals."""
        return self.store.verify()

    @property
    def damage(self) -> list[JournalDamaged]:
        """Units that could not be read while answering, and were left out of the answer."""
        return self.story.damage

    def reindex(self, branch: str = "main") -> None:
        """Throw the caches of a branch away and derive everything again."""
        self.story.reindex(branch)
