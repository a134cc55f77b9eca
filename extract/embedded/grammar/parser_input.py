"""What the parser is shown in place of the words of a story, and how its grammar is put back where it lost a verb.

Names are lent common ones and hard words plainer ones (`parser_input.toml`); a story in the present is shown in the past; and
verbs that mostly stand without an object: `an old woman waited at the gate` is a sentence, though a parser may take it for a noun.

A small parser takes `waited`, `laughed`, `hung` for participles that describe the noun before them. Where the verb seldom has
a passive (a table), it is the verb of its sentence. Works on grammar alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from narraworld.extract.embedded.lexicon.function_words import pattern, wordmap, wordrow, wordset
from narraworld.extract.embedded.lexicon.inflection import past_of, verb_of
from narraworld.extract.embedded.lexicon.verb_frames import frame_table

__all__ = [
    "Lendable",
    "Retold",
    "Row",
    "Shown",
    "company",
    "made_finite",
    "restored",
    "retold",
    "shown_words",
]

Row = tuple[str, str, str, str, int]  # lemma, pos, tag, dep, head

Shown = tuple[str, ...]  # the words of a sentence as the parser sees them

FARTHEST = 6  # words between `little did` and `know`


class Lendable(Protocol):
    """A word that may be lent another: its text, and whether it is a name."""

    @property
    def text(self) -> str: ...
    @property
    def name(self) -> bool: ...


DOUBTFUL = frozenset({"VBN", "VBD", "VBZ", "JJ"})


HELPED = frozenset({"aux", "aux:pass", "cop", "nsubj:pass"})

OF_SENTENCES = frozenset({"punct", "parataxis", "discourse", "vocative", "advmod", "obl", "conj", "cc"})


def made_finite(words: Sequence[str], grammar: Sequence[Row]) -> tuple[Row, ...]:
    """The grammar with the verb in its place, where it was lost."""
    rows = list(grammar)
    for n, row in enumerate(rows):
        if row[2] in DOUBTFUL and _undergone_by_nobody(n, words, rows):
            rows[n] = (frame_table().lemma(words[n], row[0]), "VERB", _tense(row[2]), *row[3:])
            if row[3] == "acl" and _all_there_is(row[4], n, rows):
                _raise(n, rows)
    return tuple(rows)


def company(n: int, rows: Sequence[Row]) -> set[str]:
    """How the words that hang on this one do so."""
    return {dep for at, (_, _, _, dep, head) in enumerate(rows) if head == n != at}


def _tense(tag: str) -> str:
    return "VBZ" if tag == "VBZ" else "VBD"


def _undergone_by_nobody(n: int, words: Sequence[str], rows: Sequence[Row]) -> bool:
    """A form of a verb without a passive, which nothing beside it makes a participle: `had waited`, `waiting`."""
    if rows[n][3] not in {"ROOT", "acl"} or words[n].endswith(wordrow("endings.participles")):
        return False
    helped = company(n, rows) & HELPED
    return not helped and frame_table().lemma(words[n], rows[n][0]) in frame_table().alone


def _all_there_is(noun: int, verb: int, rows: Sequence[Row]) -> bool:
    """Whether the sentence is nothing but this noun, which neither is anything nor stands behind a comma."""
    return (
        rows[noun][4] == noun < verb
        and not company(noun, rows) & {"cop", "nsubj"}
        and "," not in {tag for _, _, tag, _, _ in rows[noun:verb]}
    )


def _raise(verb: int, rows: list[Row]) -> None:
    """Make the verb the root; the noun is its subject, and what stands behind hangs on the verb."""
    noun = rows[verb][4]
    rows[verb] = (*rows[verb][:3], "ROOT", verb)
    rows[noun] = (*rows[noun][:3], "nsubj", verb)
    for at, (lemma, pos, tag, dep, head) in enumerate(rows):
        if head == noun and at > verb and dep in OF_SENTENCES:
            rows[at] = (lemma, pos, tag, dep, verb)


# -- What the parser is shown


def shown_words(tokens: Sequence[Lendable]) -> Shown:
    """The words as the parser sees them."""
    simpler, unknown = wordmap("parser.simpler"), wordmap("parser.unknown")
    found, lent, turned = [], 0, _turned([token.text.lower() for token in tokens])
    for nth, token in enumerate(tokens):
        if nth in turned:
            found.append(turned[nth])
        elif token.name:
            found.append(wordrow("parser.names")[lent % len(wordrow("parser.names"))])
            lent += 1
        elif token.text.lower() in simpler:
            found.append(simpler[token.text.lower()])
        elif token.text in unknown:
            found.append(unknown[token.text])
        else:
            found.append(_core(token.text))
    return tuple(found)


def _turned(texts: Sequence[str]) -> dict[int, str]:
    """Words that small models stumble over, by position, with the plainer ones they are lent.

    `Little did she know, …` is seen as `Unbeknownst to her too, …`, `her every move` as `his every move`, and a trash can as
    a trash bin.
    """
    pairs = list(enumerate(pairwise(texts)))
    first = wordmap("parser.first_of_two")
    found = {n: first[both] for n, pair in pairs if (both := " ".join(pair)) in first}
    found |= {n + 1: "bin" for n, (one, other) in pairs if other == "can" and one in wordset("parser.cans")}
    little_did = wordrow("negations.little_did")
    for start in (n for n, pair in pairs[:-3] if pair == little_did):
        found |= _unbeknownst(texts, start)
    return found


def _unbeknownst(texts: Sequence[str], start: int) -> dict[int, str]:
    """What is lent to `little did she know` that begins here."""
    near = range(start + 3, min(start + FARTHEST, len(texts)))
    knows = next((n for n in near if texts[n] in wordset("parser.knowing")), None)
    if knows is None or texts[knows + 1 : knows + 2] not in ([","], ["that"]):
        return {}
    objective, who = wordmap("parser.objective"), texts[start + 2]
    lent = {start: "Unbeknownst", start + 1: "to"} | ({start + 2: objective[who]} if who in objective else {})
    return lent | ({knows: "too"} if texts[knows + 1] == "," else {knows: ",", knows + 1: "then"})


def _core(text: str) -> str:
    """The last part of a joined word, which says what it is: a `drawing-room` is a room; but `good-looking` is no looking."""
    if text.isalpha():
        return text
    if pattern("word.quality").fullmatch(text):
        return wordrow("parser.quality")[0]
    return re.split(r"[_-]", text.strip("_-"))[-1] or text


# -- Stories told in the present: a small parser takes `stops` for several stops, so it is lent `stopped` in its place

HEADS = frozenset({"ROOT", "advcl", "conj", "parataxis", "ccomp", "acl:relcl"})

PAST = frozenset({"VBD"})

PLURALS = frozenset({"NNS", "NNPS", "NNP"})  # what `grabs` may be taken for

FINITE = frozenset({"VBZ", "VBP", "MD"})

NOUNS = frozenset({"NN", "NNP", "NNS", "NNPS", "PRP", "WP", "WDT", "RB", "CD"})  # what a verb may follow

BEHIND = frozenset({"DT", "PRP", "PRP$", "NNP", "IN", "RP", "RB", "TO"})  # what a verb may be followed by

STOPS = frozenset({".", ",", ":"})

OF_NOUNS = frozenset({"det", "amod", "compound", "nummod"})

SUBJECTS = frozenset({"nsubj", "nsubj:pass"})


@dataclass(frozen=True, slots=True)
class Retold:
    """A sentence in the past, and the verbs that were put there, by position."""

    words: tuple[str, ...]
    verbs: dict[int, str]


def retold(words: Sequence[str], grammar: Sequence[Row]) -> Retold | None:
    """The sentence told in the past, where the parser has missed a verb in the present."""
    if any(tag in PAST for _, _, tag, _, _ in grammar):
        return None
    seen = _seen_verbs(words, grammar)
    missed = dict[int, str]()
    for n, word in enumerate(words):
        if verb := _missed(n, word, words, grammar, begun=min(seen | missed, default=n) < n):
            missed[n] = verb
    if not missed:
        return None
    verbs = seen | missed
    return Retold(tuple(past_of(verbs[n]) if n in verbs else word for n, word in enumerate(words)), verbs)


def _seen_verbs(words: Sequence[str], grammar: Sequence[Row]) -> dict[int, str]:
    """The verbs in the present that the parser has found, by position."""
    return {
        n: frame_table().lemma(words[n], lemma)
        for n, (lemma, pos, tag, _, _) in enumerate(grammar)
        if tag == "VBZ" and pos == "VERB"
    }


def restored(told: Retold, grammar: Sequence[Row]) -> tuple[Row, ...]:
    """The grammar of the retold sentence, its verbs in the present again."""
    return tuple(
        (told.verbs[n], "VERB", "VBZ", dep, head) if n in told.verbs else (lemma, pos, tag, dep, head)
        for n, (lemma, pos, tag, dep, head) in enumerate(grammar)
    )


def _missed(n: int, word: str, words: Sequence[str], grammar: Sequence[Row], begun: bool) -> str | None:
    """The verb that a word is a form of, if it was taken for a noun or given a noun's company."""
    verb, tag = frame_table().third.get(word), grammar[n][2]
    beside = company(n, grammar)
    if tag == "VBZ":
        return verb or grammar[n][0] if beside & OF_NOUNS else None
    if tag not in PLURALS or not word.islower():
        return None
    if beside & SUBJECTS and grammar[n][3] in HEADS:  # `the dog barks`
        return verb or verb_of(word, word)
    return verb if _stands_as_verb(n, words, grammar, begun) else None


