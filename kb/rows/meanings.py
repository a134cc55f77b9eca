"""What records say in normal words, as base rows of `base_words.dl`: of propositions `normal`, of events `brings`, `wants`
and `noticed_by`, of details (`base_details.dl`) `detail_form`, of names their words.

Pure: nodes of one unit in, rows out. Rows are given for both signs, because a record may deny what it names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from narraworld.kb.name_words import name_words
from narraworld.kb.normal import Normaliser, Pair
from narraworld.kb.propositions import Statement, parse_statement
from narraworld.kb.rows.bindings import BaseRow, Carried, NodeFacts
from narraworld.ontology.deeds import DeedKind, deeds_of

__all__ = ["Meanings"]

KINDS = {"Character": "character", "Object": "object", "Place": "place", "Group": "group"}
HABIT, NAME = "habit", "name"
NAMED_BY = {True: "to", False: "of"}


@dataclass(frozen=True)
class Meanings:
    """The rows that words give, for one table of respects and one calendar."""

    normaliser: Normaliser

    def rows(self, nodes: Mapping[str, NodeFacts]) -> Iterator[Carried]:
        for node in nodes.values():
            if node.kind == "Proposition":
                yield from (Carried(node.id, name, row) for name, row in self._of_proposition(node, nodes))
            elif node.kind == "Event":
                yield from (Carried(node.id, name, row) for name, row in self._of_event(node, nodes))
            elif node.kind == "Detail":
                yield from (Carried(node.id, name, row) for name, row in self._of_detail(node))
        yield from _name_rows(nodes.values())

    # -- propositions

    def _of_proposition(
        self, node: NodeFacts, nodes: Mapping[str, NodeFacts]
    ) -> Iterator[tuple[str, BaseRow]]:
        matter, subject = (str(node.values[name][0]) for name in ("matter", "subject"))
        said, denied = self._said_and_denied(node, nodes)
        entity = "object" in node.values
        if len(said) == 1 and said[0].so and self._says_all(node, said[0]):
            rows = self._of_pair(matter, "yes", subject, said[0], entity=entity)
            yield from (("says_just", (matter, row[2])) for name, row in rows if name == "normal")
        elif (lower := _in_small_letters(node)) is not None:
            yield "says_just", (matter, lower)
        for sign, pairs in (("yes", said), ("no", denied)):
            for pair in pairs:
                yield from self._of_pair(matter, sign, subject, pair, entity=entity)

    def _said_and_denied(
        self, node: NodeFacts, nodes: Mapping[str, NodeFacts]
    ) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
        """The normal pairs of a proposition, and those of its denial."""
        subject, predicate = (str(node.values[name][0]) for name in ("subject", "predicate"))
        if "value" in node.values:
            value = str(node.values["value"][0])
            return self.normaliser.pairs(predicate, value), self.normaliser.denied(predicate, value)
        person = subject in nodes and nodes[subject].kind == "Character"
        said = self.normaliser.of_object(predicate, str(node.values["object"][0]), of_person=person)
        return said, tuple(pair._replace(so=False) for pair in said)

    def _says_all(self, node: NodeFacts, pair: Pair) -> bool:
        """Whether the pair says all that the value says: by itself, or as one word of a closed list for another."""
        row = self.normaliser.table.rows.get(pair.respect)
        words = str(node.values.get("value", ("",))[0]).split()
        return pair.exact or (row is not None and row.value == "word" and len(words) == 1)

    def _of_pair(
        self, matter: str, sign: str, subject: str, pair: Pair, *, entity: bool
    ) -> Iterator[tuple[str, BaseRow]]:
        name = pair.named if pair.owner is None else pair.owner
        if entity:
            turned = pair.owner is not None
            one, other = (pair.owner or "", subject) if turned else (subject, pair.word)
            said = Statement(one, pair.respect, other, negative=not pair.so)
            yield "normal", (matter, sign, *self._form(said, pair))
        elif name is None:
            yield from self._of_value(matter, sign, subject, pair)
        elif pair.so is not (pair.respect == HABIT):
            # of habits only what is never done can clash; of all else only what is so
            for called in _spellings(name):
                row = (matter, sign, NAMED_BY[pair.owner is None], pair.respect, pair.aspect, called, subject)
                yield "normal_name", row

    def _of_value(self, matter: str, sign: str, subject: str, pair: Pair) -> Iterator[tuple[str, BaseRow]]:
        said = Statement(subject, pair.full_respect, value=pair.word, negative=not pair.so)
        yield "normal", (matter, sign, *self._form(said, pair))
        if pair.so and pair.least is not None and pair.most is not None:
            yield "normal_number", (said.matter, pair.respect, pair.aspect, pair.least, pair.most)

    def _form(self, said: Statement, pair: Pair) -> tuple[str, ...]:
        """A normal form as columns: the matter, its sign, its slot, and what it is about."""
        slot = said.slot(self.normaliser.table.functional(pair.respect))
        target = said.value if said.value is not None else said.object or ""
        return (
            said.matter, "no" if said.negative else "yes", slot, said.subject, pair.full_respect, pair.respect, target,
        )  # fmt: skip

    # -- details

    def _of_detail(self, node: NodeFacts) -> Iterator[tuple[str, BaseRow]]:
        """The normal words of a detail's value; a denied one says what it is not."""
        respect, value = (str(node.values[name][0]) for name in ("respect", "value"))
        negative = [str(one) for one in node.values.get("polarity", ())] == ["negative"]
        pairs = self.normaliser.denied(respect, value) if negative else self.normaliser.pairs(respect, value)
        for pair in pairs:
            sign = "yes" if pair.so else "no"
            word = pair.word or pair.owner or pair.named or ""
            yield "detail_form", (node.id, pair.full_respect, pair.respect, word, sign)
            if pair.so and pair.least is not None and pair.most is not None:
                yield "detail_number", (node.id, pair.full_respect, pair.least, pair.most)

    # -- events

    def _of_event(self, node: NodeFacts, nodes: Mapping[str, NodeFacts]) -> Iterator[tuple[str, BaseRow]]:
        kind = " ".join(str(node.values["kind"][0]).replace("_", " ").lower().split())
        yield from (("kind_word", (node.id, word)) for word in {kind, kind.partition(" ")[0]})
        for deed in deeds_of(kind):
            if _fits(deed, node, nodes):
                yield from self._of_deed(deed, node)

    def _of_deed(self, deed: DeedKind, node: NodeFacts) -> Iterator[tuple[str, BaseRow]]:
        for relation, patterns in (("brings", deed.changes), ("wants", deed.needs)):
            for said in _filled(patterns, node):
                pair = Pair(said.predicate, said.value or said.object or "", so=not said.negative)
                yield relation, (node.id, *self._form(said, pair))
        noticing = (str(one) for role in deed.learns for one in node.values.get(role, ()))
        yield from (("noticed_by", (node.id, one)) for one in noticing)


