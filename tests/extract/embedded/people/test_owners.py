"""Whose it is: the owner of every pronoun and possessive, how likely, and whether it is sure."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from narraworld.extract.embedded.at_hand import Reading
from narraworld.extract.embedded.discourse import DiscourseState
from narraworld.extract.embedded.grammar.mentions import Mention
from narraworld.extract.embedded.people.owners import NOBODY, Owner, Owners
from narraworld.extract.embedded.people.ranker import Judge, PronounQuestion
from narraworld.extract.embedded.reader import read_through
from narraworld.kb.roster import Roster
from narraworld.kb.spans import TextRange
from narraworld.kb.units import Unit


def owners(text: str, judge: Judge | None = None) -> Owners:
    """Everybody's mentions once the text is read."""
    reading = Reading(Unit("ch01", 1, text), Roster(), DiscourseState(), "", judge=judge)
    read_through(reading)
    return reading.unit.owners


def owner(text: str, judge: Judge | None = None) -> Owner:
    """Whom the word in brackets means."""
    place = text.index("[")
    return owners(text.replace("[", "").replace("]", ""), judge).at(place)


def judged(likely: float) -> Judge:
    """A judge who gives the latest candidate this probability, and the others nothing."""

    def judge(question: PronounQuestion) -> Sequence[float]:
        return [likely, *(0.0 for _ in question.chains[1:])]

    return judge


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        pytest.param("Mara came in and took off [her] hat.", "mara", id="the one who acts"),
        pytest.param("Mara came in. Tom took off [his] hat.", "tom", id="never of the other gender"),
        pytest.param("The girl came in. [Her] hands were cold.", "girl", id="somebody without a name"),
        pytest.param("[Her] hands were cold. Mara came in.", None, id="never from later text"),
        pytest.param("Tom came in. [Its] lamp was broken.", None, id="no person at all"),
    ],
)
def test_whose_it_is(text: str, entity: str | None) -> None:
    assert owner(text).entity == entity


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "Pell stood in the doorway, a thin man. The man took off [his] hat.", id="said beside the name"
        ),
        pytest.param("Pell was a thin man. The man took off [his] hat.", id="said of the name"),
        pytest.param("At noon Pell, the doctor, came in. The doctor took off [his] hat.", id="an aside"),
    ],
)
def test_a_noun_that_says_more_of_somebody_is_nobody_new(text: str) -> None:
    assert owner(text, judged(0.9)).entity == "pell"


# -- the two opinions


def test_where_the_rules_and_the_ranker_agree_it_is_likely() -> None:
    assert owner("Mara came in. [She] sang.", judged(0.35)) == Owner("mara", 0.84, sure=False)
    assert owner("Mara came in. [She] sang.", judged(0.55)) == Owner("mara", 0.84, sure=True)


def test_where_they_disagree_the_ranker_needs_more() -> None:
    text = "Mara came in and saw Ida. [She] sang."
    assert owners(text.replace("[", "").replace("]", "")).ruled(text.index("[")) == "mara"
    assert owner(text, judged(0.59)) == Owner(None, 0.0, False, ("Ida", "Mara"))
    assert owner(text, judged(0.61)) == Owner("ida", 0.61, False, ("Mara",))


def test_where_the_rules_are_silent_the_ranker_needs_less() -> None:
    text = "Tom came in. Uncle Bob sat by the fire. Mara kissed [him]."
    assert owner(text, judged(0.31)).entity == "uncle-bob"
    assert owner(text, judged(0.29)) == Owner(None, 0.0, False, ("Uncle Bob", "Tom"))


def test_two_of_the_gender_near_leave_nobody_sure() -> None:
    alone, beside = "Mara came in. [She] sang.", "Ida slept. Mara came in. [She] sang."
    assert (owner(alone, judged(0.9)).sure, owner(beside, judged(0.9)).sure) == (True, False)


def test_a_name_is_sure() -> None:
    assert owner("Mara came in. Tom took [Mara]'s hat.") == Owner("mara", 1.0, sure=True)


def test_a_word_that_means_nobody_has_no_owner() -> None:
    assert owner("Mara came in. The [door] fell.") == NOBODY


# -- I


