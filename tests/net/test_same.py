"""What the product prints about the bundled stories is what it printed when `same.json` was last kept on purpose."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

PRINTS = Path(__file__).with_name("prints.py")


def _net() -> ModuleType:
    spec = importlib.util.spec_from_file_location("net_prints", PRINTS)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_the_same_is_printed_as_before() -> None:
    net = _net()
    found = dict(net.prints())
    assert net.differences(found, json.loads(net.KEPT.read_text("utf-8"))) == []


def test_a_changed_a_new_and_a_lost_print_are_told() -> None:
    assert _net().differences({"a": "1", "b": "2", "c": "3"}, {"a": "1", "b": "9", "d": "4"}) == [
        "b",
        "c",
        "d",
    ]
