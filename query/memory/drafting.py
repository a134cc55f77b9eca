"""What a planner has decided, turned into needs: the tables of `cues.toml` filled in for these characters, things and threads.

The same for every planner, rules or model, so that all of them ask memory in the same rule queries. Reads names; asks nothing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

from narraworld.base.quick_dataclass import dataclass
from narraworld.base.settings import PlanSettings
from narraworld.query.ask.questions import QuestionReading, fill, plain_words, read
from narraworld.query.ask.slots import Filling, is_mind
from narraworld.query.errors import AmbiguousName
from narraworld.query.memory.needs import MemoryPlan, Need, NeedKind
from narraworld.query.memory.preview import Preview, Strand

if TYPE_CHECKING:
    from narraworld.query.scope import Scope

__all__ = ["Draft", "PlanSettings", "Request", "cue_tables", "named_in", "plan_of"]

ANSWER = 2.0  # what the answer to a question weighs among its needs
CALLED_FOR = 1.25  # how much more a kind of need weighs that the request calls for
ANSWER = 0.5  # what the answer of a rule weighs beside what the text says to a question
BESIDE = 0.03  # what is left of a need that a question does not ask for
FIRST = {"focal": "what is open for {name}", "thread": "how “{name}” stands"}


@dataclass(frozen=True, slots=True)
class Request:
    """What the author asks for. ``passage`` is what is being written, ``outline`` what is intended; neither is evidence."""

    text: str
    purpose: str = "writing"
    passage: str = ""
    outline: str = ""
    recipient: str | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A plan before it is spelled out: whom, what and which threads it is about, and which kinds of need."""

    form: str
    intent: str
    focal: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    threads: tuple[Strand, ...] = ()
    kinds: frozenset[str] = frozenset()
    searches: tuple[Need, ...] = ()
    planner: str = "rules"


def plan_of(
    draft: Draft, request: Request, scope: Scope, preview: Preview, settings: PlanSettings
) -> MemoryPlan:
    """The draft with every need spelled out."""
    speller = _Speller(draft, request, scope, preview, settings)
    needs = [*speller.asked(), *draft.searches, *speller.needs()]
    unique = {need.name: need for need in reversed(needs)}
    return MemoryPlan(draft.form, draft.focal, draft.intent, tuple(unique.values())[::-1], draft.planner)


def named_in(text: str, scope: Scope) -> list[str]:
    """The entities a text names beyond doubt, in order."""
    found = (mention.symbols[0] for mention in scope.mentions.find(text) if len(mention.symbols) == 1)
    return list(dict.fromkeys(found))


@cache
def cue_tables() -> dict[str, Any]:
    return tomllib.loads((files("narraworld.query.memory") / "cues.toml").read_text(encoding="utf-8"))


