"""Who knows what: characters against propositions and events, one word per cell.

A cell says knows, knows otherwise (was told it, or once held it, and knows that it is not so), believes falsely, last knew (it
was so, and has changed unnoticed), believes (the world does not settle it), doubts, unaware (only where the text says so),
heard (told, and not known to have accepted it) or no evidence. Reads derived relations, decides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from narraworld.base.quick_dataclass import dataclass
from narraworld.query.at_once import AtOnce
from narraworld.query.figures.result_tables import TabledResult
from narraworld.query.names import NameBook, ReadAs, quotations, rows
from narraworld.query.shown.wordings import first_wordings
from narraworld.rules.engines import Engine
from narraworld.rules.proofs.matching import Answers

__all__ = ["NO_EVIDENCE", "Matrix", "who_knows_what"]

NO_EVIDENCE = "no evidence"

# Later lines win: what is derived about a belief says more than that a word was heard.
CELLS = (
    ("hears", 0, 2, "heard"),
    ("doubts", 0, 1, "doubts"),
    ("unaware", 0, 1, "unaware"),
    ("knows_otherwise", 0, 1, "knows otherwise"),
    ("believes", 0, 1, "believes"),
    ("knows", 0, 1, "knows"),
    ("last_knew", 0, 1, "last knew"),
    ("mistaken", 0, 1, "believes falsely"),
)
HELD = ("knows", "last_knew", "mistaken")  # a mind itself cannot tell these from believing


@dataclass(frozen=True, slots=True, repr=False)
class Matrix(TabledResult):
    """`cells[proposition, character]` and `cells[event, character]` for every pair; ids and words side by side."""

    characters: tuple[str, ...]
    propositions: tuple[str, ...]
    cells: dict[tuple[str, str], str]
    names: dict[str, str]
    read_as: tuple[ReadAs, ...] = ()
    events: tuple[str, ...] = ()

    def to_dicts(self) -> list[dict[str, str]]:
        return [
            {"what": self.names[p], "who": self.names.get(who, who), "state": state}
            for (p, who), state in sorted(self.cells.items())
        ]

    def in_short(self) -> str:
        moment = next((one.words for one in self.read_as if one.meant not in self.characters), "")
        at = f" at {moment}" if moment else ""
        wrong = sum(state == "believes falsely" for state in self.cells.values())
        minds = len({who for _, who in self.cells})
        return f"Knows{at}: {minds} minds, {len(self.propositions)} matters, {wrong} wrong"

    def only(self, who: Sequence[ReadAs]) -> Matrix:
        """The same table with the columns of ``who``, and the rows that are on one of these minds."""
        minds = tuple(dict.fromkeys(one.meant for one in who))
        cells = {(what, mind): state for (what, mind), state in self.cells.items() if mind in minds}
        held = {what for what, _ in cells}
        matters = tuple(what for what in self.propositions if what in held)
        events = tuple(what for what in self.events if what in held)
        names = {one: self.names[one] for one in (*minds, *matters, *events)}
        return Matrix(minds, matters, cells, names, (*self.read_as, *who), events)

    def row(self, what: str) -> list[str]:
        return [self.cells.get((what, character), NO_EVIDENCE) for character in self.characters]


def who_knows_what(engine: Engine, eyes: str | None = None) -> Matrix:
    """Every character against every proposition and event that is on somebody's mind; ``eyes`` whose world it is, who cannot tell
    knowing from believing."""
    at_once = AtOnce(engine)
    names, shown = NameBook(at_once, quotations(engine)), first_wordings(engine)
    cells = _propositions(engine, shown, eyes)
    first = _first_told(at_once)
    characters = tuple(sorted(_characters(engine), key=lambda who: (first[who], who)))
    propositions = tuple(sorted({p for p, _ in cells}))
    known = _events(engine)
    ticks = {str(record): int(tick) for record, tick in rows(engine, "at")}
    events = tuple(sorted({event for event, _ in known}, key=lambda event: (ticks.get(event, 0), event)))
    minds = {who for _, who in (*cells, *known)}  # a whole village may hold something, too
    called = {one: names(one) for one in (*characters, *sorted(minds), *propositions, *events)}
    return Matrix(characters, propositions, cells | known, called, events=events)


def _propositions(engine: Engine, shown: Mapping[str, str], eyes: str | None) -> dict[tuple[str, str], str]:
    """Who has which proposition on their mind, in the words for it that are ``shown``, and how."""
    cells: dict[tuple[str, str], str] = {}
    for relation, holder, proposition, word in CELLS:
        for row in rows(engine, relation):
            said = str(row[proposition])
            cells[shown.get(said, said), str(row[holder])] = word
        if relation in HELD:
            cells |= {key: "believes" for key in cells if key[1] == eyes and cells[key] == word}
        if relation == "hears":  # whoever took it up once, and knows better now, has not merely heard it
            for who, what, _ in rows(engine, "gave_up"):
                cells.pop((str(what), str(who)), None)
    return cells


def _events(engine: Engine) -> dict[tuple[str, str], str]:
    """Who knows of which event that took place, and of whom the text says that they do not."""
    unaware = {(str(event), str(who)): "unaware" for who, event in rows(engine, "unaware_of")}
    return unaware | {(str(event), str(who)): "knows" for who, event, _ in rows(engine, "knows_of")}


def _characters(engine: Answers) -> list[str]:
    return [str(entity) for entity, kind in rows(engine, "entity") if kind == "character"]


def _first_told(engine: Answers) -> dict[str, tuple[int, int]]:
    """Where each character is first spoken of, so that columns come in order of appearance."""
    orders = {str(unit): int(order) for unit, order in rows(engine, "unit")}
    first: dict[str, tuple[int, int]] = {}
    for who in _characters(engine):
        spans = [rows(engine, "span", span)[0] for _, span in rows(engine, "evidence", who)]
        places = [(orders.get(str(unit), 0), int(start)) for _, unit, start, _ in spans]
        first[who] = min(places, default=(0, 0))
    return first
