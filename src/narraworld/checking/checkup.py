"""A check from the files to the report, in order: read what changed, check, hear the author, tell.

    files → units that changed → `checking` → waivers, remarks, baseline → Report

The manuscript is never written to. An unsaved buffer is checked on a what-if that is forgotten afterwards.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, TextIO

from narraworld.query.checks.baseline import FILE as BASELINE
from narraworld.query.checks.baseline import read_baseline
from narraworld.query.checks.decisions import FILE as DECISIONS
from narraworld.query.checks.decisions import Decisions, read_decisions
from narraworld.query.checks.findings import Checked, Severity
from narraworld.query.checks.report import Report
from narraworld.query.checks.sifting import AuthorsAnswer, answered, at_least, concerning, lost_since, without
from narraworld.query.situation import Situation

if TYPE_CHECKING:
    from narraworld.extract.sources import Piece
    from narraworld.world import World

__all__ = [
    "CheckRequest", "FilesAtHand", "baseline_file", "decisions_file", "examine", "hear", "manuscript_of", "read_changed",
    "sources_of", "what_if", "with_buffer", "with_remarks",
]  # fmt: skip

Tell = Callable[[str], None]
OURS = b"narraworld"
PROJECTS = {".nwd": "*.nwx"}  # documents that are only read as part of a project file


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """What of a check is wanted."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    rules: tuple[Path, ...] = ()
    least: Severity = "warning"
    since: int | None = None
    baseline: Path | None = None
    explain: bool = False
    knows: bool = False
    units: frozenset[str] = frozenset()  # told only where one of these has a part in it; none means all
    branch: str = "main"


@dataclass(frozen=True, slots=True)
class FilesAtHand:
    """The pieces of the files at hand, and what is wrong with the files."""

    pieces: tuple[Piece, ...] = ()
    troubles: tuple[str, ...] = ()


NO_FILES = FilesAtHand()


def decisions_file(world: World) -> Path:
    return world.store.root / DECISIONS


def baseline_file(world: World) -> Path:
    return world.store.root / BASELINE


# -- in: files, and what changed in them


def sources_of(where: Path, names: Sequence[str]) -> list[Piece] | None:
    """The files named, or the whole folder where there is no world yet; read before a world is made for them."""
    from narraworld.extract.sources import read_sources
    from narraworld.kb.journal.store import FOLDER

    if names:
        return read_sources(names)
    return None if (where / FOLDER).is_dir() else read_sources([where], root=where)


def manuscript_of(
    world: World, pieces: Sequence[Piece] | None = None, *, branch: str = "main"
) -> FilesAtHand:
    """These pieces at their places in the telling; without any, those of the files the world was read from."""
    from narraworld.extract.sources import read_sources
    from narraworld.reading.with_model import in_place

    troubles: tuple[str, ...] = ()
    if pieces is None:
        known, troubles = _known_files(world, branch)
        pieces = read_sources(known, root=world.path) if known else []
    return FilesAtHand(tuple(in_place(world, pieces, branch=branch)), troubles)


def with_buffer(world: World, stdin: TextIO, name: str, *, branch: str) -> tuple[FilesAtHand, set[str]]:
    """The manuscript with a text from an editor in place of its file, and the units of that text."""
    from narraworld.extract.sources import read_sources
    from narraworld.reading.with_model import in_place

    file = Path(name)
    shown = (
        file.resolve().relative_to(world.path.resolve())
        if file.resolve().is_relative_to(world.path.resolve())
        else file
    )
    known, troubles = _known_files(world, branch)
    pieces = read_sources([*known, "-"], stdin=stdin, stdin_name=shown.as_posix(), root=world.path)
    units = {piece.unit.id for piece in pieces if shown.as_posix() in piece.places.files}
    return FilesAtHand(tuple(in_place(world, pieces, branch=branch)), troubles), units


def with_remarks(world: World, *, branch: str = "main") -> FilesAtHand:
    """The whole manuscript where any file of it speaks to us; files are parsed together, because names depend on it."""
    files, _ = _known_files(world, branch)
    spoken = any(OURS in Path(name).read_bytes() for name in files if Path(name).is_file())
    return manuscript_of(world, branch=branch) if spoken else FilesAtHand()


def _known_files(world: World, branch: str) -> tuple[list[str], tuple[str, ...]]:
    """The files the world's units came from, and a word on those that are gone; files of records are read by `read`."""
    from narraworld.extract.sources import READERS

    sources = dict(_sources(world, branch))
    if not sources and not world.store.snapshot(branch=branch).entries:
        return [str(world.path)], ()
    found, troubles = dict[str, None](), list[str]()
    for unit, source in sources.items():
        suffix = PurePath(source).suffix.lower()
        here = [path for path in (Path(source), world.path / source) if path.is_file()]
        projects = sorted(world.path.glob(PROJECTS[suffix])) if suffix in PROJECTS else []
        if suffix in READERS and (projects or here):
            found |= dict.fromkeys(map(str, projects or here[:1]))
        elif suffix in READERS:
            troubles.append(f"{source} is gone, and {unit} is still in the world: narraworld retract {unit}")
    return list(found), tuple(troubles)


def _sources(world: World, branch: str) -> Iterator[tuple[str, str]]:
    for entry in world.store.snapshot(branch=branch).entries:
        if source := world.store.of_unit(entry, "source"):
            yield entry.unit, source


