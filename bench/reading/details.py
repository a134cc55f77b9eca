"""details: of sentences with one detail each, how many the embedded reader turns into that detail, by respect.

`bench/data/details/own.toml` was written before a look at the reader's tables: it tells which respects are blind. A sentence is *right* when a state,
or a detail that checks may compare, has its owner, respect and value; *listed* counts also what stands in the style sheet alone.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from bench.frame import Figures, show
from narraworld.extract.embedded.reader import read_prose
from narraworld.kb.delta import slug
from narraworld.kb.normal import normal
from narraworld.kb.numbers import number_in
from narraworld.kb.propositions import parse_statement
from narraworld.kb.units import Unit

__all__ = ["OWN", "ReadDetail", "add_options", "counted", "details_of", "run"]

OWN = Path(__file__).parents[1] / "data" / "details" / "own.toml"
ENTITY = "urn:nw:"


@dataclass(frozen=True, slots=True)
class ReadDetail:
    """What the reader made: of whom, in which respect, in the author's words and in normal ones; whether checks may compare it."""

    owner: str
    respect: str
    words: tuple[str, ...]
    compared: bool


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sentences", type=Path, default=OWN, help="a file of [said] lists: owner, word, text"
    )
    parser.add_argument("--only", default="", metavar="NAMES", help="respects to run, by comma; else all")
    parser.add_argument(
        "--misses", action="store_true", help="print every sentence that gave no right detail"
    )


def run(options: argparse.Namespace) -> Figures:
    said = tomllib.loads(options.sentences.read_text(encoding="utf-8"))
    wanted = set(filter(None, options.only.split(",")))
    rows = []
    for respect, some in said["said"].items():
        if not wanted or respect in wanted:
            rows.append(
                (respect, *counted(respect, some, said["also"].get(respect, ()), misses=options.misses))
            )
    show("Sentences with one detail each, by respect", ("respect", "sentences", "right", "listed"), rows)
    total, right, listed = (sum(row[place] for row in rows) for place in (1, 2, 3))
    return {
        "sentences": total,
        "right": right,
        "listed": listed,
        "share": round(right / total, 3) if total else 0.0,
    }


def counted(
    respect: str, some: Iterable[tuple[str, str, str]], also: Iterable[str], *, misses: bool = False
) -> tuple[int, int, int]:
    """How many sentences there are of a respect, how many gave a detail to compare, and how many any."""
    total = right = listed = 0
    for owner, word, text in some:
        fitting = [one for one in details_of(text) if _fits(one, owner, word, {respect, *also})]
        total, listed = total + 1, listed + bool(fitting)
        if any(one.compared for one in fitting):
            right += 1
        elif misses:
            print(f"{respect:12} {'listed' if fitting else '-':7} {text}")
    return total, right, listed


def _fits(one: ReadDetail, owner: str, word: str, respects: set[str]) -> bool:
    meant = any(name == one.respect or (name[:1] == "-" and one.respect.endswith(name)) for name in respects)
    theirs = not owner or slug(owner).removesuffix("s") in slug(" ".join((one.owner, *one.words)))
    return meant and theirs and any(_says(words, said) for words in one.words for said in word.split("|"))


def _says(words: str, word: str) -> bool:
    number = number_in(word)
    return word.lower() in words.lower() or (number is not None and number_in(words) == number)


def details_of(text: str) -> Iterator[ReadDetail]:
    """Every state and detail that the embedded reader makes of a text."""
    records: dict[str, dict[str, str]] = {}
    for subject, name, value in read_prose(Unit("ch01", 1, text)).delta.graph:
        records.setdefault(str(subject), {})[str(name).rpartition("/")[2]] = unquote(
            str(value).rpartition("/")[2]
        )
    for fields in records.values():
        match fields.get("22-rdf-syntax-ns#type"):
            case "Detail":
                yield _detail(fields)
            case "State":
                yield _state(fields["proposition"])


def _detail(fields: dict[str, str]) -> ReadDetail:
    about = fields.get("about", "").removeprefix(ENTITY)
    thing = slug(fields["name"]) if "name" in fields else ""
    return ReadDetail(
        f"{about} {thing}".strip(),
        fields["respect"],
        _words(fields["respect"], fields["value"]),
        fields["basis"] != "listed" and fields["uncertainty"] != "high",
    )


def _state(proposition: str) -> ReadDetail:
    said = parse_statement(proposition.removeprefix(ENTITY))
    value = said.value if said.value is not None else said.object or ""
    return ReadDetail(said.subject, said.predicate, _words(said.predicate, value), True)


def _words(respect: str, value: str) -> tuple[str, ...]:
    return (value, *(pair.word for pair in normal(respect, value)))
