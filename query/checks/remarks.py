"""What the author says to us inside the manuscript, in comments that no reader of the book sees.

    <!-- narraworld: ignore NW501 she dreams this -->      the paragraph it stands in, or before
    <!-- narraworld: off NW2 unreliable teller -->  …  <!-- narraworld: on NW2 -->
    % narraworld: ignore NW501, NW204: a dream             the same in novelWriter

Pure: comments come as text with their offset. A comment that speaks to us and cannot be understood is told, not skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from narraworld.base.quick_dataclass import dataclass
from narraworld.query.checks.findings import Finding, Waiver
from narraworld.query.checks.sifting import AuthorsAnswer

__all__ = ["Comment", "Remark", "remarks_in"]

_SAID = re.compile(
    r"narraworld[\s:,-]*(?P<word>[a-z]+)\b\s*(?P<rules>(?:[A-Z]+\d+(?:\s*,\s*|\s+|(?=:)|$))*)\s*:?\s*(?P<reason>.*)",
    re.DOTALL,
)
_PARAGRAPH = "\n\n"


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment: its words, where it stands in the unit's text, and where the author finds it."""

    words: str
    start: int
    place: str


@dataclass(frozen=True, slots=True)
class Remark:
    """An understood comment: for this stretch of a unit, findings of these rules are intended."""

    unit: str
    start: int
    end: int
    rules: tuple[str, ...]
    reason: str
    place: str

    def covers(self, finding: Finding) -> bool:
        """Whether the finding is of one of the rules and has a passage here."""
        return finding.rule.id.startswith(self.rules) and any(
            one.unit == self.unit and one.start < self.end and self.start < one.end
            for one in finding.passages
        )

    def answer(self) -> AuthorsAnswer:
        return AuthorsAnswer(self.covers, Waiver(", ".join(self.rules), self.reason, self.place), self.rules)


def remarks_in(unit: str, text: str, comments: Sequence[Comment]) -> tuple[list[Remark], list[str]]:
    """The remarks of one unit in order, and a sentence for each comment that could not be understood."""
    remarks, troubles = list[Remark](), list[str]()
    parsed = [(comment, _SAID.fullmatch(comment.words.strip())) for comment in comments]
    for number, (comment, said) in enumerate(parsed):
        rules = _rules_in(said) if said else ()
        if said is None or not _is_understood(said["word"], rules):
            troubles.append(_not_understood(comment))
        elif said["word"] != "on":
            later = [(c.start, m) for c, m in parsed[number + 1 :] if m]
            start, end = _stretch(said["word"], comment.start, text, _ends(later, rules))
            remarks.append(Remark(unit, start, end, rules, said["reason"].strip(), comment.place))
    return remarks, troubles


def _is_understood(word: str, rules: tuple[str, ...]) -> bool:
    return word == "on" or (word in ("ignore", "off") and bool(rules))


def _rules_in(said: re.Match[str]) -> tuple[str, ...]:
    return tuple(re.findall(r"[A-Z]+\d+", said["rules"]))


def _ends(later: Iterable[tuple[int, re.Match[str]]], rules: tuple[str, ...]) -> int | None:
    """Where an `on` for these rules, or for all, stands."""
    for start, said in later:
        named = re.findall(r"[A-Z]+\d+", said["rules"])
        if said["word"] == "on" and (not named or set(named) & set(rules)):
            return start
    return None


def _stretch(word: str, start: int, text: str, end: int | None) -> tuple[int, int]:
    if word == "off":
        return start, len(text) if end is None else end
    begin = text.rfind(_PARAGRAPH, 0, start)
    close = text.find(_PARAGRAPH, start)
    return (begin + len(_PARAGRAPH) if begin >= 0 else 0), (close if close >= 0 else len(text))


def _not_understood(comment: Comment) -> str:
    return f"{comment.place}: “{comment.words}” is not understood; write “narraworld: ignore NW501 the reason”, or off … on"
