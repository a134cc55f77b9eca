"""Findings for programs: one JSON document, or one JSON object per line. The schema is in docs/checking.md; it only grows."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from narraworld.query.checks.findings import Finding, Passage, RuleReport
from narraworld.query.checks.nominated import Nominated
from narraworld.query.checks.report.report import Report, held, not_evaluated, place_of, summary

__all__ = ["SCHEMA", "as_json", "as_jsonl", "finding_json", "report_json"]

SCHEMA = 1


def as_json(report: Report) -> str:
    return json.dumps(report_json(report), ensure_ascii=False, indent=2) + "\n"


def report_json(report: Report) -> dict[str, Any]:
    """The whole check as one document."""
    checked = report.checked
    return {
        "schema": SCHEMA,
        "summary": summary(report),
        "findings": [finding_json(one, report) for one in checked.findings],
        "waived": [finding_json(one, report) for one in checked.waived],
        "lost": [finding_json(one, report) for one in report.lost],
        "nominated": [nominated_json(one) for one in report.nominated],
        "unused_waivers": [asdict(one) for one in checked.unused],
        "held": [_outcome(one) for one in held(report)],
        "not_evaluated": [_outcome(one) for one in not_evaluated(report)],
        "errors": list(report.errors),
    }


def as_jsonl(report: Report) -> str:
    """One object per line, its ``type`` first; the summary last, so that a cut-off stream is noticed."""
    checked = report.checked
    rows: list[dict[str, Any]] = [
        *({"type": "finding", **finding_json(one, report)} for one in checked.findings),
        *({"type": "waived", **finding_json(one, report)} for one in checked.waived),
        *({"type": "lost", **finding_json(one, report)} for one in report.lost),
        *({"type": "nominated", **nominated_json(one)} for one in report.nominated),
        *({"type": "unused_waiver", **asdict(one)} for one in checked.unused),
        *({"type": "not_evaluated", **_outcome(one)} for one in not_evaluated(report)),
        *({"type": "error", "message": one} for one in report.errors),
        {"type": "summary", "schema": SCHEMA, **summary(report)},
    ]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def finding_json(finding: Finding, report: Report | None = None) -> dict[str, Any]:
    """One finding; with its proof where the report has one."""
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
        "proof": report.proofs.get(finding.key) if report else None,
        "waived": asdict(finding.waived) if finding.waived else None,
        "judged": finding.judged,
    }


def nominated_json(one: Nominated) -> dict[str, Any]:
    """A pair that no rule decided, with a judge's word on it where there is one."""
    return asdict(one) | {"passages": [_passage(passage) for passage in one.passages]}


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
