"""The inside of a Markdown paragraph, with the place of every character.

markdown-it knows CommonMark but forgets columns. Its own inline rules run here on a state that remembers where each
token began; nothing is searched for afterwards, so a word that stands twice cannot be confused. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from markdown_it.rules_inline import StateInline

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

__all__ = ["InlineStretch", "stretches"]

_AT = "at"
_BREAKS = ("softbreak", "hardbreak")


class InlineStretch(NamedTuple):
    """Text to read, and the characters `start` to `end` of the paragraph that it stands for; a line end is `\\n`."""

    text: str
    start: int
    end: int


class _Located(StateInline):
    """Pending text begins where its first character was taken; other tokens where the rule stood that made them."""

    pending_at = 0
    marker_at = -1
    markers = 0

    def append_pending(self, text: str) -> None:
        if not self.pending:
            self.pending_at = self.pos
        super().append_pending(text)

    def pushPending(self) -> Token:  # noqa: N802 (their name)
        token = super().pushPending()
        token.meta = {_AT: self.pending_at}
        return token

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        token = super().push(ttype, tag, nesting)
        # A row of emphasis markers is pushed one by one before the position moves on.
        self.markers = self.markers + 1 if ttype == "text" and self.marker_at == self.pos else 0
        self.marker_at = self.pos
        token.meta = {_AT: self.pos + self.markers}
        return token


def stretches(content: str, markdown: MarkdownIt) -> Iterator[InlineStretch]:
    """What there is to read in a paragraph: without emphasis, link targets, tags; with entities and escapes resolved."""
    state = _Located(content, markdown, {}, [])
    markdown.inline.tokenize(state)
    for rule in markdown.inline.ruler2.getRules(""):
        rule(state)
    for token in state.tokens:
        start: int = token.meta[_AT]
        if token.type in _BREAKS:
            yield InlineStretch("\n", start, start)
        elif token.type == "text" and token.content:
            yield _text(token, content, start)
        elif token.type == "text_special":
            yield InlineStretch(token.content, start, start + len(token.markup))
        elif token.type == "code_inline":
            yield from _code(token, content, start + len(token.markup))


def _code(token: Token, content: str, start: int) -> Iterator[InlineStretch]:
    """A code span as it stands, in lines; one space inside each of its marks is not part of it."""
    width = len(token.content)
    if content[start : start + width].replace("\n", " ") != token.content:
        start += 1
    for number, line in enumerate(content[start : start + width].split("\n")):
        if number:
            yield InlineStretch("\n", start - 1, start - 1)
        if line:
            yield InlineStretch(line, start, start + len(line))
        start += len(line) + 1


def _text(token: Token, content: str, start: int) -> InlineStretch:
    """An autolink's text stands one character after the `<` that made it."""
    if not content.startswith(token.content, start) and content.startswith(token.content, start + 1):
        start += 1
    return InlineStretch(token.content, start, start + len(token.content))
