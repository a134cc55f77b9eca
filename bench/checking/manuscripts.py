"""Planted errors: how many of a manuscript's contradictions `check` finds, how often it is wrong, and what the style sheet shows.

A manuscript is a folder with `broken/`, its clean twin `clean/` and a key, `planted.toml`. Found: one finding at default severity has a passage on each of
the two quotes (an `also` quote counts for its side). Right: an error counts as found by it. Every other finding, on either twin, is printed for a person to read (not with `--figures-only`: a blind set stays unseen).
`--data` is the folder above `manuscripts`, or a folder of manuscripts itself. `--recordings` scores what a model has read instead (`judged_manuscripts`).
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from bench.checking.checked import SHOWN
from bench.frame import Figures, MissingDataError, dataset, show
from narraworld.checking.check_world import check_world
from narraworld.extract.sources import Piece, read_sources
from narraworld.query.checks.findings import Finding
from narraworld.query.sheet.style_rows import SheetRow
from narraworld.reading.with_embedded import read_embedded
from narraworld.world import World

__all__ = [
    "Place", "Planted", "Told", "Twin", "add_options", "checked_twin", "located", "read_twin", "run", "share", "tell_findings",
    "tell_misses", "told_of",
]  # fmt: skip

DATA, KEY, TWINS = "manuscripts", "planted.toml", ("broken", "clean")
IGNORED = "*_"  # marks of emphasis, which the reader takes away


class Place(NamedTuple):
    """Characters of a chapter."""

    unit: str
    start: int
    end: int

    def touches(self, other: Place) -> bool:
        return self.unit == other.unit and self.start < other.end and other.start < self.end


@dataclass(frozen=True)
class Planted:
    """An error or a trap: where each of its two sides stands, in one twin."""

    id: str
    kind: str
    level: str  # direct, inferred, trap
    sides: tuple[tuple[Place, ...], tuple[Place, ...]]
    quotes: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    def is_met_by(self, passages: Iterable[Place]) -> bool:
        """Whether one of the passages is on each side."""
        some = list(passages)
        return all(any(one.touches(place) for one in some for place in side) for side in self.sides)


class Told(NamedTuple):
    """A finding, and for each of those of its cause the places it quotes."""

    finding: Finding
    each: list[list[Place]]


@dataclass
class Twin:
    """A manuscript after its check."""

    name: str
    twin: str
    words: int
    found: list[Told]
    notes: list[Told]
    rows: tuple[SheetRow, ...]  # of the style sheet
    planted: list[Planted] = field(default_factory=list)

    @cached_property
    def lists(self) -> dict[str, list[Place]]:
        """The lists of the style sheet, each with the places it shows."""
        lists: dict[str, list[Place]] = {}
        for row in self.rows:
            lists.setdefault(row.list, []).append(Place(row.unit, row.start, row.end))
        return lists

    @property
    def details(self) -> int:
        return len(self.rows)

    def met(self, level: str, some: Iterable[Told]) -> set[str]:
        """The planted of a level that one of the findings tells of."""
        passages = [places for told in some for places in told.each]
        return {one.id for one in self.planted if one.level == level and any(map(one.is_met_by, passages))}

    def listed(self, level: str) -> set[str]:
        """The planted of a level whose two sides stand in one list of the sheet."""
        return {
            one.id
            for one in self.planted
            if one.level == level and any(map(one.is_met_by, self.lists.values()))
        }

    def is_right(self, told: Told) -> bool:
        """Whether an error counts as found by it."""
        errors = [one for one in self.planted if one.level != "trap"]
        return self.twin == "broken" and any(one.is_met_by(places) for one in errors for places in told.each)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", default="", metavar="WORDS", help="manuscripts with one of these: 01,dip")
    parser.add_argument(
        "--recordings", type=Path, metavar="DIR",
        help="score a model's reading: DIR/NAME.jsonl, its judge DIR/NAME.judge.jsonl or DIR/NAME.verdicts.json, a clean twin DIR/NAME.clean.jsonl",
    )  # fmt: skip
    parser.add_argument(
        "--losses",
        action="store_true",
        help="say of every error where it is lost, and what was read of its two sides",
    )
    parser.add_argument("--misses", action="store_true", help="name every error that was not found")
    parser.add_argument(
        "--figures-only",
        action="store_true",
        help="print no finding and no error: for a set that nobody opens",
    )


def run(options: argparse.Namespace) -> Figures:
    chosen = [
        path for path in _folders(options.data) if any(one in path.name for one in options.only.split(","))
    ]
    if options.recordings is not None:
        from bench.checking.judged_manuscripts import model_figures

        return model_figures(chosen, options.recordings, misses=options.misses)
    jobs = [(path, twin) for path in chosen for twin in TWINS]
    with ProcessPoolExecutor(max_workers=2) as pool:
        twins = list(pool.map(read_twin, *zip(*jobs, strict=True)))
    if not options.figures_only:
        _tell(twins, options)
    return _figures(twins)


def _tell(twins: Sequence[Twin], options: argparse.Namespace) -> None:
    """Whatever quotes the manuscripts."""
    tell_findings(twins)
    if options.misses:
        tell_misses(twins)
    if options.losses:
        from bench.checking.losses import tell_losses

        tell_losses(twins)


def _folders(data: Path | None) -> list[Path]:
    """The manuscripts of a data folder, or of a folder that holds nothing else."""
    folder = data if data is not None and list(data.glob(f"*/{KEY}")) else dataset(DATA, data)
    found = sorted(path.parent for path in folder.glob(f"*/{KEY}"))
    if not found:
        raise MissingDataError(f"no manuscript with a {KEY} in {folder}")
    return found


def read_twin(folder: Path, twin: str) -> Twin:
    """Read and check one twin, in a world of its own."""
    with TemporaryDirectory() as where, World.open(where, create=True) as world:
        pieces = read_sources([str(folder / twin)])
        for _ in read_embedded(world.story, pieces):
            pass
        return checked_twin(world, folder, twin, pieces)


def checked_twin(world: World, folder: Path, twin: str, pieces: Sequence[Piece]) -> Twin:
    """A twin that was read, after its check."""
    checked = check_world(world.story)
    told = [told_of(one) for one in checked.findings]
    shown = [one for one in told if one.finding.rule.severity in SHOWN]
    notes = [one for one in told if one.finding.rule.severity not in SHOWN]
    read = Twin(folder.name, twin, checked.words, shown, notes, world.sheet().rows)
    texts = {Path(piece.places.at(0).file).stem: piece.unit for piece in pieces}
    read.planted = list(_planted(folder, {name: (unit.id, unit.text) for name, unit in texts.items()}))
    return read


def told_of(one: Finding) -> Told:
    """A finding with the places that it and those of its cause quote."""
    return Told(
        one, [[Place(said.unit, said.start, said.end) for said in each.passages] for each in one.each()]
    )


def _planted(folder: Path, texts: Mapping[str, tuple[str, str]]) -> Iterator[Planted]:
    key = tomllib.loads((folder / KEY).read_text(encoding="utf-8"))
    for one in key.get("error", ()):
        yield Planted(one["id"], one["kind"], one["level"], _sides(one, texts), _quotes(one))
    for one in key.get("trap", ()):
        yield Planted(one["id"], one["kind"], "trap", _sides(one, texts), _quotes(one))


def _sides(
    one: Mapping[str, Any], texts: Mapping[str, tuple[str, str]]
) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    def side(name: str) -> tuple[Place, ...]:
        also = (other for other in one.get("also", ()) if other["side"] == name)
        found = (
            located(said["quote"], *texts[said["chapter"]])
            for said in (one[name], *also)
            if said["chapter"] in texts
        )
        return tuple(place for place in found if place is not None)

    return side("a"), side("b")


def _quotes(one: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of each side, its `also` behind it."""
    more = [(other["side"], other["quote"]) for other in one.get("also", ())]
    said = [("a", one["a"]["quote"]), ("b", one["b"]["quote"]), *more]
    first, second = (tuple(quote for side, quote in said if side == name) for name in "ab")
    return first, second


