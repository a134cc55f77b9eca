"""Clauses: who does what to whom, under which reservations. From the grammar of one sentence, without knowing any verb.

A clause owns the words whose nearest clause head it is; its range is theirs. Subjects are shared along `and`, handed down
to infinitives, and found behind `who`. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from narraworld.extract.embedded.grammar.negation import denied
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.grammar.participles import (
    lies_somewhere,
    lies_where_put,
    settle_voice,
    thing_beside,
    thing_seen,
)
from narraworld.extract.embedded.grammar.realis import (
    BARE,
    MODAL,
    of_doing,
    settle_realis,
    takes_upon,
)
from narraworld.extract.embedded.grammar.tree import FINITE, Clause, Tree
from narraworld.extract.embedded.lexicon.function_words import endings, wordset
from narraworld.extract.embedded.lexicon.nouns import nouns
from narraworld.extract.embedded.lexicon.verb_frames import frame_table

__all__ = ["Clause", "clauses"]

LEADING = frozenset({"VBG", "VBN", "VBD"})  # `Filled with joy, she …`
SHARING = frozenset({"conj", "xcomp", "advcl", "parataxis"})
BESIDE = frozenset({"acl", "relative", "advcl"})
DASHES = frozenset({"-", "--", "–", "—", ":"})


def clauses(words: Sequence[Word]) -> list[Clause]:
    """The clauses of a sentence in the order of their heads, parents by position in the list."""
    tree = Tree(words)
    found = [tree.clause(head) for head in tree.heads]
    for one, head in zip(found, tree.heads, strict=True):
        above = tree.above(head)
        one.parent = tree.heads.index(above) if above is not None else None
        one.negated = denied(one, tree)
    _begin_with(found, tree)
    for one in sorted(found, key=lambda each: tree.depth(each.head)):
        _share(one, found, tree)
        finite = one.head.tag in FINITE or (one.head.tag == "VBN" and one.relation == "root")
        if not one.subjects and finite and one.relation not in {"acl", "relative"}:
            one.subjects = tree.nearest_nominative(one.head)
    _turn_round(found, tree)
    _reveal(found, tree)
    _lead_in(found)
    settle_voice(found, tree)
    settle_realis(found, tree)
    return found


def _begin_with(found: list[Clause], tree: Tree) -> None:
    """`Thinking that Tom was out, she took it`, taken for a thought with an afterthought: she took it is what is told."""
    lead = next((one for one in found if one.parent is None and one.relation == "root"), None)
    before = [] if lead is None else [word for word in tree.words[: lead.head.position] if word.pos != "ADV"]
    if lead is None or lead.subjects or before or lead.head.tag not in LEADING:
        return
    own = [one for one in found if one.relation == "parataxis" and one.subjects and one.head.tag in FINITE]
    main = next((one for one in own if tree.behind_comma(one)), None)
    if main is not None:
        main.parent, main.relation = None, "root"
        lead.parent, lead.relation = found.index(main), "advcl"
        lead.passive = lead.head.tag != "VBG" and not lead.objects


def _turn_round(found: list[Clause], tree: Tree) -> None:
    """`Tucked away in the box was a coat`: the coat is tucked away there."""
    for one in found:
        after = [each for each in found if each.head.position > one.head.position]
        if one.subjects or one.objects or not after or not lies_somewhere(one):
            continue
        shown = min(after, key=lambda each: each.head.position)
        if shown.copular and not shown.subjects and shown.head.tag.startswith("NN"):
            one.subjects, one.passive = list(shown.predicates), one.head.tag == "VBN"


def _reveal(found: list[Clause], tree: Tree) -> None:
    """`There it was, lying in the box - a coat`: it is the coat."""
    texts = [word.text.lower() for word in tree.words]
    dash = next((n for n, text in enumerate(texts) if text in DASHES and "it" in texts[:n]), None)
    there = [
        one
        for one in found
        if one.verb == "be" and texts[one.head.position - 2 :][:2] == list(endings("adverbs.there_it"))
    ]
    if dash is None or not there:
        return
    behind = [word for word in tree.words[dash + 1 :] if word.tag.startswith("NN") and not tree.case(word)]
    for one in found if behind else ():
        if any(word.text.lower() == "it" and word.position < dash for word in one.subjects):
            one.subjects = tree.row(behind[0])


def _lead_in(found: list[Clause]) -> None:
    """`Putting the pear down, Mara left`: a participle before the main clause has its subject."""
    for number, one in enumerate(found):
        if one.subjects or one.head.tag != "VBG" or one.relation not in {"root", "csubj"}:
            continue
        below = [each for each in found if each.parent == number and each.relation == "parataxis"]
        main = found[one.parent] if one.parent is not None else next(iter(below), None)
        one.subjects = list(main.subjects) if main else []


def _share(one: Clause, found: list[Clause], tree: Tree) -> None:
    """Give a clause without a subject the one it shares."""
    parent = found[one.parent] if one.parent is not None else None
    if one.relation == "relative":
        stood_for = tree.words[one.head.head]
        for part in (one.subjects, one.objects):
            part[:] = [
                stood_for if word.text.lower() in wordset("pronouns.relative") else word for word in part
            ]
        if one.marker == "where" and not one.phrases and stood_for.pos in {"NOUN", "PROPN"}:
            one.phrases = [("in", stood_for)]  # `a box where a coat was kept`
    elif [word.text.lower() for word in one.subjects] == ["who"]:  # `Ann, who saw it, left`, misread
        one.subjects = tree.named_before(one.subjects[0]) or one.subjects
    if not one.subjects and parent is None:  # `Ann, quite unaware of it, left`
        above = tree.words[one.head.head]
        one.subjects = [
            word for word in tree.children(above) if word.relation == "nsubj" and above != one.head
        ]
    if not one.subjects and _participle(one, parent, tree):
        return
    if one.subjects or parent is None:
        return
    if _while_doing(one, parent):
        return
    if takes_upon(one, parent):
        one.subjects = list(parent.subjects)
    planned = one.relation == "acl" and one.marker == "to"  # `hatched a plan to move it`
    if one.relation == "conj" and parent.marker == "to" and one.head.tag in FINITE:
        return  # `To help her, Leo quickly moved it`, misread: no part of the purpose
    if _left_over(one, parent):
        one.passive = True
        return
    if one.relation == "conj" and parent.relation in BESIDE and tree.beyond_a_stop(one.head):
        parent = next(
            (each for each in found if each.relation == "root"), parent
        )  # `…; and then, bracing himself, …`
    if planned or one.relation in SHARING:
        one.subjects = [] if _torn(one, parent, found) else list(_controller(one, parent, tree))
        one.passive = one.passive or _undergoes(one, parent)
    if one.relation == "conj":
        one.marker = one.marker or parent.marker
        shares = one.head.tag in BARE or parent.realis not in MODAL  # `would not argue, but went`
        one.realis = parent.realis if one.realis == "actual" and shares else one.realis


def _while_doing(one: Clause, parent: Clause) -> bool:
    """Give `watched as Tom opened it`, taken for `as Tom`, its own subject; whether it was one."""
    named = [phrase for phrase in parent.phrases if phrase[0] == "as" and phrase[1].name]
    if one.head.tag not in FINITE or not named or named[-1][1].position != one.head.position - 1:
        return False
    parent.phrases.remove(named[-1])
    one.subjects, one.relation, one.marker = [named[-1][1]], "advcl", "as"
    return True


def _controller(one: Clause, parent: Clause, tree: Tree) -> list[Word]:
    """Who does what has no subject of its own: `asked him to go` is his going, `took the pen to write` is not the pen's."""
    if noun := tree.described_by(one):
        return [noun]
    other = [word for word in parent.objects or parent.seconds if word.lemma != parent.particle]
    if any(word.text.lower().endswith(endings("endings.self")) for word in other):  # `found herself followed`
        return parent.subjects
    made_to = parent.verb in frame_table().causing or frame_table().perceives(parent.verb)
    somebody = any(map(_somebody, other))
    handed = one.relation == "xcomp" or of_doing(one)
    sent = (
        one.marker == "to" and one.relation != "acl"
    )  # `sent her brother to fetch it`, not `made a plan to go`
    beside = bool(other) and other[-1].position == one.head.position - 1
    seen = one.relation == "advcl" and one.head.tag == "VBG" and beside and made_to
    theirs = (handed and (made_to or somebody)) or (sent and made_to and somebody) or seen
    return other if other and theirs else parent.subjects


