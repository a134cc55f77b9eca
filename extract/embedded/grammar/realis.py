"""Realis: whether a clause tells what was done, or what is denied, wished, supposed, foretold, dreamed or a habit.

`CASES` is read top down and the first case that fits decides; what it takes for told, `TAKEN_BACK` may still take back (a
question, the ways of the world). The one place where a clause gets its realis. Pure; finds no subject.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.grammar.repairs.misreadings import has_bare_copula
from narraworld.extract.embedded.grammar.tree import Clause, ClauseDraft, Tree
from narraworld.extract.embedded.grammar.veridicality import of_a_sort
from narraworld.extract.embedded.lexicon.function_words import pattern, wordmap, wordrow, wordset
from narraworld.extract.embedded.lexicon.verb_frames import frame_table

__all__ = [
    "BARE",
    "CASES",
    "TAKEN_BACK",
    "Around",
    "Case",
    "carried_out",
    "of_doing",
    "realis_of",
    "settle_realis",
    "takes_upon",
]

BARE = frozenset({"VB", "VBN"})
BIDDING = frozenset({"VB", "VBP"})
UNTENSED = frozenset({"VBG", "VBN", "VB"})
MODAL = frozenset({"future", "hypothetical"})
UNREAL = frozenset({"future", "hypothetical", "habitual", "dreamed"})
TOLD = frozenset({"actual", "negated"})
COMPLEMENTS = frozenset({"xcomp", "ccomp"})


@dataclass(slots=True)
class Around:
    """What stands around a clause: the others of its sentence, and what is settled of them so far."""

    found: Sequence[ClauseDraft]
    words: Sequence[Word] = ()
    question: bool = False
    past: bool = False  # the story is told in the past, so that its present is the way of the world
    turned: set[int] = field(default_factory=set)  # supposed by the order of their words
    settled: dict[int, str] = field(default_factory=dict)  # by the place of their heads
    general: set[int] = field(default_factory=set)  # those that tell of a sort of people or things

    def now(self, clause: ClauseDraft) -> str:
        """What is known of a clause by now: what was settled, else what its helping verb says."""
        return self.settled.get(clause.head.position) or clause.modal or "actual"

    def parent(self, clause: ClauseDraft) -> ClauseDraft | None:
        return self.found[clause.parent] if clause.parent is not None else None

    def above(self, clause: ClauseDraft) -> str:
        """The realis of the clause that this one hangs on."""
        return realis_of(self.found[clause.parent], self).value if clause.parent is not None else "actual"

    def hanging(self, clause: ClauseDraft) -> list[ClauseDraft]:
        return [each for each in self.found if each.parent is not None and self.found[each.parent] is clause]

    def beside(self, clause: ClauseDraft, markers: frozenset[str]) -> bool:
        """Whether a clause hangs on this one behind such a word."""
        return any(_words(each) & markers for each in self.hanging(clause))


class Case(NamedTuple):
    """A reason for a realis: when it applies, what it gives, and a sentence in which it does, for the verb between stars."""

    name: str
    when: Callable[[ClauseDraft, Around], bool]
    value: str | Callable[[ClauseDraft, Around], str]
    example: str


class Decided(NamedTuple):
    """The realis of a clause, and the name of the case that spoke."""

    name: str
    value: str


def settle_realis(
    found: Sequence[ClauseDraft], tree: Tree, *, question: bool = False, past: bool = False
) -> list[Clause]:
    """The finished clauses of a sentence; ``question`` when it only asks, ``past`` when its story is told in the past."""
    turned = {clause.head.position for clause in found if _turned(clause, tree)}
    around = Around(found, tree.words, question, past, turned)
    for clause in found:
        around.settled[clause.head.position] = realis_of(clause, around).value
    return [
        _finished(clause, _taken_back(number, clause, around).value, around)
        for number, clause in enumerate(found)
    ]


def realis_of(clause: ClauseDraft, around: Around) -> Decided:
    """The first case that fits, with its name."""
    case = next(case for case in CASES if case.when(clause, around))
    return Decided(case.name, case.value if isinstance(case.value, str) else case.value(clause, around))


def _taken_back(number: int, clause: ClauseDraft, around: Around) -> Decided:
    """What is left of it once the whole sentence is looked at."""
    value = around.settled[clause.head.position]
    case = next((case for case in TAKEN_BACK if value in TOLD and case.when(clause, around)), None)
    if case is None or not isinstance(case.value, str):
        return Decided("", value)
    if case.value == "habitual":
        around.general.add(number)
    return Decided(case.name, case.value)


def _finished(clause: ClauseDraft, realis: str, around: Around) -> Clause:
    return Clause(
        head=clause.head, verb=clause.verb, relation=clause.relation, parent=clause.parent, particle=clause.particle,
        subjects=tuple(clause.subjects), objects=tuple(clause.objects), seconds=tuple(clause.seconds),
        phrases=tuple(sorted(clause.phrases, key=lambda phrase: phrase[1].position)), adverbs=frozenset(clause.adverbs), predicates=tuple(clause.predicates),
        preposition=clause.preposition, marker=clause.marker, negated=clause.negated, realis=realis,
        either=clause.either, passive=clause.passive, earlier=clause.earlier, going_on=clause.going_on,
        seeming=_seems(clause, around), turned=clause.head.position in around.turned,
        announcing=_announces(clause, around), where=clause.where,
    )  # fmt: skip


def carried_out(clause: Clause) -> Clause:
    """A decision that turns out to have been carried out, told as done."""
    return replace(clause, realis="actual")


# -- what a clause looks like


def _words(clause: ClauseDraft) -> set[str]:
    return clause.adverbs | {clause.marker or ""}


def _plain(clause: ClauseDraft) -> str:
    return "negated" if clause.negated else "actual"


def _seems(clause: ClauseDraft, around: Around) -> bool:
    """`seemed asleep`, `appeared to listen`; but whoever `appeared` came."""
    raised = any(each.marker == "to" and each.relation == "xcomp" for each in around.hanging(clause))
    return clause.verb == "seem" or (clause.verb in frame_table().seeming and raised)


def _turned(clause: ClauseDraft, tree: Tree) -> bool:
    """`Had she known it, …`: an `if` by the order of the words."""
    if not clause.subjects or clause.subjects[0].position > clause.head.position:
        return False
    subject = clause.subjects[0]
    before = [word for word in tree.words[: subject.position] if word.head != subject.position]
    return bool(before) and before[-1].text.lower() in wordset("auxiliaries.turned_round") and _begins(before)


def _begins(before: Sequence[Word]) -> bool:
    """Whether the last of these words begins its sentence, or a part of it."""
    first = before[-2] if len(before) > 1 else None
    return (
        first is None or first.pos == "PUNCT" or first.text.lower() in wordset("conjunctions.joining_clauses")
    )


def _announces(clause: ClauseDraft, around: Around) -> bool:
    """`It was curious how she slept`: what `it` stands for comes behind."""
    if not clause.copular or [word.text.lower() for word in clause.subjects] != ["it"]:
        return False
    announced = wordset("conjunctions.announced")
    behind = [each for each in around.hanging(clause) if each.head.position > clause.head.position]
    return any(each.marker in announced for each in behind)


def of_doing(clause: ClauseDraft) -> bool:
    """`accused her of stealing it`, `dreamed of going`: nobody says that it was done."""
    return clause.relation == "advcl" and clause.marker == "of" and clause.head.tag == "VBG"


def takes_upon(clause: ClauseDraft, parent: ClauseDraft) -> bool:
    """`took it upon herself to move it`."""
    if parent.verb != "take" or clause.marker != "to":
        return False
    upon = [word.text.lower() for mark, word in parent.phrases if mark in wordset("prepositions.upon")]
    return any(word.endswith(wordrow("endings.self")) for word in upon)


# -- cases, in the order of the table


def _supposed(clause: ClauseDraft, _around: Around) -> bool:
    return clause.marker in wordset("conjunctions.supposing")


def _turned_round(clause: ClauseDraft, around: Around) -> bool:
    return clause.head.position in around.turned


def _able(clause: ClauseDraft, around: Around) -> bool:
    """`could`, and no `if` beside it."""
    can = around.now(clause) == "hypothetical" and bool(clause.adverbs & wordset("modals.able"))
    return can and not around.beside(clause, wordset("conjunctions.supposing"))


def _could_see(clause: ClauseDraft) -> bool:
    """Who could see something saw it."""
    return frame_table().perceives(clause.verb) and "could" in clause.adverbs and "have" not in clause.adverbs


def _before_it_could_be_seen(clause: ClauseDraft, around: Around) -> bool:
    return clause.marker == "before" and _could_see(clause) and _able(clause, around)


def _could_not(clause: ClauseDraft, around: Around) -> bool:
    return clause.negated and _able(clause, around)


def _could_perceive(clause: ClauseDraft, around: Around) -> bool:
    return _could_see(clause) and _able(clause, around)


def _modal(clause: ClauseDraft, around: Around) -> bool:
    return around.now(clause) != "actual"


def _joined_to_modal(clause: ClauseDraft, around: Around) -> bool:
    bare = clause.relation == "conj" and clause.head.tag in BARE and clause.parent is not None
    return bare and _modal(clause, around) and not clause.adverbs & wordmap("modals.realis").keys()


def _would_often(clause: ClauseDraft, around: Around) -> bool:
    return around.now(clause) == "future" and bool(clause.adverbs & wordset("adverbs.habit"))


def _would_not(clause: ClauseDraft, around: Around) -> bool:
    refused = "would" in clause.adverbs and clause.negated and clause.relation in {"root", "conj"}
    return refused and _modal(clause, around)


def _would_have(clause: ClauseDraft, around: Around) -> bool:
    if "would" not in clause.adverbs or not _modal(clause, around):
        return False
    return "have" in clause.adverbs or around.beside(clause, wordset("conjunctions.supposing"))


def _before_seeing(clause: ClauseDraft, _around: Around) -> bool:
    return clause.marker == "before" and clause.head.tag == "VBG" and frame_table().perceives(clause.verb)


def _almost(clause: ClauseDraft, _around: Around) -> bool:
    return bool(clause.adverbs & wordset("adverbs.almost"))


def _hardly(clause: ClauseDraft, _around: Around) -> bool:
    return (
        bool(clause.adverbs & wordset("adverbs.hardly")) and not clause.earlier
    )  # who `had hardly spoken` did speak


def _habit(clause: ClauseDraft, _around: Around) -> bool:
    said = _words(clause)
    each = {text.partition(" ")[0] for text in said if " " in text} & wordset(
        "articles.every"
    )  # `every night`
    return bool(each or said & (wordset("adverbs.habit") | wordset("conjunctions.whenever")))


def _each_time(clause: ClauseDraft, around: Around) -> bool:
    """Whether it happens `whenever` something else does; not `moved it, so that she would see it whenever she came`."""
    whenever = [each for each in around.hanging(clause) if _words(each) & wordset("conjunctions.whenever")]
    nearer = [each.head.position for each in around.found if around.now(each) in MODAL and each is not clause]
    return any(not any(clause.head.position < at <= each.head.position for at in nearer) for each in whenever)


def _bidden(clause: ClauseDraft, _around: Around) -> bool:
    return clause.head.tag == "VB" and not clause.subjects and clause.relation == "root"


def _bidden_too(clause: ClauseDraft, around: Around) -> bool:
    """A second thing that somebody is told to do."""
    parent = around.parent(clause) if clause.relation == "conj" else None
    if parent is None or clause.subjects or parent.subjects:
        return False
    bidding = {clause.head.tag, parent.head.tag} <= BIDDING
    return bidding and (parent.relation == "root" or _bidden_too(parent, around))


def _used_to(clause: ClauseDraft, around: Around) -> bool:
    """`used to sit and watch`: both were habits."""
    parent = around.parent(clause)
    if parent is None:
        return False
    if clause.relation == "conj" and clause.head.tag == "VB" and parent.parent is not None:
        return _used_to(parent, around)
    return clause.relation == "xcomp" and clause.marker == "to" and parent.habit


def _dreamt(clause: ClauseDraft, around: Around) -> bool:
    parent = around.parent(clause)
    told = parent is not None and clause.relation in COMPLEMENTS and parent.verb in frame_table().dreaming
    return told or _in_the_mind(clause) or _in_a_dream(around.words)


def _in_the_mind(clause: ClauseDraft) -> bool:
    """`in her mind she is in the kitchen`."""
    return any(said == "in" and word.lemma in wordset("nouns.of_the_mind") for said, word in clause.phrases)


def _in_a_dream(words: Sequence[Word]) -> bool:
    """`In the dream the dog was alive`: so with the whole sentence."""
    return bool(pattern("word.in_a_dream").match(" ".join(word.text for word in words[:4])))


def _complement(clause: ClauseDraft, around: Around) -> ClauseDraft | None:
    """The clause of which this one is the complement, where nothing is denied."""
    return around.parent(clause) if clause.relation in COMPLEMENTS and not clause.negated else None


def _seen(clause: ClauseDraft, around: Around) -> bool:
    parent = _complement(clause, around)
    return parent is not None and frame_table().perceives(parent.verb)


def _seen_or_not(clause: ClauseDraft, around: Around) -> str:
    """What somebody did not see happened all the same."""
    above = around.above(clause)
    return "actual" if above == "negated" else above


def _unhelped(clause: ClauseDraft, around: Around) -> bool:
    parent = _complement(clause, around)
    return parent is not None and clause.head.tag == "VBG" and parent.unhelped


def _happens_with_it(clause: ClauseDraft, around: Around) -> bool:
    parent = _complement(clause, around)
    return parent is not None and clause.relation == "xcomp" and _happens(clause, parent)


def _happens(clause: ClauseDraft, parent: ClauseDraft) -> bool:
    """Whether a verb's complement happens with it: `remained looking`, `began to look`; not `came to look`."""
    table = frame_table()
    if clause.head.tag == "VBG" and clause.marker != "to":
        return parent.verb not in table.avoiding
    if clause.head.tag == "VBN" and clause.marker is None:  # `left it shut`, not `wanted it shut`
        return not any(frame.type == "intend" for frame in table.of(parent.verb, None))
    if parent.verb == "have":
        return parent.head.tag == "VBD"  # `she had to leave`, not `she has to leave`
    return parent.verb in table.happening and not (clause.marker == "to" and parent.verb in table.going)


