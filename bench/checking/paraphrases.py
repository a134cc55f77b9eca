"""paraphrases: pairs of sentences by an author who saw neither tables nor rules, read by the embedded reader and checked.

Two thirds of the pairs contradict each other, one third only seems to. Each sentence is a chapter of its own. A pair counts as found
when one finding has a passage in each chapter; at default severity, and with notes. `bench/data/unseen/paraphrases.toml` is not to
be looked into by whoever writes a reader's table or a check; `bench/data/paraphrases/own.toml` is by the hand that then widened the tables.
`--together` reads all first sentences as one chapter and all second ones as another: quicker, and harder, for nobody is alone there.
"""

from __future__ import annotations

import argparse
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from bench.frame import Figures, show
from narraworld.query.checks.findings import Finding, Severity
from narraworld.world import World

__all__ = ["OWN", "add_options", "met_together", "pairs_of", "run"]

PAIRS = Path(__file__).parents[1] / "data" / "unseen" / "paraphrases.toml"
OWN = Path(__file__).parents[1] / "data" / "paraphrases" / "own.toml"
LEAST: tuple[Severity, ...] = ("warning", "note")


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--pairs", type=Path, default=PAIRS, help="a file of [[pair]] tables: kind, contradiction, a, b"
    )
    parser.add_argument("--kinds", default="", metavar="NAMES", help="kinds to run, by comma; else all")
    parser.add_argument("--limit", type=int, default=0, help="so many pairs of each kind")
    parser.add_argument("--together", action="store_true", help="all pairs as two chapters of one story")


def pairs_of(path: Path, kinds: str = "", limit: int = 0) -> list[dict[str, Any]]:
    """The pairs of a file, of these kinds, so many of each."""
    wanted, taken, found = set(filter(None, kinds.split(","))), Counter[str](), []
    for pair in tomllib.loads(path.read_text(encoding="utf-8"))["pair"]:
        taken[pair["kind"]] += 1
        if (not wanted or pair["kind"] in wanted) and (not limit or taken[pair["kind"]] <= limit):
            found.append(pair)
    return found


def run(options: argparse.Namespace) -> Figures:
    pairs = pairs_of(options.pairs, options.kinds, options.limit)
    met = met_together(pairs) if options.together else (_meeting(pair["a"], pair["b"]) for pair in pairs)
    counts, taken = Counter[tuple[str, str]](), {pair["kind"] for pair in pairs}
    for pair, found in zip(pairs, met, strict=True):
        counts.update((pair["kind"], what) for what in _outcomes(pair, found))
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


def _outcomes(pair: Mapping[str, Any], found: set[str]) -> list[str]:
    """What one pair adds to the counts."""
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


# -- all as one story


def met_together(pairs: Sequence[Mapping[str, Any]]) -> list[set[str]]:
    """Of each pair the least severities at which a finding meets it, contradictions in one world and the rest in another."""
    met: dict[int, set[str]] = {}
    for contradict in (True, False):
        chosen = [number for number, pair in enumerate(pairs) if pair["contradiction"] is contradict]
        for number, found in zip(chosen, _told_together([pairs[number] for number in chosen]), strict=True):
            met[number] = found
    return [met[number] for number in range(len(pairs))]


def _told_together(pairs: Sequence[Mapping[str, Any]]) -> Iterator[set[str]]:
    findings = _found_in(["\n\n".join(pair[side] for pair in pairs) for side in "ab"])
    places = [list(accumulate((len(pair[side]) + 2 for pair in pairs), initial=0)) for side in "ab"]
    for number in range(len(pairs)):
        ranges = [(side[number], side[number + 1]) for side in places]
        yield {least for least, some in findings.items() if any(_meets(one, ranges) for one in some)}


def _found_in(chapters: Sequence[str]) -> dict[str, list[Finding]]:
    """What a check of these chapters finds, each finding by itself, by least severity."""
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(chapters, 1):
            (Path(folder) / f"ch0{number}.md").write_text(text + "\n", encoding="utf-8")
        with World.open(Path(folder) / "world", create=True) as world:
            world.read(folder)
            checked = {least: world.check(least=least).findings for least in LEAST}
    return {least: [each for one in some for each in one.each()] for least, some in checked.items()}


def _meets(finding: Finding, ranges: Sequence[tuple[int, int]]) -> bool:
    """Whether a finding has a passage in the paragraph of each chapter."""
    return all(
        any(
            passage.unit.endswith(f"ch0{number}") and start <= passage.start < end
            for passage in finding.passages
        )
        for number, (start, end) in enumerate(ranges, 1)
    )
