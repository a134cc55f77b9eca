"""Findings for code hosts: GitHub workflow commands, GitLab Code Quality, and reviewdog's rdjson.

Where a host knows no place for "not evaluated", it is told as one remark of the lowest severity.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from narraworld.base.quotation_marks import in_marks
from narraworld.query.checks.findings import Finding, Passage, Severity
from narraworld.query.checks.report.report import Report, first_passage, lacking, path_of, place_of

__all__ = ["github", "gitlab", "rdjson"]

GITHUB: dict[Severity, str] = {"error": "error", "warning": "warning", "note": "notice"}
GITLAB: dict[Severity, str] = {"error": "critical", "warning": "major", "note": "minor"}
RDJSON: dict[Severity, str] = {"error": "ERROR", "warning": "WARNING", "note": "INFO"}
UNSEEN = "not-evaluated"

# https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def github(report: Report) -> str:
    """`::warning file=ch03.md,line=12,col=5,title=NW204::…`"""
    lines = [_command(finding, report) for finding in report.checked.findings]
    lines += [_notice("trouble", error) for error in report.errors]
    if unseen := _unseen(report):
        lines.append(_notice("Not evaluated", unseen))
    return "".join(f"{line}\n" for line in lines)


def _command(finding: Finding, report: Report) -> str:
    first = first_passage(finding)
    where = {"file": first.file, "line": first.line, "col": first.column} if first else {}
    title = f"{finding.rule.id} {finding.rule.title}"
    given = {name: str(value) for name, value in (where | {"title": title}).items() if value is not None}
    properties = ",".join(f"{name}={value.translate(_PROPERTY)}" for name, value in given.items())
    return f"::{GITHUB[finding.rule.severity]} {properties}::{_told(finding, report).translate(_DATA)}"


def _notice(title: str, words: str) -> str:
    return f"::notice title={title.translate(_PROPERTY)}::{words.translate(_DATA)}"


def gitlab(report: Report) -> str:
    """The Code Quality report: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format"""
    rows = [_quality(finding, report) for finding in report.checked.findings]
    if unseen := _unseen(report):
        rows.append(_entry(f"Not evaluated: {unseen}", UNSEEN, _digest(unseen), "info", ".", 1))
    return json.dumps(rows, ensure_ascii=False, indent=2) + "\n"


def _quality(finding: Finding, report: Report) -> dict[str, Any]:
    first = first_passage(finding)
    path, line = (path_of(first), first.line or 1) if first else (".", 1)
    severity = GITLAB[finding.rule.severity]
    return _entry(_told(finding, report), finding.rule.id, _digest(finding.key), severity, path, line)


def _entry(words: str, check: str, fingerprint: str, severity: str, path: str, line: int) -> dict[str, Any]:
    return {
        "description": words,
        "check_name": check,
        "fingerprint": fingerprint,
        "severity": severity,
        "location": {"path": path, "lines": {"begin": line}},
    }


def rdjson(report: Report) -> str:
    """reviewdog's diagnostics; lines only, because its columns count bytes and ours count characters."""
    diagnostics = [_diagnostic(finding, report) for finding in report.checked.findings]
    if unseen := _unseen(report):
        words = f"Not evaluated: {unseen}"
        diagnostics.append(
            {"message": words, "location": {"path": "."}, "severity": "INFO", "code": {"value": UNSEEN}}
        )
    source = {"name": "narraworld", "url": "https://w3id.org/narraworld/"}
    return json.dumps({"source": source, "diagnostics": diagnostics}, ensure_ascii=False, indent=2) + "\n"


def _diagnostic(finding: Finding, report: Report) -> dict[str, Any]:
    others = [{"message": one.quote, "location": _location(one)} for one in finding.passages[1:]]
    first = first_passage(finding)
    return {
        "message": finding.message,
        "location": _location(first) if first else {"path": "."},
        "severity": RDJSON[finding.rule.severity],
        "code": {"value": finding.rule.id},
        **({"relatedLocations": others} if others else {}),
    }


def _location(passage: Passage) -> dict[str, Any]:
    line = {"range": {"start": {"line": passage.line}}} if passage.line else {}
    return {"path": path_of(passage), **line}


# -- in common


def _told(finding: Finding, report: Report) -> str:
    """The sentence, every passage, and the proof where there is one."""
    quotes = [f"{place_of(one)}: {in_marks(' '.join(one.quote.split()))}" for one in finding.passages]
    return "\n".join([finding.message, *quotes, *filter(None, [report.proofs.get(finding.key)])])


def _unseen(report: Report) -> str:
    groups = lacking(report).items()
    return "; ".join(
        f"{', '.join(one.rule.id for one in reports)} (missing: {missing})" for missing, reports in groups
    )


def _digest(words: str) -> str:
    return sha256(words.encode()).hexdigest()
