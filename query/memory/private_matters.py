"""Private matters of the people of a scene, a line each: who knows of it and who does not, who was told otherwise and believes it.

For an author alone: nobody in the story sees into all of these minds. A matter is private where the text, or somebody in it, says that
one does not know of it, where it is kept from somebody, or where somebody was deceived about it.
Reads a scope, decides no truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from narraworld.query.memory.items import Teller
from narraworld.query.memory.needs import MemoryItem
from narraworld.query.names import rows
from narraworld.query.shown.phrases import private

if TYPE_CHECKING:
    from narraworld.query.scope import Scope

__all__ = ["PrivateMatters"]

SECRET = "secret"  # in which respect it is recorded what somebody tells nobody


class PrivateMatters:
    """The private matters of one scope: what all of them hold and do not is read once, whoever is asked about."""

    def __init__(self, scope: Scope) -> None:
        self._scope, self._engine, self._tell = scope, scope.at_once, scope.once(Teller)

    def of(self, people: Iterable[str]) -> Iterator[MemoryItem]:
        """Those that any of these people know, do not know, lie about or are deceived about, the latest told first."""
        if self._scope.focalizer:
            return
        wanted = set(people)
        found = [*self._secrets(wanted), *self._lies(wanted)]
        yield from sorted(found, key=lambda item: (-(item.told or 0), item.key))

    def _secrets(self, wanted: set[str]) -> Iterator[MemoryItem]:
        """What one knows and another does not."""
        for matter, (knowing, without) in self._known_to_some.items():
            if (knowing := knowing & wanted) and (without := without & wanted):
                words = private(
                    "secret",
                    knowing=self._names(knowing),
                    said=self._tell.proposition_words(matter),
                    without=self._names(without),
                )
                yield self._item("secret", matter, words)

    @cached_property
    def _known_to_some(self) -> dict[str, tuple[set[str], set[str]]]:
        """By matter, in order: who knows of it and who does not."""
        unknowing = self._unknowing(self._believed)
        knowing: dict[str, set[str]] = {matter: set() for matter in sorted(unknowing)}
        for who, matter in self._believed:
            if matter in knowing:
                knowing[matter].add(who)
        return {matter: (knowers, unknowing[matter]) for matter, knowers in knowing.items()}

    def _unknowing(self, believed: set[tuple[str, str]]) -> dict[str, set[str]]:
        """By matter, who is said not to know of it, by the text or by somebody who holds so, or from whom it is kept."""
        pairs = self._pairs("unaware") | {
            (str(whom), str(what)) for _, whom, what in rows(self._engine, "withholds")
        }
        held = {what for _, what in believed}
        for said, who, respect, what, sign in rows(self._engine, "proposition"):
            if respect == "knows" and sign == "negative" and str(said) in held:
                pairs.add((str(who), str(what)))
        found: dict[str, set[str]] = {}
        for who, what in pairs - believed:
            if rows(self._engine, "proposition", what):
                found.setdefault(what, set()).add(who)
        return found

    def unknown_to(self, who: str, most: int) -> Iterator[MemoryItem]:
        """What somebody keeps or does not know, and nothing says that this one knows: in one line, the latest told first."""
        if self._scope.focalizer:
            return
        unknown = [
            one for one in self._kept if (who, one) not in self._believed and not self._is_about(one, who)
        ]
        if unknown := sorted(unknown, key=lambda one: (-self._last_told(one), one))[:most]:
            said = "; ".join(map(self._tell.proposition_words, unknown))
            words = private("silent", who=self._scope.names(who), said=said)
            yield replace(self._item(f"silent|{who}", unknown[0], words), key=f"B|silent|{who}")

    @cached_property
    def _kept(self) -> list[str]:
        """The matters that are kept from somebody, that somebody does not know of, or that somebody tells nobody."""
        told = {
            str(what) for _, _, respect, what, _ in rows(self._engine, "proposition") if respect == SECRET
        }
        kept = {str(what) for _, _, what in rows(self._engine, "withholds")} | told
        known = {matter for matter, (knowing, _) in self._known_to_some.items() if knowing}
        return sorted(known | {one for one in kept if rows(self._engine, "proposition", one)})

    def _is_about(self, matter: str, who: str) -> bool:
        """Whether it is about this one, who knows of it as a matter of course unless it is said that they do not."""
        about = rows(self._engine, "proposition", matter)
        without = self._known_to_some.get(matter, (set(), set()))[1]
        return who not in without and any(who in (row[1], row[3]) for row in about)

    def _last_told(self, matter: str) -> int:
        return max(
            (self._told(str(record)) for record, _ in rows(self._engine, "refers", None, matter)), default=0
        )

    def _lies(self, wanted: set[str]) -> Iterator[MemoryItem]:
        for liar, whom, what in self._deceptions:
            if {liar, whom} <= wanted:
                way = "believed" if (whom, what) in self._believed else "not_believed"
                words = private(
                    way,
                    liar=self._scope.names(liar),
                    whom=self._scope.names(whom),
                    said=self._tell.proposition_words(what),
                )
                yield self._item(f"lie|{liar}|{whom}", what, words)

    @cached_property
    def _deceptions(self) -> list[tuple[str, str, str]]:
        """Who deceives whom about what, in order."""
        found = {(str(liar), str(whom), str(what)) for liar, whom, what in rows(self._engine, "deceives")}
        return sorted(found)

    @cached_property
    def _believed(self) -> set[tuple[str, str]]:
        return self._pairs("believes")

    def _pairs(self, relation: str) -> set[tuple[str, str]]:
        return {(str(who), str(what)) for who, what in rows(self._engine, relation)}

    def _names(self, people: Iterable[str]) -> str:
        return ", ".join(map(self._scope.names, sorted(people)))

    def _item(self, kind: str, matter: str, words: str) -> MemoryItem:
        """A line that rests on the latest record that speaks of the matter."""
        about = [str(record) for record, _ in rows(self._engine, "refers", None, matter)]
        latest = max(about, key=lambda record: (self._told(record), record), default=None)
        spans = self._tell.spans(latest) if latest else ()
        told = self._told(latest) if latest else None
        return MemoryItem(
            f"B|{kind}|{matter}", "B", words, (latest,) if latest else (), spans[:1], None, None, told
        )

    def _told(self, record: str) -> int:
        return max((int(row[1]) for row in rows(self._engine, "told", record)), default=0)
