"""Planning with a model: the port. What a model is shown, and what becomes of what it says.

Knows no provider: whoever answers is a function handed in. The model sees names and small numbers, never ids; what it names is
looked up in the situated world and what is not there is left out. Two variants, as in the paper: with the preview of
memory, or with the request alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, TypeAlias

from narraworld.query.ask.slots import is_mind
from narraworld.query.memory.drafting import Draft, PlanSettings, Request, named_in, plan_of
from narraworld.query.memory.lines.given_lines import fenced
from narraworld.query.memory.needs import MemoryPlan, Need
from narraworld.query.memory.preview import Preview, Strand

if TYPE_CHECKING:
    from narraworld.query.memory.context import Planner
    from narraworld.query.scope import Scope

__all__ = ["Choose", "Chosen", "Wanted", "model_planner"]

KINDS = ("state", "belief", "knowledge", "event", "thread", "possibility", "relation", "place", "time")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A need as a model words it."""

    kind: str
    about: tuple[str, ...] = ()
    words: str = ""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a model decided: evidence form, whom it turns on, which entries of the preview, what to search for, what is missing."""

    form: str
    focal: tuple[str, ...]
    query: str
    selected: tuple[int, ...] = ()
    needs: tuple[Wanted, ...] = ()


Choose: TypeAlias = Callable[[str, str], Chosen]
"""Asks a model with a system and a user message."""


def model_planner(choose: Choose, *, with_preview: bool, settings: PlanSettings | None = None) -> Planner:
    """A planner that asks a model; its needs become the same rule queries as those of the rules."""
    bounds = settings or PlanSettings()

    def plan(request: Request, scope: Scope, preview: Preview) -> MemoryPlan:
        entries = _entries(preview) if with_preview else []
        chosen = choose(
            _prompt("planning"), _request_text(request, preview if with_preview else None, entries)
        )
        return plan_of(_draft(chosen, entries, scope, with_preview), request, scope, preview, bounds)

    return plan


# -- what a model is shown


def _request_text(request: Request, preview: Preview | None, entries: list[Strand | str]) -> str:
    parts = {"request": request.text, "passage": request.passage, "outline": request.outline}
    if preview is not None:
        parts["memory"] = "\n".join(preview.lines())
        parts["entries"] = "\n".join(f"{nth}. {_entry_line(one)}" for nth, one in enumerate(entries, 1))
    return fenced(parts)


def _entries(preview: Preview) -> list[Strand | str]:
    """What can be selected by number: developments, then things and places."""
    return [*preview.threads, *(one.id for one in preview.things)]


def _entry_line(entry: Strand | str) -> str:
    return f"{entry.title} ({entry.kind}, {entry.status})" if isinstance(entry, Strand) else entry


@cache
def _prompt(name: str) -> str:
    return (files("narraworld.query.memory") / "prompts" / f"{name}.md").read_text(encoding="utf-8")


# -- what becomes of what it says


def _draft(chosen: Chosen, entries: list[Strand | str], scope: Scope, with_preview: bool) -> Draft:
    threads, picked = _selected(chosen, entries)
    named = dict.fromkeys([*_looked_up(chosen.focal, scope), *picked])
    minds = [one for one in named if is_mind(one, scope)]
    needs = {nth: need for nth, need in enumerate(chosen.needs, 1) if need.kind in KINDS}
    return Draft(
        chosen.form, chosen.query, tuple(minds), tuple(one for one in named if one not in minds), tuple(threads),
        frozenset(need.kind for need in needs.values()),
        tuple(_search(nth, need, scope) for nth, need in needs.items()),
        "model with preview" if with_preview else "model without preview",
    )  # fmt: skip


def _selected(chosen: Chosen, entries: list[Strand | str]) -> tuple[list[Strand], list[str]]:
    """The developments, and the things and places, that were selected by number."""
    found = [entries[nth - 1] for nth in chosen.selected if 1 <= nth <= len(entries)]
    return [one for one in found if isinstance(one, Strand)], [one for one in found if isinstance(one, str)]


def _search(nth: int, need: Wanted, scope: Scope) -> Need:
    about = tuple(_looked_up(need.about, scope))
    return Need(f"{nth}. {need.words}", need.kind, "a model asked for it", need.words, entities=about)  # type: ignore[arg-type]


def _looked_up(names: Iterable[str], scope: Scope) -> list[str]:
    return [one for name in names for one in named_in(name, scope)]
