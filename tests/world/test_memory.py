"""Memory for the next passage, through the front door: what it finds, what it never tells, and that it fits.

*The fox*, after the paper's case study: what the next scene needs lies in three chapters, and the request names none of it.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from places import STORIES
from random_stories import Chapter, chapters, delta

from narraworld.kb.delta import Delta
from narraworld.kb.units import Unit
from narraworld.query.errors import BadBudget, EmptyRequest
from narraworld.query.memory.needs import MemoryContext, MemorySwitches
from narraworld.query.name_finder import stem, tokens
from narraworld.query.situation import Situation
from narraworld.world import World

REQUEST = "Write the next scene: that same evening, upstairs, alone; a small step towards peace."
NEEDED = {
    "the unfinished drawing": ("W", "the fox drawing is unfinished"),
    "the condition on the box, which Wren knows": (
        "B",
        "knows that the walnut box must pass to Wren on the day",
    ),
    "the father's promise": ("D", "Wren's father has promised to give Wren space"),
}


@pytest.fixture(scope="module")
def fox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with World.open(tmp_path_factory.mktemp("fox"), create=True) as world:
        for file in sorted((STORIES / "fox").glob("*.toml")):
            assert [unit.refusals for unit in world.read(file)] == [()]
        yield world


def has(context: MemoryContext, section: str, words: str) -> bool:
    return any(found.item.section == section and words in found.item.words for found in context.items)


# -- the case study


def test_the_request_names_none_of_what_it_needs(fox: World) -> None:
    said = {stem(word) for word in tokens(REQUEST)}

    assert not said & {
        stem(word)
        for word in tokens(
            "fox drawing sketchbook unfinished mother box condition father promise space ask Wren Anselm Odile Livia"
        )
    }
    assert fox.scope().mentions.find(REQUEST) == []


@pytest.mark.parametrize("needed", NEEDED)
def test_the_fox_drawing(fox: World, needed: str) -> None:
    context = fox.context(REQUEST, budget=600)

    assert context.tokens <= 600
    assert has(context, *NEEDED[needed])


def test_without_planning_the_request_alone_does_not_find_it(fox: World) -> None:
    context = fox.context(REQUEST, budget=600, switches=MemorySwitches(planning=False))

    assert not all(has(context, *needed) for needed in NEEDED.values())


def test_the_plan_recovers_whom_the_request_does_not_name(fox: World) -> None:
    plan = fox.context(REQUEST, budget=600).plan

    assert set(plan.focal) == {"wren", "father"}
    needs = {need.name: need for need in plan.needs}
    assert needs["what Wren holds of walnut box"].goals == (
        'proposition(P, "box", R, V, S), belief("wren", P, T, Mode, Record)',
    )
    assert needs["how far “Wren has stopped drawing” is from its end"].after == tuple(
        f"how “{fox.scope().names(thread.id)}” stands"
        for thread in fox.preview().threads
        if thread.open and thread.holders != ("kit",) and thread.holders
    )


def test_a_need_with_no_fact_is_reported(fox: World) -> None:
    unmet = {one.need: one.why for one in fox.context(REQUEST, budget=600).unmet}

    assert unmet["what Wren does not know"].startswith("nothing in this memory answers unaware(")


def test_an_outline_guides_and_is_no_evidence(fox: World) -> None:
    """The outline says that Kit comes to visit: Kit is looked up; that Kit came is told nowhere."""
    plain = fox.context(REQUEST, budget=600)
    outlined = fox.context(REQUEST, budget=600, outline="Kit arrives with the violin on Sunday.")

    assert "kit" not in plain.plan.focal
    assert "kit" in outlined.plan.focal
    assert "Sunday" not in outlined.text


# -- the situation decides what may be told


def test_father_does_not_know_of_the_condition(fox: World) -> None:
    context = fox.context(REQUEST, Situation.character("Anselm"), 4000)

    assert "walnut box" not in context.text
    assert has(context, *NEEDED["the father's promise"])
    assert {found.item.holder for found in context.items} <= {None, "father"}


def test_an_author_sees_every_mind_under_its_holders_name(fox: World) -> None:
    context = fox.context(REQUEST, Situation.author(), 4000)

    assert {"wren", "father"} <= {found.item.holder for found in context.items if found.item.section == "B"}
    assert "B: Wren knows\n" in context.text
    assert "does not know that the walnut box" in context.text


def test_a_reader_at_ch04_has_heard_of_no_promise(fox: World) -> None:
    context = fox.context(REQUEST, Situation.reader("ch04"), 4000)

    assert "promise" not in context.text
    assert {span.unit for found in context.items for span in found.item.spans} <= {
        "ch01",
        "ch02",
        "ch03",
        "ch04",
    }


def test_role_play_speaks_for_one_and_knows_to_whom(fox: World) -> None:
    context = fox.context("Answer him.", Situation.role_play("Wren", to="Anselm"), 1000)

    assert context.plan.focal[:2] == ("wren", "father")
    assert "what Wren takes Anselm to know" in {need.name for need in context.plan.needs}
    assert {found.item.holder for found in context.items} <= {None, "wren"}


@pytest.mark.parametrize(
    ("switches", "purpose", "sections"),
    [
        (MemorySwitches(), "writing", {"B", "H"}),
        (MemorySwitches(beliefs=False), "writing", {"H"}),
        (MemorySwitches(possibilities=False), "writing", {"B"}),
        (MemorySwitches(), "question", {"B"}),
        (MemorySwitches(possibilities_for_questions=True), "question", {"B", "H"}),
    ],
    ids=["all", "no B", "no H", "a question has no H", "a question that wants H"],
)
def test_switches(
    stories: dict[str, World], switches: MemorySwitches, purpose: str, sections: set[str]
) -> None:
    situation = Situation(at="ch02", purpose=purpose)  # type: ignore[arg-type]
    context = stories["key"].context(
        "What does Leo believe about the key?", situation, 4000, switches=switches
    )

    assert {found.item.section for found in context.items} & {"B", "H"} == sections


def test_without_links_nothing_is_found_through_another_record(fox: World) -> None:
    context = fox.context(REQUEST, budget=4000, switches=MemorySwitches(cross_event=False))

    assert not any("linked" in found.reasons for found in context.items)
    assert all(need.kind != "thread" for need in context.plan.needs)


# -- it fits, and it is the same every time

WORDS = [
    "write",
    "rewrite",
    "the",
    "scene",
    "where",
    "Leo",
    "Mara",
    "Wren",
    "father",
    "betrays",
    "promises",
    "key",
    "box",
    "fox",
    "drawing",
    "night",
    "why",
    "who",
    "knows",
    "evening",
    "peace",
    "drawer",
]


@pytest.mark.slow
def test_a_thousand_random_requests_fit_their_budgets(fox: World, stories: dict[str, World]) -> None:
    chance = random.Random(7)
    worlds = [
        (fox, Situation()),
        (fox, Situation.character("Wren")),
        *[(stories["key"], Situation(at="ch02"))] * 9,
        *[(stories["gate"], Situation())] * 9,
    ]
    for _ in range(1000):
        world, situation = chance.choice(worlds)
        request = " ".join(chance.choices(WORDS, k=chance.randint(1, 9)))
        budget = chance.choice([chance.randint(1, 60), chance.randint(1, 900)])
        context = world.context(request, situation, budget)
        assert context.tokens <= budget
        assert bool(context.text) == bool(context.items)


def test_the_same_request_gives_the_same_bytes(fox: World, tmp_path: Path) -> None:
    """Also in a world that was read anew elsewhere."""
    with World.open(tmp_path, create=True) as again:
        for file in sorted((STORIES / "fox").glob("*.toml")):
            again.read(file)
        assert again.context(REQUEST, budget=600) == fox.context(REQUEST, budget=600)
        assert fox.context(REQUEST, budget=600) == fox.context(REQUEST, budget=600)
        assert list(again.preview().lines()) == list(fox.preview().lines())


@pytest.mark.parametrize("budget", [0, -1])
def test_no_budget_is_an_error(fox: World, budget: int) -> None:
    with pytest.raises(BadBudget):
        fox.context(REQUEST, budget=budget)


def test_no_request_is_an_error(fox: World) -> None:
    with pytest.raises(EmptyRequest):
        fox.context("  ")


# -- nothing from outside the situation changes one byte

ECONOMY = settings(
    deadline=None,
    max_examples=4,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
ASKED = (
    "Where is the cup?",
    "Who has the cup?",
    "What does Ann believe?",
    "What is still open?",
    "What happened to the cup?",
)


def everything_told(world: World, situation: Situation) -> tuple[object, ...]:
    """Every byte that can be read in a situation: contexts, answers, the preview."""
    contexts = [world.context(request, situation, 400) for request in ("Ann looks for the cup", "go on")]
    replies = [world.ask(question, situation) for question in ASKED]
    return [one.text for one in contexts], contexts, replies, list(world.preview(situation).lines())


@settings(ECONOMY)
@given(first=chapters("ch01"), second=chapters("ch02"), later=chapters("ch03"))
def test_what_is_told_later_changes_no_byte(first: Chapter, second: Chapter, later: Chapter) -> None:
    """Also what a later chapter says of earlier things: names, dates, who is who."""
    with tempfile.TemporaryDirectory() as folder, World.open(folder, create=True) as world:
        for chapter in (first, second):
            world.commit(delta(chapter))
        situation = Situation.reader("ch02")
        before = everything_told(world, situation)
        world.commit(delta(later))
        assert everything_told(world, situation) == before


@settings(ECONOMY)
@given(first=chapters("ch01"), later=chapters("ch02"), aside=chapters("ch03"))
def test_later_revisions_and_other_branches_change_no_byte(
    first: Chapter, later: Chapter, aside: Chapter
) -> None:
    with tempfile.TemporaryDirectory() as folder, World.open(folder, create=True) as world:
        world.commit(delta(first))
        now, then = everything_told(world, Situation()), everything_told(world, Situation(revision=1))
        world.branch("aside")
        world.commit(delta(aside), branch="aside")
        assert everything_told(world, Situation()) == now
        world.commit(delta(later))
        assert everything_told(world, Situation(revision=1)) == then


def hidden() -> Delta:
    """Something Leo does not see: told and happened before the moment asked for, and nothing of it reached him."""
    made = Delta(
        Unit(
            "ch02b", 2, "In the night Mara burned a letter from the bishop and hid the ashes under the tower."
        )
    )
    made.add("Character", "bishop", name="bishop")
    made.add("Object", "letter", name="letter")
    made.add("Place", "tower", name="tower")
    made.add(
        "Event",
        "burn",
        kind="burn",
        agent="mara",
        patient="letter",
        quote="Mara burned a letter from the bishop",
    )
    made.add("State", proposition="letter.condition:burnt", at="burn", quote="burned a letter")
    made.add("State", proposition="letter.location.tower", at="burn", quote="hid the ashes under the tower")
    made.add(
        "Development",
        "secret",
        kind="mystery",
        title="What the bishop wrote",
        holder="mara",
        quote="a letter from the bishop",
    )
    made.add("Step", development="secret", status="opened", at="burn", quote="a letter from the bishop")
    return made


def test_what_leo_cannot_know_changes_no_byte_of_leos_memory(key_copy: Path) -> None:
    situation = Situation.character("Leo", at="ch03")

    def leos(world: World) -> tuple[object, ...]:
        asked = (
            "Where is the key?",
            "What does Leo want?",
            "What happened?",
            "Who has the key?",
            "What may happen next?",
        )
        contexts = [
            world.context(request, situation, 300)
            for request in ("rewrite the betrayal scene", "the letter in the tower")
        ]
        return contexts, [world.ask(one, situation) for one in asked], list(world.preview(situation).lines())

    with World.open(key_copy) as world:
        before = leos(world)
        assert world.commit(hidden()).refusals == ()
        assert world.ask("Where is the letter?").outcome == "derived"
        assert leos(world) == before
