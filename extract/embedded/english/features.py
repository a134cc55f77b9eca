"""What a word looks like to the linear marks: templates over the parse, computed for a whole text at once.

A template is a row of `TEMPLATES`: terms separated by blanks, each a walk through the parse that ends in an attribute.
`head.lemma dep` is the lemma of the head together with how the word hangs on it. A walk that leads nowhere ends at an
empty word, and that too is a feature. Never touches weights.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from spacy.tokens import Doc

__all__ = ["TEMPLATES", "Clusters", "features", "mark_words"]

Ints: TypeAlias = "NDArray[np.uint64]"
TokenPlaces: TypeAlias = "NDArray[np.int64]"

_WRITTEN: Final = """
    lemma | lower | tag | dep | pos | suffix | shape | cluster
    tag dep | lemma tag | lemma dep | cluster tag | cluster dep
    quoted | quoted tag | quoted lemma | climate | climate tag | quoted climate tag
    head.lemma | head.tag dep | head.cluster dep | head.lemma dep | head.head.tag head.dep dep | head.quoted quoted
    aux.lower | aux.lower tag | last_aux.lower tag | cop.lower tag | mark.lower | mark.lower tag | case.lower dep
    det.lower | det.lower pos | det.lower lemma | poss.lower | poss.lemma cluster | amod.lemma | amod.cluster
    negation.lower | negation.lower tag | adverb.lower | adverb.lower tag
    subject.pos tag | subject.lower | subject.cluster | subject.tag tag | passive.tag tag
    object.pos tag | object.cluster | object.lower tag | oblique.case.lower | oblique.case.lower lemma | clause.tag
    head.aux.lower dep | head.mark.lower dep | head.negation.lower dep | head.subject.pos dep
    head.head.aux.lower head.dep | head.head.mark.lower head.dep
    compound.lemma | flat.lower | flat.cluster | appositive.cluster | name.lower | of.lemma | of.cluster cluster
    prev.lower | prev.tag | prev.cluster | next.lower | next.tag | next.cluster | prev.lower lower | lower next.lower
    prev.prev.lower | prev.prev.tag prev.tag | next.next.lower | next.tag next.next.tag | prev.tag tag next.tag
    prev.prev.prev.lower
