"""The author's word on findings and on the world: heard, and written down in `.narraworld/decisions.toml`.

a finding is intended · one of two passages holds · two names are one person · a fact the text leaves unsaid
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from narraworld.base.errors import NarraWorldError
from narraworld.query.checks.author_facts import UNIT, authors_word
from narraworld.query.checks.decisions import (
    FILE,
    Decision,
    DecisionKind,
    Decisions,
    add_decision,
    read_decisions,
    remove_waiver,
)
from narraworld.reading.refusals import keep_refusals, kept_refusals

if TYPE_CHECKING:
    from narraworld.project.opened import OpenStory
    from narraworld.query.checks.findings import Finding

__all__ = [
    "AuthorsDecision",
    "WorldDecision",
    "decide",
    "decisions_file",
    "finding_by_key",
    "hear",
    "take_back",
    "waive",
]

WorldDecision: TypeAlias = Literal["same", "different", "fact"]


@dataclass(frozen=True, slots=True)
class AuthorsDecision:
    """A decision that was written down, whether it took another's place, and what of the file was refused."""

    decision: Decision
    changed: bool = False
    refused: tuple[str, ...] = ()


def decisions_file(story: OpenStory) -> Path:
    return story.store.root / FILE


def hear(story: OpenStory, *, branch: str = "main") -> tuple[Decisions, tuple[str, ...]]:
    """The author's decisions; those about the world are committed where they changed. What is refused is told each time."""
    decisions = read_decisions(decisions_file(story))
    delta = authors_word(decisions, branch=branch)
    known = story.store.snapshot(branch=branch).find(UNIT)
    if delta is None:
        if known:
            story.store.retract(UNIT, branch=branch)
            keep_refusals(story.store, UNIT, ())
        return decisions, ()
    if known is None or story.store.text(known) != delta.unit.text:
        keep_refusals(story.store, UNIT, story.commit(delta, branch=branch).refusals)
    return decisions, tuple(
        f"{FILE}: {refusal.message}" + (f" ({refusal.value})" if refusal.value else "")
        for refusal in kept_refusals(story.store, UNIT)
    )


# -- a finding


def waive(
    story: OpenStory, finding: Finding, reason: str = "", *, keep: str | None = None
) -> AuthorsDecision:
    """Say that a finding is intended, or, with ``keep``, in which unit the passage stands that holds."""
    if not reason and keep is None:
        raise NarraWorldError("say why the finding is intended", fix='narraworld waive KEY --reason "…"')
    units = [passage.unit for passage in finding.passages]
    if keep is not None and keep not in units:
        raise NarraWorldError(
            f"no passage of this finding is in {keep!r}", fix=f"there are: {', '.join(units)}"
        )
    kind: DecisionKind = "intentional" if keep is None else "canon"
    fields = {
        "key": finding.key, "keep": keep, "rule": finding.rule.id, "says": finding.message, "reason": reason,
    }  # fmt: skip
    said = Decision(kind, {name: value for name, value in fields.items() if value})
    return AuthorsDecision(said, add_decision(decisions_file(story), said, same=["key"]))


def take_back(story: OpenStory, key: str) -> None:
    """Let a finding that was said to be intended be found again."""
    if not remove_waiver(decisions_file(story), key):
        raise NarraWorldError(
            f"no decision waives {key!r}", fix="what stands in the text as a remark is taken back there"
        )


def finding_by_key(key: str, findings: Sequence[Finding]) -> Finding:
    """The one finding whose key begins so."""
    told = (one for finding in findings for one in finding.each())
    found = {finding.key: finding for finding in told if finding.key.startswith(key)}
    if key in found or len(found) == 1:
        return found.get(key) or next(iter(found.values()))
    if found:
        raise NarraWorldError(f"{key!r} could be {' or '.join(found)}", fix="give more of the key")
    raise NarraWorldError(
        f"no finding has the key {key!r}", fix="keys are told by: narraworld check --format full"
    )


# -- the world


def decide(
    story: OpenStory, kind: WorldDecision, *words: str, reason: str = "", branch: str = "main"
) -> AuthorsDecision:
    """Two names are one, or are two; or a fact that the text leaves unsaid. Put into effect at once."""
    fields = {"says": words[0]} if kind == "fact" else _pair(story, kind, words)
    said = Decision(kind, {name: value for name, value in (fields | {"reason": reason}).items() if value})
    changed = add_decision(decisions_file(story), said, same=list(fields))
    return AuthorsDecision(said, changed, hear(story, branch=branch)[1])


def _pair(story: OpenStory, kind: WorldDecision, words: Sequence[str]) -> dict[str, str]:
    scope = story.scope()
    one, other = words
    meant = {"one": scope.resolver.symbol(one), "other": scope.resolver.symbol(other)}
    if meant["one"] == meant["other"]:
        raise NarraWorldError(f"{one!r} and {other!r} are the same already", fix="name two different ones")
    kinds = [scope.names.kinds(symbol) for symbol in meant.values()]
    if kind == "same" and all(kinds) and not kinds[0] & kinds[1]:
        raise NarraWorldError(
            f"{one!r} is {_a(kinds[0])} and {other!r} is {_a(kinds[1])}",
            fix=f"if one of them was read wrongly, write the merge into {FILE} yourself",
        )
    return meant


def _a(kinds: frozenset[str]) -> str:
    said = " and ".join(sorted(kinds)).lower()
    return f"an {said}" if said[0] in "aeiou" else f"a {said}"