def _somebody(word: Word) -> bool:
    """Whether a word stands for one who can act: a name, `him`, `the girl`."""
    person = nouns().kind(word.lemma) in {"character", "group"} or nouns().can_be_he(word.lemma)
    return word.name or word.pos == "PRON" or person


def _left_over(one: Clause, parent: Clause) -> bool:
    """`I remember it as a cart, painted red and drawn by a horse`: what joins no participle describes some noun before."""
    joined = (
        one.relation == "conj"
        and one.head.tag == "VBN"
        and bool(one.adverbs & wordset("conjunctions.joining_clauses"))
    )
    return (
        joined
        and parent.head.tag in FINITE
        and not one.adverbs & (wordset("auxiliaries.having") | wordset("auxiliaries.passive"))
    )


def _torn(one: Clause, parent: Clause, found: list[Clause]) -> bool:
    """A participle behind another clause than the one it is said to hang on, of somebody else: it may be either's."""
    if one.relation != "advcl" or one.head.tag not in {"VBG", "VBN"}:
        return False
    before = [each for each in found if each.head.position < one.head.position and _tensed(each)]
    nearest = max(before, key=lambda each: each.head.position, default=parent)
    if nearest is parent or parent.head.position > one.head.position:
        return False
    return {word.text.lower() for word in nearest.subjects} != {word.text.lower() for word in parent.subjects}


