"""What an answer names of lists that were chosen from all that is known: kept by its words, found again at another number.

A rule that is mended changes what is known, and so what such a list holds and in which order; the answer means the line, not its place.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from narraworld.extract.model.port import Prompt

__all__ = ["CHOSEN", "EACH_BY_ITSELF", "named_lines", "renumbered"]

CHOSEN = {
    "remembered": "fact",
    "facts": "fact",
    "possibilities": "possibility",
    "lines": "rests_on",
}  # and the field that names a number
EACH_BY_ITSELF = frozenset(
    {"choosing"}
)  # questions whose answers name lines of which each stands alone: what is gone is left out
_LINE = re.compile(
    r"(\d+)\. (.*?)(?:, unstated)?$"
)  # whether it only was said is a mark on a fact, not the fact


def named_lines(answer: Any, prompt: Prompt) -> dict[str, str]:
    """Every line that an answer names, by its list and number."""
    return {
        f"{name} {number}": words
        for name, number, words in _lines(prompt)
        if number in _numbers(answer, CHOSEN[name])
    }


def renumbered(answer: Any, named: Mapping[str, str], prompt: Prompt, changed: Collection[str]) -> Any | None:
    """An answer with the numbers that its lines have now in lists that changed; None if one of them is no longer shown, but for those of
    which each is chosen for itself."""
    now = {(name, words): number for name, number, words in _lines(prompt)}
    for name, field in CHOSEN.items():
        if name not in changed:
            continue
        found = {one: now.get((name, named.get(f"{name} {one}", ""))) for one in _numbers(answer, field)}
        if None in found.values() and prompt.name not in EACH_BY_ITSELF:
            return None
        answer = _with_numbers(answer, field, found)
    return answer


def _lines(prompt: Prompt) -> Iterator[tuple[str, int, str]]:
    for name in CHOSEN:
        for line in map(_LINE.match, (prompt.given or {}).get(name, "").splitlines()):
            if line:
                yield name, int(line[1]), line[2]


def _numbers(answer: Any, field: str) -> set[int]:
    """The numbers that stand in this field anywhere in an answer."""
    if isinstance(answer, list):
        return {number for part in answer for number in _numbers(part, field)}
    if not isinstance(answer, dict):
        return set()
    named = answer.get(field)
    own = {one for one in (named if isinstance(named, list) else [named]) if isinstance(one, int)}
    return own | _numbers([*answer.values()], field)


def _with_numbers(answer: Any, field: str, numbers: Mapping[int, int | None]) -> Any:
    if isinstance(answer, list):
        return [_with_numbers(part, field, numbers) for part in answer]
    if not isinstance(answer, dict):
        return answer
    changed = {name: _with_numbers(part, field, numbers) for name, part in answer.items()}
    named = answer.get(field)
    if isinstance(named, list):
        return changed | {field: [now for one in named if (now := numbers[one]) is not None]}
    return changed | ({field: numbers[named]} if isinstance(named, int) else {})
