"""What a pattern cannot do without: nothing that it finds is ever missed, and what lacks its words is not tried."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from narraworld.base import needed_words
from narraworld.base.needed_words import NeededWords, kept_needs, needs_of


def letters(pattern: str) -> list[set[str]]:
    return [set(need) for need in needs_of(pattern, re.IGNORECASE)]


def can_match(pattern: str, text: str) -> bool:
    words = NeededWords([needs_of(pattern, re.IGNORECASE)])
    return words.of[0] <= words.met(text)


@pytest.mark.parametrize(
    ("pattern", "needs"),
    [
        ("had (?:brown|grey) eyes", [{"^eyes"}, {"had$"}, {"^brown$", "^grey$"}]),
        ("(?:an? )?pike", [{"pike"}]),
        (r"\bscar(?:red)?\b", [{"^scar$", "^scarred$"}]),
        ("[a-z]+ oak +[a-z]+ elm", [{"^oak$"}, {"^elm"}]),
        (r"(?:\d+|ten) men", [{"0", "ten"}, {"^men"}]),
        ("(?:[a-z]+|ten) men", [{"^men"}]),
        ("(?=lock)[a-z]+", [{"lock"}]),
        ("(?!lock)(?<!key )gate", [{"gate"}]),
        ("(?:the old ){1,2}", [{"^old$"}, {"the$"}]),
        ("(?:the )?[a-z]*", []),
        ("fiancée", [{"e"}, {"fianc"}]),
        ("['’]s", [{"^s"}]),
    ],
)
def test_what_a_pattern_needs(pattern: str, needs: list[set[str]]) -> None:
    assert letters(pattern) == needs


PATTERNS = [
    r"(?P<who>¤+|\bhe\b) (?:was|['’]s) (?:an? |the )?(?P<value>cook|sea-cook|pilot)s?\b",
    r"(?:[A-Z]\w+ )?(?:Street|Lane)(?=[,.])",
    r"\b(?:\d[\d,]*|twenty(?:-one)?) (?:men|women)",
    r"(?P<x>ab|cd)(?:-(?P=x))+",
    r"x{2,3}y?z*|_end",
]
TEXTS = [
    "¤¤¤ was the pilot.", "HE’S A COOK, he's a Sea-Cook", "in Mill Lane, and Lane Street.", "1,200 men and Twenty-One WOMEN",
    "٣ men", "ab-ab cd-cd", "xxyzz the_end", "nothing of the kind", "", "he was the cooks",
]  # fmt: skip


@pytest.mark.parametrize("pattern", PATTERNS)
def test_whatever_matches_has_its_words(pattern: str) -> None:
    matching = [text for text in TEXTS if re.search(pattern, text, re.IGNORECASE)]
    assert matching and all(can_match(pattern, text) for text in matching)
    assert not can_match(pattern, "nothing of the kind")


def test_letters_that_are_taken_for_others_are_met() -> None:
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    for letter in "abcdefghijklmnopqrstuvwxyz":
        like = re.findall(letter, every, re.IGNORECASE)
        assert len(like) > 1 and all(can_match(letter, one) for one in like)
    assert all(can_match(r"\d", one) for one in re.findall(r"\d", every))


def test_words_are_forgotten_when_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needed_words, "KEPT", 2)
    words = NeededWords([needs_of("oak"), needs_of("elm")])
    assert words.met("an elm, an ash and one oak") == {0, 1}
    assert words.met("oaken") == {0}


def test_needs_are_kept_from_process_to_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from narraworld.base import compiled

    monkeypatch.setattr(compiled, "cache_from_source", lambda _: str(tmp_path / "compiled.pyc"))
    first = kept_needs("tried", PATTERNS, re.IGNORECASE)
    monkeypatch.setattr(needed_words, "needs_of", lambda *_: pytest.fail("read off again"))
    assert kept_needs("tried", PATTERNS, re.IGNORECASE) == first


def test_a_python_that_takes_patterns_apart_in_another_way_tries_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needed_words, "import_module", lambda _: object())
    assert needs_of("oak") == ()
