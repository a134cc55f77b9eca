"""Which propositions and events of a reading are a matter of gold, and whether they say it or its contrary. Asks engines, decides nothing of minds.

A matter of gold is a sentence (`says`), a quotation and whether it is true. A node of the reading (a proposition or an event) is it where

- `matched.toml` beside the gold says so, by what nodes mean (`--nodes` prints them; `--by-words` does without it); else
- its free words stand in the quotation, or it is a deed told in those very words, of a kind that the sentence names; or
- the words of both, weighed by how rare they are among all nodes, agree (`ALIKE`); resting on the quoted words helps (`NEAR`).

Another value of the same respect, if the sentence names it, is the same matter or its contrary: of several, the one that is so at the
story's end says a true matter, and the others deny it. Else the words decide; what the reading holds to be so does not.

What is near in words and yet another matter is left out: that somebody asks, jokes or lies, where the sentence tells of no such saying (a
joke heard is no joke believed); what is on somebody's mind, where the sentence tells of no mind, or of another's; of two people in one respect, the one
whom the sentence does not name; a kin word that it does not name, where it names another. A sentence denies only in the clause that shares most words with the node; and whoever is said
to pass for another is said not to be that other.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from narraworld.kb.search.search_words import analyse
from narraworld.query.names import rows
from narraworld.query.resolve import SMALL_WORDS
from narraworld.query.scope import Scope

__all__ = ["CONTENT_FREE", "Matched", "Matching", "denied", "stems"]

ALIKE = 0.5  # of two sets of words: their mean share in each other
NEAR, QUOTED = 0.2, 0.3  # what resting on the quoted words adds, and standing in them
IDLE = frozenset(
    {"never", "because", "but", "so", "why", "one", "two", "there", "again", "would", "had", "been", "not"}
)
_DENIES = re.compile(r"\b(?:not|never|no|nobody|nothing)\b|n't\b", re.IGNORECASE)
_MIND = re.compile(r"\b(?:know|knew|believe|think|thought|suspect)", re.IGNORECASE)
INNER = frozenset({"knows", "believes"})
UNMEANT = frozenset(
    {"asks", "jokes", "mocks", "ironises", "imagines", "lies"}
)  # manners that vouch for nothing
ON_A_MIND = INNER | {"secret"}
_CLAUSES = re.compile(r"[;,:]|\b(?:that|because|and|but|so|to|which|whether|if)\b", re.IGNORECASE)
_DEATH = re.compile(r"\b(?:died|dies|dead|death)\b", re.IGNORECASE)
_REALLY = re.compile(r"\bis (?:really|in truth|in fact)\b", re.IGNORECASE)
_ASIDE = re.compile(r"\([^)]*\)")
_KNOWS = re.compile(r"(\S+) knows (\S+)")  # in `matched.toml`: what was not read as a proposition
_PASSES_FOR = re.compile(r"\b(?:pass(?:es|ed)?|pos(?:es|ed)) (?:as|for)\b|\bpretend", re.IGNORECASE)


def stems(text: str) -> set[str]:
    return set(analyse(text.replace("’", "'")))


CONTENT_FREE = stems(" ".join(SMALL_WORDS | IDLE))


@dataclass(frozen=True, slots=True)
class Matched:
    """A node that says a matter, or its contrary; ``of`` where it says that somebody holds something: who, and what."""

    node: str
    says: bool
    of: tuple[str, str] | None = None


class Matching:
    """One reading of a story, looked at with the words of gold."""

    def __init__(self, scope: Scope, told: Mapping[str, Any]) -> None:
        self.scope, self.engine, self._told = scope, scope.engine, told
        self._found: dict[str, list[Matched]] = {}

    def __call__(self, matter: Mapping[str, Any]) -> list[Matched]:
        """The nodes that are this matter, the likeliest first."""
        key = str(matter["id"])
        if key not in self._found:
            self._found[key] = list(self._as_told(key) if key in self._told else self._by_words(matter))
        return self._found[key]

    def nodes(self) -> Iterator[str]:
        """Every proposition and event with its words, for whoever writes `matched.toml`."""
        for node in sorted(self._worded):
            yield f"{node} | {self.scope.names(node)}"

    # -- as somebody says

    def _as_told(self, key: str) -> Iterator[Matched]:
        for says in (True, False):
            for node in self._told[key].get("says" if says else "denies", ()):
                yield Matched(node, says, self._inner(node))

    # -- by words

    def _by_words(self, matter: Mapping[str, Any]) -> Iterator[Matched]:
        scores = {
            node: score
            for node in self._worded
            if (score := self._score(node, matter)) >= ALIKE and not self._is_another_s(node, matter)
        }
        for inner in {of[1] for node in scores if (of := self._inner(node))}:
            scores.pop(inner, None)  # that somebody knows it is another matter than that it is so
        for node in [*scores]:
            for other in self._siblings(node, matter):
                scores.setdefault(other, scores[node] - NEAR)
        says: dict[str, bool] = {}
        for node in sorted(scores, key=lambda one: (one in self._only_told, -scores[one], one)):
            contrary = says.get(_negation(node))
            says[node] = self._says(node, matter) if contrary is None else not contrary
            yield Matched(node, says[node], self._inner(node))

    def _score(self, node: str, matter: Mapping[str, Any]) -> float:
        quote = matter.get("quote")
        if quote and (self._stands_in(node, quote["words"]) or self._is_the_deed(node, matter)):
            return ALIKE + QUOTED + self._alike(node, matter)
        if self._is_the_name(node, matter):
            return ALIKE + NEAR
        if self._respect(node) == "says":  # that a paper says it does not make it so
            return 0.0
        if self._is_of_another_kind(node, matter) or self._is_other_kin(node, matter):
            return 0.0
        near = NEAR if quote and node in self._resting_on(quote["chapter"], quote["words"]) else 0.0
        alike = self._alike(node, matter)
        return alike + near + self._of_a_mind(node, matter) + self._of_a_death(node, matter) if alike else 0.0

    def _is_of_another_kind(self, node: str, matter: Mapping[str, Any]) -> bool:
        """Whether a node is a saying that is not meant, or on somebody's mind, and the sentence tells of no such saying, or of no such mind."""
        if node in self._sayings or (node in self._claiming and not matter["true"]):
            return not (self._kind[node] & stems(_ASIDE.sub("", matter["says"])))
        if self._respect(node) not in ON_A_MIND:
            return False
        clause = _CLAUSES.split(matter["says"])[0]
        thinks = _MIND.search(clause)
        holder = stems(self.scope.names(str(self._propositions[node][1])))
        return thinks is None or not holder & stems(clause[: thinks.start()])

    def _is_the_deed(self, node: str, matter: Mapping[str, Any]) -> bool:
        """Whether a node is a deed told in the quoted words and no fewer, of a kind that the sentence names."""
        kind = self._deeds.get(node)
        said = {_plain(quote.text) for quote in self.scope.quotes(node)} if kind else set[str]()
        return kind is not None and _plain(matter["quote"]["words"]) in said and kind in stems(matter["says"])

    def _is_other_kin(self, node: str, matter: Mapping[str, Any]) -> bool:
        """Whether a node, or what it says that somebody holds, gives kin by a word that the sentence lacks, where it has another."""
        inner = self._inner(node)
        named = self._kin & stems(matter["says"])
        own = stems(self._respect(inner[1] if inner else node)) & self._kin
        return bool(named and own) and not own & named

    def _is_another_s(self, node: str, matter: Mapping[str, Any]) -> bool:
        """Whether a node gives a person whom the sentence does not name, where it names another in the same respect."""
        value = str(self._propositions.get(node, ("", "", "", ""))[3])
        if value not in self._people or self._is_named(value, stems(matter["says"])):
            return False
        return any(self._siblings(node, matter))

    def _respect(self, node: str) -> str:
        return str(self._propositions.get(node, ("", "", ""))[2])

    def _of_a_mind(self, node: str, matter: Mapping[str, Any]) -> float:
        """What it adds that both say of the same person to know something, or not to."""
        inner = self._inner(node)
        both = (
            inner
            and _MIND.search(matter["says"])
            and stems(self.scope.names(inner[0])) & stems(matter["says"])
        )
        return NEAR if both else 0.0

    def _of_a_death(self, node: str, matter: Mapping[str, Any]) -> float:
        """What it adds that a sentence which tells of a death is about the being alive of somebody whom it names."""
        if self._respect(node) != "alive" or not _DEATH.search(matter["says"]):
            return 0.0
        words = stems(matter["says"])
        names = self._names[str(self._propositions[node][1])]
        return QUOTED if any(name <= words for name in names) else 0.0

    def _alike(self, node: str, matter: Mapping[str, Any]) -> float:
        wanted = stems(matter["says"]) - CONTENT_FREE
        words = self._under_its_names(node, wanted)
        if not (shared := self._weight(wanted & words)):
            return 0.0
        return 2 * shared / (self._weight(wanted) + self._weight(words))

    def _under_its_names(self, node: str, wanted: set[str]) -> set[str]:
        """The words of a node, with everybody in it called as the sentence calls them, where that is another name altogether."""
        words = self._worded[node]
        for person in self._parts[node]:
            shown = stems(self.scope.names(person)) - CONTENT_FREE
            fitting = [name for name in self._names[person] if name <= wanted and not name & shown]
            if fitting and not shown <= wanted:
                words = (words - shown) | max(fitting, key=lambda name: (len(name), sorted(name)))
        return words

    def _weight(self, words: set[str]) -> float:
        return sum(math.log(1 + len(self._worded) / (self._seen[one] or 1)) for one in words)

    def _stands_in(self, node: str, quoted: str) -> bool:
        """Whether what a proposition says in words of the page stands in the quotation, and is not a word or two by chance."""
        value = self._values.get(node, "")
        told = stems(value) - CONTENT_FREE
        if not told or f" {_plain(value)} " not in f" {_plain(quoted)} ":
            return False
        return len(told) > 1 or len(told) >= len(stems(quoted) - CONTENT_FREE) / 2

    def _siblings(self, node: str, matter: Mapping[str, Any]) -> Iterator[str]:
        """Other values of the same respect of the same thing that the matter names."""
        wanted = stems(matter["says"])
        row = self._propositions.get(node, ("", "", "", ""))
        for other in self._of_respect.get((str(row[1]), str(row[2])), ()):
            value = str(self._propositions[other][3])
            if other != node and value in self._entities and self._is_named(value, wanted):
                yield other

    def _is_named(self, value: str, words: set[str]) -> bool:
        """Whether words name somebody by any part of the name, or a thing by all of it."""
        name = stems(self.scope.names(value))
        return bool(name & words) if value in self._people else name - CONTENT_FREE <= words

    def _is_the_name(self, node: str, matter: Mapping[str, Any]) -> bool:
        """Whether a sentence says that somebody, whom it calls by another name too, is really called this."""
        if self._respect(node) != "name" or not (really := _REALLY.search(matter["says"])):
            return False
        value = stems(self._values.get(node, "")) - CONTENT_FREE
        worn = stems(matter["says"][: really.start()])
        others = [name for name in self._names[str(self._propositions[node][1])] if not name & value]
        truly = bool(value) and value <= stems(matter["says"][really.end() :])
        return truly and any(name <= worn for name in others)

    def _says(self, node: str, matter: Mapping[str, Any]) -> bool:
        passing = self._respect(node) == "name" and _PASSES_FOR.search(matter["says"])
        quoted = self._stands_in(node, matter.get("quote", {}).get("words", ""))
        if node not in self._propositions or (quoted and not passing):
            return True
        rivals = any(self._truths.get(one) for one in self._siblings(node, matter))
        if rivals and not self._truths.get(node):  # another value that is named is the one that is so
            return not matter["true"]
        alike = denied(self.scope.names(node)) == denied(self._nearest_clause(node, matter))
        return alike != bool(passing)

    def _nearest_clause(self, node: str, matter: Mapping[str, Any]) -> str:
        """The clause of a sentence that shares most words with a node."""
        words = self._worded[node]
        return max(_CLAUSES.split(matter["says"]), key=lambda one: len(stems(one) & words))

    def _inner(self, node: str) -> tuple[str, str] | None:
        if (told := _KNOWS.fullmatch(node)) is not None:
            return told[1], told[2]
        row = self._propositions.get(node)
        if row is None or str(row[2]) not in INNER or str(row[3]) not in self._propositions:
            return None
        return str(row[1]), str(row[3])

    # -- what was read

    @cached_property
    def _propositions(self) -> dict[str, tuple[Any, ...]]:
        return {str(row[0]): row for row in rows(self.engine, "proposition")}

    @cached_property
    def _entities(self) -> set[str]:
        return {str(entity) for entity, _ in rows(self.engine, "entity")}

    @cached_property
    def _people(self) -> set[str]:
        return {str(entity) for entity, kind in rows(self.engine, "entity") if kind == "character"}

    @cached_property
    def _names(self) -> dict[str, list[set[str]]]:
        """Of everybody the words of each of their names; what only tells who they are, as "her mother" or "Father", is none."""
        found = defaultdict[str, list[set[str]]](list)
        for _, entity, name in rows(self.engine, "named"):
            words = stems(str(name)) - CONTENT_FREE
            if str(entity) in self._people and not words & self._kin and str(name)[:1].isupper():
                found[str(entity)].append(words)
        return found

    @cached_property
    def _parts(self) -> dict[str, set[str]]:
        """Of each proposition and event the people in it."""
        found = defaultdict[str, set[str]](set)
        for node, row in self._propositions.items():
            found[node] = {str(one) for one in (row[1], row[3]) if str(one) in self._people}
        for event, entity, _ in rows(self.engine, "role"):
            if str(entity) in self._people:
                found[str(event)].add(str(entity))
        return found

    @cached_property
    def _sayings(self) -> set[str]:
        """Every speech that is not meant as it is said."""
        return {str(event) for event, _, manner in rows(self.engine, "speech") if manner in UNMEANT}

    @cached_property
    def _claiming(self) -> set[str]:
        """Every speech of which it is noted what it claims: of what is not so, to have heard it said is not to hold it."""
        return {str(event) for event, _ in rows(self.engine, "claim")}

    @cached_property
    def _kind(self) -> dict[str, set[str]]:
        """Of every event the words for what is done."""
        return {str(event): stems(str(kind)) for event, kind, _ in rows(self.engine, "event")}

    @cached_property
    def _deeds(self) -> dict[str, str]:
        """Every event that took place, or is told as done, with the stem of its kind."""
        return {
            str(event): next(iter(stems(str(kind))), "")
            for event, kind, _ in rows(self.engine, "event")
            if str(event) in self._worded
        }

    @cached_property
    def _only_told(self) -> set[str]:
        """Every deed that the page has somebody tell: of who doubts it or knows better, what is claimed there says more."""
        return {str(event) for event, _, _ in rows(self.engine, "recounted")}

    @cached_property
    def _kin(self) -> set[str]:
        return set().union(*(stems(str(word)) for word, _, _ in rows(self.engine, "kin_word")))

    @cached_property
    def _values(self) -> dict[str, str]:
        """Of each proposition that says something in words of the page, those words."""
        return {
            node: str(row[3])
            for node, row in self._propositions.items()
            if str(row[3]) not in self._entities and str(row[3]) not in self._propositions
        }

    @cached_property
    def _of_respect(self) -> dict[tuple[str, str], list[str]]:
        found = defaultdict[tuple[str, str], list[str]](list)
        for node, row in sorted(self._propositions.items()):
            found[str(row[1]), str(row[2])].append(node)
        return found

    @cached_property
    def _truths(self) -> dict[str, bool]:
        """Of each proposition whether it is so at the end, as far as the reading says."""
        filled = {self._slots.get(matter) for matter, sign in self._so.items() if sign == "yes"} - {None}
        found: dict[str, bool] = {}
        for node, matter, sign in rows(self.engine, "content"):
            if (told := self._so.get(str(matter))) is not None:
                found[str(node)] = told == sign
            elif sign == "yes" and self._slots.get(str(matter)) in filled:
                found[str(node)] = False
        return found

    @cached_property
    def _so(self) -> dict[str, str]:
        """What is so (`yes`) and is not: by the narration, else by what the text calls knowledge or a lie."""
        shown = {str(matter): str(sign) for matter, sign, _ in rows(self.engine, "shown")}
        return shown | {str(matter): str(sign) for _, matter, sign in rows(self.engine, "current")}

    @cached_property
    def _slots(self) -> dict[str, str]:
        """The slot of each matter that is, or may be, the value of one."""
        return {str(matter): str(slot) for matter, slot in rows(self.engine, "slot_of")}

    @cached_property
    def _worded(self) -> dict[str, set[str]]:
        """Every proposition and event with its words; an event has those of the page and the names of people who take part."""
        found = {node: stems(self.scope.names(node)) - CONTENT_FREE for node in self._propositions}
        kinds = {str(event): str(kind) for event, kind, _ in rows(self.engine, "event")}
        parts = defaultdict[str, list[str]](list)
        for event, entity, _ in rows(self.engine, "role"):
            if str(entity) in self._people:  # a thing is called by all that was first said of it
                parts[str(event)].append(self.scope.names(str(entity)))
        told = [event for event, _, _ in rows(self.engine, "recounted")]
        for event in [*told, *(event for (event,) in rows(self.engine, "happened"))]:
            quotes = " ".join(quote.text for quote in self.scope.quotes(str(event)))
            words = " ".join([kinds[str(event)], quotes, *parts[str(event)]])
            found[str(event)] = stems(words) - CONTENT_FREE
        return found

    @cached_property
    def _seen(self) -> Counter[str]:
        return Counter(word for words in self._worded.values() for word in words)

    def _resting_on(self, chapter: str, quoted: str) -> set[str]:
        """Propositions and events of records that quote any of the quoted words."""
        wanted = _plain(quoted)
        if (chapter, wanted) not in self._resting:
            found = {
                str(record)
                for record, span in rows(self.engine, "evidence")
                if str(span).partition("/")[0] == chapter and self._touches(str(span), wanted)
            }
            spoken = {str(node) for record, node in rows(self.engine, "refers") if record in found}
            self._resting[chapter, wanted] = found | spoken
        return self._resting[chapter, wanted]

    @cached_property
    def _resting(self) -> dict[tuple[str, str], set[str]]:
        return {}

    def _touches(self, span: str, wanted: str) -> bool:
        text = _plain(str(rows(self.engine, "quote", span)[0][1]))
        return bool(text) and (text in wanted or wanted in text)


def _negation(node: str) -> str:
    return node.removeprefix("not.") if node.startswith("not.") else f"not.{node}"


def denied(text: str) -> bool:
    return bool(_DENIES.search(text))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold().replace("’", "'")))
