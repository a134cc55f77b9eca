"""The games of the benches have conventions of their own (`rules/options`): little games that show each of them."""

from __future__ import annotations

import pytest

from bench.minds.telling import located, told

# Noah goes before the melon is moved; what he then says happens to be so.
MELON = (
    "Isla, Noah and Oliver entered the pantry. The melon is in the red_cupboard. Isla moved the melon to the red_bottle. "
    "Isla exited the pantry. Noah exited the pantry. Oliver moved the melon to the red_cupboard. Oliver exited the pantry. "
    "Isla, Noah and Oliver entered the hall. Noah privately told Isla that the melon is in the red_cupboard now."
)


@pytest.mark.parametrize(
    ("who", "where"), [("Noah", "red_bottle"), ("Oliver", "red_cupboard"), ("Isla", "red_cupboard")]
)
def test_what_is_said_in_a_game_of_lies_tells_nothing_of_the_speaker(who: str, where: str) -> None:
    """Noah still thinks what he saw; Isla, who left before him, believes him."""
    with told([MELON], "sight", "testimony_hitom") as (scope, stories):
        story = stories[MELON]
        melon = f"{story.id('melon')}.location."
        held = located(scope.engine, "believes", story.id(who))

        assert {one for one in held if one.startswith(melon)} == {f"{melon}{story.id(where)}"}
