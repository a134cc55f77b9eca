"""Verb frames as little stories: a sentence in, exactly the states, needs and records that its words bear out."""

from __future__ import annotations

import pytest
from reading_aloud import read, records, states, values

STATES = [
    pytest.param("Mara burned the letter.", {"letter.condition:destroyed", "not.letter.condition:available",
                 "not.letter.condition:working", "not.letter.possession.mara"}, id="destroy"),
    pytest.param("The letter was burned.", {"letter.condition:destroyed", "not.letter.condition:available",
                 "not.letter.condition:working"}, id="destroyed by nobody named"),
    pytest.param("Mara ate the apple.", {"not.apple.condition:available", "not.apple.possession.mara"}, id="eat"),
    pytest.param("Leo threw away the box.", {"not.box.condition:available", "not.box.possession.leo"}, id="throw away"),
    pytest.param("Leo tossed the pear in the bin.", {"not.pear.condition:available", "not.pear.possession.leo",
                 "pear.location.bin"}, id="into the rubbish"),
    pytest.param("Mara hid the letter in the tin box under the bench.", {"not.letter.possession.mara",
                 "letter.location.tin-box"}, id="into what stands under something"),
    pytest.param("Leo left the notebook at home.", {"not.notebook.condition:available", "not.notebook.possession.leo",
                 "notebook.location.home"}, id="left at home"),
    pytest.param("Mara broke the lamp.", {"lamp.condition:broken", "not.lamp.condition:working"}, id="break"),
    pytest.param("Mara cut the rope into pieces.", {"rope.condition:broken", "not.rope.condition:working"}, id="to pieces"),
    pytest.param("Mara took apart the clock.", {"clock.condition:broken", "not.clock.condition:working"}, id="take apart"),
    pytest.param("Leo repaired the lamp.", {"lamp.condition:available", "lamp.condition:working",
                 "not.lamp.condition:broken"}, id="mend"),
    pytest.param("Mara closed the gate.", {"gate.open:closed"}, id="close"),
    pytest.param("Mara locked the gate.", {"gate.open:locked"}, id="lock"),
    pytest.param("Mara entered the locked cellar.", {"cellar.open:locked", "mara.location.cellar"}, id="by the way"),
    pytest.param("Mara turned off the stove.", {"not.stove.condition:running"}, id="turn off"),
    pytest.param("Mara turned on the radio.", {"radio.condition:running"}, id="turn on"),
    pytest.param("Leo put on the coat.", {"coat.possession.leo", "leo.appearance.coat"}, id="wear"),
    pytest.param("Leo took off the coat.", {"not.leo.appearance.coat"}, id="take off"),
    pytest.param("Mara gave the lamp to Zorba.", {"lamp.possession.zorba"}, id="to somebody new"),
    pytest.param("The king died.", {"king.alive:dead"}, id="die"),
    pytest.param("The king drowned in the lake.", {"king.alive:dead"}, id="drown"),
    pytest.param("The bell rang, and Leo drowned out its voice.", set(), id="drown a sound"),
    pytest.param("The king was dying.", set(), id="not dead yet"),
    pytest.param("Mara was drowning in doubt.", set(), id="drown in doubt"),
    pytest.param("Leo drowned the king.", {"king.alive:dead"}, id="drown somebody"),
    pytest.param("Mara was twelve years old.", {"mara.age:twelve"}, id="not old at twelve"),
    pytest.param("Leo killed the king.", {"king.alive:dead"}, id="kill"),
    pytest.param("Mara was angry.", {"mara.emotion:angry"}, id="emotion"),
    pytest.param("Mara mashed the potato.", {"not.potato.condition:whole"}, id="mash"),
    pytest.param("Mara ran out of ink.", {"not.ink.condition:available"}, id="run out"),
    pytest.param("Mara could not find the key.", {"not.key.condition:available"}, id="not found"),
    pytest.param("Mara found the key in the drawer.", {"key.condition:available", "key.location.drawer"}, id="found"),
    pytest.param("A pear rested in a basket.", {"pear.location.basket"}, id="rest"),
    pytest.param("In the drawer lay a letter.", {"letter.location.drawer"}, id="turned round"),
    pytest.param("There was a key in the drawer.", {"key.location.drawer"}, id="there was"),
    pytest.param("The chest contained a crown.", {"crown.location.chest"}, id="contain"),
    pytest.param("Mara saw a basket filled with limes.", {"limes.location.basket"}, id="filled with"),
    pytest.param("Mara filled the cup with water.", {"water.location.cup"}, id="fill"),
    pytest.param("The key was in the drawer. Mara moved the key.", {"key.location.drawer", "not.key.location.drawer"},
                 id="moved, nobody says where"),
    pytest.param("Leo and Mara found themselves in the cellar.", {"leo.location.cellar", "mara.location.cellar"},
                 id="find oneself"),
    pytest.param("Mara made her way out of the cellar.", {"not.mara.location.cellar"}, id="make one's way"),
    pytest.param("Leo gave a start.", set(), id="gave a start"),
    pytest.param("Leo received a shock.", set(), id="received a shock"),
    pytest.param("Mara took her leave.", set(), id="took her leave"),
    pytest.param("Mara saw a box. A lemon rested inside.", {"lemon.location.box"}, id="inside"),
    pytest.param("Mara disliked watermelon. Mara saw a large watermelon sitting in a basket. Mara moved the watermelon to the shelf.",
                 {"not.mara.likes.watermelon", "large-watermelon.location.basket", "large-watermelon.location.shelf",
                  "not.large-watermelon.possession.mara"}, id="not melons as such"),
    pytest.param("Mara decided to burn the letter.", set(), id="only decided"),
    pytest.param("Mara decided to close the gate. Leo saw her act.", {"gate.open:closed"}, id="decided, and the act spoken of"),
    pytest.param("Mara decided to close the gate. Leo missed this act.", {"gate.open:closed"}, id="decided, and pointed back at"),
    pytest.param("Mara hatched a plan to close the gate. Leo saw her act.", {"gate.open:closed"}, id="planned, and done"),
    pytest.param("Mara, being a kind woman, decided to close the gate. Leo saw Mara's act.", {"gate.open:closed"}, id="being"),
    pytest.param("Mara's act of closing the gate was forgotten.", {"gate.open:closed"}, id="act of"),
    pytest.param("Mara removed the pear from the jar.", {"not.pear.location.jar"}, id="take out"),
    pytest.param("Mara disposed of the pear in the bin.", {"pear.location.bin", "not.pear.condition:available",
                 "not.pear.possession.mara"}, id="dispose of"),
    pytest.param("Mara picked up the box and put the pear inside.", {"box.possession.mara", "pear.location.box",
                 "not.pear.possession.mara"}, id="put inside"),
    pytest.param("Mara saw a box. A plum rested inside it.", {"plum.location.box"}, id="inside it"),
    pytest.param("Tucked away in the box was a coat.", {"coat.location.box"}, id="tucked away was"),
    pytest.param("Leo noticed a coat neatly tucked away in the box.", {"coat.location.box"}, id="tucked away"),
    pytest.param("Leo saw a blue coat in the box. Leo grabbed the dreaded coat.",
                 {"blue-coat.location.box", "blue-coat.possession.leo", "not.blue-coat.location.box"}, id="the same coat"),
    pytest.param("Leo saw a blue coat in the box. Leo grabbed the red coat.",
                 {"blue-coat.location.box", "red-coat.possession.leo"}, id="another coat"),
    pytest.param("The pear is in the blue_drawer. Leo moved the pear to the green_drawer.",
                 {"pear.location.blue-drawer", "pear.location.green-drawer", "not.pear.possession.leo"}, id="another drawer"),
    pytest.param("Leo moved the crate filled with plums to the shelf.", {"crate.location.shelf", "plums.location.crate",
                 "not.crate.possession.leo"}, id="a filled crate"),
    pytest.param("Leo grabbed the pear from the jar and moved it to the shelf.",
                 {"pear.possession.leo", "pear.location.shelf", "not.pear.possession.leo"}, id="what he holds"),
    pytest.param("Leo moved the crate of plums to the cellar.", {"crate.location.cellar", "plums.location.crate",
                 "not.crate.possession.leo"}, id="a crate of plums to"),
    pytest.param("To help her, Leo quickly moved the pear to the shelf.",
                 {"pear.location.shelf", "not.pear.possession.leo"}, id="behind a purpose"),
    pytest.param("Gently picking up the pear, Mara smiled.", {"pear.possession.mara"}, id="an adverb is nobody"),
    pytest.param("Mara came to the house. Then she came to.", {"mara.location.house"}, id="to a place, and to oneself"),
    pytest.param("Leo was eating a pear. Mara ate the plum.",
                 {"not.plum.condition:available", "not.plum.possession.mara"}, id="eaten, not being eaten"),
    pytest.param("Mara dreamed that Leo burned the letter.", set(), id="only dreamed"),
    pytest.param("Mara wanted to burn the letter.", set(), id="only wanted"),
    pytest.param("If Mara burned the letter, Leo would leave.", set(), id="only supposed"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), STATES)