def located(quote: str, unit: str, text: str) -> Place | None:
    """Where a quote stands in a chapter, whatever its spaces and marks of emphasis; None in the twin that does not have it."""
    kept = [n for n, sign in enumerate(text) if not sign.isspace() and sign not in IGNORED]
    bare = "".join(text[n] for n in kept)
    wanted = "".join(sign for sign in quote if not sign.isspace() and sign not in IGNORED)
    at = bare.find(wanted)
    return Place(unit, kept[at], kept[at + len(wanted) - 1] + 1) if at >= 0 else None


# -- figures


def _figures(twins: Sequence[Twin]) -> Figures:
    broken = [one for one in twins if one.twin == "broken"]
    clean = [one for one in twins if one.twin == "clean"]
    many = {
        level: sum(one.level == level for twin in broken for one in twin.planted)
        for level in ("direct", "inferred")
    }
    found = {level: sum(len(twin.met(level, twin.found)) for twin in broken) for level in many}
    noted = sum(len(twin.met(level, [*twin.found, *twin.notes])) for twin in broken for level in many)
    listed = {level: sum(len(twin.listed(level)) for twin in broken) for level in many}
    right = sum(twin.is_right(one) for twin in broken for one in twin.found)
    told = sum(len(twin.found) for twin in twins)
    traps = {one for twin in twins for one in twin.met("trap", twin.found)}
    _show(twins)
    return {
        "direct": share(found["direct"], many["direct"]),
        "all": share(sum(found.values()), sum(many.values())),
        "precision": share(right, told),
        "traps": len(traps),
        "sheet": share(sum(listed.values()), sum(many.values())),
        "sheet_direct": share(listed["direct"], many["direct"]),
        "clean_findings": sum(len(twin.found) for twin in clean),
        "errors": sum(many.values()),
        "findings": told,
        "with_notes": share(noted, sum(many.values())),
        "notes": sum(len(twin.notes) for twin in twins),
        "details_per_1000": round(
            1000 * sum(one.details for one in twins) / max(1, sum(one.words for one in twins)), 1
        ),
    }


