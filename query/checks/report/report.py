"""What every format is given: a check, ready to be told, and the few words that formats have in common.

Pure values. What was left out (below the severity asked for, known to a baseline) is counted here, never forgotten.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from narraworld.query.checks.findings import Checked, Finding, Passage, RuleReport, Severity
from narraworld.query.checks.nominated import Nominated, contradictions, undecided
from narraworld.query.figures.result_tables import TabledResult
from narraworld.query.knows import Matrix

__all__ = [
    "SEVERITIES", "Report", "counted", "first_passage", "held", "how_much", "lacking", "missing_words", "not_evaluated",
    "path_of", "place_of", "plural", "summary", "violated",
]  # fmt: skip

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")  # gravest first


@dataclass(frozen=True, slots=True, repr=False)
class Report(TabledResult):
    """A check and all that is told with it.

    ``chapters`` are titles by unit in the order of the telling; ``proofs`` are by key of the finding; ``lost`` are findings
    of revision ``since`` that are gone; ``quiet`` and ``known`` count what ``--min-severity`` and the baseline left out; ``version`` is the program's;
    ``nominated`` are pairs of passages that no rule has decided, ``slight`` the findings below the severity asked for, which a judge may look at;
    ``understood`` is how many sentences were understood, of how many, where a reader counted them.
    """

    checked: Checked
    title: str = "the manuscript"
    chapters: Mapping[str, str] = field(default_factory=dict)
    proofs: Mapping[str, str] = field(default_factory=dict)
    since: int | None = None
    lost: tuple[Finding, ...] = ()
    quiet: int = 0
    known: int = 0
    errors: tuple[str, ...] = ()
    knows: Matrix | None = None
    colour: bool = False
    version: str = "0"
    understood: tuple[int, int] | None = None
    nominated: tuple[Nominated, ...] = ()
    slight: tuple[Finding, ...] = ()
    least: Severity = "warning"

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was found and is to be told."""
        return self.checked.findings

    def to_dicts(self) -> list[dict[str, object]]:
        return [
            {
                "rule": one.rule.id, "severity": one.rule.severity, "message": one.message,
                "file": place.file if place else None, "line": place.line if place else None, "key": one.key,
            }
            for one in self.findings
            for place in [first_passage(one)]
        ]  # fmt: skip

    def in_short(self) -> str:
        counts = ", ".join(plural(n, kind) for kind, n in counted(self.findings).items())
        return f"Report on {self.title}: {counts}"


def counted(findings: Sequence[Finding]) -> dict[Severity, int]:
    """How many of each severity, gravest first; those there are none of are named too."""
    found = Counter(finding.rule.severity for finding in findings)
    return {severity: found[severity] for severity in SEVERITIES}


def violated(report: Report) -> list[RuleReport]:
    return [one for one in report.checked.reports if one.outcome == "violated"]


def held(report: Report) -> list[RuleReport]:
    return [one for one in report.checked.reports if one.outcome == "held"]


def not_evaluated(report: Report) -> list[RuleReport]:
    """Checks that had nothing to look at: neither green nor red."""
    return [one for one in report.checked.reports if one.outcome == "not evaluated"]


def lacking(report: Report) -> dict[str, list[RuleReport]]:
    """The checks that were not evaluated, by what they would have needed."""
    found: dict[str, list[RuleReport]] = {}
    for one in not_evaluated(report):
        found.setdefault(missing_words(one), []).append(one)
    return found


def missing_words(one: RuleReport) -> str:
    return "; ".join(one.missing) or "anything it speaks of"


def place_of(passage: Passage) -> str:
    """Where the author finds it: file, line and column, counted from 1; else the unit and its characters."""
    if passage.file is None or passage.line is None:
        file = f"{passage.file}, " if passage.file else ""
        return f"{file}{passage.unit} {passage.start}–{passage.end}"
    return ":".join(str(part) for part in (passage.file, passage.line, passage.column) if part is not None)


def path_of(passage: Passage) -> str:
    """The file, for formats that must name one; a unit that came from none stands for itself."""
    return passage.file or passage.unit


def first_passage(finding: Finding) -> Passage | None:
    return finding.passages[0] if finding.passages else None


def plural(number: int, one: str, many: str | None = None) -> str:
    """`plural(1, "finding") == "1 finding"`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def how_much(report: Report) -> str:
    """The first line of every report: how much was understood, and how many checks had anything to look at."""
    reports = report.checked.reports
    looking = f"{len(reports) - len(not_evaluated(report))} of {plural(len(reports), 'check')} had something to look at"
    if report.understood is None:
        return looking
    read, of = report.understood
    return f"{read:,} of {plural(of, 'sentence')} understood; {looking}"


def summary(report: Report) -> dict[str, object]:
    """The figures every machine format carries."""
    checked = report.checked
    return {
        "findings": len(checked.findings),
        **{str(severity): number for severity, number in counted(checked.findings).items()},
        "waived": len(checked.waived),
        "unused_waivers": len(checked.unused),
        "below_severity": report.quiet,
        "in_baseline": report.known,
        "lost": len(report.lost),
        "nominated": len(undecided(report.nominated)),
        "judged_contradictions": len(contradictions(report.nominated)),
        "since": report.since,
        "sentences": report.understood[1] if report.understood else None,
        "understood": report.understood[0] if report.understood else None,
        "rules": len(checked.reports),
        "held": len(held(report)),
        "violated": len(violated(report)),
        "not_evaluated": len(not_evaluated(report)),
        "words": checked.words,
        "revision": checked.revision,
    }