def test_what_a_sentence_changes(text: str, expected: set[str]) -> None:
    assert states(read(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Mara turned on the radio.", ["radio.condition:working"], id="turn on"),
        pytest.param("Leo put on the coat.", ["coat.condition:working"], id="wear"),
        pytest.param("Mara started reading the book.", ["book.condition:working"], id="read"),
        pytest.param("Mara moved the key from the drawer to the shelf.",
                     ["key.location.drawer"], id="move from"),
        pytest.param("Mara broke the box. Leo put the key in the box.", ["box.condition:working"], id="put into what is broken"),
    ],
)  # fmt: skip
def test_what_a_deed_needs(text: str, expected: list[str]) -> None:
    assert values(read(text), "requires") == expected


@pytest.mark.parametrize(
    ("text", "realis"),
    [
        pytest.param("Mara dreamed that Leo burned the letter.", ["actual", "dreamed"], id="dream"),
        pytest.param("In the dream Leo burned the letter.", ["dreamed"], id="in a dream"),
        pytest.param("Mara often walked to the harbour.", ["habitual"], id="habit"),
        pytest.param("Mara might burn the letter.", ["hypothetical"], id="might"),
        pytest.param("Mara will burn the letter.", ["future"], id="will"),
        pytest.param("Mara could not open the gate.", ["negated"], id="could not"),
        pytest.param("Mara began to open the gate.", ["actual", "actual"], id="began to"),
        pytest.param("Mara could see the ship.", ["actual"], id="could see"),
        pytest.param("Mara went to get the key.", ["actual", "hypothetical"], id="purpose"),
        pytest.param("Mara was delighted to find the key.", ["actual"], id="delighted to find"),
        pytest.param("Mara remained looking at the sea.", ["actual", "actual"], id="remained looking"),
        pytest.param("Mara avoided meeting Leo.", ["actual", "hypothetical"], id="avoided"),
        pytest.param("Mara would often walk to the harbour.", ["habitual"], id="would often"),
        pytest.param("Leo would have burned the letter.", ["hypothetical"], id="would have"),
        pytest.param(
            "Mara would not argue, but went to the hall.", ["actual", "negated"], id="would not, but did"
        ),
        pytest.param("Whenever Mara came home, Leo left the house.", ["habitual", "habitual"], id="whenever"),
        pytest.param("Nobody opened the door.", ["negated"], id="nobody"),
        pytest.param(
            "Mara hid the pear before Leo could see it.", ["actual", "negated"], id="before he could"
        ),
        pytest.param(
            "Mara saw the crate. Mara took it upon herself to move the crate.",
            ["actual"] * 3,
            id="upon herself",
        ),
    ],
)
def test_how_an_event_is_told(text: str, realis: list[str]) -> None:
    assert values(read(text), "realis") == realis


