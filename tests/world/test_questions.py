"""Questions in plain English on the bundled stories, each with its exact answer, its holder and the query it became."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import STORIES

from narraworld.extract.embedded.reader import read_prose
from narraworld.extract.sources import read_sources
from narraworld.kb.delta import Delta
from narraworld.kb.units import Unit
from narraworld.models.recordings import Replay
from narraworld.query.ask.answer import Reply
from narraworld.query.ask.questions import forms
from narraworld.query.errors import EmptyRequest
from narraworld.query.goals import bindings
from narraworld.query.memory.needs import MemorySwitches
from narraworld.query.situation import Situation
from narraworld.reading.order import in_place
from narraworld.reading.with_model import read_with_model
from narraworld.rules.language.goal import parse_query
from narraworld.world import World

CROSSING = STORIES / "crossing"
LIE = "02-what-tobias-said"

# story, moment, question, outcome, answers; answers of a yes-or-no question begin with yes or no, of how many with a number
QUESTIONS = [
    # where, and where somebody thinks it is
    ("key", "ch02", "Where does Leo think the key is?", "derived", ["drawer"]),
    ("key", "ch02", "where is the key", "derived", ["hollow book"]),
    ("key", "ch02", "Where's the key now?", "derived", ["hollow book"]),
    ("key", None, "Where is the key?", "derived", ["Leo"]),
    ("key", "ch01", "Where did Leo go?", "derived", ["harbour"]),
    ("key", "ch02", "Where did Mara put the key?", "derived", ["hollow book"]),
    ("key", "ch02", "What is in the hollow book?", "derived", ["key"]),
    ("gate", None, "Where is Leon?", "derived", ["infirmary"]),
    ("gate", None, "Who is in the infirmary?", "derived", ["Leon"]),
    ("key", "ch02", "Where will Leo look for the key?", "derived", ["drawer"]),
    # who, what, when, why, how many
    ("key", None, "Who has the key?", "derived", ["Leo"]),
    ("key", "ch02", "Who moved the key?", "derived", ["Mara"]),
    ("gate", None, "Who unlocked the gate?", "derived", ["Mara"]),
    ("gate", None, "When did Mara unlock the gate?", "derived", ["ch02 (The gate)"]),
    ("key", "ch02", "Why is the key in the hollow book?", "derived",
     ["“Mara moved the key from the drawer into the hollow book”"]),
    ("key", None, "How many characters are there?", "derived", ["2", "Leo", "Mara"]),
    ("key", "ch02", "How many people know where the key is?", "derived", ["1", "Mara"]),
    ("gate", None, "What did Mara promise Leon?", "derived", ["Leon is outside"]),
    ("lamp", None, "Who lied to Tomas?", "derived", ["Iona: “Iona falsely told Tomas it worked”"]),
    ("lamp", None, "Who told Tomas that the lamp works?", "derived", ["Iona"]),
    ("key", "ch02", "What happened to the key?", "derived",
     ["“Leo left the key in the drawer”", "“Mara moved the key from the drawer into the hollow book”"]),
    # minds
    ("key", "ch02", "Who knows where the key is?", "derived", ["Mara: the key is in the hollow book"]),
    ("key", "ch02", "Who believes something false?", "derived",
     ["Leo wrongly believes that the key is in the drawer; in truth the key is in the hollow book"]),
    ("key", "ch02", "What is Leo wrong about?", "derived", ["the key is in the drawer; in truth the key is in the hollow book"]),
    ("key", "ch02", "Does Leo know where the key is?", "derived", ["no", "the key is in the drawer"]),
    ("key", None, "Does Leo know that the key is in the hollow book?", "found in the text", []),
    ("key", "ch02", "Since when does Leo think the key is in the drawer?", "derived", ["since ch01 (The drawer)"]),
    ("key", "ch02", "Why does Leo think that the key is in the drawer?", "derived",
     ["by participation: “Leo left the key in the drawer”"]),
    ("key", "ch02", "What does Mara know?", "derived", ["the key is in the hollow book"]),
    ("lamp", None, "Is Tomas wrong?", "derived", ["yes", "the lamp is working; in truth the lamp is not working"]),
    ("lamp", None, "Does Iona believe the lamp works?", "derived", ["no"]),
    ("key", "ch02", "Does Leo know that Mara moved the key?", "found in the text", []),
    ("key", None, "Does Mara know that Leo took the key?", "derived", ["yes"]),
    ("orchard", None, "Where does Ada think the ladder is?", "derived", ["wall"]),
    ("orchard", None, "What does Ada not know?", "derived", ["the ladder is at the barn"]),
    ("orchard", None, "Does Ada know that the ladder is in the barn?", "derived", ["no", "the ladder is on the wall"]),
    ("orchard", None, "What does Cy know about the ladder?", "unaware", ["unaware: the ladder is at the barn"]),
    # what changed, what is open, what may come
    ("key", "ch02", "What changed in ch02?", "derived", ["the key is in the hollow book"]),
    ("key", None, "What changed since chapter 1?", "derived",
     ["the key is in the hollow book", "Leo has the key", "the key is not in the hollow book"]),
    ("key", "ch02", "What is still open?", "derived", ["Leo means to come back for the key (advanced)"]),
    ("key", None, "What is still open?", "found in the text", []),
    ("gate", None, "Which promises are still open?", "derived", ["Mara will get Leon out tonight (advanced)"]),
    ("gate", None, "Is getting Leon out resolved?", "derived", ["no"]),
    ("gate", None, "What could happen?", "derived",
     ["If Mara gains entry to the infirmary, she could bring Leon outside."]),
    ("key", "ch02", "What does Leo want?", "derived", ["Leo means to come back for the key"]),
    # yes or no
    ("key", "ch02", "Is the key in the drawer?", "derived", ["no", "the key is in the hollow book"]),
    ("gate", None, "Is the gate locked?", "derived", ["no", "the gate is unlocked"]),
    ("gate", None, "Is Leon in the infirmary?", "derived", ["yes"]),
    ("lamp", None, "Does the lamp work?", "derived", ["no", "the lamp is not working"]),
    ("gate", None, "Did Leon unlock the gate?", "found in the text", []),
    ("gate", None, "Since when is Leon in the infirmary?", "derived", ["since ch01 (The promise)"]),
    # silence, and what nobody can parse
    ("key", "ch02", "Where is Mara?", "found in the text", []),
    ("key", "ch02", "Who has the key?", "found in the text", []),
    ("key", None, "Why did Mara move the key?", "found in the text", []),
    ("key", None, "Sing me a song about keys", "not understood", []),
    ("key", None, "Does Tomas know where the key is?", "found in the text", []),
]  # fmt: skip

LONG = [
    (LIE, "Where does Ines think the tin box is?", ["mill"]),
    (LIE, "Where is the tin box?", ["organ"]),
    (LIE, "Who knows where the tin box is?", ["Tobias: the blue tin box is in the organ"]),
    (LIE, "What did Tobias promise Edda?", ["the bell is at the landing"]),
    (LIE, "Does Ines believe that Voss took the tin box?", ["yes"]),
    (LIE, "How old is Pim?", ["eleven"]),
    (None, "Where is the bell?", ["landing"]),
    (None, "Who sold the bell?", ["Edda Corvo"]),
    (None, "Has Tobias's promise been kept?", ["yes"]),
]


def told(reply: Reply) -> list[str]:
    """The answer as a reader would sum it up."""
    head = [] if reply.verdict is None else ["yes" if reply.verdict else "no"]
    head += [] if reply.count is None or not reply.lines else [str(reply.count)]
    return head + [line.words for line in reply.lines if line.words not in ("yes", "no")]


@pytest.fixture(scope="module")
def worlds(stories: dict[str, World], tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, World]]:
    from narraworld.kb.delta import Delta
    from narraworld.kb.units import Unit

    text = "Ada leaned the ladder on the wall. Bo carried it to the barn. Ada slept; she and Cy knew nothing of it."
    made = Delta(Unit("ch01", 1, text, title="The ladder"))
    for kind, name in [("Character", "ada"), ("Character", "bo"), ("Character", "cy"), ("Object", "ladder"),
                       ("Place", "wall"), ("Place", "barn")]:  # fmt: skip
        made.add(kind, name, name=name.title() if kind == "Character" else name)
    made.add(
        "Event", "lean", kind="lean", agent="ada", patient="ladder", quote="Ada leaned the ladder on the wall"
    )
    made.add("State", proposition="ladder.location.wall", at="lean", quote="the ladder on the wall")
    made.add("Event", "carry", kind="carry", agent="bo", patient="ladder", quote="Bo carried it to the barn")
    made.add("State", proposition="ladder.location.barn", at="carry", quote="carried it to the barn")
    for holder in ("ada", "cy"):
        made.add("Unawareness", holder=holder, proposition="ladder.location.barn", quote="knew nothing of it")
    with World.open(tmp_path_factory.mktemp("ladder"), create=True) as orchard:
        assert orchard.commit(made).refusals == ()
        yield stories | {"orchard": orchard}


@pytest.mark.parametrize(
    ("story", "at", "question", "outcome", "answers"),
    QUESTIONS,
    ids=[f"{story}-{at or 'now'}-{question}" for story, at, question, *_ in QUESTIONS],
)
def test_questions(
    worlds: dict[str, World], story: str, at: str | None, question: str, outcome: str, answers: list[str]
) -> None:
    reply = worlds[story].ask(question, Situation(at=at))

    assert (reply.outcome, told(reply)) == (outcome, answers)
    parse_query(reply.query, worlds[story].story.frame.program)  # what is shown can be asked again
    assert all(line.spans for line in reply.lines)  # every answer ends in evidence


@pytest.fixture(scope="module")
def crossing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    async def read(world: World) -> None:
        pieces = in_place(
            world, read_sources([str(path) for path in sorted((CROSSING / "chapters").glob("*.md"))])
        )
        async for one in read_with_model(world.story, pieces, Replay(CROSSING / "recorded.jsonl")):
            assert one.outcome == "read"

    with World.open(tmp_path_factory.mktemp("crossing"), create=True) as world:
        asyncio.run(read(world))
        yield world


@pytest.mark.slow
@pytest.mark.parametrize(("at", "question", "answers"), LONG, ids=[question for _, question, _ in LONG])
def test_questions_on_a_long_story(
    crossing: World, at: str | None, question: str, answers: list[str]
) -> None:
    """Read from files, so that evidence says file, line and column."""
    reply = crossing.ask(question, Situation(at=at))

    assert (reply.outcome, told(reply)) == ("derived", answers)
    assert all(
        span.place.count(":") == 2 and ".md:" in span.place for line in reply.lines for span in line.spans
    )


def test_an_answer_says_whose_it_is_since_when_and_on_what_words(stories: dict[str, World]) -> None:
    [line] = stories["key"].ask("Where does Leo think the key is?", Situation(at="ch02")).lines

    assert (line.words, line.symbols, line.holder, line.since) == (
        "drawer",
        ("drawer",),
        "Leo",
        "ch01 (The drawer)",
    )
    assert [(span.unit, span.start, span.quote) for span in line.spans] == [
        ("ch01", 0, "Leo left the key in the drawer")
    ]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        pytest.param("When did Mara find the letter?", "On Monday morning, ch01 (Rent)", id="dated"),
        pytest.param("When did Mara burn the letter?", "after “On Monday morning”, ch01 (Rent)", id="later"),
        pytest.param("When did Leo come?", "That evening, ch01 (Rent)", id="the next words of time"),
    ],
)
def test_when_is_told_in_the_words_that_date_it(tmp_path: Path, question: str, answer: str) -> None:
    told_so = "On Monday morning Mara found the letter. She burned the letter. That evening Leo came home."
    with World.open(tmp_path, create=True) as world:
        world.commit(read_prose(Unit("ch01", 1, told_so, title="Rent")).delta)
        assert [line.words for line in world.ask(question).lines] == [answer]


def test_two_that_are_kin_are_not_the_answer_to_everything_about_them(tmp_path: Path) -> None:
    told_so = "Rosa called her nephew, Theo. Theo read the letter."
    with World.open(tmp_path, create=True) as world:
        world.commit(read_prose(Unit("ch01", 1, told_so)).delta)
        assert world.ask("Is Rosa the aunt of Theo?").outcome == "derived"
        assert world.ask("Does Rosa know that Theo read the letter?").outcome == "found in the text"


def test_what_became_of_somebody_is_not_answered_by_a_yes(tmp_path: Path) -> None:
    made = Delta(Unit("ch01", 1, "Mara's mother was Ida."))
    made.add("Character", "mara", name="Mara")
    made.add("Character", "ida", name="Ida")
    made.add("State", proposition="mara.mother.ida", quote="Mara's mother was Ida")
    with World.open(tmp_path, create=True) as world:
        world.commit(made)
        assert world.ask("Is Ida Mara's mother?").verdict is True
        assert world.ask("What became of Mara's mother Ida?").outcome == "found in the text"


# -- through somebody's eyes


@pytest.mark.parametrize(
    ("question", "outcome", "answers"),
    [
        ("Where is the key?", "derived", ["drawer"]),
        ("Is the key in the hollow book?", "derived", ["no", "the key is in the drawer"]),
        ("Who moved the key?", "nothing found", []),
        ("Who believes something false?", "nothing found", []),
        ("What does Leo think?", "derived", ["the key is in the drawer"]),
        ("What changed in ch02?", "nothing found", []),
    ],
)
def test_a_question_to_leo_is_answered_by_leo(
    stories: dict[str, World], question: str, outcome: str, answers: list[str]
) -> None:
    """Leo left the key in the drawer and knows nothing of what Mara did."""
    reply = stories["key"].ask(question, Situation.character("Leo", at="ch02"))

    assert (reply.outcome, told(reply)) == (outcome, answers)


# -- what is not an answer


def test_the_nearest_query_keeps_whom_the_question_names(stories: dict[str, World]) -> None:
    reply = stories["key"].ask("Pray, what wrongness is there about Leo's opinions?")

    assert reply.outcome == "found in the text"
    assert reply.lines == ()
    assert '"leo"' in reply.query


def test_no_question_at_all_is_not_understood_and_the_nearest_sentences_are_shown(
    stories: dict[str, World],
) -> None:
    reply = stories["key"].ask("Sing me a song about the drawer")

    assert (reply.outcome, reply.form) == ("not understood", "")
    assert "drawer" in reply.passages[0].quote


def test_what_the_text_says_and_no_record_is_found_and_not_derived(tmp_path: Path) -> None:
    """That nothing was read of a sentence is not the story's silence."""
    from narraworld.kb.delta import Delta
    from narraworld.kb.units import Unit

    with World.open(tmp_path, create=True) as world:
        world.commit(Delta(Unit("ch01", 1, "The ferry was painted green. Nobody spoke.")))
        reply = world.ask("What colour was the ferry?")
        assert (reply.outcome, [one.quote for one in reply.passages][:1]) == (
            "found in the text", ["The ferry was painted green. Nobody spoke."],
        )  # fmt: skip
        assert (world.ask("Who owns the harbour?").outcome, world.ask("Who owns the harbour?").looked_for) == (
            "nothing found", "owns harbour",
        )  # fmt: skip


