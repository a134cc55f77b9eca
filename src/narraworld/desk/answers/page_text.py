"""A chapter as the author sees it: its lines, with what was read, what was not, and what does not fit marked in them.

Offsets are in the canonical text, lines in the file: the source map leads from one to the other, no quote is searched for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from narraworld.desk.answers.overview import finding_shown
from narraworld.desk.answers.seen_story import NotInThisSituation
from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.desk.answers.seen_story import SeenStory

__all__ = ["TextLine", "excerpt", "page_text", "text_lines"]


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of the file that has words, and where it begins in the canonical text."""

    n: int
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def text_lines(seen: SeenStory, unit: str) -> list[TextLine]:
    """The lines of a chapter, as far as it is told."""
    chapter = next((one for one in seen.ruler.told if one.unit == unit), None)
    if chapter is None:
        raise NotInThisSituation(f"no chapter is called {unit} here")
    snapshot = seen.world.store.snapshot(seen.situation.revision, seen.situation.branch)
    text = seen.world.store.text(snapshot[unit])
    return [line for line in _lines(seen, unit, text) if line.start < _told_to(seen, unit, len(text))]


def _told_to(seen: SeenStory, unit: str, length: int) -> int:
    """Where the telling stops in this chapter."""
    chapter = next(one for one in seen.ruler.told if one.unit == unit)
    whole = chapter.scenes[0].scenes if chapter.scenes else 1
    if len(chapter.scenes) == whole:
        return length + 1
    ends = {str(scene): int(end) for scene, _, _, end in rows(seen.scope.engine, "scene", None, unit)}
    return ends.get(chapter.scenes[-1].id, 0)


def _lines(seen: SeenStory, unit: str, text: str) -> Iterator[TextLine]:
    start = 0
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield TextLine(seen.passage(unit, start, start + len(line), "")["line"] or number, start, line)
        start += len(line) + 1


def page_text(seen: SeenStory, unit: str) -> dict[str, Any]:
    """A chapter with its marks; findings stand beside the line of their words."""
    seen.authors_only("the manuscript")
    lines = text_lines(seen, unit)
    marks = [*_evidence(seen, unit), *_unread(seen, unit)]
    beside: dict[int, list[dict[str, Any]]] = {}
    for finding in (each for one in seen.desk.report(seen.situation).findings for each in one.each()):
        for passage in (one for one in finding.passages if one.unit == unit):
            kind = finding.rule.severity
            marks.append(
                {
                    "start": passage.start,
                    "end": passage.end,
                    "kind": "finding",
                    "severity": kind,
                    "key": finding.key,
                }
            )
            line = next((one for one in lines if one.start <= passage.start <= one.end), None)
            if line is not None:
                beside.setdefault(line.n, []).append(
                    _noted(seen, finding_shown(seen, finding), passage.start)
                )
    snapshot = seen.world.store.snapshot(seen.situation.revision, seen.situation.branch)
    return {
        "unit": unit, "title": seen.ruler.title(unit), "chapter": seen.ruler.number(unit),
        "file": seen.passage(unit, lines[0].start, lines[0].end, "")["file"] if lines else None,
        "lines": [{"n": line.n, "text": line.text} for line in lines],
        "marks": [mark for one in marks for mark in _in_lines(one, lines)],
        "findings": [{"line": n, **one} for n, found in sorted(beside.items()) for one in found],
        "words": sum(len(line.text.split()) for line in lines),
        "order": snapshot[unit].order,
    }  # fmt: skip


def _noted(seen: SeenStory, finding: dict[str, Any], here: int) -> dict[str, Any]:
    """The finding with the passages that stand elsewhere."""
    return finding | {"elsewhere": [one for one in finding["passages"] if one["start"] != here]}


def _evidence(seen: SeenStory, unit: str) -> Iterator[dict[str, Any]]:
    engine = seen.scope.engine
    spans = {str(span): (int(start), int(end)) for span, _, start, end in rows(engine, "span", None, unit)}
    for record, span in rows(engine, "evidence"):
        if str(span) in spans and (kinds := rows(engine, "instance", str(record))):
            start, end = spans[str(span)]
            yield {
                "start": start,
                "end": end,
                "kind": "evidence",
                "record": str(record),
                "class": str(kinds[0][1]),
            }


def _unread(seen: SeenStory, unit: str) -> Iterator[dict[str, Any]]:
    from narraworld.reading.how_read import how_read

    snapshot = seen.world.store.snapshot(seen.situation.revision, seen.situation.branch)
    how = how_read(seen.world.store, snapshot[unit])
    for one in how.coverage.unread if how else ():
        yield {"start": one.start, "end": one.end, "kind": "unread"}


def _in_lines(mark: dict[str, Any], lines: list[TextLine]) -> Iterator[dict[str, Any]]:
    """A mark in each line that it touches; ``start`` and ``end`` count from the beginning of the line."""
    rest = {name: value for name, value in mark.items() if name not in ("start", "end")}
    for line in lines:
        start, end = max(mark["start"], line.start), min(mark["end"], line.end)
        if start < end:
            yield {"line": line.n, "start": start - line.start, "end": end - line.start, **rest}


def excerpt(seen: SeenStory, unit: str, start: int) -> TextLine | None:
    """The line around an offset."""
    return next((line for line in text_lines(seen, unit) if line.start <= start <= line.end), None)
