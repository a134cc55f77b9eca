"""Findings for a terminal: one line each that editors can jump to, the passages under it, and a summary.

`text` is the short form; `full` adds the reason of the rule, the proof where there is one, and how to answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from narraworld.base.quotation_marks import in_marks
from narraworld.query.checks.findings import Finding, Severity
from narraworld.query.checks.nominated import BY_READER, Nominated, contradictions, undecided
from narraworld.query.checks.report.report import (
    Report,
    counted,
    first_passage,
    held,
    how_much,
    missing_words,
    not_evaluated,
    place_of,
    plural,
)

__all__ = ["full", "headline", "text"]

INDENT = "    "
COLOURS: dict[Severity, str] = {
    "error": "31;1",
    "warning": "33",
    "note": "36",
}  # beside the word, never instead of it
QUOTE = 160  # characters of a passage; `full` tells it whole
WIDTH = 100


def text(report: Report) -> str:
    """`file:line:col: severity NW204 message`, the passages, a summary."""
    lines = [line for finding in report.checked.findings for line in _short(finding, report)]
    apart = list(_apart(report))
    return _joined([how_much(report), *lines, *([""] if lines else []), *apart, *_closing(report)])


def full(report: Report) -> str:
    """Everything that is known of each finding, and every check by name."""
    lines = [line for finding in report.checked.findings for line in _whole(finding, report)]
    return _joined(
        [how_much(report), "", *lines, *_waived(report), *_apart(report), *_closing(report, every_check=True)]
    )


def _joined(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"


def _short(finding: Finding, report: Report) -> Iterator[str]:
    yield headline(finding, colour=report.colour)
    width = max((len(place_of(passage)) for passage in finding.passages), default=0)
    for passage in finding.passages:
        yield f"{INDENT}{place_of(passage):{width}}  {in_marks(_clipped(passage.quote))}"
    yield from _judged(finding.judged)
    yield from _proof(finding, report)


def headline(finding: Finding, *, colour: bool = False) -> str:
    """One line that editors can jump to."""
    first = first_passage(finding)
    place = f"{place_of(first)}: " if first else ""
    alike = f" (and {finding.alike - 1} more of the same cause)" if finding.alike > 1 else ""
    return f"{place}{_severity(finding.rule.severity, colour)} {finding.rule.id} {finding.message}{alike}"


def _severity(word: Severity, colour: bool) -> str:
    return f"\x1b[{COLOURS[word]}m{word}\x1b[0m" if colour else word


def _clipped(quote: str) -> str:
    words = " ".join(quote.split())
    return words if len(words) <= QUOTE else f"{words[:QUOTE].rstrip()}…"


def _proof(finding: Finding, report: Report) -> Iterator[str]:
    if proof := report.proofs.get(finding.key):
        yield f"{INDENT}because:"
        yield from (f"{INDENT}  {line}" for line in proof.splitlines())


def _whole(finding: Finding, report: Report) -> Iterator[str]:
    yield headline(finding, colour=report.colour)
    for passage in finding.passages:
        chapter = report.chapters.get(passage.unit, passage.unit)
        yield f"{INDENT}{place_of(passage)}  ({chapter})"
        yield f"{INDENT}  {in_marks(' '.join(passage.quote.split()))}"
    yield f"{INDENT}check: {finding.rule.title} ({finding.rule.subtype}; {finding.rule.verdict})"
    yield from _judged(finding.judged)
    yield from _proof(finding, report)
    yield f'{INDENT}intended? narraworld waive {finding.key} --reason "…"'
    for other in finding.others:
        yield f"{INDENT}of the same cause: {other.message}"
        for passage in other.passages:
            yield f"{INDENT}  {place_of(passage)}  {in_marks(' '.join(passage.quote.split()))}"
        yield f'{INDENT}  intended? narraworld waive {other.key} --reason "…"'
    yield ""


def _apart(report: Report) -> Iterator[str]:
    """What no rule decided: what a judge calls contradictions, and, among notes, what waits for one."""
    judged, waiting = contradictions(report.nominated), undecided(report.nominated)
    if judged:
        yield "judged by a model to contradict each other; no rule says so:"
        yield from (line for one in judged for line in _pair(one))
        yield ""
    if waiting and report.least == "note":
        yield "nominated by the reader; no rule and no judge says so:"
        yield from (line for one in waiting for line in _pair(one))
        yield ""
    elif waiting:
        yield f"{plural(len(waiting), 'pair')} of passages nominated by the reader (--min-severity note lists them, --judge decides)"
        yield ""


def _pair(one: Nominated) -> Iterator[str]:
    by = "" if one.by == BY_READER else f" (noticed by {one.by})"
    yield f"{place_of(one.passages[-1])}: note {one.kind}: {one.why}{by}"
    yield from (
        f"{INDENT}{place_of(passage)}  {in_marks(_clipped(passage.quote))}" for passage in one.passages
    )
    yield from _judged(one.judged)


def _judged(words: str | None) -> Iterator[str]:
    if words:
        yield f"{INDENT}a model's verdict, not a proof: {words}"


def _waived(report: Report) -> Iterator[str]:
    for finding in report.checked.waived:
        assert finding.waived is not None
        yield f"intentional: {finding.rule.id} {finding.message}"
        yield f"{INDENT}{finding.waived.reason or 'no reason given'} ({finding.waived.origin})"
    if report.checked.waived:
        yield ""


# -- what was done, and what was not


def _closing(report: Report, *, every_check: bool = False) -> Iterator[str]:
    checked = report.checked
    yield _verdict(report)
    for number, words in _left_out(report):
        if number:
            yield f"  {words}"
    for finding in report.lost:
        yield f"  gone since r{report.since}: {finding.rule.id} {finding.message}"
    for waiver in checked.unused:
        yield f"  not needed any more: {waiver.key} ({waiver.origin})"
    for error in report.errors:
        yield f"  trouble: {error}"
    yield from _coverage(report, every_check=every_check)


def _verdict(report: Report) -> str:
    checked = report.checked
    over = f"{plural(checked.words, 'word')} at r{checked.revision}"
    fresh = f" since r{report.since}" if report.since is not None else ""
    if not checked.findings:
        return f"no findings{fresh} in {over}"
    by_severity = ", ".join(
        plural(number, word) for word, number in counted(checked.findings).items() if number
    )
    return f"{plural(len(checked.findings), 'finding')}{fresh} in {over}: {by_severity}"


def _left_out(report: Report) -> list[tuple[int, str]]:
    waived = len(report.checked.waived)
    return [
        (waived, f"{plural(waived, 'finding')} the author means so"),
        (report.known, f"{plural(report.known, 'finding')} in the baseline"),
        (
            report.quiet,
            f"{plural(report.quiet, 'finding')} of lower severity (--min-severity note shows them)",
        ),
    ]


def _coverage(report: Report, *, every_check: bool) -> Iterator[str]:
    """Empty is not green: which checks had something to look at, and what the others lacked."""
    unseen = not_evaluated(report)
    yield f"  {plural(len(held(report)), 'check')} found nothing in what was read; what was not read is not clean"
    if every_check:
        yield from (
            f"  found nothing: {one.rule.id} {one.rule.title} ({one.looked_at:,} looked at)"
            for one in held(report)
        )
        yield from (
            f"  not evaluated: {one.rule.id} {one.rule.title} (missing: {missing_words(one)})"
            for one in unseen
        )
    elif unseen:
        ids = ", ".join(one.rule.id for one in unseen)
        words = (
            f"{len(unseen)} not evaluated, for want of anything to look at (--format full says what): {ids}"
        )
        yield from wrap(words, WIDTH, initial_indent="  ", subsequent_indent="    ")
