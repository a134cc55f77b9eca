"""Who holds what of a matter, a line each: in which way, since which chapter, by what means and which words.

As the table of who knows what has it, so through somebody's eyes only what that mind could tell. Reads a scope, decides no truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from narraworld.base.quotation_marks import in_brief, in_marks
from narraworld.base.settings import DEFAULTS
from narraworld.query.ask.answer_evidence import chapter_of, spans_of
from narraworld.query.memory.index.search import Search
from narraworld.query.memory.items import Teller
from narraworld.query.memory.lines.given_lines import GivenLine, lines_table
from narraworld.query.memory.needs import MemoryItem
from narraworld.query.names import rows
from narraworld.query.shown.phrases import way

if TYPE_CHECKING:
    from narraworld.query.evidence import Span
    from narraworld.query.scope import Scope

__all__ = ["HELD", "HeldMatters"]

HELD = "B|held|"  # the key of what several minds make of a matter begins so

QUOTED = DEFAULTS.memory.in_words.quoted


class _Gained(NamedTuple):
    """How somebody came by something: by which record, in what way, and its words."""

    record: str
    mode: str
    span: Span | None


class HeldMatters:
    """The matters that are on minds in one scope, as lines."""

    def __init__(self, scope: Scope) -> None:
        self._scope, self._engine, self._tell = scope, scope.at_once, scope.once(Teller)
        self._items: dict[tuple[str, ...], MemoryItem] = {}

    @cached_property
    def matters(self) -> Mapping[str, Mapping[str, str]]:
        """For each proposition and event on somebody's mind, who holds it how."""
        found: dict[str, dict[str, str]] = {}
        for (matter, who), state in sorted(self._scope.knows().cells.items()):
            found.setdefault(matter, {})[who] = state
        return found

    def says(self, matter: str) -> str:
        """The matter as a sentence, or the words of the event."""
        return self._scope.names(matter) if self.is_event(matter) else self._tell.proposition_words(matter)

    def is_event(self, matter: str) -> bool:
        return bool(rows(self._engine, "event", matter))

    def records_of(self, matter: str) -> tuple[str, ...]:
        """The records that speak of it, itself if it is one."""
        about = [str(record) for record, _ in rows(self._engine, "refers", None, matter)]
        return (matter, *about) if self.is_event(matter) else tuple(about)

    def line(self, matter: str) -> GivenLine:
        """Everybody who has the matter on their mind, by how they hold it."""
        forms, holders = lines_table()["lines"], self.matters[matter]
        gained = {who: next(self._gained(who, matter), None) for who in holders}
        held = [
            forms["held"].format(
                state=state,
                who=", ".join(self._who(who, gained[who]) for who, how in holders.items() if how == state),
            )
            for state in dict.fromkeys(holders.values())
        ]
        sources = [one.record for one in gained.values() if one]
        records = tuple(dict.fromkeys((*sources, *self.records_of(matter)[:1])))
        words = forms["matter"].format(said=self.says(matter), held="; ".join(held))
        return GivenLine("minds", words, records=records, spans=spans_of(records, self._scope), matter=matter)

    def item(self, matter: str, cast: Sequence[str]) -> MemoryItem:
        """The same in brief, for an author's page of memory, and of whom in the ``cast`` nothing says so."""
        key = matter, *cast
        if key not in self._items:
            self._items[key] = self._in_brief(matter, cast)
        return self._items[key]

    def _in_brief(self, matter: str, cast: Sequence[str]) -> MemoryItem:
        forms, holders = lines_table()["lines"], self.matters[matter]
        held = [
            forms["held"].format(
                state=state, who=self._names(w for w, how in holders.items() if how == state)
            )
            for state in dict.fromkeys(holders.values())
        ]
        silent = [who for who in cast if who not in {*holders, *self._about(matter)}]
        if silent:
            held.append(forms["silent"].format(who=self._names(silent)))
        records = tuple(self._sources(matter)[-1:])
        spans = spans_of(records, self._scope)[:1]
        told = self._scope.once(Search).position(spans[0].unit, spans[0].start) if spans else None
        words = forms["matter"].format(said=self.says(matter), held="; ".join(held))
        return MemoryItem(f"{HELD}{matter}", "B", words, records, spans, told=told)

    def _sources(self, matter: str) -> list[str]:
        """The records that speak of it and quote the page; of what is only said of a mind, those that speak of that."""
        about = self.records_of(matter)
        within = [
            record
            for one in about
            if rows(self._engine, "proposition", one)
            for record in self.records_of(one)
        ]
        return sorted((one for one in (*about, *within) if self._scope.quotes(one)), key=self._told)

    def _told(self, record: str) -> tuple[int, str]:
        return max((int(row[1]) for row in rows(self._engine, "told", record)), default=0), record

    def _about(self, matter: str) -> set[str]:
        """Whom a matter is about: that they know of it goes without saying."""
        about = rows(self._engine, "proposition", matter)
        return {str(part) for _, subject, _, thing, _ in about for part in (subject, thing)}

    def _names(self, people: Iterable[str]) -> str:
        return ", ".join(map(self._scope.names, people))

    def _who(self, who: str, gained: _Gained | None) -> str:
        """Whose it is, with the chapter in which they came by it, how, and by what words as far as these may be quoted."""
        name, forms = self._scope.names(who), lines_table()["lines"]
        if gained is None:
            return name
        unit = gained.span.unit if gained.span else gained.record.partition("/")[0]
        chapter, means = chapter_of(unit, self._scope), way(gained.mode)
        if not gained.mode:
            return str(forms["since"].format(name=name, chapter=chapter))
        if gained.span is None:
            return str(forms["learned"].format(name=name, chapter=chapter, way=means))
        quote = in_marks(in_brief(gained.span.quote, QUOTED))
        return str(forms["quoted"].format(name=name, chapter=chapter, way=means, quote=quote))

    def _gained(self, who: str, matter: str) -> Iterator[_Gained]:
        """By what somebody came to hold a matter and has held it since."""
        for _, _, since in rows(self._engine, "believed_since", who, matter):
            for _, about, sign in rows(self._engine, "content", matter):
                for *_, mode, source in rows(self._engine, "gets", who, about, sign, since):
                    yield self._by(str(source), str(mode))
        for access, _ in rows(self._engine, "access_event", None, matter):
            for _, _, mode in rows(self._engine, "access", access, who):
                yield self._by(str(access), str(mode))
        if rows(self._engine, "knows_of", who, matter):
            yield self._by(matter, "")

    def _by(self, record: str, mode: str) -> _Gained:
        return _Gained(record, mode, next(iter(spans_of([record], self._scope)), None))