def test_an_answer_accounts_for_all_that_was_asked(tmp_path: Path) -> None:
    from narraworld.kb.delta import Delta
    from narraworld.kb.units import Unit

    made = Delta(Unit("ch01", 1, "Ida wore a coat. It was cold."))
    made.add("Character", "ida", name="Ida")
    made.add("Object", "coat", name="coat")
    made.add("Event", "wear", kind="wear", agent="ida", patient="coat", quote="Ida wore a coat")
    with World.open(tmp_path, create=True) as world:
        world.commit(made)
        assert [line.words for line in world.ask("What did Ida wear?").lines] == ["coat"]
        assert world.ask("What did Ida wear on her feet?").lines == ()


def test_a_stranger_is_named(stories: dict[str, World]) -> None:
    assert "'tomas'" in stories["key"].ask("Where is Tomas?").note


@pytest.mark.parametrize("nothing", ["", "  ", "?"])
def test_nothing_is_no_question(stories: dict[str, World], nothing: str) -> None:
    with pytest.raises(EmptyRequest):
        stories["key"].ask(nothing)


def test_two_of_one_name(tmp_path: Path) -> None:
    from narraworld.kb.delta import Delta
    from narraworld.kb.units import Unit

    made = Delta(Unit("ch01", 1, "There were two keys."))
    for key in ("iron-key", "brass-key"):
        made.add("Object", key, name="key")
    with World.open(tmp_path, create=True) as world:
        world.commit(made)
        reply = world.ask("Where is the key?")
        assert (reply.lines, "brass-key or iron-key" in reply.note) == ((), True)


