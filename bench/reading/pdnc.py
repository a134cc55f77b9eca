"""PDNC: who says each quotation of six novels, from raw text, with the cast list of the reader itself.

Each novel is read chapter by chapter by the embedded reader, as `narraworld read` does it; the answers are the speakers of its
Speech records. An entity of ours counts as the one gold character with whom it shares most names (the longer names on a
tie), so an entity made of two people can be right about one of them only. A gold quotation is right when most of its
characters lie in speech of that character. Nothing of the gold cast is shown to the reader.
"""

from __future__ import annotations

import argparse
import ast
import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from bench.frame import Figures, dataset, show
from narraworld.extract.embedded.lexicon.person_names import form_of
from narraworld.extract.embedded.reader import CLASSES, read_prose
from narraworld.extract.sources import read_sources
from narraworld.extract.sources.places import Place
from narraworld.kb.roster import Roster
from narraworld.ontology.validate import sift
from narraworld.ontology.vocabulary import NW, compact

if TYPE_CHECKING:
    from rdflib import Graph

__all__ = ["DATA", "PUBLISHED", "Quote", "add_options", "bearer_of", "run", "speaker_of"]

DATA = "pdnc"
TYPES = ("explicit", "anaphoric", "implicit")
PUBLISHED = {"BookNLP end to end": (39.8, 63.6), "nearest name, gold cast": (45.6, 77.3)}  # overall, explicit

Aliases: TypeAlias = Mapping[str, frozenset[str]]  # form of a name → gold characters that bear it
Said: TypeAlias = tuple[int, int, str]  # characters of the novel, and the entity that speaks them


@dataclass(frozen=True, slots=True)
class Quote:
    """A gold quotation."""

    spans: tuple[tuple[int, int], ...]
    speaker: str
    type: str


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--novel", help="only the novel of this name")
    parser.add_argument("--wrong", action="store_true", help="print the quotations answered wrongly")


def run(options: argparse.Namespace) -> Figures:
    novels = [
        one for one in sorted(dataset(DATA, options.data).iterdir()) if (one / "novel_text.txt").is_file()
    ]
    chosen = [one for one in novels if options.novel in (None, one.name)]
    right, total, rows = Counter[str](), Counter[str](), []
    for novel in chosen:
        good, every = _measured(novel, options.wrong)
        rows.append(_row(novel.name, good, every))
        right, total = right + good, total + every
    show(
        "PDNC, raw text, our own cast",
        ["novel", "quotations", "all", *TYPES],
        [*rows, _row("all", right, total)],
    )
    return {
        "overall": right["all"] / total["all"], "quotations": total["all"], "novels": len(chosen), "published": PUBLISHED,
    } | {type: right[type] / total[type] for type in TYPES if total[type]}  # fmt: skip


def _row(name: str, right: Counter[str], total: Counter[str]) -> Iterable[object]:
    shares = [f"{100 * right[type] / total[type]:.1f}" if total[type] else "–" for type in ("all", *TYPES)]
    return [name, total["all"], *shares]


def _measured(novel: Path, wrong: bool) -> tuple[Counter[str], Counter[str]]:
    text = (novel / "novel_text.txt").read_text(encoding="utf-8")
    said, names = read_novel(novel / "novel_text.txt")
    aliases = _aliases(novel / "character_info.csv")
    bearers = {id: bearer_of(some, aliases) for id, some in names.items()}
    right, total = Counter[str](), Counter[str]()
    for quote in _quotes(novel / "quotation_info.csv"):
        answer = speaker_of(quote, said)
        good = answer is not None and bearers.get(answer) in aliases.get(form_of(quote.speaker).key, ())
        for type in ("all", quote.type):
            total[type] += 1
            right[type] += good
        if wrong and not good:
            start = quote.spans[0][0]
            print(
                quote.type,
                quote.speaker,
                "|",
                answer,
                "|",
                text[start : start + 70].replace("\n", " "),
                sep="  ",
            )
    return right, total


def read_novel(path: Path) -> tuple[list[Said], dict[str, set[str]]]:
    """Who says what in a file, by place in it, and what everybody is called; only records that the shapes accept."""
    roster, said, names = Roster(), list[Said](), dict[str, set[str]]()
    lines = [0, *(found.end() for found in re.finditer("\n", path.read_text(encoding="utf-8")))]
    for piece in read_sources([path]):
        reading = read_prose(piece.unit, roster)
        accepted, _ = sift(reading.delta.graph, {one.id: CLASSES[one.kind] for one in roster.known})
        roster = roster.plus(reading.cast)
        for one in reading.cast:
            names.setdefault(one.id, set()).update(one.names)
        for start, end, speaker in _spoken(accepted):
            first, last = (piece.places.at(offset) for offset in (start, end))
            said.append((_offset(lines, first), _offset(lines, last), speaker))
    return said, names


def _offset(lines: list[int], place: Place) -> int:
    assert place.line is not None and place.column is not None
    return lines[place.line - 1] + place.column - 1


def _spoken(graph: Graph) -> Iterator[Said]:
    """The places quoted by each speech, with its speaker."""
    from rdflib import URIRef

    evidence, start, end = (URIRef(NW + name) for name in ("evidence", "start", "end"))
    for speech, speaker in graph.subject_objects(URIRef(NW + "speaker")):
        for span in graph.objects(speech, evidence):
            yield int(str(graph.value(span, start))), int(str(graph.value(span, end))), compact(str(speaker))


def bearer_of(names: Iterable[str], aliases: Aliases) -> str | None:
    """The gold character an entity of ours stands for."""
    votes = Counter[str]()
    for name in names:
        for character in aliases.get(form_of(name).key, ()):
            votes[character] += 1000 + len(name)
    return min(votes, key=lambda one: (-votes[one], one)) if votes else None


def speaker_of(quote: Quote, said: Iterable[Said]) -> str | None:
    """The entity that speaks most of a quotation."""
    shares = Counter[str]()
    for start, end, speaker in said:
        for first, last in quote.spans:
            if min(end, last) > max(start, first):
                shares[speaker] += min(end, last) - max(start, first)
    return shares.most_common(1)[0][0] if shares else None


def _aliases(path: Path) -> Aliases:
    found: dict[str, set[str]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        for name in (row["Main Name"], *ast.literal_eval(row["Aliases"])):
            found.setdefault(form_of(name).key, set()).add(row["Main Name"])
    for row in rows:  # a main name is nobody else's
        found[form_of(row["Main Name"]).key] = {row["Main Name"]}
    return {name: frozenset(some) for name, some in found.items()}


def _quotes(path: Path) -> Iterator[Quote]:
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            spans = tuple((int(start), int(end)) for start, end in ast.literal_eval(row["quoteByteSpans"]))
            yield Quote(spans, row["speaker"], row["quoteType"].lower())
