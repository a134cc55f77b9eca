"""Findings for programs: one JSON document, or one JSON object per line. The schema is in docs/checking.md; it only grows."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from narraworld.query.checks.findings import Finding, Passage, RuleReport
from narraworld.query.checks.report.report import Report, held, not_evaluated, place_of, summary

__all__ = ["SCHEMA", "as_json", "as_jsonl"]

SCHEMA = 1


def as_json(report: Report) -> str:
    checked = report.checked
    document = {
        "schema": SCHEMA,
        "summary": summary(report),
        "findings": [_finding(one, report) for one in checked.findings],
        "waived": [_finding(one, report) for one in checked.waived],
        "lost": [_finding(one, report) for one in report.lost],
        "unused_waivers": [asdict(one) for one in checked.unused],
        "held": [_outcome(one) for one in held(report)],
        "not_evaluated": [_outcome(one) for one in not_evaluated(report)],
        "errors": list(report.errors),
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def as_jsonl(report: Report) -> str:
    """One object per line, its ``type`` first; the summary last, so that a cut-off stream is noticed."""
    checked = report.checked
    rows: list[dict[str, Any]] = [
        *({"type": "finding", **_finding(one, report)} for one in checked.findings),
        *({"type": "waived", **_finding(one, report)} for one in checked.waived),
        *({"type": "lost", **_finding(one, report)} for one in report.lost),
        *({"type": "unused_waiver", **asdict(one)} for one in checked.unused),
        *({"type": "not_evaluated", **_outcome(one)} for one in not_evaluated(report)),
        *({"type": "error", "message": one} for one in report.errors),
        {"type": "summary", "schema": SCHEMA, **summary(report)},
    ]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _finding(finding: Finding, report: Report) -> dict[str, Any]:
    return {
        "key": finding.key,
        "rule": finding.rule.id,
        "severity": finding.rule.severity,
        "title": finding.rule.title,
        "subtype": finding.rule.subtype,
        "verdict": finding.rule.verdict,
        "message": finding.message,
        "passages": [_passage(one) for one in finding.passages],
        "records": list(finding.records),
        "goal": finding.goal,
        "weight": finding.weight,
        "alike": finding.alike,
        "others": [_other(one) for one in finding.others],
        "proof": report.proofs.get(finding.key),
        "waived": asdict(finding.waived) if finding.waived else None,
        "judged": finding.judged,
    }


def _other(finding: Finding) -> dict[str, Any]:
    """What differs between findings of one cause."""
    return {
        "key": finding.key,
        "message": finding.message,
        "passages": [_passage(one) for one in finding.passages],
        "records": list(finding.records),
        "goal": finding.goal,
    }


def _passage(passage: Passage) -> dict[str, Any]:
    return asdict(passage) | {"place": place_of(passage)}


def _outcome(one: RuleReport) -> dict[str, Any]:
    return {
        "rule": one.rule.id,
        "title": one.rule.title,
        "looked_at": one.looked_at,
        "missing": list(one.missing),
    }
