"""What each name and noun of a unit is: somebody, somewhere or something, by what its sentences do with it. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from narraworld.extract.embedded.grammar.arguments import parts_of
from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.grammar.mentions import mention_of
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.layout.document import Sentence
from narraworld.extract.embedded.lexicon.function_words import wordrow, wordset
from narraworld.extract.embedded.lexicon.nouns import nouns
from narraworld.extract.embedded.lexicon.verb_frames import VerbFrame, frame_table

__all__ = ["kinds_of"]


def kinds_of(lines: Iterable[Sentence], text: str) -> dict[str, str]:
    """What each name and noun is, by what the whole unit does with it; our lists of nouns have the first word."""
    votes: dict[str, Counter[str]] = {}
    for line in lines:
        for clause in line.clauses:
            for head, kind in _votes(clause):
                mention = mention_of(head, line.words, text)
                if mention.sort in {"name", "noun"}:
                    votes.setdefault(mention.key, Counter())[kind] += 1
                    if mention.sort == "noun" and (listed := nouns().firmly(mention.head)):
                        votes[mention.key][listed] += 1000
    return {key: count.most_common(1)[0][0] for key, count in votes.items()}


def _votes(clause: Clause) -> Iterable[tuple[Word, str]]:
    """What a clause makes of its words: a name behind `in` is a place, who does what only people do is somebody."""
    placed = wordset("prepositions.of_a_place")
    yield from (
        (head, "place") for preposition, head in clause.phrases if head.name and preposition in placed
    )
    for frame in frame_table().of(clause.verb, clause.particle):
        parts = parts_of(frame, clause)
        if all(_could_meet(need, parts) for need in frame.needs):
            yield from _by_role(frame, parts)
            yield from _as_thing(frame, clause, parts)


def _by_role(frame: VerbFrame, parts: Mapping[str, list[Word]]) -> Iterable[tuple[Word, str]]:
    for role, kind in frame.kinds.items():
        heads = parts.get(role, ())
        yield from ((head, kind) for head in heads if kind != "character" or not _lifeless(head, frame))


def _as_thing(
    frame: VerbFrame, clause: Clause, parts: Mapping[str, list[Word]]
) -> Iterable[tuple[Word, str]]:
    """What a frame wants to be a thing, counted twice; one `leaves` a place as well as a thing."""
    if clause.verb in wordset("verbs.of_place_or_thing"):
        return
    for need in (need for need in frame.needs if need.endswith(":object")):
        heads = [head for head in parts.get(need.partition(":")[0], ()) if not head.name]
        yield from ((head, "object") for head in heads for _ in "**")


def _could_meet(need: str, parts: Mapping[str, list[Word]]) -> bool:
    """Whether words are there (or not there) for what a frame needs, whoever they stand for."""
    role, _, kind = re.sub("[:=]", " ", need.lstrip("-")).partition(" ")
    reflexive = kind != "self" or all(
        word.text.endswith(wordrow("endings.self")) for word in parts.get(role, ())
    )
    return (role in parts) != need.startswith("-") and reflexive


def _lifeless(head: Word, frame: VerbFrame) -> bool:
    """A noun that nobody would call alive: a container, or what only moves: `the smell came from the kitchen`."""
    alive = (
        head.name
        or head.lemma in frame_table().nouns["animals"]
        or nouns().kind(head.lemma) in {"character", "group"}
    )
    return head.lemma in frame_table().nouns["containers"] or (bool(frame.presence) and not alive)
