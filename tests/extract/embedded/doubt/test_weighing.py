"""What is likelier wrong than the settings allow is taken back and counted; of a deed whose doer is in doubt the rest may stay."""

from __future__ import annotations

import json
from math import log

import pytest
from hand_made import begin, told, unit_state
from reading_aloud import read

from narraworld.base.settings import DoubtSettings
from narraworld.extract.embedded.doubt import weighing
from narraworld.extract.embedded.doubt.weighing import (
    DoubtTable,
    doubt_table,
    group_of,
    least_odds,
    withdraw_doubtful,
)
from narraworld.extract.embedded.english import LANGUAGE
from narraworld.extract.embedded.grammar.time_expressions import TimeWords
from narraworld.extract.embedded.layout.document import Sentence, UnitDocument
from narraworld.extract.embedded.unit import UnitState
from narraworld.extract.embedded.writers.events import write_event
from narraworld.extract.embedded.writers.role_filling import fit
from narraworld.kb.spans import TextRange

TEXT = "Leo took the key from the drawer."


@pytest.fixture
def weighed(monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """`Leo took the key from the drawer`, weighed by these signs of events alone."""

    def weigh(**signs: float) -> tuple[UnitState, list[TextRange]]:
        groups = ("state", "event", "detail", "speech", "others")
        table = DoubtTable(
            {one: signs if one == "event" else {} for one in groups}, dict.fromkeys(groups, 3.0)
        )
        monkeypatch.setattr(weighing, "doubt_table", lambda: table)
        monkeypatch.setattr(weighing, "SETTINGS", DoubtSettings(lines=1))
        unit = unit_state(TEXT)
        [clause] = begin(unit, TEXT)
        write_event(unit, clause, fit(unit, clause), 0)
        words = list(unit.sentence.words)
        line = Sentence(TextRange(0, len(TEXT)), words, [clause], TimeWords([]))
        return unit, withdraw_doubtful(unit, UnitDocument([line]))

    return weigh


def test_what_is_likely_right_stays(weighed) -> None:  # type: ignore[no-untyped-def]
    unit, unsure = weighed()
    assert told(unit, "Event", "kind", "agent") == [("take", "leo")]
    assert unsure == []


def test_what_is_likely_wrong_goes_and_is_counted(weighed) -> None:  # type: ignore[no-untyped-def]
    unit, unsure = weighed(**{"verb=take": -5.0})
    assert told(unit, "Event", "kind") == []
    assert ("key.possession.leo",) in told(unit, "State", "proposition")
    assert unsure == [TextRange(0, len(TEXT) - 1)]


def test_of_a_doubtful_doer_the_deed_may_stay(weighed) -> None:  # type: ignore[no-untyped-def]
    unit, unsure = weighed(**{"agent is=character": -5.0})
    assert told(unit, "Event", "kind", "agent", "patient") == [("take", "-", "key")]
    assert unsure == [TextRange(0, len(TEXT) - 1)]


def test_a_short_piece_is_not_weighed() -> None:
    assert read("Leo, who she said had gone, took it.").coverage.unsure == []


def test_odds_are_the_sum_of_what_is_seen() -> None:
    table = DoubtTable({"others": {"a": 1.5, "b": -0.5}}, {"others": 0.25})
    assert table.odds("Cause", ["a", "b", "c"]) == 1.25
    assert [group_of(kind) for kind in ("State", "Cause")] == ["state", "others"]


def test_the_least_odds_are_those_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighing, "SETTINGS", DoubtSettings(state=0.75, event=0.0))
    assert least_odds("State") == pytest.approx(log(3))
    assert least_odds("Event") == float("-inf")


def test_the_table_has_weights_for_every_group() -> None:
    said = json.loads((LANGUAGE.tables / "doubts.json").read_text("utf-8"))
    table = doubt_table()
    assert (
        set(table.weights)
        == set(table.bias)
        == set(said["bias"])
        == {"state", "event", "detail", "speech", "others"}
    )
    assert all(weights for weights in table.weights.values())
