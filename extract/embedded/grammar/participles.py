"""Whether a clause tells what its subject does or what is done to it, where endings alone leave that open: `stripped`, `gone`;
and what it is that lies there, where a dash reveals it.

Looks at the clauses of one sentence once they share their subjects; knows no verb but by the table of frames. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.grammar.tree import ClauseDraft, Tree
from narraworld.extract.embedded.lexicon.function_words import wordrow, wordset
from narraworld.extract.embedded.lexicon.verb_frames import frame_table

__all__ = [
    "lies_somewhere",
    "lies_where_put",
    "reveal",
    "settle_voice",
    "thing_beside",
    "thing_seen",
]


PAST = frozenset({"VBD", "VBN"})
DASHES = frozenset({"-", "--", "–", "—", ":"})

ABSOLUTE = frozenset({"advcl", "obl", "acl", "nmod", "dep"})

BESIDE = frozenset({None, "with"})

JOINED = frozenset({"advcl", "conj", "parataxis"})


def settle_voice(found: Sequence[ClauseDraft], tree: Tree) -> None:
    """Set right who suffers and who does."""
    for number, one in enumerate(found):
        if _set_off(one, tree):
            _set_aside(number, one, found, tree)
        one.passive = (one.passive or _absolute(one, tree)) and not _acts(one)


def _set_aside(number: int, one: ClauseDraft, found: Sequence[ClauseDraft], tree: Tree) -> None:
    """A participle taken for the main verb is suffered, where the main verb comes behind or stood before."""
    main = next((each for each in found if each.parent == number and _goes_on(each, tree)), None)
    if main:
        one.passive, main.passive = True, False
    elif any(_tag(each, one) for each in found):
        one.passive = True


def _acts(one: ClauseDraft) -> bool:
    """`had relied on him`, `was gone`, `fallen behind`: nobody does that to anybody."""
    table, helped = frame_table(), one.adverbs & wordset("auxiliaries.passive")
    if one.adverbs & wordset("auxiliaries.having") and not helped:
        return True
    return one.verb in (table.perfect_with_be if helped else table.intransitive)


def _absolute(one: ClauseDraft, tree: Tree) -> bool:
    """`with the letter burned, he went`, `supper eaten`: a participle with a subject of its own."""
    bare = (
        one.head.tag == "VBN"
        and not one.adverbs & (wordset("auxiliaries.having") | wordset("auxiliaries.passive"))
        and not one.objects
    )
    return bare and one.relation in ABSOLUTE and one.marker in BESIDE and bool(tree.subjects_of(one.head))


def _set_off(one: ClauseDraft, tree: Tree) -> bool:
    """`Leo, stripped to the waist, …`: a participle between its noun and a comma, taken for the main verb."""
    comma = _comma_before(one.head, tree)
    if not _bare_past(one) or one.objects or comma is None or not one.subjects:
        return False
    named = one.subjects[0].position
    return all(word.position == named or word.head == named for word in tree.words[named : comma.position])


def _tag(each: ClauseDraft, one: ClauseDraft) -> bool:
    """`…,” said Mara, alarmed`: she has her verb already."""
    shared = each is not one and each.subjects[:1] == one.subjects[:1]
    return shared and each.head.position < one.subjects[0].position


def _goes_on(one: ClauseDraft, tree: Tree) -> bool:
    """`…, darted from the side`: behind a comma, with nothing that joins it."""
    free = one.relation in JOINED and one.marker is None and "and" not in one.adverbs
    return free and _bare_past(one) and _comma_before(one.head, tree) is not None


def _bare_past(one: ClauseDraft) -> bool:
    return one.head.tag in PAST and not one.adverbs & (
        wordset("auxiliaries.having") | wordset("auxiliaries.passive")
    )


def _comma_before(head: Word, tree: Tree) -> Word | None:
    """The comma behind which a verb stands, adverbs aside."""
    before = [word for word in tree.words[: head.position] if word.pos != "ADV"]
    return before[-1] if before and before[-1].text == "," else None


# -- What lies where: the noun that a participle of lying somewhere describes (`saw a tie neatly tucked away in a box`)


def lies_somewhere(one: ClauseDraft) -> bool:
    """Whether a verb can tell where a thing is to be seen."""
    return any(frame.type == "show" for frame in frame_table().of(one.verb, one.particle))


def lies_where_put(one: ClauseDraft) -> bool:
    """Whether its participle can: `tucked away in a box`."""
    frames = frame_table().of(one.verb, one.particle)
    return any(frame.type == "show" and "patient:object" in frame.needs for frame in frames)


def thing_beside(tree: Tree, one: ClauseDraft) -> Word | None:
    """What a participle of lying somewhere follows: `noticed a tie neatly tucked away in a cupboard`."""
    if not lies_somewhere(one):
        return None
    before = [
        word for word in tree.words[: one.head.position] if not word.text.endswith("ly") and word.pos != "ADV"
    ]
    noun = _holding(tree, before[-1]) if before else None
    fits = noun and noun.tag.startswith("NN") and not noun.name and noun.position not in tree.heads
    return noun if fits else None


def _holding(tree: Tree, noun: Word) -> Word:
    """`a box filled with cherries sitting there`: the box sits there, and they are in it."""
    if noun.relation not in {"nmod", "obl"} or tree.case(noun) not in wordset("prepositions.of_contents"):
        return noun
    above = tree.words[noun.head]
    above = tree.words[above.head] if above.relation == "acl" else above
    return above if above.lemma in frame_table().nouns["containers"] else noun


def thing_seen(tree: Tree, one: ClauseDraft, seeing: ClauseDraft | None) -> Word | None:
    """What a participle describes across a comma, where somebody looks at it: `saw a red coat, neatly folded in a box`."""
    if seeing is None or not lies_somewhere(one):
        return None
    gaze = any(word.lemma in frame_table().nouns["gaze"] for word in seeing.subjects)
    if not gaze and not frame_table().perceives(seeing.verb):
        return None
    between = tree.words[seeing.head.position + 1 : one.head.position]
    before = [word for word in between if word.pos not in {"ADV", "PUNCT"}]
    return before[-1] if before and before[-1].tag.startswith("NN") else None


def reveal(found: list[ClauseDraft], tree: Tree) -> None:
    """`There it was, lying in the box - a coat`: it is the coat."""
    texts = [word.text.lower() for word in tree.words]
    dash = _dash_behind_it(texts)
    if dash is None or not any(_there_it_is(clause, texts) for clause in found):
        return
    behind = _first_noun(tree, dash + 1)
    for clause in found:
        if behind is not None and _is_it(clause, dash):
            clause.subjects = tree.row(behind)


def _dash_behind_it(texts: list[str]) -> int | None:
    return next((n for n, text in enumerate(texts) if text in DASHES and "it" in texts[:n]), None)


def _first_noun(tree: Tree, start: int) -> Word | None:
    """The first noun from here on that no preposition leads."""
    nouns = (word for word in tree.words[start:] if word.tag.startswith("NN"))
    return next((word for word in nouns if not tree.case(word)), None)


def _is_it(clause: ClauseDraft, dash: int) -> bool:
    return any(word.text.lower() == "it" and word.position < dash for word in clause.subjects)


def _there_it_is(clause: ClauseDraft, texts: list[str]) -> bool:
    before = tuple(texts[clause.head.position - 2 :][:2])
    return clause.verb == "be" and before == wordrow("adverbs.there_it")
