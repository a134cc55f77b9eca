"""What speaks for and against a record of the embedded reader: a logistic choice over its signs, learned from judges' verdicts.

    python -m training.doubts $NARRAWORLD_DATA          # prints the folds, writes extract/embedded/english/tables/doubts.json
    python -m training.doubts $NARRAWORLD_DATA --folds  # prints alone

`training/prose/verdicts.jsonl` says of records of the fragments whether a careful reader would sign them. What the reader makes of the plainest
prose (stories of the games, sentences of its own tests) counts as right. Every class of record has weights of its own over those of all.
"""

from __future__ import annotations

import argparse
import ast
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from narraworld.extract.embedded.at_hand import Reading
from narraworld.extract.embedded.discourse import DiscourseState
from narraworld.extract.embedded.doubt.signs import signs_of
from narraworld.extract.embedded.doubt.surroundings import Surroundings
from narraworld.extract.embedded.doubt.weighing import group_of
from narraworld.extract.embedded.english import LANGUAGE
from narraworld.extract.embedded.reader import read_through
from narraworld.kb.roster import Roster
from narraworld.kb.units import Unit
from narraworld.ontology.validate import sift
from training.verdicts import fragments, line, nodes_of

__all__ = ["main"]

HERE = Path(__file__).resolve().parent
PENALTY = 80.0
PROSE = "prose="
FREE = 1.0  # the same for what kind of prose it is: so plain prose teaches nothing else
LEAST = 4  # records that must have a sign
FOLDS = 8
KEPT = 11  # the first of the sheets kept aside
OF_A_TASK, OF_A_GAME, EVERY = 4, 40, 20  # stories; of the games every so many, since neighbours are one story
PLAIN = 0.03  # what a record of plain prose counts for


@dataclass(frozen=True)
class Example:
    """A record with its signs, and whether it is right."""

    kind: str
    signs: frozenset[str]
    right: bool
    fragment: str
    counts: float = 1.0
    by: str = ""


def records_of(id: str, text: str) -> Iterator[tuple[str, str, str, frozenset[str]]]:
    """Every record of a text in words, with its class, its writer and its signs."""
    reading = Reading(Unit(id, 1, text), Roster(), DiscourseState().for_next_unit({}), "", doubting=False)
    read_through(reading)
    nodes, around = (
        nodes_of(sift(reading.unit.delta.graph, {})[0]),
        Surroundings.of(reading.document, reading.unit),
    )
    for one in reading.unit.held.ledger.entries:
        if one.record in nodes:
            yield line(nodes, one.record), one.kind, one.by, frozenset(signs_of(one, around))


def judged(paths: Sequence[Path], verdicts: Path, *, kept: bool = False) -> Iterator[Example]:
    """The records that were judged, as the reader makes them now: those to learn from, or those ``kept`` aside."""
    said: dict[str, dict[str, bool]] = defaultdict(dict)
    for row in map(json.loads, verdicts.read_text(encoding="utf-8").splitlines()):
        if (row["sheet"] >= KEPT) is not kept:
            continue
        said[row["fragment"]][row["record"]] = row["right"]
    for id, text in fragments(paths):
        for words, kind, by, signs in records_of(id, text) if id in said else ():
            if words in said[id]:
                yield Example(kind, signs, said[id][words], id, by=by)


def plain(data: Path) -> Iterator[Example]:
    """Records of prose that can hardly be misread."""
    for number, text in enumerate([*_stories(data), *_tested()]):
        for _, kind, by, signs in records_of(f"plain-{number}", text):
            yield Example(kind, signs, True, f"plain-{number}", PLAIN, by)


def _stories(data: Path) -> Iterator[str]:
    """Stories of the games."""
    for file in sorted((data / "babi").glob("*.txt")):
        yield from list(_numbered(file.read_text(encoding="utf-8").splitlines()))[:OF_A_TASK]
    for game in ("tomi", "hitom"):
        rows = (
            (data / game / f"{game}.jsonl")
            .read_text(encoding="utf-8")
            .splitlines()[: EVERY * OF_A_GAME : EVERY]
        )
        yield from (story for row in rows for story in _numbered(json.loads(row)["story"].splitlines()))
    told = json.loads((data / "opentom" / "meta_data.json").read_text(encoding="utf-8")).values()
    yield from (one["plot"] for one in list(told)[:OF_A_GAME])


def _numbered(lines: Sequence[str]) -> Iterator[str]:
    """Stories of numbered lines, without the questions between them."""
    story = list[str]()
    for one in lines:
        number, _, words = one.partition(" ")
        if number == "1" and story:
            yield "\n".join(story)
            story = []
        story += [words.replace("_", " ")] if "\t" not in words else []
    yield "\n".join(story)


