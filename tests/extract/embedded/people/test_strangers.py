"""Who acts once under a name that stands nowhere else: strangers, and those who are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading_aloud import read, records, states

from narraworld.extract.embedded.people.doubtful_names import StrangerSettings, strangers

SOON = StrangerSettings(told=0)
OFTEN = "Mara sat by the window and Mara looked out. " * 11


def names_of(text: str) -> list[str]:
    return [name for name, _ in strangers(f"{OFTEN}\n\n{text}", SOON)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Jeremy looked out of the window.", ["Jeremy"]),
        ("“Over there!” Leah shouted back.", ["Leah"]),
        ("The wind rose, and Waryn felt the cold.", ["Waryn"]),
        ("Sunlight crossed the floor.", []),
        ("“Jeremy will come,” said Mara. Jeremy looked out.", []),
        ("“Jeremy looked out,” said Mara.", []),
        ("A boy named Jeremy looked out.", []),
        ("The baker, Jeremy, looked out.", []),
        ("Mr. Jeremy looked out.", []),
        ("She called Sam a fool. Sammy stepped back.", []),
        ("Jeremy was a baker.", []),
    ],
)
def test_strangers(text: str, found: list[str]) -> None:
    assert names_of(text) == found


def test_at_the_beginning_everybody_is_new() -> None:
    assert list(strangers(f"{OFTEN}Jeremy looked out.")) == []
    assert list(strangers("Jeremy looked out. Leah stood.", SOON)) == []


def test_what_the_reader_writes_of_a_stranger_is_no_fact() -> None:
    reading = read(f"{OFTEN * 15}\n\nJeremy looked out of the window.")
    [doubt] = records(reading, "Suspicion", "kind", "about", "name")
    assert (doubt.kind, doubt.about, doubt.name) == ("namedOnce", "jeremy", "Jeremy")
    assert not any(said.startswith("jeremy.") for said in states(reading))


@given(st.text(st.sampled_from("Jeremy Mara looked. ,\n“”"), max_size=80))
def test_a_stranger_is_named_once_and_quoted_as_the_text_has_it(text: str) -> None:
    page = OFTEN + text
    for name, where in strangers(page, SOON):
        assert page.count(name) == 1 and where.cut(page).startswith(name)
