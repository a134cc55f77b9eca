"""One mind's own world: the base facts it could tell of, with everything derived again from those alone.

Records it could not tell of (`could_tell` of eyes.dl) are taken out before anything is derived. People have the names it calls them by
(`calls` of names.dl), two whom it takes for one are one, a lie it does not see through is a statement, and words of the page
or of a reader are kept only as far as that mind has met what they say. Every verb with a focalizer asks the engine made
here, so none can forget it. Reads an engine that was cut to the situation; changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property

from narraworld.base.quick_dataclass import dataclass
from narraworld.kb.propositions import parse_statement
from narraworld.query.eyes.renaming import Renaming, joined, numbered, renamed
from narraworld.query.eyes.texts import MetTexts
from narraworld.query.names import rows
from narraworld.rules.engines import Engine, Limits
from narraworld.rules.engines.choose import EngineName, engine_for
from narraworld.rules.language.ir import Relation, Row
from narraworld.rules.living.cut import every_row, seen_from_everywhere

__all__ = ["MindWorld", "as_one", "mind_of"]

ENTITIES = {"Character": "someone", "Group": "some people", "Place": "somewhere", "Object": "something"}
SPOKEN_OF = frozenset({*ENTITIES, "Proposition"})  # what records speak of; it comes along with them
NOT_BY_THEMSELVES = frozenset({"Development", "Possibility"})  # they speak of what its own records must bring
# Columns whose words are no nodes, even where they are spelled like one.
TEXT_COLUMNS = frozenset({
    "name", "title", "text", "words", "word", "kind", "map", "realis", "manner", "mode", "role", "truth", "polarity",
    "predicate", "movement", "verdict", "status", "class", "relation", "expression", "sign", "respect", "base", "aspect",
})  # fmt: skip
SAYING = "say"  # the kind of a lie that is not seen through
AS_WRITTEN = frozenset({"identity"})  # what makes two one still says which two
WITHHELD = frozenset(
    {"suspicion", "nomination", "nominated_against"}
)  # a reader's marks are nobody's thoughts


@dataclass(frozen=True, slots=True)
class MindWorld:
    """A mind's world, and whose it is in it."""

    engine: Engine
    who: str


def mind_of(
    engine: Engine, who: str, *, name: EngineName = "auto", limits: Limits | None = None
) -> MindWorld:
    """The world as ``who`` could tell it, who has met all that they met under another name."""
    itself = _under_one_symbol(engine, _itself(engine, who), name, limits) or engine
    try:
        seen = _Seen(itself, who)
        facts = seen.facts()
    finally:
        if itself is not engine:
            itself.close()
    return MindWorld(engine_for(engine.program, facts, name, limits=limits), seen.renaming.symbol(who))


def _itself(engine: Engine, who: str) -> dict[str, str]:
    """Those who are nobody else than ``who``."""
    return {one: main for one, main in joined(_merged(engine), first=who).items() if main == who}


def as_one(engine: Engine, *, name: EngineName = "auto", limits: Limits | None = None) -> Engine | None:
    """The author's world with those who are one (`merged`) under one symbol; None where nobody is. Nothing is written: what says
    that they are one can be taken back."""
    return _under_one_symbol(engine, joined(_merged(engine)), name, limits)


def _merged(engine: Engine) -> list[tuple[str, str]]:
    return [(str(one), str(other)) for one, other in rows(engine, "merged")]


def _under_one_symbol(
    engine: Engine, becomes: Mapping[str, str], name: EngineName, limits: Limits | None
) -> Engine | None:
    """A world in which each has the symbol that they become; None where nobody becomes another."""
    if not becomes:
        return None
    renaming, relations = Renaming(becomes), engine.program.relations
    facts = {
        relation: list(
            dict.fromkeys(
                row if relation in AS_WRITTEN else renaming.row(row, _symbols(relations[relation]))
                for row in every_row(engine, relation)
            )
        )
        for relation in engine.program.base()
    }
    return engine_for(engine.program, facts, name, limits=limits)


