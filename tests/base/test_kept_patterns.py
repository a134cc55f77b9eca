"""Patterns kept between processes find what `re` finds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from narraworld.base import kept_patterns
from narraworld.base.kept_patterns import KeptPatterns

TEXTS = [
    r"\b(?P<who>mara|leo)(?:'s)? (?P<what>\w+)",
    r"(?i:ÄPFEL|straße)",
    r"(a|b)*?c{2,3}(?!d)(?<=c)",
    r"[^\W\d_]+",
    r"(?P<x>\d)(?P=x)",
]
PAGES = ["Mara's KEY and leo lamp", "äpfel in der STRASSE, straße", "ababccc accd", "one_2 drei", "4455 12"]


def found(pattern: re.Pattern[str], page: str) -> list[tuple[object, ...]]:
    return [(m.span(), m.groups(), m.groupdict(), m.lastgroup) for m in pattern.finditer(page)]


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    from narraworld.base import compiled

    monkeypatch.setattr(compiled, "cache_from_source", lambda _: str(tmp_path / "compiled.pyc"))
    return tmp_path / "tried.patterns"


@pytest.mark.parametrize("flags", [re.NOFLAG, re.IGNORECASE, re.IGNORECASE | re.MULTILINE])
def test_what_was_kept_finds_the_same(
    flags: re.RegexFlag, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    KeptPatterns("tried", TEXTS, flags)
    assert shelf.is_file()
    with monkeypatch.context() as patch:
        patch.setattr(kept_patterns, "_taken_apart", lambda *_: pytest.fail("compiled again"))
        again = KeptPatterns("tried", TEXTS, flags)
    for text in TEXTS:
        plain = re.compile(text, flags)
        assert (again[text].pattern, again[text].flags, again[text].groups) == (
            text,
            plain.flags,
            plain.groups,
        )
        assert all(found(again[text], page) == found(plain, page) for page in PAGES)


def test_other_patterns_and_a_damaged_file_are_compiled_anew(shelf: Path) -> None:
    KeptPatterns("tried", TEXTS)
    shelf.write_bytes(shelf.read_bytes()[:-9] + b"123456789")
    kept = KeptPatterns("tried", TEXTS)
    assert found(kept[TEXTS[0]], PAGES[0]) == found(re.compile(TEXTS[0]), PAGES[0])
    assert kept["never seen"].search("never seen before")


def test_a_form_the_matcher_refuses_is_compiled(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_patterns, "_taken_apart", lambda *_: (0, [99_999, 1], 0, {}, (None,)))
    assert KeptPatterns("tried", TEXTS)[TEXTS[3]].findall("one two") == ["one", "two"]