def _tensed(one: Clause) -> bool:
    return one.head.tag in FINITE or one.copular or bool(one.adverbs & wordset("auxiliaries.having"))


def _undergoes(one: Clause, parent: Clause) -> bool:
    """`lay nestled in`, `came in, followed by Tom`, `was caught and hanged`."""
    while_so = (
        one.relation == "advcl"
        and one.marker not in {None, "to"}
        and one.head.tag == "VBD"
        and not one.objects
    )
    if (one.head.tag != "VBN" and not while_so) or one.adverbs & wordset(
        "auxiliaries.having"
    ):  # `while thus engaged`
        return False
    bare = one.relation == "conj" and not one.adverbs & wordset("conjunctions.joining_clauses")
    return one.relation in {"xcomp", "advcl"} or bare or (one.relation == "conj" and parent.passive)


def _participle(one: Clause, parent: Clause | None, tree: Tree) -> bool:
    """Give a participle the noun it describes; whether it is one."""
    misread = (
        one.head.tag == "VBD" and "and" not in one.adverbs and lies_where_put(one)
    )  # `saw a coat tucked away in a box`
    if one.head.tag not in {"VBG", "VBN"} and not misread:
        return False
    noun = None if one.objects else thing_beside(tree, one) or thing_seen(tree, one, parent)
    if noun is None and not misread and one.relation == "acl" and one.head.head not in tree.heads:
        noun = tree.row(tree.words[one.head.head])[0]
        noun = noun if one.marker is None else tree.doer_of(noun)  # nobody does `the danger of falling`
    if noun is None:
        return False
    one.subjects, one.relation = [noun], "acl"
    one.passive = one.head.tag != "VBG" and not one.objects  # `the chest contained a crown`, misread
    if parent:
        _take_back(one, parent)
    return True


def _take_back(one: Clause, parent: Clause) -> None:
    """A phrase behind a participle belongs to it: `their eyes fell on an apple sitting in a suitcase`."""
    if not one.phrases:
        one.phrases = [phrase for phrase in parent.phrases if phrase[1].position > one.head.position]
        parent.phrases = [phrase for phrase in parent.phrases if phrase not in one.phrases]
    if frame_table().of(parent.verb, parent.particle):  # `moved the box filled with plums to the shelf`
        parent.phrases += [phrase for phrase in one.phrases if phrase[0] in wordset("prepositions.towards")]
        one.phrases = [phrase for phrase in one.phrases if phrase[0] not in wordset("prepositions.towards")]
