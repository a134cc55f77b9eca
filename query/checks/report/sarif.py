"""Findings as SARIF 2.1.0, the format code hosts and editors exchange.

The passages after the first are related locations; the author's waivers are suppressions; what was not evaluated is a
notification about its rule, because a result that nobody looked for is no result.
https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from narraworld.query.checks.findings import Finding, Passage, RuleCard
from narraworld.query.checks.report.report import Report, missing_words, not_evaluated, summary

__all__ = ["SCHEMA_URI", "as_sarif"]

SCHEMA_URI = "https://json.schemastore.org/sarif-2.1.0.json"
FINGERPRINT = "narraworldKey/v1"


def as_sarif(report: Report) -> str:
    cards = [one.rule for one in report.checked.reports]
    known = {card.id for card in cards}
    cards += [one for one in dict.fromkeys(f.rule for f in _all(report)) if one.id not in known]
    numbers = {card.id: number for number, card in enumerate(cards)}
    run = {
        "tool": {"driver": _driver(cards, report.version)},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(report, numbers)],
        "results": [_result(finding, report, numbers) for finding in _all(report)],
        "properties": {"summary": summary(report)},
    }
    document = {"$schema": SCHEMA_URI, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _all(report: Report) -> list[Finding]:
    return [*report.checked.findings, *report.checked.waived]


def _driver(cards: list[RuleCard], version: str) -> dict[str, Any]:
    return {
        "name": "NarraWorld",
        "version": version,
        "informationUri": "https://w3id.org/narraworld/",
        "rules": [_descriptor(card) for card in cards],
    }


def _descriptor(card: RuleCard) -> dict[str, Any]:
    about = {"fullDescription": {"text": card.about}} if card.about else {}
    return {
        "id": card.id,
        "shortDescription": {"text": card.title},
        **about,
        "defaultConfiguration": {"level": card.severity},
        "properties": {"subtype": card.subtype, "verdict": card.verdict},
    }


def _invocation(report: Report, numbers: dict[str, int]) -> dict[str, Any]:
    unseen = [
        {
            "level": "note",
            "message": {"text": f"not evaluated; missing: {missing_words(one)}"},
            "associatedRule": {"id": one.rule.id, "index": numbers[one.rule.id]},
        }
        for one in not_evaluated(report)
    ]
    troubles = [{"level": "warning", "message": {"text": error}} for error in report.errors]
    return {"executionSuccessful": True, "toolExecutionNotifications": [*unseen, *troubles]}


def _result(finding: Finding, report: Report, numbers: dict[str, int]) -> dict[str, Any]:
    places = [_location(one) for one in finding.passages]
    proof = report.proofs.get(finding.key)
    return {
        "ruleId": finding.rule.id,
        "ruleIndex": numbers[finding.rule.id],
        "level": finding.rule.severity,
        "message": {"text": finding.message},
        "locations": places[:1],
        "relatedLocations": [{"id": number, **one} for number, one in enumerate(places[1:], 1)],
        "partialFingerprints": {FINGERPRINT: finding.key},
        "properties": {
            "alike": finding.alike,
            "weight": finding.weight,
            **({"proof": proof} if proof else {}),
        },
        **_suppressed(finding),
    }


def _suppressed(finding: Finding) -> dict[str, Any]:
    if finding.waived is None:
        return {"suppressions": []}  # known not to be suppressed, as opposed to unknown
    inline = finding.waived.origin.rpartition(".")[2] not in ("toml",)
    kind = "inSource" if inline else "external"
    return {"suppressions": [{"kind": kind, "justification": finding.waived.reason}]}


def _location(passage: Passage) -> dict[str, Any]:
    unit = {"logicalLocations": [{"fullyQualifiedName": passage.unit, "kind": "module"}]}
    words = {"message": {"text": passage.quote}}
    if passage.file is None:
        return {**unit, **words}
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(passage.file)}}
    if passage.line:
        column = {"startColumn": passage.column} if passage.column else {}
        place["region"] = {"startLine": passage.line, **column, "snippet": {"text": passage.quote}}
    return {"physicalLocation": place, **unit, **words}
