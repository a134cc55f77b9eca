"""The sentences of a unit with their grammar: what is told, and what is said in quotation marks.

Of what is said only sentences that can claim something are parsed; the rest keeps its words. Resolves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from narraworld.extract.embedded.grammar.appositions import Apposition, without_asides
from narraworld.extract.embedded.grammar.clauses import Clause, clauses
from narraworld.extract.embedded.grammar.parser import Token, Word, parse, tokens_of
from narraworld.extract.embedded.grammar.time_expressions import TimeWords, without_time
from narraworld.extract.embedded.layout.letters import Letter, letters, without_greetings
from narraworld.extract.embedded.layout.quotations import Quotation, quotations, without_speech
from narraworld.extract.embedded.layout.sentences import mark_names, paragraphs, sentences
from narraworld.extract.embedded.lexicon.function_words import wordset
from narraworld.extract.embedded.lexicon.verb_frames import frame_table
from narraworld.kb.spans import TextRange

__all__ = ["Sentence", "UnitDocument", "lines_of"]


@dataclass(frozen=True, slots=True)
class DocumentSettings:
    """Which spoken sentences are worth their parse."""

    longest: int = 30  # words


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


def lines_of(text: str, names: Iterable[str] = ()) -> UnitDocument:
    """The sentences of a text; ``names`` are words of names met before."""
    quoted = quotations(text)
    written = letters(text)
    narration = without_greetings(without_speech(text, quoted), written)
    places = [one for paragraph in paragraphs(narration) for one in sentences(narration, paragraph)]
    said = [sentences(text, one.words) for one in quoted]
    told = [tokens_of(where.cut(narration), where.start) for where in places]
    spoken = [tokens_of(where.cut(text), where.start) for found in said for where in found]
    speakers = [word for one in quoted for label in one.labels for word in label.cut(text).split()]
    writing = [word for one in written for word in one.names]
    marked = mark_names([*told, *spoken], [*names, *speakers, *writing])
    narrated = _lines(narration, places, marked[: len(told)], len(told))
    flat = _lines(text, [where for found in said for where in found], marked[len(told) :], 0)
    rest = iter(flat)
    return UnitDocument(narrated, quoted, [[next(rest) for _ in found] for found in said], written)


def _lines(
    text: str, places: Sequence[TextRange], marked: Sequence[list[Token]], narrated: int
) -> list[Sentence]:
    """The sentences with their grammar; all of the narration, what is worth it of the rest."""
    timed = [without_time(text, tokens) for tokens in marked]
    plain = [without_asides(tokens) for tokens, _ in timed]
    parsed = parse(
        [tokens if nth < narrated or _claims(tokens) else [] for nth, (tokens, _) in enumerate(plain)]
    )
    return [
        Sentence(where, words, clauses(words) if words else [], time, tokens, asides)
        for where, words, (_, time), (_, asides), tokens in zip(
            places, parsed, timed, plain, marked, strict=True
        )
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
