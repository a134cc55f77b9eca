"""What an editor shows of a place in the text: who this is, what they know at this point of the telling, what was read from these words.

Asks the desk with `told` at the cursor's own scene, so that a hover never knows more than the reader of that line. Knows no protocol.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from narraworld.base.errors import NarraWorldError
from narraworld.base.settings import DEFAULTS
from narraworld.desk.answers.people import one_person
from narraworld.desk.answers.seen_story import SeenStory, seen_in
from narraworld.lsp.places_in_files import FileRange, ranges_of, spot_in_unit
from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.desk.story_desk import StoryDesk

__all__ = ["hover_text", "mentions", "named_at", "outline", "people_and_things"]

KNOWN = DEFAULTS.surfaces.editor.known


def _told_here(desk: StoryDesk, unit: str, offset: int) -> SeenStory:
    """The story as far as it is told at this place."""
    whole = seen_in(desk, {})
    scenes = sorted(
        (int(start), int(end)) for _, _, start, end in rows(whole.scope.engine, "scene", None, unit)
    )
    nth = next((n for n, (start, end) in enumerate(scenes, 1) if start <= offset <= end), 0)
    return seen_in(desk, {"told": f"{unit} scene {nth}" if nth and len(scenes) > 1 else unit})


def named_at(desk: StoryDesk, word: str) -> str | None:
    """The one person, thing or place that a word names; None where that is nobody, or several."""
    with desk.world.story.turn:
        found = desk.world.scope().resolver.named(word)
    return found.candidates[0] if found and len(found.candidates) == 1 else None


def hover_text(desk: StoryDesk, path: Path, line: int, column: int, word: str) -> str | None:
    """Three lines about a name; of other words, what was read from them."""
    with desk.world.story.turn:
        spot = spot_in_unit(desk.world.scope(), desk.world.path, path, line, column)
    if spot is None:
        return None
    seen = _told_here(desk, *spot)
    who = named_at(desk, word) if word[:1].isupper() else None
    if who is not None:
        try:
            return "\n\n".join(_about(seen, who))
        except NarraWorldError:
            return None
    records = _records_at(seen, *spot)
    return "\n\n".join(records) or None


def _about(seen: SeenStory, who: str) -> Iterator[str]:
    kinds = {str(kind) for _, kind in rows(seen.scope.engine, "entity", who)}
    return _about_person(seen, who) if kinds & {"character", "group"} else _about_thing(seen, who, kinds)


def _about_thing(seen: SeenStory, who: str, kinds: set[str]) -> Iterator[str]:
    facts = seen.world.views(seen.situation).facts
    yield f"**{seen.scope.names(who)}** ({', '.join(sorted(kinds)) or 'thing'})"
    if about := [f"- {one.words}" for one in facts if who in one.proposition.split(".")]:
        yield "\n".join(about)


def _about_person(seen: SeenStory, who: str) -> Iterator[str]:
    found = one_person(seen, who)
    also = ", ".join(found["names"][1:])
    yield f"**{found['name']}**" + (f", also {also}" if also else "")
    if found["facts"]:
        yield "; ".join(one["words"] for one in found["facts"][:KNOWN])
    if found["beliefs"]:
        yield "\n".join(f"- {one['says']}" for one in found["beliefs"][-KNOWN:])


def _records_at(seen: SeenStory, unit: str, offset: int) -> list[str]:
    """What was read from the words at this place."""
    engine, found = seen.scope.engine, list[str]()
    for span, _, start, end in rows(engine, "span", None, unit):
        if int(start) <= offset < int(end):
            for record, _ in rows(engine, "evidence", None, str(span)):
                kinds = rows(engine, "instance", str(record))
                if kinds:
                    found.append(f"{str(kinds[0][1]).lower()}: {seen.scope.names(str(record))}")
    return list(dict.fromkeys(found))[:KNOWN]


# -- where else


def mentions(desk: StoryDesk, symbol: str) -> list[FileRange]:
    """Where somebody or something is named or spoken of, in the order of the telling."""
    with desk.world.story.turn:
        scope = desk.world.scope()
        orders = {str(unit): int(order) for unit, order in rows(scope.engine, "unit")}
        records = [str(record) for record, node in rows(scope.engine, "refers", None, symbol)]
        quotes = {quote for record in (symbol, *records) for quote in scope.quotes(record)}
        placed = sorted(quotes, key=lambda one: (orders.get(one.unit, 0), one.start))
        found = (ranges_of(desk.world, scope, one.unit, one.start, one.end) for one in placed)
        return list(dict.fromkeys(one for one in found if one is not None))


def outline(desk: StoryDesk, path: Path) -> list[tuple[str, list[tuple[str, FileRange]]]]:
    """The chapters of a file, each with its scenes."""
    with desk.world.story.turn:
        scope, found = desk.world.scope(), list[tuple[str, list[tuple[str, FileRange]]]]()
        for chapter in seen_in(desk, {}).ruler.told:
            stretches = sorted(
                (int(a), int(b)) for _, _, a, b in rows(scope.engine, "scene", None, chapter.unit or "")
            )
            ranged = [ranges_of(desk.world, scope, chapter.unit or "", a, b) for a, b in stretches]
            mine = [
                (f"scene {n}", one) for n, one in enumerate(ranged, 1) if one and one.path == path.resolve()
            ]
            if mine:
                found.append((chapter.title, mine))
        return found


def people_and_things(desk: StoryDesk, wanted: str) -> list[tuple[str, str, FileRange]]:
    """Names that contain these letters: who or what it is, its kind, and its first place."""
    with desk.world.story.turn:
        scope = desk.world.scope()
        named = [(str(entity), str(kind)) for entity, kind in rows(scope.engine, "entity")]
        named += [(str(thread), str(kind)) for thread, kind in rows(scope.engine, "development")]
        found = list[tuple[str, str, FileRange]]()
        for symbol, kind in named:
            name = scope.names(symbol)
            places = mentions(desk, symbol) if wanted.casefold() in name.casefold() else []
            found += [(name, kind, places[0])] if places else []
        return found
