"""Negation: which clauses say that something did not happen: `not`, `nobody`, `without`, and as old books have it: `she knew not`. Pure."""

from __future__ import annotations

from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.grammar.tree import FINITE, ClauseDraft, Tree
from narraworld.extract.embedded.lexicon.function_words import wordrow, wordset

__all__ = ["denied"]


def denied(one: ClauseDraft, tree: Tree) -> bool:
    """Whether a clause says that it is not so."""
    scarcely = wordset("negations.little_did") <= one.adverbs  # `little did she know of it`
    said = (
        bool(one.adverbs & wordset("negations.adverbs"))
        or one.marker in wordset("negations.undone")
        or scarcely
    )
    return said or _nobody(one, tree) or _not_behind(one, tree)


def _nobody(one: ClauseDraft, tree: Tree) -> bool:
    """`no ship sailed`, `she paid no credit`, `he said no more`: what denies the noun denies the deed."""
    parts = (*one.subjects, *one.objects)
    return any(word.text.lower() in wordset("negations.nobody") for word in parts) or any(
        child.text.lower() in wordset("negations.before_a_noun") and child.relation in {"det", "cc", "advmod"}
        for word in parts
        for child in tree.children(word)
    )


def _not_behind(one: ClauseDraft, tree: Tree) -> bool:
    """`she knew not how`, `I saw it not`, `he said no more`; but `she chose not to go` is a choice."""
    if one.head.tag not in FINITE or one.copular:
        return False
    behind = list(tree.words[one.head.position + 1 : one.head.position + 4])
    if behind and _pronoun(behind[0]):
        behind.pop(0)
    texts = [word.text.lower() for word in behind[:2]]
    return tuple(texts) == wordrow("negations.no_more") or (
        texts[:1] == ["not"] and not wordset("negations.not_behind") & set(texts[1:])
    )


def _pronoun(word: Word) -> bool:
    return word.pos == "PRON" and word.relation in {"obj", "iobj"}
