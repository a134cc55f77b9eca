"""A page as it was kept, against its gold: what was found, what was kept and is denied, what was given to the wrong one.

Matching is meant to be fair to any reader. Somebody is found by any name of theirs, with or without article, whole or in part. What
happens, is so or is said is looked for in the sentences that gold quotes, by who it is about and by shared words; in which words or
under which respect it was noted counts for nothing. A reader may note more than gold has: that is never held against it. Pure reading of
derived relations; decides nothing for the story.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from narraworld.extract.embedded.english import LANGUAGE
from narraworld.extract.model.passage import NumberedText, tie
from narraworld.kb.english import wordset
from narraworld.kb.spans import NotLocated
from narraworld.query.knows import NO_EVIDENCE, who_knows_what
from narraworld.query.names import NameBook, rows
from narraworld.report_cards.gold_pages import GoldPage
from narraworld.rules.engines import Engine

__all__ = ["KINDS", "PageScore", "score_page"]

KINDS = ("entity", "event", "state", "speech", "time")
AT_THE_END = "end"
STEM = 5  # letters by which two words are taken for forms of one
SHARED = 2  # words that a proposition must share with what somebody has in mind
LIES = "lies"


@dataclass(slots=True)
class PageScore:
    """``found`` and ``wanted`` by kind; the rest are counts.

    ``invented``: kept, though the page denies it. ``foreign``: kept, of ``kept`` events and states, with not one word of theirs in
    the sentences they rest on; careful readers say some things in words of their own, inventors most.
    """

    wanted: dict[str, int] = field(default_factory=dict)
    found: dict[str, int] = field(default_factory=dict)
    invented: int = 0
    foreign: int = 0
    kept: int = 0
    misattributed: int = 0
    lies_seen: int = 0
    minds_right: int = 0
    minds_wrong: int = 0
    minds: int = 0

    def count(self, kind: str, found: bool) -> None:
        self.wanted[kind] = self.wanted.get(kind, 0) + 1
        self.found[kind] = self.found.get(kind, 0) + found

    def __add__(self, other: PageScore) -> PageScore:
        def both(one: Mapping[str, int], two: Mapping[str, int]) -> dict[str, int]:
            return {kind: one.get(kind, 0) + two.get(kind, 0) for kind in {**one, **two}}

        return PageScore(
            both(self.wanted, other.wanted), both(self.found, other.found), self.invented + other.invented,
            self.foreign + other.foreign, self.kept + other.kept, self.misattributed + other.misattributed, self.lies_seen + other.lies_seen,
            self.minds_right + other.minds_right, self.minds_wrong + other.minds_wrong, self.minds + other.minds,
        )  # fmt: skip


def score_page(page: GoldPage, text: str, engine: Engine) -> PageScore:
    """How a page was read; ``text`` is the unit's, ``engine`` derives from what was kept."""
    kept, score = _KeptPage(page, text, engine), PageScore()
    for one in page.of("entity"):
        score.count("entity", bool(kept.who(one["name"])))
    for one in page.of("event"):
        _event(kept, one, score)
    for one in page.of("state"):
        _state(kept, one, score)
    for one in page.of("speech"):
        _speech(kept, one, score)
    for one in page.of("time"):
        score.count("time", kept.is_dated(one["words"]))
    for one in page.of("mind"):
        if one["after"] == AT_THE_END:
            _mind(kept, one, score)
    score.kept, score.foreign = kept.in_own_words()
    return score


# -- one item of gold against what was kept


