"""The four views of one state of the world, as plain values: W, B by character, D and H.

Everything here is read from derived relations; nothing is decided. An item carries the records it rests on, so that
every line can be followed to the words on the page.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field, replace
from types import MappingProxyType
from typing import Any, TypeVar

from narraworld.base.quick_dataclass import dataclass
from narraworld.query.at_once import AtOnce
from narraworld.query.figures.result_tables import TabledResult
from narraworld.query.names import NameBook, ReadAs, quotations, rows
from narraworld.query.shown.wordings import first_wordings
from narraworld.rules.language.ir import Value
from narraworld.rules.proofs.matching import Answers

__all__ = [
    "Belief",
    "Happening",
    "Possibility",
    "Thread",
    "ThreadTurn",
    "Views",
    "WorldFact",
    "facts_of",
    "possibilities_of",
    "threads_of",
    "views_of",
]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WorldFact:
    """Something that holds now; `record` is the state that says so."""

    proposition: str
    words: str
    since: int
    record: str


@dataclass(frozen=True, slots=True)
class Happening:
    """An event that took place."""

    event: str
    words: str
    when: int


@dataclass(frozen=True, slots=True)
class Belief:
    """What one character holds, doubts, or is said not to know.

    `status` is knows, mistaken, last knew (it was so, and has changed unnoticed), believes (the world does not settle it),
    doubts or unaware; `truth` is the state that makes a belief false, or the lie.
    """

    holder: str
    proposition: str
    words: str
    status: str
    since: int | None = None
    mode: str | None = None
    source: str | None = None
    truth: str | None = None


@dataclass(frozen=True, slots=True)
class ThreadTurn:
    """One step of a development."""

    step: str
    status: str
    when: int


@dataclass(frozen=True, slots=True)
class Thread:
    """A development, how it stands, and how it came to stand so."""

    development: str
    words: str
    kind: str
    status: str
    since: int
    history: tuple[ThreadTurn, ...]


@dataclass(frozen=True, slots=True)
class Possibility:
    """A conditional continuation; never a fact. `realised` names the event that made it come true."""

    possibility: str
    words: str
    development: str
    premises: tuple[str, ...]
    constraints: tuple[str, ...]
    realised: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Views(TabledResult):
    """W, B, D and H of one situation."""

    facts: tuple[WorldFact, ...] = ()
    events: tuple[Happening, ...] = ()
    beliefs: dict[str, tuple[Belief, ...]] = field(default_factory=dict)
    threads: tuple[Thread, ...] = ()
    possibilities: tuple[Possibility, ...] = ()
    realised: tuple[Possibility, ...] = ()
    read_as: tuple[ReadAs, ...] = ()

    def to_dicts(self) -> list[dict[str, Any]]:
        held = [belief for beliefs in self.beliefs.values() for belief in beliefs]
        return [
            *(_row("W", None, one.words, "holds", one.since, one.record) for one in self.facts),
            *(_row("W", None, one.words, "happened", one.when, one.event) for one in self.events),
            *(_row("B", one.holder, one.words, one.status, one.since, one.source) for one in held),
            *(
                _row("D", None, one.words, one.status, one.since, one.history[-1].step)
                for one in self.threads
            ),
            *(_row("H", None, one.words, "possible", None, one.possibility) for one in self.possibilities),
        ]

    def in_short(self) -> str:
        held = sum(map(len, self.beliefs.values()))
        return (
            f"Views: {len(self.facts)} facts, {len(self.events)} events, {held} beliefs, "
            f"{len(self.threads)} threads, {len(self.possibilities)} possibilities"
        )


def _row(
    view: str, who: str | None, words: str, status: str, since: int | None, where: str | None
) -> dict[str, Any]:
    return {"view": view, "who": who, "words": words, "status": status, "since": since, "where": where}


def views_of(
    engine: Answers, *, focalizer: str | None = None, called: Mapping[str, str] = MappingProxyType({})
) -> Views:
    """All four views; with a focalizer, whose world the engine is, only what that character could tell. ``called`` are names to use."""
    whole = _views(AtOnce(engine), NameBook(engine, quotations(engine) | dict(called)))
    return _through(whole, engine, focalizer) if focalizer else whole


def _views(engine: Answers, names: NameBook) -> Views:
    options, shown = possibilities_of(engine, names), first_wordings(engine)
    return Views(
        facts=tuple(facts_of(engine, names)),
        events=tuple(_events(engine, names)),
        beliefs={who: found for who in _characters(engine) if (found := _beliefs(engine, names, who, shown))},
        threads=tuple(threads_of(engine, names)),
        possibilities=tuple(option for option in options if not option.realised),
        realised=tuple(option for option in options if option.realised),
    )


def _through(views: Views, engine: Answers, eyes: str) -> Views:
    """The views of a mind's own world: what it holds is so, and knowing cannot be told from believing."""
    held, known, turns, options = (
        {row[1] for row in rows(engine, relation, eyes)}
        for relation in ("believes", "knows_of", "sees_turn", "conceives")
    )
    mine = tuple(_as_held(one) for one in views.beliefs.get(eyes, ()) if one.status != "unaware")
    return Views(
        facts=_among(views.facts, "proposition", held),
        events=_among(views.events, "event", known),
        beliefs={eyes: mine} if mine else {},
        threads=tuple(filter(None, (_seen(thread, turns) for thread in views.threads))),
        possibilities=_among(views.possibilities, "possibility", options),
        realised=_among(views.realised, "realised", known),
    )