"""
TEMPLATES: Final = tuple(
    template.strip() for line in _WRITTEN.strip().splitlines() for template in line.split("|")
)

# A step from a word to one that hangs on it, by the name of the dependency; the first such word, or the last.
FIRST: Final = {
    "aux": ("aux", "aux:pass"), "cop": ("cop",), "mark": ("mark",), "case": ("case",), "det": ("det",),
    "poss": ("nmod:poss",), "amod": ("amod",), "adverb": ("advmod",), "subject": ("nsubj", "nsubj:pass"),
    "passive": ("nsubj:pass",), "object": ("obj",), "oblique": ("obl",), "clause": ("xcomp", "ccomp", "advcl"),
    "compound": ("compound",), "flat": ("flat",), "appositive": ("appos",), "of": ("nmod",),
}  # fmt: skip
LAST: Final = {"last_aux": ("aux", "aux:pass"), "name": ("flat",)}
PAST: Final = ("VBD",)
PRESENT: Final = ("VBZ", "VBP", "MD")
CLIMATE_WORDS: Final = 40  # on either side: is this told in the past?
PRIME: Final = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class Clusters:
    """Words that are used alike share a cluster: sorted keys (spelling in small letters) and the cluster of each."""

    keys: Ints
    numbers: NDArray[np.uint16]

    def __call__(self, words: Ints) -> Ints:
        nearest = np.minimum(np.searchsorted(self.keys, words), len(self.keys) - 1)
        return np.where(self.keys[nearest] == words, self.numbers[nearest], 0).astype(np.uint64)


@cache
def mark_words(name: str) -> tuple[str, ...]:
    """A list of `tables/marks.toml`."""
    table = Path(__file__).with_name("tables") / "marks.toml"
    return tuple(tomllib.loads(table.read_text(encoding="utf-8"))[name])


def features(doc: Doc, clusters: Clusters) -> Ints:
    """One row for each word, one column for each template; a feature is a number of 64 bits."""
    attributes, steps = _attributes(doc, clusters), _steps(doc)
    here = np.arange(len(doc))
    columns = []
    for nth, template in enumerate(TEMPLATES):
        value = np.full(len(doc), nth + 1, dtype=np.uint64)
        for term in template.split():
            *walk, attribute = term.split(".")
            place = reduce(lambda at, step: steps[step][at], walk, here)
            value = _mix(value, attributes[attribute][place])
        columns.append(value)
    return np.stack(columns, axis=1)


def _mix(value: Ints, more: Ints) -> Ints:
    mixed = (value ^ more) * PRIME
    return mixed ^ (mixed >> np.uint64(29))


def _attributes(doc: Doc, clusters: Clusters) -> dict[str, Ints]:
    """Each attribute of each word, and of the empty word after the last."""
    names = ("LOWER", "LEMMA", "TAG", "DEP", "POS", "SUFFIX", "SHAPE")
    found = {name.lower(): column for name, column in zip(names, _array(doc, names).T, strict=True)}
    found["cluster"] = clusters(found["lower"])
    found["quoted"] = _quoted(doc)
    found["climate"] = _climate(doc, found["tag"])
    return {name: np.append(column, np.uint64(0)) for name, column in found.items()}


def _array(doc: Doc, names: tuple[str, ...]) -> Ints:
    return np.asarray(doc.to_array(list(names)), dtype=np.uint64).reshape(len(doc), len(names))


def _steps(doc: Doc) -> dict[str, TokenPlaces]:
    """Each step as a table: from the place of a word to the place it leads to; nowhere is the place after the last."""
    nowhere = len(doc)
    here = np.arange(nowhere)
    head = here + np.asarray(doc.to_array(["HEAD"]), dtype=np.uint64).reshape(-1).astype(np.int64)
    is_root = head == here
    dep = _array(doc, ("DEP",))[:, 0]
    steps = {
        "head": np.where(is_root, nowhere, head),
        "prev": np.where(here > 0, here - 1, nowhere),
        "next": here + 1,
    }
    for table, order in ((FIRST, -1), (LAST, 1)):
        for step, names in table.items():
            steps[step] = _child(head, np.isin(dep, _ids(doc, names)) & ~is_root, order)
    negations = np.isin(_array(doc, ("LOWER",))[:, 0], _ids(doc, mark_words("negations")))
    steps["negation"] = _child(head, negations & ~is_root, 1)
    return {step: np.append(places, nowhere) for step, places in steps.items()}


def _child(head: TokenPlaces, chosen: NDArray[np.bool_], order: int) -> TokenPlaces:
    """Of the chosen words that hang on a word the last in this order: what is written last stays."""
    places = np.full(len(head), len(head))
    children = np.flatnonzero(chosen)[::order]
    places[head[children]] = children
    return places


def _ids(doc: Doc, names: tuple[str, ...]) -> Ints:
    return np.array([doc.vocab.strings.add(name) for name in names], dtype=np.uint64)


def _quoted(doc: Doc) -> Ints:
    """1 inside quotation marks. A straight mark opens when a word follows it at once; a new paragraph ends speech."""
    quoted = np.zeros(len(doc), dtype=np.uint64)
    opened: int | None = None
    for token in doc:
        if opened is None and (token.text == "“" or (token.text == '"' and not token.whitespace_)):
            opened = token.i
        elif opened is not None and (token.text in {"”", '"'} or (token.is_space and "\n\n" in token.text)):
            quoted[opened : token.i + 1] = 1
            opened = None
    return quoted


def _climate(doc: Doc, tags: Ints) -> Ints:
    """The share of past among the finite verbs around a word, in four steps; 0 where there is none."""
    past, present = (_around(np.isin(tags, _ids(doc, names))) for names in (PAST, PRESENT))
    finite = past + present
    return np.where(finite == 0, 0, 1 + 4 * past // np.maximum(finite + 1, 1)).astype(np.uint64)


def _around(marks: NDArray[Any]) -> TokenPlaces:
    total = np.concatenate([[0], np.cumsum(marks)])
    here = np.arange(len(marks))
    after = np.minimum(here + CLIMATE_WORDS, len(marks))
    before = np.maximum(here - CLIMATE_WORDS, 0)
    return np.asarray(total[after] - total[before], dtype=np.int64)
