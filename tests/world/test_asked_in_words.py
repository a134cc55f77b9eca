"""A mind at hand answers a question in words: what it is shown, what is taken of what it says, and what is refused."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from opened_mind import Opened

from narraworld.extract.model.port import Prompt, Told
from narraworld.kb.delta import Delta
from narraworld.kb.units import Unit
from narraworld.models.planner import WordedAnswer, answering_with
from narraworld.models.recordings import CarriedOver, Recorder, Replay
from narraworld.query.ask.answer import Reply
from narraworld.query.ask.in_words.shown import QuestionShown, SaidInWords
from narraworld.world import World

WHERE = "Where does Leo suppose the key to be?"
TEXT = "Leo left the key in the drawer and went down to the harbour."
LEFT, MOVED = "Leo left the key in the drawer", "Mara moved the key from the drawer into the hollow book"


class Mind:
    """Says what a test makes of the question; keeps what it was shown."""

    def __init__(self, says: Callable[[QuestionShown], SaidInWords]) -> None:
        self.says, self.shown = says, list[QuestionShown]()

    def __call__(self, shown: QuestionShown) -> SaidInWords:
        self.shown.append(shown)
        return self.says(shown)


def number(shown: QuestionShown, words: str) -> int:
    """The number of the first line that has these words."""
    return next(nth for nth, line in enumerate(shown.lines, 1) if words in line.words)


def saying(words: str, *lines: str, **more: Any) -> Mind:
    return Mind(
        lambda shown: SaidInWords(
            True, words, rests_on=tuple(number(shown, one) for one in lines), by="Ada", **more
        )
    )


def asked(world: World, mind: Mind, question: str = WHERE, **situation: Any) -> Reply:
    return world.ask(question, mind=mind, **{"at": "ch02", **situation})


@pytest.fixture
def hotel(tmp_path: Path) -> Iterator[World]:
    """Jack Vane goes by the name of Brown."""
    told = "Jack Vane, the forger, signed the book as Brown, and Bo saw it."
    made = Delta(Unit("ch01", 1, told))
    made.add("Character", "jack-vane", name="Jack Vane")
    made.add("Character", "bo", name="Bo")
    made.add("Naming", entity="jack-vane", name="Brown", quote="as Brown,")
    made.add("Event", "sign", kind="sign", agent="jack-vane", quote="signed the book as Brown")
    made.add("State", proposition="jack-vane.occupation:forger", quote="Jack Vane, the forger")
    with World.open(tmp_path, create=True) as world:
        assert world.commit(made).refusals == ()
        yield world


# -- what it is shown


def test_it_is_shown_the_text_who_holds_what_since_when_and_by_what(stories: dict[str, World]) -> None:
    mind = Mind(lambda _: SaidInWords(False, by="Ada"))
    asked(stories["key"], mind)
    [shown] = mind.shown
    lines = {line.words: line.part for line in shown.lines}
    assert lines[f"{MOVED} while Leo was away."] == lines[TEXT] == "text"
    [held] = [
        words
        for words, part in lines.items()
        if part == "minds" and words.startswith("the key is in the drawer")
    ]
    assert "believes falsely: Leo (since ch01 (The drawer), " in held and f"“{LEFT}”" in held
    assert shown.situation.endswith("The story stands at the end of ch02 (The hollow book).")
    assert "predicates: location" in shown.vocabulary


def test_through_eyes_it_is_shown_what_that_mind_could_tell(stories: dict[str, World]) -> None:
    mind = Mind(lambda _: SaidInWords(False, by="Ada"))
    asked(stories["key"], mind, as_="Leo")
    [shown] = mind.shown
    assert "drawer" in shown.text and "Leo" in shown.situation
    assert "hollow" not in shown.text.casefold() and "mara" not in shown.text.casefold()


def test_a_budget_holds_the_lines(stories: dict[str, World]) -> None:
    from narraworld.base.settings import DEFAULTS
    from narraworld.query.memory.tokens import counter

    mind = Mind(lambda _: SaidInWords(False, by="Ada"))
    stories["gate"].ask("What happened at the gate?", mind=mind)
    [shown] = mind.shown
    numbered = [f"{nth}. {line.words}\n" for nth, line in enumerate(shown.lines, 1)]
    assert sum(map(counter(), numbered)) <= DEFAULTS.memory.in_words.tokens
    assert len({line.words for line in shown.lines}) == len(shown.lines)


# -- what is taken


def test_an_answer_is_told_with_the_words_it_rests_on(stories: dict[str, World]) -> None:
    reply = asked(stories["key"], saying("in the drawer", TEXT))
    assert (reply.outcome, reply.worded_by) == ("found in the text", "Ada")
    [line] = reply.lines
    assert line.words == "in the drawer" and [span.quote for span in line.spans] == [TEXT]
    assert reply.rests_on == () and reply.note == ""


def test_one_that_rests_on_what_rules_derive_is_derived(stories: dict[str, World]) -> None:
    reply = asked(
        stories["key"], saying("Leo believes falsely that it is in the drawer", "the key is in the drawer —")
    )
    assert reply.outcome == "derived"
    assert [words.partition(" —")[0] for words in reply.rests_on] == ["the key is in the drawer"]
    assert LEFT in [span.quote for span in reply.lines[0].spans]


def test_a_yes_or_a_no_is_the_verdict(stories: dict[str, World]) -> None:
    reply = asked(stories["key"], saying("No", MOVED, verdict=False), "Would Leo look into the book?")
    assert reply.verdict is False


def test_through_eyes_it_is_theirs(stories: dict[str, World]) -> None:
    reply = asked(stories["key"], saying("in the drawer", "drawer"), as_="Leo")
    assert [line.holder for line in reply.lines] == ["Leo"]


def test_its_own_words_are_marked(stories: dict[str, World]) -> None:
    reply = asked(stories["key"], saying("probably in the drawer", LEFT))
    assert reply.note == "its own words, not in its lines: probably"


# -- what is refused, and then the rules answer as without it


@pytest.mark.parametrize(
    ("words", "lines", "why"),
    [
        ("in the drawer", (), "it rests on no line"),
        ("", (LEFT,), "it says nothing"),
        ("in the drawer of Tobias", (LEFT,), "'Tobias' stands neither in its lines nor in the question"),
        ("in the drawer since 1894", (LEFT,), "'1894' stands neither in its lines nor in the question"),
        (
            "beneath old floorboards upstairs",
            (LEFT,),
            "most of it stands neither in its lines nor in the question",
        ),
    ],
)
def test_what_its_lines_do_not_bear_is_refused(
    stories: dict[str, World], words: str, lines: tuple[str, ...], why: str
) -> None:
    plain = stories["key"].ask("Where does Leo think the key is?", at="ch02")
    reply = asked(stories["key"], saying(words, *lines), "Where does Leo think the key is?")
    assert reply.lines == plain.lines and (reply.outcome, reply.worded_by) == ("derived", "")
    assert reply.note.startswith("the answer of Ada was refused: ") and why in reply.note


def test_a_line_that_was_not_shown_bears_nothing(stories: dict[str, World]) -> None:
    mind = Mind(
        lambda shown: SaidInWords(True, "in the drawer", rests_on=(1, len(shown.lines) + 1), by="Ada")
    )
    assert "it rests on line" in asked(stories["key"], mind).note


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("the key", "it names 1 of the 2 that are asked for"),
        ("the key and the drawer", ""),
        ("“the key”", ""),
    ],
)
def test_of_two_things_asked_for_one_is_not_enough(stories: dict[str, World], words: str, why: str) -> None:
    reply = asked(stories["key"], saying(words, LEFT), "What two things did Leo leave behind?")
    assert (why in reply.note, bool(reply.worded_by)) == (True, not why)


@pytest.mark.parametrize(
    ("verdict", "line", "is_taken"), [(True, MOVED, True), (True, TEXT, False), (False, TEXT, True)]
)
def test_a_yes_that_somebody_knows_a_thing_rests_on_words_that_say_it(
    stories: dict[str, World], verdict: bool, line: str, is_taken: bool
) -> None:
    question = "Does Leo know that Mara moved it into the hollow book?"
    reply = asked(stories["key"], saying("", line, verdict=verdict), question)
    assert (reply.worded_by == "Ada") is is_taken
    assert ("its lines do not say what is said to be known" in reply.note) is not is_taken


def test_names_that_the_lines_do_not_use_are_explained(hotel: World) -> None:
    """What the question calls him counts as what the lines call him."""
    mind = saying("", "Jack Vane", verdict=True)
    reply = hotel.ask("Does Bo know that Brown is a forger?", mind=mind)
    [shown] = mind.shown
    assert shown.called == (("Brown", "Jack Vane"),)
    assert "Brown of the question is called Jack Vane in the lines." in shown.situation
    assert reply.worded_by == "Ada"


def test_a_name_its_lines_have_may_be_said(stories: dict[str, World]) -> None:
    reply = asked(stories["key"], saying("Mara", MOVED), "Who moved the key?")
    assert [line.words for line in reply.lines] == ["Mara"]


def test_no_answer_is_nothing_found_and_says_what_the_rules_would(stories: dict[str, World]) -> None:
    mind = Mind(lambda _: SaidInWords(False, by="Ada"))
    reply = asked(stories["key"], mind, "Where is the key?")
    assert (reply.outcome, reply.lines) == ("nothing found", ())
    assert "Ada found no answer in the " in reply.note and reply.note.endswith("by rule: hollow book")


# -- a query of its own


def test_a_query_is_run_and_derived(stories: dict[str, World]) -> None:
    mind = Mind(lambda _: SaidInWords(False, query='mistaken("Leo", P, Truth)', by="Ada"))
    reply = asked(stories["key"], mind, "Is Leo deluded?")
    assert (reply.outcome, reply.query) == ("derived", 'mistaken("Leo", P, Truth)')
    assert [line.words for line in reply.lines] == [
        "P = the key is in the drawer, Truth = the key is in the hollow book"
    ]


@pytest.mark.parametrize("query", ["mistaken(", "no_such(X)", 'mistaken("Leo")', "believes(X, Y); drop"])
def test_a_bad_query_is_refused(stories: dict[str, World], query: str) -> None:
    reply = asked(stories["key"], Mind(lambda _: SaidInWords(False, query=query, by="Ada")))
    assert reply.outcome == "nothing found" and "was refused" in reply.note


def test_a_query_without_rows_says_so(stories: dict[str, World]) -> None:
    reply = asked(
        stories["key"], Mind(lambda _: SaidInWords(False, query='mistaken("Mara", P, T)', by="Ada"))
    )
    assert reply.outcome == "nothing found" and "has no answer" in reply.note


# -- recorded and replayed


class Strong:
    """Answers from the first line that has the words, as a model would."""

    model = "strong"

    async def ask(self, prompt: Prompt, answer: type[WordedAnswer], /) -> Told[WordedAnswer]:
        lines = prompt.given["lines"].splitlines()
        rests = next(int(one.partition(".")[0]) for one in lines if one.endswith(TEXT))
        return Told(WordedAnswer(outcome="answered", answer="in the drawer", rests_on=[rests]))


def test_an_answer_is_replayed_and_its_lines_are_found_at_their_numbers_of_today(
    stories: dict[str, World], tmp_path: Path
) -> None:
    file = tmp_path / "asked.jsonl"
    first = stories["key"].ask(
        WHERE, at="ch02", mind=answering_with(lambda: Opened(Recorder(Strong(), file)))
    )
    again = stories["key"].ask(WHERE, at="ch02", mind=answering_with(lambda: Opened(Replay(file))))
    assert again == first and first.worded_by == "strong"
    recorded = json.loads(file.read_text("utf-8"))
    [(name, words)] = recorded["named"].items()
    assert words == TEXT
    place = int(name.removeprefix("lines "))
    shifted = Prompt("answering", "s", "u", {"question": WHERE, "lines": f"[x]\n{place + 7}. {TEXT}"})
    given = {**recorded, "given": {**recorded["given"]}}
    file.write_text(json.dumps(given) + "\n", encoding="utf-8")
    carried = asyncio.run(CarriedOver(file, Replay(file)).ask(shifted, WordedAnswer))
    assert carried.answer.rests_on == [place + 7]
