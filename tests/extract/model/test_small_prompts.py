"""Prompts for small models: one kind of item to a question, two worked examples, and the same reading from the same items."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lantern import ONE, ONE_ANSWERS
from scripted import Scripted, read, records

from narraworld.extract.model.stages import (
    DETAILS,
    SMALL_DETAILS,
    SMALL_STAGES,
    STAGES,
    PromptStage,
    ReaderSettings,
)
from narraworld.query.memory.tokens import counter

SMALL = ReaderSettings.for_small_models()
LONGEST = 1_500  # tokens of the instructions of a small question


def test_every_list_of_every_stage_has_its_question() -> None:
    lists = [listed for stage in STAGES for listed in stage.answer.model_fields]
    assert [stage.name for stage in SMALL_STAGES] == lists
    assert [stage.name for stage in SMALL_DETAILS] == list(DETAILS.answer.model_fields)


@pytest.mark.parametrize("stage", (*SMALL_STAGES, *SMALL_DETAILS), ids=lambda stage: stage.name)
def test_both_worked_examples_are_answers_that_quote_their_passages(stage: PromptStage) -> None:
    system = stage.form().system
    assert counter()(system) <= LONGEST
    assert f"\n{stage.name}: " in system, "what it is about is said"
    passages = re.findall(r"^Passage:\n(.*?)\nAnswer: ", system, re.MULTILINE | re.DOTALL)
    answers = [json.loads(said) for said in re.findall(r"^Answer: (.*)$", system, re.MULTILINE)]
    assert len(passages) == len(answers) == 2
    for passage, answer in zip(passages, answers, strict=True):
        assert list(stage.answer.model_validate(answer).model_dump()) == [stage.name]
        told = re.sub(r"^\d+ ", "", passage, flags=re.MULTILINE)
        assert [item["quote"] for item in answer[stage.name] if item["quote"] not in told] == []


def test_the_same_items_give_the_same_reading() -> None:
    whole = read(ONE, Scripted(**ONE_ANSWERS))
    script: dict[str, list[Any]] = {}
    for answer in ONE_ANSWERS.values():
        for listed, items in answer.items():
            script.setdefault(listed, []).append({listed: items})
    script["propositions"] = [
        {"propositions": ONE_ANSWERS[stage].get("propositions", [])} for stage in ("events", "changes")
    ]
    asks = Scripted(**script)
    small = read(ONE, asks, settings=SMALL)
    assert whole.delta is not None and small.delta is not None
    assert records(small.delta) == records(whole.delta)
    assert asks.names() == [stage.name for stage in SMALL_STAGES]


def test_a_small_question_shows_only_what_its_items_refer_to() -> None:
    asks = Scripted(entities={"entities": ONE_ANSWERS["entities"]["entities"]})
    read(ONE, asks, settings=SMALL)
    shown = {prompt.name: set(prompt.given) for prompt in asks.heard}
    assert shown["entities"] == {"known", "passage"}
    assert shown["causes"] == {"events", "passage"}
    assert shown["possibilities"] == {"entities", "propositions", "threads", "passage"}


def test_the_command_asks_small(tmp_path: Path, narraworld: Callable[..., Any]) -> None:
    (tmp_path / "ch01.md").write_text(ONE, encoding="utf-8")
    assert narraworld("read", "--reader", "relay", "--small", "-w", tmp_path, tmp_path / "ch01.md").code == 0
    shown = json.loads(narraworld("relay", "next", "--json", "-w", tmp_path).out)
    assert "note one kind of thing" in shown["instructions"] and shown["id"].startswith("entities-")
