"""Verbs that mostly stand without an object: `an old woman waited at the gate` is a sentence, though a parser may take it for a noun.

A small parser takes `waited`, `laughed`, `hung` for participles that describe the noun before them. Where the verb seldom has
a passive (a table), it is the verb of its sentence. Works on grammar alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from narraworld.extract.embedded.lexicon.verb_frames import frame_table

__all__ = ["Row", "company", "made_finite"]

Row = tuple[str, str, str, str, int]  # lemma, pos, tag, dep, head
DOUBTFUL = frozenset({"VBN", "VBD", "VBZ", "JJ"})
PARTICIPLES = ("ing", "en", "wn", "one", "ain", "um")  # `waiting`, `fallen`, `flown`, `gone`, `lain`, `swum`
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
    if rows[n][3] not in {"ROOT", "acl"} or words[n].endswith(PARTICIPLES):
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
