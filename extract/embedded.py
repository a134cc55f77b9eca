"""The embedded reader: prose in, a delta out. Offline, without a key, and the same every time.

    text → sentences → grammar → clauses → entities → frames → records that quote their words

What it does not understand it counts (`Coverage`) and leaves out; it never guesses a fact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from narraworld.extract.clauses import Clause, clauses
from narraworld.extract.coreference import Company
from narraworld.extract.coverage import Coverage
from narraworld.extract.events import Fitted, fit, parts_of, write_event
from narraworld.extract.frames import frame_table
from narraworld.extract.mentions import mention_of, nouns
from narraworld.extract.minds import contents, write_access, write_attitude, write_speech
from narraworld.extract.page import Page, Stage
from narraworld.extract.parsing import Word, parse, tokens_of
from narraworld.extract.sentences import mark_names, paragraphs, sentences, without_speech
from narraworld.extract.states import show_scene, write_state
from narraworld.extract.threads import open_thread
from narraworld.extract.timewords import TimeWords, without_time
from narraworld.kb.delta import Delta
from narraworld.kb.roster import Known, Roster
from narraworld.kb.spans import Range
from narraworld.kb.units import Unit

__all__ = ["Reading", "read_prose"]

CLASSES = {"character": "Character", "place": "Place", "object": "Object", "group": "Group"}
WHEREABOUTS = frozenset({"in", "at", "from", "near", "into"})
REPORTING = frozenset({"speech", "mind", "intend"})


@dataclass(frozen=True, slots=True)
class Reading:
    """What one unit gave: records, how much of it was understood, and who is in it."""

    delta: Delta
    coverage: Coverage
    cast: tuple[Known, ...]
    stage: Stage


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence on its way: where it stands, its words, its clauses, and what it says of time."""

    where: Range
    words: list[Word]
    clauses: list[Clause]
    time: TimeWords


def read_prose(
    unit: Unit, roster: Roster | None = None, *, stage: Stage | None = None, prefix: str = ""
) -> Reading:
    """Read a unit; ``roster`` is who is known already and ``stage`` where the last unit left them.

    ``prefix`` begins the ids of newcomers.
    """
    known = roster or Roster()
    lines = _lines(unit.text, known)
    company = Company(known, unit.id, _kinds(lines, unit.text), prefix)
    page, coverage = Page(Delta(unit), company, stage or Stage()), Coverage()
    for line in lines:
        coverage.count(line.where, *_read(page, line))
    show_scene(page)
    _enlist(page)
    coverage.unresolved = [mention.where for mention in company.unresolved]
    return Reading(page.delta, coverage, company.roll(), page.stage.for_next_unit())


# -- grammar


def _lines(text: str, roster: Roster) -> list[Line]:
    narration = without_speech(text)
    places = [one for paragraph in paragraphs(narration) for one in sentences(narration, paragraph)]
    told = [tokens_of(where.cut(narration), where.start) for where in places]
    names = {
        word for one in roster.known for name in one.names for word in name.split() if word[:1].isupper()
    }
    timed = [without_time(text, tokens) for tokens in mark_names(told, names)]
    parsed = parse([tokens for tokens, _ in timed])
    return [
        Line(where, words, clauses(words) if words else [], time)
        for where, words, (_, time) in zip(places, parsed, timed, strict=True)
    ]


def _kinds(lines: Iterable[Line], text: str) -> dict[str, str]:
    """What each name and noun is, by what the whole unit does with it; the table of nouns has the first word."""
    votes: dict[str, Counter[str]] = {}
    for line in lines:
        for clause in line.clauses:
            for head, kind in _votes(clause):
                mention = mention_of(head, line.words, text)
                if mention.sort in {"name", "noun"}:
                    votes.setdefault(mention.key, Counter())[kind] += 1
                    if mention.sort == "noun" and (listed := nouns().kind(mention.head)):
                        votes[mention.key][listed] += 1000
    return {key: count.most_common(1)[0][0] for key, count in votes.items()}


def _votes(clause: Clause) -> Iterable[tuple[Word, str]]:
    yield from (
        (head, "place") for preposition, head in clause.phrases if head.name and preposition in WHEREABOUTS
    )
    for frame in frame_table().of(clause.verb, clause.particle):
        parts = parts_of(frame, clause)
        if all((need.lstrip("-").partition(":")[0] in parts) != need.startswith("-") for need in frame.needs):
            for role, kind in frame.kinds.items():
                yield from ((head, kind) for head in parts.get(role, ()))


# -- records


def _read(page: Page, line: Line) -> tuple[int, int]:
    """Write what a sentence says; how many clauses it has and how many were understood."""
    page.begin_sentence(line.words)
    reported, understood, watching = (
        set[int](),
        0,
        list[tuple[Clause, dict[str, tuple[str, ...]], list[int]]](),
    )
    for number in sorted(range(len(line.clauses)), key=lambda n: line.clauses[n].where.start):
        clause = line.clauses[number]
        if _within(number, reported, line.clauses):
            understood += 1
            continue
        page.company.begin_clause(clause.where)
        if clause.copular:
            understood += write_state(page, clause, _beside(page, clause))
            continue
        inner = contents(line.clauses, number)
        frame, roles = fitted = fit(page, clause)
        told = [line.clauses[n] for n in inner]
        if frame and frame.type in REPORTING:
            reported |= set(inner)
            understood += _reported(page, clause, fitted, told, number)
        else:
            understood += write_event(page, clause, fitted, number) is not None or bool(
                frame and frame.stative
            )
            if frame and frame.type == "perceive":
                watching.append((clause, roles, inner))
    for clause, roles, seen in watching:
        write_access(page, clause, roles, seen)
    _date(page, line)
    return len(line.clauses), understood


def _reported(page: Page, clause: Clause, fitted: Fitted, told: list[Clause], number: int) -> bool:
    """Speech, thoughts and intentions: what is told in them stays theirs."""
    frame = fitted[0]
    assert frame is not None
    if frame.type == "speech":
        wrote = write_speech(page, clause, fitted, told, number)
    elif frame.type == "mind":
        wrote = write_attitude(page, clause, fitted, told, number)
    else:
        wrote = False
    if frame.type == "intend" or frame.manner == "promises":
        wrote = open_thread(page, clause, fitted, told, number) or wrote
    return wrote or write_event(page, clause, fitted, number) is not None


def _beside(page: Page, clause: Clause) -> str | None:
    """The event during which something is said to be so: `while Leo was away`."""
    return (
        page.happened.get(clause.parent) if clause.parent is not None and clause.relation == "advcl" else None
    )


def _within(number: int, reported: set[int], found: list[Clause]) -> bool:
    """Whether a clause belongs to what somebody says or thinks."""
    here: int | None = number
    while here is not None:
        if here in reported:
            return True
        here = found[here].parent
    return False


def _date(page: Page, line: Line) -> None:
    if line.time.expression and page.happened:
        page.add(
            "TimeAnchor",
            line.time.where or line.where,
            event=min(page.happened.items())[1],
            expression=line.time.expression,
        )


def _enlist(page: Page) -> None:
    """Describe the entities that records speak of."""
    for figure in page.company.figures.values():
        if figure.id not in page.used:
            continue
        if figure.new:
            names = list(dict.fromkeys(figure.names))
            page.delta.add(CLASSES[figure.kind], figure.id, quote=figure.where, name=names)
