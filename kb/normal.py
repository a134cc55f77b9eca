"""What a value says in normal words, beside the author's own: `eyes: pale grey` is eyes, grey.

One pure function from (respect, value) to pairs, the same for records by hand, the embedded reader and a model. It never
replaces a value and never guesses: what is rough, doubtful, of two minds or unknown to the table has no normal form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from narraworld.kb.english import wordset
from narraworld.kb.english.normal_words import (
    BELONGING,
    FAR_FROM,
    GROWN,
    HOUSE,
    IDLE,
    LIKENESS,
    NEVER,
    ONLY_BY,
    OWNED,
    PREPOSITION,
    SIDE,
    SPOKEN,
    STREET,
    WAY,
    Pair,
    any_of,
    as_words,
    bare_name,
    clause_with,
    head_noun,
    is_idle,
    struck_hour,
    verb_stem,
)
from narraworld.kb.numbers import COMPARED, decade, is_number_word, measured_in, number_in
from narraworld.kb.time.calendar import Calendar
from narraworld.kb.time.calendar_file import GREGORIAN
from narraworld.kb.time.expressions import understand
from narraworld.kb.time.when import When
from narraworld.ontology.respects import Respect, Respects, respects

__all__ = ["Normaliser", "Pair", "normal", "shipped"]


ONE_OF = "one of "
MANY = 99  # more kin than anybody counts
OLDEST = 130  # above this a number beside somebody is a year


@dataclass(frozen=True)
class Normaliser:
    """The function, for one table and one calendar."""

    table: Respects
    calendar: Calendar = GREGORIAN

    def pairs(self, predicate: str, value: str) -> tuple[Pair, ...]:
        """What it says that somebody's ``predicate`` is ``value``."""
        text = " ".join(value.replace("’", "'").split())
        row = self.table.named(predicate)
        own = list(self._own(row, text)) if row is not None else []
        other = self._cued(row, predicate, text) if not own or (row is not None and row.loose) else ()
        return tuple(dict.fromkeys([*own, *other]))

    def denied(self, predicate: str, value: str) -> tuple[Pair, ...]:
        """What it says that this is not so: of two poles the other, else only that this one is not."""
        return tuple(
            dict.fromkeys(one for pair in self.pairs(predicate, value) for one in self._turned(pair))
        )

    def of_object(self, predicate: str, target: str, *, of_person: bool = False) -> tuple[Pair, ...]:
        """What it says that somebody's ``predicate`` is an entity; `mother-of` is told from the mother's side.

        Of a person, a respect of things can only be told from the other side: `dealer.possession.watch`.
        """
        row = self.table.named(predicate)
        other_side = self.table.turned(predicate)
        if row is not None and of_person and row.value == "person" and "person" not in row.of:
            row, other_side = None, row
        found = []
        if row is not None:
            singular = {many: one for one, many in self.table.words.plurals.items()}.get(row.name, row.name)
            found.append(Pair(singular, target, exact=other_side is None))
        if other_side is not None:
            found.append(Pair(other_side.name, "", owner=target))
        return tuple(found) or self._of_kin(predicate, target)

    def _of_kin(self, predicate: str, target: str) -> tuple[Pair, ...]:
        stem = re.sub(r"[-_ ]?of$", "", predicate, flags=re.IGNORECASE)
        turned = self.table.named(stem) if stem != predicate else None
        if turned is not None and turned.word in self.table.words.kin:
            return (Pair(turned.name, "", owner=target, exact=True),)
        return ()

    def _turned(self, pair: Pair) -> Iterator[Pair]:
        yield pair._replace(so=not pair.so)
        poles = self.table.words.against.get(pair.respect, ())
        other = self.table.words.denied.get(pair.respect, {}).get(pair.word)
        if len(poles) == 1 and pair.word in poles[0]:
            other = poles[0][1 - poles[0].index(pair.word)]
        if other is not None:
            yield pair._replace(word=other)

    # -- which respects a value speaks of

    def _own(self, row: Respect, text: str) -> Iterator[Pair]:
        yield from self._read(row, text)
        if row.loose:
            yield from self._loosely(row, text)

    def _cued(self, row: Respect | None, predicate: str, text: str) -> Iterator[Pair]:
        """What the text says in other respects, by their cues; a predicate that no row has is part of the text."""
        whole = text if row is not None else f"{as_words(predicate)} {text}"
        for name, cue in self._cues.items():
            other = self.table.rows[name]
            if other is not row and cue.search(whole.lower()):
                yield from self._read(other, clause_with(cue, whole) if row is not None else whole)

    @cached_property
    def _cues(self) -> dict[str, re.Pattern[str]]:
        return {row.name: any_of(row.cues) for row in self.table.rows.values() if row.cues}

    def _read(self, row: Respect, text: str) -> Iterator[Pair]:
        reader = READERS.get(row.value)
        if reader is not None:
            yield from reader(self, row, text)

    def _loosely(self, row: Respect, text: str) -> Iterator[Pair]:
        """What a loose value can be without a cue: a bare colour, kin in words, a number of something, a way."""
        if row.name == "appearance":
            yield from (pair for pair in self._colours(self.table.rows["colour"], text) if pair.exact)
        if row.name in {"kinship", "relation", "quantity"}:
            yield from self._kin_counts(text)
        if row.name in {"quantity", "relation", "appearance"}:
            yield from self._lengths(self.table.rows["distance"], text)
            yield from self._durations(self.table.rows["duration"], text)
        if row.name in {"location", "relation"}:
            yield from self._ways(text)

    # -- one reader for each kind of value

    def _colours(self, row: Respect, text: str) -> Iterator[Pair]:
        name = self.table.list_of(row)
        families = self.table.words.families[name]
        found, rest = self._found(name, text.lower())
        if not found and LIKENESS.search(text.lower()):
            like = [
                self.table.words.likeness[word]
                for word in re.findall(r"\w+", rest)
                if word in self.table.words.likeness
            ]
            found, rest = [word for word in like if word in families], ""
        if not found or self._unsure(rest):
            return
        if set.intersection(*(set(families[word]) for word in found)):
            yield Pair(row.name, found[-1], exact=len(found) == 1 and is_idle(rest, row.cues))

    def _words(self, row: Respect, text: str) -> Iterator[Pair]:
        name = self.table.list_of(row)
        found, rest = self._found(name, text.lower())
        words = list(dict.fromkeys(found))
        if (
            not words
            or self._unsure(rest)
            or any(self._clash(name, one, other) for one in words for other in words)
        ):
            return
        exact = len(words) == 1 and is_idle(rest, row.cues) and words[0] in text.lower()
        for word in words:
            yield Pair(row.name, word, exact=exact)
            for also in self.table.words.means.get(name, {}).get(word, ()):
                yield Pair(row.name, also)

    def _clash(self, name: str, one: str, other: str) -> bool:
        pairs = self.table.words.against.get(name)
        if pairs is not None:
            return (one, other) in pairs or (other, one) in pairs
        families = self.table.words.families[name]
        return not set(families[one]) & set(families[other])

    def _sides(self, row: Respect, text: str) -> Iterator[Pair]:
        low = text.lower()
        sides = set(SIDE.findall(low))
        if len(sides) != 1 or self._unsure(low):
            return
        behind = low[SIDE.search(low).end() :]  # type: ignore[union-attr]
        parts = [
            word
            for word in (*re.findall(r"[a-z]+", behind), *re.findall(r"[a-z]+", low))
            if word in self.table.words.parts
        ]
        if parts:
            yield Pair(row.name, sides.pop(), aspect=self.table.words.parts[parts[0]])

    def _ages(self, row: Respect, text: str) -> Iterator[Pair]:
        if COMPARED.intersection(re.findall(r"[a-z]+", text.lower())):
            return  # "the elder by six years"
        years = decade(text)
        if years is None and self._exact_number(text) and (number := _years_of_age(text)) is not None:
            years = number, number
        if years is not None and (GROWN.search(text.lower()) or not self._unsure(text.lower())):
            rest = re.sub(r"\d+", " ", text.lower())
            yield Pair(row.name, str(years[0]) if years[0] == years[1] else f"{years[0]}-{years[1]}", least=years[0], most=years[1],
                       exact=all(word in IDLE or number_in(word) for word in re.findall(r"[a-z]+", rest)))  # fmt: skip

    def _numbers(self, row: Respect, text: str) -> Iterator[Pair]:
        if not self._exact_number(text) or (number := number_in(text)) is None:
            return
        many, after = number
        nouns = [word for word in after if word not in IDLE]
        if any(word in units for units in self.table.words.units.values() for word in nouns[:1]):
            return
        plain = row.word or row.name in {"members", "floor"}
        aspect = "" if plain or not nouns else nouns[-1] if len(nouns) < 4 else "?"
        if aspect != "?":
            yield Pair(row.name, str(many), aspect, least=many, most=many, exact=not nouns)

    def _kin_counts(self, text: str) -> Iterator[Pair]:
        """`three brothers`, said of somebody; an only child has none."""
        low = text.lower()
        if "only child" in low and not self._unsure(low):
            yield from (Pair(word, "0", least=0, most=0) for word in ("siblings", "brothers", "sisters"))
        if "childless" in low:
            yield from (Pair(word, "0", least=0, most=0) for word in ("children", "sons", "daughters"))
        yield from self._no_kin(low)
        yield from self._some_kin(low)
        for plural in self.table.words.plurals.values():
            said = re.search(rf"([\w-]+(?: [\w-]+){{0,2}}) {plural}\b", low)
            if said and self._exact_number(said[1]) and (number := number_in(said[1].removeprefix(ONE_OF))):
                many = number[0] - said[1].startswith(ONE_OF)  # one of four sisters has three
                yield Pair(plural, str(many), least=many, most=many)

    def _no_kin(self, low: str) -> Iterator[Pair]:
        """`no brothers or sisters`: none of either."""
        for first, second in re.findall(r"^(?:no|never any|without) (\w+)(?: (?:or|nor|and) (\w+))?$", low):
            some = {self.table.words.plurals.get(word, word) for word in (first, second)}
            yield from (
                Pair(word, "0", least=0, most=0) for word in self.table.words.plurals.values() if word in some
            )

    def _some_kin(self, low: str) -> Iterator[Pair]:
        """`at least one brother`: of brothers one or more, and so of siblings."""
        for said in re.findall(r"\bat least one (\w+)", low):
            wider = (word for word, narrower in self.table.words.general.items() if said in narrower)
            plurals = self.table.words.plurals
            yield from (
                Pair(plurals[word], "some", least=1, most=MANY) for word in (said, *wider) if word in plurals
            )

    def _lengths(self, row: Respect, text: str) -> Iterator[Pair]:
        measured = self._measured(text, "length")
        if measured is not None:
            total, rest = measured
            other = FAR_FROM.search(rest)
            yield Pair(
                row.name, str(total), aspect=bare_name(other[1]) if other else "", least=total, most=total
            )

    def _durations(self, row: Respect, text: str) -> Iterator[Pair]:
        measured = self._measured(text, "duration")
        if measured is not None:
            yield Pair(
                row.name, str(measured[0]), least=measured[0], most=measured[0], exact=not measured[1].strip()
            )

    def _measured(self, text: str, kind: str) -> tuple[int, str] | None:
        return (
            measured_in(text, self.table.words.units[kind], self._size) if self._exact_number(text) else None
        )

    def _size(self, unit: str) -> int:
        days = {"day": 1, "week": len(self.calendar.weekdays) or 7, "fortnight": 14, "month": 30, "year": 365}
        return int(unit) if unit.isdigit() else days[unit] * self.calendar.minutes_per_day

    def _money(self, row: Respect, text: str) -> Iterator[Pair]:
        coins = self.table.words.units["money"]
        low = re.sub(r"([£$€])\s*(\d[\d,]*)", r"\2 \1 ", text.lower())
        found = [word for word in re.findall(r"[^\W\d]+|[£$€]", low) if word in coins]
        if len(found) == 1 and self._exact_number(low) and (number := number_in(low)):
            yield Pair(row.name, str(number[0]), aspect=coins[found[0]], least=number[0], most=number[0])

    def _dates(self, row: Respect, text: str) -> Iterator[Pair]:
        when = understand(text, self.calendar)
        if isinstance(when, When) and when.shift is None and not when.approximate:
            parts = (("month", when.month), ("day", when.day))
            yield from (
                Pair(row.name, str(part), aspect=name, least=part, most=part)
                for name, part in parts
                if part is not None
            )
            if when.year is not None:
                yield Pair(row.name, str(when.year), aspect="year", least=when.year, most=when.year)

    def _clocks(self, row: Respect, text: str) -> Iterator[Pair]:
        """An hour; a bare number, or one that a clock strikes, is an hour too."""
        tries = (understand(one, self.calendar) for one in (text, f"at {struck_hour(text)}"))
        when = next((one for one in tries if isinstance(one, When)), None)
        if when is not None and when.start is not None and when.end in {None, when.start}:
            at = when.start
            yield Pair(row.name, f"{at // 60}:{at % 60:02d}", least=at, most=at, exact=True)

    def _habits(self, row: Respect, text: str) -> Iterator[Pair]:
        """`never works on a Friday`: the deed as aspect, the day by its name; of a shop, that it opens."""
        low = text.lower()
        days, never = set(self._found("weekday", low)[0]), NEVER.search(low)
        if len(days) != 1:
            return
        after = re.findall(r"[a-z]+", low[never.end() :] if never else low)
        skip = {*IDLE, *self.table.words.phrases["weekday"], *wordset("values.always")}
        verbs = [word for word in after if word not in skip and not is_number_word(word)]
        shut = never is not None and never[0] in {"closed", "shut"}
        yield Pair(
            row.name,
            "",
            aspect="open" if shut or not verbs else verb_stem(verbs[0]),
            so=never is None,
            named=days.pop(),
        )

    def _addresses(self, row: Respect, text: str) -> Iterator[Pair]:
        """Number and street, each by itself: `14 Mill Lane`."""
        street = STREET.search(text)
        if street:
            yield Pair(row.name, street[1].lower(), aspect="street")
        number = HOUSE.search(text)
        if number:
            yield Pair(row.name, number[1].lower(), aspect="number")

    def _titles(self, row: Respect, text: str) -> Iterator[Pair]:
        if row.name == "language":
            yield from (Pair(row.name, name.lower()) for name in self._languages(text))
            return
        name = self.table.list_of(row)
        if row.name == "allergy":
            text = re.split(r"\b(?:allergic|intolerant|allergy|intolerance) to\b", text)[-1]
        found, rest = (
            self._found(name, text.lower()) if name in self.table.words.phrases else ([], text.lower())
        )
        if self._unsure(rest) or len(set(found)) > 1:
            return
        word = found[0] if found else head_noun(text)
        if word:
            yield Pair(row.name, word, exact=bool(found) and is_idle(rest, row.cues))
            if row.name == "allergy" and (kind := self.table.words.kinds_of.get(word)):
                yield Pair(row.name, kind)

    def _languages(self, text: str) -> list[str]:
        spoken = SPOKEN.findall(text)
        return spoken or ([text] if re.fullmatch(r"[A-Z]\w+", text) else [])

    def _deeds(self, row: Respect, text: str) -> Iterator[Pair]:
        low = text.lower().removeprefix("to ").strip()
        if low and not self._unsure(low):
            yield Pair(row.name, low, exact=True)

    def _relatives(self, row: Respect, text: str) -> Iterator[Pair]:
        """`Ida's mother`, `mother of Ida`: the subject is somebody's kin."""
        for found, kin, owner in ((OWNED.match(text), 2, 1), (BELONGING.match(text), 1, 2)):
            word = self.table.words.kin_words.get(found[kin].lower()) if found else None
            if found and word and not self._unsure(text.lower()):
                yield Pair(word, "", owner=found[owner].strip(), exact=True)
                return

    def _ways(self, text: str) -> Iterator[Pair]:
        found = WAY.search(text)
        if found and not self._unsure(text.lower()):
            yield Pair(f"{found[1]}Of", "", named=found[2].strip(" ."))

    def _names(self, row: Respect, text: str) -> Iterator[Pair]:
        """Somebody or somewhere in words, not as an entity: `in the drawer`."""
        bare = PREPOSITION.sub("", text).strip(" .")
        if 0 < len(bare.split()) < 4 and not self._unsure(text.lower()):
            yield Pair(row.name, "", named=bare)

    def _duties(self, row: Respect, text: str) -> Iterator[Pair]:
        """`opened only by Ida`: the deed as aspect, who alone may as word."""
        found = ONLY_BY.search(text)
        verbs = re.findall(r"[a-z]+", text[: found.start()].lower()) if found else []
        deeds = [word for word in verbs if word not in IDLE and word not in wordset("values.of_duties")]
        if found and deeds and row.name == "obligation":
            alone = (found[1] or found[2]).strip(" .")
            yield Pair(row.name, "", aspect=verb_stem(deeds[-1] if found[1] else deeds[0]), named=alone)

    # -- shared

    def _found(self, name: str, text: str) -> tuple[list[str], str]:
        """The normal words of a list that stand in the text, and the text without them."""
        written = self.table.words.phrases[name]
        pattern = any_of(tuple(written))
        return [written[one] for one in pattern.findall(text)], pattern.sub(" ", text)

    def _unsure(self, rest: str) -> bool:
        return any_of(self.table.words.unsure).search(rest) is not None

    def _exact_number(self, text: str) -> bool:
        return any_of(self.table.words.rough).search(text.lower()) is None