class _Seen:
    """What one mind has met of the base facts."""

    def __init__(self, engine: Engine, who: str) -> None:
        self._engine, self._who, self._program = engine, who, engine.program
        self._always = seen_from_everywhere(engine.program)
        self._all = {relation: every_row(engine, relation) for relation in engine.program.base()}
        self._nodes = {str(node): str(kind) for node, kind in self._all["instance"]}
        self._told = {str(row[1]) for row in rows(engine, "could_tell", who)} & self._nodes.keys()

    def facts(self) -> dict[str, list[Row]]:
        """The base rows of this mind, in its own words."""
        found = {
            name: [
                self.renaming.row(row, _symbols(self._program.relations[name]))
                for row in self._kept_rows(name)
            ]
            for name in self._all
        }
        found["named"] = [
            self.renaming.row(row, _symbols(self._program.relations["named"])) for row in self._named()
        ]
        for name, row in self._thoughts():
            found[name].append(self.renaming.row(row, _symbols(self._program.relations[name])))
        return {name: list(dict.fromkeys(several)) for name, several in found.items()}

    # -- which nodes

    @cached_property
    def _met(self) -> frozenset[str]:
        """Nodes: what the mind could tell of, and whom and what that speaks of."""
        speaking = {one for one in self._told if self._nodes[one] not in NOT_BY_THEMSELVES}
        found = {self._who, *speaking}
        for record, node in self._all["refers"]:
            if record in speaking and self._nodes.get(str(node)) in SPOKEN_OF:
                found.add(str(node))
        found |= self._by_nature.keys()
        found |= {str(node) for node in self._same_matter(found)}
        self._add_parts(found)
        units = {node for node, kind in self._nodes.items() if kind == "SourceUnit"}
        return frozenset(found | units | (self._told - speaking))

    @cached_property
    def _by_nature(self) -> dict[str, int]:
        """What this mind holds of its own affairs, with its moment, where only words that never reached it say so."""
        held = rows(self._engine, "belief", self._who)
        told = {str(row[1]) for row in held if row[3] != "own" or row[4] in self._told}
        return {str(row[1]): int(row[2]) for row in sorted(held) if row[1] not in told}

    def _thoughts(self) -> Iterator[tuple[str, Row]]:
        """Such matters as thoughts that rest on nobody's words."""
        for number, (held, moment) in enumerate(self._by_nature.items(), 1):
            thought = f"own-thought-{number}"
            yield "instance", (thought, "Attitude")
            yield "attitude", (thought, self._who, held, "believes")
            yield "refers", (thought, held)
            yield "at", (thought, moment)

    def _same_matter(self, met: set[str]) -> Iterator[str]:
        """Propositions that say or deny the same as one that was met."""
        matters = {matter for node, _, matter in self._all["kept_in"] if node in met}
        return (str(node) for node, _, matter in self._all["kept_in"] if matter in matters)

    def _add_parts(self, met: set[str]) -> None:
        """Whom and what propositions speak of, at any depth."""
        parts = {str(row[0]): (str(row[1]), str(row[3])) for row in self._all["proposition"]}
        waiting = [one for one in met if one in parts]
        while waiting:
            fresh = [part for part in parts.get(waiting.pop(), ()) if part in self._nodes and part not in met]
            met.update(fresh)
            waiting += fresh

    # -- which rows

    def _kept_rows(self, name: str) -> Iterable[Row]:
        """The rows of a base relation that this mind has met, as they seem to it."""
        relation = self._program.relations[name]
        if name in self._always or name in ("story_now", "told_now"):
            return self._all[name]
        if name in WITHHELD:
            return ()
        kept = (row for row in self._all[name] if self._is_met(relation, row))
        return self._sayable(name, self._with_masks(name, kept))

    def _with_masks(self, name: str, kept: Iterable[Row]) -> Iterable[Row]:
        """A lie that is not seen through is an ordinary speech."""
        match name:
            case "speech":
                return (self._as_it_seems(row) for row in kept)
            case "event":
                return ((row[0], SAYING, row[2]) if row[0] in self._lies else row for row in kept)
            case "kind_word" | "brings" | "wants":
                return (row for row in kept if row[0] not in self._lies)
        return kept

    def _sayable(self, name: str, kept: Iterable[Row]) -> Iterable[Row]:
        """Only words that this mind could say."""
        match name:
            case "titled":
                return self._titled(kept)
            case "summary":
                return (row for row in kept if self.texts.may_be_said(str(row[1])))
            case "anchored":
                return (row for row in kept if self.texts.may_be_said(str(row[2])))
        return kept

    def _is_met(self, relation: Relation, row: Row) -> bool:
        if relation.name == "name_word":
            return row[0] in self._names_used
        if relation.name.startswith("normal"):
            return row[0] in self._matters
        if relation.name in ("possibility", "premise", "constraint") and not self._is_sayable(str(row[0])):
            return False
        return all(
            value in self._met or value in self.texts.spans
            for value, column in zip(row, relation.columns, strict=True)
            if column.name not in TEXT_COLUMNS
            and value in self._nodes
            and not _is_value(relation, row, value)
        )

    @cached_property
    def _matters(self) -> frozenset[str]:
        return frozenset(str(row[2]) for row in self._all["kept_in"] if row[0] in self._met)

    # -- in which words

    @cached_property
    def texts(self) -> MetTexts:
        """Which words of the page and of readers this mind has met."""
        names = {(str(row[1]), str(row[2])) for row in self._named()}
        lies = {str(row[0]): str(row[1]) for row in self._all["event"] if row[0] in self._lies}
        return MetTexts(self._all, self._nodes, self._told, self._met, names, self._own_threads, lies)

    @cached_property
    def _own_threads(self) -> frozenset[str]:
        """Threads that are this mind's own affair and began before its eyes, with their steps."""
        began = {str(row[1]) for row in rows(self._engine, "began", self._who)}
        return frozenset(began | {str(step) for step, thread, _ in self._all["step"] if thread in began})

    def _is_sayable(self, option: str) -> bool:
        return all(self.texts.may_be_said(str(row[1])) for row in self._all["summary"] if row[0] == option)

    @cached_property
    def _lies(self) -> frozenset[str]:
        """Speeches that this mind takes for what they seem."""
        masks = {row[0] for row in rows(self._engine, "seems")}
        seen_through = {row[1] for row in rows(self._engine, "sees_through", self._who)}
        return frozenset(
            str(event)
            for event, _, manner in self._all["speech"]
            if manner in masks and event not in seen_through
        )

    def _as_it_seems(self, row: Row) -> Row:
        event, speaker, manner = row
        if event not in self._lies:
            return row
        [(_, seeming)] = rows(self._engine, "seems", manner)
        return event, speaker, seeming

    def _titled(self, kept: Iterable[Row]) -> Iterator[Row]:
        """Titles of threads whose beginning this mind saw as its own affair; other threads are told by their kind."""
        kinds = {row[0]: str(row[1]) for row in self._all["development"]}
        for node, title in kept:
            if node in kinds:
                yield (
                    node,
                    title
                    if self._may_title(str(node), str(title))
                    else self._neutral(str(node), kinds[node]),
                )

    def _may_title(self, development: str, title: str) -> bool:
        return development in self._own_threads and self.texts.may_be_said(title)

    def _neutral(self, development: str, kind: str) -> str:
        owners = [str(who) for node, who in self._all["owner"] if node == development and who in self._met]
        names = [self._called[one][0] for one in owners if one in self._called]
        return f"a {kind} of {' and '.join(names)}" if names else f"a {kind}"

    # -- names

    @cached_property
    def _called(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        own = {(row[1], row[2]) for row in self._all["named"] if row[0] == row[1]}
        calls = sorted(rows(self._engine, "calls", self._who), key=lambda row: (row[1:] not in own, row))
        for _, entity, name in calls:
            if entity in self._met:
                found.setdefault(str(entity), []).append(str(name))
        return found

    def _named(self) -> Iterator[Row]:
        """What this mind calls whom it has met; whom it can call nothing is somebody."""
        records = {
            (row[1], row[2]): row[0] for row in sorted(self._all["named"], key=lambda row: row[0] == row[1])
        }
        for entity in sorted(self._met):
            kind = self._nodes.get(entity)
            if kind in ENTITIES:
                names = self._called.get(entity, ())
                for name in names:
                    yield records.get((entity, name), entity), entity, name
                if not names:
                    yield entity, entity, ENTITIES[kind]

    @cached_property
    def _names_used(self) -> frozenset[str]:
        values = {str(row[3]) for row in self._all["proposition"] if row[2] == "name" and row[0] in self._met}
        return frozenset({str(row[2]) for row in self._named()} | values)

    @cached_property
    def renaming(self) -> Renaming:
        """Symbols of this mind: one for two whom it takes for one, none that gives away a name it does not know."""
        together = [(str(a), str(b)) for _, a, b in rows(self._engine, "takes_for", self._who)]
        pairs = [(a, b) for a, b in together if a in self._met and b in self._met]
        entities = {node for node in self._met if self._nodes.get(node) in ENTITIES}
        own = {(str(row[1]), str(row[2])) for row in self._all["named"]}
        plain = renamed(entities - {self._who}, self._called, own)
        one = {node: plain.get(main, main) for node, main in joined(pairs, first=self._who).items()}
        return Renaming(plain | one | self._unspelled(self._met - entities))

    def _unspelled(self, records: AbstractSet[str]) -> dict[str, str]:
        """Symbols of threads, which spell out a title, and of lies, which spell out that they are: where this mind may not read that, their kind."""
        threads = {str(row[0]): str(row[1]) for row in self._all["development"]}
        shown = {str(row[0]) for row in self._all["titled"] if self._may_title(str(row[0]), str(row[1]))}
        plain = {node: threads[node] for node in (threads.keys() - shown) & records}
        return numbered(plain | dict.fromkeys(self._lies & records, SAYING), self._nodes)


def _symbols(relation: Relation) -> tuple[bool, ...]:
    """For each column whether it holds symbols."""
    return tuple(one.type == "symbol" and one.name not in TEXT_COLUMNS for one in relation.columns)


def _is_value(relation: Relation, row: Row, value: object) -> bool:
    """Whether a node's name stands in a proposition as mere words: `x.name:garden` speaks of no garden."""
    return (
        relation.name == "proposition" and value == row[3] and parse_statement(str(row[0])).value is not None
    )
