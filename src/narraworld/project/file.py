"""What a project decides, from `narraworld.toml` beside the manuscript; without one, the defaults.

[rules]
options = ["sight"]               # shipped rule files that are not loaded by default (rules/options)
files = ["rules/house.dl"]        # your own rules, through the same checks as ours
checks = ["house-rules/"]         # your own checks: files or folders of rules with `finding(...)` heads
on = ["trust"]                    # access rules to switch on …
off = ["copresence"]              # … and off
[thresholds]                      # numbers that rules compare with; `narraworld query 'default_threshold(Name, N)'` lists them
"often named" = 12
[calendar]                        # see docs/calendar.md
[respects.grudge]                 # respects of your own, with the fields of docs/vocabulary.md
[limits]
facts = 20000000
seconds = 600
situations = 6                    # whose derived worlds are kept in memory
[model]                           # how long to wait for a model, in seconds, and how often to try again
timeout = 300
patience = 1200
retries = 4
[read]
details = true                    # a model is asked for particulars and for what does not fit, too (read --details)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from math import inf
from pathlib import Path
from typing import Any

from narraworld.base.errors import NarraWorldError
from narraworld.base.given_files import read_given_text, toml_of
from narraworld.base.quick_dataclass import dataclass
from narraworld.ontology.errors import OntologyError
from narraworld.ontology.respects import Respects, respects

__all__ = ["FILE", "BadSettings", "ProjectSettings", "load_settings"]

FILE = "narraworld.toml"
MOST = 2**62  # what every engine can compare with
SITUATIONS = 6  # each some megabytes for a short story
NAMES, AMOUNT, YES_OR_NO = "a list of names", "a number above zero", "true or false"
KNOWN = {
    "rules": {"options": NAMES, "files": NAMES, "checks": NAMES, "on": NAMES, "off": NAMES},
    "limits": {"facts": AMOUNT, "seconds": AMOUNT, "situations": AMOUNT},
    "model": {"timeout": AMOUNT, "patience": AMOUNT, "retries": AMOUNT},
    "read": {"details": YES_OR_NO},
}
FREE = ("calendar", "thresholds", "respects")  # tables whose keys are not ours


class BadSettings(NarraWorldError):
    """A settings file that cannot be used."""


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    """The project's decisions as plain values; `calendar` is the raw table."""

    rule_files: tuple[Path, ...] = ()
    on: frozenset[str] = frozenset()
    off: frozenset[str] = frozenset()
    calendar: Mapping[str, Any] | None = None
    limits: Mapping[str, float] = field(default_factory=dict)
    check_files: tuple[Path, ...] = ()
    thresholds: Mapping[str, int] = field(default_factory=dict)
    situations: int = SITUATIONS
    respects: Respects = field(default_factory=respects)
    model: Mapping[str, float] = field(default_factory=dict)
    details: bool = False


def load_settings(folder: Path) -> ProjectSettings:
    """Read `narraworld.toml` in ``folder``, if there is one."""
    path = folder / FILE
    if not path.exists():
        return ProjectSettings()
    try:
        tables = toml_of(read_given_text(path))
    except OSError as error:
        raise BadSettings(f"cannot be read: {error.strerror}", where=str(path)) from error
    except ValueError as error:  # not UTF-8, no TOML, or written to do harm
        raise BadSettings(f"is not TOML: {error}", where=str(path)) from error
    _check(tables, path)
    rules, limits = tables.get("rules", {}), dict(tables.get("limits", {}))
    situations = max(1, int(limits.pop("situations", SITUATIONS)))
    return ProjectSettings(
        (*_optional(rules.get("options", ())), *(folder / name for name in rules.get("files", ()))),
        frozenset(rules.get("on", ())),
        frozenset(rules.get("off", ())),
        tables.get("calendar"),
        limits,
        tuple(folder / name for name in rules.get("checks", ())),
        tables.get("thresholds", {}),
        situations,
        _respects(tables.get("respects", {}), str(path)),
        tables.get("model", {}),
        tables.get("read", {}).get("details", False),
    )


def _respects(tables: Mapping[str, Any], where: str) -> Respects:
    try:
        return respects().with_rows(tables, where) if tables else respects()
    except OntologyError as error:
        raise BadSettings(error.what, where=error.where, fix=error.fix) from error


def _optional(names: Iterable[str]) -> Iterator[Path]:
    from narraworld.rules.language.program import option_file

    return (option_file(name) for name in names)


def _check(tables: Mapping[str, Any], path: Path) -> None:
    where = str(path)
    for name, table in tables.items():
        if name not in {*FREE, *KNOWN}:
            known = ", ".join([*FREE, *KNOWN])
            raise BadSettings(f"has an unknown table [{name}]", where=where, fix=f"known are: {known}")
        if not isinstance(table, dict):
            raise BadSettings(
                f"{name} is not a table", where=where, fix=f"write [{name}] on a line of its own"
            )
        if name == "thresholds":
            _check_thresholds(table, where)
        elif name not in FREE:
            _check_keys(name, table, where)


def _check_keys(name: str, table: Mapping[str, Any], where: str) -> None:
    for key, value in table.items():
        if key not in KNOWN[name]:
            known = ", ".join(KNOWN[name])
            raise BadSettings(
                f"has an unknown key {key!r} in [{name}]", where=where, fix=f"known are: {known}"
            )
        wanted = KNOWN[name][key]
        if not FITS[wanted](value):
            raise BadSettings(f"{key} in [{name}] is {value!r}", where=where, fix=f"it should be {wanted}")


def _check_thresholds(table: Mapping[str, Any], where: str) -> None:
    for key, value in table.items():
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < MOST:
            raise BadSettings(
                f"{key!r} in [thresholds] is {value!r}", where=where, fix="it should be a whole number"
            )


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) and one for one in value)


def _is_amount(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < inf


def _is_yes_or_no(value: Any) -> bool:
    return isinstance(value, bool)


FITS = {NAMES: _is_names, AMOUNT: _is_amount, YES_OR_NO: _is_yes_or_no}
