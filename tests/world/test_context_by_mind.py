"""A mind at hand names the lines that a scene needs: what it is shown, what is packed of what it names, and what is left out."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from opened_mind import Opened

from narraworld.base.settings import DEFAULTS
from narraworld.extract.model.port import Prompt, Told
from narraworld.kb.delta import Delta
from narraworld.kb.units import Unit
from narraworld.models.planner import NeedsAnswer, choosing_with
from narraworld.models.recordings import CarriedOver, Recorder, Replay
from narraworld.query.memory.by_mind.scene_shown import SaidNeed, SaidNeeds, SceneShown
from narraworld.query.memory.needs import MemoryContext
from narraworld.query.memory.tokens import counter
from narraworld.world import World

REQUEST = "Leo comes back to the house"
MOVED = "Mara moved the key from the drawer into the hollow book"
WHERE = "the key is in the drawer — believes falsely: Leo; nothing says so of: Mara"
SETTINGS = DEFAULTS.memory.choosing


class Mind:
    """Says what a test makes of the page; keeps what it was shown."""

    def __init__(self, says: Callable[[SceneShown], dict[str, list[int]]]) -> None:
        self.says, self.shown = says, list[SceneShown]()

    def __call__(self, shown: SceneShown) -> SaidNeeds:
        self.shown.append(shown)
        said = self.says(shown)
        return SaidNeeds(tuple(SaidNeed(need, tuple(lines)) for need, lines in said.items()), "Ada")


def number(shown: SceneShown, words: str) -> int:
    """The number of the first line that has these words."""
    return next(nth for nth, line in enumerate(shown.lines, 1) if words in line.words)


def naming(*lines: str, need: str = "where Leo will look") -> Mind:
    return Mind(lambda shown: {need: [number(shown, one) for one in lines]})


def context(world: World, mind: Mind | None, budget: int = 400, **situation: Any) -> MemoryContext:
    return world.context(REQUEST, budget=budget, mind=mind, **{"at": "ch02", **situation})


def told(found: MemoryContext) -> list[str]:
    return [line.removeprefix("- ") for line in found.text.splitlines() if line.startswith("- ")]


# -- what it is shown


def test_it_is_shown_what_is_under_way_who_holds_what_and_the_text(stories: dict[str, World]) -> None:
    mind = naming(MOVED)
    context(stories["key"], mind)
    [shown] = mind.shown
    parts = {line.words: line.part for line in shown.lines}
    assert parts[WHERE] == "holders"
    assert parts[f"{MOVED} while Leo was away."] == "text"
    assert (
        next(part for words, part in parts.items() if words.startswith("Leo means to come")) == "developments"
    )
    assert shown.situation.endswith("The story stands at the end of ch02 (The hollow book).")
    assert shown.cast == "It turns on Leo, Mara." and shown.room.startswith("About 400 tokens: ")


def test_sentences_are_shown_in_pieces_that_name_whom_they_leave_out(stories: dict[str, World]) -> None:
    mind = naming(MOVED)
    context(stories["key"], mind)
    assert next(line.words for line in mind.shown[0].lines if line.part == "text") == (
        "Leo left the key in the drawer and went down to the harbour. Before the tide turned he would come back for it."
    )


CHAPEL = '''
[unit]
id = "ch01"
order = 1
text = """He would not wait. \"The box is in the chapel,\" she said.

