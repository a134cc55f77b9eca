"""Letters: `I` is who signs, `you` is who is greeted."""

from __future__ import annotations

from reading_aloud import read, records

from narraworld.extract.embedded.layout.letters import letters

LETTERS = """3 May 1921

Dear Edith,

I arrived at Harrow Lodge on Tuesday. I saw the doctor in the hall.

Your loving sister,
Clara

10 May 1921

Dear Clara,

I found the bottle. I gave it to Henry.

Edith
"""


def test_i_is_who_signs() -> None:
    done = records(read(LETTERS), "Event", "kind", "agent")
    assert [(one.kind, one.agent) for one in done] == [
        ("arrive", "clara"),
        ("see", "clara"),
        ("find", "edith"),
        ("give", "edith"),
    ]


def test_you_is_who_is_greeted() -> None:
    text = "Dear Clara,\n\nI shall come to you on Saturday.\n\nEdith\n"
    assert [one.destination for one in records(read(text), "Event", "destination")] == ["clara"]


def test_a_letter_that_nobody_signs_has_no_writer() -> None:
    found = letters("Dear Clara,\n\nI am well. Come soon.\n\nShe folded it and left.\n")
    assert [(one.writer, one.readers) for one in found] == [(None, ("Clara",))]
    assert letters('"Dear Clara," she said. "Come in."\n') == []
