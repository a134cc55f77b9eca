"""Evidence for what a model says: its quotes, tied to the characters they stand on, or refused.

A quote must stand in the text as `kb.spans.locate` demands (line breaks count as spaces, nothing else is forgiven), and as
whole words. The sentence marks of the prompt are ours, so they are taken out of a quote that copied them.

When a quote stands in the text several times, one is chosen by this rule: the first that begins in the sentence the model
named; else the first at or behind the start of the previous item of the same kind (items come in the order of the text);
else the first of all. Pure: no model, no graph.
"""

from __future__ import annotations

import re
from functools import lru_cache

from narraworld.extract.model.passage import NumberedText
from narraworld.kb.spans import NotLocated, TextRange, locate

__all__ = ["nearest_words", "stands", "tie"]

_MARK = re.compile(r"\[\d+\]\s*")
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
