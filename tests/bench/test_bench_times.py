"""The bench of time expressions: what counts as found, and that the marked chapters are as they were marked."""

from __future__ import annotations

import argparse

from bench.reading.times import MarkedTime, chapters, run
from narraworld.kb.time.finding.finder import TimeExpression


def test_the_marks_stand_in_their_chapters() -> None:
    assert all(text[mark.start : mark.end] == mark.words for _, text, marks in chapters() for mark in marks)


def test_an_expression_is_covered_by_the_one_that_holds_most_of_it() -> None:
    mark = MarkedTime(10, "at ten past six", "clock", soft=False)
    halves = [TimeExpression(10, 16, "clock", "at ten"), TimeExpression(17, 25, "clock", "past six")]
    assert round(mark.covered(halves), 2) == 0.53
    assert mark.covered([TimeExpression(0, 30, "clock", "…")]) == 1.0


def test_most_of_what_was_marked_is_found() -> None:
    figures = run(argparse.Namespace(wrong=False))
    assert figures["marked"] == 68
    assert float(str(figures["found"])) >= 0.85