def _stands_as_verb(n: int, words: Sequence[str], grammar: Sequence[Row], begun: bool) -> bool:
    return (begun and _joined(n, words, grammar)) or _behind_its_subject(n, grammar)


def _joined(n: int, words: Sequence[str], grammar: Sequence[Row]) -> bool:
    """`walks in and asks for a map`, `and waits`: something to act on behind it, unless it needs nothing."""
    if not 0 < n < len(words) - 1 or grammar[n - 1][2] not in {"CC", ","}:
        return False
    alone = grammar[n + 1][2] in STOPS and frame_table().third.get(words[n]) in frame_table().alone
    return alone or (
        grammar[n + 1][2] in BEHIND and words[n + 1] not in wordset("prepositions.behind_no_verb")
    )


def _behind_its_subject(n: int, grammar: Sequence[Row]) -> bool:
    """`if the vial breaks`, `an old woman waits`: a noun before it, no verb behind it, and the head of a clause."""
    if n == 0 or grammar[n - 1][2] not in NOUNS:
        return False
    if any(tag in FINITE for _, _, tag, _, _ in grammar[n + 1 : n + 2]):
        return False
    _, _, tag, dep, head = grammar[n]
    if tag == "NNP":  # `Marcus grabs`: no name is written so
        return True
    if dep in SUBJECTS:  # `when the vase breaks, Mary will cry`: a verb has one subject
        return any(
            other in SUBJECTS
            for at, (_, _, _, other, above) in enumerate(grammar)
            if above == head and at > n
        )
    return dep in HEADS - {"conj"}
