"""A number for each scene, as a curve: wrong beliefs, open threads, people present, new facts. Values in, SVG out."""

from __future__ import annotations

from collections.abc import Sequence

from narraworld.query.figures.figure import StoryFigure, element, text_at

__all__ = ["curve_of"]

STEP, HEIGHT, LEFT, TOP = 46, 150, 44, 34


def curve_of(title: str, labels: Sequence[str], values: Sequence[float]) -> StoryFigure:
    """One point for each label; the highest and the axis have their numbers."""
    most = max([*values, 1])
    points = [(LEFT + n * STEP, TOP + HEIGHT * (1 - value / most)) for n, value in enumerate(values)]
    line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) if points else "M0 0"
    ground, right = TOP + HEIGHT, LEFT + max(0, len(values) - 1) * STEP
    body = [
        text_at(LEFT - 30, 18, title, size=12, anchor="start", class_="t-serif"),
        element("path", d=f"{line}L{right} {ground}L{LEFT} {ground}Z", class_="area"),
        element("path", d=line, class_="line follow"),
        text_at(LEFT - 10, TOP + 4, f"{most:g}", anchor="end", class_="t-soft"),
        text_at(LEFT - 10, ground, "0", anchor="end", class_="t-soft"),
    ]
    for (x, y), label, value in zip(points, labels, values, strict=True):
        title_of = element("title", f"{label}: {value:g}")
        body.append(element("circle", title_of, cx=x, cy=y, r=4, class_="dot follow"))
        body.append(text_at(x, ground + 18, label, size=10, class_="t-soft"))
    return StoryFigure(
        title,
        right + STEP,
        ground + 30,
        "".join(body),
        "; ".join(f"{a} {v:g}" for a, v in zip(labels, values, strict=True)),
    )