def read_changed(world: World, manuscript: FilesAtHand, *, branch: str = "main", tell: Tell) -> None:
    """Read the units whose words are new, with the embedded reader; it is not even loaded when none are."""
    from narraworld.reading.with_model import unchanged

    changed = [piece for piece in manuscript.pieces if unchanged(world, piece, branch) is None]
    if not changed:
        return
    from narraworld.reading.with_embedded import read_embedded

    for one in read_embedded(world, changed, branch=branch):
        revision = one.reading.entry.revision if one.reading and one.reading.entry else None
        tell(f"read {one.unit}" + (f" (r{revision})" if revision else f": {one.why or 'not committed'}"))


@contextmanager
def what_if(world: World, parent: str = "main") -> Iterator[str]:
    """A branch for a text nobody saved; gone when its check is."""
    name = f"unsaved-{os.getpid()}"
    world.branch(name, parent=parent)
    try:
        yield name
    finally:
        for one in world.beside.values():
            one.close()
        world.delete_branch(name)


# -- the author's word


def hear(world: World, *, branch: str = "main") -> tuple[Decisions, tuple[str, ...]]:
    """The author's decisions; those about the world are committed where they changed. What is refused is told each time."""
    from narraworld.query.checks.author_facts import UNIT, authors_word
    from narraworld.reading.with_model import keep_refusals, kept_refusals

    decisions = read_decisions(decisions_file(world))
    delta = authors_word(decisions, branch=branch)
    known = world.store.snapshot(branch=branch).find(UNIT)
    if delta is None:
        if known:
            world.retract(UNIT, branch=branch)
            keep_refusals(world, UNIT, ())
        return decisions, ()
    if known is None or world.store.text(known) != delta.unit.text:
        keep_refusals(world, UNIT, world.commit(delta, branch=branch).refusals)
    refused = [one for one in kept_refusals(world.store.root) if one.unit == UNIT]
    return decisions, tuple(
        f"{DECISIONS}: {one.message}" + (f" ({one.value})" if one.value else "") for one in refused
    )


def _remarks(pieces: Iterable[Piece]) -> tuple[list[AuthorsAnswer], list[str]]:
    from narraworld.query.checks.remarks import Comment, remarks_in

    answers, troubles = list[AuthorsAnswer](), list[str]()
    for piece in pieces:
        comments = [
            Comment(note.value, note.start, str(piece.places.at(note.start)))
            for note in piece.notes
            if note.kind == "comment"
        ]
        remarks, unclear = remarks_in(piece.unit.id, piece.unit.text, comments)
        answers += [remark.answer() for remark in remarks]
        troubles += unclear
    return answers, troubles


# -- the check


def examine(world: World, asked: CheckRequest, manuscript: FilesAtHand = NO_FILES) -> Report:
    """What a check finds and what the author has said of it, ready to be told."""
    from narraworld import __version__

    decisions, refused = hear(world, branch=asked.branch)
    remarks, unclear = _remarks(manuscript.pieces)
    answers = [*decisions.answers(), *remarks]
    checked = decisions.directed(answered(_checked(world, asked), answers))
    if asked.units:
        checked = concerning(checked, asked.units)
    report = Report(checked, _title(world), _chapters(world, asked), since=asked.since, version=__version__)
    report = _only_new(world, asked, report, answers)
    told, quiet = at_least(report.checked, asked.least)
    damage = [f"left out: {trouble}" for trouble in world.damage]
    return replace(
        report,
        checked=told,
        quiet=quiet,
        errors=(*manuscript.troubles, *refused, *unclear, *damage),
        proofs=_proofs(world, asked, told) if asked.explain else {},
        knows=world.knows(Situation(branch=asked.branch)) if asked.knows else None,
    )


def _checked(world: World, asked: CheckRequest, revision: int | None = None) -> Checked:
    from narraworld.checking.check_world import check_world

    situation = Situation(revision=revision, branch=asked.branch)
    return check_world(
        world, situation=situation, select=asked.select, ignore=asked.ignore, rules=asked.rules
    )


def _only_new(world: World, asked: CheckRequest, report: Report, answers: Sequence[AuthorsAnswer]) -> Report:
    checked, known, lost = report.checked, 0, report.lost
    if asked.since is not None:
        before = answered(_checked(world, asked, asked.since), answers)
        lost = lost_since(checked, before)
        checked, _ = without(checked, {each.key for one in before.findings for each in one.each()})
    if asked.baseline is not None:
        checked, known = without(checked, read_baseline(asked.baseline))
    return replace(report, checked=checked, known=known, lost=lost)


def _proofs(world: World, asked: CheckRequest, checked: Checked) -> dict[str, str]:
    from narraworld.checking.check_world import checks_scope
    from narraworld.rules.proofs.prose import as_prose

    scope = checks_scope(world, Situation(branch=asked.branch), asked.rules)
    proofs = {}
    for finding in checked.findings:
        found = scope.why(finding.goal).proofs
        if found:
            proofs[finding.key] = as_prose(found[0], scope.names, scope.quotes)
    return proofs


def _title(world: World) -> str:
    return world.path.resolve().name


def _chapters(world: World, asked: CheckRequest) -> dict[str, str]:
    """Titles by unit in the order of the telling, from the tables that the check has opened anyway."""
    from narraworld.checking.check_world import checks_scope
    from narraworld.query.names import rows

    engine = checks_scope(world, Situation(branch=asked.branch), asked.rules).engine
    titles = {str(unit): str(title) for unit, title in rows(engine, "titled")}
    units = sorted((int(order), str(unit)) for unit, order in rows(engine, "unit"))
    return {unit: titles.get(unit, unit) for _, unit in units}