def _among(things: Iterable[T], name: str, known: Collection[str | float]) -> tuple[T, ...]:
    """Those whose field is one of the known symbols."""
    return tuple(one for one in things if getattr(one, name) in known)


def _as_held(belief: Belief) -> Belief:
    """A belief as its holder has it, who cannot know that it is right, wrong or out of date."""
    if belief.status in ("knows", "mistaken", "last knew"):
        return replace(belief, status="believes", truth=None)
    return belief


def _seen(thread: Thread, turns: set[Value]) -> Thread | None:
    """The thread with only the turns that were seen, standing as the last of them left it."""
    history = tuple(turn for turn in thread.history if turn.step in turns)
    return (
        replace(thread, status=history[-1].status, since=history[-1].when, history=history)
        if history
        else None
    )


def _characters(engine: Answers) -> list[str]:
    return [str(entity) for entity, kind in rows(engine, "entity") if kind == "character"]


def facts_of(engine: Answers, names: NameBook) -> list[WorldFact]:
    content = {str(p): (str(matter), str(sign)) for p, matter, sign in rows(engine, "content")}
    stated = {said: proposition for proposition, said in content.items()}
    worded = {str(state): str(proposition) for state, proposition, _ in rows(engine, "state")}
    starts = {str(state): int(tick) for state, _, _, tick in rows(engine, "world_claim")}
    begun = {str(matter): int(tick) for matter, tick in rows(engine, "begun")}
    found = dict[str, WorldFact]()
    for state, matter, sign in rows(engine, "current"):
        said, own = (str(matter), str(sign)), worded.get(str(state), "")
        otherwise = f"not.{matter}" if sign == "no" else str(matter)
        proposition = own if content.get(own) == said else stated.get(said, otherwise)
        since = begun.get(str(matter), starts[str(state)]) if sign == "yes" else starts[str(state)]
        found[proposition] = WorldFact(proposition, names(proposition), since, str(state))
    return sorted(found.values(), key=lambda fact: (fact.since, fact.proposition))


def _events(engine: Answers, names: NameBook) -> list[Happening]:
    ticks = {str(record): int(tick) for record, tick in rows(engine, "at")}
    found = [Happening(str(e), names(str(e)), ticks[str(e)]) for (e,) in rows(engine, "happened")]
    return sorted(found, key=lambda event: (event.when, event.event))


def _beliefs(engine: Answers, names: NameBook, holder: str, shown: dict[str, str]) -> tuple[Belief, ...]:
    found: dict[tuple[str, str], Belief] = {}
    for relation, belief in (*_held(engine, names, holder), *_not_held(engine, names, holder)):
        found.setdefault((relation, belief.proposition), belief)
    kept = (
        belief
        for belief in found.values()
        if shown.get(belief.proposition, belief.proposition) == belief.proposition
    )
    return tuple(sorted(kept, key=lambda belief: (belief.since or 0, belief.proposition, belief.status)))


def _held(engine: Answers, names: NameBook, holder: str) -> Iterator[tuple[str, Belief]]:
    """What somebody takes to be so, with what the world says to it."""
    known = {row[1] for row in rows(engine, "knows", holder)}
    wrong = {row[1]: str(row[2]) for row in rows(engine, "mistaken", holder)}
    stale = {row[1]: str(row[2]) for row in rows(engine, "last_knew", holder)}
    since = {row[1]: int(row[2]) for row in rows(engine, "believed_since", holder)}
    statuses = (
        dict.fromkeys(stale, "last knew") | dict.fromkeys(wrong, "mistaken") | dict.fromkeys(known, "knows")
    )
    for _, proposition, latest, mode, source in rows(engine, "belief", holder):
        status = statuses.get(proposition, "believes")
        yield "held", Belief(
            holder, str(proposition), names(str(proposition)), status, since.get(proposition, int(latest)),
            str(mode), str(source), (stale | wrong).get(proposition),
        )  # fmt: skip


def _not_held(engine: Answers, names: NameBook, holder: str) -> Iterator[tuple[str, Belief]]:
    for relation in ("doubts", "unaware"):
        for _, proposition in rows(engine, relation, holder):
            yield relation, Belief(holder, str(proposition), names(str(proposition)), relation)


def threads_of(engine: Answers, names: NameBook) -> list[Thread]:
    kinds = {str(d): str(kind) for d, kind in rows(engine, "development")}
    turns: dict[str, list[ThreadTurn]] = {}
    for development, step, status, when in rows(engine, "turn"):
        turns.setdefault(str(development), []).append(ThreadTurn(str(step), str(status), int(when)))
    found = [
        Thread(str(d), names(str(d)), kinds[str(d)], str(status), int(since),
               tuple(sorted(turns[str(d)], key=lambda turn: (turn.when, turn.step))))
        for d, status, since in rows(engine, "status") if str(d) in kinds
    ]  # fmt: skip
    return sorted(found, key=lambda thread: (thread.history[0].when, thread.development))


def possibilities_of(engine: Answers, names: NameBook) -> list[Possibility]:
    live = {str(option) for option, _ in rows(engine, "possible")}
    realised = {str(option): str(event) for option, event in rows(engine, "realised")}
    return [
        Possibility(
            str(option), names(str(option)), str(development),
            tuple(names(str(p)) for _, p in rows(engine, "premise", option)),
            tuple(names(str(p)) for _, p in rows(engine, "constraint", option)),
            realised.get(str(option)),
        )
        for option, development in rows(engine, "possibility") if option in live or option in realised
    ]  # fmt: skip
