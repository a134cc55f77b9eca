"""A judge is asked only about what rules suspect, sees the passages alone, and is asked once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from narraworld.extract.asking import Prompt, Told
from narraworld.judging import Judgement, judge_findings, judged, kept_verdicts
from narraworld.query.findings import Checked, Finding, Passage, RuleCard
from narraworld.query.report import Report
from narraworld.world import World


class Scripted:
    """Answers everything in the same way and remembers what it was asked."""

    model = "scripted"

    def __init__(self) -> None:
        self.asked: list[Prompt] = []

    async def ask(self, prompt: Prompt, answer: Any, /) -> Told[Any]:
        self.asked.append(prompt)
        return Told(Judgement(verdict="no contradiction", reason="They are two people."))


def finding(key: str, verdict: str) -> Finding:
    card = RuleCard("NW801", "warning", "name spelled in two ways", "nomenclature", verdict)
    passages = (Passage("a", "ch1", 0, 5, "Allan"), Passage("b", "ch2", 0, 4, "Alan"))
    return Finding(key, card, "Allan and Alan: one person, or two?", passages, ("a", "b"), "goal")


def test_only_what_is_suspected_is_asked_and_only_once(tmp_path: Path) -> None:
    model, found = Scripted(), [finding("one", "nominates"), finding("two", "decides")]
    asyncio.run(judge_findings(tmp_path, found, model))
    asyncio.run(judge_findings(tmp_path, found, model))

    assert [prompt.user.count("PASSAGE") for prompt in model.asked] == [2]
    assert list(kept_verdicts(tmp_path)) == ["one"]


def test_a_verdict_is_shown_and_removes_nothing(tmp_path: Path) -> None:
    with World.open(tmp_path, create=True) as world:
        found = finding("one", "nominates")
        asyncio.run(judge_findings(world.store.root, [found], Scripted()))
        report = judged(world, Report(Checked((found,), (), (), (), 10, 1)))

    [told] = report.checked.findings
    assert told.judged == "no contradiction (scripted): They are two people."
