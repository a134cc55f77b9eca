"""A what-if beside the story: the passage it adds, and where facts, minds and threads part. Asks both; changes neither."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from narraworld.desk.answers.seen_story import NotInThisSituation
from narraworld.query.difference import Difference, compare, said_by
from narraworld.query.situation import Situation

if TYPE_CHECKING:
    from narraworld.desk.answers.seen_story import SeenStory
    from narraworld.kb.journal.branches import Branch

__all__ = ["branches", "parted", "what_if"]


def branches(seen: SeenStory) -> list[dict[str, Any]]:
    """All what-ifs."""
    seen.authors_only("what-ifs")
    return [
        {"name": one.name, "parent": one.parent, "revision": one.revision} for one in seen.world.branches()
    ]


def what_if(seen: SeenStory, name: str, against: str = "fork") -> dict[str, Any]:
    """What only the story says and what only the what-if says; against the story where they part, or as it is now."""
    seen.authors_only("a what-if")
    branch = next((one for one in seen.world.branches() if one.name == name), None)
    if branch is None:
        raise NotInThisSituation(f"no what-if is called {name}", fix="all of them: narraworld branch list")
    found, same = parted(seen, branch, against)
    return {
        "name": name, "fork": {"parent": branch.parent, "revision": branch.revision}, "against": "tip" if against == "tip" else "fork",
        "added": _added(seen, branch),
        "only_story": {view: list(lines) for view, lines in found.lost.items()},
        "only_branch": {view: list(lines) for view, lines in found.gained.items()},
        "same": same,
    }  # fmt: skip


def parted(seen: SeenStory, branch: Branch, against: str = "fork") -> tuple[Difference, dict[str, int]]:
    """How a what-if differs from the story where they part, or from its tip; and how much of each view is the same."""
    whole = Situation(at=seen.situation.at, told=seen.situation.told)
    story = replace(whole, branch=branch.parent, revision=branch.revision if against != "tip" else None)
    with seen.world.story.turn:
        here = said_by(seen.world.scope(story))
        there = said_by(seen.world.scope(replace(whole, branch=branch.name)), here)
    found = compare(here, there)
    return found, {view: len(lines) - len(found.lost[view]) for view, lines in here.lines.items()}


def _added(seen: SeenStory, branch: Branch) -> list[dict[str, Any]]:
    """The units that the what-if has and the story at the fork has not, with their words."""
    store = seen.world.store
    fork = store.snapshot(branch.revision, branch.parent)
    there = store.snapshot(branch=branch.name)
    units = store.diff(fork, there)
    return [
        {"unit": unit, "title": store.of_unit(there[unit], "title"), "text": store.text(there[unit])}
        for unit in (*units.added, *units.changed)
    ]
