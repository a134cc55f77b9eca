"""Word vectors of our own: what stands next to a word in public-domain novels, and its Brown cluster.

    python -m training.vectors DATA OUT

Words that occur often enough have a row of their own: the strongest directions of positive pointwise mutual information
with the words one and two places to either side (a sparse count and one SVD; the same numbers every time). The Brown
cluster of a word (spacy-lookups-data, MIT) is coded beside it. A rarer word shares the row of its cluster, which is
the mean of those that belong to it; so a few megabytes cover 190,000 spellings.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from training.litbank import books

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Shape", "brown_clusters", "main", "novels", "passages"]

RESERVED = (
    "war_and_peace",
    "dracula",
    "david_copperfield",
)  # read for the first time when the reader is counted
TWICE = frozenset({"PrideAndPrejudice", "AlicesAdventuresInWonderland"})  # of PDNC, and among the novels
Floats: TypeAlias = "NDArray[np.float32]"


@dataclass(frozen=True)
class Shape:
    own_row_from: int = 8  # occurrences
    contexts: int = 4000  # the most frequent words are what others are known by
    places: tuple[int, ...] = (-2, -1, 1, 2)
    directions: int = 64
    code: int = 32  # numbers that tell one cluster from another
    flatten: float = 0.5  # power of the singular values; below 1 the commonest contrasts count less
    seed: int = 0


def novels(data: Path) -> list[Path]:
    """Public-domain novels as plain text, each once; none that the reader is counted on blind."""
    found = [
        *(data / "novels").glob("*.txt"),
        *(data / "kdsh").glob("*.txt"),
        *(data / "pdnc").glob("*/novel_text.txt"),
    ]
    return [one for one in sorted(found) if not one.stem.endswith(RESERVED) and one.parent.name not in TWICE]


def passages(data: Path) -> Iterator[str]:
    """Paragraphs of plain text; no labels are looked at."""
    for novel in novels(data):
        for paragraph in re.split(r"\n\s*\n", novel.read_text(encoding="utf-8")):
            yield " ".join(paragraph.split()).replace("_", "")
    for book in books(data / "litbank"):
        yield book.text
    for line in (data / "ud_ewt" / "train.conllu").read_text(encoding="utf-8").splitlines():
        if line.startswith("# text = "):
            yield line.removeprefix("# text = ")


def brown_clusters() -> dict[str, int]:
    import spacy_lookups_data

    path = Path(spacy_lookups_data.__file__).parent / "data" / "en_lexeme_cluster.json.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return {word: cluster for word, cluster in json.load(file).items() if cluster}


def neighbours(lines: Sequence[Sequence[str]], rows: Mapping[str, int], shape: Shape) -> Any:
    """How often each word stands at each place beside each of the most frequent words; `rows` is by frequency."""
    from scipy.sparse import coo_matrix, csr_matrix

    text = np.concatenate([[*(rows.get(word, -1) for word in line), -1, -1] for line in lines]).astype(
        np.int64
    )
    total = csr_matrix((len(rows), len(shape.places) * shape.contexts), dtype=np.float32)
    for nth, place in enumerate(shape.places):
        here, there = (text[-place:], text[:place]) if place < 0 else (text[:-place], text[place:])
        seen = (here >= 0) & (there >= 0) & (there < shape.contexts)
        columns = there[seen] + nth * shape.contexts
        ones = np.ones(int(seen.sum()), dtype=np.float32)
        total = total + coo_matrix((ones, (here[seen], columns)), shape=total.shape).tocsr()
    return total


def directions(counts: Any, shape: Shape) -> Floats:
    """Positive pointwise mutual information, reduced; each row of length one."""
    from scipy.sparse.linalg import svds

    counts = counts.tocoo()
    by_row, by_column = (np.asarray(counts.sum(axis)).ravel() for axis in (1, 0))
    expected = by_row[counts.row] * by_column[counts.col] / counts.data.sum()
    counts.data = np.maximum(np.log(counts.data / expected), 0)
    start = np.random.default_rng(shape.seed).normal(size=min(counts.shape))
    left, strength, _ = svds(counts.tocsr().astype(np.float64), k=shape.directions, v0=start)
    return _unit(left * strength**shape.flatten)


def _unit(rows: NDArray[Any]) -> Floats:
    return np.asarray(rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-8), dtype=np.float32)


def table(words: Mapping[str, int], known: Floats, clusters: Mapping[str, int], shape: Shape) -> Any:
    """spaCy's table: the rows of frequent words, then one row for each cluster, and which spelling uses which."""
    from spacy.strings import get_string_id
    from spacy.vectors import Vectors

    names = sorted(set(clusters.values()))
    place = {cluster: nth for nth, cluster in enumerate(names)}
    codes = _unit(np.random.default_rng(shape.seed).normal(size=(len(names) + 1, shape.code)))
    codes[-1] = 0  # in no cluster
    member = np.array([place.get(clusters.get(word, 0), -1) for word in words])
    mean = np.stack(
        [known[member == nth].mean(0) if (member == nth).any() else 0 * known[0] for nth in range(len(names))]
    )
    rows = np.vstack([np.hstack([known, codes[member]]), np.hstack([mean, codes[:-1]])]).astype(np.float32)
    keys = {word: len(words) + place[cluster] for word, cluster in clusters.items()}
    for word, row in words.items():
        keys |= dict.fromkeys((word, word.capitalize(), word.upper()), row)
    made = Vectors(shape=rows.shape, data=rows, name="narraworld")
    for word, row in keys.items():
        made.add(get_string_id(word), row=row)
    return made


def learned(data: Path, shape: Shape) -> tuple[dict[str, int], Floats]:
    """The frequent words, most frequent first, and the row of each."""
    import spacy

    tokenizer: Any = spacy.blank("en").tokenizer
    lines = [[token.norm_ for token in doc if not token.is_space] for doc in tokenizer.pipe(passages(data))]
    counted = Counter(word for line in lines for word in line)
    frequent = [word for word, count in counted.most_common() if count >= shape.own_row_from]
    words = {word: nth for nth, word in enumerate(frequent)}
    return words, directions(neighbours(lines, words, shape), shape)


def main(data: Path, out: Path) -> None:
    import spacy

    nlp, shape = spacy.blank("en"), Shape()
    words, known = learned(data, shape)
    nlp.vocab.vectors = table(words, known, brown_clusters(), shape)
    nlp.to_disk(out)
    print(f"{len(words)} words of their own, {nlp.vocab.vectors.n_keys} spellings, {nlp.vocab.vectors.shape}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
