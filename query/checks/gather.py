"""Findings gathered: derived `finding` rows as sentences with both passages, ranked, grouped, and every rule's outcome.

Asks an engine whose program holds the checks (`rules/language/cards.py`); decides nothing that a rule has not, writes nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple, TypeAlias

from narraworld.base.settings import Ranking
from narraworld.query.checks.findings import (
    CheckOutcome,
    Finding,
    Passage,
    RuleCard,
    RuleReport,
    Severity,
    folded,
)
from narraworld.query.names import NameBook, rows
from narraworld.rules.engines import Engine
from narraworld.rules.language.cards import CHECK, FINDING, LOOKS, CardText
from narraworld.rules.language.ir import Atom, Const, Program, Row, Rule, Term, Var
from narraworld.rules.language.program import RuleBook
from narraworld.rules.proofs.explain import Prover
from narraworld.rules.proofs.words import ProofWords, no_quotes

__all__ = ["Ranking", "Spot", "SpotOf", "cards_of", "finding_key", "findings_of", "reports_of", "wanted"]

KEY_LENGTH = 12
PER_RECORD = 1  # passages shown for each record: its first words are what the reader must find


class Spot(NamedTuple):
    """Where the author finds an offset; without a line where the file has none (paragraphs of a .docx)."""

    file: str
    line: int | None
    column: int | None


SpotOf: TypeAlias = Callable[[str, int], Spot | None]


RANKING = Ranking()


# -- cards


def cards_of(engine: Engine, texts: Mapping[str, CardText]) -> dict[str, RuleCard]:
    """Every check of the program by its number."""
    found = {}
    for rule, severity, title, subtype, verdict in rows(engine, CHECK):
        said = texts.get(str(rule), CardText())
        found[str(rule)] = RuleCard(
            str(rule), _severity(str(severity)), str(title), str(subtype), str(verdict),
            said.about, said.fires, said.silent, said.needs,
        )  # fmt: skip
    return found


def _severity(text: str) -> Severity:
    return "error" if text == "error" else "note" if text == "note" else "warning"


def wanted(rule: str, select: Sequence[str], ignore: Sequence[str]) -> bool:
    """Whether a check is asked for; numbers are given whole or by their beginning, as in `NW2`."""
    chosen = not select or any(rule.startswith(prefix) for prefix in select)
    return chosen and not any(rule.startswith(prefix) for prefix in ignore)


# -- findings


def findings_of(
    engine: Engine, cards: Mapping[str, RuleCard], spot_of: SpotOf, ranking: Ranking = RANKING
) -> list[Finding]:
    """What the checks raise, one finding for each cause, the weightiest first."""
    gather = _Gathering(engine, cards, spot_of)
    raised = [row for row in rows(engine, FINDING) if str(row[0]) in cards]
    return _ranked(_told_apart([gather.finding(alike) for alike in _causes(raised)]), ranking)


def _causes(raised: Iterable[Row]) -> Iterable[list[Row]]:
    """Rows of one rule that are about the same, or rest on the same pair of records, have one cause."""
    groups: dict[tuple[object, ...], list[Row]] = {}
    for row in raised:
        pair, about = (row[0], frozenset(row[1:3])), (row[0], row[3])
        group = groups.get(pair) or groups.get(about) or []
        group.append(row)
        groups[pair] = groups[about] = group
    return {id(group): group for group in groups.values()}.values()


def finding_key(rule: str, quotes: Iterable[str]) -> str:
    """What a waiver holds on to: the rule and the words, not where they stand."""
    words = sorted(" ".join(quote.split()).casefold() for quote in quotes)
    return sha256("\n".join([rule, *words]).encode()).hexdigest()[:KEY_LENGTH]


def _told_apart(found: Iterable[Finding]) -> list[Finding]:
    """No two with one key: where the same words stand twice, the later ones get another, so that none is waived by mistake."""
    times: Counter[str] = Counter()

    def own(one: Finding) -> Finding:
        times[one.key] += 1
        nth = times[one.key]
        return one if nth == 1 else replace(one, key=finding_key(one.key, [str(nth)]))

    return [folded([own(each) for each in one.each()]) for one in sorted(found, key=_place)]


def _goal(row: Row) -> str:
    """The finding as a question that can be asked again."""
    return f"{FINDING}({', '.join(json.dumps(str(value), ensure_ascii=False) for value in row)})"


def _ranked(found: Iterable[Finding], ranking: Ranking) -> list[Finding]:
    of_rule: dict[str, int] = {}
    ranked = []
    for one in sorted(found, key=_place):
        nth = of_rule[one.rule.id] = of_rule.get(one.rule.id, 0) + 1
        crowded = max(1.0, nth / ranking.crowd)
        weight = ranking.severity[one.rule.severity] * ranking.verdict.get(one.rule.verdict, 0.5) / crowded
        ranked.append(folded([replace(each, weight=round(weight, 2)) for each in one.each()]))
    return sorted(ranked, key=lambda one: (-one.weight, _place(one)))


def _place(one: Finding) -> tuple[str, int, str]:
    first = one.passages[0] if one.passages else None
    return (first.unit, first.start, one.key) if first else ("", 0, one.key)


class _Gathering:
    """Rows into findings over one engine; remembers names and what was told when."""

    def __init__(self, engine: Engine, cards: Mapping[str, RuleCard], spot_of: SpotOf) -> None:
        self._engine, self._cards, self._spot_of = engine, cards, spot_of
        self._names = NameBook(engine)
        self._prover = Prover(engine)  # only ever asked for last steps: a sentence needs no whole proof
        self._passages: dict[str, tuple[Passage, ...]] = {}

    def finding(self, alike: Sequence[Row]) -> Finding:
        """The findings of one cause, the earliest first, one for each pair of records it rests on."""
        pairs: dict[frozenset[object], Row] = {}
        for row in sorted(alike, key=lambda one: (self._told(str(one[1])), self._told(str(one[2])), one)):
            pairs.setdefault(frozenset(row[1:3]), row)
        return folded([self._single(row) for row in pairs.values()])

    def _single(self, row: Row) -> Finding:
        records = tuple(dict.fromkeys((str(row[1]), str(row[2]))))
        passages = tuple(dict.fromkeys(one for record in records for one in self.passages(record)))
        rule = self._cards[str(row[0])]
        quotes = [one.quote for one in passages] or [str(value) for value in row[1:]]
        key = finding_key(rule.id, quotes)
        return Finding(key, rule, self._message(row), _each_place_once(passages), records, _goal(row))

    def passages(self, record: str) -> tuple[Passage, ...]:
        """The words a record rests on, in the order of the text."""
        if record not in self._passages:
            spans = [
                span for _, one in rows(self._engine, "evidence", record) for span in self._spans(str(one))
            ]
            spans.sort(key=lambda span: (span[1], span[2]))
            self._passages[record] = tuple(self._passage(record, span) for span in spans[:PER_RECORD])
        return self._passages[record]

    def _spans(self, span: str) -> list[Row]:
        return rows(self._engine, "span", span)

    def _passage(self, record: str, span: Row) -> Passage:
        text = str(rows(self._engine, "quote", str(span[0]))[0][1])
        spot = self._spot_of(str(span[1]), int(span[2]))
        return Passage(record, str(span[1]), int(span[2]), int(span[3]), text, *(spot or (None, None, None)))

    def _told(self, record: str) -> tuple[int, int]:
        return (0, self._positions[record]) if record in self._positions else (1, 0)

    @cached_property
    def _positions(self) -> dict[str, int]:
        """Where each record is told; asked for at once, because one cause may have thousands of rows."""
        return {str(record): int(place) for record, place in rows(self._engine, "told")}

    def _message(self, row: Row) -> str:
        """The sentence of the rule that raised it, with names for symbols."""
        last = next(self._prover.steps((FINDING, row)), None)
        words = ProofWords(self._names.in_sentence, no_quotes)
        if last is not None and last.rule.sentence:
            return words.line(words.filled(last.rule.sentence, last.ways[0]))
        return words.line(f"{self._cards[str(row[0])].title}: {self._names.in_sentence(str(row[3]))}")


def _each_place_once(passages: Iterable[Passage]) -> tuple[Passage, ...]:
    """Two records may rest on the very same words; nobody wants to read them twice."""
    places = dict[tuple[str, int, int], Passage]()
    for one in passages:
        places.setdefault((one.unit, one.start, one.end), one)
    return tuple(places.values())


# -- what became of each rule


def reports_of(
    engine: Engine, cards: Mapping[str, RuleCard], found: Iterable[Finding]
) -> tuple[RuleReport, ...]:
    """For every check: violated, held, or not evaluated for want of which records."""
    violated = {one.rule.id for one in found}
    looking = _Looking(engine)
    return tuple(looking.report(card, card.id in violated) for _, card in sorted(cards.items()))


class _Looking:
    """How much each rule had to look at; rows of a pattern are counted once for all rules."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._rules = _by_number(engine.program)
        self._counted: dict[tuple[str, tuple[object, ...]], int] = {}

    def report(self, card: RuleCard, violated: bool) -> RuleReport:
        ways = [
            [(self._count(atom), atom) for atom in _conditions(rule)] for rule in self._rules.get(card.id, ())
        ]
        met = (min((many for many, _ in way), default=0) for way in ways)
        looked = max((*met, self._to_look_at(card.id)))
        outcome: CheckOutcome = "violated" if violated else "held" if looked else "not evaluated"
        if not ways:
            return RuleReport(card, outcome, looked, ("a reader's judgement",))
        empty = _empty(ways) if outcome == "not evaluated" else []
        return RuleReport(card, outcome, looked, self._missing(card, empty))

    def _to_look_at(self, number: str) -> int:
        """How many records the rules say are for this check, whether or not its own rules have met them."""
        return self._count(Atom(LOOKS, (Const(number), Var("Record"))))

    def _missing(self, card: RuleCard, empty: list[Atom]) -> tuple[str, ...]:
        """What the check would have needed: in its author's words, or else by the relations without rows."""
        if empty and card.needs:
            return (card.needs,)
        return tuple(dict.fromkeys(map(self._wanting, empty)))

    def _count(self, atom: Atom) -> int:
        key = atom.relation, tuple(term.value if isinstance(term, Const) else None for term in atom.args)
        if key not in self._counted:
            self._counted[key] = self._engine.count(atom)
        return self._counted[key]

    def _wanting(self, atom: Atom) -> str:
        relation = self._engine.program.relations[atom.relation]
        fixed = ", ".join(str(term.value) for term in atom.args if isinstance(term, Const))
        said = relation.doc.partition(": ")[2].rstrip(".") or relation.name
        return f"{said} ({fixed})" if fixed else said


def _empty(ways: Sequence[Sequence[tuple[int, Atom]]]) -> list[Atom]:
    """The conditions that no row fills."""
    return [atom for way in ways for many, atom in way if not many]


def _by_number(program: Program) -> dict[str, list[Rule]]:
    found: dict[str, list[Rule]] = {}
    written = program.written if isinstance(program, RuleBook) else (lambda rule: rule)
    for rule in dict.fromkeys(map(written, program.rules_for(FINDING))):
        number = rule.head.args[0]
        if isinstance(number, Const):
            found.setdefault(str(number.value), []).append(rule)
    return found


def _conditions(rule: Rule) -> list[Atom]:
    """What must be on record for the rule to have anything to look at, each variable free."""
    return [
        Atom(one.relation, tuple(_loose(term, n) for n, term in enumerate(one.args)))
        for one in rule.body
        if isinstance(one, Atom)
    ]


def _loose(term: Term, nth: int) -> Term:
    return term if isinstance(term, Const) else Var(f"V{nth}")
