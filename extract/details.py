"""Details that a story keeps to: eyes, hair, ages, families, skills, and the names people go by.

A second look at the narration, by patterns over single sentences (`details.toml`), for what the grammar of events leaves out
and checks live on. Only what is said outright, of somebody by name; whatever a sentence leaves in doubt is left out.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from narraworld.extract.misspelt import rare_variants
from narraworld.extract.page import Page
from narraworld.extract.quotations import without_speech
from narraworld.extract.sentences import paragraphs, sentences
from narraworld.kb.propositions import Statement
from narraworld.kb.spans import Range

__all__ = ["write_details"]

KIN = "kin"
_PLACEHOLDER = re.compile(r"<(\w+)>")
_NUMBER = (
    r"\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?|"
    r"two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
)


@dataclass(frozen=True, slots=True)
class Detail:
    """One way of saying a detail: what it says, which group holds the word, and how the sentence must be."""

    says: str
    word: str
    patterns: tuple[str, ...]
    alone: bool = False
    negative: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    details: tuple[Detail, ...]
    words: dict[str, str]
    doubtful: re.Pattern[str]


@cache
def _table() -> Table:
    said: dict[str, Any] = tomllib.loads((files("narraworld.extract") / "details.toml").read_text("utf-8"))
    details = tuple(Detail(**one | {"patterns": tuple(one["patterns"])}) for one in said["detail"])
    lists = {
        name: "|".join(words) for name, words in said.items() if isinstance(words, list) and name != "detail"
    }
    doubtful = lists.pop("doubtful").replace("n't|", "")
    words = {name: f"(?P<{name}>{some})" for name, some in lists.items()}
    words |= {"number": f"(?P<number>{_NUMBER})", "adjectives": said["adjectives"]}
    return Table(details, words, re.compile(rf"\b(?:{doubtful})\b|n['’]t\b", re.IGNORECASE))


def write_details(page: Page) -> None:
    """Add what the unit says of its people's looks, ages, families and skills, and every full name they go by."""
    names = _names(page)
    _mention_variants(page, names)
    if not names:
        return
    who = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    found = re.compile(rf"\b(?:{who})\b")
    ways = [(detail, _compiled(detail, who)) for detail in _table().details]
    text = without_speech(page.delta.unit.text)
    called: set[tuple[str, str]] = set()
    for where in (one for paragraph in paragraphs(text) for one in sentences(text, paragraph)):
        sentence = where.cut(text).replace("’", "'")
        mentioned = [(one.group(), where.start + one.start()) for one in found.finditer(sentence)]
        if mentioned:
            _name(page, mentioned, names, called)
            _describe(page, where, sentence, names, ways, len({names[name] for name, _ in mentioned}))


def _mention_variants(page: Page, names: dict[str, str]) -> None:
    """Somebody of whom only the name is known, where that name looks like another's."""
    known = {*names, *(name for one in page.company.roster.known for name in _proper(list(one.names)))}
    heard = {word for name in known for word in name.split()}
    for word, where in rare_variants(page.delta.unit.text, known):
        if word not in heard:
            id = page.company.roster.free_id(
                f"{page.company.prefix}{word}", set(page.company.figures) | page.used
            )
            page.used.add(id)
            page.delta.add("Entity", id, quote=where, name=word)


def _describe(
    page: Page, where: Range, sentence: str, names: dict[str, str],
    ways: list[tuple[Detail, list[re.Pattern[str]]]], people: int,
) -> None:  # fmt: skip
    for detail, patterns in ways:
        if detail.alone and people != 1:
            continue
        for match in (match for pattern in patterns for match in pattern.finditer(sentence)):
            if detail.negative or not _table().doubtful.search(sentence):
                respect = match[KIN] if detail.says == KIN else detail.says
                said = Statement(
                    names[match["who"]], respect, value=match[detail.word].lower(), negative=detail.negative
                )
                page.add(
                    "State", Range(where.start + match.start(), where.start + match.end()), proposition=said
                )


def _name(
    page: Page, mentioned: list[tuple[str, int]], names: dict[str, str], called: set[tuple[str, str]]
) -> None:
    """A record for each name of several words, where it first stands."""
    for name, start in mentioned:
        if " " in name and (names[name], name) not in called:
            called.add((names[name], name))
            page.add("Naming", Range(start, start + len(name)), entity=names[name], name=name)


def _names(page: Page) -> dict[str, str]:
    """Proper names of the characters of this unit, and of whom each is; what two of them share is nobody's."""
    found: dict[str, set[str]] = {}
    for figure in page.company.figures.values():
        if figure.kind == "character":
            for name in _proper(figure.names):
                found.setdefault(name, set()).add(figure.id)
    return {name: next(iter(ids)) for name, ids in found.items() if len(ids) == 1}


def _proper(names: list[str]) -> Iterator[str]:
    for name in names:
        words = name.split()
        if all(word[:1].isupper() for word in words):
            yield " ".join(words)


def _compiled(detail: Detail, who: str) -> list[re.Pattern[str]]:
    words = _table().words | {"who": f"(?P<who>{who})"}
    return [
        re.compile(
            _PLACEHOLDER.sub(lambda found: words[found[1]], f"(?<!\\w){pattern}".replace("(?<!\\w)^", "^"))
        )
        for pattern in detail.patterns
    ]
