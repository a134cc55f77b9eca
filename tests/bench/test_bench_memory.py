"""The memory benches on an invented conversation and an invented tale: what goes in, what is asked, what is counted."""

from __future__ import annotations

import argparse
import csv
import json
from pathlib import Path

import pytest

from bench.memory import fairytale, locomo
from bench.memory.conversations import Line, lines_of, questions_of, remembered

CONVERSATION = {
    "conversation": {
        "speaker_a": "Ines",
        "speaker_b": "Tom",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ines", "dia_id": "D1:1", "text": "I planted three pear trees."},
            {"speaker": "Tom", "dia_id": "D1:2", "text": "Lovely!", "blip_caption": "a red kite"},
        ],
        "session_2_date_time": "9:00 am on 8 May, 2023",
        "session_2": [{"speaker": "Tom", "dia_id": "D2:1", "text": "My boat sank."}],
    },
    "observation": {
        "session_1_observation": {"Ines": [["Ines planted pear trees in her garden.", "D1:1"]]},
        "session_2_observation": {"Tom": [["Tom lost his boat.", ["D2:1"]]]},
    },
    "qa": [
        {"question": "What did Ines plant?", "answer": "pear trees", "evidence": ["D1:1"], "category": 4},
        {
            "question": "What happened to Tom?",
            "answer": "his boat sank",
            "evidence": ["D2:1; D1:2"],
            "category": 1,
        },
        {"question": "Not asked", "answer": "", "evidence": ["D1:1"], "category": 5},
    ],
}


def test_turns_and_observations_are_lines_with_their_evidence() -> None:
    assert list(lines_of(CONVERSATION))[1:3] == [
        Line(1, "8-May-2023", "Tom", "Lovely! [shows a red kite]", ("D1:2",)),
        Line(1, "8-May-2023", "Ines", "Ines planted pear trees in her garden.", ("D1:1",), observed=True),
    ]


def test_ids_written_together_are_taken_apart() -> None:
    assert [sorted(one.evidence) for one in questions_of(CONVERSATION)] == [["D1:1"], ["D1:2", "D2:1"]]


def test_a_session_is_a_unit_named_by_its_day() -> None:
    with remembered(lines_of(CONVERSATION)) as world:
        assert [entry.unit for entry in world.log()] == ["8-May-2023", "8-May-2023-b"]
        assert len(world.query("speech(E, Who, How)").rows) == 3


def test_locomo_finds_the_evidence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "locomo").mkdir()
    (tmp_path / "locomo" / "locomo.json").write_text(json.dumps([CONVERSATION]), encoding="utf-8")
    figures = locomo.run(argparse.Namespace(data=tmp_path, every=1, ablations=True))
    assert figures["questions"] == 2
    assert figures["recall"]["16k"] == 1.0  # type: ignore[index]
    assert set(figures["ablations"]) >= {"ours", "no B", "no H", "no cross-event", "no planning"}  # type: ignore[call-overload]
    assert "LoCoMo: evidence recall" in capsys.readouterr().out


def test_fairytale_is_read_and_asked(tmp_path: Path) -> None:
    for name, table in {
        "section-stories/pear-tree-story.csv": [
            ["section", "text"],
            ["1", "An old woman planted a pear tree beside the well. It grew."],
            ["2", "A fox went home through the snow and slept. He dreamed of geese."],
        ],
        "questions/pear-tree-questions.csv": [
            ["question", "cor_section", "answer1"],
            ["Where did the fox go?", "2", "home"],
            ["Who planted the tree?", "1", "an old woman"],
        ],
    }.items():
        path = tmp_path / "fairytaleqa" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(table)
    options = argparse.Namespace(data=tmp_path, limit=None, workers=1, batch=1, kept=None)
    figures = fairytale.run(options)
    assert (figures["hit1"], figures["bm25"], figures["questions"]) == (1.0, 1.0, 2)
    assert figures["words_300"] == figures["hybrid_words_300"] == 1.0
