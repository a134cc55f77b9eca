"""Findings as JUnit XML: a test case for each check that held, for each finding a failure, for what nobody could see a skip."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from narraworld.base.quotation_marks import in_marks
from narraworld.query.checks.findings import Finding, RuleCard
from narraworld.query.checks.report.report import (
    Report,
    first_passage,
    held,
    missing_words,
    not_evaluated,
    path_of,
    place_of,
)

__all__ = ["as_junit"]

NAME = "narraworld"
_FORBIDDEN = re.compile(
    "[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)  # by XML 1.0, even escaped


def as_junit(report: Report) -> str:
    checked = report.checked
    suite = ET.Element("testsuite", name=NAME)
    for finding in checked.findings:
        _failure(_case(suite, finding.rule, finding), finding, report)
    for finding in checked.waived:
        reason = finding.waived.reason if finding.waived else ""
        ET.SubElement(
            _case(suite, finding.rule, finding), "skipped", message=_clean(f"intentional: {reason}")
        )
    for one in held(report):
        _case(suite, one.rule)
    for one in not_evaluated(report):
        message = _clean(f"not evaluated; missing: {missing_words(one)}")
        ET.SubElement(_case(suite, one.rule), "skipped", message=message)
    for error in report.errors:
        case = ET.SubElement(suite, "testcase", classname=NAME, name=_clean(error), time="0")
        ET.SubElement(case, "error", message=_clean(error))
    return _document(suite)


def _case(suite: ET.Element, card: RuleCard, finding: Finding | None = None) -> ET.Element:
    first = first_passage(finding) if finding else None
    name = f"{place_of(first)} {finding.message}" if finding and first else card.title
    case = ET.SubElement(suite, "testcase", classname=f"{NAME}.{card.id}", name=_clean(name), time="0")
    if first:
        case.set("file", _clean(path_of(first)))
        if first.line:
            case.set("line", str(first.line))
    return case


def _failure(case: ET.Element, finding: Finding, report: Report) -> None:
    failure = ET.SubElement(case, "failure", type=finding.rule.severity, message=_clean(finding.message))
    lines = [f"{place_of(one)}: {in_marks(' '.join(one.quote.split()))}" for one in finding.passages]
    proof = report.proofs.get(finding.key)
    failure.text = _clean("\n".join([*lines, *([proof] if proof else [])]))


def _document(suite: ET.Element) -> str:
    figures = {"tests": "testcase", "failures": ".//failure", "errors": ".//error", "skipped": ".//skipped"}
    totals = {name: str(len(suite.findall(path))) for name, path in figures.items()}
    suite.attrib |= totals
    root = ET.Element("testsuites", {"name": NAME, **totals})
    root.append(suite)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _clean(words: str) -> str:
    return _FORBIDDEN.sub("\ufffd", words)