Nobody but Tobias heard it."""

[[character]]
id = "ines"
name = "Ines"
quote = "she"

[[character]]
id = "tobias"
name = "Tobias"
quote = "Tobias"

[[speech]]
id = "told"
kind = "tell"
speaker = "ines"
addressee = "tobias"
manner = "asserts"
quote = "The box is in the chapel"
'''


def test_whom_a_piece_leaves_out_is_named_and_who_speaks(tmp_path: Path) -> None:
    (tmp_path / "01.toml").write_text(CHAPEL, encoding="utf-8")
    with World.open(tmp_path, create=True) as world:
        world.read(tmp_path / "01.toml")
        mind = Mind(lambda _: {})
        world.context("They search on", mind=mind)
    assert [line.words for line in mind.shown[0].lines if line.part == "text"] == [
        'He would not wait. "The box is in the chapel," she said. Nobody but Tobias heard it. (Ines speaking)'
    ]


def test_through_eyes_it_is_shown_what_that_mind_could_tell(stories: dict[str, World]) -> None:
    mind = naming("in the drawer")
    found = context(stories["key"], mind, as_="Leo")
    [shown] = mind.shown
    lines = [line.words for line in shown.lines]
    assert {"Leo believes that the key is in the drawer", "Leo left the key in the drawer"} < set(lines)
    for text in (shown.text, found.text):
        assert "hollow" not in text.casefold() and "mara" not in text.casefold()


def test_sentences_that_stand_apart_for_somebody_are_not_joined(tmp_path: Path) -> None:
    made = Delta(Unit("ch01", 1, "Leo left the key. Mara moved it. Leo slept."))
    made.add("Character", "leo", name="Leo", quote="Leo left")
    made.add("Character", "mara", name="Mara", quote="Mara")
    for who, kind, quote in (
        ("leo", "leave", "Leo left the key."), ("mara", "move", "Mara moved it."), ("leo", "sleep", "Leo slept."),
    ):  # fmt: skip
        made.add("Event", kind, kind=kind, agent=who, quote=quote)
    with World.open(tmp_path, create=True) as world:
        assert world.commit(made).refusals == ()
        seen = {}
        for eyes in (None, "leo"):
            world.context("They go on", as_=eyes, mind=(mind := Mind(lambda _: {})))
            seen[eyes] = [line.words for line in mind.shown[0].lines if line.part == "text"]
    assert seen == {
        None: ["Leo left the key. Mara moved it. Leo slept."],
        "leo": ["Leo left the key.", "Leo slept."],
    }


def test_whom_a_matter_is_about_is_not_said_to_be_silent_of_it(tmp_path: Path) -> None:
    made = Delta(Unit("ch01", 1, "Ada knew that Cy was ill. Bo slept."))
    for who in ("ada", "bo", "cy"):
        made.add("Character", who, name=who.title())
    quote = "Ada knew that Cy was ill"
    made.add("Attitude", holder="ada", proposition="cy.health:ill", attitude="knows", quote=quote)
    with World.open(tmp_path, create=True) as world:
        assert world.commit(made).refusals == ()
        world.context("Ada, Bo and Cy meet", mind=(mind := Mind(lambda _: {})))
    assert [line.words for line in mind.shown[0].lines if line.part == "holders"] == [
        "Cy's health: ill — knows: Ada; nothing says so of: Bo"
    ]


def test_a_budget_holds_the_lines(stories: dict[str, World]) -> None:
    mind = Mind(lambda _: {})
    context(stories["gate"], mind, at=None)
    [shown] = mind.shown
    numbered = [f"{nth}. {line.words}\n" for nth, line in enumerate(shown.lines, 1)]
    assert sum(map(counter(), numbered)) <= SETTINGS.tokens
    assert len({line.words for line in shown.lines}) == len(shown.lines)


# -- what is packed


def test_what_it_names_comes_before_what_the_plan_would_pack(stories: dict[str, World]) -> None:
    line = "possible: Leo finds the key in the hollow book himself"
    small = 60
    assert not any(line in one for one in told(context(stories["key"], None, small)))
    found = context(stories["key"], naming(line), small)
    assert line in found.text and found.tokens <= small
    assert found.plan.needs[0].name == "where Leo will look" and found.items[0].needs == {
        "where Leo will look"
    }
    assert found.plan.planner == "rules, Ada"


def test_the_first_line_of_each_need_comes_before_the_second_of_any(stories: dict[str, World]) -> None:
    mind = Mind(
        lambda shown: {
            "the key": [number(shown, "(no longer)"), number(shown, "possible: Leo finds")],
            "Leo": [number(shown, "Leo: away")],
        }
    )
    scores = {one.item.words: one.score for one in context(stories["key"], mind).items}
    assert scores["Leo: away"] == scores["the key is in the drawer (no longer)"] == SETTINGS.named
    assert scores["possible: Leo finds the key in the hollow book himself"] == SETTINGS.named / 2


def test_what_is_named_is_told_once(stories: dict[str, World]) -> None:
    plain = told(context(stories["key"], None))
    assert "wrongly believes that the key is in the drawer (no longer)" not in plain
    assert any(one.startswith("wrongly believes that the key is in the drawer") for one in plain)
    lines = told(context(stories["key"], naming(WHERE, "Before the tide turned he would come back for it.")))
    assert WHERE in lines and not any(one.startswith("wrongly believes") for one in lines)
    assert sum("tide turned" in one for one in lines if "opened" not in one) == 1


def test_none_of_its_own_words_become_memory(stories: dict[str, World]) -> None:
    own = "Tobias drowned the crocodile"
    found = context(stories["key"], naming(MOVED, need=own))
    assert "crocodile" not in found.text and not any("crocodile" in one.item.words for one in found.items)


def test_what_it_leaves_room_for_is_packed_as_planned(stories: dict[str, World]) -> None:
    nothing = context(stories["key"], Mind(lambda _: {}))
    assert nothing.text == context(stories["key"], None).text and nothing.notes == ()


# -- what is left out, and what is not there


def test_a_line_that_was_not_shown_is_left_out_and_said(stories: dict[str, World]) -> None:
    mind = Mind(lambda shown: {"the key": [len(shown.lines) + 1, 0, number(shown, WHERE)]})
    found = context(stories["key"], mind)
    many = len(mind.shown[0].lines)
    assert found.notes == (
        f"Ada names line {many + 1}, and there are {many}", f"Ada names line 0, and there are {many}",
    )  # fmt: skip
    assert WHERE in told(found)


def test_what_is_too_much_is_left_out_and_said(stories: dict[str, World]) -> None:
    most, each = SETTINGS.needs, SETTINGS.rests_on
    mind = Mind(lambda _: {f"need {nth}": [*range(1, each + 2)] for nth in range(most + 1)})
    found = context(stories["key"], mind)
    assert found.notes == (
        f"Ada names {most + 1} needs, and {most} are taken",
        f"Ada names up to {each + 1} lines for a need, and {each} are taken",
    )
    assert [need.name for need in found.plan.needs if need.kind == "asked"] == [
        f"need {nth}" for nth in range(most)
    ]
    assert max(len(one.needs) for one in found.items) == most


def test_a_need_that_no_line_meets_is_reported_and_looked_for_once_more(stories: dict[str, World]) -> None:
    mind = Mind(lambda _: {"when the tide turns": [], "zzzz": []})
    found = context(stories["key"], mind)
    why = {one.need: one.why for one in found.unmet}
    assert (
        why["when the tide turns"] == "nothing that was shown meets it; the nearest that search has is there"
    )
    assert why["zzzz"] == "nothing that was shown meets it; search has nothing on it"
    [again] = [one for one in found.items if "looked for again" in one.reasons and "tide" in one.item.words][
        :1
    ]
    assert again.score == SETTINGS.again and again.needs == {"when the tide turns"}


# -- recorded and replayed


class Strong:
    """Names the line that says where Leo takes the key to be, as a model would, and one more."""

    model = "strong"

    async def ask(self, prompt: Prompt, answer: type[NeedsAnswer], /) -> Told[NeedsAnswer]:
        lines = prompt.given["lines"].splitlines()
        rests = [int(one.partition(".")[0]) for one in lines if one.endswith((WHERE, "Leo: away"))]
        needs = [{"need": "where Leo will look", "rests_on": rests}]
        return Told(NeedsAnswer.model_validate({"needs": needs}))


def test_a_choice_is_replayed_and_a_line_that_is_gone_is_left_out(
    stories: dict[str, World], tmp_path: Path
) -> None:
    file = tmp_path / "chosen.jsonl"
    ask = stories["key"].context
    first = ask(REQUEST, at="ch02", budget=100, mind=choosing_with(lambda: Opened(Recorder(Strong(), file))))
    again = ask(REQUEST, at="ch02", budget=100, mind=choosing_with(lambda: Opened(Replay(file))))
    assert again == first and WHERE in told(first) and first.plan.planner == "rules, strong"
    old = json.loads(file.read_text("utf-8"))
    assert sorted(old["named"].values()) == ["Leo: away", WHERE]
    given = {"request": REQUEST, "lines": f"[x]\n41. {WHERE}"}
    carried = asyncio.run(
        CarriedOver(file, Replay(file)).ask(Prompt("choosing", "s", "u", given), NeedsAnswer)
    )
    assert [one.rests_on for one in carried.answer.needs] == [[41]]


def test_a_choice_for_another_request_is_none_for_this(stories: dict[str, World], tmp_path: Path) -> None:
    from narraworld.models.recordings import UnheardQuestion

    file = tmp_path / "chosen.jsonl"
    stories["key"].context(REQUEST, at="ch02", mind=choosing_with(lambda: Opened(Recorder(Strong(), file))))
    with pytest.raises(UnheardQuestion, match="request"):
        stories["key"].context(
            "Mara waits", at="ch02", mind=choosing_with(lambda: Opened(CarriedOver(file, Replay(file))))
        )
