"""Who is in a talk, as the talkers say it; and who then hears what, by the rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narraworld.extract.embedded.reader import read_prose
from narraworld.extract.embedded.talk.participants import Move, Utterance
from narraworld.extract.embedded.talk.participants import moves_by_cues as moves
from narraworld.kb.units import Unit
from narraworld.query.names import rows
from narraworld.world import World


def script(*lines: str) -> list[Utterance]:
    said = [line.split(": ", 1) for line in lines]
    return [Utterance(tuple(who.split(" and ")), words) for who, words in said]


def heard(*lines: str) -> list[str]:
    """Who is there at each line, by initials."""
    there, found = set[str](), list[str]()
    told = moves(script(*lines))
    for nth in range(len(lines)):
        for move in told:
            if move.at == nth:
                (there.discard if move.movement == "leaves" else there.add)(move.who[0])
        found.append("".join(sorted(there)))
    return found


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(["Ana: It is late.", "Ben: Yes.", "Ana: Well."], ["AB"] * 3, id="nobody moves"),
        pytest.param(
            ["Ana: It is late.", "Ben: Yes.", "Ana: Well.", "Cy: Hello Ana, mind if I join you?", "Ben: Do."],
            ["AB", "AB", "AB", "ABC", "ABC"],
            id="a newcomer has heard nothing before",
        ),
        pytest.param(
            ["Ana: I have to take this call.", "Ben: See you, Ana.", "Cy: So, Ben?", "Ben: Yes.", "Ana: I'm back!"],
            ["ABC", "ABC", "BC", "BC", "ABC"],
            id="who goes hears the goodbyes and misses the rest",
        ),
        pytest.param(
            ["Ana: Hi Ben, nice to meet you.", "Ben: Hello Ana!", "Cy: Hi, I am Cy."], ["ABC"] * 3, id="a talk begins with greetings"
        ),
        pytest.param(
            ["Ana: I must step out of the habit.", "Ben: Good.", "Ana: So I read more.", "Ben: Me too."],
            ["AB"] * 4,
            id="who goes on talking has not gone",
        ),
        pytest.param(
            ["Ana: Ours lost.", "Ben: Badly.", "Ana: Hush, here she comes.", "Cy: Nice hats.", "Ben: Aren't they?"],
            ["AB", "AB", "AB", "ABC", "ABC"],
            id="who is seen to come has heard nothing before",
        ),
        pytest.param(
            ["Ana: Ours lost.", "Ben: Badly.", "Ana: Twice.", "Cy: Which of you has the key?", "Ben: She has."],
            ["AB", "AB", "AB", "ABC", "ABC"],
            id="who asks what only a newcomer asks has just come",
        ),
        pytest.param(
            ["Ana: Ours lost.", "Ben: Badly.", "Ana: Twice.", "Cy: I wept.", "Ana: True."],
            ["ABC"] * 5,
            id="who takes up what was said was there",
        ),
        pytest.param(
            ["Ana: Tea?", "Ben: Back in a tick.", "Cy: Has he told you?", "Ana: What?", "Cy: Nothing.", "Ben: It is locked."],
            ["ABC", "ABC", "AC", "AC", "AC", "ABC"],
            id="who will be back soon is away until then",
        ),
        pytest.param(
            ["Ana: Tea?", "Ben: I won't keep you.", "Ana: Mind the step.", "Cy: Who was that?", "Ana: The vicar.", "Cy: Ah."],
            ["ABC", "ABC", "AC", "AC", "AC", "AC"],
            id="who keeps nobody any longer goes",
        ),
        pytest.param(
            ["Ana: Tea?", "Ben: I'll be in the garden.", "Cy: Two sugars.", "Ana: And milk?", "Cy: No.", "Ana: Here."],
            ["ABC", "ABC", "AC", "AC", "AC", "AC"],
            id="who says where they will be, and is silent, has gone",
        ),
        pytest.param(
            ["Ana: Tea?", "Ben: And on that note.", "Cy: She's made scones.", "Cy: He's off, then.", "Ana: So it seems."],
            ["ABC", "ABC", "AC", "AC", "AC"],
            id="who is then spoken of has gone",
        ),
        pytest.param(
            ["Ana: Did he ring?", "Ben: Did he write?", "Cy: He did.", "Ana: And?", "Cy: It rained."],
            ["ABC"] * 5,
            id="somebody else was spoken of already",
        ),
        pytest.param(
            ["Ana: Tea?", "Ben: Yes.", "Ana: Here.", "Cy: The roads are white.", "Ana: Cy! Take a plate."],
            ["AB", "AB", "AB", "ABC", "ABC"],
            id="who is received has come",
        ),
        pytest.param(
            ["Ana: Where is Cy?", "Ben: Late.", "Ana: Again.", "Cy: It is on the pavement.", "Ben: Gin?"],
            ["AB", "AB", "AB", "ABC", "ABC"],
            id="who was missed has come",
        ),
        pytest.param(
            ["Ana: Rent?", "Ben: I must go to the bank next week.", "Cy: Which?", "Ana: Hers.", "Cy: Oh."],
            ["ABC"] * 5,
            id="what has to be done another time is no going",
        ),
        pytest.param(
            ["Ana: Rent?", "Ben: I must go to the bank.", "Cy: Which?", "Ana: Hers.", "Cy: Oh.", "Ana: Hm.", "Ben: She bites."],
            ["ABC"] * 7,
            id="who had to go and talks on has stayed",
        ),
        pytest.param(
            ["Ana: Rent?", "Ben: I must go to the bank.", "Cy: Which?", "Ana: Hers.", "Cy: Oh.", "Ben: I'm back."],
            ["ABC", "ABC", "AC", "AC", "AC", "ABC"],
            id="who had to go and comes back has gone",
        ),
        pytest.param(
            ["Ana: Rent?", "Ben: I must go to the bank.", "Cy: Take care.", "Ana: Hers.", "Cy: Oh.", "Ana: Hm.", "Ben: She bites."],
            ["ABC", "ABC", "ABC", "AC", "AC", "AC", "ABC"],
            id="who had to go and was told goodbye has gone",
        ),
        pytest.param(
            ["Ana: Tea?", "Ben: I'm off sugar since that long hot summer in which all of us had so very many wasps.",
             "Cy: So.", "Ana: True.", "Cy: Two?", "Ana: Three."],
            ["ABC"] * 6,
            id="a parting stands in somebody's last words",
        ),
        pytest.param(
            ["Ana: Tea?", "Ben: A quiz night.", "Cy: So.", "Ana: True.", "Cy: Two?", "Ana: Three."],
            ["ABC"] * 6,
            id="a night out is no good night",
        ),
        pytest.param(
            ["Ana: Tea?", "Ben: The oven calls.", "Cy: See you, Ben.", "Ana: Goodbye, Ben.", "Cy: Well?", "Ana: Well."],
            ["ABC", "ABC", "ABC", "ABC", "AC", "AC"],
            id="who is told goodbye by name, twice, has gone",
        ),
        pytest.param(
            ["Ana: Tea?", "Ben: The oven calls.", "Cy: See you, Ben.", "Ana: Two?", "Cy: Three.", "Ana: Well."],
            ["ABC"] * 6,
            id="one goodbye may be meant for later",
        ),
        pytest.param(
            ["Ana: Cats?", "Ben: Old ones purr.", "Cy: They bring such joy.", "Ana: So."],
            ["ABC"] * 4,
            id="they are not whoever spoke last",
        ),
        pytest.param(
            ["Ana: Cats?", "Ben: Old ones purr.", "Cy: We owe much to them.", "Ana: So."],
            ["ABC"] * 4,
            id="nor are them whoever spoke last",
        ),
        pytest.param(
            ["Ana: Cats?", "Ben: Old ones purr.", "Cy: Mine is ill. She is so thin.", "Ana: Oh."],
            ["ABC"] * 4,
            id="she is whom the line itself has named",
        ),
        pytest.param(
            ["Ana: Duty calls.", "Ben: Bye, Ana.", "Cy: Bye, Ana.", "Ana: Thank you.", "Ben: Bye, Ana.", "Cy: Bye, Ana.", "Ben: So?"],
            ["ABC"] * 6 + ["BC"],
            id="goodbyes are counted from their last words on",
        ),
        pytest.param(
            ["Ana: Duty calls.", "Ben: Bye, Ana.", "Cy: Do you have a pen?", "Ben: No."],
            ["ABC", "ABC", "BC", "BC"],
            id="to ask what somebody has is no goodbye",
        ),
        pytest.param(
            ["Ana: Duty calls.", "Ben: Bye, Ana.", "Cy: I have a pen.", "Ben: Good."],
            ["ABC", "ABC", "BC", "BC"],
            id="to say what one has is no goodbye",
        ),
    ],
)  # fmt: skip
def test_who_is_there_at_each_line(lines: list[str], expected: list[str]) -> None:
    assert heard(*lines) == expected


def test_a_move_says_which_line_tells_it() -> None:
    told = moves(script("Ana: I have to go.", "Ben: Bye, Ana.", "Cy: Well, Ben?"))
    assert told[-1] == Move("Ana", "leaves", 2, 0)


def test_the_rules_find_who_hears_a_line(tmp_path: object) -> None:
    text = "Ana: I have to take this call.\nBen: See you, Ana.\nCy: The key is in the drawer.\nBen: Good."
    with World.open(str(tmp_path), create=True) as world:
        world.commit(read_prose(Unit("talk", 1, text)).delta)
        engine = world.scope().engine
        [speech] = {str(row[0]) for row in rows(engine, "claim", None, "key.location.drawer")}
        assert {str(row[0]) for row in rows(engine, "perceives", None, speech)} == {"ben", "cy"}


WORDS = ["I have to go.", "Bye, Ana.", "I'm back.", "Hello Ben, may I join you?", "Well.", "See you, Cy."]


@given(st.lists(st.tuples(st.sampled_from(["Ana", "Ben", "Cy"]), st.sampled_from(WORDS)), max_size=12))
def test_whoever_speaks_is_there(lines: list[tuple[str, str]]) -> None:
    there = set[str]()
    told = moves([Utterance((who,), words) for who, words in lines])
    for nth, (who, _) in enumerate(lines):
        for move in told:
            if move.at == nth:
                (there.discard if move.movement == "leaves" else there.add)(move.who)
        assert who in there
