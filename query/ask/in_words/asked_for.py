"""Whether an answer in words gives what the question asks for: as many things as it names a number of, and for "yes, they know it" the thing known.

Words alone are compared, by the table `words.toml`. Asks nothing, knows no provider.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from narraworld.kb.search.search_words import analyse
from narraworld.query.ask.in_words.shown import words_table

if TYPE_CHECKING:
    from narraworld.query.ask.in_words.shown import QuestionShown, SaidInWords

__all__ = ["falls_short"]

_QUOTED = re.compile(r"[“\"‘']([^”\"’]+)[”\"’']")


def falls_short(said: SaidInWords, shown: QuestionShown, given: Iterable[str], share: float) -> str:
    """Why an answer is not all that was asked for, or nothing; ``given`` are the stems of the lines it rests on."""
    wanted, told = _number_asked(shown.question), _things_told(said.words)
    if said.words.strip() and told < wanted:
        return f"it names {told} of the {wanted} that are asked for"
    known = _stems_of_what_is_known(shown)
    if said.verdict and known and len(known & set(given)) <= share * len(known):
        return "its lines do not say what is said to be known"
    return ""


# -- how many


def _number_asked(question: str) -> int:
    """How many things the question asks for: `which two`, `what three words`; one where it does not say."""
    found = _patterns()["number"].search(question)
    return int(words_table()["asked"]["numbers"][found[1].lower()]) if found else 1


def _things_told(words: str) -> int:
    """How many things an answer can be said to name: its parts, or the words that it quotes."""
    parts = [one for one in _patterns()["parts"].split(words) if analyse(one)]
    return max([len(parts), *(len(one.split()) for one in _QUOTED.findall(words))])


# -- what is known


def _stems_of_what_is_known(shown: QuestionShown) -> set[str]:
    """The telling words of what a question asks whether somebody knows, under the names that the lines have; none where it asks no such thing."""
    found = _patterns()["known"].search(shown.question)
    clause = found[1] if found else ""
    for asked, name in shown.called:
        clause = re.sub(rf"\b{re.escape(asked)}\b", name, clause)
    return set(analyse(clause))


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    table = words_table()["asked"]

    def any_of(name: str) -> str:
        return "|".join(map(re.escape, table[name]))

    return {
        "number": re.compile(rf"\b(?:{any_of('which')}) ({any_of('numbers')})\b", re.IGNORECASE),
        "parts": re.compile(rf"[;,:]|\b(?:{any_of('joins')})\b", re.IGNORECASE),
        "known": re.compile(
            rf"\b(?:{any_of('knows')})\b.*?\b(?:{any_of('opens')}) (.+)$", re.IGNORECASE | re.DOTALL
        ),
    }
