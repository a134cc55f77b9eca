"""Whom he, him and his mean, on LitBank's coreference: the rules, the ranker, and both together.

Text is LitBank's tokens set as prose, one unit to a book; it has no paragraphs, so who speaks is harder to tell than in a
manuscript. Gold is every one-word mention he, she, him, his, her, hers, himself, herself; `her` is possessive where the parser says
`nmod:poss`. An answer is an entity of the reader's cast, and the gold cluster of an entity is the one most of its names and nouns lie
in (most characters in common, at least 0.3). *right*: the entity's cluster is the pronoun's, over all gold pronouns of the sort,
so silence costs; *precision*: right over answered; *named*: right, and the entity has a proper name.
*described*: the definite nouns for one person (`the old man`, `his aunt`) that gold has as PER NOM: the reader's chain for the noun, and the gold cluster
of most of the names and nouns that chain had before; recall over those whose cluster gold has called by name or noun before, precision over
those for whom the chain had somebody. A first mention joined to anybody is wrong.
The shipped table has seen every book here, so each book is read with a table that was trained without it, in five folds: a book's
fold is its place by name, modulo five (some minutes). `--shipped` reads with the table that ships.
"""

from __future__ import annotations

import argparse
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bench.frame import Figures, dataset, show
from narraworld.extract.embedded.at_hand import Reading
from narraworld.extract.embedded.discourse import DiscourseState
from narraworld.extract.embedded.english import LANGUAGE
from narraworld.extract.embedded.grammar.parser import Word, parse
from narraworld.extract.embedded.lexicon.language import speaking
from narraworld.extract.embedded.lexicon.owner_words import owner_words
from narraworld.extract.embedded.people.owners import Owners
from narraworld.extract.embedded.people.rank_features import Chain
from narraworld.extract.embedded.people.ranker import Judge, PronounQuestion, rank_table
from narraworld.extract.embedded.people.trail import PersonMention
from narraworld.extract.embedded.reader import read_through
from narraworld.kb.roster import Roster
from narraworld.kb.units import Unit
from training.coreference import PRONOUNS, CorefBook, GoldMention, coref_books
from training.owners import FOLDS, held_out, lesson

__all__ = ["DATA", "SORTS", "WAYS", "Tally", "add_options", "run"]

DATA = "litbank"
SORTS = {"nominative": "he/she", "objective": "him/her", "possessive": "his/her", "reflexive": "himself"}
ONESELF = frozenset({"i", "me", "my", "you", "your"})
LEAST = 0.3  # of the ranker by itself
WAYS = ("rules", "rules, asked for every possessive", "ranker", "both together", "where both agree", "sure")


class Answer(NamedTuple):
    """What one way says of a pronoun: whose cluster it is, and whether that one has a proper name."""

    cluster: str | None
    named: bool


@dataclass
class Tally:
    """How often a way answered, was right, and right with a name, of how many."""

    gold: int = 0
    said: int = 0
    right: int = 0
    named: int = 0

    def count(self, answer: Answer | None, gold: str) -> None:
        self.gold += 1
        if answer is not None:
            right = answer.cluster == gold
            self.said, self.right, self.named = (
                self.said + 1,
                self.right + right,
                self.named + (right and answer.named),
            )

    @property
    def share(self) -> float:
        return self.right / self.gold if self.gold else 0.0

    @property
    def precision(self) -> float:
        return self.right / self.said if self.said else 0.0


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--shipped", action="store_true", help="read with the table that ships (it has seen these books)"
    )
    parser.add_argument("--rules", action="store_true", help="only the rules, without any table (quick)")
    parser.add_argument("--limit", type=int, metavar="N", help="measure the first N books")


@dataclass
class DescribedTally:
    """Definite nouns for one person: of how many gold knew them, how many the reader took for somebody, and for the right one."""

    known: int = 0
    said: int = 0
    right: int = 0

    @property
    def recall(self) -> float:
        return self.right / self.known if self.known else 0.0

    @property
    def precision(self) -> float:
        return self.right / self.said if self.said else 0.0


