"""Realis: whether a clause tells what was done, or what is denied, wished, supposed, foretold or a habit. Pure; finds no subject."""

from __future__ import annotations

from narraworld.extract.embedded.grammar.tree import Clause, Tree
from narraworld.extract.embedded.lexicon.function_words import endings, wordmap, wordset
from narraworld.extract.embedded.lexicon.verb_frames import frame_table

__all__ = ["BARE", "MODAL", "beside", "of_doing", "settle_realis", "takes_upon"]

BARE = frozenset({"VB", "VBN"})
MODAL = frozenset({"future", "hypothetical"})
UNREAL = frozenset({"future", "hypothetical", "habitual", "dreamed"})


def settle_realis(found: list[Clause], tree: Tree) -> None:
    """Give each clause its realis; who only seems to, and what only announces what follows, is marked as such."""
    for one in found:
        one.seeming = _seems(one, found)
        one.turned = _turned(one, tree)
        one.announcing = _announces(one, found)
        one.realis = _realis(one, found)


def _realis(one: Clause, found: list[Clause]) -> str:
    if one.marker in wordset("conjunctions.supposing") or one.turned:
        return "hypothetical"
    able = (
        one.realis == "hypothetical"
        and bool(one.adverbs & wordset("modals.able"))
        and not beside(one, found, wordset("conjunctions.supposing"))
    )
    if able and one.marker == "before" and _could_see(one):
        return "negated"  # `hid it before he could see it`
    if able and (one.negated or _could_see(one)):
        return "negated" if one.negated else "actual"  # `could not find it`, `could hear the sea`
    if one.realis != "actual":
        return _modal(one, found)
    if one.marker == "before" and one.head.tag == "VBG" and frame_table().perceives(one.verb):
        return "negated"  # `left before seeing it`
    if one.adverbs & wordset("adverbs.almost") or (
        one.adverbs & wordset("adverbs.hardly") and not one.earlier
    ):  # who `had hardly spoken` did speak
        return "hypothetical"
    if _words(one) & (wordset("adverbs.habit") | wordset("conjunctions.whenever")) or _each_time(one, found):
        return "habitual"
    if one.head.tag == "VB" and not one.subjects and one.relation == "root":  # `let me see`
        return "hypothetical"
    if _bidden(one, found):
        return "hypothetical"
    parent = found[one.parent] if one.parent is not None else None
    if parent and _used_to(one, parent, found):
        return "habitual"
    if one.relation in {"xcomp", "ccomp"} and parent and parent.verb in frame_table().dreaming:
        return "dreamed"
    if one.relation in {"xcomp", "ccomp"} and parent and not one.negated:
        above = _realis(parent, found)
        if frame_table().perceives(parent.verb):  # what somebody did not see happened all the same
            return "actual" if above == "negated" else above
        if one.head.tag == "VBG" and parent.unhelped:
            return "actual"
        if one.relation == "xcomp" and _happens(one, parent):
            return above
    if parent and takes_upon(one, parent):
        return _realis(parent, found)
    if one.relation == "advcl" and one.head.tag == "VBG" and one.marker in {None, "by"} and parent:
        above = _realis(parent, found)  # `would sit there, smoking`
        return above if above in UNREAL else _plain(one)
    if one.marker == "to" and parent and _met_with(one, parent):  # `was delighted to find`
        return _realis(parent, found)
    if one.marker == "to" and "only" in one.adverbs:  # `came in, only to find it gone`
        return "actual"
    bare = (
        "be" in one.adverbs and not one.adverbs & wordmap("modals.realis").keys()
    )  # `lest she should fall and be hurt`
    if bare or one.marker == "to" or (one.relation == "xcomp" and parent) or of_doing(one):
        return "hypothetical"
    return _plain(one)


def _bidden(one: Clause, found: list[Clause]) -> bool:
    """`take the bottle and send it to me`: a second thing that somebody is told to do."""
    parent = found[one.parent] if one.parent is not None and one.relation == "conj" else None
    if (
        parent is None
        or one.subjects
        or parent.subjects
        or not {one.head.tag, parent.head.tag} <= {"VB", "VBP"}
    ):
        return False
    return parent.relation == "root" or _bidden(parent, found)


def _plain(one: Clause) -> str:
    return "negated" if one.negated else "actual"


def _turned(one: Clause, tree: Tree) -> bool:
    """`Had she known it, …`: an `if` by the order of the words."""
    if not one.subjects or one.subjects[0].position > one.head.position:
        return False
    subject = one.subjects[0]
    before = [word for word in tree.words[: subject.position] if word.head != subject.position]
    first = before[-2] if len(before) > 1 else None
    begins = (
        first is None or first.pos == "PUNCT" or first.text.lower() in wordset("conjunctions.joining_clauses")
    )
    return bool(before) and before[-1].text.lower() in wordset("auxiliaries.turned_round") and begins


