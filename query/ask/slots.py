"""Words of a question turned into the symbols they stand for: people, things, claims, verbs, chapters, values of a respect.

Each type of slot has one function that looks in the situated world and nowhere else. A claim becomes a proposition the story
knows, or the one it would be; a verb becomes a kind of event that really involves those named.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import permutations, product
from typing import TYPE_CHECKING, Any

from narraworld.kb.propositions import Statement, parse_statement
from narraworld.ontology.vocabulary import vocabulary
from narraworld.query.ask.patterns import Pattern, compiled
from narraworld.query.ask.recorded import OF_ROW, Recorded
from narraworld.query.ask.verb_forms import forms_of, lemma_of
from narraworld.query.errors import AmbiguousMoment, AmbiguousName, UnknownMoment
from narraworld.query.moments import moment_of
from narraworld.query.name_finder import ARTICLES, stem, tokens
from narraworld.query.names import rows

if TYPE_CHECKING:
    from narraworld.query.scope import Scope

__all__ = ["Filling", "fillings", "is_mind", "words_of"]

_WORD = re.compile(r"[^\W_]+(?:[-'’/.:][^\W_]+)*")
MINDS = ("character", "group")
MOST_EVENTS = 400  # looked at to find out which verb a question means


@dataclass(frozen=True, slots=True)
class Filling:
    """One way to fill all slots; values are terms of the rule language."""

    symbols: Mapping[str, str]

    @staticmethod
    def constant(symbol: str) -> str:
        return '"' + symbol.replace("\\", "\\\\").replace('"', '\\"') + '"'

    @staticmethod
    def variable(slot: str) -> str:
        return slot.capitalize()


def words_of(text: str) -> list[str]:
    """Words and ids of a question; an id such as `ch02/move` or `key.location.drawer` stays whole."""
    return [word.rstrip(".:/") for word in _WORD.findall(text)]


def fillings(given: Sequence[tuple[str, str, str]], scope: Scope, guess: bool) -> list[Filling]:
    """Every way to fill the slots (name, type, words); none when one of them means nothing here.

    ``guess`` takes a verb for itself where none of those named is told to have done anything like it.
    """
    plain = {slot: _choices(kind, text, scope) for slot, kind, text in given if kind != "verb"}
    if not all(plain.values()):
        return []
    spoken = {slot: text for slot, kind, text in given if kind == "verb"}
    verbs = {slot: _verbs(text, list(plain.values()), scope, guess) for slot, text in spoken.items()}
    choices = plain | verbs
    claims = {slot for slot, kind, _ in given if kind == "claim"}
    ways = (dict(zip(choices, chosen, strict=True)) for chosen in product(*choices.values()))
    return [
        Filling({slot: Filling.constant(s) for slot, s in _with_parts(way, claims).items()}) for way in ways
    ]


def _with_parts(way: dict[str, str], claims: set[str]) -> dict[str, str]:
    """Beside each claim, the slot it would fill and the matter it would fill it with."""
    parts = dict[str, str]()
    for slot in claims:
        said = parse_statement(way[slot])
        dimension = vocabulary().dimensions.get(said.predicate)
        parts[f"{slot}_slot"] = said.slot(bool(dimension and dimension.functional))
        parts[f"{slot}_matter"] = said.matter
    return way | parts


def _choices(kind: str, text: str, scope: Scope) -> list[str]:
    if kind.startswith(OF_ROW):
        return scope.once(Recorded).matters(kind, text)
    return list(_TYPES[kind](text, scope))


def _who(text: str, scope: Scope) -> Iterator[str]:
    found = [one for one in scope.mentions.resolve(text) if is_mind(one, scope)]
    yield from _one_of(text, found, scope)


def _thing(text: str, scope: Scope) -> Iterator[str]:
    yield from _one_of(text, list(scope.mentions.resolve(text)), scope)


def _one_of(text: str, found: list[str], scope: Scope) -> list[str]:
    if len(found) > 1:
        names = [scope.names(symbol) for symbol in found]
        raise AmbiguousName(text, names if len({*names}) == len(names) else found, meant=found)
    return found


def is_mind(entity: str, scope: Scope) -> bool:
    return any(kind in MINDS for _, kind in rows(scope.at_once, "entity", entity))


def _moment(text: str, scope: Scope) -> Iterator[str]:
    """A unit as people name one: by id, number, title or file."""
    try:
        found = moment_of(scope.engine, text).unit
    except (UnknownMoment, AmbiguousMoment):
        return
    if found is not None:
        yield found


def _thread(text: str, scope: Scope) -> Iterator[str]:
    """A development by id or title, or by words of its title that no other shares."""
    wanted = {stem(word) for word in tokens(text) if word not in ARTICLES and len(word) > 1}
    found = []
    for development, _ in rows(scope.engine, "development"):
        title = {
            stem(word)
            for word in tokens(f"{scope.names(str(development))} {str(development).replace('-', ' ')}")
        }
        if wanted and wanted <= title:
            found.append(str(development))
    yield from _one_of(text, found, scope)


def _from_table(name: str) -> Callable[[str, Scope], Iterator[str]]:
    def choose(text: str, _: Scope) -> Iterator[str]:
        words = text.removeprefix("s ")
        yield from (symbol for symbol, known in _tables()[name].items() if words in known)

    return choose


# -- claims


def _claim(text: str, scope: Scope) -> Iterator[str]:
    """The propositions a statement may mean: those the story knows, else the one it would be."""
    known = [text] if rows(scope.engine, "proposition", text) else list(_in_its_words(text, scope))
    if known:
        yield from known
        return
    for table, pattern in _claims():
        for parts in pattern.matches(f" {text}"):
            found = list(_meant(parts, table, scope))
            if found:
                yield from found
                return
    yield from _by_value(text, scope)


def _by_value(text: str, scope: Scope) -> Iterator[str]:
    """What was said of anybody in just these words: `the hay fever`."""
    wanted = {stem(word) for word in tokens(text)} - ARTICLES
    for proposition, _, _, value, polarity in rows(scope.engine, "proposition"):
        plain = polarity == "positive" and wanted and not rows(scope.engine, "entity", value)
        if plain and {stem(word) for word in tokens(str(value))} - ARTICLES == wanted:
            yield str(proposition)


def _of_anybody(text: str, scope: Scope) -> Iterator[str]:
    """The propositions that somebody of the story would make of the rest of a statement: `told Josie`."""
    for entity, kind in sorted(rows(scope.engine, "entity")):
        if kind in MINDS:
            made = _claim(f"{scope.names(str(entity))} {text}".casefold(), scope)
            yield from (one for one in made if rows(scope.engine, "proposition", one))


def _in_its_words(text: str, scope: Scope) -> Iterator[str]:
    """Propositions between two that are named, whose predicate is among the words: 'Tobias took the tin box'."""
    named = [mention.symbols[0] for mention in scope.mentions.find(text)]
    spoken = {form for word in tokens(text) for form in forms_of(word)}
    for subject, target in permutations(dict.fromkeys(named), 2):
        for proposition, _, predicate, other, polarity in rows(scope.engine, "proposition", None, subject):
            own_word = forms_of(str(predicate).rpartition("/")[2])
            if other == target and polarity == "positive" and own_word & spoken:
                yield str(proposition)


def _meant(parts: Mapping[str, str], table: Mapping[str, Any], scope: Scope) -> Iterator[str]:
    """The statement meant; of several who go by that name, those of whom it was recorded."""
    subjects = scope.mentions.resolve(parts["subject"])
    found = [one for subject in subjects for one in _stated(subject, parts, table, scope)]
    if len(subjects) > 1:
        found = [one for one in found if rows(scope.engine, "proposition", one)]
    yield from found


def _stated(subject: str, parts: Mapping[str, str], table: Mapping[str, Any], scope: Scope) -> Iterator[str]:
    predicate, negative = table.get("predicate"), bool(table.get("negative"))
    if "object" in parts and predicate:
        for target in scope.mentions.resolve(parts["object"]) or _unmet(parts["object"], scope):
            yield Statement(subject, predicate, object=target, negative=negative).id
    elif "value" in parts:
        known = list(_with_value(subject, parts["value"], negative, scope))
        yield from known or (_would_be(subject, parts["value"], negative) if table.get("guess") else ())


def _unmet(text: str, scope: Scope) -> tuple[str, ...]:
    """Something that these eyes have never met: they can say that it is not there, for they hold that it is elsewhere."""
    words = [word for word in tokens(text) if word not in ARTICLES]
    return ("-".join(words),) if scope.focalizer and words else ()


def _with_value(subject: str, words: str, negative: bool, scope: Scope) -> Iterator[str]:
    """Propositions of this subject whose value the words contain; of one that names another (`aunt of Theo`) the relation too."""
    wanted = {stem(word) for word in tokens(words)} - ARTICLES
    sign = "negative" if negative else "positive"
    for proposition, _, predicate, value, polarity in rows(scope.engine, "proposition", None, subject):
        said = {stem(word) for word in tokens(scope.names(str(value)))} - ARTICLES
        if predicate not in _said_by_form() and rows(scope.engine, "entity", value):
            said |= {stem(word) for word in tokens(str(predicate).rpartition("/")[2].replace("-", " "))}
        if polarity == sign and said and said <= wanted:
            yield str(proposition)


def _would_be(subject: str, words: str, negative: bool) -> list[str]:
    """The statement nobody has made: of a single word only, for more of them could be anything."""
    if len(words.split()) != 1:
        return []
    dimension = next((name for name, values in _tables()["values"].items() if words in values), "condition")
    return [Statement(subject, dimension, value=words, negative=negative).id]


@cache
def _said_by_form() -> frozenset[str]:
    """Relations that the form of a sentence says, not a word of it: `in the drawer`, `has the key`."""
    return frozenset(table["predicate"] for table in _tables()["claim"] if "predicate" in table)


@cache
def _claims() -> tuple[tuple[Mapping[str, Any], Pattern], ...]:
    return tuple((table, compiled(text)) for table in _tables()["claim"] for text in table["says"])


# -- verbs


def _verbs(text: str, others: Sequence[Sequence[str]], scope: Scope, guess: bool) -> list[str]:
    """The kinds of event the words may mean among events of those named: the very verb, else one much like it."""
    word = next((word for word in tokens(text) if word not in ARTICLES), text)
    known = _kinds(others, scope)
    for wanted in (forms_of(word), {form for verb in _alike(word) for form in forms_of(verb)}):
        kinds = [kind for kind in known if kind in wanted or stem(kind.split()[0]) in wanted]
        if kinds:
            return kinds
    return [lemma_of(word)] if guess else []


def _alike(word: str) -> set[str]:
    mine = forms_of(word)
    return {verb for verbs in _tables()["alike"].values() if mine & set(verbs) for verb in verbs}


def _kinds(others: Sequence[Sequence[str]], scope: Scope) -> list[str]:
    named = [one for choice in others for one in choice if rows(scope.at_once, "entity", one)]
    events = [
        str(event) for who in named for event, _, _ in rows(scope.at_once, "role", None, who)[:MOST_EVENTS]
    ]
    kinds = (str(row[1]) for event in dict.fromkeys(events) for row in rows(scope.at_once, "event", event))
    return list(dict.fromkeys(kinds))


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads((files("narraworld.query.ask") / "questions.toml").read_text(encoding="utf-8"))


_TYPES: Mapping[str, Callable[[str, Scope], Iterator[str]]] = {
    "who": _who,
    "thing": _thing,
    "moment": _moment,
    "thread": _thread,
    "claim": _claim,
    "anybody": _of_anybody,
    "kind": _from_table("kinds"),
    "class": _from_table("classes"),
    "value": lambda text, _: iter([text]),
}
