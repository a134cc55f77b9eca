"""Who `had died` is whom the sentence names and who does nothing; without that, it is whoever has just been doing things."""

from __future__ import annotations

import pytest
from reading_aloud import read, states

from narraworld.extract.embedded.writers.plausible import long_dead

PORTRAIT = "Ruth wiped the glasses. The portrait of her mother, Agnes, hung there; she had died in May."


def dead(text: str) -> set[str]:
    return {one for one in states(read(text)) if one.endswith(".alive:dead")}


def test_the_one_in_the_portrait_had_died() -> None:
    assert dead(PORTRAIT) == {"agnes.alive:dead"}


def test_else_it_would_be_the_one_who_wiped_the_glasses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_dead, "_named_before", lambda *_: iter(()))
    assert dead(PORTRAIT) == {"ruth.alive:dead"}
