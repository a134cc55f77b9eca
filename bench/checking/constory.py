"""ConStory: findings on long model-written stories read by the embedded reader, and which of the judge's are among them.

Every finding at default severity is printed, because precision is for a person to read. The silver is weak (an LLM judge), so
recall counts only its findings whose two quotes stand in the story word for word: one is found when a passage of ours lies in
one of the quotes and the words of another in the other.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from bench.checking.checked import Sample, a_world, checked, figures, tell
from bench.frame import Figures, dataset, show, the_file
from narraworld.extract.sources.piece import Piece
from narraworld.extract.sources.places import Places
from narraworld.kb.units import Unit
from narraworld.query.checks.findings import Finding

__all__ = ["Pair", "add_options", "hits", "pairs_of", "run"]

DATA, STORIES, JUDGED = "constory", "*.stories.jsonl", "*.judge.csv"
AREAS = ("characterization_", "factual_detail_", "narrative_style_", "timeline_plot_", "world_building_")


class Pair(NamedTuple):
    """A finding of the judge whose two quotes stand in the story."""

    story: str
    subtype: str
    quote: str
    against: str


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--stories", type=int, default=50, help="how many, the first first")
    parser.add_argument(
        "--kept", type=Path, help="a folder for the worlds, so that a second run need not read again"
    )


def run(options: argparse.Namespace) -> Figures:
    folder = dataset(DATA, options.data)
    lines = the_file(folder, STORIES).read_text(encoding="utf-8").splitlines()[: options.stories]
    texts = {str(story["id"]): str(story["generated_story"]) for story in map(json.loads, lines)}
    samples = [_checked(name, text, options.kept) for name, text in texts.items()]
    located = list(pairs_of(the_file(folder, JUDGED), texts))
    found = [pair for pair in located if any(hits(one, pair) for one in _of(samples, pair.story))]
    tell(samples)
    recall = round(len(found) / len(located), 3) if located else None
    result = {**figures(samples), "located": len(located), "found": len(found), "recall_located": recall}
    show(f"ConStory, {len(samples)} stories, embedded reader", result.keys(), [result.values()])
    return result


def _checked(name: str, text: str, kept: Path | None) -> Sample:
    piece = Piece(Unit("story", 1, text), (), (), Places((), (), "line"))
    with a_world(kept, name) as world:
        return checked(world, name, [piece])


def _of(samples: list[Sample], story: str) -> tuple[Finding, ...]:
    return next((sample.found for sample in samples if sample.name == story), ())


def hits(one: Finding, pair: Pair) -> bool:
    """Whether a finding is what the judge means."""
    words = [_plain(passage.quote) for passage in one.passages]
    quotes = (_plain(pair.quote), _plain(pair.against))
    return any(
        first in quotes[side] and second in quotes[1 - side]
        for side in (0, 1) for first in words for second in words if first != second
    )  # fmt: skip


def pairs_of(file: Path, texts: Mapping[str, str]) -> Iterator[Pair]:
    """The judge's findings whose quotes are both in the story."""
    csv.field_size_limit(sys.maxsize)
    with file.open(encoding="utf-8-sig", newline="") as lines:
        for row in csv.DictReader(lines):
            story = _plain(texts.get(row["id"], ""))
            for subtype, said in row.items():
                if subtype.startswith(AREAS) and said.startswith("[{"):
                    for one in json.loads(said):
                        pair = Pair(row["id"], subtype, *(str(one.get(key) or "") for key in ("exact_quote", "contradiction_pair")))  # fmt: skip
                        if _stands(pair.quote, story) and _stands(pair.against, story):
                            yield pair


def _stands(quote: str, story: str) -> bool:
    return bool(quote) and _plain(quote) in story


def _plain(text: str) -> str:
    straight = text.translate(str.maketrans("’‘“”", "''\"\""))
    return re.sub(r"\s+", " ", straight).strip()
