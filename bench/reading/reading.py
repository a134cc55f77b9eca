"""Reading three pages with gold: found, invented, misattributed, refused and minds, for each reader that needs no model.

The embedded reader, a scripted inventor, and the recordings given with --replay (bundled ones are always measured). The same scorer as
`narraworld models try`.
"""

from __future__ import annotations

import argparse
from importlib.resources import as_file, files
from pathlib import Path

from bench.frame import Figures
from narraworld.models.recordings import Replay
from narraworld.report_cards.inventor import Inventor
from narraworld.report_cards.report_card import ReportCard, card_lines, try_embedded, try_reader

__all__ = ["add_options", "run"]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--replay", type=Path, nargs="*", default=[], help="recordings of readers")


def run(options: argparse.Namespace) -> Figures:
    cards = [try_embedded(), try_reader(Inventor(), "scripted")]
    cards += [try_reader(Replay(file), "replayed") for file in [*bundled(), *options.replay]]
    for line in card_lines(cards):
        print(line)
    return {card.reader: figures(card) for card in cards}


def bundled() -> list[Path]:
    """The recordings that ship with the pages."""
    with as_file(files("narraworld") / "stories" / "pages") as folder:
        return sorted(Path(folder).glob("*.jsonl"))


def figures(card: ReportCard) -> Figures:
    score = card.score
    return {
        "found": {kind: [score.found[kind], score.wanted[kind]] for kind in score.wanted},
        "invented": score.invented, "foreign": [score.foreign, score.kept], "made_up": card.made_up,
        "misattributed": score.misattributed, "refused": card.refused,
        "minds": {"right": score.minds_right, "wrong": score.minds_wrong, "of": score.minds},
        "tokens_in_per_1000_words": card.per_thousand(card.tokens_in), "failed": card.failed,
    }  # fmt: skip
