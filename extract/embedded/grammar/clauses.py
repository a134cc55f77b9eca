"""Clauses: who does what to whom, under which reservations. From the grammar of one sentence, without knowing any verb.

A clause owns the words whose nearest clause head it is; its range is theirs. Subjects are shared along `and`, handed down
to infinitives, and found behind `who`: two tables of named cases, `STANDING_FOR` (every case that fits) and `SHARED` (the first
one). Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from narraworld.extract.embedded.grammar.negation import denied
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.grammar.participles import (
    lies_somewhere,
    lies_where_put,
    reveal,
    settle_voice,
    thing_beside,
    thing_seen,
)
from narraworld.extract.embedded.grammar.realis import BARE, of_doing, settle_realis, takes_upon
from narraworld.extract.embedded.grammar.repairs.repair import draft_of
from narraworld.extract.embedded.grammar.tree import FINITE, Clause, ClauseDraft, Tree
from narraworld.extract.embedded.lexicon.function_words import wordrow, wordset
from narraworld.extract.embedded.lexicon.nouns import nouns
from narraworld.extract.embedded.lexicon.verb_frames import frame_table

__all__ = ["SHARED", "STANDING_FOR", "Clause", "SentenceDraft", "ShareCase", "Sharing", "clauses", "drafted"]

LEADING = frozenset({"VBG", "VBN", "VBD"})  # `Filled with joy, she …`
SHARING = frozenset({"conj", "xcomp", "advcl", "parataxis"})
BESIDE = frozenset({"acl", "relative", "advcl"})
DESCRIBING = frozenset({"acl", "relative"})
PARTICIPLES = frozenset({"VBG", "VBN"})


@dataclass(frozen=True, slots=True)
class SentenceDraft:
    """The clauses of a sentence before it is settled which of them tell what was done."""

    found: list[ClauseDraft]
    tree: Tree


class Sharing(NamedTuple):
    """A clause without a subject, and the one whose subject it may share."""

    clause: ClauseDraft
    parent: ClauseDraft | None
    found: list[ClauseDraft]
    tree: Tree

    def breaks_in(self, other: ClauseDraft) -> bool:
        """`Ann was asleep when Leo came in and was about to …`: what breaks in upon a state is what goes on."""
        before = other.marker == "when" and other.relation == "advcl" and bool(other.subjects)
        between = self.parent is not None and self.parent.head.position < other.head.position
        near = other.head.position < self.clause.head.position and not self.tree.beyond_a_stop(
            self.clause.head
        )
        return before and between and near


class ShareCase(NamedTuple):
    """A case of sharing: when it applies, and what it gives the clause."""

    name: str
    when: Callable[[Sharing], bool]
    give: Callable[[Sharing], None]
    example: str


def clauses(words: Sequence[Word]) -> list[Clause]:
    """The clauses of a sentence in the order of their heads, parents by position in the list."""
    draft = drafted(words)
    return settle_realis(draft.found, draft.tree)


def drafted(words: Sequence[Word]) -> SentenceDraft:
    """The clauses of a sentence, all but what is real of them."""
    tree = Tree(words)
    found = [draft_of(tree, head) for head in tree.heads]
    for clause, head in zip(found, tree.heads, strict=True):
        above = tree.above(head)
        clause.parent = tree.heads.index(above) if above is not None else None
        clause.negated = denied(clause, tree)
    _begin_with(found, tree)
    for clause in sorted(found, key=lambda each: tree.depth(each.head)):
        _share(clause, found, tree)
    _turn_round(found)
    reveal(found, tree)
    _lead_in(found)
    settle_voice(found, tree)
    return SentenceDraft(found, tree)


def _share(clause: ClauseDraft, found: list[ClauseDraft], tree: Tree) -> None:
    """Give a clause without a subject the one it shares."""
    here = Sharing(clause, found[clause.parent] if clause.parent is not None else None, found, tree)
    for case in STANDING_FOR:
        if case.when(here):
            case.give(here)
    fitting = next((case for case in SHARED if case.when(here)), None)
    if fitting is not None:
        fitting.give(here)
    if not clause.subjects and _wants_subject(clause):
        clause.subjects = tree.nearest_nominative(clause.head)


def _wants_subject(clause: ClauseDraft) -> bool:
    finite = clause.head.tag in FINITE or (clause.head.tag == "VBN" and clause.relation == "root")
    return finite and clause.relation not in DESCRIBING


# -- what a word stands for


def _relative(here: Sharing) -> bool:
    return here.clause.relation == "relative"


def _stand_for_noun(here: Sharing) -> None:
    noun = here.tree.words[here.clause.head.head]
    for part in (here.clause.subjects, here.clause.objects):
        part[:] = [noun if word.text.lower() in wordset("pronouns.relative") else word for word in part]


def _where(here: Sharing) -> bool:
    clause = here.clause
    placed = clause.marker == "where" and not clause.phrases
    return _relative(here) and placed and here.tree.words[clause.head.head].pos in {"NOUN", "PROPN"}


def _stand_for_place(here: Sharing) -> None:
    here.clause.phrases = [("in", here.tree.words[here.clause.head.head])]


def _who(here: Sharing) -> bool:
    return not _relative(here) and [word.text.lower() for word in here.clause.subjects] == ["who"]


def _stand_for_name(here: Sharing) -> None:
    here.clause.subjects = here.tree.named_before(here.clause.subjects[0]) or here.clause.subjects


def _unowned(here: Sharing) -> bool:
    return not here.clause.subjects and here.parent is None


def _take_subject_above(here: Sharing) -> None:
    head = here.clause.head
    above = here.tree.words[head.head]
    here.clause.subjects = [
        word for word in here.tree.children(above) if word.relation == "nsubj" and above != head
    ]


STANDING_FOR = (
    ShareCase("who stands for its noun", _relative, _stand_for_noun, "The man who left was Leo."),
    ShareCase("where stands for its noun", _where, _stand_for_place, "It was a box where a coat was kept."),
    ShareCase("who stands for a name", _who, _stand_for_name, "Ann, who saw it, left."),
    ShareCase("beside a subject", _unowned, _take_subject_above, "Ann, quite unaware of it, left."),
)


# -- whose subject is shared


def _described(here: Sharing) -> Word | None:
    """The noun that a participle describes, if it is one."""
    clause, tree = here.clause, here.tree
    misread = _misread(clause)
    if clause.head.tag not in PARTICIPLES and not misread:
        return None
    noun = None if clause.objects else thing_beside(tree, clause) or thing_seen(tree, clause, here.parent)
    hangs = clause.relation == "acl" and clause.head.head not in tree.heads
    if noun is not None or misread or not hangs:
        return noun
    noun = tree.row(tree.words[clause.head.head])[0]
    return noun if clause.marker is None else tree.doer_of(noun)  # nobody does `the danger of falling`


def _misread(clause: ClauseDraft) -> bool:
    """`saw a coat tucked away in a box`, taken for the past of a verb."""
    return clause.head.tag == "VBD" and "and" not in clause.adverbs and lies_where_put(clause)


def _describes(here: Sharing) -> bool:
    return not here.clause.subjects and _described(here) is not None


def _describe(here: Sharing) -> None:
    clause, noun = here.clause, _described(here)
    assert noun is not None
    clause.subjects, clause.relation = [noun], "acl"
    clause.passive = clause.head.tag != "VBG" and not clause.objects  # `the chest contained a crown`, misread
    if here.parent:
        _take_back(clause, here.parent)


def _take_back(clause: ClauseDraft, parent: ClauseDraft) -> None:
    """A phrase behind a participle belongs to it: `their eyes fell on an apple sitting in a suitcase`."""
    if not clause.phrases:
        clause.phrases = [phrase for phrase in parent.phrases if phrase[1].position > clause.head.position]
        parent.phrases = _without(parent.phrases, clause.phrases)
    if frame_table().of(parent.verb, parent.particle):  # `moved the box filled with plums to the shelf`
        towards = [phrase for phrase in clause.phrases if phrase[0] in wordset("prepositions.towards")]
        parent.phrases += towards
        clause.phrases = _without(clause.phrases, towards)


def _without(phrases: list[tuple[str, Word]], others: list[tuple[str, Word]]) -> list[tuple[str, Word]]:
    return [phrase for phrase in phrases if phrase not in others]


def _own(here: Sharing) -> bool:
    return bool(here.clause.subjects) or here.parent is None


def _leave(_here: Sharing) -> None:
    """Nothing is shared."""


def _parent(here: Sharing) -> ClauseDraft:
    assert here.parent is not None  # `_own` comes first
    return here.parent


def _named_as(here: Sharing) -> tuple[str, Word] | None:
    """`watched as Tom opened it`, taken for `as Tom`."""
    named = [phrase for phrase in _parent(here).phrases if phrase[0] == "as" and phrase[1].name]
    beside = bool(named) and named[-1][1].position == here.clause.head.position - 1
    return named[-1] if beside and here.clause.head.tag in FINITE else None


def _while_doing(here: Sharing) -> bool:
    return _named_as(here) is not None


def _give_back(here: Sharing) -> None:
    phrase, clause = _named_as(here), here.clause
    assert phrase is not None
    _parent(here).phrases.remove(phrase)
    clause.subjects, clause.relation, clause.marker = [phrase[1]], "advcl", "as"


def _no_purpose(here: Sharing) -> bool:
    return here.clause.relation == "conj" and _parent(here).marker == "to" and here.clause.head.tag in FINITE


def _left_over(here: Sharing) -> bool:
    """What joins no participle describes some noun before."""
    clause = here.clause
    joined = clause.relation == "conj" and clause.head.tag == "VBN"
    joined = joined and bool(clause.adverbs & wordset("conjunctions.joining_clauses"))
    helped = clause.adverbs & (wordset("auxiliaries.having") | wordset("auxiliaries.passive"))
    return joined and _parent(here).head.tag in FINITE and not helped and not _told_as_past(clause)


def _told_as_past(clause: ClauseDraft) -> bool:
    """`Leo looked up, and swooped down`, taken for a participle: nobody is swooped."""
    return clause.verb in frame_table().intransitive


def _suffer(here: Sharing) -> None:
    here.clause.passive = True


def _shares(here: Sharing) -> bool:
    planned = here.clause.relation == "acl" and here.clause.marker == "to"  # `hatched a plan to move it`
    return planned or here.clause.relation in SHARING


def _give_shared(here: Sharing) -> None:
    clause, parent = here.clause, _goes_on_from(here)
    clause.subjects = (
        [] if _torn(clause, parent, here.found) else list(_controller(clause, parent, here.tree))
    )
    clause.passive = clause.passive or _undergoes(clause, parent)
    if clause.relation == "conj":
        clause.marker = clause.marker or parent.marker
        if clause.modal is None and clause.head.tag in BARE:  # not `would not argue, but went`
            clause.modal = parent.modal


def _goes_on_from(here: Sharing) -> ClauseDraft:
    """`…; and then, bracing himself, …`: behind a semicolon the main clause goes on."""
    parent = _parent(here)
    joined = here.clause.relation == "conj"
    if joined and parent.relation in BESIDE and here.tree.beyond_a_stop(here.clause.head):
        return next((each for each in here.found if each.relation == "root"), parent)
    return next(filter(here.breaks_in, here.found), parent) if joined and parent.going_on else parent


def _upon(here: Sharing) -> bool:
    return takes_upon(here.clause, _parent(here))


def _give_subject(here: Sharing) -> None:
    here.clause.subjects = list(_parent(here).subjects)


SHARED = (
    ShareCase("participle beside its noun", _describes, _describe, "Leo saw a coat tucked away in a box."),
    ShareCase("a subject of its own", _own, _leave, "Leo left and Ann stayed."),
    ShareCase("as somebody did", _while_doing, _give_back, "Leo watched as Tom opened it."),
    ShareCase("no part of the purpose", _no_purpose, _leave, "To help her, Leo quickly moved it."),
    ShareCase("left over", _left_over, _suffer, "I remember it as a cart, painted red and drawn by a horse."),
    ShareCase("shared", _shares, _give_shared, "Leo went in and sat down."),
    ShareCase("taken upon oneself", _upon, _give_subject, "It was Leo who took upon himself to move it."),
)


def _controller(clause: ClauseDraft, parent: ClauseDraft, tree: Tree) -> list[Word]:
    """Who does what has no subject of its own: `asked him to go` is his going, `took the pen to write` is not the pen's."""
    if noun := tree.described_by(clause):
        return [noun]
    other = [word for word in parent.objects or parent.seconds if word.lemma != parent.particle]
    if any(word.text.lower().endswith(wordrow("endings.self")) for word in other):  # `found herself followed`
        return parent.subjects
    return other if other and _theirs(clause, parent, other) else parent.subjects