def share(some: int, of: int) -> float | None:
    return round(some / of, 3) if of else None


def _show(twins: Sequence[Twin]) -> None:
    rows = [
        (
            one.name, one.twin, len(one.met("direct", one.found)), len(one.met("inferred", one.found)), len(one.found),
            len(one.met("trap", one.found)), len(one.notes), len(one.listed("direct")), len(one.listed("inferred")), one.details,
        )
        for one in twins
    ]  # fmt: skip
    columns = (
        "manuscript", "twin", "direct", "inferred", "findings", "traps", "notes", "sheet direct", "sheet inferred", "details",
    )  # fmt: skip
    show("Planted errors, embedded reader", columns, rows)


def tell_findings(twins: Iterable[Twin]) -> None:
    """Every finding at default severity, whether it is right, and its words."""
    for twin in twins:
        for told in twin.found:
            one, right = told.finding, "right" if twin.is_right(told) else "WRONG"
            print(f"{twin.name}/{twin.twin}  {right}  {one.rule.id}  {one.message}")
            for passage in one.passages:
                print(f"      {passage.unit}:{passage.start}  {' '.join(passage.quote.split())[:140]}")


def tell_misses(twins: Iterable[Twin]) -> None:
    """What was planted and not found, and how near it came."""
    for twin in (one for one in twins if one.twin == "broken"):
        for one in twin.planted:
            if one.level == "trap" or one.id in twin.met(one.level, twin.found):
                continue
            noted = one.id in twin.met(one.level, twin.notes)
            listed = one.id in twin.listed(one.level)
            sides = ["-" if not _any(twin.lists, side) else "+" for side in one.sides]
            print(
                f"missed  {one.id}  {one.kind}  {one.level}  sides {''.join(sides)}{'  noted' if noted else ''}{'  in one list' if listed else ''}"
            )


def _any(lists: Mapping[str, Sequence[Place]], side: Sequence[Place]) -> bool:
    return any(row.touches(place) for some in lists.values() for row in some for place in side)
