"""The conversations of a unit: quotations become turns, and a teller is one of the people."""

from __future__ import annotations

from narraworld.extract.embedded.layout.document import lines_of
from narraworld.extract.embedded.people.cast import gather
from narraworld.extract.embedded.talk.dialogue import Dialogue, dialogue_of


def dialogue(text: str) -> Dialogue:
    lines = lines_of(text)
    return dialogue_of(text, lines, gather(line.tokens for line in lines))


def test_two_quotations_with_one_tag_are_one_turn() -> None:
    found = dialogue("“Come in,” said Mara to Leo. “It is late.”\n\n“I know,” he said.")
    assert [len(turn.quotations) for turn in found.turns] == [2, 1]
    assert [turn.speaker.main for turn in found.turns if turn.speaker] == ["Mara", "Leo"]
    assert found.narrator is None


def test_a_teller_is_whom_others_call() -> None:
    found = dialogue(
        "I went in. I saw Mara, and I waited.\n\n“Come in, Jost,” said Mara to me.\n\n“Yes,” said I."
    )
    assert found.narrator is not None and "Jost" in found.narrator.names


def who_speaks(text: str) -> list[str]:
    return [turn.speaker.main if turn.speaker else "-" for turn in dialogue(text).turns]


def test_words_right_behind_others_in_a_paragraph_are_somebody_elses() -> None:
    run = "Mara met Leo. “Where is the ladder?” said Mara. “Behind the barn,” said Leo. “Which barn?” “The red one.”"
    assert who_speaks(run) == ["Mara", "Leo", "Mara", "Leo"]


def test_whose_turn_it_is_speaks_though_the_other_is_unknown() -> None:
    assert who_speaks("“The gate is open,” said Mara. “Which gate?” “The old one.”") == ["Mara", "-", "Mara"]
    assert who_speaks("Leo sat down. “Which gate?” “The old one,” said Mara.") == ["-", "Mara"]


def test_i_said_does_not_go_on_where_she_said_stood() -> None:
    text = "“The kettle is on,” said Mara. I sat. “I saw Leo,” I said. I rose."
    assert [len(turn.quotations) for turn in dialogue(text).turns] == [1, 1]


def test_a_tag_behind_an_untagged_answer_begins_another_turn() -> None:
    text = "“Soup,” said Leo. “Soup?” “Soup.” Mara put down her fork. “I had hoped for fish,” she said."
    assert [len(turn.quotations) for turn in dialogue(text).turns] == [1, 1, 1, 1]
