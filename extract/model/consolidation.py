"""From scenes to plotlines and plots: what a model makes of committed scenes, if every connection holds.

The caller proposes candidates (the rules find them: a development or a changing state that runs through linked scenes) with
the lines of each scene. A plotline is kept only if each connection rests on lines of two different scenes, in order, if its
connections join all its scenes, and if its summary names nothing the lines do not have. One that fails is refused whole: no
summary and no connection is kept, and the records below stay as they are. Hypothetical records have no place here; the caller leaves them out.

A plotline quotes spans of the units its scenes lie in, so it needs no text of its own. Speaks to a model only through
`asking`; touches no store.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Literal

from pydantic import Field

from narraworld.base.settings import ConsolidationSettings
from narraworld.extract.model.forms import Strict
from narraworld.extract.model.guards import unsupported_words
from narraworld.extract.model.port import Asks, ModelFailed, Usage
from narraworld.extract.model.prompts.templates import fill
from narraworld.extract.model.schema import DevelopmentKind, Uncertainty
from narraworld.extract.model.stages import Questioning
from narraworld.kb.delta import Delta
from narraworld.kb.plotlines import PLOTLINES, Candidate, SceneLine
from narraworld.kb.units import MAIN, Unit
from narraworld.ontology.validate import Refusal

__all__ = [
    "Connection", "Consolidated", "ConsolidationSettings", "PlotlineItem", "PlotlinesAnswer", "consolidate",
    "plotline_unit",
]  # fmt: skip

INFERRED = "modelInference"
LONGEST_SUMMARY = 1_200


class Connection(Strict):
    """How lines of a later scene follow from lines of an earlier one."""

    relation: Literal["progression", "setback", "cause", "reversal", "revelation", "payoff", "resolution"]
    earlier: list[int]
    later: list[int]


class PlotlineItem(Strict):
    """One candidate that the model holds to be a plotline."""

    candidate: int
    is_a: DevelopmentKind
    connections: list[Connection]
    summary: str
    uncertainty: Uncertainty = "medium"


class PlotlinesAnswer(Strict):
    plotlines: list[PlotlineItem] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Consolidated:
    """What became of the candidates.

    ``why`` says what the model failed at; plotlines asked for before that are in ``delta``. ``waiting`` are the carriers of
    candidates that got no answer.
    """

    delta: Delta
    plotlines: tuple[str, ...] = ()
    plots: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    waiting: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    questions: int = 0
    why: str | None = None


@dataclass(frozen=True, slots=True)
class _Joint:
    """A scene that leads to a later one, and the words on which that rests."""

    scene: str
    later: str
    relation: str
    spans: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Accepted:
    candidate: Candidate
    item: PlotlineItem
    scenes: tuple[str, ...]
    joints: tuple[_Joint, ...]

    @property
    def spans(self) -> set[str]:
        return {span for joint in self.joints for span in joint.spans}


def plotline_unit(order: int, branch: str = MAIN) -> Unit:
    """The unit that holds plotlines: no text, and replaced as a whole whenever scenes are consolidated again."""
    return Unit(PLOTLINES, order, "", title="Plotlines", branch=branch, authority=INFERRED)


async def consolidate(
    candidates: Sequence[Candidate], asks: Asks, unit: Unit, settings: ConsolidationSettings | None = None
) -> Consolidated:
    """Ask which candidates are plotlines and keep those whose every connection holds."""
    settings, asked = settings or ConsolidationSettings(), Questioning(asks)
    waiting = list(_batches([one for one in candidates if len(one.scenes) > 1], settings.lines_per_call))
    accepted, refusals, why = list[_Accepted](), list[Refusal](), None
    while waiting and asked.questions < settings.most_calls:
        try:
            answer = await asked.ask(fill("plotlines", candidates=_shown(waiting[0])), PlotlinesAnswer)
        except ModelFailed as error:
            why = str(error)
            break
        _sort(unit, waiting.pop(0), answer.plotlines, accepted, refusals)
    return replace(
        _told(unit, accepted), refusals=tuple(refusals), usage=asked.usage, questions=asked.questions, why=why,
        waiting=tuple(one.carrier for batch in waiting for one in batch),
    )  # fmt: skip


def _sort(
    unit: Unit,
    batch: Sequence[Candidate],
    items: Sequence[PlotlineItem],
    accepted: list[_Accepted],
    refusals: list[Refusal],
) -> None:
    """Put each plotline of an answer where it belongs."""
    for item in items:
        judged = _judged(batch, item)
        if isinstance(judged, _Accepted) and judged.candidate.carrier in _carriers(accepted):
            judged = "the candidate has its plotline"
        if isinstance(judged, str):
            record = f"{unit.id}/{_name(batch, item)}"
            refusals.append(Refusal(record, "Plotline-unsupported", judged, item.summary))
        else:
            accepted.append(judged)


# ---- asking


def _batches(candidates: Sequence[Candidate], most_lines: int) -> Iterator[list[Candidate]]:
    batch, lines = list[Candidate](), 0
    for one in candidates:
        size = sum(len(scene.lines) for scene in one.scenes)
        if batch and lines + size > most_lines:
            yield batch
            batch, lines = [], 0
        batch.append(one)
        lines += size
    if batch:
        yield batch


def _shown(batch: Sequence[Candidate]) -> str:
    numbers, text = count(1), list[str]()
    for place, candidate in enumerate(batch, 1):
        text.append(f"Candidate {place}: {candidate.title}")
        for turn, scene in enumerate(candidate.scenes, 1):
            text.append(f" scene {turn}:")
            text += [f"  {next(numbers)}. {line.words}" for line in scene.lines]
    return "\n".join(text)


def _lines(batch: Sequence[Candidate]) -> dict[int, tuple[int, int, SceneLine]]:
    """By line number: the candidate, the place of the scene in it, the line."""
    every = (
        (place, turn, line)
        for place, candidate in enumerate(batch, 1)
        for turn, scene in enumerate(candidate.scenes)
        for line in scene.lines
    )
    return dict(enumerate(every, 1))


# ---- judging


def _judged(batch: Sequence[Candidate], item: PlotlineItem) -> _Accepted | str:
    """The plotline with its scenes and words, or why it is refused."""
    if not 1 <= item.candidate <= len(batch):
        return f"there is no candidate {item.candidate}"
    candidate, lines = batch[item.candidate - 1], _lines(batch)
    pairs = _pairs(lines, item)
    if isinstance(pairs, str):
        return pairs
    turns = sorted({turn for pair in pairs for turn in pair})
    if not _all_joined(turns, pairs):
        return "the connections do not join all the scenes"
    wrong = _unfit(item.summary, f"{candidate.title} {_words(candidate)}")
    if wrong is not None:
        return wrong
    scenes = [scene.id for scene in candidate.scenes]
    joints = tuple(
        _Joint(scenes[earlier], scenes[later], one.relation, _spans(lines, one))
        for one, (earlier, later) in zip(item.connections, pairs, strict=True)
    )
    return _Accepted(candidate, item, tuple(scenes[turn] for turn in turns), joints)


def _spans(lines: dict[int, tuple[int, int, SceneLine]], connection: Connection) -> frozenset[str]:
    return frozenset(lines[n][2].span for n in (*connection.earlier, *connection.later))


def _words(candidate: Candidate) -> str:
    return " ".join(line.words for scene in candidate.scenes for line in scene.lines)


def _pairs(lines: dict[int, tuple[int, int, SceneLine]], item: PlotlineItem) -> list[tuple[int, int]] | str:
    """The two scenes of each connection, or why one of them joins none."""
    own = {n: line for n, line in lines.items() if line[0] == item.candidate}
    pairs = list[tuple[int, int]]()
    for connection in item.connections:
        pair = _turns(own, connection)
        if isinstance(pair, str):
            return pair
        pairs.append(pair)
    return pairs or "no connection is given"


def _turns(lines: dict[int, tuple[int, int, SceneLine]], connection: Connection) -> tuple[int, int] | str:
    """The two scenes that a connection joins, by their places, or why it joins none."""
    cited = [*connection.earlier, *connection.later]
    strange = next((n for n in cited if n not in lines), None)
    if strange is not None:
        return f"line {strange} is none of this candidate"
    (before, told), (after, told_later) = _at(lines, connection.earlier), _at(lines, connection.later)
    if len(before) != 1 or len(after) != 1:
        return "a connection rests on lines of one earlier and one later scene"
    if told & told_later:
        return "a connection joins two happenings, not one with itself"
    earlier, later = before.pop(), after.pop()
    return (earlier, later) if earlier < later else "a connection leads from one scene to a later one"


def _at(lines: dict[int, tuple[int, int, SceneLine]], cited: Sequence[int]) -> tuple[set[int], set[str]]:
    """The scenes of these lines, by their places, and the records."""
    return {lines[n][1] for n in cited}, {lines[n][2].record for n in cited}


def _all_joined(nodes: Sequence[int], pairs: Sequence[tuple[int, int]]) -> bool:
    return len(_groups(nodes, pairs)) == 1


def _groups(nodes: Sequence[int], pairs: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The nodes parted into those that pairs connect, each group in order."""
    group = {node: {node} for node in nodes}
    for one, other in pairs:
        whole = group[one] | group[other]
        for node in whole:
            group[node] = whole
    return sorted({id(some): sorted(some) for some in group.values()}.values())


