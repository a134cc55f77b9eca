"""What can be seen of an entity that fills a role: what it is, by which word the sentence calls it, and how surely that word means it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from narraworld.extract.embedded.doubt.clause_signs import sort_of
from narraworld.extract.embedded.doubt.surroundings import Standing, size
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.lexicon.noun_kinds import noun_kinds
from narraworld.extract.embedded.people.entities import DiscourseEntity

__all__ = ["of_somebody"]

LIKELY = (20, 30, 40, 50, 60, 70, 80, 90)  # hundredths
MORE, OTHERS = frozenset({"acl", "nmod"}), frozenset({"conj", "appos"})
OWNER = "nmod:poss"


def of_somebody(id: str, here: Standing) -> Iterator[str]:
    """An entity in its role."""
    figure = here.unit.company.figures.get(id)
    if figure is None:
        yield "unknown"
        return
    yield from _of_figure(figure)
    yield from _called(figure, here)


def _of_figure(figure: DiscourseEntity) -> Iterator[str]:
    kind, named = noun_kinds().of(figure.head), not figure.names[0].islower()
    yield f"is={figure.kind}"
    yield f"named={named} {figure.kind}"
    yield f"noun={'name' if named else kind.kind if kind else 'none'} {figure.kind}"
    if not figure.sure:
        yield "guessed"
    if figure.many:
        yield "many"
    if figure.generic:
        yield "generic"
    if len(figure.names[0].split()) > 2:
        yield "long name"


def _called(figure: DiscourseEntity, here: Standing) -> Iterator[str]:
    """By which word, and how sure it is that it means them."""
    own = _is_at_hand(here)
    word = _calling(figure.id, here) if own else None
    if word is None:
        yield "called=not" if own else "called=elsewhere"
        return
    yield f"called={sort_of(word)}"
    yield f"called as={word.dep}"
    yield from _dressed(word, here.words)
    if word.pos == "PRON":
        yield from _of_pronoun(word, figure, here)


def _is_at_hand(here: Standing) -> bool:
    """Whether the record was written while its sentence was read."""
    at_hand = here.entry.sentence.words
    return bool(here.words and at_hand) and at_hand[0].start == here.words[0].start


def _calling(id: str, here: Standing) -> Word | None:
    """The word for them, rather in the quoted words, rather no pronoun."""
    meant = here.entry.sentence.meant
    calling = [here.words[place] for place, ids in meant.items() if id in ids and place < len(here.words)]
    quoted = [word for word in calling if any(one.start <= word.start < one.end for one in here.entry.quotes)]
    return min(quoted or calling, key=lambda one: one.pos == "PRON", default=None)


def _dressed(word: Word, words: Sequence[Word]) -> Iterator[str]:
    """What a noun has before and behind it: an article, an owner, nothing."""
    below = [one for one in words if one.head == word.position != one.position]
    if word.pos == "NOUN":
        yield from _before_noun(word, below)
    if any(one.relation in MORE and one.dep != OWNER for one in below):
        yield "told more of"
    if any(one.relation in OTHERS for one in below):
        yield "and others"


def _before_noun(word: Word, below: Sequence[Word]) -> Iterator[str]:
    owned, number = (
        any(test)
        for test in ([one.dep == OWNER for one in below], [one.relation == "nummod" for one in below])
    )
    article = next((one.text.lower() for one in below if one.relation == "det"), "no article")
    yield f"dressed={'owned' if owned else 'number' if number else article} {word.tag}"
    for case in [one.text.lower() for one in below if one.relation == "case"][:1]:
        yield f"case={case}"
        yield f"case={case} {'owned' if owned else article}"


def _of_pronoun(word: Word, figure: DiscourseEntity, here: Standing) -> Iterator[str]:
    """What the rules and the ranker say of it, and how long ago they were called."""
    owners, id = here.unit.owners, figure.id
    yield f"{word.text.lower()} of {figure.gender}"
    if figure.kind == "character":
        yield from here.around.since(id, word.start)
    ruled = owners.ruled(word.start)
    yield f"ruled={'not' if ruled is None else 'same' if ruled == id else 'other'}"
    ranked = owners.ranking.answers.get(word.start)
    if ranked is None or ranked.chain is None:
        yield "ranked=not"
        return
    same = "same" if owners.known(ranked.chain) == id else "other"
    yield f"ranked={same} {size(int(100 * ranked.probability), *LIKELY)}"
    yield f"ranked={same}"
    yield f"rivals={min(ranked.rivals, 3)}"
    if ranked.from_talk:
        yield "from talk"
