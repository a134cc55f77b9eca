"""The sentences of a unit with their grammar: what is told, and what is said in quotation marks.

Of what is said only sentences that can claim something are parsed; the rest keeps its words. Resolves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from functools import partial
from typing import NamedTuple, TypeAlias

from narraworld.base.quick_dataclass import dataclass
from narraworld.base.settings import DocumentSettings
from narraworld.extract.embedded.grammar.appositions import Apposition, without_asides
from narraworld.extract.embedded.grammar.clauses import Clause, clauses, drafted
from narraworld.extract.embedded.grammar.parser import Token, Word, parse, tokens_of
from narraworld.extract.embedded.grammar.realis import settle_realis
from narraworld.extract.embedded.grammar.time_expressions import TimeWords, without_time
from narraworld.extract.embedded.grammar.veridicality import told_in_the_past
from narraworld.extract.embedded.layout.letters import Letter, letters, without_greetings
from narraworld.extract.embedded.layout.quotations import Quotation, quotations, without_speech
from narraworld.extract.embedded.layout.sentences import mark_names, paragraphs, sentences
from narraworld.extract.embedded.lexicon.function_words import wordset
from narraworld.extract.embedded.lexicon.verb_frames import frame_table
from narraworld.kb.spans import TextRange
from narraworld.kb.time.calendar import Calendar
from narraworld.kb.time.calendar_file import GREGORIAN
from narraworld.kb.time.finding.finder import borne_names

__all__ = ["Sentence", "UnitDocument", "lines_of"]


SETTINGS = DocumentSettings()


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence on its way: where it stands, its words, its clauses, what it says of time and beside names."""

    where: TextRange
    words: list[Word]
    clauses: list[Clause]
    time: TimeWords
    tokens: Sequence[Token] = ()
    asides: Sequence[Apposition] = ()


@dataclass(frozen=True, slots=True)
class UnitDocument:
    """A unit's narration, its quotations, the sentences of each quotation, and the letters in it."""

    told: list[Sentence]
    quoted: list[Quotation] = field(default_factory=list)
    spoken: list[list[Sentence]] = field(default_factory=list)
    letters: list[Letter] = field(default_factory=list)

    def __iter__(self) -> Iterator[Sentence]:
        yield from self.told
        yield from (line for said in self.spoken for line in said)

    def labels(self, text: str) -> Iterator[Token]:
        """The names before the lines of a script."""
        for one in self.quoted:
            yield from (Token(where.cut(text), where.start, where.end, True) for where in one.labels)


Timely: TypeAlias = tuple[list[Token], TimeWords]  # a sentence without its time words, and these


class _Parsed(NamedTuple):
    """A sentence with its grammar, before it is asked for clauses."""

    where: TextRange
    words: list[Word]
    time: TimeWords
    tokens: Sequence[Token]
    asides: Sequence[Apposition]


def lines_of(text: str, names: Iterable[str] = (), calendar: Calendar = GREGORIAN) -> UnitDocument:
    """The sentences of a text; ``names`` are words of names met before, ``calendar`` has its words of time."""
    quoted, written = quotations(text), letters(text)
    narration = without_greetings(without_speech(text, quoted), written)
    places = [where for paragraph in paragraphs(narration) for where in sentences(narration, paragraph)]
    said = [sentences(text, quotation.words) for quotation in quoted]
    flat = [where for found in said for where in found]
    told = [_tokens(narration, where) for where in places]
    spoken = [_tokens(text, where) for where in flat]
    marked = mark_names([*told, *spoken], [*names, *_named(text, quoted, written)])
    timed = partial(without_time, names=borne_names(text, calendar), calendar=calendar)
    narrated = _narrated(text, _parsed(narration, places, marked[: len(told)], timed, lambda _: True))
    rest = iter(_said(_parsed(text, flat, marked[len(told) :], partial(timed, told=False), _claims)))
    return UnitDocument(narrated, quoted, [[next(rest) for _ in found] for found in said], written)


def _tokens(text: str, where: TextRange) -> list[Token]:
    """The words of a sentence; none of one that is too long to be one."""
    written = where.cut(text)
    if len(written) > SETTINGS.longest_text or max(map(len, written.split())) > SETTINGS.longest_word:
        return []
    found = tokens_of(written, where.start)
    return found if len(found) <= SETTINGS.longest_told else []


def _named(text: str, quoted: Iterable[Quotation], written: Iterable[Letter]) -> Iterator[str]:
    """Words of names that the page itself sets apart: labels of a script, greetings and signatures of letters."""
    yield from (word for one in quoted for label in one.labels for word in label.cut(text).split())
    yield from (word for letter in written for word in letter.names)


def _parsed(
    text: str, places: Sequence[TextRange], marked: Sequence[list[Token]],
    time: Callable[[str, Sequence[Token]], Timely], worth: Callable[[Sequence[Token]], bool],
) -> list[_Parsed]:  # fmt: skip
    """The sentences with their grammar, as far as they are worth it."""
    timed = [time(text, tokens) for tokens in marked]
    plain = [without_asides(tokens) for tokens, _ in timed]
    grammar = parse([tokens if worth(tokens) else [] for tokens, _ in plain])
    rows = zip(places, grammar, timed, marked, plain, strict=True)
    return [
        _Parsed(where, words, said, tokens, asides) for where, words, (_, said), tokens, (_, asides) in rows
    ]


def _narrated(text: str, parsed: Sequence[_Parsed]) -> list[Sentence]:
    """What is told; questions and the ways of the world are no deeds."""
    drafts = [drafted(one.words) for one in parsed]
    past = told_in_the_past(clause for draft in drafts for clause in draft.found)
    settled = [
        settle_realis(draft.found, draft.tree, question=one.where.cut(text).endswith("?"), past=past)
        for one, draft in zip(parsed, drafts, strict=True)
    ]
    return [
        Sentence(one.where, one.words, found, one.time, one.tokens, one.asides)
        for one, found in zip(parsed, settled, strict=True)
    ]


def _said(parsed: Sequence[_Parsed]) -> list[Sentence]:
    """What is said: whether it is asked is for whoever writes the speech."""
    return [
        Sentence(one.where, one.words, clauses(one.words), one.time, one.tokens, one.asides) for one in parsed
    ]


def _claims(tokens: Sequence[Token]) -> bool:
    words = {token.text.lower() for token in tokens}
    claims = words & (wordset("talk.claiming") | frame_table().done)
    pledges, supposes = (
        words & some and words & others
        for some, others in (
            (wordset("talk.speakers"), wordset("talk.pledging")),
            (wordset("conjunctions.conditional"), wordset("talk.possible")),
        )
    )
    return len(tokens) <= SETTINGS.longest and bool(claims or pledges or supposes)