def _theirs(clause: ClauseDraft, parent: ClauseDraft, other: list[Word]) -> bool:
    """Whether those to whom the deed above is done do this one."""
    made_to = parent.verb in frame_table().causing or frame_table().perceives(parent.verb)
    somebody = any(map(_somebody, other))
    if clause.relation == "xcomp" or of_doing(clause):
        return made_to or somebody
    sent = (
        clause.marker == "to" and clause.relation != "acl"
    )  # `sent her brother to fetch it`, not `made a plan to go`
    return made_to and ((sent and somebody) or _beside_its_doer(clause, other))


def _beside_its_doer(clause: ClauseDraft, other: list[Word]) -> bool:
    """`saw Mara coming`."""
    beside = other[-1].position == clause.head.position - 1
    return clause.relation == "advcl" and clause.head.tag == "VBG" and beside


def _somebody(word: Word) -> bool:
    """Whether a word stands for one who can act: a name, `him`, `the girl`."""
    person = nouns().kind(word.lemma) in {"character", "group"} or nouns().can_be_he(word.lemma)
    return word.name or word.pos == "PRON" or person


def _torn(clause: ClauseDraft, parent: ClauseDraft, found: list[ClauseDraft]) -> bool:
    """A participle behind another clause than the one it is said to hang on, of somebody else: it may be either's."""
    if clause.relation != "advcl" or clause.head.tag not in PARTICIPLES:
        return False
    before = [each for each in found if each.head.position < clause.head.position and _tensed(each)]
    nearest = max(before, key=lambda each: each.head.position, default=parent)
    if nearest is parent or parent.head.position > clause.head.position:
        return False
    return {word.text.lower() for word in nearest.subjects} != {word.text.lower() for word in parent.subjects}


