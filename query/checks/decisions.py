"""The author's decisions, in `.narraworld/decisions.toml`: a file to read, to edit by hand and to keep under version control.

    [[intentional]]  key = "3f2a9c1b7d10"  reason = "he lies about it"      this finding is meant so
    [[canon]]        key = "3f2a9c1b7d10"  keep = "ch03"                    of two passages, the one in ch03 holds
    [[exception]]    rule = "NW5"  about = "Mara"  units = ["ch07"]         a rule of the world that a check cannot know
    [[same]]         one = "tom"  other = "mr-thomas"                       two names, one person …
    [[different]]    one = "old-tom"  other = "tom"                         … or one name, two
    [[fact]]         says = "magic.impossible:raise the dead"               what the text leaves unsaid

`intentional` and `exception` silence findings. `canon` does not: it says which passage is to be changed, until it is. The
others become records of a unit of the author's own (`authors_word`). Writing keeps comments and layout as they are.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from narraworld.base.atomic_files import write_whole
from narraworld.base.quick_dataclass import dataclass
from narraworld.query.checks.findings import Checked, Finding, Waiver, folded
from narraworld.query.checks.sifting import AuthorsAnswer
from narraworld.query.errors import QueryError

if TYPE_CHECKING:
    from tomlkit.items import AoT, Table

__all__ = [
    "FILE",
    "BadDecisions",
    "Decision",
    "DecisionKind",
    "Decisions",
    "add_decision",
    "read_decisions",
    "remove_waiver",
]

FILE = "decisions.toml"
HEAD = "# What the author decided; see docs/checking.md. Edit by hand as you like: comments stay.\n"

DecisionKind: TypeAlias = Literal["intentional", "canon", "exception", "same", "different", "fact"]

TEXT, NAMES = "a text in quotes", "a list of texts"
KNOWN: dict[DecisionKind, dict[str, str]] = {
    "intentional": {"key": TEXT, "reason": TEXT, "rule": TEXT, "says": TEXT},
    "canon": {"key": TEXT, "keep": TEXT, "reason": TEXT, "rule": TEXT, "says": TEXT},
    "exception": {"rule": TEXT, "reason": TEXT, "about": TEXT, "units": NAMES},
    "same": {"one": TEXT, "other": TEXT, "reason": TEXT},
    "different": {"one": TEXT, "other": TEXT, "reason": TEXT},
    "fact": {"says": TEXT, "reason": TEXT, "subject_is": TEXT},
}
NEEDED: dict[DecisionKind, tuple[str, ...]] = {
    "intentional": ("key", "reason"), "canon": ("key", "keep"), "exception": ("rule", "reason"),
    "same": ("one", "other"), "different": ("one", "other"), "fact": ("says",),
}  # fmt: skip


class BadDecisions(QueryError):
    """A decisions file that cannot be used."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One table of the file as it stands there."""

    kind: DecisionKind
    fields: Mapping[str, Any]
    origin: str = FILE

    def __getitem__(self, name: str) -> Any:
        return self.fields.get(name, "")

    def line(self) -> str:
        """The decision in one line, for lists."""
        told = ", ".join(f"{name} {value}" for name, value in self.fields.items() if name != "reason")
        return f"{self.kind}: {told}" + (f" ({self['reason']})" if self["reason"] else "")


@dataclass(frozen=True, slots=True)
class Decisions:
    """All decisions in the order of the file."""

    all: tuple[Decision, ...] = ()

    def of(self, *kinds: DecisionKind) -> list[Decision]:
        return [one for one in self.all if one.kind in kinds]

    def answers(self) -> list[AuthorsAnswer]:
        """What silences findings."""
        return [_answer(one) for one in self.of("intentional", "exception")]

    def directed(self, checked: Checked) -> Checked:
        """Where the author chose a canon, the passage to be changed stands first and the finding says so.

        A choice whose finding is gone has done its work and is named among the answers nothing needed.
        """
        chosen = {str(one["key"]): one for one in self.of("canon")}
        found = {each.key for one in (*checked.findings, *checked.waived) for each in one.each()}
        unused = [
            Waiver(key, f"{one['keep']} holds", one.origin)
            for key, one in chosen.items()
            if key not in found and _looked_for(str(one["rule"]), checked)
        ]
        findings = [
            folded([_directed(each, chosen[each.key]) if each.key in chosen else each for each in one.each()])
            for one in checked.findings
        ]
        return replace(checked, findings=tuple(findings), unused=(*checked.unused, *unused))


def _looked_for(rule: str, checked: Checked) -> bool:
    return not rule or any(report.rule.id == rule for report in checked.reports)


