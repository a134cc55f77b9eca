"""Which verbs look through somebody's eyes, and which are the author's alone; a test holds this list against `World` and the command.

A verb with a situation derives under the mind of its focalizer, because its scope does. A verb that shows base facts, or what is wrong with them,
has nothing to say through a character's eyes: given a focalizer, it says why not.
"""

from __future__ import annotations

from narraworld.query.errors import QueryError

__all__ = ["AUTHORS", "THROUGH_EYES", "AuthorsOnly", "for_authors"]

# Verbs that take a situation and answer as its focalizer could.
THROUGH_EYES = frozenset({
    "scope", "query", "why", "views", "knows", "preview", "context", "ask", "search", "diff", "compare", "analyse",
})  # fmt: skip

# Verbs that refuse a focalizer, and why.
AUTHORS = {
    "check": "a check looks for what the author got wrong, and nobody in the story knows that",
    "sparql": "SPARQL asks the base facts, which no character holds",
    "export": "an export is the base facts, which no character holds",
    "forecast": "a forecast is about texts that nobody in the story has read",
    "sheet": "a style sheet lists what the author wrote, which no character has read",
    "chart": "a chart draws every scene, and nobody in the story was in all of them",
    "curve": "a curve counts over every scene, and nobody in the story was in all of them",
}


class AuthorsOnly(QueryError):
    """A verb that has no answer through a character's eyes."""

    def __init__(self, verb: str, who: str) -> None:
        super().__init__(
            f"{verb} cannot look through the eyes of {who}: {AUTHORS[verb]}",
            fix="leave the focalizer out, or ask with query, views, knows, why, ask or context",
        )


def for_authors(verb: str, who: str | None) -> None:
    """Refuse a focalizer where a verb is the author's alone."""
    if who is not None:
        raise AuthorsOnly(verb, who)