def _tensed(clause: ClauseDraft) -> bool:
    return clause.head.tag in FINITE or clause.copular or bool(clause.adverbs & wordset("auxiliaries.having"))


def _undergoes(clause: ClauseDraft, parent: ClauseDraft) -> bool:
    """`lay nestled in`, `came in, followed by Tom`, `was caught and hanged`."""
    participle = clause.head.tag == "VBN" or _engaged(clause)
    if not participle or clause.adverbs & wordset("auxiliaries.having"):
        return False
    if clause.relation != "conj":
        return clause.relation in {"xcomp", "advcl"}
    return parent.passive or not clause.adverbs & wordset("conjunctions.joining_clauses")


def _engaged(clause: ClauseDraft) -> bool:
    """`while thus engaged`."""
    beside = clause.relation == "advcl" and clause.marker not in {None, "to"}
    return beside and clause.head.tag == "VBD" and not clause.objects


# -- the order of the sentence


def _begin_with(found: list[ClauseDraft], tree: Tree) -> None:
    """`Thinking that Tom was out, she took it`, taken for a thought with an afterthought: she took it is what is told."""
    lead = next(filter(_is_root, found), None)
    if lead is None or not _leads(lead, tree):
        return
    main = next((each for each in found if _afterthought(each) and tree.behind_comma(each)), None)
    if main is not None:
        main.parent, main.relation = None, "root"
        lead.parent, lead.relation = found.index(main), "advcl"
        lead.passive = lead.head.tag != "VBG" and not lead.objects


