"""paraphrases: pairs of sentences by an author who saw neither tables nor rules, read by the embedded reader and checked.

Two thirds of the pairs contradict each other, one third only seems to. Each sentence is a chapter of its own. A pair counts as found
when one finding has a passage in each chapter; at default severity, and with notes. `bench/data/unseen/paraphrases.toml` is not to
be looked into by whoever writes a reader's table or a check.
"""

from __future__ import annotations

import argparse
import tempfile
import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.frame import Figures, show
from narraworld.query.checks.findings import Severity
from narraworld.world import World

__all__ = ["add_options", "run"]

PAIRS = Path(__file__).parent / "data" / "unseen" / "paraphrases.toml"
LEAST: tuple[Severity, ...] = ("warning", "note")


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--pairs", type=Path, default=PAIRS, help="a file of [[pair]] tables: kind, contradiction, a, b"
    )
    parser.add_argument("--kinds", default="", metavar="NAMES", help="kinds to run, by comma; else all")
    parser.add_argument("--limit", type=int, default=0, help="so many pairs of each kind")


def run(options: argparse.Namespace) -> Figures:
    pairs = tomllib.loads(options.pairs.read_text(encoding="utf-8"))["pair"]
    wanted, taken, counts = (
        set(filter(None, options.kinds.split(","))),
        Counter[str](),
        Counter[tuple[str, str]](),
    )
    for pair in pairs:
        kind = pair["kind"]
        if (wanted and kind not in wanted) or 0 < options.limit <= taken[kind]:
            continue
        taken[kind] += 1
        counts.update((kind, what) for what in _outcomes(pair))
    show(
        "Pairs of sentences, by kind",
        ("kind", "contradict", "found", "with notes", "agree", "false", "false with notes"),
        [(kind, *(counts[kind, what] for what in COLUMNS)) for kind in sorted(taken)],
    )
    total = Counter[str]()
    for (_, what), number in counts.items():
        total[what] += number
    return {what: total[what] for what in COLUMNS}


COLUMNS = ("contradictions", "found", "found_with_notes", "agreeing", "false", "false_with_notes")


def _outcomes(pair: Mapping[str, Any]) -> list[str]:
    """What one pair adds to the counts."""
    found = _meeting(pair["a"], pair["b"])
    sort, hit = ("contradictions", "found") if pair["contradiction"] else ("agreeing", "false")
    return [sort, *([hit] if "warning" in found else []), *([f"{hit}_with_notes"] if found else [])]


def _meeting(one: str, other: str) -> set[str]:
    """At which least severities a finding has a passage in both chapters."""
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate((one, other), 1):
            (Path(folder) / f"ch0{number}.md").write_text(f"# {number}\n\n{text}\n", encoding="utf-8")
        with World.open(Path(folder) / "world", create=True) as world:
            world.read(folder)
            return {least for least in LEAST if _both(world, least)}


def _both(world: World, least: Severity) -> bool:
    return any(
        len({passage.unit for passage in finding.passages}) > 1
        for finding in world.check(least=least).findings
    )
