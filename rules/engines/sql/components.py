"""Which literals of a body hang together: two do when they share a variable.

What hangs on nothing that a rule is asked for only has to be possible, and is looked at once, not once for each row
of the rest. Pure functions over core literals.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from narraworld.rules.engines.sql.writer import names_in
from narraworld.rules.language.ir import Atom, Literal

__all__ = ["parts", "set_apart"]


def parts(body: Iterable[Literal], ignoring: Collection[str] = ()) -> list[list[Literal]]:
    """The literals in groups that share no variable, leaving some variables out of account."""
    found: list[tuple[set[str], list[Literal]]] = []
    for literal in body:
        names = names_in(literal) - set(ignoring)
        touching = [part for part in found if part[0] & names]
        found = [part for part in found if not part[0] & names]
        merged = [other for part in touching for other in part[1]]
        found.append((names.union(*(part[0] for part in touching)), [*merged, literal]))
    return [literals for _, literals in found]


def set_apart(
    body: Collection[Literal], wanted: Collection[str], joined: Collection[str] = ()
) -> tuple[list[Literal], list[list[Literal]]]:
    """The literals that say something about wanted variables, and the groups that say nothing about them.

    Relations in `joined` are never set apart. A lone comparison or absence is no group: it costs nothing where it stands.
    """
    aside = [part for part in parts(body) if _merely_possible(part, set(wanted), joined)]
    away = {id(literal) for part in aside for literal in part}
    return [literal for literal in body if id(literal) not in away], aside


def _merely_possible(part: list[Literal], wanted: set[str], joined: Collection[str]) -> bool:
    atoms = [literal for literal in part if isinstance(literal, Atom)]
    names = set().union(*(names_in(literal) for literal in part))
    return bool(atoms) and not names & wanted and not any(atom.relation in joined for atom in atoms)
