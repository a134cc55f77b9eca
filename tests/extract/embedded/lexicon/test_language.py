"""A language is handed in: what stands below reads whichever is spoken, and makes each table once."""

from __future__ import annotations

from pathlib import Path

import pytest

from narraworld.extract.embedded.english import LANGUAGE
from narraworld.extract.embedded.lexicon import language as spoken_here
from narraworld.extract.embedded.lexicon.function_words import wordset
from narraworld.extract.embedded.lexicon.language import Language, NoLanguage, speaking, spoken


def test_english_is_read_where_nobody_says_another() -> None:
    assert spoken() is LANGUAGE
    assert "he" in wordset("pronouns.nominative")


def test_another_language_has_words_of_its_own(tmp_path: Path) -> None:
    for name in ("parser_input", "function_words"):
        (tmp_path / f"{name}.toml").write_text("", "utf-8")
    (tmp_path / "grammar.toml").write_text('[pronouns]\nnominative = ["er", "sie"]\n', "utf-8")
    with speaking(Language("german", tmp_path, tmp_path)):
        assert wordset("pronouns.nominative") == {"er", "sie"}
    assert "he" in wordset("pronouns.nominative")


def test_what_is_made_of_a_language_is_made_once() -> None:
    made = list[str]()

    def name_of(language: Language) -> str:
        made.append(language.name)
        return language.name

    german = Language("german", Path(), Path())
    assert [german.made(name_of), german.made(name_of), made] == ["german", "german", ["german"]]


def test_nobody_reads_without_a_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spoken_here, "_ADOPTED", [])
    with pytest.raises(NoLanguage, match="no language is spoken"):
        wordset("pronouns.nominative")
