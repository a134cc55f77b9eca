"""Slips of a small parser that change what a clause says: a participle taken for an object, a second subject, `with` and how
something is beside it.

Three of the repairs of `repair`, each a test and a mend. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from narraworld.extract.embedded.grammar.mentions import is_thing
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.grammar.tree import ClauseDraft, Tree
from narraworld.extract.embedded.lexicon.function_words import wordset
from narraworld.extract.embedded.lexicon.verb_frames import frame_table

__all__ = [
    "has_absolute",
    "has_bare_copula",
    "has_participle",
    "has_two",
    "keep_nearest",
    "make_earlier",
    "set_beside",
]

HAVING = "having"  # no preposition of any role
PLACED = frozenset({"nmod", "obl"})


def _participle_beside(clause: ClauseDraft, tree: Tree) -> Word | None:
    """The `lain` of `had lain down`: bare, right behind `had`, and a form of a verb."""
    if clause.verb != "have" or not clause.objects or clause.head.tag != "VBD":
        return None
    word = clause.objects[0]
    told = any(child.position < word.position for child in tree.children(word))
    beside = word.position == clause.head.position + 1 and word.tag == "NN" and not told
    return word if beside and _past_form(word) else None


def _past_form(word: Word) -> bool:
    form = word.text.lower()
    return frame_table().lemmas.get(form, form) != form


def has_participle(clause: ClauseDraft, tree: Tree) -> bool:
    return _participle_beside(clause, tree) is not None


def make_earlier(clause: ClauseDraft, tree: Tree) -> None:
    done = _participle_beside(clause, tree)
    assert done is not None
    clause.verb, clause.earlier = frame_table().lemma(done.text, done.lemma), True
    clause.objects = [word for word in tree.children(done) if word.relation == "obj"] + clause.objects[1:]


def _with_absolute(clause: ClauseDraft, tree: Tree) -> list[tuple[str, Word]]:
    """`with a rug over his knees`, `with the gate standing open`: how things are beside it, and nothing it is done with."""
    if any("with" in frame.markers for frame in frame_table().of(clause.verb, clause.particle)):
        return []  # `filled with melons`
    with_it = [phrase for phrase in clause.phrases if phrase[0] == "with" and is_thing(phrase[1])]
    return [phrase for phrase in with_it if _is_somehow(phrase[1], tree)]


def _is_somehow(noun: Word, tree: Tree) -> bool:
    """Whether words behind a noun say how it is, or where: `over his knees` also where it hangs on the verb."""
    behind = next((word for word in tree.words[noun.position + 1 :][:1] if word.relation == "case"), None)
    owned = (
        behind is not None
        and behind.text.lower() not in wordset("prepositions.of_what")
        and any(child.dep == "nmod:poss" for child in tree.children(tree.words[behind.head]))
    )
    return owned or any(_says_how(word, noun, tree) for word in tree.children(noun))


def _says_how(word: Word, noun: Word, tree: Tree) -> bool:
    if word.position < noun.position or word.dep.endswith("relcl"):
        return False
    somewhere = word.relation in PLACED and tree.case(word) not in {None, *wordset("prepositions.of_what")}
    return somewhere or word.relation in {"acl", "advmod", "amod"}


def has_absolute(clause: ClauseDraft, tree: Tree) -> bool:
    return bool(_with_absolute(clause, tree))


def set_beside(clause: ClauseDraft, tree: Tree) -> None:
    beside = _with_absolute(clause, tree)
    clause.phrases = [
        (HAVING, word) if (said, word) in beside else (said, word) for said, word in clause.phrases
    ]


def _subjects_apart(clause: ClauseDraft, tree: Tree) -> list[Word]:
    """The subjects that hang on the verb itself, in their order; those joined by `and` hang on the first."""
    return [word for word in tree.children(clause.head) if word in clause.subjects]


def has_two(clause: ClauseDraft, tree: Tree) -> bool:
    return len(_subjects_apart(clause, tree)) > 1


def keep_nearest(clause: ClauseDraft, tree: Tree) -> None:
    clause.subjects = tree.row(_subjects_apart(clause, tree)[-1])


def has_bare_copula(clause: ClauseDraft, words: Sequence[Word]) -> bool:
    """`did not want to go in and be cheerful`."""
    below = [word for word in words if word.head == clause.head.position]
    joined = any(word.relation == "cop" and word.tag == "VB" for word in below)
    return joined and not any(word.relation == "aux" for word in below)