def test_my_is_the_tellers() -> None:
    assert owner("I woke. I ate. I put on [my] coat.") == Owner("narrator", 1.0, sure=True)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("My name is Eve. I woke. I ate. I put on [my] coat.", id="told"),
        pytest.param("I woke. I ate. I slept. “I'm Eve,” I said. Tom took [my] coat.", id="said"),
    ],
)
def test_a_teller_who_says_the_own_name_is_one_with_its_bearer(text: str) -> None:
    whose = owners(text.replace("[", "").replace("]", ""))
    teller = whose.at(text.index("[")).entity
    assert teller == whose.at(text.index("Eve")).entity
    assert teller is not None
    assert "Eve" in whose.company.figures[teller].names


def test_in_a_speech_it_is_the_speakers() -> None:
    assert owner("I woke. I ate. I slept. “I broke [my] ankle,” said Tom.") == Owner("tom", 1.0, sure=True)


def test_nobody_knows_who_speaks() -> None:
    assert owner("The door was shut. “I broke [my] ankle.”") == NOBODY


# -- looks


def test_looks_take_what_is_sure() -> None:
    text = "Mara came in. Her hat was wet."
    assert owners(text, judged(0.9)).settled() == {text.index("Her"): "mara"}
    assert owners(text, judged(0.4)).settled() == {}


@pytest.mark.parametrize(
    ("text", "whose"),
    [
        pytest.param(
            "Mara came in and took off [her] hat.", Owner("mara", 1.0, sure=True), id="of the subject"
        ),
        pytest.param("Mara cradled [her] right wrist.", Owner("mara", 1.0, sure=True), id="no object"),
    ],
)
def test_what_its_clause_binds_is_sure_whatever_the_ranker_says(text: str, whose: Owner) -> None:
    plain = text.replace("[", "").replace("]", "")
    assert owners(plain, judged(0.4)).at(text.index("[")) == whose


def test_another_of_the_gender_between_unbinds_it() -> None:
    text = "Mara knew her by her hat."
    assert text.rindex("her") not in owners(text, judged(0.4)).bound


# -- deeds


def test_a_deed_takes_a_likely_answer_where_the_rules_are_silent() -> None:
    text = "Tom came in. Uncle Bob sat by the fire. Mara kissed him."
    place = text.index("him")
    likely, doubtful = owners(text, judged(0.9)), owners(text, judged(0.35))
    assert {mention.where.start for mention in likely.company.unresolved} == set()
    assert {mention.where.start for mention in doubtful.company.unresolved} == {place}
    assert place not in likely.company.answers  # a guess is no answer of the rules


# -- deeds: the rules and the ranker, heard together

DEED = "Mara came in. Ann came in. She sat down."


def weighed(likely: float, ruled: tuple[str, ...], besides: set[str], text: str = DEED) -> tuple[str, ...]:
    """Whom `She` means, where the ranker takes it for Mara with this probability."""

    def judge(question: PronounQuestion) -> Sequence[float]:
        return [likely if chain.name == "Mara" else 0.0 for chain in question.chains]

    place = text.index("She")
    mention = Mention("She", "she", TextRange(place, place + 3), "pronoun", "female")
    return owners(text, judge).weigh(mention, ruled, besides)


@pytest.mark.parametrize(
    ("likely", "ruled", "besides", "meant"),
    [
        pytest.param(0.4, ("ann",), set(), ("ann",), id="less than as likely as not: the rules"),
        pytest.param(0.55, ("ann",), set(), (), id="two opinions, neither of them likely"),
        pytest.param(0.7, ("ann",), set(), ("mara",), id="likely another"),
        pytest.param(0.7, ("mara",), set(), ("mara",), id="both agree"),
        pytest.param(0.7, ("ann",), {"mara"}, ("ann",), id="nobody does it to herself"),
        pytest.param(0.55, (), set(), ("mara",), id="the rules are silent"),
        pytest.param(0.4, (), set(), (), id="both are"),
    ],
)
def test_whom_a_deed_is_told_of(
    likely: float, ruled: tuple[str, ...], besides: set[str], meant: tuple[str, ...]
) -> None:
    assert weighed(likely, ruled, besides) == meant


@pytest.mark.parametrize(("who", "agreed"), [("mara", True), ("ann", False)])
def test_whether_the_ranker_names_another(who: str, agreed: bool) -> None:
    read = owners(DEED, lambda question: [0.7 if one.name == "Mara" else 0.0 for one in question.chains])
    assert read.agreed(DEED.index("She"), who) == agreed
