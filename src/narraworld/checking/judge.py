"""A judge for what no rule decides: `check --judge`.

What the reader nominated, what rules only nominate or note, and where the style sheet has two values (`pairs`) goes to a model in small
batches (`batches`): the passages with a sentence around them, their order, the reason and the proof. The verdict is kept beside the journal
as a record of its own, with the model's name, its reason and the matter, and shown apart from what rules decide: it never removes a finding, and it
is never asked twice about the same words. Where no usable verdict comes, the pair stays undecided and the report says why. Whoever
answers is handed in; without one the model of the environment is asked.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from narraworld.base.atomic_files import write_whole
from narraworld.base.errors import NarraWorldError
from narraworld.checking.batches import (
    Batch,
    Judgements,
    PairJudgement,
    Showing,
    batches_of,
    forecast_of_judge,
)
from narraworld.checking.pairs import pairs_of
from narraworld.extract.model.port import ModelFailed, StillOpen
from narraworld.models.faults import NoGoodAnswer
from narraworld.models.recordings import UnheardQuestion
from narraworld.query.situation import NOW, Situation

if TYPE_CHECKING:
    from narraworld.extract.model.port import Asks
    from narraworld.models.session import ModelSession
    from narraworld.project.opened import OpenStory
    from narraworld.query.checks.findings import Finding
    from narraworld.query.checks.nominated import Nominated
    from narraworld.query.checks.report import Report

__all__ = ["JudgeVerdict", "judge_pairs", "judged", "kept_verdicts"]

FILE = "verdicts.json"
Judged = tuple[
    dict[str, "JudgeVerdict"], tuple[str, ...]
]  # verdicts by key, and what kept others from being judged


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """A judgement that was kept: about which pair, whose, what, and why; the matter, who raised it, and the words it was about."""

    key: str
    model: str
    verdict: str
    reason: str
    kind: str = ""
    by: str = ""
    quotes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.verdict} ({self.model}): {self.reason}"


def judged(
    story: OpenStory,
    report: Report,
    asks: Asks | ModelSession | None = None,
    *,
    there: Situation = NOW,
    tell: Callable[[str], None] | None = None,
) -> Report:
    """The report with a verdict on whatever no rule decides; without ``asks``, by the environment's model.

    ``tell`` is told, before anything is asked, how many questions and tokens that will take.
    """
    pairs, troubles = pairs_of(story, report, there), tuple[str, ...]()
    kept = _known(pairs, kept_verdicts(story.store.root))
    batches = batches_of([one for one in pairs if one.key not in kept], _showing(story, report, there))
    if batches:
        if tell is not None:
            tell(str(forecast_of_judge(batches)))
        fresh, troubles = asyncio.run(_asked(story, batches, asks))
        kept |= fresh
    findings = tuple(_with(one, kept) for one in report.findings)
    found = {one.key for one in findings}
    return replace(
        report,
        checked=replace(report.checked, findings=findings),
        nominated=tuple(_with_verdict(one, kept) for one in pairs if one.key not in found),
        errors=(*report.errors, *troubles),
    )


def _showing(story: OpenStory, report: Report, there: Situation) -> Showing:
    snapshot = story.store.snapshot(there.revision, there.branch)
    texts = {entry.unit: story.store.text(entry) for entry in snapshot.entries}
    return Showing(texts, dict(report.chapters))


async def _asked(story: OpenStory, batches: Sequence[Batch], asks: Asks | ModelSession | None) -> Judged:
    async with _answering(story, asks) as model:
        return await judge_pairs(story.store.root, batches, model)


@asynccontextmanager
async def _answering(story: OpenStory, asks: Asks | ModelSession | None) -> AsyncIterator[Asks]:
    """Whoever answers: a session, somebody handed in, the relay, or the model of the environment, closed afterwards."""
    from narraworld.models.environment import ModelSettings
    from narraworld.models.openai import OpenAIModel
    from narraworld.models.session import ModelSession
    from narraworld.relay.desk import answers_instead

    if isinstance(asks, ModelSession):
        async with asks as answering:
            yield answering
        return
    by_relay = answers_instead(story.store.root, os.environ.get("NARRAWORLD_MODEL"))
    model = asks or by_relay or OpenAIModel(ModelSettings.from_environment(limits=story.settings.model))
    try:
        yield model
    finally:
        close = getattr(model, "aclose", None)
        if close is not None:
            await close()


async def judge_pairs(root: Path, batches: Iterable[Batch], model: Asks) -> Judged:
    """Verdicts by key, each kept at once, and why there is none, in one message for each batch.

    After an answer that does not fit the next batch is asked; a model that cannot be reached is not asked again. Where somebody
    will answer later every batch is laid out before this is said.
    """
    kept, troubles, waiting = kept_verdicts(root), list[str](), list[StillOpen]()
    for batch in batches:
        try:
            told = await model.ask(batch.prompt, Judgements)
        except StillOpen as one:
            waiting.append(one)
            continue
        except ModelFailed as failure:
            troubles.append(f"{batch.named} not judged: {failure.what}")
            if isinstance(failure, NoGoodAnswer | UnheardQuestion):
                continue
            break
        verdicts = _verdicts(batch, told.answer, model.model)
        kept |= verdicts
        _keep(root, kept)
        troubles += [
            f"{one.by}: {one.why} was not judged: the answer leaves it out"
            for one in batch.pairs
            if one.key not in verdicts
        ]
    if waiting:
        raise waiting[0]
    return kept, tuple(troubles)


def _verdicts(batch: Batch, answer: Judgements, model: str) -> dict[str, JudgeVerdict]:
    """By key; a number that no pair has is passed over."""
    numbers = range(1, len(batch.pairs) + 1)
    said = [(batch.pairs[one.pair - 1], one) for one in answer.judgements if one.pair in numbers]
    return {pair.key: _verdict(pair, one, model) for pair, one in said}


def _verdict(pair: Nominated, said: PairJudgement, model: str) -> JudgeVerdict:
    quotes = tuple(passage.quote for passage in pair.passages)
    return JudgeVerdict(pair.key, model, said.verdict, said.reason, said.kind or pair.kind, pair.by, quotes)


# -- what was judged


def kept_verdicts(root: Path) -> dict[str, JudgeVerdict]:
    """What was judged so far, by key of the finding or the pair."""
    path = root / FILE
    if not path.is_file():
        return {}
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        return {one["key"]: JudgeVerdict(**one | {"quotes": tuple(one.get("quotes", ()))}) for one in said}
    except (ValueError, KeyError, TypeError) as error:
        fix = "restore it from a copy, or delete it: the model is then asked again"
        raise NarraWorldError("is not a list of verdicts", where=str(path), fix=fix) from error


def _keep(root: Path, verdicts: Mapping[str, JudgeVerdict]) -> None:
    said = [asdict(verdicts[key]) for key in sorted(verdicts)]
    write_whole(root / FILE, json.dumps(said, ensure_ascii=False, indent=1))


def _known(pairs: Iterable[Nominated], kept: Mapping[str, JudgeVerdict]) -> dict[str, JudgeVerdict]:
    """The verdicts by key, also of pairs whose words were judged when another raised them."""
    by_words = {tuple(sorted(one.quotes)): one for one in kept.values() if one.quotes}
    words = {one.key: tuple(sorted(passage.quote for passage in one.passages)) for one in pairs}
    return {key: by_words[said] for key, said in words.items() if said in by_words} | dict(kept)


def _with_verdict(one: Nominated, kept: Mapping[str, JudgeVerdict]) -> Nominated:
    verdict = kept.get(one.key)
    if verdict is None:
        return one
    return replace(one, kind=verdict.kind or one.kind, verdict=verdict.verdict, judged=str(verdict))


def _with(one: Finding, kept: Mapping[str, JudgeVerdict]) -> Finding:
    verdict = kept.get(one.key)
    return replace(one, judged=str(verdict)) if verdict else one
