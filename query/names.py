"""What things are called: symbols of the rules as words a reader knows.

Asks an engine, writes nothing. A symbol nobody has named stays as it is, so that an answer is never lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property

from narraworld.base.quick_dataclass import dataclass
from narraworld.base.quotation_marks import in_brief, in_marks
from narraworld.kb.propositions import BadProposition, Statement, parse_statement
from narraworld.kb.wording import Wording, noun_phrase, place_word
from narraworld.ontology.respects import Respects, respects
from narraworld.query.at_once import AtOnce
from narraworld.query.shown.phrases import deed, in_passing
from narraworld.rules.language.ir import Atom, Const, Row, Term, Value, Var
from narraworld.rules.proofs.matching import Answers

__all__ = ["NameBook", "ReadAs", "quotations", "rows"]

ENTITIES = frozenset({"Character", "Place", "Object", "Group"})
TITLED = frozenset({"SourceUnit", "Development", "Scene"})
SENTENCES = frozenset({"Development", "Possibility"})  # called by what somebody wrote of them
QUOTE_LENGTH = 60


@dataclass(frozen=True, slots=True)
class ReadAs:
    """How a text was understood: the id it stands for, and what that is called."""

    text: str
    meant: str
    words: str

    @property
    def telling(self) -> bool:
        """Whether there is anything to say: an id, and a name as it is, are read as they stand."""
        return self.text != self.meant and self.text.casefold() != self.words.casefold()

    def __str__(self) -> str:
        return f"{self.text} was read as {self.words}"


def rows(engine: Answers, relation: str, *bound: str | float | None) -> list[Row]:
    """Rows of a relation; ``None`` leaves a column free, columns not given are free too."""
    if isinstance(engine, AtOnce) and (found := _at_hand(engine, relation, bound)) is not None:
        return found
    width = engine.program.relations[relation].arity
    given = (*bound, *[None] * (width - len(bound)))
    terms: list[Term] = [_free(i) if value is None else Const(value) for i, value in enumerate(given)]
    goal = Atom(relation, tuple(terms))
    return engine.alone(goal) if isinstance(engine, AtOnce) else engine.ask(goal)


def _at_hand(engine: AtOnce, relation: str, bound: tuple[str | float | None, ...]) -> list[Row] | None:
    if len(bound) == 1 and bound[0] is not None:
        return engine.by_first(relation, bound[0])
    return engine.at_hand(
        relation, tuple([(place, value) for place, value in enumerate(bound) if value is not None])
    )


@cache
def _free(place: int) -> Var:
    return Var(f"V{place}")


class NameBook:
    """Readable names for one state of the world; call it with a symbol. ``known`` ones are not asked for.

    Propositions are sentences; ``short`` has them as recorded prompts do, `key in drawer`.
    """

    def __init__(
        self, engine: Answers, known: Mapping[str, str] | None = None, *, short: bool = False
    ) -> None:
        self._engine, self._short = engine, short
        self._known = dict(known or {})

    def __call__(self, symbol: str) -> str:
        if symbol not in self._known:
            self._known[symbol] = self._name(symbol)
        return self._known[symbol]

    def _name(self, symbol: str) -> str:
        kinds = rows(self._engine, "instance", symbol)
        if not kinds:
            matter = symbol.removeprefix("not.")
            return (
                self._of_matter(symbol)
                if rows(self._engine, "kept_in", None, None, matter)
                else self._of_slot(symbol)
            )
        kind = str(kinds[0][1])
        if kind in ENTITIES:
            return self._of_entity(symbol)
        if kind == "Proposition":
            return self._of_matter(symbol)
        if kind == "State":
            return self._of_state(symbol)
        if kind in TITLED:
            return self._column("titled", symbol) or symbol
        if kind == "Possibility":
            return self._column("summary", symbol) or symbol
        return self._of_happening(symbol)

    def _of_entity(self, symbol: str) -> str:
        found = rows(self._engine, "named", None, symbol)
        own = [name for record, _, name in found if record == symbol]
        return str((own or [name for _, _, name in found] or [symbol])[0])

    def _of_matter(self, symbol: str) -> str:
        try:
            said = parse_statement(symbol)
        except BadProposition:
            return self._of_slot(symbol)
        return self.in_short(symbol) if self._short else self.wording(said)

    def _of_slot(self, symbol: str) -> str:
        subject, dot, predicate = symbol.partition(".")
        row = self.respects.named(predicate) if dot else None
        if row is None:
            return symbol
        return (
            f"{self(subject)}'s {predicate}" if self._short else f"{noun_phrase(self(subject))}'s {row.label}"
        )

    def _of_state(self, symbol: str) -> str:
        [(_, proposition, truth)] = rows(self._engine, "state", symbol)
        if truth == "false":
            return self._of_matter(_denied(str(proposition)))
        words = self(str(proposition))
        return words if truth == "asserted" else f"{words} ({truth})"

    def _of_happening(self, symbol: str) -> str:
        for _, span in rows(self._engine, "evidence", symbol):
            return _quotation(str(rows(self._engine, "quote", span)[0][1]))
        return self.in_plain_words(symbol)

    def in_plain_words(self, symbol: str) -> str:
        """What happened, as the record has it: through eyes that have not met all that the page says there."""
        if claims := [self(str(claim)) for _, claim in rows(self._engine, "claim", symbol)]:
            speakers = (self(str(who)) for _, who, _ in rows(self._engine, "speech", symbol))
            return f"{', '.join(speakers)}: {'; '.join(claims)}"
        if kinds := rows(self._engine, "event", symbol):
            roles = [
                (str(role), self.in_sentence(str(who))) for _, who, role in rows(self._engine, "role", symbol)
            ]
            return deed(str(kinds[0][1]).replace("_", " ").replace("-", " "), roles)
        for _, event in rows(self._engine, "tied", symbol):
            return self(str(event))
        return symbol

    def _column(self, relation: str, symbol: str) -> str | None:
        found = rows(self._engine, relation, symbol)
        return str(found[0][1]) if found else None

    # -- sentences

    def in_sentence(self, symbol: str) -> str:
        """A symbol as it stands in a sentence: an entity with its article, what is a sentence itself in marks, all else as it is called."""
        kinds = {str(row[1]) for row in rows(self._engine, "instance", symbol)}
        if kinds & SENTENCES:
            return in_marks(in_passing(self(symbol)))
        return noun_phrase(self(symbol)) if kinds & ENTITIES else self(symbol)

    @cached_property
    def respects(self) -> Respects:
        """The table of respects with the project's own rows, as the facts have it."""
        known = "own_respect" in self._engine.program.relations
        return respects().with_own(rows(self._engine, "own_respect") if known else ())

    @cached_property
    def wording(self) -> Wording:
        """How propositions are said here."""
        return Wording(self, self.respects, self._place_word)

    def in_short(self, symbol: str) -> str:
        """A proposition as it was written before there were sentences, and as some still write it: `not: key in drawer`."""
        said = parse_statement(symbol)
        row = self.respects.named(said.predicate)
        phrase = row.phrase if row else f"{{subject}} {said.predicate.replace('-', ' ')} {{object}}"
        target = said.value if said.value is not None else self(said.object or "")
        words = phrase.format(subject=self(said.subject), object=target)
        return f"not: {words}" if said.negative else words

    def _place_word(self, said: Statement) -> str:
        """The preposition with which the text puts something there: of the first words about it that name the place."""
        called = sorted({str(name) for _, _, name in rows(self._engine, "named", None, said.object)})
        texts = self._words_about(said)
        return next((word for text in texts for name in called if (word := place_word(text, name))), "")

    def _words_about(self, said: Statement) -> Iterator[str]:
        """What is quoted for a matter or for its denial; many records quote one sentence."""
        seen = set[Value]()
        for symbol in (said.matter, f"not.{said.matter}"):
            for record, _ in rows(self._engine, "refers", None, symbol):
                for _, span in rows(self._engine, "evidence", record):
                    if span not in seen:
                        seen.add(span)
                        yield from (str(text) for _, text in rows(self._engine, "quote", span))

    # -- who bears a name; `resolve` leads back from words to symbols

    def kinds(self, symbol: str) -> frozenset[str]:
        """What an entity is said to be: a character, a place, an object, a group."""
        return frozenset(str(row[1]) for row in rows(self._engine, "instance", symbol)) & ENTITIES

    @cached_property
    def called(self) -> dict[str, set[str]]:
        """Entities by name, in small letters; read once, so that asking costs nothing however long the story is."""
        found: dict[str, set[str]] = {}
        for _, entity, name in rows(self._engine, "named"):
            found.setdefault(str(name).casefold(), set()).add(str(entity))
        return found


def quotations(engine: Answers) -> dict[str, str]:
    """What everything that happened is called, worked out at once: a long story has tens of thousands of events."""
    texts = {span: str(text) for span, text in rows(engine, "quote")}
    spans: dict[Value, Value] = {}
    for record, span in rows(engine, "evidence"):
        spans.setdefault(record, span)
    happened = (event for (event,) in rows(engine, "happened") if event in spans)
    return {str(event): _quotation(texts[spans[event]]) for event in happened}


def _quotation(text: str) -> str:
    return in_marks(in_brief(" ".join(text.split()), QUOTE_LENGTH))


def _denied(symbol: str) -> str:
    try:
        return parse_statement(symbol).negated().id
    except BadProposition:
        return f"not.{symbol}"


Naming = Callable[[str], str]
