"""A judge is asked only with `--judge`, in small batches, about what no rule decides, and once; its word stands apart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from fault_server import FaultServer, Turn, answers, says, status

from narraworld.base.errors import NarraWorldError
from narraworld.base.settings import JudgeSettings
from narraworld.checking.batches import Showing, batches_of, forecast_of_judge
from narraworld.checking.judge import judged, kept_verdicts
from narraworld.checking.pairs import pairs_of
from narraworld.extract.model.port import Prompt, StillOpen, Told
from narraworld.kb.delta import Delta
from narraworld.kb.units import Unit
from narraworld.query.checks.findings import Passage
from narraworld.query.checks.nominated import Nominated, contradictions, undecided
from narraworld.query.checks.report import render
from narraworld.world import World

ONE = "Rain fell. Only Ida knew of the letter. Leo slept in the barn. Ida had grey eyes."
TWO = "It was noon. Leo spoke of the letter at once. Ida lived at 4 Mill Lane, and had brown eyes. Nobody asked him."


def made(folder: Path) -> None:
    """Two chapters by hand: the reader nominates the letter and the eyes, and a rule finds the eyes."""
    one, two = Delta(Unit("ch1", 1, ONE, title="The Barn")), Delta(Unit("ch2", 2, TWO, title="The Letter"))
    one.add("Character", "ida", name="Ida", quote="Ida knew")
    one.add("Character", "leo", name="Leo", quote="Leo")
    one.add("State", proposition="ida.eyes:grey", quote="grey eyes")
    letter = one.add("State", proposition="ida.secret:letter", quote="Only Ida knew of the letter")
    assert letter == "ch1/state-2"
    two.add("State", proposition="ida.eyes:brown", quote="brown eyes")
    only = ONE.index("Only Ida")
    span = f"ch1/@{only}-{only + len('Only Ida knew of the letter')}"
    eyes = ONE.index("grey eyes")
    two.add(
        "Nomination",
        kind="knowing",
        summary="Nobody told him.",
        quote="Leo spoke of the letter",
        against=span,
    )
    two.add(
        "Nomination",
        kind="looks",
        summary="Grey, then brown.",
        quote="brown eyes",
        against=f"ch1/@{eyes}-{eyes + 9}",
    )
    with World.open(folder, create=True) as world:
        for delta in (one, two):
            assert world.commit(delta).refusals == ()


@pytest.fixture(scope="module")
def two_chapters(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("judged")
    made(folder)
    with World.open(folder) as opened:
        yield opened


@pytest.fixture
def world(two_chapters: World) -> Iterator[World]:
    """The same two chapters for every test; what was judged is forgotten after each."""
    yield two_chapters
    (two_chapters.store.root / "verdicts.json").unlink(missing_ok=True)


class Verdicts:
    """Answers every pair in the same way and remembers what it was asked."""

    model = "scripted"

    def __init__(self, verdict: str = "contradiction") -> None:
        self.asked: list[Prompt] = []
        self._verdict = verdict

    async def ask(self, prompt: Prompt, answer: Any, /) -> Told[Any]:
        self.asked.append(prompt)
        numbers = range(1, prompt.user.count("PAIR ") + 1)
        said = [
            {"pair": n, "verdict": self._verdict, "kind": "knowing", "reason": "So it is."} for n in numbers
        ]
        return Told(answer.model_validate({"judgements": said}))


# -- without a judge


def test_without_judge_no_model_is_asked_and_nominations_stand_apart(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FaultServer(status(500)) as server:
        point_at(server, monkeypatch)
        report = world.check(least="note")
    assert server.seen == []
    assert [one.rule.id for one in report.findings if one.rule.severity == "error"] == ["NW111"]
    assert [(one.kind, one.why) for one in report.nominated] == [("knowing", "Nobody told him.")], (
        "what a rule found is not told twice"
    )
    told = render(report, "text")
    assert (
        "nominated by the reader; no rule and no judge says so:\nch2 13–36: note knowing: Nobody told him."
        in told
    )
    assert "“Only Ida knew of the letter”" in told
    assert all(
        "Nominated by the reader; no rule and no judge says so (1)" in render(report, form)
        for form in ("markdown", "html")
    )
    assert json.loads(render(report, "json"))["nominated"][0]["by"] == "the reader"


def test_by_default_they_are_counted_and_fail_nothing(world: World) -> None:
    told = render(world.check(), "text")
    assert (
        "1 pair of passages nominated by the reader (--min-severity note lists them, --judge decides)" in told
    )
    assert "Nobody told him." not in told


def test_no_view_shows_a_nomination_and_no_mind_holds_it(world: World) -> None:
    told = f"{world.views().to_dicts()} {world.context('Who knows of the letter?').text}"
    assert "Ida" in told and "Nobody told him." not in told
    assert world.query("nomination(R, K, W)").rows and not world.query("nomination(R, K, W)", as_="ida").rows


# -- with one


def test_the_judge_sees_both_passages_in_order_with_a_sentence_around_and_what_was_noticed(
    world: World,
) -> None:
    judge = Verdicts()
    report = world.check(judge=judge)
    [prompt] = judge.asked
    assert "noticed by the reader (knowing): Nobody told him." in prompt.user
    assert (
        "A (chapter 1 of 2, The Barn): Rain fell. **Only Ida knew of the letter**. Leo slept in the barn."
        in prompt.user
    )
    assert "B (chapter 2 of 2, The Letter): It was noon. **Leo spoke of the letter** at once." in prompt.user
    assert "grey" not in prompt.user, "a rule has decided that"
    assert str(world.store.root.parent) not in prompt.user
    assert [one.why for one in contradictions(report.nominated)] == ["Nobody told him."]


def test_a_verdict_is_a_record_of_its_own_shown_apart_and_asked_once(world: World) -> None:
    judge = Verdicts()
    told = [render(world.check(judge=judge), "text") for _ in range(2)]
    assert len(judge.asked) == 1 and told[0] == told[1]
    [kept] = kept_verdicts(world.store.root).values()
    assert (kept.verdict, kept.kind, kept.by, kept.model) == (
        "contradiction",
        "knowing",
        "the reader",
        "scripted",
    )
    assert kept.quotes == ("Only Ida knew of the letter", "Leo spoke of the letter")
    findings, _, apart = told[0].partition("judged by a model to contradict each other; no rule says so:")
    assert "NW111" in findings and "NW111" not in apart.partition("finding")[0]
    assert "a model's verdict, not a proof: contradiction (scripted): So it is." in apart


@pytest.mark.parametrize("verdict", ["no contradiction", "cannot tell"])
def test_what_is_no_contradiction_is_not_told(world: World, verdict: str) -> None:
    report = world.check(judge=Verdicts(verdict), least="note")
    assert (contradictions(report.nominated), undecided(report.nominated)) == ([], [])
    assert "Nobody told him." not in render(report, "text")
    assert [one.rule.id for one in report.findings if one.rule.severity == "error"] == ["NW111"], (
        "it removes no finding"
    )


def test_a_pair_judged_for_one_is_not_asked_again_for_another(world: World) -> None:
    world.check(judge=Verdicts())
    file = world.store.root / "verdicts.json"
    said = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps([said[0] | {"key": "otherwise", "by": "NW604"}]), "utf-8")
    judge = Verdicts()
    assert contradictions(world.check(judge=judge).nominated) and judge.asked == []


def test_notes_of_rules_and_two_values_in_the_sheet_are_asked_about_too(tmp_path: Path) -> None:
    text = "Ida lived at 4 Mill Lane. Leo sang. Ida lived at 9 Mill Lane. Leo was a joiner. Leo sat. Leo was a baker."
    delta = Delta(Unit("ch1", 1, text))
    delta.add("Character", "ida", name="Ida", quote="Ida lived at 4")
    delta.add("Character", "leo", name="Leo", quote="Leo sang")
    for who, respect, value, quote in (
        ("ida", "address", "4 Mill Lane", "4 Mill Lane"), ("ida", "address", "9 Mill Lane", "9 Mill Lane"),
        ("leo", "occupation", "joiner", "a joiner"), ("leo", "occupation", "baker", "a baker"),
    ):  # fmt: skip
        delta.add("State", proposition=f"{who}.{respect}:{value.replace(' ', '%20')}", quote=quote)
    with World.open(tmp_path, create=True) as world:
        world.commit(delta)
        report = world.check()
        pairs = pairs_of(world.story, report)
        by = {one.by for one in pairs}
        few = pairs_of(world.story, report, settings=JudgeSettings(most_pairs=1))
    assert {"NW507", "NW810"} <= by | {one.rule.id for one in report.findings}
    assert len({tuple(p.quote for p in one.passages) for one in pairs}) == len(pairs), (
        "one pair is asked once, whoever raised it"
    )
    assert len(few) == 1


# -- batches


def pair(number: int) -> Nominated:
    passages = tuple(Passage("r", unit, 0, 4, f"w{number}") for unit in ("ch1", "ch2"))
    return Nominated(f"k{number}", "the reader", "looks", f"why {number}", passages, proof="because\n  of it")


def test_batches_are_small_and_their_cost_is_known_before() -> None:
    showing = Showing({}, {"ch1": "One", "ch2": "Two"}, JudgeSettings(batch=4))
    batches = batches_of([pair(n) for n in range(10)], showing)
    assert [len(one.pairs) for one in batches] == [4, 4, 2]
    assert [one.named for one in batches] == ["pairs 1 to 4 were", "pairs 5 to 8 were", "pairs 9 to 10 were"]
    assert "proof: because / of it" in batches[0].prompt.user
    told = forecast_of_judge(batches)
    assert (told.pairs, told.questions, told.tokens_out) == (10, 3, 600)
    assert str(told).startswith("10 pairs to judge in 3 questions: ~")


def test_a_proof_is_cut_between_its_steps() -> None:
    long = replace(pair(1), proof="Both are said.\n  One of the two is surely theirs.")

    [asked] = batches_of([long], Showing({}, {"ch1": "One", "ch2": "Two"}, JudgeSettings(proof=20)))

    assert "proof: Both are said." in asked.prompt.user
    assert "One of" not in asked.prompt.user


def test_the_forecast_is_told_first_and_only_where_something_is_asked(world: World) -> None:
    told: list[str] = []
    for _ in range(2):
        world.check(judge=Verdicts(), forecast=told.append)
    assert [words.partition(":")[0] for words in told] == ["1 pair to judge in 1 question"]


class Later:
    """Somebody who will answer later."""

    model = "later"

    def __init__(self) -> None:
        self.laid = 0

    async def ask(self, prompt: Prompt, answer: Any, /) -> Told[Any]:
        self.laid += 1
        raise StillOpen("laid out")


def test_every_batch_is_laid_out_before_anybody_waits(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    later = Later()
    monkeypatch.setattr("narraworld.checking.judge.pairs_of", lambda *_: [pair(n) for n in range(20)])
    with pytest.raises(StillOpen):
        world.check(judge=later)
    assert later.laid == 3


def test_a_damaged_list_of_verdicts_says_so(world: World) -> None:
    (world.store.root / "verdicts.json").write_text("[{}]", "utf-8")
    with pytest.raises(NarraWorldError, match="is not a list of verdicts"):
        world.check(judge=Verdicts())


# -- over HTTP

GOOD = {
    "judgements": [{"pair": 1, "verdict": "contradiction", "kind": "knowing", "reason": "Nobody told him."}]
}
BAD = {"judgements": [{"pair": 1, "verdict": "perhaps", "reason": "?"}]}
KEPT = "contradiction (tiny): Nobody told him."


@dataclass(frozen=True)
class Case:
    """What the server does, the verdict that is shown, and the words of the one trouble."""

    turns: tuple[Turn, ...]
    shown: str | None
    trouble: str | None = None


SERVED = {
    "a good verdict": Case((answers(GOOD),), KEPT),
    "mended when it is sent back": Case((says("It is a slip."), answers(GOOD)), KEPT),
    "a verdict that is none": Case(
        (answers(BAD), answers(BAD), answers(BAD)), None,
        "pair 1 was not judged: the model gave no answer of the shape asked for",
    ),
    "no verdict at all": Case((answers({"judgements": []}),), None, "the reader: Nobody told him. was not judged: the answer leaves it out"),
    "another pair's": Case(
        (answers({"judgements": [GOOD["judgements"][0] | {"pair": 7}]}),), None,
        "the reader: Nobody told him. was not judged: the answer leaves it out",
    ),
    "fails inside": Case((status(500),), None, "pair 1 was not judged: the model failed inside"),
    "refuses the key": Case((status(401),), None, "pair 1 was not judged: the model refused the key"),
}  # fmt: skip


def point_at(server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> None:
    named = {"OPENAI_BASE_URL": server.url, "NARRAWORLD_MODEL": "tiny", "NARRAWORLD_MODE": "tools"}
    for name, value in named.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize("case", SERVED.values(), ids=SERVED)
def test_a_served_judge_has_one_documented_outcome(
    case: Case, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = world.check()
    with FaultServer(*case.turns) as server:
        point_at(server, monkeypatch)
        report = judged(world.story, before)
    [one] = report.nominated
    assert (one.judged, one.verdict) == (case.shown, "contradiction" if case.shown else None)
    assert [told.startswith(case.trouble or "-") for told in report.errors] == (
        [True] if case.trouble else []
    )
    assert "Leo spoke of the letter" in server.seen[0].user


def test_what_was_not_judged_is_asked_again_the_next_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = world.check()
    with FaultServer(status(401), answers(GOOD)) as server:
        point_at(server, monkeypatch)
        shown = [judged(world.story, before).nominated[0].judged for _ in range(3)]
    assert (shown, len(server.seen)) == ([None, KEPT, KEPT], 2)
