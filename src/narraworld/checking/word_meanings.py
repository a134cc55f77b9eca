"""What the checks need to know of words: parts of names, slips of the pen, amounts, days, and what cannot all be so.

Worked out in Python from base rows, because rules cannot spell. Pure: rows in, rows out; asks no engine itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from narraworld import kb, ontology
from narraworld.base.compiled import digest
from narraworld.kb.search.spelling import slips_among
from narraworld.kb.time.calendar import Calendar
from narraworld.query import checks
from narraworld.query.checks.clothes_rows import garment_rows
from narraworld.query.checks.name_rows import misspelled_rows
from narraworld.query.checks.time_rows import clash_rows, told_date_rows
from narraworld.query.checks.word_rows import (
    date_rows,
    lasting_times,
    name_parts,
    named_doers,
    times_told,
    told_back,
    told_words,
    uses_noticed,
    value_rows,
)
from narraworld.rules.language.ir import Row

__all__ = ["made_by", "meanings"]

ROOMS = (kb, ontology, checks)  # whose code and tables decide what words mean


@cache
def made_by() -> str:
    """A digest of all that decides what words mean: rows made by another version of it are not taken for today's."""
    places = [Path(str(room.__file__)).parent for room in ROOMS]
    files = sorted(file for place in places for end in ("*.py", "*.toml") for file in place.rglob(end))
    return digest([], [Path(__file__), *files])


def meanings(rows: Callable[[str], Sequence[Row]], calendar: Calendar) -> dict[str, set[Row]]:
    """All such rows of a story; ``rows`` gives those of a base relation."""
    names = {str(name) for _, _, name in rows("named")}
    found: dict[str, set[Row]] = {"name_part": set(), "one_letter_off": set()}
    for name in names:
        found["name_part"] |= {(name, part, word) for part, word in name_parts(name)}
    names_in = {str(word) for _, part, word in found["name_part"] if part in ("given", "single", "family")}
    found["one_letter_off"] |= set(slips_among(names_in))
    propositions, normal, anchored = rows("proposition"), rows("normal"), rows("anchored")
    expressions = {str(expression) for _, _, expression in anchored} | times_told(rows("detail"))
    told = [rows(name) for name in ("event", "evidence", "quote")]
    words = _places_of_words(rows)
    for relation, row in (
        *value_rows(propositions, normal, rows("normal_number"), calendar),
        *date_rows(expressions, calendar),
        *told_words(normal, *told),
        *told_back(*told),
        *named_doers(rows("role"), rows("named"), *told[1:]),
        *misspelled_rows(rows("detail")),
        *uses_noticed(rows("detail")),
        *lasting_times(rows("detail")),
        *garment_rows(rows("detail")),
        *told_date_rows(rows("detail"), rows("detail_said"), rows("state"), words, rows("told"), calendar),
        *clash_rows(anchored, rows("told"), rows("occurs"), rows("ordered"), calendar),
    ):
        found.setdefault(relation, set()).add(row)
    return found


def _places_of_words(rows: Callable[[str], Sequence[Row]]) -> dict[str, Row]:
    """By record: where the words for it stand."""
    spans = {str(row[0]): row for row in rows("span")}
    return {str(record): spans[str(span)] for record, span in rows("evidence") if str(span) in spans}
