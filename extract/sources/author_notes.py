"""What the author writes beside the text: front matter, `@pov:` lines, `%` and `<!-- -->` comments.

Everything here is struck from the sheet before a format is parsed. Comments are private and go no further, except those
that speak to us (`<!-- narraworld off NW204: a dream -->`). Pure, but for front matter in TOML that is not TOML.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from narraworld.base.given_files import toml_of
from narraworld.extract.errors import BadSource
from narraworld.extract.sources.blocks import Note
from narraworld.extract.sources.sheet import Sheet

__all__ = ["comments", "enclosed", "front_matter", "known_kind", "tag_lines", "told"]

KINDS = {
    "pov": "pov", "viewpoint": "pov", "focus": "focus", "focalizer": "focus", "focaliser": "focus",
    "char": "char", "chars": "char", "character": "char", "characters": "char", "cast": "char",
    "location": "location", "locations": "location", "place": "location", "setting": "location",
    "time": "time", "when": "time", "date": "time", "title": "title",
    "plot": "plot", "subplot": "plot", "object": "object", "objects": "object",
    "mention": "mention", "mentions": "mention", "entity": "entity", "custom": "custom", "story": "story",
    "tag": "tag", "synopsis": "synopsis", "summary": "synopsis", "short": "synopsis", "order": "order",
}  # fmt: skip
NAMES = frozenset({"pov", "focus", "char", "location", "plot", "object", "mention", "entity", "custom"})
OURS = "narraworld"

_FENCES = {"---": ("---", "..."), "+++": ("+++",)}
_KEY = re.compile(r"([A-Za-z][\w -]*?)\s*:(?:\s+(.*))?")
_TAG = re.compile(r"\s*@([a-z]+)\s*:\s*(.*?)\s*")
_REMARK = re.compile(r"\s*%+~?\s*(?:([A-Za-z]\w*)(?:\.\w+)?\s*:)?\s*(.*?)\s*")
COMMENTS = (("<!--", "-->"), ("%%", "%%"))


def known_kind(key: str) -> str:
    """One name for what authors call differently; a key we do not know keeps its own."""
    lowered = key.strip().lower()
    return KINDS.get(lowered, lowered)


def told(key: str, value: str, **where: Any) -> Iterator[Note]:
    """One note per name: `char` with "Mara, Leo" is two."""
    kind = known_kind(key)
    values = value.split(",") if kind in NAMES else [value]
    yield from (Note(kind, one.strip(), **where) for one in values if one.strip())


def enclosed(text: str, opening: str, closing: str) -> Iterator[tuple[int, int]]:
    """Where the text has something between two marks, marks included; what is never closed is text."""
    start = text.find(opening)
    while start >= 0 and (end := text.find(closing, start + len(opening))) >= 0:
        yield start, end + len(closing)
        start = text.find(opening, end + len(closing))


def comments(sheet: Sheet, file: str) -> list[Note]:
    """Strike out `<!-- … -->` and Obsidian's `%% … %%`; keep what is meant for us."""
    found = list[Note]()
    for opening, closing in COMMENTS:
        shown = sheet.shown()
        for start, end in enclosed(shown, opening, closing):
            words = " ".join(shown[start + len(opening) : end - len(closing)].split())
            line, column = sheet.place(start)
            if words.startswith(OURS):
                found.append(Note("comment", words, file, line, column + 1))
            sheet.strike_span(start, end)
    return found


def tag_lines(sheet: Sheet, file: str) -> list[Note]:
    """Strike out lines such as `@char: Mara, Leo` and `% a remark`; keep the tags, synopses and what is meant for us."""
    found = list[Note]()
    for number, line in enumerate(sheet.lines, 1):
        if (tag := _TAG.fullmatch(line)) and tag[1] in KINDS:
            found += told(tag[1], tag[2], file=file, line=number)
        elif line.lstrip().startswith("%") and (remark := _REMARK.fullmatch(line)):
            found += _remark(remark[1] or "", remark[2], file, number)
        else:
            continue
        sheet.strike(number)
    return found


def _remark(key: str, words: str, file: str, line: int) -> Iterator[Note]:
    if key.lower() == OURS or words.startswith(OURS):
        yield Note("comment", f"{OURS} {words}" if key else words, file, line)
    elif known_kind(key) == "synopsis":
        yield Note("synopsis", words, file, line)


def front_matter(sheet: Sheet, file: str) -> list[Note]:
    """Strike out the front matter, if the sheet begins with one; a ruled line at the top is not yet one."""
    opening = sheet.lines[0].rstrip()
    end = _end_of_front_matter(sheet.lines, _FENCES.get(opening, ()))
    if end is None or (opening == "---" and not _looks_like_keys(sheet.lines[1:end])):
        return []
    inside = sheet.lines[1:end]
    values = _toml(inside, file) if opening == "+++" else list(_yaml(inside))
    for number in range(1, end + 2):
        sheet.strike(number)
    return [note for key, value in values for note in told(key, value)]


def _end_of_front_matter(lines: Sequence[str], closings: Collection[str]) -> int | None:
    return next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() in closings), None)


def _looks_like_keys(lines: list[str]) -> bool:
    written = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    return not written or _KEY.fullmatch(written[0].rstrip()) is not None


def _yaml(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Keys with a value, a `[list]` or `- items` below; deeper structures keep their text as one value."""
    key, values = "", list[str]()
    for line in lines:
        match = _KEY.fullmatch(line.rstrip())
        if match:
            yield from ((key, value) for value in values)
            key, values = match[1], _scalars(match[2] or "")
        elif line.strip() and not line.lstrip().startswith("#"):
            values += _scalars(re.sub(r"^\s*-\s+", "", line))
    yield from ((key, value) for value in values)


def _scalars(written: str) -> list[str]:
    value = written.strip()
    if value.startswith("[") and value.endswith("]"):
        return [one for part in value[1:-1].split(",") for one in _scalars(part)]
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        value = value[1:-1]
    return [value] if value and value not in ("|", ">", "|-", ">-") else []


def _toml(lines: list[str], file: str) -> list[tuple[str, str]]:
    try:
        table = toml_of("\n".join(lines))
    except ValueError as error:  # no TOML, or written to do harm
        raise BadSource(f"the front matter is not TOML: {error}", where=file) from error
    return [
        (key, str(one))
        for key, value in table.items()
        for one in (value if isinstance(value, list) else [value])
    ]
