"""Who knows what: characters against propositions, one word per cell.

A cell says knows, believes falsely, believes (the world does not settle it), doubts, unaware (only where the text
says so), heard (told, and not known to have accepted it) or no evidence. Reads derived relations, decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from narraworld.query.figures.result_tables import TabledResult
from narraworld.query.names import NameBook, ReadAs, rows
from narraworld.rules.engines import Engine

__all__ = ["NO_EVIDENCE", "Matrix", "who_knows_what"]

NO_EVIDENCE = "no evidence"

# Later lines win: what is derived about a belief says more than that a word was heard.
CELLS = (
    ("hears", 0, 2, "heard"),
    ("doubts", 0, 1, "doubts"),
    ("unaware", 0, 1, "unaware"),
    ("believes", 0, 1, "believes"),
    ("knows", 0, 1, "knows"),
    ("mistaken", 0, 1, "believes falsely"),
)


@dataclass(frozen=True, slots=True, repr=False)
class Matrix(TabledResult):
    """`cells[proposition, character]` for every pair; ids and words side by side."""

    characters: tuple[str, ...]
    propositions: tuple[str, ...]
    cells: dict[tuple[str, str], str]
    names: dict[str, str]
    read_as: tuple[ReadAs, ...] = ()

    def to_dicts(self) -> list[dict[str, str]]:
        return [
            {"what": self.names[p], "who": self.names.get(who, who), "state": state}
            for (p, who), state in sorted(self.cells.items())
        ]

    def in_short(self) -> str:
        at = f" at {self.read_as[0].words}" if self.read_as else ""
        wrong = sum(state == "believes falsely" for state in self.cells.values())
        minds = len({who for _, who in self.cells})
        return f"Knows{at}: {minds} minds, {len(self.propositions)} matters, {wrong} wrong"

    def row(self, proposition: str) -> list[str]:
        return [self.cells.get((proposition, character), NO_EVIDENCE) for character in self.characters]


def who_knows_what(engine: Engine, eyes: str | None = None) -> Matrix:
    """Every character against every proposition that is on somebody's mind; ``eyes`` whose world it is, who cannot tell
    knowing from believing."""
    names = NameBook(engine)
    cells: dict[tuple[str, str], str] = {}
    for relation, holder, proposition, word in CELLS:
        for row in rows(engine, relation):
            cells[str(row[proposition]), str(row[holder])] = word
        if relation in ("knows", "mistaken"):
            cells |= {key: "believes" for key in cells if key[1] == eyes and cells[key] == word}
        if relation == "hears":  # whoever took it up once, and knows better now, has not merely heard it
            for who, what, _ in rows(engine, "gave_up"):
                cells.pop((str(what), str(who)), None)
    first = _first_told(engine)
    characters = tuple(sorted(_characters(engine), key=lambda who: (first[who], who)))
    propositions = tuple(sorted({p for p, _ in cells}))
    return Matrix(characters, propositions, cells, {s: names(s) for s in (*characters, *propositions)})


def _characters(engine: Engine) -> list[str]:
    return [str(entity) for entity, kind in rows(engine, "entity") if kind == "character"]


def _first_told(engine: Engine) -> dict[str, tuple[int, int]]:
    """Where each character is first spoken of, so that columns come in order of appearance."""
    orders = {str(unit): int(order) for unit, order in rows(engine, "unit")}
    first: dict[str, tuple[int, int]] = {}
    for who in _characters(engine):
        spans = [rows(engine, "span", span)[0] for _, span in rows(engine, "evidence", who)]
        places = [(orders.get(str(unit), 0), int(start)) for _, unit, start, _ in spans]
        first[who] = min(places, default=(0, 0))
    return first
