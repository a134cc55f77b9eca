"""One situation at the desk: the story as an address, a tool call or a cursor asks for it. Every answer stands on this.

Pins hold a situation fast: another value than the pinned one is refused. Beyond what was told there are numbers, no names, and
no error says more than the situation does. Asks the verbs of `World`; computes nothing around them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from narraworld.base.errors import NarraWorldError
from narraworld.query.errors import AmbiguousMoment, UnknownMoment
from narraworld.query.figures.ruler import StoryRuler, ruler_of
from narraworld.query.moments import Moment, revision_of
from narraworld.query.situation import Situation

if TYPE_CHECKING:
    from narraworld.desk.story_desk import StoryDesk
    from narraworld.query.scope import Scope
    from narraworld.rules.proofs.words import Quote
    from narraworld.world import World

__all__ = [
    "ADDRESSED",
    "NotForThisMind",
    "NotInThisSituation",
    "PinnedSituation",
    "SeenStory",
    "SituationPins",
    "seen_in",
]

ADDRESSED = ("at", "told", "as", "branch", "revision")
SCHEMA = 1


class PinnedSituation(NarraWorldError):
    """The server is held to one situation."""


class NotInThisSituation(NarraWorldError):
    """There is no such thing as far as this situation sees."""


class NotForThisMind(NarraWorldError):
    """The manuscript's words and other minds stand in it: no character could see that."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} cannot be seen through a character's eyes", fix="leave out `as`, if you may"
        )


@dataclass(frozen=True, slots=True)
class SituationPins:
    """What a server is held to; None leaves it free."""

    at: str | None = None
    told: str | None = None
    as_: str | None = None

    def held(self) -> dict[str, str]:
        pairs = {"at": self.at, "told": self.told, "as": self.as_}
        return {name: value for name, value in pairs.items() if value}

    def __bool__(self) -> bool:
        return bool(self.held())


@dataclass(frozen=True)
class SeenStory:
    """The story in one situation. ``address`` is the situation as it can be written into a link."""

    desk: StoryDesk
    situation: Situation
    address: Mapping[str, str]
    pins: SituationPins = field(default_factory=SituationPins)

    @property
    def world(self) -> World:
        return self.desk.world

    @property
    def eyes(self) -> str | None:
        return self.situation.eyes

    @property
    def is_narrowed(self) -> bool:
        """Whether somebody must not see everything."""
        return bool(self.situation.told or self.eyes)

    @property
    def scope(self) -> Scope:
        return self.world.scope(self.situation)

    @cached_property
    def revision(self) -> int:
        return self.world.store.snapshot(self.situation.revision, self.situation.branch).revision

    @property
    def ruler(self) -> StoryRuler:
        with (
            self.world.story.turn
        ):  # before the lock that Python 3.11 has in `cached_property`: else two wait for each other
            return self._ruler

    @cached_property
    def _ruler(self) -> StoryRuler:
        whole = Situation(branch=self.situation.branch, revision=self.situation.revision)
        return ruler_of(
            self.world.scope(whole), self._moment("told"), self._moment("at"), named=not self.eyes
        )

    def _moment(self, which: str) -> Moment | None:
        text = getattr(self.situation, which)
        return None if text is None else _resolved(self.world, str(text), self.situation)

    def authors_only(self, what: str) -> None:
        """Refuse what a mind could not see."""
        if self.eyes:
            raise NotForThisMind(what)

    def envelope(self, data: Any, more: str | None = None) -> dict[str, Any]:
        """An answer with the situation it was given in."""
        said = {name: self.address.get(name) for name in ("at", "told", "as")}
        situation = {**said, "branch": self.situation.branch, "said": self.ruler.said}
        return {
            "schema": SCHEMA,
            "revision": self.revision,
            "situation": situation,
            "data": data,
            "more": more,
        }

    # -- words on the page

    def quotes(self, record: str) -> list[dict[str, Any]]:
        """The words a record rests on, with their places; none through a character's eyes."""
        return [] if self.eyes else [self.quote(one) for one in self.scope.quotes(record)]

    def quote(self, quote: Quote) -> dict[str, Any]:
        return self.passage(quote.unit, quote.start, quote.end, quote.text)

    def passage(self, unit: str, start: int, end: int, words: str) -> dict[str, Any]:
        """Words on the page as every answer writes them."""
        with self.world.story.turn:
            place = self._finder.place(unit, start)
        chapter = self.ruler.number(unit)
        line = place.line or place.paragraph if place else None
        label = f"ch {chapter}" + (f", line {line}" if line else "") if chapter else unit
        return {
            "unit": unit, "file": place.file if place else None, "line": line,
            "column": place.column if place else None, "start": start, "end": end, "quote": words, "place": label,
        }  # fmt: skip

    @cached_property
    def _finder(self) -> Any:
        from narraworld.project.source_places import PlaceFinder

        return PlaceFinder(self.scope.engine)


def seen_in(desk: StoryDesk, given: Mapping[str, str], pins: SituationPins | None = None) -> SeenStory:
    """The situation that an address means, within the pins."""
    pins = pins or SituationPins()
    asked = {name: given[name].strip() for name in ADDRESSED if given.get(name, "").strip()}
    for name, held in pins.held().items():
        if asked.get(name, held) != held:
            raise PinnedSituation(f"this server is pinned to {name}={held}", fix=f"leave {name} out")
        asked[name] = held
    return _within(desk, asked, pins)


def _within(desk: StoryDesk, asked: Mapping[str, str], pins: SituationPins) -> SeenStory:
    whole = Situation(branch=asked.get("branch", "main"), revision=revision_of(asked.get("revision")))
    told = _resolved(desk.world, asked["told"], whole) if "told" in asked else None
    cut = replace(whole, told=told.id if told else None)
    at = _told_moment(desk.world, asked["at"], cut, told, hidden="as" in asked) if "at" in asked else None
    situation = replace(cut, at=at.id if at else None, focalizer=asked.get("as"))
    seen = SeenStory(desk, situation, asked, pins)
    if "as" in asked:
        return replace(seen, address={**asked, "as": seen.scope.names(seen.scope.focalizer or "")})
    resolved = {name: one.id for name, one in (("at", at), ("told", told)) if one}
    return replace(seen, address={**asked, **resolved})


def _resolved(world: World, text: str, whole: Situation) -> Moment:
    from narraworld.query.moments import moment_of

    with world.story.turn:
        return moment_of(world.scope(Situation(branch=whole.branch, revision=whole.revision)).engine, text)


def _told_moment(world: World, text: str, cut: Situation, told: Moment | None, *, hidden: bool) -> Moment:
    """A moment that this situation knows of; an error of a narrowed one names nothing."""
    if told is None and not hidden:
        return _resolved(world, text, cut)
    unknown = UnknownMoment(text, (), "name a chapter by its number, as in 2 or 2 scene 1")
    try:
        found = _resolved(world, text, cut)
    except (UnknownMoment, AmbiguousMoment):
        raise unknown from None
    if found.unit is not None and told is not None:
        with world.story.turn:
            ruler = ruler_of(world.scope(Situation(branch=cut.branch, revision=cut.revision)), told, None)
        if not ruler.reaches(found):
            raise unknown
    return found
