"""Veridicality: which clauses a sentence mentions without asserting them (fears, hearsay, names for deeds, sorts of people).

Looks at clauses; writes no record.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.grammar.tree import Clause, ClauseDraft
from narraworld.extract.embedded.lexicon.function_words import wordset
from narraworld.extract.embedded.lexicon.verb_frames import frame_table

__all__ = ["no_deed", "of_a_sort", "stands_alone", "told_in_the_past", "unvouched"]

MAIN = frozenset({"root", "conj", "parataxis"})
ABOUT_A_NOUN = frozenset({"relative", "acl"})
PAST = frozenset({"VBD"})
PRESENT = frozenset({"VBZ", "VBP"})


def told_in_the_past(found: Iterable[ClauseDraft]) -> bool:
    """Whether most deeds of a text are told as past."""
    tags = [clause.head.tag for clause in found]
    return sum(tag in PAST for tag in tags) > 2 * sum(tag in PRESENT for tag in tags)


def of_a_sort(clause: ClauseDraft, words: Sequence[Word]) -> bool:
    """`like men who go mowing`, `cats are sly`: the present of a sort of people or things."""
    sorts = bool(clause.subjects) and all(_sort(one, words) for one in clause.subjects)
    return sorts and _present(clause, words)


def _present(clause: ClauseDraft, words: Sequence[Word]) -> bool:
    helping = [
        word for word in words if word.head == clause.head.position and word.relation in {"aux", "cop"}
    ]
    verb = helping[0] if helping else clause.head
    return verb.tag in PRESENT


def _sort(noun: Word, words: Sequence[Word]) -> bool:
    """Whether it stands for a sort: `reapers`, `a man`; not `the man`, `his men`, `three men`."""
    if noun.name or not noun.tag.startswith("NN"):
        return False
    told = [word for word in words if word.head == noun.position and _tells_which(word)]
    return (
        all(word.text.lower() in wordset("articles.of_a_sort") for word in told)
        if told
        else noun.tag == "NNS"
    )


def _tells_which(word: Word) -> bool:
    return word.relation in {"det", "nummod"} or word.dep == "nmod:poss"


def no_deed(clause: Clause) -> bool:
    """`the danger of falling`, `used to`, `could not help`, `concerning`: a name for a deed, a helping verb, a preposition."""
    linking = clause.head.text.lower() in frame_table().prepositions and clause.relation != "root"
    return clause.only_named or clause.habit or clause.unhelped or linking


def unvouched(found: Sequence[Clause], number: int) -> set[int]:
    """What somebody fears, or is said to have done: the clauses told behind one that does not vouch for them."""
    clause = found[number]
    if _vouches(clause):
        return set()
    return {
        n
        for n, one in enumerate(found)
        if one.parent == number and one.head.position > clause.head.position and _told_behind(one)
    }


def _vouches(clause: Clause) -> bool:
    table = frame_table()
    known = table.perceives(clause.verb) or any(one.factive for one in table.of(clause.verb, None))
    words = {clause.verb, *(word.lemma for word in clause.predicates)}
    return known or clause.verb in table.dreaming or bool(words & table.vouching)


def _told_behind(one: Clause) -> bool:
    return one.relation == "ccomp" or (one.relation == "acl" and one.marker == "that")


def stands_alone(found: Sequence[Clause], number: int) -> bool:
    """Whether a clause is no part of another; what `and` joins to words about a noun is about it too."""
    clause, above = found[number], found[number].parent
    while above is not None and found[above].relation not in MAIN:
        if found[above].relation in ABOUT_A_NOUN:
            return False
        above = found[above].parent
    return clause.relation in MAIN
