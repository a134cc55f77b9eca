"""A rule file laid out evenly, its words and its comments untouched.

One blank behind a comma and around `:-`, further lines of a rule four blanks in, at most one empty line, none at the end.
The result means the same: the caller reads both and compares. Pure text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["laid_out"]

# what must not be touched: symbols and comments
KEPT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*[\s\S]*?\*/')
INDENT = "    "


def laid_out(text: str) -> str:
    lines = _collapsed(_indented(_spaced(text.replace("\r\n", "\n")).split("\n")))
    return "\n".join(lines).strip("\n") + "\n"


def _spaced(text: str) -> str:
    parts, last = list[str](), 0
    for kept in KEPT.finditer(text):
        before = _even(text[last : kept.start()])
        parts += [before, " " * (before.endswith(",") and kept[0].startswith('"')), kept[0]]
        last = kept.end()
    return "".join([*parts, _even(text[last:])])


def _even(text: str) -> str:
    text = re.sub(r"[ \t]+(?=,)", "", text)
    text = re.sub(r",[ \t]*(?=\S)", ", ", text)
    text = re.sub(r"[ \t]*:-[ \t]*", " :- ", text)
    return re.sub(r"[ \t]+(?=\n)", "", text)


def _indented(lines: list[str]) -> Iterator[str]:
    """Lines of a rule that is not finished stand further in; a declaration is one line."""
    inside = comment = False
    for line in lines:
        bare = KEPT.sub(lambda kept: '""' if kept[0].startswith('"') else "", line).strip()
        if comment or line.lstrip().startswith("/*"):
            comment = "*/" not in line
            yield line.rstrip()
            continue
        yield (INDENT if inside and bare else "") + line.strip()
        if bare and not re.match(r"\.[a-z]", bare):
            inside = not bare.endswith(".")


def _collapsed(lines: Iterator[str]) -> Iterator[str]:
    empty = False
    for line in lines:
        if line or not empty:
            yield line
        empty = not line
