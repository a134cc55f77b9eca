"""Why something holds, as a page shows it: steps in sentences, numbered quotes, the passages around them, or what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from narraworld.desk.answers.overview import finding_shown
from narraworld.desk.answers.page_text import excerpt
from narraworld.desk.answers.seen_story import NotInThisSituation

if TYPE_CHECKING:
    from narraworld.desk.answers.page_text import TextLine
    from narraworld.desk.answers.seen_story import SeenStory
    from narraworld.query.checks.findings import Finding
    from narraworld.query.scope import Explanation, Scope
    from narraworld.rules.proofs.proof import Proof
    from narraworld.rules.proofs.steps import ToldStep
    from narraworld.rules.proofs.words import Quote

__all__ = ["finding_by_key", "finding_page", "why_page"]

SHOWN = 5  # proofs of one goal, as tabs


def why_page(seen: SeenStory, goal: str) -> dict[str, Any]:
    """The proofs of a goal; of one that does not hold, what is missing."""
    seen.authors_only("a proof")
    with seen.world.story.turn:
        scope = seen.scope
        return _told(seen, goal, scope.why(goal), scope)


def finding_page(seen: SeenStory, key: str) -> dict[str, Any]:
    """A finding and its proof."""
    from narraworld.checking.check_world import checks_scope

    seen.authors_only("a finding")
    finding = finding_by_key(seen, key)
    with seen.world.story.turn:
        scope = checks_scope(seen.world.story, seen.situation)
        told = _told(seen, finding.goal, scope.why(finding.goal, as_written=True), scope)
    shown = finding_shown(seen, finding)
    lit = {_place_of(one) for one in told["quotes"]}
    beside = [one for one in shown["passages"] if _place_of(one) not in lit]  # what the proof does not quote
    told["excerpts"] = _excerpts(seen, [*told["quotes"], *beside])
    return shown | {"why": told}


def finding_by_key(seen: SeenStory, key: str) -> Finding:
    checked = seen.desk.report(seen.situation).checked
    for finding in (each for one in (*checked.findings, *checked.waived) for each in one.each()):
        if finding.key == key:
            return finding
    raise NotInThisSituation(f"no finding has the key {key} here", fix="all of them: narraworld check")


def _told(seen: SeenStory, goal: str, found: Explanation, scope: Scope) -> dict[str, Any]:
    from narraworld.rules.proofs.proof import to_json

    numbered = _Numbered(seen)
    steps = [_steps(proof, scope, numbered) for proof in found.proofs[:SHOWN]]
    return {
        "goal": goal,
        "holds": bool(found.proofs),
        "proofs": [to_json(proof) for proof in found.proofs[:SHOWN]],
        "steps": steps,
        "quotes": numbered.quotes,
        "excerpts": _excerpts(seen, numbered.quotes),
        "missing": str(found).splitlines() if found.missing is not None else [],
    }


def _steps(proof: Proof, scope: Scope, numbered: _Numbered) -> dict[str, Any]:
    from narraworld.rules.proofs.steps import proof_steps

    return numbered.step(proof_steps(proof, scope.names.in_sentence, scope.quotes))


class _Numbered:
    """Quotes numbered in the order in which the proof uses them."""

    def __init__(self, seen: SeenStory) -> None:
        self._seen = seen
        self._numbers: dict[Quote, int] = {}
        self.quotes: list[dict[str, Any]] = []

    def step(self, step: ToldStep) -> dict[str, Any]:
        return {
            "sentence": step.sentence, "rule": PurePath(step.rule).name, "negative": step.negative, "again": step.again,
            "quotes": [self._number(quote) for quote in step.quotes], "below": [self.step(one) for one in step.below],
        }  # fmt: skip

    def _number(self, quote: Quote) -> int:
        if quote not in self._numbers:
            self._numbers[quote] = len(self._numbers) + 1
            self.quotes.append({"n": self._numbers[quote], **self._seen.quote(quote)})
        return self._numbers[quote]


def _excerpts(seen: SeenStory, quotes: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The lines in which the quotes stand, each line once, in the order of the text."""
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for quote in quotes:
        line = excerpt(seen, quote["unit"], quote["start"])
        if line is None:
            continue
        shown = found.setdefault((quote["unit"], line.n), {
            "unit": quote["unit"], "title": seen.ruler.title(quote["unit"]), "line": line.n, "text": line.text,
            "place": quote["place"], "marks": [],
        })  # fmt: skip
        shown["marks"].append(_lit(quote, line))
    order = {chapter.unit: chapter.n for chapter in seen.ruler.told}
    return sorted(found.values(), key=lambda one: (order.get(one["unit"], 0), one["line"]))


def _place_of(quote: Mapping[str, Any]) -> tuple[Any, ...]:
    return quote["unit"], quote["start"], quote["end"]


def _lit(quote: Mapping[str, Any], line: TextLine) -> dict[str, Any]:
    """Where a quote stands in its line; with its number, where the proof has one for it."""
    start, end = quote["start"] - line.start, min(quote["end"], line.end) - line.start
    number = {"n": quote["n"]} if "n" in quote else {}
    return {"line": line.n, "start": start, "end": end, "kind": "lit", **number}
