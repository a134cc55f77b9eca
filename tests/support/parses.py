"""Sentences with their grammar as it stands in `parses.toml`: for tests of the grammar that ask no parser."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from narraworld.extract.embedded.grammar.parser import Token, Word

__all__ = ["parsed", "sentence", "tokens"]


@cache
def _rows() -> dict[str, list[str]]:
    return tomllib.loads(Path(__file__).with_name("parses.toml").read_text("utf-8"))


def parsed(text: str) -> list[Word]:
    """The grammar of a sentence of the file; stars aside."""
    return sentence(text.replace("*", ""), *_rows()[text.replace("*", "")])


def sentence(text: str, *rows: str) -> list[Word]:
    """A sentence from rows of `text lemma pos tag dependency head`; a proper noun is a name."""
    found, at = list[Word](), 0
    for position, row in enumerate(rows):
        said, lemma, pos, tag, dep, head = row.split()
        at = text.index(said, at)
        found.append(
            Word(position, said, at, at + len(said), lemma, pos, tag, dep, int(head), pos == "PROPN")
        )
        at += len(said)
    return found


def tokens(text: str, *names: str) -> list[Token]:
    """Words between blanks, marks apart from them; those called ``names`` are marked as such."""
    found, at = list[Token](), 0
    for said in _apart(text):
        at = text.index(said, at)
        found.append(Token(said, at, at + len(said), said in names))
        at += len(said)
    return found


def _apart(text: str) -> list[str]:
    for mark in ",.!?;:":
        text = text.replace(mark, f" {mark} ")
    return text.replace("'s ", " 's ").replace("’s ", " ’s ").split()
