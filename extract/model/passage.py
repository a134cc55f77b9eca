"""A unit's text as a model is shown it: numbered sentences, scenes, and parts short enough for one question.

Sentence numbers help to tell apart words that stand in the text several times; offsets stay ours. Pure: no model, no graph.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TypeAlias

from narraworld.kb.spans import NotLocated, TextRange, locate

__all__ = ["NumberedText", "PassageCut", "PassagePart", "nearest_words", "sentence_of", "stands", "tie"]

PassageCut: TypeAlias = tuple[int, int, str | None]

_PARAGRAPH_END = re.compile(r"\n\s*\n")

_SENTENCE_END = re.compile(r"""(?<![.!?…])[.!?…]+["'”’»)\]]*(?=\s)""")

_ABBREVIATION = re.compile(
    r"\b(?:Mrs?|Ms|Mx|Dr|St|Sr|Jr|Prof|Capt|Col|Gen|Lt|Sgt|Rev|Hon|Messrs|Mme|Mlle|No|vs|e\.g|i\.e|cf|viz|[A-Z])\.$"
)  # what a full stop ends without ending the sentence; an initial too

_SCENE_BREAK = re.compile(r"^[ \t]*(?:(?:[*#~⁂•–—-][ \t]*){3,}|[#⁂])[ \t]*$", re.MULTILINE)

_LONGEST_ABBREVIATION = 8  # characters

_SPOKEN = re.compile(r"“[^”]*(?:”|$)|«[^»]*(?:»|$)|\"[^\"]*(?:\"|$)")


@dataclass(frozen=True, slots=True)
class PassagePart:
    """Sentences ``first`` to ``last`` of a passage, counted from 1, both included."""

    first: int
    last: int

    @property
    def sentences(self) -> int:
        return self.last - self.first + 1


@dataclass(frozen=True)
class NumberedText:
    """The text of one unit with its seams; ``cuts`` are its scenes (start, end, title), if the caller knows them."""

    text: str
    cuts: tuple[PassageCut, ...] = ()

    @cached_property
    def scenes(self) -> tuple[TextRange, ...]:
        """The stretches between lines that are only a break (`***`, `#`), without the white around them."""
        return tuple(where for where, _ in self._titled)

    @property
    def titles(self) -> tuple[str | None, ...]:
        """What the scenes are called, scene by scene."""
        return tuple(title for _, title in self._titled)

    @cached_property
    def _titled(self) -> tuple[tuple[TextRange, str | None], ...]:
        cuts = self.cuts or self._cuts_by_breaks()
        return tuple((where, title) for start, end, title in cuts if (where := self._trim(start, end)))

    def _cuts_by_breaks(self) -> tuple[PassageCut, ...]:
        marks = [mark.span() for mark in _SCENE_BREAK.finditer(self.text)]
        starts = [0, *(end for _, end in marks)]
        ends = [*(start for start, _ in marks), len(self.text)]
        return tuple((start, end, None) for start, end in zip(starts, ends, strict=True))

    @cached_property
    def sentences(self) -> tuple[TextRange, ...]:
        """Rough sentences. One too many does no harm: they only say where to look, and where to cut."""
        found = []
        for scene in self.scenes:
            for paragraph in self._pieces(scene, _PARAGRAPH_END):
                found += self._pieces(paragraph, _SENTENCE_END)
        return tuple(found)

    @cached_property
    def spoken(self) -> tuple[TextRange, ...]:
        """What stands between quotation marks; an unclosed one ends with its paragraph."""
        return tuple(
            TextRange(paragraph.start + said.start(), paragraph.start + said.end())
            for scene in self.scenes
            for paragraph in self._pieces(scene, _PARAGRAPH_END)
            for said in _SPOKEN.finditer(paragraph.cut(self.text))
        )

    @property
    def words(self) -> int:
        return len(self.text.split())

    def scene_at(self, place: int) -> int | None:
        """The number of the scene, from 1, that this character stands in."""
        return next((n for n, scene in enumerate(self.scenes, 1) if scene.start <= place < scene.end), None)

    def parts(self, words: int) -> tuple[PassagePart, ...]:
        """The passage in parts of about ``words`` words, alike in length and cut between sentences."""
        wanted = max(1, round(self.words / words))
        total = len(self.sentences)
        edges = sorted({round(total * n / wanted) for n in range(wanted + 1)})
        return tuple(PassagePart(a + 1, b) for a, b in pairwise(edges))

    def length(self, part: PassagePart) -> int:
        return self.sentences[part.last - 1].end - self.sentences[part.first - 1].start

    def halves(self, part: PassagePart) -> tuple[PassagePart, PassagePart]:
        """The part cut between the two sentences nearest to its middle."""
        start = self.sentences[part.first - 1].start
        middle = start + self.length(part) / 2
        cuts = range(part.first, part.last)
        cut = min(cuts, key=lambda last: abs(self.sentences[last - 1].end - middle))
        return PassagePart(part.first, cut), PassagePart(cut + 1, part.last)

    def shown(self, part: PassagePart) -> str:
        """The part with a number before each sentence, and a line where a scene begins."""
        return self.lines(range(part.first, part.last + 1))

    def near(self, places: Iterable[int | None], sentences: int) -> list[int]:
        """The numbers of the sentences near some places; all where a place is not known."""
        total, wanted = len(self.sentences), set[int]()
        for place in places:
            near = (1, total) if place is None else (place - sentences, place + sentences)
            wanted.update(range(max(1, near[0]), min(total, near[1]) + 1))
        return sorted(wanted)

    def sentence_at(self, place: int) -> int:
        """The number of the sentence that a character stands in, or of the first behind it."""
        return next((n for n, one in enumerate(self.sentences, 1) if place < one.end), len(self.sentences))

    def lines(self, numbers: Iterable[int]) -> str:
        """Some sentences with their numbers, and a line where a scene begins."""
        lines, scene = list[str](), None
        for number in numbers:
            where = self.sentences[number - 1]
            if len(self.scenes) > 1 and (here := self.scene_at(where.start)) != scene:
                lines.append(f"-- scene {here} --")
                scene = here
            lines.append(f"{number} {' '.join(where.cut(self.text).split())}")
        return "\n".join(lines)

    def broken_at(self, places: Iterable[int]) -> NumberedText:
        """The same text with a further scene at each place, from the beginning of its sentence on; titled scenes stay whole."""
        starts = {one.start for place in places if (one := self._sentence_at(place))}
        cuts = list[PassageCut]()
        for scene, title in self._titled:
            inner = [] if title else sorted(at for at in starts if scene.start < at < scene.end)
            cuts += [(start, end, title) for start, end in pairwise([scene.start, *inner, scene.end])]
        return NumberedText(self.text, tuple(cuts)) if starts else self

    def _sentence_at(self, place: int) -> TextRange | None:
        return next((one for one in self.sentences if one.start <= place < one.end), None)

    def _pieces(self, whole: TextRange, seam: re.Pattern[str]) -> list[TextRange]:
        marks = seam.finditer(self.text, whole.start, whole.end)
        ends = [mark.end() for mark in marks if not self._abbreviates(mark)]
        edges = [whole.start, *ends, whole.end]
        pairs = pairwise(edges)
        return [piece for start, end in pairs if (piece := self._trim(start, end))]

    def _abbreviates(self, mark: re.Match[str]) -> bool:
        before = self.text[max(0, mark.start() - _LONGEST_ABBREVIATION) : mark.end()]
        return _ABBREVIATION.search(before) is not None

    def _trim(self, start: int, end: int) -> TextRange | None:
        inside = self.text[start:end]
        if not inside.strip():
            return None
        return TextRange(start + len(inside) - len(inside.lstrip()), start + len(inside.rstrip()))


