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