def _answer(one: Decision) -> AuthorsAnswer:
    if one.kind == "intentional":
        waiver = Waiver(str(one["key"]), str(one["reason"]), one.origin)
        rules = (str(one["rule"]),) if one["rule"] else ()
        return AuthorsAnswer(lambda finding: finding.key == one["key"], waiver, rules)
    waiver = Waiver(f"exception to {one['rule']}", str(one["reason"]), one.origin)
    return AuthorsAnswer(lambda finding: _excepted(finding, one), waiver, (str(one["rule"]),))


def _excepted(finding: Finding, one: Decision) -> bool:
    units, about = set(one["units"] or ()), str(one["about"])
    return (
        finding.rule.id.startswith(str(one["rule"]))
        and (not units or any(passage.unit in units for passage in finding.passages))
        and (not about or re.search(rf"\b{re.escape(about)}\b", finding.message, re.IGNORECASE) is not None)
    )


def _directed(finding: Finding, choice: Decision) -> Finding:
    kept = [one for one in finding.passages if one.unit == choice["keep"]]
    others = [one for one in finding.passages if one.unit != choice["keep"]]
    if not kept or not others:
        return finding
    message = f"{finding.message} (you decided that {choice['keep']} holds: change {others[0].unit})"
    return replace(finding, message=message, passages=(*others, *kept))


# -- the file


def read_decisions(path: Path) -> Decisions:
    """The decisions in a file; none where there is no file."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Decisions()
    except ValueError as error:  # not UTF-8, no TOML, or a number of thousands of digits
        raise BadDecisions(f"is not TOML: {error}", where=str(path)) from error
    return Decisions(tuple(_decisions(tables, path)))


def _decisions(tables: Mapping[str, Any], path: Path) -> Iterator[Decision]:
    for name, rows in tables.items():
        if name not in KNOWN:
            raise BadDecisions(
                f"has an unknown table [[{name}]]", where=str(path), fix=f"known are: {', '.join(KNOWN)}"
            )
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise BadDecisions(f"[{name}] stands alone", where=str(path), fix=f"write [[{name}]]")
        for number, row in enumerate(rows, 1):
            kind: DecisionKind = name
            _check(kind, row, f"{path}: [[{name}]] number {number}")
            yield Decision(kind, row, f"{path.parent.name}/{path.name}")


def _check(kind: DecisionKind, row: Mapping[str, Any], where: str) -> None:
    for name in NEEDED[kind]:
        if not row.get(name):
            raise BadDecisions(f"has no {name}", where=where, fix=f'add {name} = "…"')
    for name, value in row.items():
        if name not in KNOWN[kind]:
            raise BadDecisions(
                f"has an unknown key {name!r}", where=where, fix=f"known are: {', '.join(KNOWN[kind])}"
            )
        wanted = KNOWN[kind][name]
        if not (isinstance(value, str) if wanted is TEXT else _is_names(value)):
            raise BadDecisions(f"{name} is {value!r}", where=where, fix=f"it should be {wanted}")


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def add_decision(path: Path, decision: Decision, same: Sequence[str] = ()) -> bool:
    """Write a decision at the end of the file; one that agrees in the fields ``same`` is replaced. True when it was there."""
    import tomlkit
    from tomlkit.items import AoT

    _check(decision.kind, decision.fields, f"[[{decision.kind}]]")
    read_decisions(path)  # refuses to write into what it could not read
    document = tomlkit.parse(path.read_text(encoding="utf-8") if path.exists() else HEAD)
    if decision.kind not in document:
        document.add(tomlkit.nl())
    rows = document.setdefault(decision.kind, tomlkit.aot())
    assert isinstance(rows, AoT)
    known = _agreeing(rows, decision, same)
    row = known[0] if known else tomlkit.table()
    row.update({name: value for name, value in decision.fields.items() if value})
    if not known:
        if rows:
            rows[-1].add(tomlkit.nl())
        rows.append(row)
    write_whole(path, tomlkit.dumps(document))
    return bool(known)


def _agreeing(rows: AoT, decision: Decision, same: Sequence[str]) -> list[Table]:
    """The rows that say the same in these fields; none where no field is named."""
    return [row for row in rows if same and all(row.get(name) == decision[name] for name in same)]


def remove_waiver(path: Path, key: str) -> bool:
    """Take a waiver out of the file, and leave the rest of it as it is. False where there was none."""
    import tomlkit

    read_decisions(path)
    document = tomlkit.parse(path.read_text(encoding="utf-8")) if path.exists() else tomlkit.document()
    rows = document.get("intentional", [])
    places = [place for place, row in enumerate(rows) if row.get("key") == key]
    for place in reversed(places):
        del rows[place]
    if places:
        if not rows:
            document.remove("intentional")
        write_whole(path, tomlkit.dumps(document))
    return bool(places)
