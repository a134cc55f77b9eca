"""What a check says: sentences with both passages, one finding for each cause, three outcomes, keys that outlive edits."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narraworld.checking.check_world import check_world, checks_scope, rule_cards
from narraworld.extract.embedded.reader import read_prose
from narraworld.kb.units import Unit
from narraworld.query.checks.findings import Checked, Finding
from narraworld.query.checks.gather import finding_key, wanted
from narraworld.query.situation import Situation
from narraworld.reading.prior import roster_of
from narraworld.rules.language.cards import FINDING, card_texts, check_program
from narraworld.rules.language.ir import Const
from narraworld.world import World

DEAD = "Tomas died in the night. Mara wept. Tomas opened the gate."
HOUSE = """
/// tavern(Place): Place is where nobody of this house should be seen.
.decl tavern(place:symbol)
tavern("tavern").
check("HR001", "warning", "seen in the tavern", "social norms", "decides").
//# HR001 about: Nobody of the house goes there.
//> {C} was seen there
finding("HR001", S, S, C) :- world_claim(S, M, "yes", _), about(M, C, "location", L), tavern(L).
"""


def tell(folder: Path, *chapters: str) -> World:
    world = World.open(folder, create=True)
    for number, text in enumerate(chapters, 1):
        add(world, number, text)
    return world


def add(world: World, number: int, text: str) -> None:
    roster = roster_of(world.scope().engine, but=f"ch{number}")
    world.commit(read_prose(Unit(f"ch{number}", number, text), roster).delta)


def raised(checked: Checked) -> list[str]:
    return [one.rule.id for one in checked.findings]


def only(checked: Checked, rule: str) -> Finding:
    [found] = [one for one in checked.findings if one.rule.id == rule]
    return found


# -- one finding


def test_a_finding_says_why_and_quotes_both_passages(tmp_path: Path) -> None:
    with tell(tmp_path, DEAD) as world:
        found = only(check_world(world.story), "NW101")

    assert found.message == "Tomas is dead, yet acts later: “Tomas opened the gate”."
    assert [one.quote for one in found.passages] == ["Tomas died in the night", "Tomas opened the gate"]
    assert found.rule.severity == "error"


def test_its_goal_can_be_proved(tmp_path: Path) -> None:
    with tell(tmp_path, DEAD) as world:
        found = only(check_world(world.story), "NW101")
        why = checks_scope(world.story).why(found.goal)

    assert len(why.proofs) == 1


def test_rows_of_one_cause_are_one_finding(tmp_path: Path) -> None:
    with tell(tmp_path, f"{DEAD} Tomas closed the gate. Tomas took the key.") as world:
        found = only(check_world(world.story), "NW101")

    assert found.alike == 3


def test_the_gravest_comes_first(tmp_path: Path) -> None:
    text = f"Mara came home. Mara could read. {DEAD} Mara could not read."
    with tell(tmp_path, text) as world:
        assert raised(check_world(world.story)) == ["NW101", "NW702"]


def test_what_lies_beyond_the_situation_is_not_checked(tmp_path: Path) -> None:
    with tell(tmp_path, "Tomas died in the night.", "Tomas opened the gate.") as world:
        early, late = check_world(world.story, situation=Situation(told="ch1")), check_world(world.story)

    assert (raised(early), raised(late)) == ([], ["NW101"])


def test_an_earlier_revision_can_be_checked(tmp_path: Path) -> None:
    with tell(tmp_path, "Tomas died in the night.", "Tomas opened the gate.") as world:
        assert raised(check_world(world.story, situation=Situation(revision=1))) == []


# -- keys


def test_a_key_outlives_an_edit_elsewhere_and_dies_with_its_words(tmp_path: Path) -> None:
    with tell(tmp_path, "Tomas died in the night.", "Tomas opened the gate.") as world:
        before = only(check_world(world.story), "NW101").key
        add(world, 1, "It rained. The road was long. Tomas died in the night.")
        moved = only(check_world(world.story), "NW101").key
        add(world, 2, "Tomas opened the door.")
        changed = only(check_world(world.story), "NW101").key

    assert before == moved != changed


@given(st.lists(st.text(min_size=1), min_size=1, max_size=3))
def test_a_key_knows_no_order_and_no_white_space(quotes: list[str]) -> None:
    spaced = [f" {quote}\n" for quote in reversed(quotes)]
    assert finding_key("NW101", quotes) == finding_key("NW101", spaced) != finding_key("NW102", quotes)


# -- three outcomes


def test_every_rule_says_what_became_of_it(tmp_path: Path) -> None:
    with tell(tmp_path, f"{DEAD} Mara gave the key to Leo.") as world:
        outcomes = {one.rule.id: one for one in check_world(world.story).reports}

    assert outcomes["NW101"].outcome == "violated"
    assert (outcomes["NW102"].outcome, outcomes["NW102"].missing) == ("held", ())
    assert outcomes["NW301"].outcome == "not evaluated"
    assert outcomes["NW301"].missing == ("what comes before what, said outright",)
    assert outcomes["NW806"].missing == ("a reader's judgement",)


@pytest.mark.parametrize(
    ("select", "ignore", "expected"),
    [((), (), True), (("NW1",), (), True), (("NW2",), (), False), ((), ("NW101",), False), (("NW",), ("NW1",), False)],
)  # fmt: skip
def test_checks_are_chosen_by_their_numbers(
    select: tuple[str, ...], ignore: tuple[str, ...], expected: bool
) -> None:
    assert wanted("NW101", select, ignore) is expected


# -- after an edit


def test_a_second_check_follows_the_edit_and_equals_a_first_one(tmp_path: Path) -> None:
    chapters = ["Mara took the lantern.", "Leo gave the lantern to Ida.", DEAD]
    edited = "Mara gave the lantern to Leo. Leo gave the lantern to Ida."
    with (
        tell(tmp_path / "one", *chapters) as world,
        tell(tmp_path / "two", chapters[0], edited, DEAD) as fresh,
    ):
        assert raised(check_world(world.story)) == ["NW101", "NW102"]
        add(world, 2, edited)
        assert check_world(world.story).findings == check_world(fresh.story).findings


def test_ordinary_asking_does_not_pay_for_checks(tmp_path: Path) -> None:
    with tell(tmp_path, DEAD) as world:
        world.views()
        assert FINDING not in world.story.frame.program.relations
        assert not (world.store.cache() / "checks").exists()


# -- checks of one's own


def test_a_folder_of_rules_becomes_checks(tmp_path: Path) -> None:
    (tmp_path / "house-rules").mkdir()
    (tmp_path / "house-rules" / "tavern.dl").write_text(HOUSE, encoding="utf-8")
    (tmp_path / "narraworld.toml").write_text('[rules]\nchecks = ["house-rules"]\n', encoding="utf-8")
    with tell(tmp_path, "Leo went to the tavern.") as world:
        found = only(check_world(world.story), "HR001")
        card = rule_cards(world.story)["HR001"]

    assert (found.message, found.rule.title) == ("Leo was seen there.", "seen in the tavern")
    assert card.about == "Nobody of the house goes there."


# -- cards


def test_every_rule_has_a_card_and_every_card_a_rule_or_a_judge() -> None:
    cards = rule_cards()
    heads = {
        str(rule.head.args[0].value) for rule in check_program().rules_for(FINDING) if isinstance(rule.head.args[0], Const)
    }  # fmt: skip
    assert heads == {number for number, card in cards.items() if card.verdict != "judge"}
    assert all(card.about for card in cards.values())
    assert all(
        card.fires and card.silent and card.needs for card in cards.values() if card.verdict != "judge"
    )


PROSE = [
    (number, part)
    for number, text in sorted(card_texts().items())
    for part in ("fires", "silent")
    if (said := getattr(text, part)) and not said.startswith("records:")
]


@pytest.mark.parametrize(("number", "part"), PROSE, ids=lambda one: str(one))
def test_an_example_in_prose_does_what_its_card_says(number: str, part: str, tmp_path: Path) -> None:
    with tell(tmp_path, getattr(card_texts()[number], part)) as world:
        assert (number in raised(check_world(world.story))) is (part == "fires")
