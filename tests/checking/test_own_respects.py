"""A project's own respects: rows in narraworld.toml are compared and named like ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from narraworld.project.file import BadSettings
from narraworld.world import World

OWN = """
[respects.grudge]
means = "Against whom the subject bears a grudge."
of = ["person"]
lasts = "one"
value = "person"
also = ["resentment"]
yes = "{S} bears {O} a grudge"
no = "{S} bears {O} no grudge"
asks = ["against whom does {S} bear a grudge", "who bears {O} a grudge"]
example = "Ida"
rival = true
check = "NW604"
"""
UNIT = """
[unit]
id = "ch1"
order = 1
text = "Leo. Ida. Mara. Leo bore Ida a grudge. Winter came. Leo bore Mara a grudge."
[[character]]
id = "leo"
name = "Leo"
quote = "Leo."
[[character]]
id = "ida"
name = "Ida"
quote = "Ida."
[[character]]
id = "mara"
name = "Mara"
quote = "Mara."
[[state]]
proposition = "leo.grudge.ida"
quote = "Leo bore Ida a grudge"
[[state]]
proposition = "leo.resentment.mara"
quote = "Leo bore Mara a grudge"
"""


@pytest.mark.parametrize(("settings", "found"), [(OWN, ["NW604"]), ("", [])])
def test_two_values_of_a_respect_of_ones_own_are_found(
    tmp_path: Path, settings: str, found: list[str]
) -> None:
    (tmp_path / "narraworld.toml").write_text(settings, encoding="utf-8")
    (tmp_path / "ch1.toml").write_text(UNIT, encoding="utf-8")
    with World.open(tmp_path, create=True) as world:
        world.read(tmp_path / "ch1.toml")

        assert [one.rule.id for one in world.check(least="note").findings] == found


def test_a_wrong_row_is_refused(tmp_path: Path) -> None:
    (tmp_path / "narraworld.toml").write_text(OWN.replace('"one"', '"often"'), encoding="utf-8")

    with pytest.raises(BadSettings, match="lasts is 'often'"):
        World.open(tmp_path, create=True)
