"""How much was understood is counted, and comes back from JSON as it went."""

from __future__ import annotations

from narraworld.extract.embedded.coverage import Coverage
from narraworld.kb.spans import TextRange


def test_sentences_by_how_far_they_were_read() -> None:
    coverage = Coverage()
    coverage.count(TextRange(0, 5), 2, 2)
    coverage.count(TextRange(6, 9), 2, 1)
    coverage.count(TextRange(10, 12), 1, 0)
    assert (coverage.read, coverage.partly, coverage.unread) == (1, 1, [TextRange(10, 12)])
    assert coverage.sentences == 3
    coverage.unsure = [TextRange(0, 4)]
    assert Coverage.from_json(coverage.to_json()) == coverage


def test_a_reading_kept_before_anything_was_unsure() -> None:
    said = {name: value for name, value in Coverage().to_json().items() if name != "unsure"}
    assert Coverage.from_json(said) == Coverage()
