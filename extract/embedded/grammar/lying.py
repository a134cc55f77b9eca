"""What lies where: the noun that a participle of lying somewhere describes (`saw a tie neatly tucked away in a box`).

Small parsers hang such a participle on the verb, on the nearest noun or on nothing. From the grammar alone; pure.
"""

from __future__ import annotations

from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.grammar.tree import Clause, Tree
from narraworld.extract.embedded.lexicon.verb_frames import frame_table

__all__ = ["lies_somewhere", "lies_where_put", "thing_beside", "thing_seen"]


def lies_somewhere(one: Clause) -> bool:
    """Whether a verb can tell where a thing is to be seen."""
    return any(frame.type == "show" for frame in frame_table().of(one.verb, one.particle))


def lies_where_put(one: Clause) -> bool:
    """Whether its participle can: `tucked away in a box`."""
    frames = frame_table().of(one.verb, one.particle)
    return any(frame.type == "show" and "patient:object" in frame.needs for frame in frames)


def thing_beside(tree: Tree, one: Clause) -> Word | None:
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
    if noun.relation not in {"nmod", "obl"} or tree.case(noun) not in {"of", "with"}:
        return noun
    above = tree.words[noun.head]
    above = tree.words[above.head] if above.relation == "acl" else above
    return above if above.lemma in frame_table().nouns["containers"] else noun


def thing_seen(tree: Tree, one: Clause, seeing: Clause | None) -> Word | None:
    """What a participle describes across a comma, where somebody looks at it: `saw a red coat, neatly folded in a box`."""
    if seeing is None or not lies_somewhere(one):
        return None
    gaze = any(word.lemma in frame_table().nouns["gaze"] for word in seeing.subjects)
    if not gaze and not frame_table().perceives(seeing.verb):
        return None
    between = tree.words[seeing.head.position + 1 : one.head.position]
    before = [word for word in between if word.pos not in {"ADV", "PUNCT"}]
    return before[-1] if before and before[-1].tag.startswith("NN") else None
