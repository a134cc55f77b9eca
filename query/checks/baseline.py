"""The baseline: keys of findings that were there when a project began to check, so that only new ones are told.

One JSON file, sorted, one line per finding, to be kept beside the journal and shared. Keys hold on to rule and words, not to
line numbers; a finding whose words change is new.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from narraworld.base.atomic_files import write_whole
from narraworld.query.checks.findings import Finding
from narraworld.query.errors import QueryError

__all__ = ["FILE", "BadBaseline", "read_baseline", "write_baseline"]

FILE = "baseline.json"
SCHEMA = 1


class BadBaseline(QueryError):
    """A baseline file that cannot be used."""


def read_baseline(path: Path) -> frozenset[str]:
    """The keys in a baseline file."""
    fix = "write one with: narraworld check --write-baseline"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return frozenset(map(str, found["findings"]))
    except FileNotFoundError as error:
        raise BadBaseline("there is no baseline", where=str(path), fix=fix) from error
    except (ValueError, KeyError, TypeError) as error:
        raise BadBaseline("is not a baseline", where=str(path), fix=fix) from error


def write_baseline(path: Path, findings: Iterable[Finding]) -> int:
    """Keep the keys of these findings, with a word on each for whoever reads the file; how many there are."""
    known = {one.key: f"{one.rule.id} {one.message}" for finding in findings for one in finding.each()}
    document = {"schema": SCHEMA, "findings": dict(sorted(known.items()))}
    write_whole(path, json.dumps(document, ensure_ascii=False, indent=1) + "\n")
    return len(known)
