"""What an agent may read and be asked for: resources by address, prompts by name, completions. Knows no protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from narraworld.base.errors import NarraWorldError
from narraworld.desk.answers.people import people
from narraworld.desk.answers.seen_story import NotInThisSituation, SituationPins, seen_in
from narraworld.mcp import answered

if TYPE_CHECKING:
    from narraworld.desk.answers.seen_story import SeenStory
    from narraworld.desk.story_desk import StoryDesk

__all__ = ["FIXED", "PROMPTS", "TEMPLATES", "completions", "prompt_text", "resource_text", "resources_for"]

FIXED = {"story://overview": "What there is", "story://minds": "Who knows what", "story://threads": "Threads", "story://rules": "Relations and their sentences"}  # fmt: skip
TEMPLATES = {"story://chapter/{unit}": "A chapter's text", "story://character/{id}": "One character", "story://finding/{key}": "A finding with its proof"}  # fmt: skip
AUTHORS = frozenset(
    {"story://rules", "story://chapter/{unit}", "story://finding/{key}"}
)  # the manuscript's words stand in them
PROMPTS = {
    "continuity_review": ("Go through a chapter's findings with the author", ("chapter",)),
    "next_scene": ("Write the next scene from what a mind holds", ("task", "as", "budget")),
    "stay_in_character": ("Answer as a character at a moment", ("name", "at")),
}
MOST = 100  # completions a host shows


def resources_for(pins: SituationPins) -> tuple[dict[str, str], dict[str, str]]:
    """The addresses a server with these pins has."""
    fixed, templates = (
        {uri: name for uri, name in all_.items() if not (pins.as_ and uri in AUTHORS)}
        for all_ in (FIXED, TEMPLATES)
    )
    return fixed, templates


def resource_text(desk: StoryDesk, pins: SituationPins, uri: str) -> str:
    """What is to be read at an address."""
    seen = seen_in(desk, {}, pins)
    kind, _, name = uri.removeprefix("story://").partition("/")
    if pins.as_ and (f"story://{kind}" in AUTHORS or kind in ("chapter", "finding")):
        raise NotInThisSituation(f"there is no {uri} here")
    if kind not in TEXTS:
        raise NotInThisSituation(f"there is no {uri}", fix=f"there are: {', '.join((*FIXED, *TEMPLATES))}")
    return TEXTS[kind](seen, name)


def _rules(seen: SeenStory) -> str:
    told = (one for one in seen.scope.engine.program.relations.values() if one.doc and not one.auxiliary)
    return "\n".join(sorted(one.doc for one in told))


TEXTS: Mapping[str, Callable[[SeenStory, str], str]] = {
    "overview": lambda seen, _: answered.overview(seen, {})[0],
    "minds": lambda seen, _: answered.knows(seen, {"limit": 10_000})[0],
    "threads": lambda seen, _: answered.threads(seen, {"limit": 10_000})[0],
    "chapter": lambda seen, name: answered.passage(seen, {"of": name})[0],
    "character": lambda seen, name: answered.character(seen, {"name": name})[0],
    "finding": lambda seen, name: answered.why(seen, {"goal": name})[0],
    "rules": lambda seen, _: _rules(seen),
}  # what stands at an address, by its first word


def prompt_text(desk: StoryDesk, pins: SituationPins, name: str, given: Mapping[str, str]) -> str:
    """What is said to the model when a prompt is chosen."""
    if name not in PROMPTS:
        raise NarraWorldError(f"no prompt is called {name}", fix=f"there are: {', '.join(PROMPTS)}")
    match name:
        case "continuity_review":
            seen = seen_in(desk, {}, pins)
            found = answered.check(seen, {"limit": 100})[0]
            return (
                f"Go through what does not fit with the author of this story, chapter {given.get('chapter', '')}. For each finding "
                f"that touches it: quote both passages, say what would mend it, and ask whether it is intended.\n\n{found}"
            )
        case "next_scene":
            seen = seen_in(desk, {"as": given["as"]} if given.get("as") else {}, pins)
            budget = given.get("budget", "")
            asked = {"task": given.get("task", ""), **({"budget": int(budget)} if budget.isdecimal() else {})}
            memory = answered.context(seen, asked)[0]
            return f"Write: {given.get('task', '')}\n\nKeep to this memory; what is not in it is not known.\n\n{memory}"
    who = pins.as_ or given.get("name", "")
    seen = seen_in(desk, {"as": who, **({"at": given["at"]} if given.get("at") else {})}, pins)
    held = answered.views(seen, {"limit": 200})[0]
    return f"You are {who}. You know only what stands here; of everything else you have no idea.\n\n{held}"


def completions(desk: StoryDesk, pins: SituationPins, argument: str, begun: str) -> list[str]:
    """What an argument that was begun may become."""
    known = dict.fromkeys(_known(seen_in(desk, {}, pins), argument))
    return [one for one in known if begun.casefold() in one.casefold()][:MOST]


def _known(seen: SeenStory, argument: str) -> list[str]:
    """All that an argument may be: moments, people or relations."""
    if argument in ("at", "told", "chapter", "unit", "from", "to"):
        return [scene.moment for scene in seen.ruler.scenes] + [one.moment for one in seen.ruler.told]
    if argument in ("as", "name", "who", "id"):
        return [one["name"] for one in people(seen)]
    if argument in ("text", "goal") and not seen.eyes:
        return sorted(one.name for one in seen.scope.engine.program.relations.values() if not one.auxiliary)
    return []
