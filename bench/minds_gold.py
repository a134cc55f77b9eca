"""The gold of a story that turns on secrets, and how its free words are matched to what was read. Asks engines, decides nothing.

A matter of gold is a sentence (`says`) and a quotation. It is matched to a proposition or an event by the words they share, counted
by their stems, function words and the names of the people in it aside; a record that rests on words of the quotation gains `NEAR` words.
At least `LEAST` must be shared, and `SHARE` of the matter's. Of those that fit, the best that says anything of the person asked about gives the
cell: of a proposition by the table of who knows what, of an event by who knows of it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from narraworld.kb.search.search_words import analyse
from narraworld.query.knows import NO_EVIDENCE, who_knows_what
from narraworld.query.names import rows
from narraworld.query.scope import Scope

__all__ = ["NEEDS_A_STATEMENT", "GoldStory", "Told", "load_gold", "stems"]

NEEDS_A_STATEMENT = frozenset({"knows", "knows otherwise", "believes falsely", "doubts"})
NEAR = 2  # words that resting on the quoted sentence is worth
LEAST, SHARE = 3, 0.4  # words that must be shared, and how many of the matter's
HOLDS = frozenset(
    {"knows", "believes", "believes falsely", "last knew"}
)  # of our own cells: holds it, rightly or not
_DENIES = re.compile(r"\b(?:not|never|no|nobody|nothing)\b|n't\b", re.IGNORECASE)


@dataclass(frozen=True)
class GoldStory:
    """A folder with chapters, and what its author says of it."""

    name: str
    chapters: tuple[Path, ...]
    gold: Mapping[str, Any]
    recording: Path | None

    def of(self, kind: str) -> Sequence[Mapping[str, Any]]:
        found: Sequence[Mapping[str, Any]] = self.gold.get(kind, ())
        return found

    @property
    def people(self) -> list[str]:
        return list(self.gold["story"]["characters"])

    @cached_property
    def matters(self) -> Mapping[str, Mapping[str, Any]]:
        return {one["id"]: one for one in self.of("matter")}


def load_gold(folder: Path) -> GoldStory:
    gold = tomllib.loads((folder / "gold.toml").read_text(encoding="utf-8"))
    recording = folder / "strong.jsonl"
    chapters = tuple(sorted(folder.glob("[0-9]*.md")))
    return GoldStory(folder.name, chapters, gold, recording if recording.is_file() else None)


def stems(text: str) -> set[str]:
    return set(analyse(text.replace("’", "'")))


class Told:
    """One scope of a story that was read, looked at with the words of gold."""

    def __init__(self, scope: Scope, story: GoldStory) -> None:
        self.scope, self.story, self.engine = scope, story, scope.engine

    def who(self, name: str) -> str | None:
        """The character read under this name, the most spoken of where several fit."""
        wanted = _name(name)
        fitting = [
            str(entity)
            for entity, kind in rows(self.engine, "entity")
            if kind == "character"
            and any(_fits(_name(one), wanted) for one in self._called.get(str(entity), ()))
        ]
        return max(fitting, key=lambda one: (len(rows(self.engine, "refers", None, one)), one), default=None)

    def state(self, matter: Mapping[str, Any], name: str) -> str:
        """The state of somebody to a matter, in gold's words."""
        who = self.who(name)
        if who is None:
            return NO_EVIDENCE
        for _, node in self.matching(matter):
            if (found := self._state_to(node, who, matter)) is not None:
                return found
        return NO_EVIDENCE

    def matching(self, matter: Mapping[str, Any]) -> list[tuple[int, str]]:
        """Propositions and events that may be this matter, the likeliest first."""
        wanted = stems(matter["says"]) - self._people
        near = self._resting_on(matter.get("quote"))
        found = []
        for node, words in self._worded.items():
            shared = len(wanted & (words - self._people))
            score = shared + (NEAR if node in near else 0)
            if shared and score >= max(min(LEAST, len(wanted)), SHARE * len(wanted)):
                found.append((score, node))
        return sorted(found, key=lambda one: (-one[0], one[1]))

    def _state_to(self, node: str, who: str, matter: Mapping[str, Any]) -> str | None:
        if node in self._events:
            return ("knows" if matter["true"] else "believes falsely") if (who, node) in self._known else None
        cell = self.cells.get((node, who))
        if cell is None or cell in (NO_EVIDENCE, "heard"):
            return None
        if cell not in HOLDS:
            return cell
        contrary = node.startswith("not.") != bool(_DENIES.search(matter["says"]))
        if matter["true"]:
            return "believes falsely" if contrary else "knows"
        return "knows otherwise" if contrary else "believes falsely"

    # -- what was read

    @cached_property
    def cells(self) -> dict[tuple[str, str], str]:
        return who_knows_what(self.engine).cells

    @cached_property
    def _events(self) -> set[str]:
        return {str(event) for (event,) in rows(self.engine, "happened")}

    @cached_property
    def _known(self) -> set[tuple[str, str]]:
        return {(str(who), str(event)) for who, event, _ in rows(self.engine, "knows_of")}

    @cached_property
    def _worded(self) -> dict[str, set[str]]:
        """Every proposition and event with its words; an event has those of the page too."""
        found = {
            str(row[0]): stems(self.scope.names(str(row[0]))) for row in rows(self.engine, "proposition")
        }
        kinds = {str(event): str(kind) for event, kind, _ in rows(self.engine, "event")}
        for event in self._events:
            quotes = " ".join(quote.text for quote in self.scope.quotes(event))
            found[event] = stems(f"{kinds[event]} {quotes}")
        return found

    def _resting_on(self, quote: Mapping[str, str] | None) -> set[str]:
        """Propositions and events of records that quote any of the quoted words."""
        if quote is None:
            return set()
        wanted = " ".join(quote["words"].split())
        found = set[str]()
        for record, span in rows(self.engine, "evidence"):
            if str(span).partition("/")[0] == quote["chapter"] and self._touches(str(span), wanted):
                found.add(str(record))
        spoken = {str(node) for record, node in rows(self.engine, "refers") if record in found}
        return found | spoken

    def _touches(self, span: str, wanted: str) -> bool:
        text = " ".join(str(rows(self.engine, "quote", span)[0][1]).split())
        return bool(text) and (text in wanted or wanted in text)

    @cached_property
    def _called(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for _, entity, name in rows(self.engine, "named"):
            found.setdefault(str(entity), []).append(str(name))
        return found

    @cached_property
    def _people(self) -> set[str]:
        return {stem for name in self.story.people for stem in stems(name)}


def _name(name: str) -> frozenset[str]:
    titles = {"mr", "mrs", "miss", "ms", "dr", "the", "a", "an"}
    return frozenset(re.findall(r"\w+", name.casefold())) - titles


def _fits(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one and other) and (one <= other or other <= one)
