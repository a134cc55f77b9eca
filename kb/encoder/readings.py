"""How the lines of a talk are laid out as rows for the encoder. The same for use and for training. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from narraworld.kb.encoder.pieces import on_moves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from narraworld.kb.encoder.pieces import PieceRow

__all__ = ["move_rows"]

OPENS, CLOSES = "first", "last"


def move_rows(script: Sequence[tuple[str, str]]) -> list[PieceRow]:
    """Every line of a talk, with how long its speaker said nothing before and will say nothing after."""
    return [_move_row(script, nth) for nth in range(len(script))]


def _move_row(script: Sequence[tuple[str, str]], nth: int) -> PieceRow:
    who, words = script[nth]
    before = next((nth - n for n in range(nth - 1, -1, -1) if script[n][0] == who), None)
    after = next((n - nth for n in range(nth + 1, len(script)) if script[n][0] == who), None)
    silence = f"{before or OPENS} {after or CLOSES} {len(script) - nth - 1}"
    return on_moves(f"{who}, {silence}: {words}", _line(script, nth - 1), _line(script, nth + 1))


def _line(script: Sequence[tuple[str, str]], nth: int) -> str:
    return f"{script[nth][0]}: {script[nth][1]}" if 0 <= nth < len(script) else ""
