"""What the scenes of gold need, in contexts of 1,500 tokens: as planned by rule, and as a mind chose the lines that was shown some 8,000 tokens.

A page has what `context --with-model` shows, and nothing of gold but the request. Recorded choices are replayed like answers (`asked.py`); a
line that is no longer shown is left out of them. Whoever judges by eye gets needs and contexts side by side (`--judges FOLDER`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from bench.minds.asked import lay_out, opened, take_in
from bench.minds.minds_gold import GoldStory, needs_of_another
from bench.minds.needs_met import TellingContext
from narraworld.models.planner import choosing_with
from narraworld.models.recordings import CarriedOver, Replay
from narraworld.query.memory.needs import MemoryContext

if TYPE_CHECKING:
    from narraworld.query.memory.by_mind.scene_shown import ChoosingMind
    from narraworld.world import World

__all__ = ["judged_needs", "lay_out_for_judges", "lay_out_scenes"]

Judged: TypeAlias = Iterator[tuple[str, int, str]]  # what is counted, how much, and what to say of it

BUDGET = 1500
SCENES = "scenes"  # the folder of their pages
KINDS, SIDES = ("by rules", "chosen"), ("a", "b")
JUDGING = """For each need say whether a writer who has only the context under it could know it from it: true or false. Names and pronouns may be put
together from several lines; what is only half there, or would have to be guessed, is not met. Answer into {file} beside this page, one JSON
object of all needs: {{"1.1": true, "1.2": false, …}}
"""


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


# -- judged by eye


def lay_out_for_judges(world: World, story: GoldStory, folder: Path) -> str:
    """Two pages of a story's needs with contexts, by rule and as chosen, mixed by scene so that no judge knows which is which; where both
    were judged, how many needs of each kind are met."""
    folder.mkdir(parents=True, exist_ok=True)
    minds = dict(zip(KINDS, (None, _recorded(story)), strict=True))
    pages = {side: [JUDGING.format(file=f"{story.name}-{side}.json")] for side in SIDES}
    for number, need in enumerate(story.of("need"), 1):
        for side, kind in _sides(story, number):
            pages[side] += _to_judge(number, need, _context(world, need, minds[kind]))
    for side, parts in pages.items():
        (folder / f"{story.name}-{side}.md").write_text("\n".join(parts), encoding="utf-8")
    met = _judged_by_eye(story, folder)
    said = ", ".join(f"{kind} {met[kind]} of {met['all']} met" for kind in KINDS) if met else "not judged yet"
    return f"{story.name}: {said} by eye"


def _sides(story: GoldStory, number: int) -> list[tuple[str, str]]:
    """On which page each kind of context of a scene stands."""
    turned = sha256(f"{story.name} {number}".encode()).digest()[0] % 2
    return [*zip(SIDES, reversed(KINDS) if turned else KINDS, strict=True)]


def _to_judge(number: int, need: Mapping[str, Any], context: MemoryContext) -> Iterator[str]:
    yield f"## Scene {number}\n\nRequest: {need['scene']}\n"
    yield from (f"{number}.{nth}. {fact}" for nth, fact in enumerate(need["facts"], 1))
    yield f"\nContext of scene {number}:\n\n```\n{context.text}```\n"


def _judged_by_eye(story: GoldStory, folder: Path) -> Counter[str]:
    """How many needs are met by each kind of context; nothing until both pages are judged."""
    files = {side: folder / f"{story.name}-{side}.json" for side in SIDES}
    found = Counter[str]()
    if not all(file.is_file() for file in files.values()):
        return found
    said = {side: json.loads(file.read_text(encoding="utf-8")) for side, file in files.items()}
    for number, need in enumerate(story.of("need"), 1):
        found["all"] += len(need["facts"])
        for side, kind in _sides(story, number):
            found[kind] += sum(said[side][f"{number}.{nth}"] for nth in range(1, len(need["facts"]) + 1))
    return found
