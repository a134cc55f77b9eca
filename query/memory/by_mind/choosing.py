"""Memory for the next scene as a mind at hand chooses it among lines that it is shown; what it leaves room for is packed as planned.

One question, laid out from this situation alone. A need that no line meets is looked for once more by its words, and reported. Knows no provider.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from narraworld.base.settings import DEFAULTS, ChoosingSettings, RetrievalSettings
from narraworld.base.undisturbed import undisturbed
from narraworld.kb.search.search_words import analyse
from narraworld.query.memory.assemble import assemble
from narraworld.query.memory.by_mind.chosen import ChosenLines, chosen_lines
from narraworld.query.memory.by_mind.offered import matter_of, offered
from narraworld.query.memory.by_mind.scene_shown import SceneShown
from narraworld.query.memory.lines.fitted import moment_of_scope
from narraworld.query.memory.lines.given_lines import lines_table
from narraworld.query.memory.lines.held_matters import HELD
from narraworld.query.memory.needs import FoundRecord, MemoryContext, MemoryPlan, Need, Unmet
from narraworld.query.memory.retrieve import Retrieved, retrieve
from narraworld.query.memory.tokens import counter
from narraworld.query.shown.item_lines import ItemLines

if TYPE_CHECKING:
    from narraworld.query.memory.by_mind.offered import Offered
    from narraworld.query.memory.by_mind.scene_shown import ChoosingMind
    from narraworld.query.memory.drafting import Request
    from narraworld.query.scope import Scope

__all__ = ["memory_by_mind"]

AGAIN = "looked for again"


def memory_by_mind(
    request: Request,
    scope: Scope,
    plan: MemoryPlan,
    budget: int,
    mind: ChoosingMind,
    usual: RetrievalSettings,
    settings: ChoosingSettings = DEFAULTS.memory.choosing,
) -> MemoryContext:
    """What the mind names, then what is found for the needs that nothing shown meets, then what the plan would pack anyway."""
    with undisturbed(), scope.steady():
        planned = retrieve(scope, plan, usual)
        lines = offered(retrieve(scope, plan, _wide(usual, settings)).found, plan, scope, settings)
        shown = _shown(request, plan, scope, lines, planned, budget)
    if not lines:  # there is nothing to choose from
        return assemble(planned, plan, budget)
    said = mind(shown)
    with undisturbed(), scope.steady():
        chosen = chosen_lines(said, shown, lines, settings)
        again = _again(chosen, plan, scope, usual, settings)
        return _packed(chosen, again, planned, replace(plan, planner=f"{plan.planner}, {said.by}"), budget)


def _wide(usual: RetrievalSettings, settings: ChoosingSettings) -> RetrievalSettings:
    return replace(usual, candidates=settings.candidates, scenes=settings.scenes, matters=settings.matters)


def _shown(
    request: Request, plan: MemoryPlan, scope: Scope, lines: Offered, planned: Retrieved, budget: int
) -> SceneShown:
    """The question, with how many lines of usual length there is room for."""
    forms = lines_table()
    names = ", ".join(map(scope.names, plan.focal))
    told = planned.lines or ItemLines(planned.name)
    usual = sum(counter()(told(item).text) for item in lines.values()) / max(len(lines), 1)
    room = forms["room"]["tokens"].format(tokens=budget, lines=int(budget / max(usual, 1)))
    cast = forms["room"]["cast"].format(names=names) if names else forms["room"]["nobody"]
    situation = moment_of_scope(scope, forms["situation"])
    return SceneShown(request.text, situation, cast, room, tuple(lines), request.passage, request.outline)


def _again(
    chosen: ChosenLines, plan: MemoryPlan, scope: Scope, usual: RetrievalSettings, settings: ChoosingSettings
) -> list[FoundRecord]:
    """The best that search has for each need that nothing shown meets."""
    if not chosen.unmet:
        return []
    words = "; ".join(need.words for need in chosen.unmet)
    found = retrieve(scope, MemoryPlan(plan.form, plan.focal, words, chosen.unmet, AGAIN), usual).found
    several = [(need, [one for one in found if _speaks_of(one, need)]) for need in chosen.unmet]
    return [
        FoundRecord(one.item, settings.again / (1 + nth), frozenset({need.name}), (AGAIN,))
        for need, some in several
        for nth, one in enumerate(some[: settings.found])
    ]


def _speaks_of(one: FoundRecord, need: Need) -> bool:
    """Whether it was found for a need and has a word of it: something is always the nearest."""
    return need.name in one.needs and bool(set(analyse(one.item.words)) & set(analyse(need.words)))


def _packed(
    chosen: ChosenLines, again: Sequence[FoundRecord], planned: Retrieved, plan: MemoryPlan, budget: int
) -> MemoryContext:
    """All in one page; what is named is said once."""
    held = {matter_of(one.item) for one in chosen.found if one.item.key.startswith(HELD)}
    found = {one.item.key: one for one in chosen.found}
    for one in (*again, *planned.found):
        if matter_of(one.item) not in held:
            found.setdefault(one.item.key, one)
    found_again = {name for one in again for name in one.needs}
    unmet = tuple(_unmet(need, need.name in found_again) for need in chosen.unmet)
    packed = assemble(
        replace(planned, found=tuple(found.values()), unmet=(*unmet, *planned.unmet)),
        replace(plan, needs=(*chosen.met, *chosen.unmet, *plan.needs)),
        budget,
    )
    return replace(packed, notes=(*packed.notes, *chosen.notes))


def _unmet(need: Need, again: bool) -> Unmet:
    looked = "the nearest that search has is there" if again else "search has nothing on it"
    return Unmet(need.name, f"nothing that was shown meets it; {looked}")