def test_hypotheticals_can_be_switched_off(stories: dict[str, World]) -> None:
    off = MemorySwitches(possibilities=False)

    assert stories["gate"].ask("What could happen?", switches=off).outcome == "nothing found"


# -- a model may word the query; the answer is derived all the same


# -- the table itself


def test_every_query_of_the_table_is_well_formed(stories: dict[str, World]) -> None:
    """With variables in its slots each query must parse and be safe, as the world and as eyes have it."""
    from narraworld.query.ask.questions import fill

    program = stories["key"].story.frame.program
    for form in forms():
        slots = {slot: '"a.b.c"' for pattern in form.patterns for slot, _ in pattern.slots}
        slots |= {f"{slot}_{part}": '"a.b"' for slot in slots for part in ("slot", "matter")}
        for template in (*form.ask, *form.deny, *form.unaware):
            for eyes in (None, "a"):
                parse_query(fill(template, slots, eyes), program)


@given(
    words=st.lists(
        st.sampled_from(
            [
                "who",
                "what",
                "where",
                "is",
                "was",
                "does",
                "think",
                "know",
                "the",
                "key",
                "leo",
                "mara",
                "drawer",
                "in",
                "not",
                "that",
                "since",
            ]
        ),
        max_size=9,
    )
)
def test_no_question_breaks_anything(stories: dict[str, World], words: list[str]) -> None:
    """Any heap of words has one of five outcomes, or says that it is empty."""
    try:
        reply = stories["key"].ask(" ".join(words), Situation(at="ch02"))
    except EmptyRequest:
        assert not words
        return
    assert reply.outcome in ("derived", "unaware", "found in the text", "nothing found", "not understood")
    assert reply.query


def test_joins_agree_with_the_goal_directed_engine(stories: dict[str, World]) -> None:
    scope = stories["key"].scope(Situation(at="ch02"))
    for query in (
        "mistaken(Who, P, Truth)",
        'about(M, "key", R, V), current(S, M, "yes")',
        'role(E, Who, "agent"), event(E, Kind, _), Kind != "go"',
        "development(D, Kind), !closed(D), turn(D, S, Status, T), T >= 0",
    ):
        expected = scope.query(query)
        found = [tuple(one[name] for name in expected.columns) for one in bindings(scope.engine, query)]
        assert sorted(found) == sorted(expected.rows)