def _announces(one: Clause, found: list[Clause]) -> bool:
    """`It was curious how she slept`: what `it` stands for comes behind."""
    it = [word.text.lower() for word in one.subjects] == ["it"]
    behind = (each for each in found if each.parent is not None and found[each.parent] is one)
    return (
        one.copular
        and it
        and any(
            each.marker in wordset("conjunctions.announced") and each.head.position > one.head.position
            for each in behind
        )
    )


def _seems(one: Clause, found: list[Clause]) -> bool:
    """`seemed asleep`, `appeared to listen`; but whoever `appeared` came."""
    raised = any(
        found[each.parent] is one and each.marker == "to" and each.relation == "xcomp"
        for each in found
        if each.parent is not None
    )
    return one.verb == "seem" or (one.verb in frame_table().seeming and raised)


def _used_to(one: Clause, parent: Clause, found: list[Clause]) -> bool:
    """`used to sit and watch`: both were habits."""
    if one.relation == "conj" and one.head.tag == "VB" and parent.parent is not None:
        return _used_to(parent, found[parent.parent], found)
    return one.relation == "xcomp" and one.marker == "to" and parent.habit


def of_doing(one: Clause) -> bool:
    """`accused her of stealing it`, `dreamed of going`: nobody says that it was done."""
    return one.relation == "advcl" and one.marker == "of" and one.head.tag == "VBG"


def _could_see(one: Clause) -> bool:
    """Who could see something saw it."""
    return frame_table().perceives(one.verb) and "could" in one.adverbs and "have" not in one.adverbs


def _modal(one: Clause, found: list[Clause]) -> str:
    """`would`: a habit with `often`, a supposition with `have` or beside an `if`."""
    bare = (
        one.relation == "conj" and one.head.tag in BARE and not one.adverbs & wordmap("modals.realis").keys()
    )
    if bare and one.parent is not None:
        return _realis(found[one.parent], found)  # `would open it and look at it`
    if one.realis == "future" and one.adverbs & wordset("adverbs.habit"):
        return "habitual"
    if "would" in one.adverbs and one.negated and one.relation in {"root", "conj"}:  # `she would not come`
        return "negated"
    supposed = "have" in one.adverbs or beside(one, found, wordset("conjunctions.supposing"))
    return "hypothetical" if "would" in one.adverbs and supposed else one.realis


def _words(one: Clause) -> set[str]:
    return one.adverbs | {one.marker or ""}


def beside(one: Clause, found: list[Clause], markers: frozenset[str]) -> bool:
    """Whether a clause hangs on this one behind such a word."""
    return any(
        found[each.parent] is one and _words(each) & markers for each in found if each.parent is not None
    )


def _each_time(one: Clause, found: list[Clause]) -> bool:
    """Whether it happens `whenever` something else does; not `moved it, so that she would see it whenever she came`."""
    hanging = [
        each
        for each in found
        if each.parent is not None
        and found[each.parent] is one
        and _words(each) & wordset("conjunctions.whenever")
    ]
    nearer = [each.head.position for each in found if each.realis in MODAL and each is not one]
    return any(not any(one.head.position < at <= each.head.position for at in nearer) for each in hanging)


def _happens(one: Clause, parent: Clause) -> bool:
    """Whether a verb's complement happens with it: `remained looking`, `began to look`; not `came to look`."""
    if one.head.tag == "VBG" and one.marker != "to":
        return parent.verb not in frame_table().avoiding
    if one.head.tag == "VBN" and one.marker is None:  # `left it shut`, not `wanted it shut`
        return not any(frame.type == "intend" for frame in frame_table().of(parent.verb, None))
    if parent.verb == "have":
        return parent.head.tag == "VBD"  # `she had to leave`, not `she has to leave`
    return parent.verb in frame_table().happening and not (
        one.marker == "to" and parent.verb in frame_table().going
    )


def takes_upon(one: Clause, parent: Clause) -> bool:
    """`took it upon herself to move it`."""
    upon = [
        word.text.lower()
        for preposition, word in parent.phrases
        if preposition in wordset("prepositions.upon")
    ]
    return (
        parent.verb == "take"
        and one.marker == "to"
        and any(word.endswith(endings("endings.self")) for word in upon)
    )


def _met_with(one: Clause, parent: Clause) -> bool:
    glad = parent.copular or parent.passive or parent.head.tag == "VBN"
    learnt = frame_table().perceives(one.verb) or one.verb in wordset("verbs.learning")
    return glad and learnt and parent.head.text.lower() in frame_table().moved
