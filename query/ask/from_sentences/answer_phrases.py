"""The part of a sentence that answers: a place, a reason, an amount, what a verb is done to. Words alone, by the table `deeds.toml`.

Each function takes the words behind (or around) a verb and gives phrases as they stand on the page, the likeliest first. Knows
no world and decides no truth: what is given was said in that sentence and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import takewhile

from narraworld.base.settings import DEFAULTS
from narraworld.kb.english import either, wordrow
from narraworld.query.ask.from_sentences.deed_questions import deed_table, deed_words

__all__ = [
    "ages",
    "amounts",
    "antecedent",
    "bare_numbers",
    "behind_preposition",
    "counts",
    "means",
    "measured_in",
    "number_of",
    "objects",
    "of_kind",
    "owners",
    "places",
    "reasons",
    "times_in",
]

_NP = r"(?:[^\s,;:.!?()—–“”\"]+)"
LIMITS = DEFAULTS.memory.deeds


def places(text: str, *, going: bool, source: bool) -> Iterator[str]:
    """The phrases of place, joined where one follows another."""
    for found in _place_pattern(going, source).finditer(text):
        phrase = found[0].strip()
        if not _no_place(phrase):
            yield phrase


@cache
def _place_pattern(going: bool, source: bool) -> re.Pattern[str]:
    table = deed_table()["place"]
    begin = [re.sub(r"\s*\n\s*", "", table["at"])]
    begin += [table["way"]] if going else []
    begin = [table["source"]] if source else begin
    prepositions = "|".join(begin)
    ends = "|".join([*deed_table()["ends"]["words"].split(), *(["to"] if source else [])])
    noun = rf"(?:(?!(?:{ends})\b){_NP}\s?)"
    one = rf"\b(?:{prepositions})\s{noun}{{1,{LIMITS.phrase}}}"
    plain = "" if source else rf"|\b(?:{table['upstairs']})\b"
    return re.compile(rf"(?:{one}(?:,?\s(?={prepositions}))?)+{plain}", re.IGNORECASE)


def _no_place(phrase: str) -> bool:
    words = re.findall(r"[\w-]+", phrase.lower())
    never = deed_words("place", "never")
    telling = [word for word in words[1:] if word not in deed_words("place", "articles")]
    return bool(words[1:]) and (not telling or telling[0] in never or telling[-1] in never)


def reasons(text: str, *, purpose: bool) -> Iterator[str]:
    """What the sentence gives as a reason, up to the end of its clause; then what it is done for."""
    yield from (found[0].strip(" ,;") for found in _reason_pattern().finditer(text))
    if purpose and (end := _purpose_pattern().search(text)):
        yield end["for"].strip(" ,;")


@cache
def _reason_pattern() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(deed_table()['reason']['marks'])})[^,;.!?“”\"]*", re.IGNORECASE)


@cache
def _purpose_pattern() -> re.Pattern[str]:
    """`to` and a verb, behind what is done and not behind a word that only goes with another verb."""
    never = "".join(rf"(?<!\b{word} )" for word in deed_table()["reason"]["never_before"].split())
    return re.compile(rf"^[^,;.!?“”\"]*?{never}(?P<for>\b{deed_table()['reason']['purpose']}[^,;.!?“”\"]*)")


def means(behind: str) -> Iterator[str]:
    """How a thing is done: `by climbing over the wall`, `with a knife`."""
    for found in re.finditer(r"\b(?:by \w+ing\b|by means of|with the help of)[^,;.!?“”\"]*", behind):
        yield found[0].strip()


def number_phrases(text: str, noun: str) -> Iterator[str]:
    """How many of something: `six lanes`."""
    yield from (phrase for _, phrase in number_of(text, noun))


def amounts(text: str, kind: str) -> Iterator[str]:
    """Numbers with a unit of their kind: `two pounds`, `nine years old`; a sum may have its sign instead."""
    signs = tuple(deed_table()["amounts"]["signs"].split())
    for found in _amount_pattern(kind).finditer(text):
        if kind == "money" or not found[0].startswith(signs):
            yield found[0].strip()


@cache
def _amount_pattern(kind: str) -> re.Pattern[str]:
    words = "|".join((*_number_words(), *deed_table()["amounts"]["beside"].split()))
    number, unit = rf"(?:\d[\d,.]*|(?:(?:{words})[- ]?)+)", deed_table()["units"][kind]
    signs = "".join(deed_table()["amounts"]["signs"].split())
    return re.compile(rf"\b{number}\s?(?:[a-z-]+ ){{0,2}}?(?:{unit})\b|[{signs}]\s?\d[\d,.]*", re.IGNORECASE)


def measured_in(asked: str) -> str | None:
    """What kind of amount a question wants: `how deep` a length; None where it wants none."""
    kind: str | None = deed_table()["measured_in"].get(asked)
    return kind


def number_of(text: str, noun: str) -> Iterator[tuple[str, str]]:
    """How many of something a sentence counts: the number, and the phrase it stands in; one thing is counted like many."""
    single = re.escape(noun.removesuffix("s"))
    counted = rf"\b(?P<many>{_count()})\s(?:[a-z-]+ ){{0,1}}?{single}s?\b"
    yield from ((found["many"], found[0]) for found in re.finditer(counted, text, re.IGNORECASE))


@cache
def _count() -> str:
    ones, tens = "|".join(wordrow("numbers.ones")[1:]), "|".join(wordrow("numbers.tens"))
    return rf"(?:\d+|{ones}|(?:{tens})(?:-\w+)?|{deed_table()['amounts']['large']})"


def _number_words() -> tuple[str, ...]:
    return (*wordrow("numbers.ones")[1:], *wordrow("numbers.tens"))


def objects(behind: str) -> Iterator[str]:
    """What stands behind a verb as what it is done to: up to the first mark or word that begins something else."""
    words = re.match(rf"\s*(?P<what>{_NP}(?:\s{_NP}){{0,24}})", behind)
    said = words["what"].split() if words else []
    taken = list(_up_to_its_end(said)) if said else []
    if taken and taken[0].lower() not in deed_words("question", "helping"):
        yield " ".join(taken)
        yield from _handed(said)


def _handed(words: list[str]) -> Iterator[str]:
    """What stands behind whoever gets it: told `his wife` that it was a gift, lent `Julian` a coat."""
    opens = (
        nth
        for nth, word in enumerate(words[1 : LIMITS.receiver + 1], 1)
        if word.lower() in _openers() or _opens_clause(words[nth:])
    )
    if (at := next(opens, 0)) and not set(map(str.lower, words[:at])) & _stops():
        yield " ".join(_up_to_its_end(words[at:]))


def _up_to_its_end(words: list[str]) -> Iterator[str]:
    """The words of one phrase; of a clause (`that he would come`, `to swim`) all of it."""
    if (
        words[0].lower() in deed_words("objects", "receivers")
        and words[1:2]
        and words[1].lower() in _openers()
    ):
        words = words[1:]
    if _opens_clause(words):
        yield from words
    else:
        yield from takewhile(lambda word: word.lower() not in _stops(), words[: LIMITS.object])


def _opens_clause(words: list[str]) -> bool:
    first, second = words[0].lower(), words[1].lower() if words[1:] else ""
    named = deed_words("objects", "receivers") | _openers()
    return first in deed_words("objects", "clauses") or (
        first == "to" and bool(second) and second not in named
    )


def _openers() -> frozenset[str]:
    return deed_words("objects", "openers") | deed_words("objects", "clauses")


def antecedent(before: str) -> Iterator[str]:
    """Whoever a verb behind `who` is told of: `the wife of a shoemaker, who …`"""
    if found := _antecedent_pattern().search(before):
        yield found["whom"]


@cache
def _antecedent_pattern() -> re.Pattern[str]:
    helping = "|".join(sorted(deed_words("question", "helping")))
    noun = rf"(?:(?!(?:{'|'.join(sorted(_stops() | _openers() | {'of'}))})\b)[\w’'-]+)"
    phrase = rf"(?:[Aa]n?|[Tt]he|[Hh]is|[Hh]er|[Tt]heir|[Mm]y|[Oo]ur) {noun}(?: {noun}){{0,3}}"
    whom = rf"(?P<whom>\b{phrase}(?: of {phrase})?)"
    return re.compile(rf"{whom},? who (?:(?:{helping}|{either('questions.between')}) )*$")


def behind_preposition(behind: str, preposition: str) -> Iterator[str]:
    """What stands behind the preposition that the question ends with: die `of`, go `to`."""
    if found := re.search(rf"^[^;.!?]*?\b{re.escape(preposition)}\s(?P<what>[^,;:.!?“”\"]+)", behind):
        taken = list(_up_to_its_end(found["what"].split()))
        if taken:
            yield " ".join(taken)


@cache
def _stops() -> frozenset[str]:
    return (deed_words("ends", "words") | deed_words("question", "beside")) - {"of", "with"}


def owners(text: str, noun: str) -> Iterator[str]:
    """Whose something of that name is: `Hennessy’s silk`."""
    for found in re.finditer(
        rf"\b((?:(?:Mr|Mrs|Miss|Ms|Dr)\.? )?[^\W\d_][\w-]*)['’]s (?:[a-z-]+ ){{0,2}}{re.escape(noun)}", text
    ):
        yield found[1]


def of_kind(words: str, noun: str) -> bool:
    """Whether words that say when say it as the noun of the question wants it: a month, a day, a year."""
    shape = deed_table()["kinds_of_time"].get(noun)
    return shape is None or re.search(shape, words, re.IGNORECASE) is not None


def bare_numbers(text: str) -> Iterator[str]:
    """Numbers that count nothing named behind them: `she sold four at the fair`."""
    yield from (found[0] for found in _bare_pattern().finditer(text) if found[0].lower() != "one")


@cache
def _bare_pattern() -> re.Pattern[str]:
    ends = "|".join(sorted(deed_words("ends", "words") | deed_words("question", "beside")))
    return re.compile(rf"\b{_count()}\b(?=[,.;:!?—–”’\"]|$| (?:{ends})\b)", re.IGNORECASE)


def times_in(text: str, noun: str) -> Iterator[str]:
    """The words of a sentence that say when, as the noun of the question wants it."""
    yield from (found[0] for found in _times_pattern().finditer(text) if of_kind(found[0], noun))


@cache
def _times_pattern() -> re.Pattern[str]:
    table, number = deed_table()["times"], rf"(?:{_count()})"
    shape = table["shape"].replace("NAMED", f"(?:{'|'.join(table['named'].split())})")
    shape = shape.replace("PARTS", f"(?:{'|'.join(table['parts'].split())})").replace("NUMBER", number)
    return re.compile(shape, re.IGNORECASE)


def ages(text: str) -> Iterator[str]:
    """How old somebody is said to be: `nine years old`, `was thirty,`, `turned forty`."""
    shape = rf"\b(?:{deed_table()['amounts']['aged']}) (?P<age>(?:{_count()})\b(?: years? old| years? of age)?)(?![ -]\w+s\b|[:.]\d| (?:o.clock|in|hundred|thousand|million|dozen|of)\b)"
    found = [one["age"] for one in re.finditer(shape, text, re.IGNORECASE)]
    yield from dict.fromkeys((*found, *(one for one in amounts(text, "age") if counts(one))))


def counts(phrase: str) -> bool:
    """Whether a phrase has a number in it, and not only a word that may go with one."""
    return (
        re.search(rf"\d|\b(?:an?|half|hundred|thousand|dozen|{_count()})\b", phrase, re.IGNORECASE)
        is not None
    )