def run(options: argparse.Namespace) -> Figures:
    books = coref_books(dataset(DATA, options.data))
    described = DescribedTally()
    tallies = {(way, sort): Tally() for way in WAYS for sort in SORTS.values()}
    for book, judge in list(_judged(books, options))[: options.limit]:
        _measure(book, judge, tallies, described)
    how = (
        "the rules alone"
        if options.rules
        else "the shipped table"
        if options.shipped
        else f"{FOLDS} held-out folds"
    )
    ways = WAYS[:1] if options.rules else WAYS
    for sort in SORTS.values():
        rows = ((way, *_cells(tallies[way, sort])) for way in ways)
        show(
            f"{sort}, {tallies[WAYS[0], sort].gold} in {len(books)} books, {how}",
            ["", "said", "right", "precision", "named"],
            rows,
        )
    show(
        "the old man, his aunt",
        ["known before", "taken for somebody", "right", "recall", "precision"],
        [
            (
                described.known,
                described.said,
                described.right,
                f"{described.recall:.3f}",
                f"{described.precision:.3f}",
            )
        ],
    )
    return _figures(tallies, ways) | {
        "described_recall": described.recall,
        "described_precision": described.precision,
        "books": len(books),
        "how": how,
    }


def _judged(books: Sequence[CorefBook], options: argparse.Namespace) -> Iterator[tuple[CorefBook, Judge]]:
    """Each book with what judges its pronouns."""
    if options.rules:
        yield from ((book, _nobody) for book in books)
    elif options.shipped:
        with speaking(LANGUAGE):
            yield from ((book, rank_table().judge) for book in books)
    else:
        for fold, table in held_out([lesson(book) for book in books]):
            yield from ((book, table.judge) for book in books[fold::FOLDS])


def _nobody(question: PronounQuestion) -> Sequence[float]:
    """The reader as it is without a ranker."""
    return [0.0] * len(question.chains)


def _measure(
    book: CorefBook, judge: Judge, tallies: Mapping[tuple[str, str], Tally], described: DescribedTally
) -> None:
    reading = Reading(Unit("unit", 1, book.text), Roster(), DiscourseState(), "", judge=judge)
    read_through(reading)
    words = _words(reading)
    clusters, cases = _Clusters(book, reading.unit.owners), dict(_cases(words))
    for place, gold in book.pronouns.items():
        sort = SORTS[cases.get(place) or _case(book.text[place:])]
        for way, answer in zip(WAYS, clusters.answers(place), strict=True):
            tallies[way, sort].count(answer, gold)
    _describe(book, reading.unit.owners, words, described)


def _words(reading: Reading) -> list[Word]:
    """The words of a book by a parse of its whole sentences, each with the one it hangs on next to it."""
    with speaking(LANGUAGE):
        return [word for words in parse([line.tokens for line in reading.document]) for word in words]


def _cases(words: Iterable[Word]) -> Iterator[tuple[int, str]]:
    """Where a pronoun begins → its case."""
    for word in words:
        own = word.text.lower() == "her" and word.dep == "nmod:poss"
        yield word.start, "possessive" if own else _case(word.text)


def _describe(book: CorefBook, owners: Owners, words: Sequence[Word], tally: DescribedTally) -> None:
    """Whom the reader takes each definite noun for, by those whom its chain has had before."""
    ordered = sorted(words, key=lambda word: word.start)
    for mention in (one for one in book.mentions if one.described):
        noun = _definite_noun(mention, ordered)
        if noun is None:
            continue
        before = _called_before(owners.ranking.chains.get(noun.start), noun.start)
        votes = [found for one in before if (found := _cluster(book, one)) is not None]
        tally.known += any(_calls(book, one, mention) for one in book.mentions)
        tally.said += bool(before)
        tally.right += bool(votes) and max(votes, key=votes.count) == mention.cluster


def _definite_noun(mention: GoldMention, ordered: Sequence[Word]) -> Word | None:
    """The noun that a mention hangs on, where it is one of one person and picks somebody up."""
    first, last = (bisect_left(ordered, place, key=lambda word: word.start) for place in mention[:2])
    inside = ordered[first:last]
    with speaking(LANGUAGE):
        definite = bool(inside) and inside[0].text.lower() in owner_words().picking_up
    places = {word.position for word in inside}
    top = next((word for word in inside if word.head == word.position or word.head not in places), None)
    return top if definite and top is not None and top.tag == "NN" else None


