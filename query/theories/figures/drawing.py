"""Lines, circles, boxes and words as SVG: the few shapes that the figures of theories need. Knows no theory and no story.

Coordinates are pixels; a drawing grows with what is drawn. Colours are those of Okabe and Ito, which most eyes can tell apart, and
no figure says by colour alone what it does not also say by shape or word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

__all__ = [
    "BLACK",
    "BLUE",
    "COLOURS",
    "GREEN",
    "GREY",
    "ORANGE",
    "PINK",
    "RED",
    "SKY",
    "Drawing",
    "Figure",
    "short",
]

BLACK, GREY = "#222222", "#9a9a9a"
ORANGE, SKY, GREEN, BLUE, RED, PINK = "#e69f00", "#56b4e9", "#009e73", "#0072b2", "#d55e00", "#cc79a7"
COLOURS = (BLUE, ORANGE, GREEN, PINK, SKY, RED)
MARGIN = 24
LETTER = 0.56  # the width of a letter, in its height
BOLD = 0.64  # and of a bold one
FONT = "system-ui, sans-serif"
_HALO = ' stroke="#ffffff" stroke-width="3" paint-order="stroke" stroke-linejoin="round"'  # a line below words stays readable


@dataclass(frozen=True, slots=True)
class Figure:
    """A finished drawing. In a notebook it shows itself; `save` writes it to a file."""

    title: str
    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: Path | str) -> None:
        Path(path).write_text(self.svg, encoding="utf-8")


class Drawing:
    """An empty sheet that takes shapes and becomes a figure."""

    def __init__(self, title: str, note: str = "") -> None:
        self.title, self._parts = title, list[str]()
        self._left = self._top = 0.0
        self._right = self._bottom = 0.0
        self.text(0, -34, title, size=15, bold=True)
        if note:
            self.text(0, -16, note, size=11, colour="#555555")

    def line(
        self, x: float, y: float, to_x: float, to_y: float, *, colour: str = BLACK, width: float = 1.0,
        dashed: bool = False, arrow: bool = False,
    ) -> None:  # fmt: skip
        self._reach(x, y, to_x, to_y)
        dash = ' stroke-dasharray="4 3"' if dashed else ""
        head = ' marker-end="url(#arrow)"' if arrow else ""
        self._parts.append(
            f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{colour}" '
            f'stroke-width="{width:.1f}"{dash}{head}/>'
        )

    def arc(
        self, x: float, y: float, to_x: float, to_y: float, *, bend: float = 30, colour: str = BLACK,
        width: float = 1.0, arrow: bool = False, sideways: float = 0,
    ) -> None:  # fmt: skip
        """A curve whose middle is moved by ``bend`` pixels downwards and ``sideways`` to the right, or the other way."""
        middle = (y + to_y) / 2 + bend
        self._reach(x, y, to_x, to_y)
        self._reach((x + to_x) / 2 + sideways / 2, (y + to_y) / 2 + bend / 2, x, y)
        head = ' marker-end="url(#arrow)"' if arrow else ""
        self._parts.append(
            f'<path d="M {x:.1f} {y:.1f} Q {(x + to_x) / 2 + sideways:.1f} {middle:.1f} {to_x:.1f} {to_y:.1f}" fill="none" '
            f'stroke="{colour}" stroke-width="{width:.1f}"{head}/>'
        )

    def circle(
        self, x: float, y: float, radius: float, *, fill: str = BLUE, edge: str = BLACK, hint: str = ""
    ) -> None:
        self._reach(x - radius, y - radius, x + radius, y + radius)
        inside = f"<title>{escape(hint)}</title>" if hint else ""
        self._parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}" stroke="{edge}">{inside}</circle>'
        )

    def box(
        self, x: float, y: float, width: float, height: float, *, fill: str = "none", edge: str = BLACK,
        dashed: bool = False, hint: str = "",
    ) -> None:  # fmt: skip
        self._reach(x, y, x + width, y + height)
        dash = ' stroke-dasharray="4 3"' if dashed else ""
        inside = f"<title>{escape(hint)}</title>" if hint else ""
        self._parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.5):.1f}" height="{height:.1f}" rx="3" fill="{fill}" '
            f'stroke="{edge}"{dash}>{inside}</rect>'
        )

    def text(
        self, x: float, y: float, words: str, *, size: float = 12, bold: bool = False, colour: str = BLACK,
        anchor: str = "start",
    ) -> None:  # fmt: skip
        wide = len(words) * size * (BOLD if bold else LETTER)
        left = {"start": x, "middle": x - wide / 2, "end": x - wide}[anchor]
        self._reach(left, y - size, left + wide, y + size / 3)
        weight = ' font-weight="600"' if bold else ""
        weight += _HALO if colour != "#ffffff" else ""
        self._parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}" fill="{colour}"{weight}>'
            f"{escape(words)}</text>"
        )

    def legend(self, y: float, entries: Sequence[tuple[str, str]]) -> None:
        """Colours and what they stand for, in one line."""
        x = 0.0
        for colour, words in entries:
            self.box(x, y - 9, 10, 10, fill=colour, edge=colour)
            self.text(x + 15, y, words, size=11)
            x += 15 + len(words) * 11 * LETTER + 18

    def figure(self) -> Figure:
        left, top = self._left - MARGIN, self._top - MARGIN
        width, height = self._right - self._left + 2 * MARGIN, self._bottom - self._top + 2 * MARGIN
        arrow = (
            '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" '
            f'orient="auto-start-reverse"><path d="M0 0 L8 4 L0 8 z" fill="{BLACK}"/></marker></defs>'
        )
        return Figure(
            self.title,
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:.0f} {top:.0f} {width:.0f} {height:.0f}" '
            f'width="{width:.0f}" height="{height:.0f}" font-family="{FONT}" role="img" '
            f'aria-label="{escape(self.title)}">'
            f'<rect x="{left:.0f}" y="{top:.0f}" width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>{arrow}\n'
            + "\n".join(self._parts)
            + "\n</svg>\n",
        )

    def _reach(self, x: float, y: float, other_x: float, other_y: float) -> None:
        self._left, self._right = min(self._left, x, other_x), max(self._right, x, other_x)
        self._top, self._bottom = min(self._top, y, other_y), max(self._bottom, y, other_y)


def short(words: str, most: int = 28) -> str:
    """Words that fit; what was left out is shown by an ellipsis."""
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"
