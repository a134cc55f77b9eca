"""A drawing: SVG that stands alone, or goes into a page which brings its own colours. Pure text; colours never speak alone."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path

__all__ = ["STYLE", "StoryFigure", "attributes", "element", "text_at"]

STYLE = """
svg{--card:#fff;--tint:#f2eee6;--line:#ddd7ca;--edge:#8d877b;--ink:#23211d;--soft:#5b574f;--accent:#1b5a61;--accent-tint:#dceae9;--wrong:#9c301b;background:var(--card)}
@media (prefers-color-scheme:dark){svg{--card:#1f1e1b;--tint:#292723;--line:#3a3731;--edge:#857f73;--ink:#e8e3d9;--soft:#b3ac9f;--accent:#84cbc6;--accent-tint:#203b3b;--wrong:#f29a85}}
text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:var(--ink)}.t-soft{fill:var(--soft)}
.halo{paint-order:stroke;stroke:var(--card);stroke-width:4px;stroke-linejoin:round}.t-serif{font-family:Charter,Georgia,serif;font-weight:600}
.line{fill:none;stroke:var(--edge);stroke-width:2.4}.line.away{stroke-width:1.3;stroke-dasharray:2 4}
.line.follow{stroke:var(--accent);stroke-width:4}.line.follow.away{stroke-width:2;stroke-dasharray:3 5}
.room{fill:var(--tint);stroke:var(--line)}.dot{fill:var(--card);stroke:var(--edge);stroke-width:2.2}
.dot.follow{fill:var(--accent);stroke:var(--accent)}.name.follow{fill:var(--accent);font-weight:700}
.then{fill:var(--accent-tint)}.rule{stroke:var(--line)}.jump{stroke:var(--accent);stroke-width:2.2;fill:none}
.slope{stroke:var(--edge);stroke-width:1.2;fill:none}.bar{fill:var(--accent)}.area{fill:var(--accent-tint)}
""".replace("\n", "")  # classes as in the page's own style sheet


LONG = 1200  # wider than this, a drawing is pushed along rather than made smaller
LARGER = 1.25


@dataclass(frozen=True, slots=True)
class StoryFigure:
    """A drawing with its title; `svg` stands alone, `inline` is for a page that has the classes."""

    title: str
    width: int
    height: int
    body: str
    described: str = ""

    def __repr__(self) -> str:
        return f"<Figure {self.title!r}, {self.width} × {self.height}>"

    @property
    def svg(self) -> str:
        """The whole file, colours and a dark variant in it."""
        return self._wrapped(' xmlns="http://www.w3.org/2000/svg"', f"<style>{STYLE}</style>")

    @property
    def inline(self) -> str:
        """For a page: no style of its own; a little larger than it is drawn, where there is room, and never pressed until nobody can read it."""
        wide = (
            f'class="long" width="{self.width}"'
            if self.width > LONG
            else f'width="{round(self.width * LARGER)}"'
        )
        return self._wrapped(f" {wide}", "")

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: Path | str) -> Path:
        """Write the drawing to a file."""
        from narraworld.base.atomic_files import write_whole

        write_whole(Path(path), self.svg + "\n")
        return Path(path)

    def _wrapped(self, more: str, style: str) -> str:
        about = f"<title>{escape(self.title)}</title>" + (
            f"<desc>{escape(self.described)}</desc>" if self.described else ""
        )
        size = f'viewBox="0 0 {self.width} {self.height}" role="img" aria-label="{escape(self.title)}"'
        return f"<svg{more} {size}>{about}{style}{self.body}</svg>"


def attributes(**given: object) -> str:
    """`class_` is `class`, `stroke_width` is `stroke-width`; numbers are short."""
    return "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(_short(value))}"'
        for name, value in given.items()
        if value is not None
    )


def element(name: str, inside: str = "", **given: object) -> str:
    return f"<{name}{attributes(**given)}>{inside}</{name}>" if inside else f"<{name}{attributes(**given)}/>"


def text_at(
    x: float, y: float, words: str, *, size: int = 11, anchor: str = "middle", class_: str = ""
) -> str:
    """Words at a point."""
    return element("text", escape(words), x=x, y=y, font_size=size, text_anchor=anchor, class_=class_ or None)


def _short(value: object) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
