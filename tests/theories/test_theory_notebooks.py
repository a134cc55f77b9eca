"""The two notebooks run from top to bottom, cell by cell, in one name space; and say what their text says."""

from __future__ import annotations

import json
from typing import Any

from places import ROOT

NOTEBOOKS = ROOT / "docs" / "notebooks"


def run(name: str) -> dict[str, Any]:
    cells = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text("utf-8"))["cells"]
    space: dict[str, Any] = {}
    for number, cell in enumerate(cells):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{name}[{number}]", "exec"), space)
    return space


def test_one_theory_from_nothing() -> None:
    space = run("one_theory")

    assert space["recognitions"].rows == (
        ("nell", "boat.location.post", "boat.location.island", "ch03/report"),
        ("nell", "boat.location.river", "boat.location.island", "ch03/report"),
    )
    assert space["figure"].svg.startswith("<svg")
    assert "prov:wasDerivedFrom" in space["turtle"]


def test_comparing_tales() -> None:
    space = run("comparing_tales")

    assert [row["story"] for row in space["network"]] == ["boat", "mill", "rope"]
    assert space["network"].column("ties")[:2] == [2, 4]
    assert space["propp"].column("functions")[:2] == [5, 13]
    assert space["per_event"]["boat"] == 1.25
    assert space["csv"].count("\n") == 4


def test_the_two_are_kept_without_outputs() -> None:
    for name in ("one_theory", "comparing_tales"):
        cells = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text("utf-8"))["cells"]
        assert [cell for cell in cells if cell.get("outputs")] == []