# ---- who notices


SCENE = "Leo and Mara entered the cellar. Mara noticed a pear resting in a basket. "


@pytest.mark.parametrize(
    ("text", "seen", "unseen"),
    [
        pytest.param(
            "Leo hid the pear in a box. Mara watched his every move.", [("mara", "hide")], [], id="watched"
        ),
        pytest.param(
            "Leo hid the pear in a box. Mara did not notice his actions.",
            [],
            [("mara", "hide")],
            id="not noticed",
        ),
        pytest.param(
            "Unbeknownst to Mara, Leo hid the pear in a box.", [], [("mara", "hide")], id="unbeknownst"
        ),
        pytest.param(
            "Leo hid the pear in a box. Mara was unaware of his actions.",
            [],
            [("mara", "hide")],
            id="unaware",
        ),
    ],
)
def test_who_saw_what_was_done(text: str, seen: list[tuple[str, str]], unseen: list[tuple[str, str]]) -> None:
    reading = read(SCENE + text)
    kinds = {one.id: one.kind for one in records(reading, "Event", "kind")}
    told = {kind: [(one.holder, kinds[one.event]) for one in records(reading, kind, "holder", "event")]
            for kind in ("Access", "Unawareness")}  # fmt: skip
    assert [pair for pair in told["Access"] if pair[1] == "hide"] == seen
    assert [pair for pair in told["Unawareness"] if pair[1] == "hide"] == unseen


