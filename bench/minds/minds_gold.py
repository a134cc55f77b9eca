"""The gold of a story that turns on secrets, and the states of minds to its matters. Asks engines, decides nothing.

What in a reading is a matter of gold: `minds_matching.py`. Of the nodes that are, the likeliest that says anything of the person asked about
gives the cell: of a proposition by the table of who knows what, of an event by who knows of it, and of "X knows that P" for X by what X
holds of P and for others by what they think that X holds.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from bench.minds.minds_matching import Matched
from narraworld.query.knows import NO_EVIDENCE, who_knows_what
from narraworld.query.names import rows
from narraworld.query.scope import Scope

__all__ = ["NEEDS_A_STATEMENT", "GoldStory", "Told", "load_gold", "needs_of_another"]

NEEDS_A_STATEMENT = frozenset({"knows", "knows otherwise", "believes falsely", "doubts"})
HOLDS = frozenset(
    {"knows", "believes", "believes falsely", "last knew"}
)  # of our own cells: holds it, rightly or not


@dataclass(frozen=True)
class GoldStory:
    """A folder with chapters, and what its author says of it."""

    name: str
    chapters: tuple[Path, ...]
    gold: Mapping[str, Any]
    recording: Path | None
    matched: Mapping[str, Any]
    asked: Path | None = None  # answers to its questions, recorded

    def of(self, kind: str) -> Sequence[Mapping[str, Any]]:
        found: Sequence[Mapping[str, Any]] = self.gold.get(kind, ())
        return found

    @property
    def chosen_file(self) -> Path:
        """What was chosen for its scenes, recorded."""
        return self.folder / "chosen.jsonl"

    @property
    def folder(self) -> Path:
        return self.chapters[0].parent

    @cached_property
    def matters(self) -> Mapping[str, Mapping[str, Any]]:
        return {one["id"]: one for one in self.of("matter")}


def load_gold(folder: Path, *, by_words: bool = False) -> GoldStory:
    """A story with its gold; `matched.toml`, which says what in a reading is a matter, is left alone if ``by_words``."""
    gold = _toml(folder / "gold.toml")
    recording = folder / "strong.jsonl"
    chapters = tuple(sorted(folder.glob("[0-9]*.md")))
    matched = _toml(folder / "matched.toml") if (folder / "matched.toml").is_file() and not by_words else {}
    asked = folder / "asked.jsonl"
    return GoldStory(
        folder.name,
        chapters,
        gold,
        recording if recording.is_file() else None,
        matched,
        asked if asked.is_file() else None,
    )


def needs_of_another(story: GoldStory) -> list[str]:
    """What a scene of the next story in the folder needs: as a control, for hardly any of it is told here."""
    folders = sorted(file.parent for file in story.folder.parent.glob("*/gold.toml"))
    needs = load_gold(folders[(folders.index(story.folder) + 1) % len(folders)]).of("need")
    return [str(fact) for fact in needs[0]["facts"]] if needs else []


def _toml(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


class Told:
    """One scope of a story that was read, looked at with the words of gold."""

    def __init__(self, scope: Scope, story: GoldStory) -> None:
        self.scope, self.story, self.engine = scope, story, scope.engine

    def who(self, name: str) -> str | None:
        """The character read under this name: whose own name it is before who goes by it, then the most spoken of."""
        wanted = _name(name)
        fitting = [
            str(entity)
            for entity, kind in rows(self.engine, "entity")
            if kind == "character"
            and any(_fits(_name(one), wanted) for one in self._called.get(str(entity), ()))
        ]

        def rank(one: str) -> tuple[bool, int, str]:
            own = any(_fits(_name(str(row[2])), wanted) for row in rows(self.engine, "named", one, one))
            return own, len(rows(self.engine, "refers", None, one)), one

        return max(fitting, key=rank, default=None)

    def state(self, nodes: Sequence[Matched], matter: Mapping[str, Any], name: str) -> str:
        """The state of somebody to a matter, in gold's words; ``nodes`` are those that say it or its contrary."""
        who = self.who(name)
        for one in nodes if who else ():
            if (found := self._state_to(one, str(who), bool(matter["true"]))) is not None:
                return found
        return NO_EVIDENCE

    def _state_to(self, one: Matched, who: str, true: bool) -> str | None:
        if one.node in self._events:
            return _holding(True, true) if (who, one.node) in self._known else None
        if one.of and (found := self._thinks(one, who)) is not None:
            return _holding(found, true)
        cell = self.cells.get((one.node, who), NO_EVIDENCE)
        if cell in HOLDS:
            return _holding(one.says, true)
        if cell == "knows otherwise":
            return _holding(not one.says, true)
        return None if cell in (NO_EVIDENCE, "heard") else cell

    def _thinks(self, one: Matched, who: str) -> bool | None:
        """Where a node says that X holds P: whether who holds that X does, by holding P as X or by what who thinks of X."""
        assert one.of is not None
        holder, inner = one.of
        holds = (
            self.cells.get((inner, who)) in HOLDS if who == holder else self._thinks_of(who, holder, inner)
        )
        return one.says != one.node.startswith("not.") if holds else None

    def _thinks_of(self, who: str, holder: str, inner: str) -> bool:
        return bool(rows(self.engine, "believes2", who, holder, inner))

    # -- what was read

    @cached_property
    def cells(self) -> dict[tuple[str, str], str]:
        return who_knows_what(self.engine).cells

    @cached_property
    def _events(self) -> set[str]:
        told = {str(event) for event, _, _ in rows(self.engine, "recounted")}
        return told | {str(event) for (event,) in rows(self.engine, "happened")}

    @cached_property
    def _known(self) -> set[tuple[str, str]]:
        return {(str(who), str(event)) for who, event, _ in rows(self.engine, "knows_of")}

    @cached_property
    def _called(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for _, entity, name in rows(self.engine, "named"):
            found.setdefault(str(entity), []).append(str(name))
        return found


def _holding(says: bool, true: bool) -> str:
    """What gold calls it to hold a true or a false matter, or its contrary."""
    if true:
        return "knows" if says else "believes falsely"
    return "believes falsely" if says else "knows otherwise"


def _name(name: str) -> frozenset[str]:
    """The words of a name; of "Ann's sister" not Ann's, for it is another who is called so."""
    titles = {"mr", "mrs", "miss", "ms", "dr", "the", "a", "an"}
    return frozenset(re.findall(r"\w+", _POSSESSOR.sub("", name.casefold()))) - titles


_POSSESSOR = re.compile(r"^.*\w(?:['’]s|s['’])\s")


def _fits(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one and other) and (one <= other or other <= one)
