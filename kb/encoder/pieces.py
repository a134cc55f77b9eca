"""What the encoder is shown: two or more stretches of text as one row of word pieces, with their parts told apart.

The same for use and for training. The only door to the tokenizer of the encoder. Pure.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizers import Encoding, Tokenizer

__all__ = ["AROUND", "TOLD", "PieceRow", "joined", "on_answers"]

FOLDER = Path(__file__).parent
START, END = 101, 102  # [CLS] and [SEP] of the vocabulary
ASKED, TOLD, AROUND = 28, 72, 28  # pieces of a question, of the sentence looked at, of what stands beside it


class PieceRow(NamedTuple):
    """A row of pieces: their numbers, which of them are looked at (1) or only stand beside (0), and of those looked at, the characters
    of the text they stand for, by their place in the row."""

    ids: list[int]
    looked_at: list[int]
    characters: dict[int, tuple[int, int]]


def on_answers(question: str, sentence: str, before: str) -> PieceRow:
    """A question, a sentence that may answer it, and the one before, for its pronouns."""
    return joined([(question, ASKED, False), (sentence, TOLD, True), (before, -AROUND, False)])


def joined(parts: Sequence[tuple[str, int, bool]]) -> PieceRow:
    """Texts in their order, each cut to so many pieces: at its end, or at its beginning where the number is negative."""
    ids, looked_at, characters = [START], [0], dict[int, tuple[int, int]]()
    for text, most, is_target in parts:
        found = _encoded(text)
        first = max(0, len(found.ids) + most) if most < 0 else 0
        kept = range(first, min(len(found.ids), first + abs(most)))
        if is_target:
            characters |= {len(ids) + nth - first: found.offsets[nth] for nth in kept}
        ids += [*(found.ids[nth] for nth in kept), END]
        looked_at += [int(is_target)] * (len(kept) + 1)
    return PieceRow(ids, looked_at, characters)


def _encoded(text: str) -> Encoding:
    return _tokenizer().encode(text, add_special_tokens=False)


@cache
def _tokenizer() -> Tokenizer:
    from tokenizers import Tokenizer

    tokenizer: Tokenizer = Tokenizer.from_file(str(FOLDER / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
