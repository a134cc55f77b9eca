"""What the scenes of gold need, in contexts of 1,500 tokens: as planned by rule, and as a mind chose the lines that was shown some 8,000 tokens.

A page has what `context --with-model` shows, and nothing of gold but the request. Recorded choices are replayed like answers (`asked.py`); a
line that is no longer shown is left out of them. Who judges by eye gets need and context side by side (`by_eye`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from bench.minds.asked import lay_out, opened, take_in
from bench.minds.minds_gold import GoldStory, needs_of_another
from bench.minds.needs_met import TellingContext
from narraworld.models.planner import choosing_with
from narraworld.models.recordings import CarriedOver, Replay
from narraworld.query.memory.needs import MemoryContext

if TYPE_CHECKING:
    from narraworld.query.memory.by_mind.shown import ChoosingMind
    from narraworld.world import World

__all__ = ["by_eye", "judged_needs", "lay_out_scenes"]

Judged: TypeAlias = Iterator[tuple[str, int, str]]  # what is counted, how much, and what to say of it

BUDGET = 1500
SCENES = "scenes"  # the folder of their pages


def lay_out_scenes(world: World, story: GoldStory, pages: Path) -> str:
    """The pages of a story's scenes; what was chosen for them is recorded beside its gold."""
    folder = pages / SCENES
    for number, need in enumerate(story.of("need"), 1):
        lay_out(folder, number, partial(_context, world, need), choosing_with)
    many = take_in(folder, story.chosen_file)
    return f"{story.name}: {many} of {len(story.of('need'))} scenes chosen for in {folder}"


def judged_needs(world: World, story: GoldStory, reading: str) -> Judged:
    """By rule alone, and of a model's reading as a mind chose that was shown the same, where that was recorded."""
    mind = _recorded(story) if reading == "model" else None
    for need in story.of("need"):
        planned = _context(world, need)
        yield from _judged(need, planned, story, "needs_by_rules" if mind else "needs")
        if mind:
            chosen = _context(world, need, mind)
            yield "chosen", 1, "; ".join(chosen.notes)
            yield from _judged(need, chosen, story, "needs")


def _recorded(story: GoldStory) -> ChoosingMind | None:
    file = story.chosen_file
    return choosing_with(lambda: opened(CarriedOver(file, Replay(file)))) if file.is_file() else None


def _context(world: World, need: Mapping[str, Any], mind: ChoosingMind | None = None) -> MemoryContext:
    return world.context(need["scene"], at=need["after"], budget=BUDGET, mind=mind)


def _judged(need: Mapping[str, Any], context: MemoryContext, story: GoldStory, part: str) -> Judged:
    told = TellingContext(context.text)
    for fact in need["facts"]:
        met = told.in_a_line(fact)
        yield part, 1, "" if met else fact
        yield f"{part} right", met, ""
        yield f"{part}_in_a_sentence", 1, ""
        yield f"{part}_in_a_sentence right", told.in_a_sentence(fact), ""
    for fact in needs_of_another(story):
        yield f"{part}_of_others", 1, ""
        yield f"{part}_of_others right", told.in_a_line(fact), ""


def by_eye(world: World, story: GoldStory, *, chosen: bool) -> Iterator[str]:
    """Each scene's needs and the context, as a page for whoever says of each need whether it is met."""
    mind = _recorded(story) if chosen else None
    for number, need in enumerate(story.of("need"), 1):
        yield f"## Scene {number} of {story.name}\n\nRequest: {need['scene']}\n\n### Needs\n"
        yield from (f"{number}.{nth}. {fact}" for nth, fact in enumerate(need["facts"], 1))
        yield f"\n### Context\n\n```\n{_context(world, need, mind).text}```\n"
