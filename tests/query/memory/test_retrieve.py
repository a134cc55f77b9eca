"""What a plan needs is found through rules, links and search; and nothing outside the situation has a say in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from narraworld.kb.delta import Delta
from narraworld.kb.propositions import Statement
from narraworld.kb.search.inverted_index import LexicalIndex
from narraworld.kb.units import Unit
from narraworld.query.memory.assemble import assemble
from narraworld.query.memory.items import Teller
from narraworld.query.memory.needs import MemoryPlan, MemorySwitches, Need
from narraworld.query.memory.private_matters import PrivateMatters
from narraworld.query.memory.retrieve import RetrievalSettings, Retrieved, retrieve
from narraworld.query.scope import Scope
from narraworld.query.situation import Situation
from narraworld.rules.language.ir import Atom, Var
from narraworld.world import World

PLAN = MemoryPlan("scene", ("ada",), "Ada looks for the ladder", ())


def lines(found: Retrieved, section: str) -> list[str]:
    return [one.item.words for one in found.found if one.item.section == section]


def bytes_of(scope: Scope, plan: MemoryPlan = PLAN, switches: MemorySwitches | None = None) -> str:
    settings = RetrievalSettings(switches=switches or MemorySwitches())
    context = assemble(retrieve(scope, plan, settings), plan, 400)
    return f"{context.text}{context.items}{context.unmet}"


def test_facts_words_and_minds_are_found(now: Scope) -> None:
    found = retrieve(now, PLAN)
    assert "the ladder is at the barn" in lines(found, "W")
    assert "the ladder is on the wall (no longer)" in lines(found, "W")
    assert "does not know that the ladder is at the barn" in lines(found, "B")
    assert "Bo carried the ladder to the barn." in lines(found, "T")
    assert all(one.item.spans for one in found.found)


@pytest.mark.parametrize("said", ["Ada keeps bees.", "Ada’s bees are gone."])
def test_a_value_that_is_a_sentence_about_its_subject_is_told_as_it_is(now: Scope, said: str) -> None:
    assert now.once(Teller).proposition_words(Statement("ada", "observed", value=said).id) == said


def test_what_a_focal_character_wrongly_believes_comes_along(now: Scope) -> None:
    found = retrieve(now, PLAN)
    [wrong] = [
        one for one in found.found if one.item.words == "wrongly believes that the ladder is on the wall"
    ]
    assert wrong.item.holder == "ada"


def test_nobody_can_tell_what_they_do_not_know(orchard: World) -> None:
    found = retrieve(orchard.scope(Situation(focalizer="Ada")), PLAN)
    told = " ".join(one.item.words for one in found.found)
    assert "barn" not in told
    assert "no longer" not in told
    assert "believes that the ladder is on the wall" in lines(found, "B")


def test_rules_settle_a_need_and_say_which_cannot_be_met(now: Scope) -> None:
    asked = Need("where", "place", "why", goals=('current(Record, "ladder.location.barn", "yes")',))
    beyond = Need("sold", "event", "why", goals=('role(E, "ada", "agent"), event(E, "sell", "actual")',))
    found = retrieve(now, replace(PLAN, needs=(asked, beyond)))
    [barn] = [one for one in found.found if one.item.words == "the ladder is at the barn"]
    assert ("where" in barn.needs, "rule" in barn.reasons) == (True, True)
    [unmet] = found.unmet
    assert (unmet.need, "sell" in unmet.why) == ("sold", True)


@pytest.mark.parametrize(
    ("switches", "section"),
    [(MemorySwitches(beliefs=False), "B"), (MemorySwitches(possibilities=False), "H")],
    ids=["no B", "no H"],
)
def test_a_view_can_be_left_out(now: Scope, switches: MemorySwitches, section: str) -> None:
    assert lines(retrieve(now, PLAN, RetrievalSettings(switches=switches)), section) == []


def test_without_planning_the_words_alone_decide(now: Scope) -> None:
    plain = RetrievalSettings(switches=MemorySwitches(planning=False, cross_event=False))
    assert {reason for one in retrieve(now, PLAN, plain).found for reason in one.reasons} == {"search"}


def test_the_same_request_twice_is_the_same_bytes(orchard: World, now: Scope) -> None:
    assert now.shelf is not None
    own = replace(now.shelf(), index=LexicalIndex())
    again = Scope(now.engine, shelf=lambda: own)
    assert bytes_of(orchard.scope()) == bytes_of(now) == bytes_of(again)


def test_a_sentence_that_no_record_rests_on_is_found(now: Scope) -> None:
    assert "Bo wondered if it rained." in lines(retrieve(now, PLAN), "T")


def test_two_records_of_one_sentence_tell_it_once(now: Scope) -> None:
    told = lines(retrieve(now, PLAN), "T")
    assert len(told) == len(set(told))


# -- what lies outside the situation


def spring() -> Delta:
    """A chapter about the same people and things, with many more of the same words."""
    made = Delta(Unit("ch03", 3, "Bo burned the ladder. Ada looked for the ladder, and the ladder was ash."))
    made.add("Event", "burn", kind="burn", agent="bo", patient="ladder", quote="Bo burned the ladder")
    made.add("State", proposition="ladder.condition:burnt", at="burn", quote="the ladder was ash")
    made.add("Event", "look", kind="look", agent="ada", patient="ladder", quote="Ada looked for the ladder")
    made.add(
        "Development",
        "revenge",
        kind="conflict",
        title="Ada against Bo",
        holder=["ada", "bo"],
        quote="Bo burned",
    )
    made.add("Step", development="revenge", status="opened", at="look", quote="Ada looked for the ladder")
    return made


@pytest.fixture
def growing(orchard: World, tmp_path: Path) -> Iterator[World]:
    """The orchard in a folder of its own, to which more can be told."""
    orchard.export(tmp_path / "orchard.nq")
    with World.open(tmp_path / "own", create=True) as world:
        world.import_(tmp_path / "orchard.nq")
        yield world


@pytest.mark.parametrize(
    "situation",
    [
        Situation(told="ch02"),
        Situation(told="ch02", focalizer="Bo"),
        Situation(revision=2),
        Situation(branch="before"),
    ],
    ids=["told later", "told later, through his eyes", "committed later", "off the branch"],
)
def test_what_lies_outside_changes_not_one_byte(growing: World, situation: Situation) -> None:
    growing.branch("before")
    before = bytes_of(growing.scope(situation))
    assert growing.commit(spring()).refusals == ()
    assert "burned" in bytes_of(growing.scope())
    assert bytes_of(growing.scope(situation)) == before


def test_a_chapter_read_again_is_found_by_its_new_words_only(growing: World) -> None:
    assert "carried" in bytes_of(growing.scope())
    made = Delta(Unit("ch02", 2, "Bo dragged the ladder to the barn."))
    made.add("Place", "barn", name="barn", quote="the barn")
    made.add(
        "Event", "drag", kind="drag", agent="bo", patient="ladder", quote="Bo dragged the ladder to the barn"
    )
    assert growing.commit(made).refusals == ()
    told = bytes_of(growing.scope())
    assert ("dragged" in told, "carried" in told) == (True, False)


def test_the_kept_index_serves_the_next_process(growing: World) -> None:
    told = bytes_of(growing.scope())
    with World.open(growing.path) as again:
        assert bytes_of(again.scope()) == told
    assert list((growing.path / ".narraworld" / "cache" / "main").glob("lexical-*"))


def test_whoever_makes_the_index_has_what_is_told_from_at_hand(growing: World) -> None:
    """Beside an index of a long story that is nothing, and the next requests need not wait for it; whoever finds it made reads what is wanted."""
    made = growing.scope()
    bytes_of(made)
    with World.open(growing.path) as again:
        found = again.scope()
        bytes_of(found)
        asked = Atom("lasts", tuple(Var(f"V{nth}") for nth in range(5)))
        assert "lasts" not in found.at_once._whole
        assert "lasts" in made.at_once._whole
        assert made.at_once.ask(asked) == found.at_once.ask(asked) != []


def test_a_scene_is_written_knowing_how_it_came_about(tmp_path: Path) -> None:
    with World.open(tmp_path, create=True) as world:
        for number, (text, told) in enumerate(
            (
                ("Una baked a pie.", "A pie is baked."),
                ("Rain fell on the mill.", "It rains."),
                ("The cow slept.", "A cow sleeps."),
            ),
            1,
        ):
            made = Delta(Unit(f"ch0{number}", number, text))
            made.add("Object", f"thing-{number}", name=text.split()[-1].strip("."))
            made.add("Event", "deed", kind="be", patient=f"thing-{number}", quote=text)
            made.add(
                "Scene", "scene-1", unit=f"ch0{number}", start=0, end=len(text), summary=told, quote=text
            )
            assert world.commit(made).refusals == ()
        scene, question = (
            [
                one.item.words
                for one in retrieve(
                    world.scope(), replace(PLAN, form=form), RetrievalSettings(scenes=2)
                ).found
                if "the story so far" in one.reasons
            ]
            for form in ("scene", "fact")
        )
    assert (scene, question) == (["A cow sleeps.", "It rains."], [])


def test_private_matters_of_a_scene_are_told_in_a_line_each(tmp_path: Path) -> None:
    text = "Ada knew that the ring was false. Bo had no idea. Cy had none either. Ada lied to Bo that it was gold."
    made = Delta(Unit("ch01", 1, text))
    for who in ("ada", "bo", "cy"):
        made.add("Character", who, name=who.title())
    made.add("Object", "ring", name="ring", quote="the ring")
    made.add(
        "Attitude",
        holder="ada",
        proposition="ring.condition:false",
        attitude="knows",
        quote="Ada knew that the ring was false",
    )
    made.add("Unawareness", holder="bo", proposition="ring.condition:false", quote="Bo had no idea")
    made.add("Unawareness", holder="cy", proposition="ring.condition:false", quote="Cy had none either")
    made.add(
        "Speech", "lie", kind="tell", speaker="ada", addressee="bo", manner="lies", claim="ring.material:gold",
        quote="Ada lied to Bo that it was gold",
    )  # fmt: skip
    with World.open(tmp_path, create=True) as world:
        assert world.commit(made).refusals == ()
        told = {
            (form, focal, eyes): [
                one.item.words
                for one in retrieve(
                    world.scope(Situation(focalizer=eyes)), replace(PLAN, form=form, focal=focal)
                ).found
                if "a private matter" in one.reasons
            ]
            for form, focal, eyes in (
                ("scene", ("ada", "bo"), None),
                ("scene", ("bo", "cy"), None),
                ("fact", ("ada", "bo"), None),
                ("scene", ("ada", "bo"), "ada"),
            )
        }
    assert [*told.values()] == [
        [
            "Ada has told Bo falsely that the ring is made of gold, and is not believed",
            "known to Ada, that the ring is false, and not known to Bo",
        ],
        [], [], [],
    ]  # fmt: skip


def test_what_nothing_says_that_somebody_knows_of_secrets_is_told_in_a_line(tmp_path: Path) -> None:
    """What Ada tells nobody, and what Bo is said not to know; of himself Cy knows, and nobody sees into others."""
    text = "Ada knew that Cy was ill. Bo had no idea. Ada told nobody that the ring was false. Bo did not know the hour."
    made = Delta(Unit("ch01", 1, text))
    for who in ("ada", "bo", "cy"):
        made.add("Character", who, name=who.title())
    made.add("Object", "ring", name="ring", quote="the ring")
    for said, quote in (
        ("cy.health:ill", "Ada knew that Cy was ill"),
        ("ring.condition:false", "Ada told nobody that the ring was false"),
    ):
        made.add("Attitude", holder="ada", proposition=said, attitude="knows", quote=quote)
    made.add("Unawareness", holder="bo", proposition="cy.health:ill", quote="Bo had no idea")
    made.add("Unawareness", holder="bo", proposition="ring.age:old", quote="Bo did not know the hour")
    made.add("State", proposition="ada.secret.(ring.condition:false)", truth="asserted", quote=quote)
    with World.open(tmp_path, create=True) as world:
        assert world.commit(made).refusals == ()
        private = world.scope().once(PrivateMatters)
        told = {who: [one.words for one in private.unknown_to(who, 4)] for who in ("ada", "bo", "cy")}
        own = [*world.scope(Situation(focalizer="bo")).once(PrivateMatters).unknown_to("bo", 4)]
        [short] = private.unknown_to("bo", 1)
    assert told == {
        "ada": [],
        "bo": ["nothing says that Bo knows of this: the ring is false; Cy's health: ill"],
        "cy": ["nothing says that Cy knows of this: the ring is false"],
    }
    assert own == [] and short.words == "nothing says that Bo knows of this: the ring is false"


def test_under_which_other_name_somebody_goes_is_told_where_it_is_one(tmp_path: Path) -> None:
    """A name that the page goes on using; no description, no form of the same name, no name that was used once."""
    text = (
        "A tall man came. A tall man sat. A tall man spoke. Bea called him Owen. Owen ate, and Owen slept. Owen it was. Adrian woke. "
        "Bo was Beppo. Nan Corrigan came. Nan ate. Nan slept. Nan was dead."
    )
    made = Delta(Unit("ch01", 1, text))
    made.add("Character", "serle", name="Adrian Serle", quote="Adrian")
    made.add("Character", "bo", name="Bo", quote="Bo was")
    made.add("Character", "nan", name="Nan Corrigan", quote="Nan Corrigan")
    for who, name, quote in (
        ("serle", "A tall man", "A tall man came"), ("serle", "Owen", "called him Owen"),
        ("serle", "Adrian", "Adrian woke"), ("bo", "Beppo", "Beppo"), ("nan", "Nan", "Nan ate"),
    ):  # fmt: skip
        made.add("Naming", entity=who, name=name, quote=quote)
    with World.open(tmp_path, create=True) as world:
        assert world.commit(made).refusals == ()
        found = retrieve(world.scope(), replace(PLAN, focal=("serle", "bo", "nan")))
    assert [one.item.words for one in found.found if "another name" in one.reasons] == [
        "Adrian Serle is also called Owen"
    ]
