"""A judge is asked only about what rules suspect, sees the passages alone, and is asked once."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fault_server import FaultServer, Turn, answers, says, status

from narraworld.checking.judge import Judgement, judge_findings, judged, kept_verdicts
from narraworld.extract.model.port import Prompt, Told
from narraworld.query.checks.findings import Checked, Finding, Passage, RuleCard
from narraworld.query.checks.report import Report
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
        report = judged(world.story, Report(Checked((found,), (), (), (), 10, 1)))

    [told] = report.checked.findings
    assert told.judged == "no contradiction (scripted): They are two people."


# -- over HTTP

GOOD = {"verdict": "contradiction", "reason": "One person, two spellings."}
KEPT = "contradiction (tiny): One person, two spellings."


@dataclass(frozen=True)
class Case:
    """What the server does, the verdicts that are shown on two findings, and the words of the troubles."""

    turns: tuple[Turn, ...]
    shown: tuple[str | None, str | None]
    troubles: tuple[str, ...] = ()


SERVED = {
    "a good verdict": Case((answers(GOOD),), (KEPT, KEPT)),
    "a verdict that is none": Case(
        (answers({"verdict": "perhaps", "reason": "?"}), answers({"verdict": "perhaps", "reason": "?"}),
         answers({"verdict": "perhaps", "reason": "?"}), answers(GOOD)),
        (None, KEPT), ("NW801 (one) was not judged: the model gave no answer of the shape asked for",),
    ),
    "mended when it is sent back": Case((says("It is a slip."), answers(GOOD)), (KEPT, KEPT)),
    "fails inside": Case(
        (status(500),), (None, None),
        ("NW801 (one) was not judged: the model failed inside", "NW801 (two) was not judged: the model failed inside"),
    ),
    "refuses the key": Case((status(401),), (None, None), ("NW801 (one) was not judged: the model refused the key",)),
}  # fmt: skip


def point_at(server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> None:
    named = {"OPENAI_BASE_URL": server.url, "NARRAWORLD_MODEL": "tiny", "NARRAWORLD_MODE": "tools"}
    for name, value in named.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize("case", SERVED.values(), ids=SERVED)
def test_a_served_judge_has_one_documented_outcome(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = (finding("one", "nominates"), finding("two", "nominates"))
    with FaultServer(*case.turns) as server, World.open(tmp_path, create=True) as world:
        point_at(server, monkeypatch)
        report = judged(world.story, Report(Checked(found, (), (), (), 10, 1)))

    assert tuple(one.judged for one in report.checked.findings) == case.shown
    assert len(report.errors) == len(case.troubles)
    assert all(told.startswith(words) for told, words in zip(report.errors, case.troubles, strict=True))
    assert "Allan" in server.seen[0].user


def test_what_was_not_judged_is_asked_again_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = (finding("one", "nominates"),)
    with FaultServer(status(401), answers(GOOD)) as server, World.open(tmp_path, create=True) as world:
        point_at(server, monkeypatch)
        shown = [
            judged(world.story, Report(Checked(found, (), (), (), 10, 1))).checked.findings[0].judged
            for _ in range(3)
        ]

    assert (shown, len(server.seen)) == ([None, KEPT, KEPT], 2)