def _event(kept: _KeptPage, gold: Mapping[str, Any], score: PageScore) -> None:
    """Found: something happens in those words with the same agent, and the same patient or a verb of that kind."""
    here = [one for one in kept.near(gold["quote"]) if one in kept.events]
    agent, patient = kept.who(gold["agent"]), kept.who(gold["patient"])
    found = wrong = False
    for one in here:
        kind, roles = kept.events[one], kept.roles.get(one, {})
        if not (_words(kind) & _words(gold["kind"]) or patient & set().union(*roles.values(), set())):
            continue
        doing = roles.get("agent", set()) | roles.get("experiencer", set())
        right = not agent or bool(agent & doing)
        found |= right
        wrong |= not right and bool(doing & kept.somebody_of_gold)
    score.count("event", found)
    score.misattributed += wrong and not found


def _state(kept: _KeptPage, gold: Mapping[str, Any], score: PageScore) -> None:
    """Found: of the same one, in those words, with a word of the value; so where gold says so, denied where gold denies.

    What gold denies may not be kept as so anywhere on the page.
    """
    of, value, words = kept.who(gold["of"]), kept.who(gold["value"]), _words(gold["value"])
    near, told = set(kept.near(gold["quote"])), list(_told(kept, of, value, words))
    here = [so for record, so in told if record in near]
    so_anywhere = any(so for _, so in told)
    claimed = any(kept.is_about(one, of, value, words) for one in kept.claims)
    score.count("state", any(here) if gold["holds"] else (bool(here) or claimed) and not so_anywhere)
    score.invented += so_anywhere and not gold["holds"]


def _told(kept: _KeptPage, of: set[str], value: set[str], words: set[str]) -> Iterator[tuple[str, bool]]:
    """The records that say this of that one, and whether they say that it is so."""
    for record, stated in kept.stated.items():
        for proposition, truth in stated:
            if kept.is_about(proposition, of, value, words):
                yield record, truth == "asserted" and not proposition.startswith("not.")


def _speech(kept: _KeptPage, gold: Mapping[str, Any], score: PageScore) -> None:
    speaker = kept.who(gold["by"])
    here = [kept.speeches[one] for one in kept.near(gold["quote"]) if one in kept.speeches]
    right = [manner for who, manner in here if who in speaker]
    score.count("speech", bool(right))
    score.misattributed += not right and any(who in kept.somebody_of_gold for who, _ in here)
    score.lies_seen += gold["manner"] == "lie" and LIES in right


def _mind(kept: _KeptPage, gold: Mapping[str, Any], score: PageScore) -> None:
    """Right: somebody has the state gold gives to some matter that shares its words; wrong: only other states."""
    wanted = _words(gold["about"]) - _words(gold["who"])
    states = {
        kept.matrix.cells.get((matter, who), NO_EVIDENCE)
        for who in kept.who(gold["who"])
        for matter in kept.matrix.propositions
        if len(wanted & _words(kept.matrix.names[matter])) >= min(SHARED, len(wanted))
    } - {NO_EVIDENCE}
    score.minds += 1
    score.minds_right += gold["state"] in states
    score.minds_wrong += bool(states) and gold["state"] not in states


# -- what was kept