class _Speller:
    """Makes needs out of one draft."""

    def __init__(
        self, draft: Draft, request: Request, scope: Scope, preview: Preview, settings: PlanSettings
    ) -> None:
        self.draft, self.request, self.scope = draft, request, scope
        self.preview, self.settings = preview, settings

    def asked(self) -> Iterator[Need]:
        """A request that is a question needs, first of all, its answer; one that may mean several, the answer for each."""
        if not self._asking:
            return
        try:
            readings, _ = read(self.request.text, self.scope)
        except AmbiguousName as torn:
            yield from self._either(torn)
            return
        named = named_in(self.request.text, self.scope)
        yield from (self._answered(reading, "the answer", "", named) for reading in readings[:1])

    def _answered(self, reading: QuestionReading, name: str, proviso: str, named: Sequence[str]) -> Need:
        queries = reading.queries((*reading.form.ask, *reading.form.deny, *reading.form.unaware))
        return Need(
            name, _kind_of(reading.form.about), f"the question asks {reading.form.name}{proviso}",
            self.request.text, queries, tuple(named), self.draft.focal, weight=ANSWER,
        )  # fmt: skip

    def _either(self, torn: AmbiguousName) -> Iterator[Need]:
        """One need for each that is meant, perhaps; what no form of question fits is searched for."""
        asked = f"{plain_words(self.request.text)} "
        for one in torn.ids[: self.settings.things]:
            proviso = f", if “{torn.name}” is {self.scope.names(one)} ({one})"
            named = (*named_in(self.request.text, self.scope), one)
            try:
                readings, _ = read(asked.replace(f" {torn.name} ", f" {one} "), self.scope)
            except AmbiguousName:  # a second name that means several
                readings = []
            for reading in readings[:1]:
                yield self._answered(reading, f"the answer{proviso}", proviso, named)
            if not readings:
                why = f"the question may be about {self.scope.names(one)} ({one})"
                yield Need(
                    f"the answer{proviso}", "state", why, self.request.text, entities=named, weight=ANSWER
                )

    def needs(self) -> Iterator[Need]:
        for table in cue_tables()["need"]:
            called = table["kind"] in self.draft.kinds
            always = self.request.purpose in table.get("always", ())
            if (always or called) and not self._switched_off(table["kind"]):
                share = (CALLED_FOR if called else 1.0) * (BESIDE if self._asking else 1.0)
                yield from (replace(need, weight=need.weight * share) for need in self._made(table))

    @property
    def _asking(self) -> bool:
        return self.request.purpose == "question"

    def _switched_off(self, kind: str) -> bool:
        switches = self.settings.switches
        off = {
            "belief": not switches.beliefs, "knowledge": not switches.beliefs,
            "possibility": not switches.possibilities, "thread": not switches.cross_event,
        }  # fmt: skip
        return off.get(kind, False)

    def _made(self, table: Mapping[str, Any]) -> Iterator[Need]:
        """One need of a kind for each of those it is for."""
        if table["for"] == "scene":
            latest = " ".join(self.preview.latest)
            yield Need(table["name"], table["kind"], table["why"], latest, weight=table["weight"])
            return
        for symbols, holders in self._subjects(table["for"]):
            yield self._need(table, symbols, holders)

    def _subjects(self, whom: str) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Whom or what a need is made for, and whose it is."""
        if whom in ("thread", "stakes"):
            threads = (one for one in self.draft.threads if whom == "thread" or one.about)
            yield from (((one.id,), one.holders) for one in threads)
        else:
            yield from ((symbols, ()) for symbols in self._symbols(whom))

    def _symbols(self, whom: str) -> Iterable[tuple[str, ...]]:
        """Those a need that is nobody's own is made for, one or two at a time."""
        draft, most = self.draft, self.settings.minds
        match whom:
            case "focal":
                return combinations(draft.focal, 1)
            case "thing":
                return combinations(draft.things, 1)
            case "pair":
                return combinations(draft.focal, 2)
            case "mind":
                return product(draft.focal[:most], draft.things[:most])
            case "recipient":
                spoken_to = named_in(self.request.recipient or "", self.scope)
                return (pair for pair in product(draft.focal[:1], spoken_to) if pair[0] != pair[1])
        return ()

    def _need(self, table: Mapping[str, Any], symbols: Sequence[str], holders: Sequence[str]) -> Need:
        names = dict(zip(("name", "other"), map(self.scope.names, symbols), strict=False))
        slots = dict(zip(("x", "y"), map(Filling.constant, symbols), strict=False))
        kind: NeedKind = table["kind"]
        minds = tuple(one for one in symbols if is_mind(one, self.scope)) or tuple(holders)
        return Need(
            table["name"].format(**names), kind, table["why"].format(**names), "",
            tuple(fill(goal, slots, self.scope.focalizer) for goal in self._goals(table, symbols)),
            tuple(symbols), minds, self._after(table.get("after")), table["weight"],
        )  # fmt: skip

    def _goals(self, table: Mapping[str, Any], symbols: Sequence[str]) -> list[str]:
        eyes = self.scope.focalizer
        if eyes is None:
            return list(table["goals"])
        return list(table["own"] if "own" in table and symbols[0] == eyes else table["eyes"])

    def _after(self, what: str | None) -> tuple[str, ...]:
        """The needs whose answers this one refines: a thread's details come after whose thread it is."""
        if what is None:
            return ()
        who = self.draft.focal if what == "focal" else [one.id for one in self.draft.threads]
        return tuple(FIRST[what].format(name=self.scope.names(one)) for one in who)


def _kind_of(about: str) -> NeedKind:
    kinds: Mapping[str, NeedKind] = {"mind": "belief", "truth": "knowledge", "possible": "possibility"}
    return kinds.get(about, "state")