def _taken_upon(clause: ClauseDraft, around: Around) -> bool:
    parent = around.parent(clause)
    return parent is not None and takes_upon(clause, parent)


def _meanwhile(clause: ClauseDraft, _around: Around) -> bool:
    beside = clause.relation == "advcl" and clause.marker in {None, "by"}
    return beside and clause.head.tag == "VBG" and clause.parent is not None


def _as_unreal(clause: ClauseDraft, around: Around) -> str:
    above = around.above(clause)
    return above if above in UNREAL else _plain(clause)


def _glad_to(clause: ClauseDraft, around: Around) -> bool:
    parent = around.parent(clause)
    if parent is None or clause.marker != "to" or parent.head.text.lower() not in frame_table().moved:
        return False
    glad = parent.copular or parent.passive or parent.head.tag == "VBN"
    return glad and (frame_table().perceives(clause.verb) or clause.verb in wordset("verbs.learning"))


def _only_to(clause: ClauseDraft, _around: Around) -> bool:
    return clause.marker == "to" and "only" in clause.adverbs


def _bare_be(clause: ClauseDraft, around: Around) -> bool:
    bare = "be" in clause.adverbs or (clause.modal is None and has_bare_copula(clause, around.words))
    return bare and not clause.adverbs & wordmap("modals.realis").keys()


