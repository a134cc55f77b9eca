"""Who is meant by a pronoun, and when nobody can tell."""

from __future__ import annotations

import pytest
from reading_aloud import read, records


def doers(text: str, kind: str, role: str = "agent") -> list[str]:
    """Who fills a role in the events of one verb."""
    return [getattr(one, role) for one in records(read(text), "Event", "kind", role) if one.kind == kind]


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        pytest.param("Mara came in. She sang.", "sing", ["mara"], id="the one there is"),
        pytest.param(
            "Sir Walter was a man who read books. He sang a song.",
            "sing",
            ["sir-walter"],
            id="said to be a man",
        ),
        pytest.param(
            "Mara came in. Her aunt slept. She sang.", "sing", ["mara"], id="told of her, not of the aunt"
        ),
        pytest.param("I came in. I sat down. I slept. He sang.", "sing", [], id="never the teller"),
        pytest.param(
            "Mara came in and ate the bread. The homage pleased him. He sang.", "sing", [], id="no person"
        ),
        pytest.param(
            "Tom came in. The lamp fell. The door opened. The bell rang. The cup broke. The fire died. The dog barked. "
            "The gate creaked. He sang.",
            "sing",
            [],
            id="too long ago",
        ),
    ],
)
def test_who_does_it(text: str, kind: str, expected: list[str]) -> None:
    assert doers(text, kind) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Mr. Vane came in. Mara kissed him.", ["mr-vane"], id="the one there is"),
        pytest.param(
            "Mr. Vane came in. Uncle Tom sat by the fire. Mara kissed him.",
            ["uncle-tom"],
            id="the likelier of two",
        ),
    ],
)
def test_to_whom_it_is_done(text: str, expected: list[str]) -> None:
    assert doers(text, "kiss", "patient") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Mara took the lamp. She broke it.", ["lamp"], id="a thing the story treats as one"),
        pytest.param("Mara took the lamp. A pause followed. She broke it.", [], id="or the pause"),
    ],
)
def test_what_it_is(text: str, expected: list[str]) -> None:
    assert doers(text, "break", "patient") == expected


def test_herself_is_the_subject() -> None:
    assert doers("Emma and Clara came in. Clara praised herself.", "praise", "patient") == ["clara"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        pytest.param("Mara hid the logbook. Leo took the book.", {("logbook", "book")}, id="the end of a longer word"),
        pytest.param("Mara hid the blue coat. Leo took the dreaded coat.", {("blue coat", "dreaded coat")}, id="only felt"),
        pytest.param("Mara hid the key. Leo took the spare key.", {("key",), ("spare key",)}, id="another of its kind"),
        pytest.param("Mara hid the shirt. Leo took the t-shirt.", {("shirt",), ("t-shirt",)}, id="two sorts of shirt"),
    ],
)  # fmt: skip
def test_a_thing_goes_by_every_name_it_was_given(text: str, names: set[tuple[str, ...]]) -> None:
    assert {one.names for one in read(text).cast if one.kind == "object"} == names


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        pytest.param(
            "Mr. Vane was robbed by Mr. Oake, who came in at night and took his horse. So he dug a pit.",
            "dig",
            ["mr-vane"],
            id="a passive tells of whom it is done to, and what hangs on a noun leads no sentence",
        ),
        pytest.param(
            "Mr. Vane was sleeping by the wall when Mr. Oake crept up to him and was going to strike him.",
            "strike",
            ["mr-oake"],
            id="what breaks in goes on",
        ),
        pytest.param(
            "Mr. Vane was sleeping by the wall when Mr. Oake came; and then got up.",
            "get up",
            ["mr-vane"],
            id="not beyond a stop",
        ),
        pytest.param(
            "But Mr. Oake espied Ann from the hill, and swooped down and carried her off.",
            "swoop",
            ["mr-oake"],
            id="nobody is swooped",
        ),
    ],
)
def test_who_goes_on(text: str, kind: str, expected: list[str]) -> None:
    assert doers(text, kind) == expected


def test_whom_a_trap_is_set_for_is_not_who_sets_it() -> None:
    told = "Mr. Vane came in. Mr. Oake sat by the fire. He set a trap for him and caught him."
    assert (doers(told, "catch"), doers(told, "catch", "patient")) == (["mr-oake"], ["mr-vane"])


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        pytest.param(
            "Mr. Vane came upon Mr. Oake in the barn. Mr. Vane was sleeping when Mr. Oake woke him, and he "
            'begged for bread and said, "Wait a while."',
            "mr-vane",
            id="whom the sentence has taken him for",
        ),
        pytest.param(
            'Mr. Vane went to the barn. He looked for Mr. Oake.\n\n"Come down," he called.',
            "mr-vane",
            id="whom the telling was about",
        ),
    ],
)
def test_who_says_it_where_he_says_it(text: str, speaker: str) -> None:
    assert [one.speaker for one in records(read(text), "Speech", "speaker")] == [speaker]


def test_who_is_annoyed_suffers_it_whatever_the_parser_calls_the_verb() -> None:
    told = "The farmer was greatly annoyed by a fox."
    assert (doers(told, "annoy"), doers(told, "annoy", "patient")) == (["fox"], ["farmer"])
