"""What a project decides, from `narraworld.toml` beside the manuscript; without one, the defaults.

[rules]
files = ["rules/house.dl"]        # your own rules, through the same checks as ours
on = ["trust"]                    # access rules to switch on …
off = ["copresence"]              # … and off
[calendar]                        # see docs/calendar.md
[limits]
facts = 20000000
seconds = 600
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from narraworld.ontology.errors import NarraWorldError

__all__ = ["FILE", "BadSettings", "Settings", "load_settings"]

FILE = "narraworld.toml"
KNOWN = {"rules": {"files", "on", "off"}, "limits": {"facts", "seconds"}}


class BadSettings(NarraWorldError):
    """A settings file that cannot be used."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The project's decisions as plain values; `calendar` is the raw table."""

    rule_files: tuple[Path, ...] = ()
    on: frozenset[str] = frozenset()
    off: frozenset[str] = frozenset()
    calendar: Mapping[str, Any] | None = None
    limits: Mapping[str, float] = field(default_factory=dict)


def load_settings(folder: Path) -> Settings:
    """Read `narraworld.toml` in ``folder``, if there is one."""
    path = folder / FILE
    if not path.is_file():
        return Settings()
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSettings(f"is not TOML: {error}", where=str(path)) from error
    _check(tables, path)
    rules = tables.get("rules", {})
    return Settings(
        tuple(folder / name for name in rules.get("files", ())),
        frozenset(rules.get("on", ())),
        frozenset(rules.get("off", ())),
        tables.get("calendar"),
        tables.get("limits", {}),
    )


def _check(tables: Mapping[str, Any], path: Path) -> None:
    for name, table in tables.items():
        if name == "calendar":
            continue
        if name not in KNOWN:
            raise BadSettings(
                f"has an unknown table [{name}]",
                where=str(path),
                fix=f"known are: calendar, {', '.join(KNOWN)}",
            )
        for key in table:
            if key not in KNOWN[name]:
                known = ", ".join(sorted(KNOWN[name]))
                raise BadSettings(
                    f"has an unknown key {key!r} in [{name}]", where=str(path), fix=f"known are: {known}"
                )
