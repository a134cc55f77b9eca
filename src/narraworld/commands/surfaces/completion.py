"""What a shell may complete: moments, names, versions, revisions, formats, numbers of checks, keys. Reads the journal's own files; derives nothing.

Every function is given what was typed and answers pairs of a value and a few words on it; where there is no story, there is nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from narraworld.base.errors import NarraWorldError

if TYPE_CHECKING:
    from narraworld.kb.journal.store import Store

__all__ = [
    "branches",
    "finding_keys",
    "formats",
    "minds",
    "moments",
    "relations",
    "revisions",
    "rule_numbers",
]

Pairs = Iterator[tuple[str, str]]
_NAME = re.compile(r'^<([^>]+)> <[^>]*[/#]name> "((?:[^"\\]|\\.)*)"', re.MULTILINE)
_MIND = re.compile(r"^<([^>]+)> <[^>]*#type> <[^>]*[/#](?:Character|Group)>", re.MULTILINE)


def _of_story(pairs: Callable[[Store], Pairs]) -> Callable[[typer.Context, str], list[tuple[str, str]]]:
    """The completion of a story in the folder that the command line names."""

    @wraps(pairs)
    def completed(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
        from narraworld.kb.journal.store import Store

        where = (ctx.params or {}).get("where") or Path()
        try:
            found = list(pairs(Store.open(Path(where))))
        except (NarraWorldError, OSError):
            return []
        begun = incomplete.casefold()
        return [pair for pair in found if pair[0].casefold().startswith(begun) or begun in pair[1].casefold()]

    del completed.__wrapped__  # typer reads the signature that it will call
    completed.__annotations__ = {"ctx": typer.Context, "incomplete": str}
    return completed


@_of_story
def moments(store: Store) -> Pairs:
    """Chapters with their titles."""
    for entry in store.snapshot().entries:
        yield entry.unit, store.of_unit(entry, "title") or ""


@_of_story
def minds(store: Store) -> Pairs:
    """Characters and groups by name."""
    named, people = dict[str, str](), set[str]()
    for entry in store.snapshot().entries:
        body = store.body(entry)
        people |= set(_MIND.findall(body))
        for node, name in _NAME.findall(body):
            named.setdefault(node, name)
    yield from ((name, "") for node, name in sorted(named.items()) if node in people)


@_of_story
def branches(store: Store) -> Pairs:
    yield "main", "the story"
    yield from ((one.name, f"from {one.parent} r{one.revision}") for one in store.branches())


@_of_story
def revisions(store: Store) -> Pairs:
    yield from ((f"r{entry.revision}", entry.unit) for entry in store.log())


@_of_story
def finding_keys(store: Store) -> Pairs:
    """Keys that were written down: in the baseline, and among the author's decisions."""
    for file in ("baseline.json", "decisions.toml"):
        path = store.root / file
        text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
        yield from ((key, file) for key in dict.fromkeys(re.findall(r'"([0-9a-f]{12})"', text)))


def formats(incomplete: str) -> list[str]:
    from narraworld.query.checks.report import FORMATS

    return [one for one in FORMATS if one.startswith(incomplete)]


def rule_numbers(incomplete: str) -> list[tuple[str, str]]:
    """Checks by number, with their titles; read off the rule files."""
    from importlib.resources import files

    card = re.compile(r'^check\("(NW\d+)", "\w+", "([^"]*)"', re.MULTILINE)
    checks = (files("narraworld.rules") / "checks").iterdir()
    texts = (file.read_text(encoding="utf-8") for file in checks if file.name.endswith(".dl"))
    found = dict(pair for text in texts for pair in card.findall(text))
    return [pair for pair in sorted(found.items()) if pair[0].startswith(incomplete.upper())]


def relations(incomplete: str) -> list[tuple[str, str]]:
    """Relations with their sentences; read off the rule files."""
    from narraworld.rules.language.program import built_in_files

    said = re.compile(r"^/// (\w+)\([^)]*\): (.*)$", re.MULTILINE)
    texts = (file.read_text(encoding="utf-8") for file in built_in_files())
    found = dict(pair for text in texts for pair in said.findall(text))
    return [pair for pair in sorted(found.items()) if pair[0].startswith(incomplete)]
