"""Who is with whom, scene by scene, and told against happened, for a situation; through no character's eyes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from narraworld.query.figures.scene_company import map_values

if TYPE_CHECKING:
    from narraworld.desk.answers.seen_story import SeenStory

__all__ = ["story_map"]


def story_map(
    seen: SeenStory, order: str = "told", follow: str = "", *, everybody: bool = False
) -> dict[str, Any]:
    """Scenes as columns, people as lines, and who stands together in each column."""
    seen.authors_only("the story map")
    with seen.world.story.turn:
        return map_values(seen.scope, seen.ruler, order, follow, everybody=everybody)
