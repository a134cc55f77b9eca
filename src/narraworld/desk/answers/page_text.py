"""A chapter as the author sees it: its lines, with what was read, what was not, and what does not fit marked in them.

Offsets are in the canonical text, lines in the file: the source map leads from one to the other, no quote is searched for.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from narraworld.desk.answers.overview import finding_shown
from narraworld.desk.answers.seen_story import NotInThisSituation
from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.desk.answers.seen_story import SeenStory
    from narraworld.query.checks.findings import Finding

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
    noted = [one for finding in _findings(seen) for one in _notes(seen, finding, unit, lines)]
    marks = [*_evidence(seen, unit), *_unread(seen, unit), *(mark for _, marks in noted for mark in marks)]
    snapshot = seen.world.store.snapshot(seen.situation.revision, seen.situation.branch)
    return {
        "unit": unit, "title": seen.ruler.title(unit), "chapter": seen.ruler.number(unit),
        "file": seen.passage(unit, lines[0].start, lines[0].end, "")["file"] if lines else None,
        "lines": [{"n": line.n, "text": line.text, "runs_on": runs_on} for line, runs_on in zip(lines, _runs_on(lines), strict=True)],
        "marks": [mark for one in marks for mark in _in_lines(one, lines)],
        "findings": sorted((note for note, _ in noted if note), key=lambda one: one["line"]),
        "words": sum(len(line.text.split()) for line in lines),
        "order": snapshot[unit].order,
    }  # fmt: skip


def _runs_on(lines: Sequence[TextLine]) -> list[bool]:
    """Whether the next line belongs to the same paragraph: files with hard line ends have no blank line between them."""
    return [*(one.end + 1 == other.start for one, other in itertools.pairwise(lines)), *[False][: len(lines)]]


def _findings(seen: SeenStory) -> Iterator[Finding]:
    return (each for one in seen.desk.report(seen.situation).findings for each in one.each())


def _notes(
    seen: SeenStory, finding: Finding, unit: str, lines: Sequence[TextLine]
) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """A finding beside each line that it touches, once, with the marks it has there; empty for words of a line that is not shown.

    ``anchor`` tells one place of a finding from the others on the page; the first is called by the key alone.
    """
    shown = finding_shown(seen, finding)
    here = sorted((one for one in shown["passages"] if one["unit"] == unit), key=lambda one: one["start"])
    for nth, (line, passages) in enumerate(
        itertools.groupby(here, lambda one: _line_of(lines, one["start"]))
    ):
        anchor, mine = f"{finding.key}-{nth + 1}" if nth else finding.key, list(passages)
        marks = [
            {"start": one["start"], "end": one["end"], "kind": "finding", "severity": finding.rule.severity}
            for one in mine
        ]
        elsewhere = [one for one in shown["passages"] if one not in mine]
        note = shown | {"line": line.n, "anchor": anchor, "elsewhere": elsewhere} if line else {}
        yield note, [marks[0] | {"key": anchor}, *marks[1:]]


def _line_of(lines: Sequence[TextLine], start: int) -> TextLine | None:
    return next((one for one in lines if one.start <= start <= one.end), None)


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
    text = seen.world.store.text(snapshot[unit])
    for one in how.coverage.unread if how else ():
        if not any(letter.isalnum() for letter in text[one.start : one.end]):
            continue  # three stars are no sentence
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
    return _line_of(text_lines(seen, unit), start)
