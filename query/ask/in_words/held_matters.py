"""Who holds what of a matter, a line each: in which way, since which chapter, by what means and which words.

As the table of who knows what has it, so through somebody's eyes only what that mind could tell. Reads a scope, decides no truth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from narraworld.base.quotation_marks import in_brief, in_marks
from narraworld.base.settings import DEFAULTS
from narraworld.query.ask.answer_evidence import chapter_of, spans_of
from narraworld.query.ask.in_words.shown import GivenLine, words_table
from narraworld.query.memory.items import Teller
from narraworld.query.names import rows
from narraworld.query.shown.phrases import way

if TYPE_CHECKING:
    from narraworld.query.evidence import Span
    from narraworld.query.scope import Scope

__all__ = ["HeldMatters"]

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

    @cached_property
    def matters(self) -> Mapping[str, Mapping[str, str]]:
        """For each proposition and event on somebody's mind, who holds it how."""
        found: dict[str, dict[str, str]] = {}
        for (matter, who), state in sorted(self._scope.knows().cells.items()):
            found.setdefault(matter, {})[who] = state
        return found

    def says(self, matter: str) -> str:
        """The matter as a sentence, or the words of the event."""
        is_event = bool(rows(self._engine, "event", matter))
        return self._scope.names(matter) if is_event else self._tell.proposition_words(matter)

    def records_of(self, matter: str) -> tuple[str, ...]:
        """The records that speak of it, itself if it is one."""
        about = [str(record) for record, _ in rows(self._engine, "refers", None, matter)]
        return (matter, *about) if rows(self._engine, "event", matter) else tuple(about)

    def line(self, matter: str) -> GivenLine:
        """Everybody who has the matter on their mind, by how they hold it."""
        forms, holders = words_table()["lines"], self.matters[matter]
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

    def _who(self, who: str, gained: _Gained | None) -> str:
        """Whose it is, with the chapter in which they came by it, how, and by what words as far as these may be quoted."""
        name, forms = self._scope.names(who), words_table()["lines"]
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