# -- Evidence for what a model says: its quotes, tied to the characters they stand on, or refused

_MARK = re.compile(r"\[\d+\]\s*|^\d+\s+|(?<=[.!?…\"”’»])\s+\d+(?=\s)")  # the number of a line, copied along

_CLOSE_ENOUGH = 60.0  # of 100; below this a hint would mislead

_LONGEST_HINTED = 500  # characters; comparing longer ones costs more than it helps


def tie(
    passage: NumberedText, quote: str, sentence: int | None = None, previous: TextRange | None = None
) -> TextRange | NotLocated:
    """Where a quote stands, or why it cannot be evidence."""
    if not re.search(r"\w", quote):
        return NotLocated(quote, "the quote has no words")
    if len("".join(quote.split())) > len(passage.text):
        return NotLocated(quote, "the quote is longer than the text")
    places = _standing(passage.text, quote) or _standing(passage.text, _MARK.sub("", quote))
    if places:
        return _chosen(passage, places, sentence, previous)
    missing = locate(passage.text, quote)
    inside = isinstance(missing, TextRange) or "times" in missing.why
    return NotLocated(quote, "the quote begins or ends inside a word") if inside else missing


def sentence_of(passage: NumberedText, quote: str, said: int | None) -> int | None:
    """The number of the sentence where a quote stands; where it stands nowhere, the one that was said, if there is one."""
    where = tie(passage, quote, said)
    if isinstance(where, NotLocated):
        return said if said is not None and 1 <= said <= len(passage.sentences) else None
    return next(n for n, one in enumerate(passage.sentences, 1) if where.start < one.end)


def stands(text: str, words: str) -> bool:
    """Whether words, letter case aside, stand in the text as whole words."""
    return bool(_standing(text, words, re.IGNORECASE))


def nearest_words(passage: NumberedText, quote: str) -> str | None:
    """The sentence that looks most like a quote that is nowhere: a hint for asking again, never evidence."""
    from rapidfuzz import fuzz, process

    if len(quote) > _LONGEST_HINTED:
        return None
    sentences = [where.cut(passage.text) for where in passage.sentences]
    best = process.extractOne(quote, sentences, scorer=fuzz.partial_ratio, score_cutoff=_CLOSE_ENOUGH)
    return " ".join(best[0].split()) if best else None


@lru_cache(maxsize=1024)  # a unit is grounded after every stage
def _standing(text: str, quote: str, flags: re.RegexFlag = re.NOFLAG) -> tuple[TextRange, ...]:
    """Every place where the quote stands as whole words."""
    words = quote.split()
    if not words:
        return ()
    pattern = r"\s+".join(map(re.escape, words))
    found = [TextRange(*match.span()) for match in re.finditer(pattern, text, flags)]
    return tuple(place for place in found if not _cuts_a_word(text, place))


def _cuts_a_word(text: str, place: TextRange) -> bool:
    """Looked at afterwards, because a pattern that begins with a condition is ten times slower to find."""
    before, behind = text[max(place.start - 1, 0) : place.start + 1], text[place.end - 1 : place.end + 1]
    return re.fullmatch(r"\w\w", before) is not None or re.fullmatch(r"\w\w", behind) is not None


def _chosen(
    passage: NumberedText, places: tuple[TextRange, ...], sentence: int | None, previous: TextRange | None
) -> TextRange:
    if sentence is not None and 1 <= sentence <= len(passage.sentences):
        named = passage.sentences[sentence - 1]
        here = [place for place in places if named.start <= place.start < named.end]
        if here:
            return here[0]
    behind = [place for place in places if previous is not None and place.start >= previous.start]
    return behind[0] if behind else places[0]
