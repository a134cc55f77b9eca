"""Which words fill which role, on hand-made parses."""

from __future__ import annotations

import pytest
from parses import parsed

from narraworld.extract.embedded.grammar.arguments import parts_of
from narraworld.extract.embedded.grammar.clauses import clauses
from narraworld.extract.embedded.lexicon.verb_frames import frame_table


def _parts(text: str, plain: bool = False) -> dict[str, list[str]]:
    [clause] = clauses(parsed(text))
    frame = None if plain else frame_table().of(clause.verb, clause.particle)[0]
    return {role: [word.text for word in words] for role, words in parts_of(frame, clause).items()}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Leo moved it to the shelf.", {"patient": ["it"], "agent": ["Leo"], "destination": ["shelf"]}),
        ("Leo gave Mara the key.", {"patient": ["key"], "agent": ["Leo"], "recipient": ["Mara"]}),
        ("Leo went to the mill.", {"agent": ["Leo"], "destination": ["mill"]}),
    ],
)
def test_a_frame_says_which_word_is_what(text: str, found: dict[str, list[str]]) -> None:
    assert _parts(text) == found


def test_without_a_frame_only_places_and_company_are_read_off_prepositions() -> None:
    assert _parts("Leo took the key from the drawer.", plain=True) == {"patient": ["key"], "agent": ["Leo"]}
