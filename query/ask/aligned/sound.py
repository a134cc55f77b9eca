"""Whether an answer may stand: the sentence tells it as it was asked, of those it was asked of.

Whoever is named in the question is named there, or meant by a pronoun as the reader took it, and what it is done to stands there; what is denied or only may be answers nothing
that is not asked so; nor does a question. Decides by words and grammar; learned from nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from narraworld.base.settings import DEFAULTS
from narraworld.query.ask.aligned.candidates import AnswerPart
from narraworld.query.ask.aligned.grammar import ParseTree
from narraworld.query.ask.aligned.speaks_for import CLAUSAL, Beside
from narraworld.query.ask.from_sentences.tellings import is_denied, is_held, is_question, is_supposed

__all__ = ["is_sound"]

LIMITS = DEFAULTS.memory.aligned
NOUN, OF_A_KIND, PERSONAL = "NOUN", "which", frozenset({"PRP"})


def is_sound(beside: Beside, one: AnswerPart) -> bool:
    """Whether a part of a sentence may be given as an answer, however likely it is."""
    if (
        is_question(beside.tree.text)
        or not all(_names(beside))
        or not _has_object(beside)
        or not _accounts(beside)
    ):
        return False
    asked, told = beside.pattern.tree.text, " ".join(_with_verbs(beside, one))
    if is_denied(told) != is_denied(asked) or (is_supposed(told) and not is_supposed(asked)):
        return False
    if is_held(_up_to_the_verb(beside)) and not is_held(asked):
        return False
    return beside.pattern.kind != OF_A_KIND or _has_noun(beside, one)


def _names(beside: Beside) -> Iterator[bool]:
    """Whether each name of the question stands in the sentence, or near it if no more than that is asked; of a name of several words one is
    enough. What it is done to is looked at by itself."""
    several = dict[int, list[tuple[str, float]]]()
    first = last = -2
    for _, part, met in beside.shares:
        if part.named and part.role != "object":
            first = first if part.place == last + 1 else part.place
            last = part.place
            several.setdefault(first, []).append((part.role, met.sure))
    enough = LIMITS.beside if _of_a_thing(beside) else LIMITS.pronoun
    for parts in several.values():
        doing = any(role == "subject" for role, _ in parts)
        yield max(sure for _, sure in parts) >= (enough if doing else LIMITS.beside)


def _of_a_thing(beside: Beside) -> bool:
    """Whether the subject of the verb stands for a thing, which no name of this sentence says."""
    below = beside.tree.having(beside.verb.place, "nsubj") if beside.verb.place >= 0 else []
    return any(beside.tree.words[nth].lemma.lower() == "it" for nth in below)


def _accounts(beside: Beside) -> bool:
    """Whether every noun that the question says besides stands in the sentence or near it: what is worn is not worn on the feet."""
    nouns = (met for _, part, met in beside.shares if part.role == "beside" and part.word.pos == NOUN)
    return all(met.sure >= LIMITS.beside for met in nouns)


def _has_object(beside: Beside) -> bool:
    """Whether what it was done to stands in the sentence, or a pronoun for it where a sentence beside has it."""
    objects = [met for _, part, met in beside.shares if part.role == "object"]
    if not objects or any(met.place >= 0 and met.sure >= LIMITS.enough for met in objects):
        return True
    below = beside.tree.having(beside.verb.place, "obj") if beside.verb.place >= 0 else []
    stands_in = any(beside.tree.words[nth].tag in PERSONAL for nth in below)
    return stands_in and any(met.sure >= LIMITS.beside for met in objects)


def _with_verbs(beside: Beside, one: AnswerPart) -> Iterator[str]:
    """The words that hang on the verb that was asked about and on the verb of the answer, with their subjects, without the answer."""
    tree = beside.tree
    verbs = {nth for nth in (beside.verb.place, _verb_of(tree, one.head)) if nth >= 0}
    places = {place for nth in verbs for place in (*tree.below[nth], *_subjects(tree, nth))}
    yield from (tree.words[nth].text for nth in sorted(places) if not one.first <= nth <= one.last)


def _verb_of(tree: ParseTree, place: int) -> int:
    return next((nth for nth in tree.above(place) if nth != place and tree.words[nth].pos in CLAUSAL), -1)


def _subjects(tree: ParseTree, verb: int) -> Iterator[int]:
    for nth in tree.having(verb, "nsubj"):
        yield from tree.below[nth]


def _up_to_the_verb(beside: Beside) -> str:
    tree, verb = beside.tree, beside.verb.place
    return tree.text[: tree.words[verb].start] if verb >= 0 else ""


def _has_noun(beside: Beside, one: AnswerPart) -> bool:
    """Whether the noun behind `which` stands in the answer: which hand is answered by a hand."""
    return any(
        word.lemma.lower() == beside.pattern.noun for word in beside.tree.words[one.first : one.last + 1]
    )
