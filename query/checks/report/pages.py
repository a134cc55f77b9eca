"""Findings as pages to read: one HTML file that needs nothing but itself, and Markdown. The layout is in `templates/`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from narraworld.query.checks.findings import Finding, Severity
from narraworld.query.checks.nominated import contradictions, undecided
from narraworld.query.checks.report.report import (
    SEVERITIES,
    Report,
    counted,
    first_passage,
    held,
    how_much,
    not_evaluated,
    place_of,
    plural,
    violated,
)
from narraworld.query.shown.page_templates import Environment, Filters, page_environment

__all__ = ["as_html", "as_markdown", "by_severity"]

HEADINGS: dict[Severity, str] = {"error": "Contradictions", "warning": "Warnings", "note": "Notes"}
SINGULAR: dict[Severity, str] = {"error": "contradiction", "warning": "warning", "note": "note"}
_MEANS_SOMETHING = re.compile(r"([\\`*_{}\[\]<>#|~])")
JUDGED = "Judged by a model; no rule says so"
NOMINATED = "Nominated by the reader; no rule and no judge says so"


@dataclass(frozen=True, slots=True)
class Group:
    """The findings of one severity in one chapter, in the order of their weight."""

    chapter: str
    findings: tuple[Finding, ...]


def as_html(report: Report) -> str:
    return _environment(escape=True).get_template("report.html.j2").render(_told(report))


def as_markdown(report: Report) -> str:
    return _environment(escape=False).get_template("report.md.j2").render(_told(report))


def by_severity(report: Report) -> dict[Severity, list[Group]]:
    """Findings grouped as they are read: gravest first, then by chapter in the order of the telling."""
    found = report.checked.findings
    return {
        severity: _by_chapter([one for one in found if one.rule.severity == severity], report)
        for severity in SEVERITIES
        if any(one.rule.severity == severity for one in found)
    }


def _by_chapter(findings: Iterable[Finding], report: Report) -> list[Group]:
    order = {unit: number for number, unit in enumerate(report.chapters)}
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        first = first_passage(finding)
        groups.setdefault(first.unit if first else "", []).append(finding)
    units = sorted(groups, key=lambda unit: (order.get(unit, len(order)), unit))
    return [Group(_chapter(unit, report), tuple(groups[unit])) for unit in units]


def _chapter(unit: str, report: Report) -> str:
    title = report.chapters.get(unit, "")
    return title if unit in ("", title) else f"{unit}: {title}" if title else unit


def _told(report: Report) -> dict[str, object]:
    return {
        "report": report,
        "checked": report.checked,
        "groups": by_severity(report),
        "headings": HEADINGS,
        "singular": SINGULAR,
        "counts": counted(report.checked.findings),
        "how_much": how_much(report),
        "apart": {JUDGED: contradictions(report.nominated), NOMINATED: undecided(report.nominated)},
        "held": held(report),
        "violated": violated(report),
        "not_evaluated": not_evaluated(report),
    }


def _environment(*, escape: bool) -> Environment:
    filters: Filters = {"place": place_of, "plural": plural, "plain": _literally, "words": _one_line}
    return page_environment("narraworld.query.checks.report", filters, escape=escape)


def _literally(text: str) -> str:
    """Words of the author that must not be taken for Markdown."""
    return _MEANS_SOMETHING.sub(r"\\\1", _one_line(text))


def _one_line(text: str) -> str:
    return " ".join(text.split())
