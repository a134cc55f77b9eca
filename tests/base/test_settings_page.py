"""`docs/settings.md` lists every default there is, and no other; nobody keeps settings of their own elsewhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

import pytest
from places import ROOT

from narraworld.base import settings
from narraworld.base.settings import DEFAULTS
from narraworld.base.settings.sections import SECTIONS

PAGE = (ROOT / "docs" / "settings.md").read_text("utf-8")
ROOMS = ("kb", "rules", "extract", "query", "src/narraworld")

# What a caller hands over, what a file says: no settings of our own, and no number but out of the one object.
NO_DEFAULTS = {"ModelSettings", "ProjectSettings", "ReaderSettings"}


def told(value: object, section: str = "") -> Iterator[tuple[str, str]]:
    """Every field by its path, with its value as the page writes it."""
    for each in fields(value):  # type: ignore[arg-type]
        inner, path = getattr(value, each.name), f"{section}.{each.name}".strip(".")
        if is_dataclass(inner):
            yield from told(inner, path)
        else:
            yield path, f"{inner}"


def test_the_page_is_complete_and_true() -> None:
    listed = re.findall(r"^\| `([\w.]+)` \| `([^`]*)` \|", PAGE, re.M)
    assert listed == [line for name in SECTIONS for line in told(getattr(DEFAULTS, name), name)]


def test_every_value_is_found_by_its_name_and_a_section_stays_the_same() -> None:
    assert {name for name in settings.__all__ if getattr(settings, name) is None} == set()
    assert sorted(settings.__all__) == sorted(name for names in settings.HOMES.values() for name in names)
    assert DEFAULTS.memory is DEFAULTS.memory
    with pytest.raises(AttributeError, match="no section of the settings is called 'memries'"):
        _ = DEFAULTS.memries
    with pytest.raises(AttributeError, match="handed in where they are used"):
        DEFAULTS.memory = DEFAULTS.memory


def test_what_is_handed_over_begins_as_the_one_object_says() -> None:
    numbers = {
        f"{made.name}.{ast.unparse(field.target)}"
        for room in ROOMS
        for path in sorted((ROOT / room).rglob("*.py"))
        for made in ast.parse(path.read_text("utf-8")).body
        if isinstance(made, ast.ClassDef) and made.name in NO_DEFAULTS
        for field in made.body
        if isinstance(field, ast.AnnAssign) and isinstance(field.value, ast.Constant | ast.BinOp)
        if type(getattr(field.value, "value", 0)) in (int, float)
    }
    assert numbers == set()


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_keeps_settings_of_its_own(room: str) -> None:
    found = {
        node.name
        for path in sorted((ROOT / room).rglob("*.py"))
        if "base/settings" not in path.as_posix()
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name.endswith(("Settings", "Bounds", "Measures"))
    }
    assert found - NO_DEFAULTS - {"BadSettings", "BadModelSettings"} == set()
