"""Direct speech where it stands: which words are in whose quotation marks, and which of them belong to one breath.

A text has one habit: curly or straight, double or single marks, dashes, a script with a label before each line, or a
screenplay with a name above each speech. Finds places only; who speaks is for `talk/attribution.py`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from narraworld.base.settings import QuotationSettings
from narraworld.extract.embedded.layout.screenplay import cues
from narraworld.extract.embedded.layout.sentences import paragraphs
from narraworld.extract.embedded.lexicon.function_words import pattern
from narraworld.kb.spans import TextRange

__all__ = ["Quotation", "quotations", "without_speech"]

_MARKS = {
    "curly": re.compile(r"“(?:[^“”\n]|\n(?!\s*\n))*(?:”|(?=\n\s*\n)|\Z)"),
    "straight": re.compile(r"(?<!\w)\"(?:[^\"\n]|\n(?!\s*\n))*(?:\"|(?=\n\s*\n)|\Z)"),
    "single curly": re.compile(
        r"(?<!\w)‘(?:[^‘’\n]|\n(?!\s*\n)|’(?=\w))*(?:[,.!?;:—–”\"-]’(?!\w)|(?=\n\s*\n)|\Z)"
    ),
    "single straight": re.compile(r"(?<!\w)'(?=\w)(?:[^'\n]|\n(?!\s*\n)|(?<=\w)'(?=\w))*?[,.!?;:—–-]'(?!\w)"),
}
_OPENING = re.compile(r"[“\"‘']|[—–] ?")
_SISTER = {"“": "”", '"': '"', "‘": "’", "'": "'"}
_CLOSING = re.compile(r"(?<=.)[”\"’']$", re.S)


SETTINGS = QuotationSettings()


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words in quotation marks: with the marks (`where`) and without (`words`), and the paragraph they stand in.

    ``labels`` are the speakers' names where the text is a script, and ``to`` whom a screenplay says it is for; ``continues``
    when they go on from the paragraph before.
    """

    where: TextRange
    words: TextRange
    paragraph: int
    continues: bool = False
    labels: tuple[TextRange, ...] = ()
    to: tuple[str, ...] = ()
    staged: bool = False  # in a screenplay: who comes and goes is told beside it


def quotations(text: str) -> list[Quotation]:
    """The direct speech of a text, in order."""
    spoken = list(paragraphs(text))
    if script := _script(text):
        return script
    if played := list(_played(text, spoken)):
        return played
    found = _marked(text) or [TextRange(*one.span()) for one in pattern("quotation.dash").finditer(text)]
    said = [one for one in found if one.end - one.start > 2 and not _only_named(text, one)]
    return list(_placed(text, said, spoken))


def _only_named(text: str, one: TextRange) -> bool:
    """A word that is spoken of, not spoken: `the so-called "upper room" was empty`, `they call it "hendl,"`."""
    words = one.cut(text).strip("“”‘’\"'")
    before = text[max(0, one.start - SETTINGS.lead) : one.start]
    within = before[-1:] == " " and before[-2:-1].isalnum()
    if not within or len(words.split()) > SETTINGS.term_words:
        return False
    return words[-1:].isalnum() or pattern("quotation.term").search(before) is not None


def _script(text: str) -> list[Quotation]:
    """The lines of a script, each with its label."""
    labelled = list(pattern("quotation.label").finditer(text))
    lines = sum(1 for line in text.split("\n") if line.strip())
    if len(labelled) < SETTINGS.script_lines or len(labelled) < SETTINGS.script_share * lines:
        return []
    return [
        Quotation(TextRange(*one.span()), TextRange(*one.span("words")), number, labels=tuple(_labels(one)))
        for number, one in enumerate(labelled)
    ]


def _played(text: str, spoken: Sequence[TextRange]) -> Iterator[Quotation]:
    """The speeches of a screenplay, each with the name above it."""
    first = [one.start for one in spoken]
    for one in cues(text):
        number = bisect_right(first, one.where.start) - 1
        yield Quotation(one.where, one.words, number, labels=(one.who,), to=one.to, staged=True)


def _labels(line: re.Match[str]) -> Iterator[TextRange]:
    """The names before the colon: `Mark and Bryce:` are two."""
    for found in pattern("quotation.names").finditer(line["who"]):
        yield TextRange(line.start("who") + found.start(), line.start("who") + found.end())


def _marked(text: str) -> list[TextRange]:
    """Quotations in the marks the text uses; single ones only where it has hardly any double ones."""
    found = {
        style: [TextRange(*one.span()) for one in marks.finditer(text)] for style, marks in _MARKS.items()
    }
    double = [*found["curly"], *found["straight"]]
    single = max(found["single curly"], found["single straight"], key=len)
    return _outermost(double if len(double) >= len(single) else [*single, *double])


def _outermost(found: Iterable[TextRange]) -> list[TextRange]:
    kept = list[TextRange]()
    for one in sorted(found, key=lambda each: (each.start, -each.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def _placed(text: str, found: list[TextRange], spoken: list[TextRange]) -> Iterator[Quotation]:
    """The quotations with their paragraphs; one that its paragraph leaves open goes on in the next."""
    number, open_until = 0, -2
    for one in found:
        while number + 1 < len(spoken) and spoken[number + 1].start <= one.start:
            number += 1
        continues = open_until == number - 1 and one.start == spoken[number].start
        yield Quotation(one, _inner(text, one), number, continues)
        open_until = number if _left_open(text, one, spoken[number]) else -2


def _inner(text: str, one: TextRange) -> TextRange:
    said = one.cut(text)
    opened, closed = _OPENING.match(said), _CLOSING.search(said)
    return TextRange(one.start + (opened.end() if opened else 0), one.end - (1 if closed else 0))


def _left_open(text: str, one: TextRange, paragraph: TextRange) -> bool:
    """Whether the mark it began with was never closed; what is quoted inside it may be."""
    closing = _SISTER.get(text[one.start])
    return one.end >= paragraph.end and closing is not None and text[one.end - 1] != closing


def without_speech(text: str, found: Iterable[Quotation] | None = None) -> str:
    """The narration alone, every character in its place: what people say in quotation marks is nobody's fact.

    Where a quotation ends the sentence that introduced it, a full stop stands in the place of its last mark.
    """
    pieces, at = list[str](), 0
    for one in quotations(text) if found is None else found:
        blank = re.sub(r"[^\n]", " ", one.where.cut(text))
        if _closes(text, one):
            blank = f"{blank[:-1]}."
        pieces += [text[at : one.where.start], blank]
        at = one.where.end
    return "".join([*pieces, text[at:]])


def _closes(text: str, one: Quotation) -> bool:
    """`He said, “Come in.” The door opened.`: the sentence is over, though the narration has no stop."""
    start, end = one.where.start, one.where.end
    before, after = text[max(0, start - 9) : start].rstrip(" \n")[-1:], text[end : end + 9].lstrip(" \n")[:1]
    ended = one.words.cut(text).rstrip()[-1:] in {".", "!", "?"}
    return ended and before in {",", ":", "—", "-"} and after.isupper()