class _KeptPage:
    """The kept records of one page, by the sentences they rest on."""

    def __init__(self, page: GoldPage, text: str, engine: Engine) -> None:
        self.page, self.engine, self.passage = page, engine, NumberedText(text)
        self.names, self.matrix = NameBook(engine), who_knows_what(engine)
        self.events = {str(id): str(kind) for id, kind, _ in rows(engine, "event")}
        self.speeches = {str(id): (str(who), str(manner)) for id, who, manner in rows(engine, "speech")}
        self.claims = {str(proposition) for _, proposition in rows(engine, "claim")}
        self.roles: dict[str, dict[str, set[str]]] = {}
        for event, who, role in rows(engine, "role"):
            self.roles.setdefault(str(event), {}).setdefault(str(role), set()).add(str(who))
        self.stated: dict[str, list[tuple[str, str]]] = {}
        for state, proposition, truth in rows(engine, "state"):
            self.stated.setdefault(str(state), []).append((str(proposition), str(truth)))

    def who(self, name: str) -> set[str]:
        """Those who were kept under a name of somebody of gold."""
        if not name:
            return set()
        gold = [one for one in self.page.of("entity") if one["name"] == name]
        wanted = [name, *(other for one in gold for other in one["also"])]
        return {id for id, called in self._called.items() if _alike(called, wanted)}

    @cached_property
    def somebody_of_gold(self) -> set[str]:
        return {id for one in self.page.of("entity") for id in self.who(one["name"])}

    def near(self, quote: str) -> list[str]:
        """The records that rest on the sentences in which the quote stands."""
        wanted = self._sentences_of(quote)
        return [record for record, sentences in self._resting.items() if sentences & wanted]

    def is_about(self, proposition: str, of: set[str], value: set[str], words: set[str]) -> bool:
        """Whether a proposition ties those two, or says one of the words about the first."""
        for _, subject, predicate, object, _ in rows(self.engine, "proposition", proposition):
            pair = {str(subject), str(object)}
            if (of & pair and value & pair and of & pair != value & pair) or (
                str(subject) in of and words & _words(f"{predicate} {self.names(str(object))}")
            ):
                return True
        return False

    def in_own_words(self) -> tuple[int, int]:
        """How many events and states were kept, and how many of them share no word with their sentences."""
        said = {event: _words(kind) for event, kind in self.events.items() if event not in self.speeches}
        for record, stated in self.stated.items():
            said[record] = set().union(*(self._matter(proposition) for proposition, _ in stated))
        foreign = [record for record, words in said.items() if not words & self._text_of(record)]
        return len(said), len(foreign)

    def _matter(self, proposition: str) -> set[str]:
        found = rows(self.engine, "proposition", proposition)
        return {word for row in found for word in _words(f"{row[2]} {self.names(str(row[3]))}")}

    def _text_of(self, record: str) -> set[str]:
        here = [self.passage.sentences[n] for n in self._resting.get(record, ())]
        return {word for one in here for word in _words(one.cut(self.passage.text))}

    def is_dated(self, words: str) -> bool:
        wanted = self._sentences_of(words)
        times = {str(node) for node, kind in rows(self.engine, "instance") if str(kind) == "TimeAnchor"}
        return any(sentences & wanted for record, sentences in self._resting.items() if record in times)

    @cached_property
    def _called(self) -> dict[str, set[str]]:
        called: dict[str, set[str]] = {}
        for _, entity, name in rows(self.engine, "named"):
            called.setdefault(str(entity), set()).add(str(name))
        return called

    @cached_property
    def _resting(self) -> dict[str, set[int]]:
        spans = {str(span): (int(start), int(end)) for span, _, start, end in rows(self.engine, "span")}
        found: dict[str, set[int]] = {}
        for record, span in rows(self.engine, "evidence"):
            found.setdefault(str(record), set()).update(self._sentences(*spans[str(span)]))
        return found

    def _sentences_of(self, quote: str) -> set[int]:
        where = tie(self.passage, quote.replace("*", ""))
        return set() if isinstance(where, NotLocated) else self._sentences(where.start, where.end)

    def _sentences(self, start: int, end: int) -> set[int]:
        return {n for n, one in enumerate(self.passage.sentences) if one.start < end and start < one.end}


# -- words


def _words(text: str) -> set[str]:
    """The words that carry meaning, each by its first letters."""
    found = re.findall(r"[^\W_]+", text.casefold())
    return {word[:STEM] for word in found if word not in _function_words() and word != "s"}


@cache
def _function_words() -> frozenset[str]:
    return frozenset(LANGUAGE.table("function_words")["function_words"].split())


def _alike(called: Iterable[str], gold: Iterable[str]) -> bool:
    """Whether one of the names is one of gold's, or a part of it, or has it as a part."""
    for name in called:
        for wanted in gold:
            one, other = _name(name), _name(wanted)
            if one and other and (one <= other or other <= one):
                return True
    return False


def _name(name: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", name.casefold())) - wordset("names.before")