def _unfit(summary: str, source: str) -> str | None:
    if not summary.strip() or len(summary) > LONGEST_SUMMARY or not summary.isprintable():
        return "the summary is missing, too long, or holds control characters"
    strange = unsupported_words(summary, source)
    return f"the summary has {', '.join(strange)}, which the lines have not" if strange else None


def _carriers(accepted: Sequence[_Accepted]) -> set[str]:
    return {one.candidate.carrier for one in accepted}


def _name(batch: Sequence[Candidate], item: PlotlineItem) -> str:
    known = 1 <= item.candidate <= len(batch)
    return f"plotline of {batch[item.candidate - 1].carrier}" if known else f"plotline {item.candidate}"


# ---- telling


def _told(unit: Unit, accepted: Sequence[_Accepted]) -> Consolidated:
    delta = Delta(unit)
    plotlines = [
        delta.add(
            "Plotline", scene=list(one.scenes), summary=" ".join(one.item.summary.split()), kind=one.item.is_a,
            participant=list(one.candidate.participants), development=one.candidate.development,
            uncertainty=one.item.uncertainty, evidence=sorted(one.spans), authority=INFERRED,
        )
        for one in accepted
    ]  # fmt: skip
    plots = [
        delta.add(
            "Plot", plotline=[plotlines[n] for n in group], authority=INFERRED,
            summary=" ".join(" ".join(accepted[n].item.summary.split()) for n in group),
            evidence=sorted({span for n in group for span in accepted[n].spans}),
        )
        for group in _groups(range(len(accepted)), list(_meetings(accepted))) if len(group) > 1
    ]  # fmt: skip
    _tell_connections(delta, accepted)
    return Consolidated(delta, tuple(plotlines), tuple(plots))


def _tell_connections(delta: Delta, accepted: Sequence[_Accepted]) -> None:
    """How scenes lead to later ones; what several plotlines say is one record with the words of all."""
    words: dict[tuple[str, str, str], set[str]] = {}
    for joint in (joint for one in accepted for joint in one.joints):
        words.setdefault((joint.scene, joint.later, joint.relation), set()).update(joint.spans)
    for (scene, later, relation), spans in words.items():
        delta.add(
            "Connection",
            scene=scene,
            later=later,
            relation=relation,
            evidence=sorted(spans),
            authority=INFERRED,
        )


def _meetings(accepted: Sequence[_Accepted]) -> Iterator[tuple[int, int]]:
    """Plotlines that share a scene and somebody in it; isolated ones are not forced into a plot."""
    for n, one in enumerate(accepted):
        for m, other in enumerate(accepted[:n]):
            people = set(one.candidate.participants) & set(other.candidate.participants)
            if people and set(one.scenes) & set(other.scenes):
                yield m, n
