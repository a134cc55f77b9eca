"""What stands around every screen: the rail, the ruler, the choices of the situation. Values for the templates; decides nothing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from narraworld.base.settings import DEFAULTS
from narraworld.desk.answers.people import people
from narraworld.desk.answers.seen_story import ADDRESSED
from narraworld.web.screens import rail
from narraworld.web.templating import link_to

if TYPE_CHECKING:
    from starlette.requests import Request

    from narraworld.desk.answers.seen_story import SeenStory
    from narraworld.query.figures.ruler import StoryRuler
    from narraworld.web.screens import Screen
    from narraworld.web.site import Site

__all__ = ["framed"]

NAMED, NUMBERED = 12, 40  # chapters that the ruler shows with names, and with numbers
WIDEST = 8  # scenes for which a chapter is drawn wider


def framed(site: Site, seen: SeenStory | None, screen: Screen, request: Request) -> dict[str, Any]:
    """Everything that base.html needs."""
    theme = request.cookies.get("theme", "")
    address = dict(seen.address) if seen else {}
    free = {name: value for name, value in address.items() if name not in site.pins.held()}
    latest = site.desk.kept.latest
    return {
        "story": site.desk.world.path.resolve().name, "screen": screen, "rail": rail(seen), "seen": seen,
        "ruler": seen.ruler if seen else None, "density": _density(seen.ruler) if seen else "", "widest": WIDEST, "glance": DEFAULTS.surfaces.web.glance,
        "link": partial(link_to, address=free), "path": request.url.path, "address": free,
        "picks": _picks(site, seen) if seen else {}, "kept": _kept(request),
        "theme": theme if theme in ("light", "dark") else "", "form": site.seal.word, "writes": site.writes,
        "revision": seen.revision if seen else site.desk.revision,
        "found": len(latest.findings) if latest and seen and not seen.is_narrowed and not seen.situation.at else None,
        "here": request.url.path + (f"?{request.url.query}" if request.url.query else ""),
        "twin": screen.twin.split("{")[0] if "{" in screen.twin else screen.twin, "reading": latest is None and not site.pins,
    }  # fmt: skip


def _density(ruler: StoryRuler) -> str:
    many = len(ruler.chapters)
    return "named" if many <= NAMED else "numbered" if many <= NUMBERED else "dense"


def _kept(request: Request) -> dict[str, str]:
    """What an address says besides the situation: it stays when the situation changes."""
    return {name: value for name, value in request.query_params.items() if name not in ADDRESSED}


def _picks(site: Site, seen: SeenStory) -> dict[str, list[tuple[str, str, bool]]]:
    """Choices as (value, words, chosen); a pinned part has none."""
    held, situation = site.pins.held(), seen.situation
    picks = dict[str, list[tuple[str, str, bool]]]()
    if "at" not in held:
        now = seen.ruler.now
        scenes = [(one.moment, one.short, n == now) for n, one in enumerate(seen.ruler.scenes)]
        picks["at"] = [("", "the end", situation.at is None), *scenes]
    if "told" not in held:
        last = seen.ruler.told[-1].n if seen.ruler.told else None
        chapters = [
            (one.moment, f"to the end of ch {one.n}", situation.told is not None and one.n == last)
            for one in seen.ruler.chapters
        ]
        picks["told"] = [("", "the whole story", situation.told is None), *chapters]
    if "as" not in held:
        mine = seen.scope.focalizer
        minds = [(one["name"], one["name"], one["id"] == mine) for one in people(seen)]
        picks["as"] = [("", "nobody’s eyes", mine is None), *minds]
    if not seen.is_narrowed:
        names = [one.name for one in site.desk.world.branches()]
        picks["branch"] = [
            ("", "the story", situation.branch == "main"),
            *((n, n, n == situation.branch) for n in names),
        ]
    return picks
