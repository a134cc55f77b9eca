"""The bench of peers: the model that everybody asks, ours on three episodes, and the ratios."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.instant_model import served
from bench.peers import run_ours
from bench.peers.comparison import PeerRun, figures
from bench.peers.environments import Peer, interpreter
from bench.peers.episodes import episode, question
from bench.peers.stub_model import answer, says, vector


def test_an_episode_is_the_same_for_the_same_number() -> None:
    assert episode(17) == episode(17) != episode(18)
    assert episode(17).marked == f"[[e17]] {episode(17).prose}"
    assert question(3, 40) == question(3, 40)


def test_the_newest_episode_of_a_prompt_is_the_one_that_is_read() -> None:
    prompt = f"Known: {episode(3).marked} New: {episode(7).marked}"
    assert [one["text"] for one in answer(prompt, None)["memory"]] == list(episode(7).sentences)


def test_a_schema_that_nobody_knows_gets_the_emptiest_value() -> None:
    part = {
        "type": "object",
        "properties": {"many": {"type": "array"}, "perhaps": {"anyOf": [{"type": "null"}]}},
    }
    schema = {"type": "object", "properties": {"part": {"$ref": "#/$defs/Part"}, "n": {"type": "integer"}}}
    said = answer("", schema | {"$defs": {"Part": part}})
    assert said == {"part": {"many": [], "perhaps": None}, "n": 0}


def test_a_vector_has_length_one_and_forgets_order() -> None:
    assert sum(one * one for one in vector("the lamp in the mill")) == pytest.approx(1)
    assert vector("lamp mill") == vector("mill lamp") != vector("lamp")


@pytest.mark.parametrize("kind", ["records", "model"])
def test_ours_reads_the_episodes_and_answers(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(says) as url:
        run_ours.main(url, str(tmp_path), kind, [3])
    said = json.loads(capsys.readouterr().out)
    assert said["system"].endswith(kind)
    assert said["3"]["answered"] > 0 and said["3"]["found"] > 0
    assert said["3"]["ask_p50_ms"] > 0 and said["3"]["ingest_ms"] > 0


def measured(name: str, first: float, last: float, **more: float) -> PeerRun:
    figures = {"ingest_ms": 10.0, "search_p50_ms": first} | more
    return PeerRun(name, name, {"100": figures, "1000": figures | {"search_p50_ms": last}})


def test_ratios_are_of_the_largest_size_and_a_missing_system_says_why() -> None:
    runs = [measured("records", 6.0, 12.0, ask_p50_ms=1.0), measured("mem0 faiss", 4.0, 4.0), measured("mem0 qdrant", 4.0, 40.0)]  # fmt: skip
    found = figures([*runs, PeerRun("graphiti", "graphiti", {}, "no network")])
    assert found["context_over_mem0"] == {"records": 3.0}
    assert found["search_growth"] == {"records": 2.0, "mem0 faiss": 1.0, "mem0 qdrant": 10.0}
    assert found["ask_over_search"] == {"records": {"mem0 faiss": 0.25, "mem0 qdrant": 0.03}}
    assert found["missing"] == {"graphiti": "no network"}


def test_systems_are_compared_at_a_size_that_both_have_seen() -> None:
    slow = PeerRun("graphiti kuzu", "graphiti kuzu", {"100": {"ingest_ms": 100.0, "search_p50_ms": 4.0}})
    found = figures([measured("records", 6.0, 12.0, ask_p50_ms=1.0), slow])
    assert found["ingest_over_cheapest"] == {"records": 0.1}
    assert found["ask_over_search"] == {"records": {"graphiti kuzu": 0.25}}
    assert found["search_growth"] == {"records": 2.0, "graphiti kuzu": None}


def test_without_peers_the_ratios_are_unknown() -> None:
    assert figures([measured("records", 6.0, 12.0, ask_p50_ms=1.0)])["context_over_mem0"] == {"records": None}


def test_a_system_that_cannot_be_installed_is_a_reason(tmp_path: Path) -> None:
    (tmp_path / "nobody").write_text("a file where the environment would be")
    why = interpreter(Peer("nobody", (), "", ()), tmp_path)
    assert isinstance(why, str)
    assert "nobody" in why
