"""Nouns for what people do for a living, and where they do it, from WordNet 3.0: what lies below a few words that head them.

    pip install --group training
    python -m training.trades [FOLDER]

writes extract/embedded/english/tables/trades.txt. A word is in a line if `LEAST` of its uses as they were counted are below one of the
heads. Reads WordNet as `training.noun_kinds` does. No network.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from training.noun_kinds import Anchor, WordNet, wordnet_folder

__all__ = ["HEADS", "TABLE", "below", "main"]

TABLE = Path(__file__).parent.parent / "extract/embedded/english/tables/trades.txt"
LEAST = 0.3  # of the uses of a word
FIRST, FURTHER = 1.0, 0.3  # what a sense weighs beside its counts
PERSON, BUILT = "noun.person", "noun.artifact"
HEADS: dict[str, tuple[Anchor, ...]] = {
    "trade": tuple(
        (word, PERSON)
        for word in (
            "worker", "professional", "employee", "craftsman", "serviceman", "clergyman", "entertainer", "artist", "musician",
            "merchant", "official", "scientist", "writer", "educator", "farmer", "sailor", "servant", "shopkeeper", "driver",
            "keeper", "specialist", "performer", "businessperson", "athlete", "lawman", "maker", "monk", "nun", "hunter",
            "fisherman", "policeman", "administrator", "adviser", "guard", "lawyer",
        )
    ),
    "workplace": tuple(
        (word, BUILT)
        for word in ("place_of_business", "workplace", "mercantile_establishment", "shop", "hotel", "restaurant", "farm", "mill", "tavern")
    ),
}  # fmt: skip
HEAD = """# From WordNet 3.0 (Princeton University; notice in ATTRIBUTION.md) by training/trades.py: nouns for trades, and for where they are carried on.
# Words that are no trades by themselves stand behind a minus, by hand."""
NOT = "man boy woman girl lady gentleman rebel nerd pothead head hand chief slave fan mistress bombshell preserver propagator generalist star help partner fellow relief second match lead master guest"


def below(net: WordNet, heads: Iterable[Anchor]) -> list[str]:
    """The single words most of whose uses lie below one of the heads."""
    anchors = net.anchored(heads)
    found = []
    for word, senses in net.words.items():
        if not word.replace("-", "").isalpha():
            continue
        weights = [
            net.counts[word, number] + (FIRST if number == 1 else FURTHER)
            for number in range(1, len(senses) + 1)
        ]
        meant = sum(
            weight for weight, sense in zip(weights, senses, strict=True)
            if not net.senses[sense].single and net.over(sense) & anchors
        )  # fmt: skip
        if meant >= LEAST * (sum(weights) + net.as_quality[word]):
            found.append(word)
    return sorted(found)


def main(folder: Path | None = None) -> None:
    net = WordNet.read(folder or wordnet_folder())
    lines = [HEAD, *(f"{name}\t{' '.join(below(net, heads))}" for name, heads in HEADS.items()), f"-\t{NOT}"]
    TABLE.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
