"""Memory for the next passage: preview, plan, retrieve, assemble, in that order and nothing else.

Decides nothing itself. The planner is handed in; without one, the rules plan.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from narraworld.base.undisturbed import undisturbed
from narraworld.query.errors import BadBudget, EmptyRequest
from narraworld.query.memory.needs import MemoryContext, MemoryPlan, MemorySwitches
from narraworld.query.memory.plan import PlanSettings, Request, plain_plan, plan_by_rules
from narraworld.query.memory.preview import Preview, preview_of

if TYPE_CHECKING:
    from narraworld.query.memory.by_mind.scene_shown import ChoosingMind
    from narraworld.query.scope import Scope

__all__ = ["Planner", "memory_for"]

ANSWERS = 12  # of one rule query: a plan has dozens of them

Planner: TypeAlias = Callable[[Request, "Scope", Preview], MemoryPlan]


def memory_for(
    request: Request,
    scope: Scope,
    budget: int,
    *,
    switches: MemorySwitches | None = None,
    planner: Planner | None = None,
    mind: ChoosingMind | None = None,
) -> MemoryContext:
    """What the request needs of this situation's memory, in at most ``budget`` tokens; a ``mind`` names what the scene needs first."""
    from narraworld.query.memory.assemble import assemble
    from narraworld.query.memory.retrieve import RetrievalSettings, retrieve

    if budget < 1:
        raise BadBudget(budget)
    if not request.text.strip():
        raise EmptyRequest("request")
    wanted = (switches or MemorySwitches()).for_purpose(request.purpose)
    plan = _planned(request, scope, wanted, planner)
    settings = replace(RetrievalSettings.for_budget(budget, wanted), per_goal=ANSWERS)
    if mind is not None:
        from narraworld.query.memory.by_mind.choosing import memory_by_mind

        return memory_by_mind(request, scope, plan, budget, mind, settings)
    with undisturbed(), scope.steady():  # what a request makes is kept, or gone by itself
        return assemble(retrieve(scope, plan, settings=settings), plan, budget)


def _planned(request: Request, scope: Scope, switches: MemorySwitches, planner: Planner | None) -> MemoryPlan:
    if not switches.planning:
        return plain_plan(request)
    if planner is not None:
        return planner(request, scope, scope.once(preview_of))
    with undisturbed(), scope.steady():  # what a request makes is kept, or gone by itself
        return plan_by_rules(
            request, scope, scope.once(preview_of), replace(PlanSettings(), switches=switches)
        )
