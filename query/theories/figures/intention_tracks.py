"""Story Intention Graphs as tracks: the time line below, and over it one track for each thing that is wanted or believed.

A mark on a track says what the clause under it does to that content: declares it, tries for it, makes it, ends it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from narraworld.query.theories.figures.drawing import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    RED,
    Drawing,
    Figure,
    short,
)

if TYPE_CHECKING:
    from narraworld.query.theories.analysis import Analysis

__all__ = ["draw"]

LEFT, STEP, TALL = 250.0, 92.0, 34.0
MARKS = (
    ("sig_interpreted_as", GREY, "declares"),
    ("sig_attempt_to_cause", BLUE, "tries for"),
    ("sig_attempt_to_prevent", ORANGE, "tries against"),
    ("sig_actualizes", GREEN, "makes"),
    ("sig_ceases", RED, "ends"),
)


def draw(analysis: Analysis) -> Figure:
    """Clauses from left to right in story time, a track for each content of each frame."""
    clauses = _clauses(analysis)
    tracks = [(str(frame), str(content)) for content, frame in analysis.rows("sig_interp_node_in")]
    sheet = Drawing(
        f"{analysis.story}: what is wanted, believed, tried",
        "one track for each content of a frame; clauses in story time",
    )
    base = TALL * (len(tracks) + 1)
    across = {clause: LEFT + at * STEP for at, clause in enumerate(clauses)}
    _time_line(sheet, analysis, across, base)
    for at, (frame, content) in enumerate(tracks):
        _track(sheet, analysis, frame, content, TALL * (at + 0.5), across)
    sheet.legend(base + 78, [(colour, words) for _, colour, words in MARKS])
    return sheet.figure()


def _clauses(analysis: Analysis) -> list[str]:
    """The clauses in story time: one comes after all that lie before it."""
    before: dict[str, int] = {}
    for _, later in analysis.rows("sig_followed_by_transitive"):
        before[str(later)] = before.get(str(later), 0) + 1
    lines = [str(one) for one, kind in analysis.rows("sig_type") if kind == "timelineProposition"]
    return sorted(lines, key=lambda one: (before.get(one, 0), one))


def _time_line(sheet: Drawing, analysis: Analysis, across: dict[str, float], base: float) -> None:
    sheet.line(LEFT - 20, base, LEFT + STEP * len(across), base, colour=GREY, arrow=True)
    for at, (clause, x) in enumerate(across.items()):
        words = analysis.scope.names(clause)
        sheet.line(x, 0, x, base, colour="#e6e6e6")
        sheet.circle(x, base, 4, fill=BLACK, hint=words)
        sheet.text(x - 8, base + 18 + 14 * (at % 3), short(words, 40), size=10)


def _track(
    sheet: Drawing, analysis: Analysis, frame: str, content: str, y: float, across: dict[str, float]
) -> None:
    kinds = {str(one): str(kind) for one, kind in analysis.rows("sig_type")}
    owners = [analysis.scope.names(str(who)) for one, who in analysis.rows("sig_agent") if one == frame]
    believed = kinds.get(frame) == "beliefBox"
    said = "believes" if believed else "wants"
    sheet.text(0, y + 4, short(f"{', '.join(owners)} {said}: {analysis.scope.names(content)}", 38), size=11)
    sheet.line(LEFT - 20, y, LEFT + STEP * len(across) - 30, y, colour=GREY, dashed=believed)
    seen: dict[str, int] = {}
    for relation, colour, words in MARKS:
        for clause, touched in analysis.rows(relation):
            if str(clause) in across and touched in (frame, content):
                beside = seen.get(str(clause), 0)
                seen[str(clause)] = beside + 1
                sheet.circle(across[str(clause)] + 13 * beside, y, 6, fill=colour, hint=words)
                sheet.text(
                    across[str(clause)] + 13 * beside,
                    y + 3.5,
                    words[0],
                    size=9,
                    colour="#ffffff",
                    anchor="middle",
                )
