"""The questions that the table of respects asks: for each row one form from whom it is said of, and one back from its value.

`what colour are {S}'s eyes` and `who has {O} eyes` become forms like those of `questions.toml`, with queries over what the
situated world records under any name of the row, told from either side, or said in other words. Answers nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

from narraworld.kb.english import either, wordmap
from narraworld.ontology.respects import Respect
from narraworld.query.ask.patterns import Pattern, compiled
from narraworld.query.ask.questions import Form, QuestionReading, plain_words, readings_of, without_asides
from narraworld.query.ask.recorded import Recorded, slot_type
from narraworld.query.ask.verb_forms import past_of
from narraworld.query.errors import AmbiguousName

if TYPE_CHECKING:
    from narraworld.query.scope import Scope

__all__ = ["RespectForms", "respect_readings"]

ENTITIES = frozenset({"person", "place", "thing", "entity"})
CLAIM = "claim"
FLEETING = frozenset(
    {"emotion", "condition", "location", "possession", "awake", "open", "want"}
)  # not asked about another time
_SLOT = re.compile(r"\{(?:(?P<before>a|in):)?(?P<who>[SO])(?:'s)?(?::\w+)?\}(?P<own>'s)?")
KNOWN = "@matter(M)"
SAID = 'normal(M, "yes", NM, "yes", NK, {0}, NR, "{1}", {2})'
MIRRORED = (
    'kin_word(Word, "{1}", Sex), normal(M, "yes", NM, "yes", NK, {2}, NR, Word, {0}), '
    'normal(GM, "yes", GN, "yes", GK, {2}, GR, "gender", Sex)'
)
DETAILS = tuple(
    f'detail_of(Record, {{0}}), detail(Record, "{{1}}", {{2}}, Sure, Basis), Sure != "high", Basis != "listed", {told}, at(Record, Since)'
    for told in ("!detail_said(Record, _)", "detail_speaker(Record, {0})")
)  # as told, or as they say of themselves; what is only listed for the sheet answers nothing


def respect_readings(question: str, scope: Scope, *, claims: bool = False) -> Iterator[list[QuestionReading]]:
    """The readings by each row that the question asks for; of what minds hold (``claims``) apart from all else."""
    torn = list[AmbiguousName]()
    for words, aside in without_asides(plain_words(question)):
        for form, of_claims, fleeting in scope.once(RespectForms).forms:
            if (
                of_claims is claims
                and not (aside and fleeting)
                and (found := list(readings_of(form, words, scope, False, [], torn)))
            ):
                yield [replace(one, aside=aside) for one in found]


class RespectForms:
    """The forms of all rows for one situated world."""

    def __init__(self, scope: Scope) -> None:
        self._recorded = scope.once(Recorded)
        self._details = scope.focalizer is None  # what the text says by the way is nobody's knowledge
        rows = self._recorded.table.rows.values()
        self.forms = tuple(
            (form, row.value == CLAIM, row.name in FLEETING) for row in rows for form in self._of(row)
        )

    def _of(self, row: Respect) -> Iterator[Form]:
        name, back = f"what the {row.label} is", f"whose {row.label} it is"
        yield Form(name, _forward(row), tuple(self._asked(row, "{what}", "Value")), "{Value}")
        if one := self._singular.get(row.name):  # three sisters are counted where nobody says how many
            yield Form(name, _forward(row), tuple(self._asked(one, "{what}", "Value")), "{Value}", count=True)
        if row.value in ENTITIES or row.value == "kin":
            yield Form(back, _back(row, "thing"), tuple(self._asked(row, "Who", "{other}")), "{Who}")
        yield Form(
            back, _back(row, slot_type(row)), ("about({other}, Who, P, V), @matter({other})",), "{Who}"
        )

    @cached_property
    def _singular(self) -> dict[str, Respect]:
        """For each row of how many, the row of each of them: of brothers, brother."""
        table = self._recorded.table
        return {many: table.rows[one] for one, many in table.words.plurals.items() if one in table.rows}

    def _asked(self, row: Respect, who: str, value: str) -> Iterator[str]:
        """Queries in the order in which they are tried: as written, in normal words, by name, from the other side."""
        for predicate in self._recorded.predicates.get(row.name, ()):
            yield f'@fact({who}, "{predicate}", {value})'
        word = value if row.value in ENTITIES else "Word"
        said = _filled(SAID, who, row.name, word)
        yield f"{said}, {KNOWN}" if row.value in ENTITIES else f"{said}, about(M, X, P, {value}), {KNOWN}"
        if row.value in ENTITIES:
            yield f'normal_name(M, "yes", "to", "{row.name}", A, Name, {who}), named(N, {value}, Name), {KNOWN}'
            yield f'normal_name(M, "yes", "of", "{row.name}", A, Name, {value}), named(N, {who}, Name), {KNOWN}'
        words = self._recorded.table.words
        if row.word in words.kin:
            yield f"{_filled(MIRRORED, who, row.name, value)}, {KNOWN}"
            yield from (
                f"{_filled(SAID, who, one, value)}, {KNOWN}" for one in words.general.get(row.word, ())
            )
        if self._details and row.value not in ENTITIES:
            yield from (_filled(detail, who, row.name, value) for detail in DETAILS)


def _filled(template: str, *arguments: str) -> str:
    for nth, argument in enumerate(arguments):
        template = template.replace(f"{{{nth}}}", argument)
    return template


@cache
def _forward(row: Respect) -> tuple[Pattern, ...]:
    """The row's own questions, and what any row can be asked: `what is Mara's job`, `what is the job of Mara`."""
    own = tuple(_pattern(text, "value") for text in (row.asks[0], *row.asked) if "{O}" not in text)
    names = "|".join(dict.fromkeys(name.lower().replace(" ", "_") for name in (row.label, *row.also)))
    return (
        *own,
        compiled(f"{_asking()} {{what:thing}} [s] {names}"),
        compiled(f"{_asking()} the {names} of {{what:thing}}"),
    )


@cache
def _back(row: Respect, slot: str) -> tuple[Pattern, ...]:
    return tuple(_pattern(text, slot) for text in (row.asks[1], *row.asked) if "{S}" not in text)


def _pattern(text: str, slot: str) -> Pattern:
    """A question of the table as a pattern: {S} is who or what it is said of, {O} its value."""
    for words, choices in wordmap("questions.either").items():
        text = text.replace(words, choices)
    parts: list[str] = []
    for nth, part in enumerate(text.replace(":}", "}").split()):
        found = _SLOT.fullmatch(part.rstrip(",:"))
        parts += _slot(found, slot) if found else [_word(part.strip(",:"), nth)]
    return compiled(" ".join(parts))


def _asking() -> str:
    return f"{either('questions.asking')} {either('questions.verbs')}"


def _slot(found: re.Match[str], slot: str) -> list[str]:
    where = [either("questions.where")] if found["before"] == "in" else []
    name = "{what:thing}" if found["who"] == "S" else f"{{other:{slot}}}"
    return [*where, name, *(["[s]"] if found["own"] else [])]


def _word(word: str, nth: int) -> str:
    """A word with its other forms; the verb behind who or what also in the past."""
    choices = wordmap("questions.choices")
    if "|" in word or word in choices:
        return str(choices.get(word, word))
    if nth == 1 and word.endswith("s") and len(word) > 3:
        return f"{word}|{past_of(word)}|{word[:-1]}"
    return word
