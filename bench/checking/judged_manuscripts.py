"""The model track of planted errors: manuscripts that a model has read, replayed from recordings, and judged.

Of a manuscript NAME, `NAME.jsonl` is the reading of the broken twin and `NAME.clean.jsonl` that of the clean one; `NAME.judge.jsonl` has the
judge's answers, `NAME.verdicts.json` its verdicts by words, which hold where rules have changed since. `model_rules`: errors found by rules alone;
`model_judged`: by rules that the judge does not contradict, and by what the judge calls contradictions; `model_precision`: right ones among these, over all twins that were read.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.checking.checked import SHOWN
from bench.checking.manuscripts import Told, Twin, checked_twin, share, tell_findings, tell_misses, told_of
from bench.frame import Figures, MissingDataError, show
from narraworld.extract.sources import Piece, read_sources
from narraworld.models.recordings import CarriedOver, Replay, recorded_answers
from narraworld.query.checks.findings import Finding, RuleCard
from narraworld.query.checks.nominated import BY_READER, Nominated, contradictions
from narraworld.query.checks.report import Report
from narraworld.reading.with_model import ReadingSettings, read_with_model
from narraworld.world import World

__all__ = ["judged_twin", "model_figures"]

SUFFIX = {"broken": "", "clean": ".clean"}
LEVELS = ("direct", "inferred")
NO = "no contradiction"


def model_figures(folders: Sequence[Path], recordings: Path, *, misses: bool = False) -> Figures:
    """The figures of all manuscripts of which there is a recording."""
    jobs = [
        (folder, twin)
        for folder in folders
        for twin in SUFFIX
        if _file(recordings, folder, twin, ".jsonl").is_file()
    ]
    if not jobs:
        raise MissingDataError(f"no recording of a manuscript in {recordings}: NAME.jsonl")
    by_rules, judged = zip(*(judged_twin(folder, twin, recordings) for folder, twin in jobs), strict=True)
    tell_findings(judged)
    if misses:
        tell_misses(judged)
    _show(by_rules, judged)
    return _figures(by_rules, judged)


def _file(recordings: Path, folder: Path, twin: str, kind: str) -> Path:
    return recordings / f"{folder.name}{SUFFIX[twin]}{kind}"


def judged_twin(folder: Path, twin: str, recordings: Path) -> tuple[Twin, Twin]:
    """One twin by rules alone, and with what the judge said."""
    with TemporaryDirectory() as where, World.open(where, create=True) as world:
        pieces = read_sources([str(folder / twin)])
        asyncio.run(_replayed(world, pieces, _file(recordings, folder, twin, ".jsonl")))
        by_rules = checked_twin(world, folder, twin, pieces)
        report = _judged(world, _file(recordings, folder, twin, ""))
        nominated = [one for one in report.nominated if one.by == BY_READER]
        hit = {
            one.id
            for one in by_rules.planted
            if any(one.is_met_by(told.each[0]) for told in map(_told, nominated))
        }
        print(
            f"{folder.name}/{twin}: {len(nominated)} nominated by the reader, on {len(hit)} planted; troubles: {len(report.errors)}"
        )
        return by_rules, replace(by_rules, found=list(_standing(report)), notes=[])


async def _replayed(world: World, pieces: Sequence[Piece], file: Path) -> None:
    """As the recording was made, carried over where a guard or rule has changed a list since; a unit that it does not hold whole is named."""
    details = any(one.prompt == "details" for one in recorded_answers(file))
    plotlines = 0 if any(one.prompt == "plotlines" for one in recorded_answers(file)) else None
    settings = ReadingSettings(details=details, plotlines_every=plotlines)
    asks = CarriedOver(file, Replay(file))
    async for one in read_with_model(world.story, pieces, asks, on_failure="go-on", settings=settings):
        if one.outcome == "failed":
            print(f"{file.name}: {one.unit} was not read: {one.why}")


def _judged(world: World, stem: Path) -> Report:
    """The check with the verdicts that there are; without any, as it is."""
    verdicts, answers = Path(f"{stem}.verdicts.json"), Path(f"{stem}.judge.jsonl")
    if verdicts.is_file():
        shutil.copyfile(verdicts, world.store.root / "verdicts.json")
    if not answers.is_file():
        answers = world.store.root / "no-answers.jsonl"  # then what has no verdict stays undecided
        answers.touch()
    return world.check(judge=Replay(answers, "judge") if not answers.stat().st_size else Replay(answers))


def _standing(report: Report) -> Iterator[Told]:
    """What is told at default severity: findings but those that the judge denies, and what it calls contradictions."""
    for one in report.findings:
        if one.rule.severity in SHOWN and not (one.judged or "").startswith(NO):
            yield told_of(one)
    yield from map(_told, contradictions(report.nominated))


def _told(one: Nominated) -> Told:
    card = RuleCard("judge", "warning", one.kind, one.kind, "judge")
    return told_of(Finding(one.key, card, f"{one.why} ({one.by}) {one.judged or ''}", one.passages, (), ""))


def _figures(by_rules: Sequence[Twin], judged: Sequence[Twin]) -> Figures:
    broken = [one for one in by_rules if one.twin == "broken"]
    errors = sum(one.level in LEVELS for twin in broken for one in twin.planted)
    return {
        "model_rules": share(_found(by_rules), errors),
        "model_judged": share(_found(judged), errors),
        "model_precision": _precision(judged),
        "model_rules_precision": _precision(by_rules),
        "model_traps": len({one for twin in judged for one in twin.met("trap", twin.found)}),
        "model_errors": errors,
        "model_twins": len(judged),
    }


def _found(twins: Sequence[Twin]) -> int:
    return sum(
        len(twin.met(level, twin.found)) for twin in twins if twin.twin == "broken" for level in LEVELS
    )


def _precision(twins: Sequence[Twin]) -> float | None:
    told = [twin.is_right(one) for twin in twins for one in twin.found]
    return share(sum(told), len(told))


def _show(by_rules: Sequence[Twin], judged: Sequence[Twin]) -> None:
    rows = [
        (
            one.name,
            one.twin,
            _found([one]),
            len(one.found),
            _found([two]),
            len(two.found),
            sum(map(two.is_right, two.found)),
        )
        for one, two in zip(by_rules, judged, strict=True)
    ]
    columns = ("manuscript", "twin", "by rules", "findings", "judged", "told", "right")
    show("Planted errors, read by a model", columns, rows)
