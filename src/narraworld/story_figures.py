"""What a world can draw: who is with whom over the scenes, and a number for each scene. The part of `World` that gives figures.

Asks verbs and scopes, as anybody could; decides nothing.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, Unpack, cast

from narraworld.base.atomic_files import write_whole
from narraworld.base.errors import NarraWorldError
from narraworld.query.eyes import for_authors
from narraworld.query.situation import NOW, Situation, SituationParts, situation_of

if TYPE_CHECKING:
    from narraworld.query.figures.figure import StoryFigure
    from narraworld.query.figures.ruler import StoryRuler
    from narraworld.query.scope import Scope
    from narraworld.world import World

__all__ = ["CURVES", "CurveKind", "FigureKind", "StoryFigures"]

FigureKind: TypeAlias = Literal["who", "order"]
CurveKind: TypeAlias = Literal["wrong beliefs", "open threads", "people present", "new facts"]
CURVES: tuple[CurveKind, ...] = ("wrong beliefs", "open threads", "people present", "new facts")


class StoryFigures:
    """Figures of a story; each shows itself in a notebook, and `save` writes it to a file."""

    def chart(
        self,
        kind: FigureKind = "who",
        order: Literal["told", "happened"] = "told",
        follow: str | None = None,
        situation: Situation = NOW,
        **parts: Unpack[SituationParts],
    ) -> StoryFigure:
        """Who is with whom, scene by scene (`"who"`), or the telling against what happened (`"order"`)."""
        from narraworld.query.figures.narrative_chart import narrative_chart, told_against_happened
        from narraworld.query.figures.scene_company import map_values

        there, world = _of_author(situation_of(situation, parts), "chart"), cast("World", self)
        with world.story.turn:
            drawn = map_values(world.scope(there), _ruler(world, there), order, follow or "")
        return told_against_happened(drawn) if kind == "order" else narrative_chart(drawn)

    def curve(
        self,
        kind: CurveKind = "wrong beliefs",
        situation: Situation = NOW,
        **parts: Unpack[SituationParts],
    ) -> StoryFigure:
        """A number for each scene: wrong beliefs, open threads, people present, new facts."""
        from narraworld.query.figures.curves import curve_of

        if kind not in CURVES:
            raise NarraWorldError(f"there is no curve {kind!r}", fix=f"choose from: {', '.join(CURVES)}")
        there, world = _of_author(situation_of(situation, parts), "curve"), cast("World", self)
        with world.story.turn:
            ruler = _ruler(world, there)
            values = [
                _number(world, kind, replace(there, at=scene.moment), scene.id) for scene in ruler.scenes
            ]
        return curve_of(kind, [scene.label for scene in ruler.scenes], values)

    def _export_apart(self, path: Path, situation: Situation) -> None:
        """Write what is not RDF: `.dl` is program and facts for Soufflé, `.canvas` a board for Obsidian."""
        from narraworld.query.figures.canvas import canvas_of

        world = cast("World", self)
        if path.suffix == ".dl":
            world.story.export_program(path, situation)
            return
        with world.story.turn:
            board = canvas_of(world.scope(situation))
        write_whole(path, json.dumps(board, ensure_ascii=False, indent=2) + "\n")


def _of_author(there: Situation, verb: str) -> Situation:
    for_authors(verb, there.eyes)
    return there


def _ruler(world: World, there: Situation) -> StoryRuler:
    from narraworld.query.figures.ruler import ruler_of
    from narraworld.query.moments import moment_of

    whole = world.scope(Situation(branch=there.branch, revision=there.revision))
    told = moment_of(whole.engine, there.told) if there.told is not None else None
    return ruler_of(whole, told, None)


def _number(world: World, kind: CurveKind, there: Situation, scene: str) -> float:
    """What is counted at the end of a scene."""
    from narraworld.query.figures.scene_company import company_of
    from narraworld.query.names import rows

    scope: Scope = world.scope(there)
    if kind == "wrong beliefs":
        return len({(who, what) for who, what, _ in rows(scope.engine, "mistaken")})
    if kind == "open threads":
        return len(rows(scope.engine, "open"))
    if kind == "people present":
        return sum(len(group["people"]) for group in scope.once(company_of).get(scene, ()))
    inside = rows(scope.engine, "in_scene", None, scene) or rows(scope.engine, "occurs", None, scene)
    return len({record for record, _ in inside} & _claims(scope))


def _claims(scope: Scope) -> set[object]:
    from narraworld.query.names import rows

    return {state for state, _, sign, _ in rows(scope.engine, "world_claim") if sign == "yes"}
