"""A look at memory before planning: who there is, what is under way, how much lies where. Compact whatever the story's length.

Near things are told one by one, far ones in sums: the latest chapters by name, the earlier ones as ranges; the most present
characters with a line each, the others by name, the rest by number. Reads one situated world and, where it is seen through
somebody's eyes, only what those eyes could tell. Decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from narraworld.base.quick_dataclass import dataclass
from narraworld.base.settings import PreviewSettings
from narraworld.query.names import ReadAs, rows

if TYPE_CHECKING:
    from narraworld.query.scope import Scope
    from narraworld.rules.engines import Engine
    from narraworld.rules.language.ir import Row

__all__ = ["Option", "Preview", "PreviewChapter", "PreviewSettings", "Seen", "Strand", "preview_of"]


USUAL = PreviewSettings()
TRAITS = (
    "kinship", "relation", "occupation", "rank", "age", "memberOf", "location", "condition", "emotion", "goal", "obligation",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Seen:
    """A character, thing or place: what it is called, what is true of it, how present it is and where it was last met."""

    id: str
    name: str
    kind: str
    brief: tuple[str, ...] = ()
    units: int = 0
    last: int = -1


@dataclass(frozen=True, slots=True)
class Strand:
    """A development: how it stands, whose it is and what it is about."""

    id: str
    title: str
    kind: str
    status: str
    open: bool
    holders: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    since: int = 0


@dataclass(frozen=True, slots=True)
class Option:
    """Something that may yet come of a development."""

    id: str
    summary: str
    development: str


@dataclass(frozen=True, slots=True)
class PreviewChapter:
    """One unit, or a range of them told as one line."""

    first: str
    last: str
    title: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Preview:
    """The compact view σ(V) of one situation."""

    characters: tuple[Seen, ...]
    others: tuple[str, ...]
    things: tuple[Seen, ...]
    threads: tuple[Strand, ...]
    options: tuple[Option, ...]
    chapters: tuple[PreviewChapter, ...]
    latest: tuple[str, ...]
    scene: tuple[str, ...]
    counts: dict[str, int]
    more: dict[str, int]
    read_as: tuple[ReadAs, ...] = ()

    def lines(self) -> Iterator[str]:
        """The preview as text for a person or a model."""
        yield "Memory holds " + ", ".join(f"{n} {what}" for what, n in self.counts.items()) + "."
        yield from _part("Characters", (_line(one) for one in self.characters), self.more["characters"])
        if self.others:
            yield f"  also: {', '.join(self.others)}"
        yield from _part("Things and places", (_line(one) for one in self.things), self.more["things"])
        yield from _part("Developments", map(_thread_line, self.threads), self.more["threads"])
        yield from _part(
            "May yet come", (f"{one.summary} [{one.id}]" for one in self.options), self.more["options"]
        )
        yield from _part("Chapters", map(_chapter_line, self.chapters), 0)
        yield from _part("Just now", iter(self.latest), 0)


def _part(title: str, lines: Iterator[str], more: int) -> Iterator[str]:
    told = list(lines)
    if told:
        yield title
        yield from (f"  {line}" for line in told)
        if more:
            yield f"  … and {more} more"


def _line(one: Seen) -> str:
    brief = f": {'; '.join(one.brief)}" if one.brief else ""
    return f"{one.name} [{one.id}] ({one.kind}, {one.units} chapter{'' if one.units == 1 else 's'}){brief}"


def _thread_line(one: Strand) -> str:
    return f"{one.title} [{one.id}] ({one.kind}, {one.status})"


def _chapter_line(one: PreviewChapter) -> str:
    return one.title if one.count == 1 else f"{one.first} to {one.last}: {one.count} chapters, {one.title}"


# -- making one


def preview_of(scope: Scope, bounds: PreviewSettings = USUAL) -> Preview:
    """A preview of everything in the scope."""
    return _Look(scope, bounds).preview()


class _Look:
    """One pass over a scope."""

    def __init__(self, scope: Scope, bounds: PreviewSettings) -> None:
        self.scope, self.engine, self.names, self.bounds = scope, scope.engine, scope.names, bounds
        self.orders = {str(unit): int(order) for unit, order in rows(self.engine, "unit")}
        self.eyes = scope.focalizer
        self.known = _known_events(self.engine, self.eyes) if self.eyes else None

    def preview(self) -> Preview:
        bounds = self.bounds
        everyone = self._present()
        people = [one for one in everyone if one.kind in ("character", "group")]
        things = [one for one in everyone if one.kind not in ("character", "group")]
        threads, options = self._threads(), self._options()
        named = people[bounds.characters : bounds.characters + bounds.names]
        return Preview(
            tuple(self._briefed(one) for one in people[: bounds.characters]),
            tuple(one.name for one in named),
            tuple(self._briefed(one) for one in things[: bounds.things]),
            tuple(threads[: bounds.threads]),
            tuple(options[: bounds.options]),
            tuple(self._chapters()),
            tuple(self._latest()),
            tuple(self._scene()),
            self._counts(len(people), len(things), len(threads), len(options)),
            {
                "characters": max(0, len(people) - bounds.characters - bounds.names),
                "things": max(0, len(things) - bounds.things),
                "threads": max(0, len(threads) - bounds.threads),
                "options": max(0, len(options) - bounds.options),
            },
        )

    # -- who and what

    def _present(self) -> list[Seen]:
        """Everybody and everything, the most present first; through eyes, those met in what they know of."""
        met = self._appearances()
        found = [
            Seen(str(entity), self.names(str(entity)), str(kind), (), len(where), max(where, default=-1))
            for entity, kind in rows(self.engine, "entity")
            if (where := met.get(str(entity), set())) or self.eyes in (None, entity)
        ]
        return sorted(found, key=lambda one: (-one.units, -one.last, one.id))

    def _appearances(self) -> dict[str, set[int]]:
        """In which units each entity takes part in something."""
        everything = rows(self.engine, "role") if self.known is None else self._known_roles()
        met: dict[str, set[int]] = {}
        for event, who, _ in everything:
            met.setdefault(str(who), set()).add(self.orders.get(str(event).partition("/")[0], 0))
        return met

    def _known_roles(self) -> list[Row]:
        return [row for event in self.known or () for row in rows(self.engine, "role", event)]

    def _briefed(self, one: Seen) -> Seen:
        lines = [self.names(proposition) for trait in TRAITS for proposition in self._holding(one.id, trait)]
        return Seen(one.id, one.name, one.kind, tuple(lines[: self.bounds.traits]), one.units, one.last)

    def _holding(self, entity: str, trait: str) -> Iterator[str]:
        for matter, *_ in rows(self.engine, "about", None, entity, trait):
            if self._stands(str(matter)):
                yield str(matter)

    def _stands(self, matter: str) -> bool:
        if self.eyes:
            return bool(rows(self.engine, "held", self.eyes, matter, "yes"))
        return bool(rows(self.engine, "current", None, matter, "yes"))

    # -- developments and what may come of them

    def _threads(self) -> list[Strand]:
        seen = None
        if self.eyes:
            seen = {str(row[1]) for row in rows(self.engine, "sees_turn", self.eyes)}
        open_ = {str(row[0]) for row in rows(self.engine, "open")}
        found = [self._strand(str(d), str(kind), open_, seen) for d, kind in rows(self.engine, "development")]
        return sorted(filter(None, found), key=lambda one: (not one.open, -one.since, one.id))

    def _strand(self, development: str, kind: str, open_: set[str], seen: set[str] | None) -> Strand | None:
        turns = [row for row in rows(self.engine, "turn", development) if seen is None or str(row[1]) in seen]
        if not turns and seen is not None:
            return None
        last = max(turns, key=lambda row: (row[3], row[1]), default=None)
        holders = tuple(str(who) for _, who in rows(self.engine, "owner", development))
        status = str(last[2]) if last else "mentioned"
        is_open = development in open_ if seen is None else status not in ("resolved", "abandoned")
        return Strand(
            development, self._short(self.names(development)), kind, status, is_open, holders,
            self._stakes(development), int(last[3]) if last else 0,
        )  # fmt: skip

    def _stakes(self, development: str) -> tuple[str, ...]:
        """The entities its target speaks of."""
        found = [
            str(part)
            for _, target in rows(self.engine, "target", development)
            for _, subject, _, thing, _ in rows(self.engine, "proposition", target)
            for part in (subject, thing)
            if rows(self.engine, "entity", part)
        ]
        return tuple(dict.fromkeys(found))

    def _options(self) -> list[Option]:
        mine = {str(row[1]) for row in rows(self.engine, "conceives", self.eyes)} if self.eyes else None
        return [
            Option(str(option), self._short(self.names(str(option))), str(development))
            for option, development in rows(self.engine, "possible")
            if mine is None or str(option) in mine
        ]

    # -- the telling

    def _chapters(self) -> Iterator[PreviewChapter]:
        """Earlier chapters as ranges, the latest by name; a character's eyes know of no chapters."""
        if self.eyes:
            return
        units = sorted(self.orders, key=lambda unit: (self.orders[unit], unit))
        near = units[-self.bounds.chapters :]
        far = units[: len(units) - len(near)]
        size = -(-len(far) // self.bounds.ranges) if far else 1
        for start in range(0, len(far), size):
            part = far[start : start + size]
            title = self._short(self._title(part[0])) + (" …" if len(part) > 1 else "")
            yield PreviewChapter(part[0], part[-1], title, len(part))
        for unit in near:
            yield PreviewChapter(unit, unit, self._short(self._title(unit)))

    def _title(self, unit: str) -> str:
        titles = [str(title) for _, title in rows(self.engine, "titled", unit)]
        summaries = [
            str(text)
            for scene, *_ in rows(self.engine, "scene", None, unit)
            for _, text in rows(self.engine, "summary", scene)
        ]
        return f"{unit} {' · '.join([*titles[:1], *summaries])}".strip()

    def _latest(self) -> list[str]:
        return [self.names(event) for event in self._last_events()]

    def _scene(self) -> list[str]:
        """Who and what takes part in the last events, the latest first."""
        found = [
            str(who)
            for event in reversed(self._last_events())
            for _, who, _ in sorted(rows(self.engine, "role", event))
        ]
        return list(dict.fromkeys(found))

    def _last_events(self) -> list[str]:
        """The last events of the last unit; through eyes, the last that were known of."""
        if self.known is not None:
            return list(self.known)[-self.bounds.events :]
        units = sorted(self.orders, key=lambda unit: (self.orders[unit], unit))
        for unit in reversed(units):
            found = [
                (int(tick), str(node))
                for node, _ in rows(self.engine, "occurs", None, unit)
                if "/" in str(node) and rows(self.engine, "happened", node)
                for _, tick in rows(self.engine, "at", node)
            ]
            if found:
                return [event for _, event in sorted(found)][-self.bounds.events :]
        return []

    # -- how much lies where

    def _counts(self, people: int, things: int, threads: int, options: int) -> dict[str, int]:
        if self.eyes:
            facts, held = len(rows(self.engine, "believes", self.eyes)), 0
        else:
            facts, held = len(rows(self.engine, "current")), len(rows(self.engine, "believes"))
        counted = {
            "characters": people, "things and places": things, "facts that hold (W)": facts,
            "beliefs (B)": held or facts, "developments (D)": threads, "open possibilities (H)": options,
        }  # fmt: skip
        return counted if self.eyes else {"chapters": len(self.orders), **counted}

    def _short(self, text: str) -> str:
        limit = self.bounds.title
        return text if len(text) <= limit else f"{text[: limit - 1].rstrip()}…"


def _known_events(engine: Engine, eyes: str) -> Sequence[str]:
    """What these eyes know of, in the order in which it became known."""
    found = sorted((int(tick), str(event)) for _, event, tick in rows(engine, "knows_of", eyes))
    return tuple(dict.fromkeys(event for _, event in found))