def _tested() -> Iterator[str]:
    """The sentences of the reader's own tests."""
    for file in sorted((HERE.parent / "tests" / "extract" / "embedded").rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = node.value.strip()
                if text[:1].isupper() and " " in text and text.rstrip("”\"'")[-1:] in {".", "!", "?"}:
                    yield text


class Table:
    """Which signs there are, and what they weigh."""

    def __init__(self, examples: Sequence[Example], penalty: float = PENALTY) -> None:
        seen = Counter(sign for one in examples for sign in crossed(one) if one.counts == 1 or PROSE in sign)
        self.places = {
            sign: n for n, sign in enumerate(sorted(s for s, many in seen.items() if many >= LEAST), 1)
        }
        self.weights = self._fitted(examples, penalty)

    def _rows(self, examples: Sequence[Example]):
        from scipy.sparse import csr_matrix

        ends, columns = [0], []
        for one in examples:
            columns += [0, *(self.places[sign] for sign in crossed(one) if sign in self.places)]
            ends.append(len(columns))
        return csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(examples), len(self.places) + 1))

    def _fitted(self, examples, penalty):
        given = self._rows(examples)
        right = np.array([float(one.right) for one in examples])
        counts = np.array([one.counts for one in examples])

        penalties = np.full(len(self.places) + 1, penalty)
        penalties[[0, *(n for sign, n in self.places.items() if PROSE in sign)]] = FREE

        def loss(weights):
            odds = given @ weights
            shares = 1 / (1 + np.exp(-odds))
            held = penalties * weights
            value = (counts * (np.logaddexp(0, odds) - right * odds)).sum() + weights @ held / 2
            return value, given.T @ (counts * (shares - right)) + held

        return minimize(
            loss, np.zeros(len(self.places) + 1), jac=True, method="L-BFGS-B", options={"maxiter": 200}
        ).x

    def odds(self, examples):
        return self._rows(examples) @ self.weights


def crossed(one: Example) -> Iterator[str]:
    group = group_of(one.kind)
    yield f"{group}|"
    for sign in one.signs:
        yield sign
        yield f"{group}|{sign}"


def folds(examples: Sequence[Example], besides: Sequence[Example], penalty: float = PENALTY) -> np.ndarray:
    """The odds of every example by weights that saw none of its fragment."""
    names = sorted({one.fragment for one in examples})
    fold = {name: n % FOLDS for n, name in enumerate(names)}
    odds = np.zeros(len(examples))
    for number in range(FOLDS):
        table = Table([one for one in examples if fold[one.fragment] != number] + list(besides), penalty)
        here = [n for n, one in enumerate(examples) if fold[one.fragment] == number]
        odds[here] = table.odds([examples[n] for n in here])
    return odds


def area(odds: np.ndarray, right: np.ndarray) -> float:
    """How often a right one stands above a wrong one."""
    order = np.argsort(np.argsort(odds)) + 1
    good = right.sum()
    return (
        float((order[right].sum() - good * (good + 1) / 2) / (good * (len(right) - good)))
        if 0 < good < len(right)
        else 0.5
    )


def curve(title: str, odds: np.ndarray, right: np.ndarray) -> Iterator[str]:
    """At each likelihood that is demanded: how many are kept, how many of these are wrong, how many right ones are lost."""
    yield f"{title}: {len(right)} judged, {(~right).mean():.1%} wrong, area {area(odds, right):.3f}"
    for least in (0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8):
        kept = odds >= np.log(least / (1 - least))
        if kept.any():
            yield f"  {least:.2f}: kept {kept.mean():.1%}, wrong {(~right[kept]).mean():.1%}, right ones lost {(right & ~kept).sum() / right.sum():.1%}"


def sources(examples: Sequence[Example]) -> Iterator[str]:
    """What each writer is worth: how many were judged, which share of them is right."""
    found: dict[str, list[bool]] = defaultdict(list)
    for one in examples:
        found[f"{one.kind} by {one.by}"].append(one.right)
        for sign in one.signs:
            if sign.startswith(("respect=", "says=", "frame=")):
                found[f"{one.kind} {sign}"].append(one.right)
    for name, said in sorted(found.items(), key=lambda one: sum(one[1]) / len(one[1])):
        if len(said) >= 12:
            yield f"{sum(said) / len(said):.2f} of {len(said):4}  {name}"


def report(examples: Sequence[Example], odds: np.ndarray) -> Iterator[str]:
    right, groups = (
        np.array([one.right for one in examples]),
        np.array([group_of(one.kind) for one in examples]),
    )
    yield from curve("all", odds, right)
    for group in sorted(set(groups)):
        yield from curve(group, odds[groups == group], right[groups == group])


def written(table: Table) -> dict[str, object]:
    """The weights of each group: those of all and its own together."""
    groups = sorted({sign.partition("|")[0] for sign in table.places if sign.endswith("|")})
    alone = {sign: table.weights[n] for sign, n in table.places.items()}
    weights = {
        group: {
            sign: round(float(both), 2)
            for sign in sorted(
                {one.rpartition("|")[2] for one in alone if "|" not in one or one.startswith(f"{group}|")}
                - {""}
            )
            if abs(both := alone.get(sign, 0.0) + alone.get(f"{group}|{sign}", 0.0)) >= 0.015
        }
        for group in groups
    }
    bias = {group: round(float(table.weights[0] + alone[f"{group}|"]), 2) for group in groups}
    return {"bias": bias, "weights": weights}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--folds", action="store_true")
    options = parser.parse_args()
    paths = sorted((HERE / "prose").glob("p*/fragments.jsonl"))
    examples, besides = list(judged(paths, HERE / "prose" / "verdicts.jsonl")), list(plain(options.data))
    print("\n".join([*sources(examples), *report(examples, folds(examples, besides))]))
    if not options.folds:
        (LANGUAGE.tables / "doubts.json").write_text(
            f"{json.dumps(written(Table([*examples, *besides])), ensure_ascii=False, indent=0)}\n",
            encoding="utf-8",
        )


if __name__ == "__main__":
    main()