# ---- threads and time


def steps(text: str) -> list[str]:
    return [one.status for one in records(read(text), "Step", "status")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Mara promised Leo to mend the lamp.", ["opened"], id="open"),
        pytest.param(
            "Mara promised Leo to mend the lamp. Mara mended the lamp.", ["opened", "resolved"], id="kept"
        ),
        pytest.param(
            "Mara decided to find the key. Mara could not find the key.", ["opened", "blocked"], id="blocked"
        ),
        pytest.param("Mara promised Leo to mend the lamp. Leo mended the lamp.", ["opened"], id="by another"),
        pytest.param(
            "Mara promised Leo to mend the lamp. Mara mended the chair.", ["opened"], id="another thing"
        ),
    ],
)
def test_a_thread_is_carried_on_by_the_deed_it_is_about(text: str, expected: list[str]) -> None:
    assert steps(text) == expected


def test_what_had_happened_comes_before_what_happened() -> None:
    reading = read("Leo entered the hall. Ida had left the hall.")
    [told] = records(reading, "TimeRelation", "event", "relation", "reference")
    kinds = {one.id: one.kind for one in records(reading, "Event", "kind")}
    assert (kinds[told.event], told.relation, kinds[told.reference]) == ("leave", "before", "enter")


@pytest.mark.parametrize(
    ("text", "dead"),
    [
        ("Ruth wiped the glasses. The portrait of her mother, Agnes, hung there; she had died in the spring.", {"agnes.alive:dead"}),
        ("Tom looked at the letter from his brother Paul; he had drowned in May.", {"paul.alive:dead"}),
        ("Ruth closed the shop. Agnes was in the kitchen; she had died by noon.", {"agnes.alive:dead"}),
        ("Anselm opened the cellar. By dawn he had died.", {"anselm.alive:dead"}),
    ],
)  # fmt: skip
def test_who_had_died_has_not_just_been_doing_something_where_another_can_be_meant(
    text: str, dead: set[str]
) -> None:
    assert {one for one in states(read(text)) if one.endswith("alive:dead")} == dead
