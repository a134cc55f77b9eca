"""What of a check is told: the author's word applied, what is too slight or already known set aside and counted.

Pure functions over `Checked`. Nothing is dropped silently: each says what it took away.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from narraworld.query.checks.findings import Checked, Finding, Severity, Waiver, folded

__all__ = ["AuthorsAnswer", "answered", "at_least", "concerning", "fails", "lost_since", "without"]

GRAVITY: dict[Severity, int] = {"note": 0, "warning": 1, "error": 2}

Matches: TypeAlias = Callable[[Finding], bool]


@dataclass(frozen=True, slots=True)
class AuthorsAnswer:
    """Something the author said of findings: which it is about, and the waiver they get.

    ``rules`` are the checks it can speak of, so that an answer is called unneeded only where they were evaluated.
    """

    matches: Matches
    waiver: Waiver
    rules: tuple[str, ...] = ()


def answered(checked: Checked, answers: Sequence[AuthorsAnswer]) -> Checked:
    """The findings the author has answered set apart, each with its reason; answers nothing needed are named."""
    standing, waived, used = list[Finding](), list[Finding](), set[int]()
    for finding in checked.findings:
        left = list[Finding]()
        for one in finding.each():  # an answer to one is no answer to the others of its cause
            said = [number for number, answer in enumerate(answers) if answer.matches(one)]
            used.update(said)
            if said:
                waived.append(replace(one, waived=replace(answers[said[0]].waiver, key=one.key)))
            else:
                left.append(one)
        standing += [folded(left)] if left else []
    looked = [report.rule.id for report in checked.reports]
    unused = [answer for number, answer in enumerate(answers) if number not in used]
    return replace(
        checked,
        findings=tuple(standing),
        waived=(*checked.waived, *waived),
        unused=(*checked.unused, *_needless(unused, looked)),
    )


def _needless(unused: Iterable[AuthorsAnswer], looked: list[str]) -> Iterator[Waiver]:
    return (answer.waiver for answer in unused if _could_have_matched(answer, looked))


def _could_have_matched(answer: AuthorsAnswer, looked: Sequence[str]) -> bool:
    return not answer.rules or any(rule.startswith(answer.rules) for rule in looked)


def at_least(checked: Checked, severity: Severity) -> tuple[Checked, int]:
    """Without what is slighter, and how many those were."""
    kept = tuple(one for one in checked.findings if GRAVITY[one.rule.severity] >= GRAVITY[severity])
    return replace(checked, findings=kept), len(checked.findings) - len(kept)


def without(checked: Checked, keys: Collection[str]) -> tuple[Checked, int]:
    """Without the findings known by these keys, and how many those were."""
    kept = _refolded(checked.findings, lambda one: one.key not in keys)
    return replace(checked, findings=kept), _number(checked.findings) - _number(kept)


def _refolded(findings: Sequence[Finding], keep: Matches) -> tuple[Finding, ...]:
    """What is left of each cause."""
    left = ([each for each in one.each() if keep(each)] for one in findings)
    return tuple(folded(some) for some in left if some)


def _number(findings: Sequence[Finding]) -> int:
    return sum(len(one.each()) for one in findings)


def concerning(checked: Checked, units: Collection[str]) -> Checked:
    """Only what has a passage in these units, and that passage first: what an editor can show beside the text."""
    kept = _refolded(checked.findings, lambda one: any(passage.unit in units for passage in one.passages))
    turned = (folded([_turned(each, units) for each in one.each()]) for one in kept)
    return replace(checked, findings=tuple(turned))


def _turned(one: Finding, units: Collection[str]) -> Finding:
    return replace(one, passages=tuple(sorted(one.passages, key=lambda passage: passage.unit not in units)))


def lost_since(now: Checked, before: Checked) -> tuple[Finding, ...]:
    """What was found before and is no longer, whether it was mended or the author means it so."""
    still = {each.key for one in (*now.findings, *now.waived) for each in one.each()}
    return _refolded(before.findings, lambda one: one.key not in still)


def fails(findings: Sequence[Finding], severity: Severity) -> bool:
    """Whether any finding is as grave as that."""
    return any(GRAVITY[one.rule.severity] >= GRAVITY[severity] for one in findings)
