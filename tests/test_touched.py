"""Which tests `make quick` runs for a changed file."""

from __future__ import annotations

import pytest
from tests.touched import everything, nearest_tests

THERE = frozenset({"tests/kb", "tests/kb/time", "tests/kb/time/test_clock.py", "tests/commands"})


@pytest.mark.parametrize(
    ("changed", "run"),
    [
        ("kb/time/clock.py", "tests/kb/time/test_clock.py"),
        ("kb/time/when.py", "tests/kb/time"),
        ("kb/quads.py", "tests/kb"),
        ("src/narraworld/commands/read.py", "tests/commands"),
        ("tests/kb/time/test_clock.py", "tests/kb/time/test_clock.py"),
        ("tests/support/oracle.py", None),
        ("README.md", None),
    ],
)
def test_the_nearest_tests_are_run(changed: str, run: str | None) -> None:
    assert nearest_tests(changed, THERE) == run


def test_the_tests_of_this_tree_are_known() -> None:
    assert "tests/test_touched.py" in everything()