def _meant(clause: ClauseDraft, around: Around) -> bool:
    return clause.marker == "to" or (clause.relation == "xcomp" and around.parent(clause) is not None)


def _above(clause: ClauseDraft, around: Around) -> str:
    return around.above(clause)


CASES = (
    Case("supposed", _supposed, "hypothetical", "If Leo *came*, she left."),
    Case("turned round", _turned_round, "hypothetical", "Had she *known* it, she would have gone."),
    Case(
        "before it could be seen", _before_it_could_be_seen, "negated", "He hid it before she could *see* it."
    ),
    Case("could not", _could_not, "negated", "He could not *find* it."),
    Case("could perceive", _could_perceive, "actual", "She could *hear* the sea."),
    Case("joined to a modal", _joined_to_modal, _above, "He would open it and *look* at it."),
    Case("modal with a habit", _would_often, "habitual", "He would often *walk* there."),
    Case("would not", _would_not, "negated", "She would not *come*."),
    Case("would have", _would_have, "hypothetical", "She would have *gone*."),
    Case("modal", _modal, lambda clause, around: around.now(clause), "Leo will *leave*."),
    Case("before seeing", _before_seeing, "negated", "He left before *seeing* it."),
    Case("almost", _almost, "hypothetical", "Leo almost *fell*."),
    Case("hardly", _hardly, "hypothetical", "Leo hardly *slept*."),
    Case("habit", _habit, "habitual", "Leo often *walked* there."),
    Case("each time", _each_time, "habitual", "Leo *smiled* whenever she came."),
    Case("bidden", _bidden, "hypothetical", "*Let* me see."),
    Case("bidden too", _bidden_too, "hypothetical", "Take the bottle and *send* it to me."),
    Case("used to", _used_to, "habitual", "Leo used to *sit* there."),
    Case("dreamed", _dreamt, "dreamed", "Leo dreamed that Mara *left*."),
    Case("seen by another", _seen, _seen_or_not, "Mara did not see Leo *leave*."),
    Case("could not help it", _unhelped, "actual", "Leo could not help *laughing*."),
    Case("happens with it", _happens_with_it, _above, "Leo began to *look* around."),
    Case("taken upon oneself", _taken_upon, _above, "Leo took it upon himself to *move* it."),
    Case("meanwhile", _meanwhile, _as_unreal, "He would sit there, *smoking*."),
    Case("glad to learn", _glad_to, _above, "Leo was delighted to *find* it."),
    Case("only to", _only_to, "actual", "Leo came in, only to *find* it gone."),
    Case("bare be", _bare_be, "hypothetical", "She feared lest she should fall and be *hurt*."),
    Case("meant", _meant, "hypothetical", "Leo wanted to *leave*."),
    Case("of doing", lambda clause, _: of_doing(clause), "hypothetical", "Leo accused her of *stealing* it."),
    Case("denied", lambda clause, _: clause.negated, "negated", "Leo did not *leave*."),
    Case("plain", lambda _clause, _around: True, "actual", "Leo *left*."),
)


# -- taken back


def _asked(_clause: ClauseDraft, around: Around) -> bool:
    return around.question


def _way_of_the_world(clause: ClauseDraft, around: Around) -> bool:
    """In a story told in the past, the present of a sort of people or things is no event; nor what is told beside it."""
    beside = clause.parent in around.general and clause.head.tag in UNTENSED  # `…, having a merry time`
    return around.past and (beside or of_a_sort(clause, around.words))


TAKEN_BACK = (
    Case("question", _asked, "hypothetical", "Did Leo *take* it?"),
    Case("sort of people", _way_of_the_world, "habitual", "Cats *are* sly."),
)
