"""Whether a part of a sentence is of the kind that a question asks for: a person, a place, a time, a number of the right things.

By the table `aligned.toml`, the shapes of numbers and times, and the dictionary of nouns. What is of the wrong kind is no answer, however
well all else fits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from narraworld.query.ask.aligned.asked import QuestionPattern, table
from narraworld.query.ask.aligned.candidates import AnswerPart
from narraworld.query.ask.aligned.grammar import ParsedWord, ParseTree
from narraworld.query.ask.from_sentences.answer_phrases import (
    ages,
    amounts,
    bare_numbers,
    counts,
    number_of,
    of_kind,
    times_in,
)
from narraworld.query.ask.from_sentences.deed_questions import deed_words
from narraworld.query.ask.from_sentences.tellings import stems_in

__all__ = ["is_of_kind", "is_shaped", "is_timely"]

NUMBER, COUNTS = "NUM", "CD"
NEAR = 12  # characters of a number's phrase that may stand before the part that has it


def is_of_kind(pattern: QuestionPattern, tree: ParseTree, one: AnswerPart, person: bool) -> bool:
    """Whether a part can answer at all; ``person``: whether it is somebody's name."""
    rules = table()["answers"].get(pattern.kind)
    if rules is None:
        return True
    short = 1 + one.last - one.first <= rules["longest"] and one.shape in rules["shapes"].split(", ")
    return short and _is_so_named(rules, tree, one, person) and _is_so_told(rules, pattern, tree, one)


def _is_so_named(rules: Mapping[str, Any], tree: ParseTree, one: AnswerPart, person: bool) -> bool:
    """Whether its noun, or its name, stands for what is asked for, and its preposition leads to such."""
    head = tree.words[one.head]
    if "marks" in rules and one.mark and one.mark not in rules["marks"].split():
        return False
    if one.shape == rules.get("marked") and not one.mark:
        return False
    if rules.get("names") and head.pos != "PROPN":
        return False
    if "people" in rules and head.pos == "PROPN" and person is not rules["people"]:
        return not person and not rules["people"]
    return "kinds" not in rules or head.pos != "NOUN" or head.kind in ("", *rules["kinds"].split())


def _is_so_told(rules: Mapping[str, Any], pattern: QuestionPattern, tree: ParseTree, one: AnswerPart) -> bool:
    """Whether it has the time or the number that is asked for, and none that is not."""
    timely = is_timely(tree, one)
    if timely and not rules.get("times", True):
        return False
    if rules.get("timely") and not (timely or one.mark in deed_words("question", "times")):
        return False
    if rules.get("timely") and not of_kind(tree.words_of(range(one.first, one.last + 1)), pattern.noun):
        return False
    if rules.get("number") and not any(_is_number(word) for word in tree.words[one.first : one.last + 1]):
        return False
    if pattern.kind == "count" and counts_other(pattern, tree, one):
        return False
    return not rules.get("shaped") or is_shaped(pattern, tree, one) is True


def _is_number(word: ParsedWord) -> bool:
    return word.pos == NUMBER or word.tag == COUNTS


def is_timely(tree: ParseTree, one: AnswerPart) -> bool:
    """Whether a part says when, by its noun or by its words."""
    words = {tree.words[nth].text.lower() for nth in range(one.first, one.last + 1)}
    named = deed_words("times", "named") | deed_words("times", "parts")
    return tree.words[one.head].kind == "time" or (
        len(words) <= table()["timely"]["longest"] and bool(words & named)
    )


def counts_other(pattern: QuestionPattern, tree: ParseTree, one: AnswerPart) -> bool:
    """Whether a part has no number, or one that counts something else than was asked for."""
    numbers = [nth for nth in range(one.first, one.last + 1) if _is_number(tree.words[nth])]
    owners = [tree.words[nth].head for nth in numbers if tree.words[nth].dep.startswith("nummod")]
    nouns = {tree.words[nth].lemma.lower() for nth in owners}
    year = any(re.fullmatch(r"1\d{3}|20\d\d", tree.words[nth].text) for nth in numbers)
    return (
        not numbers
        or year
        or (bool(nouns) and not any(stems_in(noun) & stems_in(pattern.noun) for noun in nouns))
    )


def is_shaped(pattern: QuestionPattern, tree: ParseTree, one: AnswerPart) -> bool | None:
    """Whether a part has the words of number or time that its kind of answer has; None where any words may answer."""
    spans = _shapes(pattern.kind, pattern.noun, tree.text)
    if spans is None:
        return None
    first, last = tree.words[one.first].start, tree.words[one.last].end
    return any(first - NEAR <= start and end <= last and first < end for start, end in spans)


@lru_cache(1 << 10)
def _shapes(kind: str, noun: str, text: str) -> tuple[tuple[int, int], ...] | None:
    """Where a sentence has words of the shape that an answer of some kind has."""
    match kind:
        case "count":
            found = [*(phrase for _, phrase in number_of(text, noun)), *bare_numbers(text)]
        case "amount":
            found = [phrase for phrase in amounts(text, "money") if counts(phrase)]
        case "length" | "duration":
            found = [phrase for phrase in amounts(text, kind) if counts(phrase)]
        case "age":
            found = list(ages(text))
        case "when":
            found = list(times_in(text, noun))
        case "colour":
            return tuple(one.span() for one in _colours().finditer(text))
        case _:
            return None
    return tuple((at, at + len(one)) for one in found if (at := text.find(one)) >= 0)


@cache
def _colours() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(sorted(deed_words('colours', 'words')))})\b", re.IGNORECASE)
