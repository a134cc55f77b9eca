"""Planning by rules: from a request and a look at memory to what the next passage needs. No model, always the same answer.

    who is named → whom the preview adds → which words call for what → needs, each with the rule queries that settle it

Tables are in `cues.toml`. The passage being written and the outline say where the author is and means to go: they help to find
whom and what it is about, and are never evidence. A question is planned as the query it becomes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from narraworld.query.ask.slots import is_mind
from narraworld.query.memory.drafting import Draft, PlanSettings, Request, cue_tables, named_in, plan_of
from narraworld.query.memory.needs import MemoryPlan
from narraworld.query.memory.preview import Preview, Strand
from narraworld.query.name_finder import stem, tokens

if TYPE_CHECKING:
    from narraworld.query.scope import Scope

__all__ = ["PlanSettings", "Request", "plain_plan", "plan_by_rules"]

USUAL = PlanSettings()
WHOLE_WORD = 3  # a cue of so few letters is a word, a longer one the beginning of words


def plan_by_rules(
    request: Request, scope: Scope, preview: Preview, settings: PlanSettings = USUAL
) -> MemoryPlan:
    """The plan for one request."""
    draft = _Look(request, scope, preview, settings).draft()
    return plan_of(draft, request, scope, preview, settings)


def plain_plan(request: Request) -> MemoryPlan:
    """No planning: the request is the only query."""
    return MemoryPlan("as asked", (), request.text, (), planner="none")


class _Look:
    """One request against one preview."""

    def __init__(self, request: Request, scope: Scope, preview: Preview, settings: PlanSettings) -> None:
        self.request, self.scope, self.preview, self.settings = request, scope, preview, settings
        self.asking = request.purpose == "question"
        self.named = named_in(request.text, scope)
        self.around = named_in(f"{request.passage} {request.outline}", scope)
        self.hinted = _stems(f"{request.text} {request.passage} {request.outline}")

    def draft(self) -> Draft:
        focal = self._focal()
        threads = self._threads(focal)
        things = self._things(threads)
        kinds, form = self._called_for()
        return Draft(
            form,
            self._intent((*focal, *things)),
            tuple(focal),
            tuple(things),
            tuple(threads),
            frozenset(kinds),
        )

    # -- K: named first, then those the situation and the preview add

    def _focal(self) -> list[str]:
        eyes = [self.scope.focalizer] if self.scope.focalizer else []
        spoken_to = named_in(self.request.recipient or "", self.scope)
        certain = [one for one in (*self.named, *eyes, *spoken_to, *self.around) if is_mind(one, self.scope)]
        first = list(dict.fromkeys(certain))[: self.settings.focal]
        if self.asking:
            return first
        first = first or self._on_stage()[: self.settings.focal]
        added = [one for one in dict.fromkeys(self._bound_to(first)) if one not in first]
        return [*first, *added[: self.settings.recovered]][: self.settings.focal]

    def _on_stage(self) -> list[str]:
        """Who was there last; else whose threads are open; else whoever is most present."""
        known = [one.id for one in self.preview.characters]
        waiting = [one for thread in self._by_likeness() if thread.open for one in thread.holders]
        there = [one for one in self.preview.scene if one in known]
        return there or [one for one in dict.fromkeys(waiting) if one in known] or known

    def _bound_to(self, first: Sequence[str]) -> Iterator[str]:
        """Those who share an open thread with these, or own one about what was there last; then who was there last."""
        known, there = {one.id for one in self.preview.characters}, {*first, *self.preview.scene}
        for thread in self._by_likeness():
            if thread.open and (set(first) & set(thread.holders) or there & set(thread.about)):
                yield from (one for one in thread.holders if one in known)
        yield from (one for one in self.preview.scene if one in known)

    def _by_likeness(self) -> list[Strand]:
        return sorted(
            self.preview.threads,
            key=lambda one: (-len(_stems(one.title) & self.hinted), not one.open, -one.since, one.id),
        )

    def _threads(self, focal: Sequence[str]) -> list[Strand]:
        """Open threads of the focal characters or about what is named, and any whose title shares words with the request."""
        touched = {*focal, *self.named}
        chosen = [
            one for one in self._by_likeness()
            if _stems(one.title) & self.hinted or (one.open and touched & {*one.holders, *one.about})
        ]  # fmt: skip
        return chosen[: self.settings.threads]

    def _things(self, threads: Sequence[Strand]) -> list[str]:
        """Things and places named, then those that threads are about."""
        stakes = [] if self.asking else [one for thread in threads if thread.open for one in thread.about]
        found = dict.fromkeys((*self.named, *self.around, *stakes))
        return [one for one in found if not is_mind(one, self.scope)][: self.settings.things]

    # -- F and r

    def _called_for(self) -> tuple[set[str], str]:
        """The kinds of need that words of the request call for, and the evidence form of the strongest cue."""
        kinds, votes, spoken = set[str](), dict[str, int](), set(tokens(self.request.text))
        for cue in _cues():
            if hits := sum(word in cue.whole or word.startswith(cue.beginnings) for word in spoken):
                kinds.update(cue.kinds)
                votes[cue.form] = votes.get(cue.form, 0) + hits
        strongest = max(votes, key=lambda form: votes[form]) if votes else ""
        if self.asking:
            return kinds, strongest or "fact"
        return kinds, f"scene with {strongest}" if strongest else "scene"

    def _intent(self, about: Sequence[str]) -> str:
        """What to search for: the request without its instructions, and the names that were recovered."""
        if self.asking:
            return self.request.text
        content = [word for word in tokens(self.request.text) if word not in _instructions()]
        recovered = [self.scope.names(one) for one in about if one not in self.named]
        return " ".join([*content, *recovered]) or self.request.text


class _Cue(NamedTuple):
    """Words and beginnings of words that call for kinds of need, and the evidence form they vote for."""

    whole: frozenset[str]
    beginnings: tuple[str, ...]
    kinds: tuple[str, ...]
    form: str


@cache
def _cues() -> tuple[_Cue, ...]:
    return tuple(_cue(**row) for row in cue_tables()["cue"])


def _cue(words: Sequence[str], kinds: Sequence[str], form: str) -> _Cue:
    whole = frozenset(one for one in words if len(one) <= WHOLE_WORD)
    return _Cue(whole, tuple(one for one in words if one not in whole), tuple(kinds), form)


def _stems(text: str) -> set[str]:
    return {stem(word) for word in tokens(text) if word not in _instructions() and len(word) > 2}


@cache
def _instructions() -> frozenset[str]:
    return frozenset(cue_tables()["intent"]["skip"])
