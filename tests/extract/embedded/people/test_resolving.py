"""Mentions become entities by evidence: a name is who bears it, a noun the latest thing so called, kin whom the text said."""

from __future__ import annotations

from hand_made import meet, unit_state

from narraworld.extract.embedded.grammar.mentions import Mention
from narraworld.extract.embedded.people.coreference import Kin
from narraworld.kb.spans import TextRange

WHERE = TextRange(0, 1)


def noun(text: str, *, owner: str | None = None, definite: bool = True) -> Mention:
    return Mention(text, text.split()[-1], WHERE, "noun", owner=owner, definite=definite)


def test_the_key_is_the_one_that_was_met_and_a_key_is_another() -> None:
    company = unit_state("Leo.", key="object").company
    assert company.resolve(noun("key")) == ("key",)
    assert company.resolve(noun("key", definite=False)) == ("key-2",)


def test_a_name_is_whoever_bears_it() -> None:
    company = unit_state("Leo met Mara.").company
    assert company.resolve(Mention("Leo", "leo", WHERE, "name")) == ("leo",)
    assert company.kind("leo") == "character"


def test_her_father_is_whom_the_text_said() -> None:
    unit = unit_state("Leo met Mara.", leo="character", mara="character")
    unit.company.figures["mara"].gender = "female"
    unit.company.kin.add("leo", "daughter", "mara", "male")
    assert unit.company.kin.said == {"leo daughter": "mara", "mara father": "leo"}
    assert unit.company.resolve(noun("father", owner="her")) == ("leo",)


def test_kin_of_several_is_nobody_in_particular() -> None:
    kin = Kin({"a brother": "x", "b brother": "y"})
    assert (kin.of(["a"], "brother"), kin.of(["a", "b"], "brother"), kin.owners("brother")) == (
        "x",
        None,
        ["a", "b"],
    )


def test_the_red_one_is_the_only_thing_called_red() -> None:
    unit = unit_state("Leo.")
    meet(unit, "red-box", "object").names = ["red box"]
    meet(unit, "blue-box", "object").names = ["blue box"]
    assert unit.company.one_such(noun("red one")) == ("red-box",)
