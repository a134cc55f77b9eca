"""The door to Jinja for pages: one environment, everything escaped, and the few words that templates share."""

from __future__ import annotations

import hashlib
import itertools
import shlex
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from narraworld.base.quotation_marks import in_marks
from narraworld.query.checks.report.report import plural

__all__ = ["link_to", "rendered", "segments", "static_files"]

TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


def rendered(template: str, values: Mapping[str, Any]) -> str:
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("narraworld.web", "templates"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    made.filters |= {"in_marks": in_marks, "plural": plural, "sentence": _sentence, "shell": shlex.quote}
    made.globals |= {
        "segments": segments,
        "static": _static_name,
        "drawn": lambda figure: Markup(figure.inline),
    }
    return made


def _sentence(words: str) -> str:
    """Words as a sentence: a capital, a full stop."""
    said = words[:1].upper() + words[1:]
    return said if said.endswith((".", "!", "?", "…", "”")) else f"{said}."


def link_to(path: str, address: Mapping[str, str], **changes: str | None) -> str:
    """An address with the situation in it; a change of None leaves that part out."""
    parts = {**address, **{name.rstrip("_"): value for name, value in changes.items()}}
    query = urlencode({name: value for name, value in parts.items() if value})
    return quote(path, safe="/") + (f"?{query}" if query else "")


# -- static files: their content is in their names, so that they may be kept for ever


@cache
def static_files() -> dict[str, tuple[bytes, str]]:
    """Bytes and media type by the name under which they are served."""
    found = dict[str, tuple[bytes, str]]()
    for file in (files("narraworld.web") / "static").iterdir():
        body = file.read_bytes()
        stem, _, suffix = file.name.rpartition(".")
        found[f"{stem}.{hashlib.sha256(body).hexdigest()[:12]}.{suffix}"] = body, TYPES[suffix]
    return found


@cache
def _static_name(name: str) -> str:
    stem, _, suffix = name.rpartition(".")
    return "/static/" + next(
        one for one in static_files() if one.startswith(f"{stem}.") and one.endswith(suffix)
    )


# -- marks in a line


def segments(text: str, marks: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A line cut where marks begin and end: its pieces, the classes of each, and which marks begin in it."""
    edges = sorted({0, len(text)}.union(*((mark["start"], mark["end"]) for mark in marks)))
    pieces = list[dict[str, Any]]()
    for start, end in itertools.pairwise(edges):
        over = [mark for mark in marks if mark["start"] <= start and mark["end"] >= end]
        begun = [mark for mark in over if mark["start"] == start]
        pieces.append({
            "text": text[start:end],
            "classes": " ".join(dict.fromkeys(map(_class, over))),
            "begun": _given("key", begun),
            "lit": _given("n", begun),
            "ends": _given("n", (mark for mark in over if mark["end"] == end)),
        })  # fmt: skip
    return pieces


def _given(name: str, marks: Iterable[Mapping[str, Any]]) -> list[Any]:
    return [mark[name] for mark in marks if name in mark]


def _class(mark: Mapping[str, Any]) -> str:
    names = {"evidence": "read", "finding": mark.get("severity", "note")}
    return str(names.get(mark["kind"], mark["kind"]))