def _is_root(clause: ClauseDraft) -> bool:
    return clause.parent is None and clause.relation == "root"


def _afterthought(clause: ClauseDraft) -> bool:
    return clause.relation == "parataxis" and bool(clause.subjects) and clause.head.tag in FINITE


def _leads(lead: ClauseDraft, tree: Tree) -> bool:
    """A participle without a subject, before which nothing stands but adverbs."""
    first = all(word.pos == "ADV" for word in tree.words[: lead.head.position])
    return first and not lead.subjects and lead.head.tag in LEADING


def _turn_round(found: list[ClauseDraft]) -> None:
    """`Tucked away in the box was a coat`: the coat is tucked away there."""
    for clause in found:
        after = [each for each in found if each.head.position > clause.head.position]
        if clause.subjects or clause.objects or not after or not lies_somewhere(clause):
            continue
        shown = min(after, key=lambda each: each.head.position)
        if _only_shown(shown):
            clause.subjects, clause.passive = list(shown.predicates), clause.head.tag == "VBN"


def _only_shown(clause: ClauseDraft) -> bool:
    """`was a coat`."""
    return clause.copular and not clause.subjects and clause.head.tag.startswith("NN")


def _lead_in(found: list[ClauseDraft]) -> None:
    """`Putting the pear down, Mara left`: a participle before the main clause has its subject."""
    for number, clause in enumerate(found):
        if clause.subjects or clause.head.tag != "VBG" or clause.relation not in {"root", "csubj"}:
            continue
        below = [each for each in found if each.parent == number and each.relation == "parataxis"]
        main = found[clause.parent] if clause.parent is not None else next(iter(below), None)
        clause.subjects = list(main.subjects) if main else []
