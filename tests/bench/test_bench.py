"""The bench frame, and a very small run of what it measures."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import ROOT

from bench.checking import trip
from bench.frame import MissingDataError, dataset, the_file
from bench.rules import workload


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if name != "NARRAWORLD_DATA"}
    command = [sys.executable, "-m", "bench", *arguments]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)


# ---- the frame


def test_the_list_says_what_each_bench_measures() -> None:
    done = bench("--list")
    assert done.returncode == 0
    assert any(line.startswith("derive ") and len(line.split()) > 5 for line in done.stdout.splitlines())


def test_a_misspelt_name_gets_a_suggestion() -> None:
    done = bench("dervie")
    assert (done.returncode, done.stdout) == (2, "")
    assert "did you mean 'derive'?" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("folder", [None, Path("nowhere")], ids=["no folder", "not in the folder"])
def test_a_missing_data_set_is_named_with_what_to_do(folder: Path | None) -> None:
    with pytest.raises(MissingDataError, match=r"'opentom'.*NARRAWORLD_DATA"):
        dataset("opentom", folder)


def test_a_data_set_that_is_there_is_found(tmp_path: Path) -> None:
    (tmp_path / "tomi").mkdir()
    assert dataset("tomi", tmp_path) == tmp_path / "tomi"


def test_whichever_part_of_a_data_set_is_there_is_measured(tmp_path: Path) -> None:
    (tmp_path / "trip").mkdir()
    pair = {"stories": [{"sentences": ["Tom slept."], "plausible": True}]}
    (tmp_path / "trip" / "held_out.json").write_text(json.dumps(pair))
    assert trip.gold_stories(Namespace(data=tmp_path)) == pair["stories"]


@pytest.mark.parametrize(
    ("there", "held"), [((), "none"), (("b.json", "a.json"), "a.json, b.json")], ids=["none", "two"]
)
def test_which_file_is_meant_is_never_guessed(tmp_path: Path, there: tuple[str, ...], held: str) -> None:
    for name in there:
        (tmp_path / name).touch()
    with pytest.raises(MissingDataError) as refused:
        the_file(tmp_path, "*.json")
    assert str(refused.value) == f"{tmp_path} should hold one file *.json, but holds {held}"


# ---- the workload


@given(k=st.integers(1, 500), events=st.integers(20, 5000))
def test_a_unit_is_twenty_new_facts(k: int, events: int) -> None:
    facts = workload.unit(workload.Story(events), k)
    assert (
        sum(map(len, facts.values()))
        == len({(name, row) for name, rows in facts.items() for row in rows})
        == 20
    )
    assert min(tick for _, tick in facts["event"]) == events + 2 * k - 1


def test_the_same_story_is_made_twice(tmp_path: Path) -> None:
    stories = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        workload.write(workload.Story(50), tmp_path / name)
        stories.append(workload.read(tmp_path / name))
    assert stories[0] == stories[1]
    assert stories[0]["state"][0] == ("s0", "subj0", "possession", "o7", 1)


def test_a_digest_forgets_order_and_nothing_else() -> None:
    rows: list[tuple[str | int, ...]] = [("a", 1), ("b", 2), ("c", 3)]
    assert workload.digest(rows) == workload.digest(reversed(rows))
    assert len({workload.digest(r) for r in (rows, rows[:2], [*rows, rows[0]], [("a", 2), *rows[1:]])}) == 4


# ---- a run


@pytest.fixture(scope="module")
def run() -> dict[str, Any]:
    done = bench("derive", "--sizes", "200", "--rounds", "1", "--shipped", "2000,4000")
    assert done.returncode == 0, done.stderr
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return figures


def test_ours_derives_what_was_written_by_hand(run: dict[str, Any]) -> None:
    assert run["equal"] is True


def test_the_last_line_has_every_promised_figure(run: dict[str, Any]) -> None:
    promised = {"ratio_to_sql_1m", "ratio_to_sql_100k", "goal_ms_100k", "rss_mb_1m", "pydatalog_goal_ms"}
    assert promised <= run.keys()


def test_a_size_that_was_not_run_has_no_figure(run: dict[str, Any]) -> None:
    assert run["ratio_to_sql_1m"] is None
    assert run["ratio_to_sql"]["200"] > 0


# ---- a slice of the fuzz run


@pytest.mark.slow
def test_no_hostile_input_ends_in_a_traceback_or_costs_a_unit() -> None:
    done = bench("fuzz", "--inputs", "36", "--seed", "7", "--seconds", "300", "--megabytes", "2000")
    found = json.loads(done.stdout.splitlines()[-1])
    troubles = ("traceback", "odd end", "too slow", "too large", "lost unit", "silenced")
    assert (found["inputs"], {what: found[what] for what in troubles}) == (36, dict.fromkeys(troubles, 0)), (
        done.stdout
    )