def _in_small_letters(node: NodeFacts) -> str | None:
    """The matter that a value in free words would be without its capitals, if it has any."""
    if "value" not in node.values:
        return None
    subject, predicate, value = (str(node.values[name][0]) for name in ("subject", "predicate", "value"))
    return Statement(subject, predicate, value=value.lower()).matter if value != value.lower() else None


def _name_rows(nodes: Iterable[NodeFacts]) -> Iterator[Carried]:
    """The words of every name, once for a unit; carried by whom or what it names, which other units may name so too."""
    bearers: dict[str, str] = {}
    for node in nodes:
        bearer, names = _named(node)
        bearers.update((name, bearer) for name in names)
    for name, bearer in bearers.items():
        yield from (Carried(bearer, "name_word", (name, word)) for word in sorted(name_words(name)))


def _named(node: NodeFacts) -> tuple[str, tuple[str, ...]]:
    """Who bears the names that a node gives: an entity, a naming, or a proposition about a name."""
    if node.kind == "Proposition" and node.values["predicate"][0] == NAME:
        return node.id, tuple(map(str, node.values.get("value", ())))
    if node.kind == "Naming":
        return str(node.values["entity"][0]), tuple(map(str, node.values["name"]))
    return node.id, tuple(map(str, node.values.get("name", ()))) if node.kind in KINDS else ()


def _spellings(name: str) -> tuple[str, ...]:
    bare = name[4:] if name.lower().startswith("the ") else name
    return bare, f"the {bare}"


def _fits(deed: DeedKind, node: NodeFacts, nodes: Mapping[str, NodeFacts]) -> bool:
    return all(_has(role, node, nodes) for role in deed.roles)


def _has(wanted: str, node: NodeFacts, nodes: Mapping[str, NodeFacts]) -> bool:
    """Whether a role is filled, or empty, as a deed wants it; an entity of another unit may be of any kind."""
    if wanted.startswith("-"):
        return not node.values.get(wanted[1:])
    role, _, kind = wanted.partition(":")
    fillers = [str(one) for one in node.values.get(role, ())]
    kinds = {KINDS.get(nodes[one].kind) for one in fillers if one in nodes}
    return bool(fillers) and (not kind or kind in kinds)


def _filled(patterns: Iterable[str], node: NodeFacts) -> Iterator[Statement]:
    """The patterns over roles as statements over those who fill them."""
    for pattern in patterns:
        form = parse_statement(pattern)
        subjects = [str(one) for one in node.values.get(form.subject, ())]
        if form.value is not None:
            yield from (
                Statement(one, form.predicate, value=form.value, negative=form.negative) for one in subjects
            )
            continue
        targets = [str(one) for one in node.values.get(form.object or "", ())]
        for one, other in product(subjects, targets):
            if one != other:
                yield Statement(one, form.predicate, other, negative=form.negative)
