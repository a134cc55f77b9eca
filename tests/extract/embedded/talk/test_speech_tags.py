"""What stands beside a quotation, by words alone."""

from __future__ import annotations

import pytest
from parses import tokens

from narraworld.extract.embedded.talk.speech_tags import ONESELF, Tag, acting, tag_after, tag_before

NAMES = ("Mara", "Leo", "Ruth")


def _shown(tag: Tag | None) -> tuple[str, str, str | None] | None:
    return None if tag is None else (tag.who.text, tag.verb, tag.to.text if tag.to else None)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("said Mara.", ("Mara", "said", None)),
        (", he asked her.", ("he", "asked", "her")),
        ("said Mara to Leo.", ("Mara", "said", "Leo")),
        ("the old man replied.", ("old man", "replied", None)),
        ("was her reply.", ("her", "said", None)),
        ("Mara said that it rained.", None),
        ("The door opened.", None),
    ],
)
def test_a_tag_behind_the_words(text: str, found: tuple[str, str, str | None] | None) -> None:
    assert _shown(tag_after(tokens(text, *NAMES))) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("She turned to him and said,", ("She", "said", None)),
        ("Leo rose; then cried:", ("Leo", "cried", None)),
        ("It rained.", None),
    ],
)
def test_a_tag_before_the_words(text: str, found: tuple[str, str, str | None] | None) -> None:
    assert _shown(tag_before(tokens(text, *NAMES))) == found


def test_to_oneself() -> None:
    tag = tag_after(tokens("said Mara to herself.", *NAMES))
    assert tag is not None and tag.to is not None and tag.to.gender == ONESELF


def test_who_acts_in_a_sentence() -> None:
    who = acting(tokens("Mara looked up.", *NAMES))
    assert who is not None and (who.sort, who.text) == ("name", "Mara")