def _years_of_age(text: str) -> int | None:
    """The years that a text counts, up to what people live; of an age then and the years since, their sum."""
    grown = GROWN.search(text.lower())
    parts = [number_in(part) for part in (grown.groups() if grown else (text,))]
    total = sum(part[0] for part in parts if part is not None)
    return total if None not in parts and total <= OLDEST else None


READERS: Mapping[str, Callable[[Normaliser, Respect, str], Iterator[Pair]]] = {
    "colour": Normaliser._colours,
    "word": Normaliser._words,
    "side": Normaliser._sides,
    "age": Normaliser._ages,
    "number": Normaliser._numbers,
    "length": Normaliser._lengths,
    "duration": Normaliser._durations,
    "money": Normaliser._money,
    "date": Normaliser._dates,
    "clock": Normaliser._clocks,
    "weekday": Normaliser._habits,
    "title": Normaliser._titles,
    "address": Normaliser._addresses,
    "deed": Normaliser._deeds,
    "kin": Normaliser._relatives,
    "free": Normaliser._duties,
    **dict.fromkeys(("person", "place", "thing", "entity"), Normaliser._names),
}


def normal(predicate: str, value: str) -> tuple[Pair, ...]:
    """The normal pairs of a value by the shipped table and calendar.

    >>> [(one.respect, one.word) for one in normal("appearance", "green eyes and a scar on the left cheek")]
    [('eyes', 'green'), ('mark', 'left')]
    """
    return shipped().pairs(predicate, value)


@cache
def shipped() -> Normaliser:
    """The normaliser of the shipped table and calendar."""
    return Normaliser(respects())