def _called_before(chain: Chain | None, place: int) -> list[PersonMention]:
    return [one for one in chain.called if one.start < place] if chain is not None else []


def _calls(book: CorefBook, one: GoldMention, mention: GoldMention) -> bool:
    """Whether gold calls the same one by a name or noun before."""
    plain = book.text[one.start : one.end].lower() in PRONOUNS | ONESELF
    return one.cluster == mention.cluster and one.start < mention.start and not plain


def _cluster(book: CorefBook, one: PersonMention) -> str | None:
    where = one.where.start, one.where.end
    return book.cluster([where]) if one.sort == "name" else book.around(*where)


def _case(text: str) -> str:
    """What the form of the pronoun says with which a text begins."""
    with speaking(LANGUAGE):
        return owner_words().case.get(re.split(r"\W", text, maxsplit=1)[0].lower(), "objective")


class _Clusters:
    """The reader's entities as gold clusters, and what each way says of a pronoun."""

    def __init__(self, book: CorefBook, owners: Owners) -> None:
        self._book, self._owners = book, owners
        phrases: dict[str, list[tuple[int, int]]] = {}
        for where, id in owners.company.calls.values():
            phrases.setdefault(id, []).append((where.start, where.end))
        for mention in owners.trail.mentions:
            if mention.who is not None and (who := owners.company.person(mention.who)) is not None:
                phrases.setdefault(who, []).append((mention.where.start, mention.where.end))
        self._of = {id: book.cluster(some) for id, some in phrases.items()}

    def answers(self, place: int) -> Iterator[Answer | None]:
        """In the order of WAYS."""
        owners = self._owners
        ranked, ruled, owner = owners.ranking.answers.get(place), owners.ruled(place), owners.at(place)
        rules = self._entity(owners.company.answers.get(place) or owners.only.get(place))
        likely = ranked is not None and ranked.probability >= LEAST
        ranker = self._chain(ranked.chain if ranked is not None and likely else None)
        agreed = ruled is not None and ruled == owner.entity
        both = self._chain(ranked.chain if ranked is not None and owner.entity else None)
        yield from (
            rules,
            self._entity(ruled),
            ranker,
            both,
            both if agreed else None,
            both if owner.sure else None,
        )

    def _entity(self, id: str | None) -> Answer | None:
        return (
            None
            if id is None
            else Answer(self._of.get(id), self._named(self._owners.company.figures[id].names))
        )

    def _chain(self, chain: Chain | None) -> Answer | None:
        """Somebody of the cast by all their names, one known by a noun by the nouns."""
        if chain is None:
            return None
        if chain.person is not None:
            who = self._owners.known(chain)
            return Answer(self._of.get(who) if who else None, True)
        found = [self._book.around(one.where.start, one.where.end) for one in chain.called]
        told = [one for one in found if one is not None]
        return Answer(max(told, key=told.count) if told else None, False)

    def _named(self, names: Iterable[str]) -> bool:
        return any(name[:1].isupper() for name in names)


def _cells(one: Tally) -> Iterator[str]:
    yield from (
        f"{100 * share:.1f}"
        for share in (one.said / max(1, one.gold), one.share, one.precision, one.named / max(1, one.gold))
    )


def _figures(tallies: Mapping[tuple[str, str], Tally], ways: Sequence[str]) -> dict[str, object]:
    """What the reader says in the end, and every way beside it."""
    way = "both together" if "both together" in ways else ways[0]
    names = {"he": "nominative", "him": "objective", "his": "possessive"}
    found = {name: tallies[way, SORTS[case]] for name, case in names.items()}
    shown = {
        one: {sort: [tallies[one, sort].share, tallies[one, sort].precision] for sort in SORTS.values()}
        for one in ways
    }
    return (
        {f"name_{name}": one.share for name, one in found.items()}
        | {f"precision_{name}": one.precision for name, one in found.items()}
        | {"right_and_precision": shown}
    )
