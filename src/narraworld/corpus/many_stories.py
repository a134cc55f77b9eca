"""A corpus that was read: asked, checked and analysed all stories at once, over its Parquet files and out of core.

The rules are those of a world, lifted: the same text derives every story, and each row says whose it is. Rules about each story and
rules across stories may be added. Writes nothing but scratch files of its own, which go when it is closed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from narraworld.base.settings import BulkSettings
from narraworld.corpus.buckets import BucketRead, StoryRead, read_whole_buckets
from narraworld.corpus.errors import BadCorpus
from narraworld.corpus.shared_rules import checking_setup, corpus_setup
from narraworld.query.checks.gather import wanted
from narraworld.rules.engines.duckdb import DuckEngine
from narraworld.rules.errors import RuleError
from narraworld.rules.language.goal import parse_query, with_answer
from narraworld.rules.language.ir import Atom, Facts, Program, Row, Var
from narraworld.rules.language.lifting import (
    declarations,
    lift,
    lifted_relations,
    pairs_stories,
    with_rules_across,
)
from narraworld.rules.language.program import load_program, read_source
from narraworld.rules.language.surface.syntax import ANSWER, parse
from narraworld.rules.living.cut import same_for_all
from narraworld.rules.living.living_world import WorldSetup
from narraworld.rules.packs.pack import FORMALISMS, pack_names

__all__ = ["Corpus", "CorpusAnswer", "CorpusFinding", "rule_files"]

SETTINGS = BulkSettings()


@dataclass(frozen=True, slots=True)
class CorpusAnswer:
    """Rows for the columns of what was asked; the first column is the story unless the rules looked across stories."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class CorpusFinding:
    """What a check says of one story: the rule, and the words of the two records it is about."""

    story: str
    rule: str
    severity: str
    title: str
    about: str
    first: str
    second: str


