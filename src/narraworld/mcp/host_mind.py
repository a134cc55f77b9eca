"""The agent itself as the mind that says what a scene needs: it is shown the lines, names those that tell it, and gets the context.

Two calls of one tool and no model of ours. What is chosen is chosen of the very lines that were shown: where the story has changed since, it
is not taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from narraworld.base.errors import NarraWorldError
from narraworld.desk.answers import asking
from narraworld.models.planner import NeedsAnswer, said_needs
from narraworld.query.memory.by_mind.scene_shown import SaidNeeds, SceneShown

if TYPE_CHECKING:
    from narraworld.desk.answers.seen_story import SeenStory
    from narraworld.mcp.tools import ToolArguments
    from narraworld.query.memory.by_mind.scene_shown import ChoosingMind

__all__ = ["host_mind", "lines_laid_out"]

HOST = "the agent"
FORM = "Call context again with the same task and budget, shown: {mark!r} and chosen: [{{need: words, rests_on: [n]}}, …]."


def lines_laid_out(seen: SeenStory, task: str, budget: int | None) -> tuple[str, dict[str, Any], str]:
    """The lines to choose from, with what is asked about them."""
    laid: list[SceneShown] = []

    def nobody(shown: SceneShown) -> SaidNeeds:
        laid.append(shown)
        return SaidNeeds(())

    asking.context(seen, task, budget, nobody)
    if not laid:
        return "There is nothing to choose from.", {"lines": 0}, "context(task)"
    [shown] = laid
    text = "\n\n".join((shown.system, FORM.format(mark=shown.mark), shown.text))
    return text, {"lines": len(shown.lines), "shown": shown.mark}, "context(task, shown, chosen)"


def host_mind(given: ToolArguments) -> ChoosingMind | None:
    """What the agent chose, if it chose."""
    if "chosen" not in given:
        return None
    try:
        needs = NeedsAnswer.model_validate({"needs": given["chosen"]})
    except ValidationError as error:
        raise NarraWorldError(
            f"chosen has not the shape asked for: {error.errors()[0]['msg']}",
            fix="[{need: words, rests_on: [n]}, …]",
        ) from None

    def chosen(shown: SceneShown) -> SaidNeeds:
        if given.get("shown") != shown.mark:
            raise NarraWorldError(
                "these are not the lines that were shown",
                fix="the story or the request has changed: context(task, choose=true)",
            )
        return said_needs(needs, HOST)

    return chosen
