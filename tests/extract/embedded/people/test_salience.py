"""Whom a pronoun can mean: the nearest that fits; two that fit equally well leave it open."""

from __future__ import annotations

from narraworld.extract.embedded.grammar.mentions import Mention
from narraworld.extract.embedded.people.entities import OBJECT, SUBJECT, DiscourseEntity
from narraworld.extract.embedded.people.salience import REACH, Salience
from narraworld.kb.spans import TextRange

WHERE = TextRange(0, 1)


def mind(*met: tuple[str, str, str | None, tuple[int, int]]) -> Salience:
    found = Salience()
    for id, kind, gender, seen in met:
        found.figures[id] = DiscourseEntity(id, kind, [id], WHERE, id, gender=gender, seen=seen)
    found.clause = 2
    return found


def pronoun(salience: Salience, word: str, gender: str) -> tuple[str, ...]:
    return salience._pronoun(Mention(word, word, WHERE, "pronoun", gender), set(), SUBJECT)


def test_he_is_the_latest_man() -> None:
    here = mind(("leo", "character", "male", (1, SUBJECT)), ("ann", "character", "female", (1, OBJECT)))
    assert (pronoun(here, "he", "male"), pronoun(here, "she", "female")) == (("leo",), ("ann",))


def test_two_that_fit_equally_well_leave_it_open() -> None:
    here = mind(("leo", "character", "male", (1, OBJECT)), ("tom", "character", "male", (1, OBJECT)))
    assert pronoun(here, "he", "male") == ()


def test_it_is_a_thing_and_they_are_those_who_act_together() -> None:
    here = mind(("key", "object", None, (1, OBJECT)), ("leo", "character", "male", (1, SUBJECT)))
    here.figures["ann"] = DiscourseEntity("ann", "character", ["Ann"], WHERE, "ann", seen=(1, SUBJECT))
    here.together = ("leo", "ann")
    assert (pronoun(here, "it", "thing"), pronoun(here, "they", "several")) == (("key",), ("leo", "ann"))


def test_what_was_spoken_of_long_ago_is_out_of_reach() -> None:
    here = mind(("leo", "character", "male", (1, SUBJECT)))
    here.clause = 2 + REACH
    assert (pronoun(here, "he", "male"), here.near(here.figures["leo"])) == ((), False)


def test_his_can_mean_one_only_where_there_is_one() -> None:
    here = mind(("leo", "character", "male", (1, SUBJECT)), ("tom", "character", "male", (1, OBJECT)))
    assert (here.only("male"), here.only("male", besides=["tom"])) == (None, "leo")