class Corpus:
    """The stories that were read into a folder; ``rules`` hold in each of them, ``across`` look at several."""

    def __init__(self, folder: Path, *, rules: Sequence[Path] = (), across: Sequence[Path] = ()) -> None:
        self.folder, self._rules, self._across = folder, tuple(rule_files(rules)), tuple(rule_files(across))
        self.buckets = read_whole_buckets(folder)
        if not self.buckets:
            raise BadCorpus(
                "holds no corpus",
                where=str(folder),
                fix="make one with: narraworld corpus read DIR --into CORPUS",
            )
        self._setup: WorldSetup = corpus_setup(self._rules)
        self._same = same_for_all(self._setup.program)

    @property
    def stories(self) -> list[StoryRead]:
        """What became of each story when it was read."""
        return [story for _, bucket in self.buckets for story in bucket.stories]

    # -- asking

    def query(self, text: str) -> CorpusAnswer:
        """A goal or conditions as one asks them of a world, answered for every story; or, where they say the story
        themselves, across stories."""
        try:
            return self._per_story(text)
        except RuleError as refused:
            try:
                return self._across_stories(text)
            except RuleError:
                raise refused from None

    def _per_story(self, text: str) -> CorpusAnswer:
        rule = parse_query(text, self._setup.program)
        asked = with_answer(self._setup.program, rule)
        if asked.relations[ANSWER].on_demand:
            raise BadCorpus(
                "asks for what is derived on demand, which a corpus cannot",
                fix="ask one story: narraworld query",
            )
        columns = tuple(term.name for term in rule.head.args if isinstance(term, Var))
        lifted = lift(
            replace(asked, given=self._setup.program.given, home=self._setup.program.home), self._same
        )
        if ANSWER not in lifted_relations(asked, self._same):
            return CorpusAnswer(columns or ("yes",), tuple(self._rows(lifted, ANSWER)))
        found = self._rows(lifted, ANSWER)
        return CorpusAnswer(("story", *columns), tuple(found if columns else (row[:1] for row in found)))

    def _across_stories(self, text: str) -> CorpusAnswer:
        program = self._program()
        rule = parse_query(text, program)
        asked = replace(with_answer(program, rule), given=program.given, home=program.home)
        columns = tuple(term.name for term in rule.head.args if isinstance(term, Var))
        return CorpusAnswer(columns or ("yes",), tuple(self._rows(asked, ANSWER)))

    # -- checking

    def check(self, select: Sequence[str] = (), ignore: Sequence[str] = ()) -> list[CorpusFinding]:
        """What does not fit in each story, by the shipped checks and by ``finding`` rules about each story."""
        program = checking_setup(self._rules).program
        with self._engine(lift(program, same_for_all(program))) as engine:
            cards = {str(row[0]): row for row in _every(engine, "check")}
            raised = [row for row in _every(engine, "finding") if wanted(str(row[1]), select, ignore)]
            quotes = self._quotes(engine) if raised else {}
        return [_finding(row, cards, quotes) for row in raised if str(row[1]) in cards]

    def _quotes(self, engine: DuckEngine) -> dict[tuple[str, str], str]:
        """The first words that each record of each story rests on."""
        texts = {(str(story), str(span)): str(text) for story, span, text in _every(engine, "quote")}
        found: dict[tuple[str, str], str] = {}
        for story, record, span in _every(engine, "evidence"):
            found.setdefault((str(story), str(record)), texts.get((str(story), str(span)), ""))
        return found

    # -- analysing

    def analyse(self) -> dict[str, CorpusAnswer]:
        """All rows of every relation that the rules given for each story and across stories declare."""
        program = self._program()
        shipped = corpus_setup().program.relations.keys()
        own = [
            one for one in program.relations.values()
            if one.name not in shipped and not (one.base or one.auxiliary or one.on_demand or "__" in one.name)
        ]  # fmt: skip
        if not own:
            raise BadCorpus(
                "no rule file declares a relation of its own", fix="narraworld corpus analyse my.dl"
            )
        with self._engine(program) as engine:
            return {
                one.name: CorpusAnswer(
                    tuple(column.name for column in one.columns), tuple(_every(engine, one.name))
                )
                for one in own
            }

    def products(self) -> list[str]:
        """Where a rule across stories would pair every story with every other."""
        lifted = lifted_relations(self._setup.program, self._same)
        return [
            str(rule.place)
            for rule in pairs_stories(self._program(), lifted)
            if rule.place.file in map(str, self._across)
        ]

    # -- the engine

    def _program(self) -> Program:
        lifted = lift(self._setup.program, self._same)
        if not self._across:
            return lifted
        sources = [parse(declarations(lifted), "the corpus"), *map(read_source, self._across)]
        return with_rules_across(lifted, load_program(sources))

    def _rows(self, program: Program, relation: str) -> list[Row]:
        with self._engine(program) as engine:
            return _every(engine, relation)

    @contextmanager
    def _engine(self, program: Program) -> Iterator[DuckEngine]:
        """An engine that looks at the buckets where they lie, and spills into a folder that goes with it."""
        limits = replace(self._setup.limits, facts=self._setup.limits.facts * max(1, len(self.stories)))
        with (
            tempfile.TemporaryDirectory(prefix=".derived-", dir=self.folder) as scratch,
            closing(DuckEngine(program, limits, folder=Path(scratch), settings=SETTINGS)) as engine,
        ):
            engine.look_at(_files(program, self.buckets), self._given(program))
            yield engine

    def _given(self, program: Program) -> Facts:
        """What holds in every story: switches, thresholds, and what words mean."""
        return {
            name: rows for name, rows in self._setup.settings_rows.items()
            if name in self._same and name in program.relations
        }  # fmt: skip


def rule_files(paths: Iterable[Path]) -> Iterator[Path]:
    """Rule files as they are given: a file, a folder whose `.dl` files are meant, or the name of a shipped theory."""
    for given in paths:
        shipped = not given.exists() and str(given) in pack_names()
        path = FORMALISMS / given if shipped else given
        inside = sorted(path.glob("*.dl")) if path.is_dir() else [path]
        if not inside:
            raise BadCorpus("this folder holds no .dl file", where=str(path))
        yield from inside


def _files(program: Program, buckets: Sequence[tuple[Path, BucketRead]]) -> dict[str, list[Path]]:
    """The Parquet files of each base relation that has rows anywhere; under its home where a rule file adds rows."""
    found: dict[str, list[Path]] = {}
    for place, _ in buckets:
        for path in sorted(place.glob("*.parquet")):
            name = program.home.get(path.stem, path.stem)
            if name in program.relations:
                found.setdefault(name, []).append(path)
    return found


def _every(engine: DuckEngine, relation: str) -> list[Row]:
    width = engine.program.relations[relation].arity
    return engine.ask(Atom(relation, tuple(Var(f"V{place}") for place in range(width))))


def _finding(row: Row, cards: dict[str, Row], quotes: dict[tuple[str, str], str]) -> CorpusFinding:
    story, rule, first, second, about = map(str, row)
    _, severity, title, *_ = cards[rule]
    words = (" ".join(quotes.get((story, record), "").split()) for record in (first, second))
    return CorpusFinding(story, rule, str(severity), str(title), about, *words)
