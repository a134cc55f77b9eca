"""The world: what can be said to a story, verb by verb. Each verb is one call into the room that does it; decides nothing itself.

Holds one `OpenStory`. One writer at a time; any number of readers. Threads may share a world: they take turns, so that no scope
is outdated by another thread before it has answered.
`situation` is a `Situation`, or its parts as keywords: at=, told=, as_=, to=, branch=, revision=. With `as_` a verb answers from that mind
alone, or says why it cannot (`query/eyes`).
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TextIO, TypeAlias, Unpack

from narraworld.authors_verbs import AuthorsVerbs
from narraworld.base.given_types import looks_at_what_it_is_given
from narraworld.base.settings import DEFAULTS
from narraworld.project.opened import Committed, OpenStory
from narraworld.query.eyes import for_authors
from narraworld.query.moments import Moment, MomentText, moment_of, revision_of
from narraworld.query.resolve import ANY, MINDS, Named
from narraworld.query.scope import Explanation, GoalAnswer, Scope
from narraworld.query.situation import NOW, READER, Situation, SituationParts, situation_of
from narraworld.rules.engines import Limits
from narraworld.rules.engines.choose import EngineName
from narraworld.story_figures import StoryFigures
from narraworld.upkeep_verbs import UpkeepVerbs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from narraworld.checking.edits import EditWatch
    from narraworld.extract.model.port import Asks
    from narraworld.kb.delta import Delta
    from narraworld.kb.journal.branches import Branch
    from narraworld.kb.journal.leaf import Entry
    from narraworld.kb.journal.store import Store
    from narraworld.kb.rdf.exchange import Imported, RefusedStatement
    from narraworld.kb.rdf.sparql import SparqlAnswer
    from narraworld.models.session import ModelSession
    from narraworld.query.ask.aligned.grammar import ParsedWord
    from narraworld.query.ask.answer import Reply
    from narraworld.query.ask.in_words.shown import MindAtHand
    from narraworld.query.checks.findings import RuleCard, Severity
    from narraworld.query.checks.report import Report
    from narraworld.query.difference import Difference
    from narraworld.query.knows import Matrix
    from narraworld.query.memory.by_mind.scene_shown import ChoosingMind
    from narraworld.query.memory.context import Planner
    from narraworld.query.memory.needs import MemoryContext, MemorySwitches
    from narraworld.query.memory.preview import Preview
    from narraworld.query.memory.sentence_search import FoundPassage
    from narraworld.query.sheet.style_rows import StyleSheet
    from narraworld.query.theories.analysis import Analysis
    from narraworld.query.views import Views
    from narraworld.reading.coverage import UnitCoverage
    from narraworld.reading.forecast import ReadingForecast
    from narraworld.reading.outcome import OnFailure, Tell, UnitRead
    from narraworld.reading.read import OpenedFiles, ReaderChoice
    from narraworld.reading.refusals import KeptRefusal

__all__ = ["NOW", "Committed", "World"]

Files: TypeAlias = "Path | str | OpenedFiles"
Judge: TypeAlias = "Asks | ModelSession | Literal['model']"


NAMED = {
    "Files": "Path | str | OpenedFiles",
    "MomentText": "str | int | Tick",
}  # types that have a short name
CLASSES = frozenset({"Situation", "Delta", "OpenedFiles", "Report", "Imported", "Tick"})


@looks_at_what_it_is_given(NAMED, CLASSES, SituationParts.__annotations__)
class World(StoryFigures, AuthorsVerbs, UpkeepVerbs):
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

    def __exit__(self, *_: object) -> None:
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

    def read(
        self, *paths: Files, reader: ReaderChoice = "embedded", tell: Tell | None = None, on_failure: OnFailure = "stop", branch: str = "main",
    ) -> list[UnitRead]:  # fmt: skip
        """Read prose, records and whole folders, in any mixture; what became of each unit, in the order of the telling.

        ``reader`` is `"embedded"`, `"model"` or an object that reads; ``tell(done, total, title)`` is called after each unit.
        """
        from narraworld.reading.read import in_order

        found = self.reading(*paths, reader=reader, tell=tell, on_failure=on_failure, branch=branch)
        return in_order(self.story, list(found), branch)

    def reading(
        self, *paths: Files, reader: ReaderChoice = "embedded", tell: Tell | None = None, on_failure: OnFailure = "stop", branch: str = "main",
    ) -> Iterator[UnitRead]:  # fmt: skip
        """The same, unit by unit as each is finished and committed."""
        from narraworld.reading.read import read_opened

        opened = _opened(paths, branch)
        return read_opened(self.story, opened, reader, tell=tell, on_failure=on_failure, branch=branch)

    def forecast(
        self, *paths: Files, model: str | None = None, plotlines: bool = True, small: bool = False, details: bool = False,
        branch: str = "main", as_: str | None = None,
    ) -> ReadingForecast:  # fmt: skip
        """What a model would be asked, and cost, to read these; asks and keeps nothing."""
        from narraworld.reading.forecast import forecast_of

        for_authors("forecast", as_)
        pieces = _opened(paths, branch).pieces
        return forecast_of(
            self.story, pieces, model=model, plotlines=plotlines, small=small, details=details, branch=branch
        )

    def watching(self, *paths: Files, branch: str = "main") -> AbstractContextManager[EditWatch]:
        """Around a reading: what chapters that had been read before brought and took away."""
        from narraworld.checking.edits import watching

        return watching(self.story, _opened(paths, branch).pieces, branch=branch)

    def commit(self, delta: Delta, *, branch: str = "main") -> Committed:
        """Validate a unit's delta and append what is accepted; refused records are returned, never repaired."""
        return self.story.commit(delta, branch=branch)

    def retract(self, unit: str, *, branch: str = "main") -> Entry:
        """Take a unit out; earlier revisions still have it."""
        return self.store.retract(unit, branch=branch)

    def import_(
        self, file: Path | str | Imported, *, branch: str = "main"
    ) -> tuple[list[Committed], tuple[RefusedStatement, ...]]:
        """Commit the units of a file that `export` wrote; shapes are checked as for any other reading.

        A unit that says already what the file says of it is left as it is, so that a second import changes nothing.
        """
        from narraworld.kb.quads import graph_of
        from narraworld.kb.rdf.exchange import Imported, read_export

        found = file if isinstance(file, Imported) else read_export(file)
        committed = [
            self.story.commit_graph(unit, graph_of(quads), branch, unless_same=True)
            for unit, quads in found.units
        ]
        return committed, found.refused

    def coverage(self, *, branch: str = "main") -> list[UnitCoverage]:
        """How much of each unit was understood, in the order of the telling."""
        from narraworld.reading.coverage import coverage_of

        return coverage_of(self.store, branch)

    def refusals(self, unit: str | None = None) -> list[KeptRefusal]:
        """What was read and not accepted, and why; of all units or of one."""
        from narraworld.reading.refusals import kept_refusals

        return kept_refusals(self.store, unit)

    # -- what does not fit, and the author's word on it

    def check(
        self, *paths: Files, select: Sequence[str] = (), ignore: Sequence[str] = (), rules: Sequence[Path] = (),
        least: Severity = "warning", since: int | str | None = None, baseline: Path | bool | None = None,
        judge: Judge | None = None, explain: bool = False, knows: bool = False,
        buffer: tuple[str, str | TextIO] | None = None, tell: Tell | None = None,
        situation: Situation = NOW, as_: str | None = None, forecast: Callable[[str], None] | None = None,
    ) -> Report:  # fmt: skip
        """What `narraworld check` does: read what changed, check, hear the author. An earlier ``situation`` reads nothing.

        ``select`` and ``ignore`` take numbers or their beginnings; ``buffer`` is a file's name and its unsaved text.
        ``judge`` alone asks a model; ``forecast`` is told before it does what that takes.
        """
        from narraworld.checking.checkup import CheckRequest, baseline_file, check_story

        for_authors("check", situation.eyes if as_ is None else as_)
        known = baseline_file(self.story) if baseline is True else baseline or None
        asked = CheckRequest(
            tuple(select), tuple(ignore), tuple(rules), least, revision_of(since), known, explain, knows,
            situation=situation,
        )  # fmt: skip
        opened = _opened(paths, situation.branch) if paths else None
        pieces, whole = (opened.pieces, opened.whole) if opened else (None, True)
        with self.story.turn:
            report = check_story(self.story, asked, pieces=pieces, whole=whole, buffer=buffer, tell=tell)
        if judge is None:
            return report
        from narraworld.checking.judge import judged

        return judged(self.story, report, None if judge == "model" else judge, there=situation, tell=forecast)

    def checks(self, number: str = "", *, rules: Sequence[Path] = ()) -> dict[str, RuleCard]:
        """What each check looks for, by number; ``number`` may be the beginning of one."""
        from narraworld.checking.check_world import rule_cards

        return {name: card for name, card in rule_cards(self.story, rules).items() if name.startswith(number)}

    # -- out

    def scope(self, situation: Situation = NOW, **parts: Unpack[SituationParts]) -> Scope:
        """The world as ``situation`` sees it; asked twice, it is the same object until something is committed."""
        return self.story.scope(situation_of(situation, parts), joined=True)

    def query(self, goal: str, situation: Situation = NOW, **parts: Unpack[SituationParts]) -> GoalAnswer:
        """Ask in rules: `mistaken(Who, P, Truth)`."""
        with self.story.turn:
            return self.scope(situation, **parts).query(goal)

    def why(self, goal: str, situation: Situation = NOW, **parts: Unpack[SituationParts]) -> Explanation:
        """Why a fact holds, or why not."""
        with self.story.turn:
            return self.scope(situation, **parts).why(goal)

    def views(self, situation: Situation = NOW, **parts: Unpack[SituationParts]) -> Views:
        """The world, minds, developments and possibilities."""
        with self.story.turn:
            return self.scope(situation, **parts).views()

    def knows(
        self, situation: Situation = NOW, *, who: Sequence[str] = (), **parts: Unpack[SituationParts]
    ) -> Matrix:
        """Characters against propositions; of ``who`` alone, where somebody is named."""
        with self.story.turn:
            return self.scope(situation, **parts).knows(who)

    def sheet(self, situation: Situation = NOW, **parts: Unpack[SituationParts]) -> StyleSheet:
        """The style sheet: people, time line, things, names and numbers with their words; no judgement."""
        from narraworld.reading.style_sheet import style_sheet

        there = situation_of(situation, parts)
        for_authors("sheet", there.eyes)
        with self.story.turn:
            return style_sheet(self.story, self.scope(there), there)

    def analyse(
        self, pack: str | Path, situation: Situation = NOW, *, engine: EngineName = "auto",
        **parts: Unpack[SituationParts],
    ) -> Analysis:  # fmt: skip
        """What a theory of narrative says: `world.analyse("genette").frame`; ``pack`` is a name or a folder of one's own."""
        from narraworld.checking.theories import analyse

        with self.story.turn:
            return analyse(self.story, pack, situation_of(situation, parts), engine)

    def preview(self, situation: Situation = NOW, **parts: Unpack[SituationParts]) -> Preview:
        """A compact look at memory: who there is, what is under way, how much lies where."""
        from narraworld.query.memory.preview import preview_of

        with self.story.turn:
            scope = self.scope(situation, **parts)
            return replace(scope.once(preview_of), read_as=scope.read_as)

    def context(
        self,
        request: str,
        situation: Situation = NOW,
        budget: int | None = None,
        *,
        passage: str = "",
        outline: str = "",
        switches: MemorySwitches | None = None,
        planner: Planner | None = None,
        mind: ChoosingMind | None = None,
        **parts: Unpack[SituationParts],
    ) -> MemoryContext:
        """Memory for the next passage, in at most ``budget`` tokens; passage and outline guide and are no evidence. A ``mind`` at hand
        says what the scene needs, and names the lines that tell it."""
        from narraworld.query.memory.context import memory_for
        from narraworld.query.memory.plan import Request

        there = situation_of(situation, parts)
        to, limit = there.recipient, DEFAULTS.memory.packing.budget if budget is None else budget
        with self.story.turn:
            scope = self.scope(there)
            author = replace(there, focalizer=None, teller=None)  # who is meant, met by the speaker or not
            spoken_to = self.scope(author).resolver.read(to, MINDS) if to and to != READER else None
            asked = Request(request, there.purpose, passage, outline, spoken_to.words if spoken_to else to)
            found = memory_for(asked, scope, limit, switches=switches, planner=planner, mind=mind)
        return replace(found, read_as=(*scope.read_as, *((spoken_to,) if spoken_to else ())))

    def ask(
        self,
        question: str,
        situation: Situation = NOW,
        *,
        switches: MemorySwitches | None = None,
        mind: MindAtHand | None = None,
        **parts: Unpack[SituationParts],
    ) -> Reply:
        """A question in English; the answer is derived, and the query it became is part of it. A ``mind`` at hand answers in words,
        which rest on lines that it was shown."""
        from narraworld.query.ask.answer import ask

        possibilities = switches is None or switches.possibilities
        with self.story.turn:
            scope = self.scope(situation, **parts)
            if mind is None:
                reply = ask(question, scope, possibilities=possibilities, parse=_parsed)
            else:  # what it takes to lay a question out is heavy
                from narraworld.query.ask.in_words.asking_in_words import ask_in_words

                reply = ask_in_words(question, scope, mind, possibilities=possibilities, parse=_parsed)
        return replace(reply, read_as=scope.read_as)

    def search(
        self,
        query: str,
        situation: Situation = NOW,
        *,
        limit: int = DEFAULTS.memory.found.listed,
        **parts: Unpack[SituationParts],
    ) -> list[FoundPassage]:
        """Sentences by words, phrases and fields: `speaker:Leo key*`."""
        from narraworld.query.memory.sentence_search import Finder

        with self.story.turn:
            return self.scope(situation, **parts).once(Finder).found(query, limit)

    def sparql(
        self, query: str, *, branch: str = "main", revision: int | None = None, seconds: float | None = None,
        as_: str | None = None,
    ) -> SparqlAnswer:  # fmt: skip
        """Ask the RDF of the base facts, read-only; ``seconds`` at most, by default the limit of the settings."""
        from narraworld.kb.rdf.sparql_process import sparql_apart

        for_authors("sparql", as_)
        limit = seconds or self.story.settings.limits.get("seconds", Limits().seconds)
        return sparql_apart(self.store, query, branch=branch, revision=revision, seconds=limit)

    def export(
        self, path: Path | str, *, branch: str = "main", revision: int | None = None, as_: str | None = None
    ) -> None:
        """Write the base facts to one file, in the format of its suffix; `.dl` is for Soufflé, `.canvas` for Obsidian."""
        for_authors("export", as_)
        if Path(path).suffix in (".dl", ".canvas"):
            self._export_apart(Path(path), Situation(branch=branch, revision=revision))
            return
        from narraworld.kb.rdf.exchange import export

        export(self.store.snapshot(revision, branch), path)

    # -- the resolver, for whoever builds a surface

    def moment(self, text: MomentText, *, branch: str = "main") -> Moment:
        """The moment that somebody means; `read_as` says how it was understood."""
        with self.story.turn:
            return moment_of(self.scope(branch=branch).engine, text)

    def name(self, text: str, *, kinds: frozenset[str] = ANY, branch: str = "main") -> Named:
        """What a text may name: one, or several candidates; `UnknownName` where it is nothing."""
        with self.story.turn:
            return self.scope(branch=branch).resolver.look_up(text, kinds)

    # -- history and branches

    def log(self, branch: str = "main") -> list[Entry]:
        """What was committed, oldest first."""
        return self.store.log(branch)

    def branch(self, name: str, *, parent: str = "main", revision: int | None = None) -> Branch:
        """A what-if that grows from ``parent`` and leaves it alone."""
        return self.store.new_branch(name, parent=parent, revision=revision)

    def branches(self) -> list[Branch]:
        """All what-ifs."""
        return self.store.branches()

    def delete_branch(self, name: str) -> None:
        """Forget a what-if, and how the texts were read that it alone had."""
        self.story.delete_branch(name)

    def diff(self, before: int, after: int, branch: str = "main", as_: str | None = None) -> Difference:
        """What the world, or one mind, gained and lost between two revisions."""
        from narraworld.query.difference import difference

        edits = self.store.diff(self.store.snapshot(before, branch), self.store.snapshot(after, branch))
        units = (*edits.added, *edits.changed, *edits.removed)
        with self.story.turn:
            old, new = (self.scope(revision=one, branch=branch, as_=as_) for one in (before, after))
            return difference(old, new, units)

    def compare(self, branch: str, other: str, as_: str | None = None) -> Difference:
        """How the world on ``other``, or one mind there, differs from that on ``branch``."""
        from narraworld.query.difference import difference

        with self.story.turn:
            return difference(self.scope(branch=branch, as_=as_), self.scope(branch=other, as_=as_))


def _opened(paths: Sequence[Files], branch: str) -> OpenedFiles:
    """Files as they were handed in, or opened now."""
    from narraworld.reading.read import OpenedFiles, open_files

    given = next((path for path in paths if isinstance(path, OpenedFiles)), None)
    return given or open_files([path for path in paths if not isinstance(path, OpenedFiles)], branch=branch)


def _parsed(texts: Sequence[str], names: frozenset[str]) -> list[list[ParsedWord]]:
    """The reader's own parser; loaded for a question that nothing else answers."""
    from narraworld.reading.with_embedded import parsed

    return parsed(texts, names)
