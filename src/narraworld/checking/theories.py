"""A theory over a story that is open: the pack beside the project's rules, and the scope it is asked in.

A pack that binds properties of the ontology itself gets tables of its own, in memory; all others read the tables there are.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from narraworld.project.opened import OpenStory
from narraworld.query.situation import Situation
from narraworld.query.theories.analysis import Analysis, analysis_of
from narraworld.rules.engines.choose import EngineName
from narraworld.rules.living.living_world import LivingWorld
from narraworld.rules.packs.pack import Pack, load_pack_named

__all__ = ["analyse"]


def analyse(
    story: OpenStory, name: str | Path, situation: Situation, engine: EngineName = "auto"
) -> Analysis:
    """The pack over the story as ``situation`` sees it."""
    pack = load_pack_named(name, story.frame.program)
    scope = (_beside(story, pack) if pack.bound else story).scope(situation)
    revision = story.store.snapshot(situation.revision, situation.branch).revision
    return analysis_of(pack, scope, story=story.path.resolve().name, revision=revision, engine=engine)


class _StoryInMemory(OpenStory):
    """The story with further rules, whose tables nobody keeps."""

    def _alive(self, branch: str, folder: Path | None) -> LivingWorld:
        return super()._alive(branch, None)


def _beside(story: OpenStory, pack: Pack) -> OpenStory:
    """The world once more with the pack among its rules, opened once for each pack."""
    key = ("formalism", pack.folder)
    if key not in story.beside:
        settings = replace(story.settings, rule_files=(*story.settings.rule_files, *pack.files))
        story.beside[key] = _StoryInMemory(story.path, story.store, settings)
    return story.beside[key]
