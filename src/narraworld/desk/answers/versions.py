"""History: every reading that was kept, and what a later one changed in the world, not in the letters."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from narraworld.query.moments import revision_of

if TYPE_CHECKING:
    from narraworld.desk.answers.seen_story import SeenStory

__all__ = ["difference_json", "history", "log_json"]


def history(seen: SeenStory, before: str | None = None, after: str | None = None) -> dict[str, Any]:
    """The log, and the difference between two revisions where two are named."""
    seen.authors_only("the history")
    told = {chapter.unit for chapter in seen.ruler.told}
    log = [one for one in log_json(seen) if not seen.situation.told or one["unit"] in told]
    first, last = revision_of(before), revision_of(after)
    diff = _between(seen, first, last)
    titles = {one["unit"]: one["title"] for one in log if one["title"]}
    changed = [titles.get(unit, unit) for unit in diff["units"]] if diff else []
    return {"log": log, "from": first, "to": last, "diff": diff, "changed": changed}


def _between(seen: SeenStory, first: int | None, last: int | None) -> dict[str, Any] | None:
    """Nothing where one of the two is not named, or the telling is cut: what came later would show."""
    if first is None or last is None or seen.situation.told:
        return None
    return difference_json(seen, first, last)


def log_json(seen: SeenStory) -> list[dict[str, Any]]:
    """What was committed, oldest first."""
    store, branch = seen.world.store, seen.situation.branch
    return [
        {"revision": entry.revision, "unit": entry.unit, "kind": str(entry.kind), "sha": entry.body_sha[:12],
         "title": store.of_unit(entry, "title") if not entry.retracted else None, "note": entry.note}
        for entry in seen.world.log(branch)
    ]  # fmt: skip


def difference_json(seen: SeenStory, before: int, after: int) -> dict[str, Any]:
    return asdict(seen.world.diff(before, after, seen.situation.branch))
