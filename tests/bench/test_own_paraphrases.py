"""Our own paraphrases hold the tables: what is found of them may become more, never less; look-alikes stay silent.

170 pairs of 17 kinds (`bench/data/paraphrases/own.toml`), all in one story. Of 85 contradictions 25 are found at default severity and five more
by a note; 55 are not reached. Each alone they do better (docs/checks.md); the unseen pairs are measured by `bench paraphrases` alone.
"""

from __future__ import annotations

from collections import Counter

import pytest

from bench.checking.paraphrases import OWN, met_together, pairs_of

PAIRS = pairs_of(OWN)
REACHED = {
    "able": 5,
    "age": 1,
    "broken": 2,
    "death": 3,
    "distance": 1,
    "job": 2,
    "kin": 3,
    "looks": 2,
    "number": 3,
    "side": 3,
}
NOTED = {"job": 1, "kin": 1, "possession": 2}


@pytest.fixture(scope="module")
def met() -> list[set[str]]:
    return met_together(PAIRS)


def counted(met: list[set[str]], *, contradiction: bool, severity: str) -> Counter[str]:
    """How many pairs of each kind are met at this severity."""
    pairs = zip(PAIRS, met, strict=True)
    return Counter(
        one["kind"] for one, found in pairs if one["contradiction"] is contradiction and severity in found
    )


def test_every_kind_has_five_contradictions_and_five_look_alikes() -> None:
    counts = Counter((one["kind"], one["contradiction"]) for one in PAIRS)
    assert set(counts.values()) == {5}
    assert len(counts) == 2 * 17


def test_what_is_found_does_not_become_less(met: list[set[str]]) -> None:
    found = counted(met, contradiction=True, severity="warning")
    noted = counted(met, contradiction=True, severity="note")
    assert {kind: found[kind] for kind, least in REACHED.items() if found[kind] < least} == {}
    least = Counter(REACHED) + Counter(NOTED)
    assert {kind: noted[kind] for kind, number in least.items() if noted[kind] < number} == {}


def test_look_alikes_are_silent(met: list[set[str]]) -> None:
    """But for the bedrooms of a house and those of a hotel, which NW125 takes for the same, and one note."""
    assert counted(met, contradiction=False, severity="warning") == {"number": 1}
    assert sum(counted(met, contradiction=False, severity="note").values()) <= 2
