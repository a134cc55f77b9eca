"""Symbols as one mind has them: whoever it takes for one is one symbol, and no symbol spells a name it does not know. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from narraworld.base.quick_dataclass import dataclass
from narraworld.kb.name_words import name_words
from narraworld.kb.propositions import BadProposition, Statement, parse_statement
from narraworld.rules.language.ir import Row

__all__ = ["Renaming", "joined", "numbered", "renamed"]

_NO_LETTER = re.compile(r"[^\w]+")


@dataclass(frozen=True, slots=True)
class Renaming:
    """What each symbol becomes; propositions and slots are spelled out of symbols."""

    becomes: Mapping[str, str] = field(default_factory=dict)
    _known: dict[str, str] = field(default_factory=dict)

    def symbol(self, text: str) -> str:
        if text not in self._known:
            self._known[text] = self.becomes[text] if text in self.becomes else self._spelled(text)
        return self._known[text]

    def row(self, row: Row, symbols: Sequence[bool]) -> Row:
        """The row with its symbols renamed; ``symbols`` says which columns hold any."""
        if not self.becomes:
            return row
        return tuple(
            self.symbol(value) if is_symbol and isinstance(value, str) else value
            for value, is_symbol in zip(row, symbols, strict=True)
        )

    def _spelled(self, text: str) -> str:
        subject, dot, rest = text.removeprefix("not.").partition(".")
        if not dot:
            return text
        try:
            said = parse_statement(text)
        except BadProposition:
            return f"{self.becomes.get(subject, subject)}.{rest}" if text.startswith(subject) else text
        inner = self.symbol(said.object) if said.object is not None else None
        return Statement(self.symbol(said.subject), said.predicate, inner, said.value, said.negative).id


def joined(pairs: Iterable[tuple[str, str]], first: str = "") -> dict[str, str]:
    """For all who are one, the one they become: ``first`` if it is among them, else the first by name."""
    groups: dict[str, set[str]] = {}
    for one, other in pairs:
        together = groups.get(one, {one}) | groups.get(other, {other})
        groups.update(dict.fromkeys(together, together))
    return {
        node: main
        for node, several in groups.items()
        if (main := first if first in several else min(several)) != node
    }


def renamed(
    entities: Iterable[str], called: Mapping[str, Sequence[str]], own: Iterable[tuple[str, str]]
) -> dict[str, str]:
    """Symbols in place of those that spell a name this mind does not know."""
    secret: dict[str, set[str]] = {}
    for entity, name in own:
        if name not in called.get(entity, ()):
            secret.setdefault(entity, set()).update(name_words(name))
    found: dict[str, str] = {}
    taken = set(entities)
    for entity in sorted(secret.keys() & taken):
        names = called.get(entity, ())
        unknown = secret[entity] - {word for name in names for word in name_words(name)}
        if unknown & set(entity.split("-")):
            found[entity] = _fresh(names[0] if names else "somebody", taken)
            taken.add(found[entity])
    return found


def numbered(kinds: Mapping[str, str], taken: Iterable[str]) -> dict[str, str]:
    """For each symbol one that tells its kind and nothing else."""
    found: dict[str, str] = {}
    used = set(taken)
    for node in sorted(kinds):
        found[node] = _fresh(kinds[node], used)
        used.add(found[node])
    return found


def _fresh(name: str, taken: set[str]) -> str:
    """A symbol made of a name, that nobody has."""
    plain = _NO_LETTER.sub("-", name.casefold()).strip("-") or "somebody"
    return next(one for one in (plain, *(f"{plain}-{n}" for n in range(2, 9999))) if one not in taken)
