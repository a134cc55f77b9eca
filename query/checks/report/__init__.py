"""How a check is told: to people, to editors, to code hosts, to programs. `render` is the door; formats import when used."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from narraworld.query.checks.report.report import SEVERITIES, Report
from narraworld.query.errors import QueryError

__all__ = ["FORMATS", "SEVERITIES", "Report", "UnknownReportFormat", "render"]

FORMATS = {
    "text": ("text", "text"), "full": ("text", "full"),
    "json": ("plain_json", "as_json"), "jsonl": ("plain_json", "as_jsonl"),
    "github": ("annotations", "github"), "gitlab": ("annotations", "gitlab"), "rdjson": ("annotations", "rdjson"),
    "sarif": ("sarif", "as_sarif"), "junit": ("junit", "as_junit"),
    "markdown": ("pages", "as_markdown"), "html": ("pages", "as_html"),
}  # fmt: skip


class UnknownReportFormat(QueryError):
    """No report is written in this format."""


def render(report: Report, form: str) -> str:
    """The report in the format ``form``."""
    if form not in FORMATS:
        raise UnknownReportFormat(f"there is no format {form!r}", fix=f"there are: {', '.join(FORMATS)}")
    module, function = FORMATS[form]
    tell: Callable[[Report], str] = getattr(import_module(f"{__package__}.{module}"), function)
    return tell(report)
