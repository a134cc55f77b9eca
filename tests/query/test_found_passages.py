"""A short sentence is shown with those beside it: never too long, never across a break, never over what may not be seen."""

from __future__ import annotations

import pytest

from narraworld.base.settings import FoundSettings
from narraworld.query.ask.found import stretch_of
from narraworld.query.memory.index.admission import AdmittedPassage

TEXT = "It was brass. There was a ling living in it. Nobody knew. The end came on a Sunday, in the rain, while all of them slept."


def passages(*texts: tuple[str, str], gap: int = 1) -> list[AdmittedPassage]:
    made, at = list[AdmittedPassage](), 0
    for nth, (unit, words) in enumerate(texts):
        made.append(AdmittedPassage(nth, unit, at, at + len(words), (), words))
        at += len(words) + gap
    return made


SENTENCES = [("ch1", f"{words.strip()}.") for words in TEXT.rstrip(".").split(".")]


@pytest.mark.parametrize(
    ("longest", "shown"),
    [
        pytest.param(10, [1], id="a long one stands alone"),
        pytest.param(44, [1, 2], id="what follows comes first"),
        pytest.param(60, [0, 1, 2], id="then what stands before"),
        pytest.param(200, [0, 1, 2, 3], id="all there is"),
    ],
)
def test_as_long_as_it_may_be(longest: int, shown: list[int]) -> None:
    assert list(stretch_of(passages(*SENTENCES), 1, FoundSettings(longest=longest))) == shown


def test_not_across_chapters_nor_over_a_gap() -> None:
    other = passages(SENTENCES[0], SENTENCES[1], ("ch2", "Morning."))

    assert list(stretch_of(other, 1)) == [0, 1]
    assert list(stretch_of(passages(*SENTENCES, gap=9), 1)) == [1]
