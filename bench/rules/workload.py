"""A made-up story of any length: base facts as Parquet files or rows, and the units that continue it.

The facts come from `workload.sql`, the rules from `workload.dl`. Knows no engine of ours.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import md5
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from narraworld.rules.language.ir import Row, Value

__all__ = ["BASE", "RULES", "Story", "digest", "digest_sql", "read", "unit", "write"]

RULES = Path(__file__).with_name("workload.dl")
MAKE = Path(__file__).with_name("workload.sql")

BASE = {
    "event": ("e", "t"),
    "actor": ("e", "c"),
    "state": ("s", "subj", "pred", "obj", "t"),
    "access": ("c", "s", "t", "mode"),
    "member": ("x", "y"),
    "plot": ("p",),
    "dead": ("c", "t"),
    "uses": ("e", "c", "s"),
}
PREDICATES = ("location", "possession", "status", "relation", "goal", "emotion")
CHUNK = 50_000


@dataclass(frozen=True, slots=True)
class Story:
    """How long the story is and how large its cast; `skew` is the percentage of states about one hero."""

    events: int
    skew: int = 0

    @property
    def subjects(self) -> int:
        return max(2, self.events // 20)

    @property
    def characters(self) -> int:
        return self.events // 50 + 10

    @property
    def things(self) -> int:
        return self.events // 100 + 10

    @property
    def plotlines(self) -> int:
        return max(1, self.events // 50)


def write(story: Story, folder: Path) -> int:
    """Write one Parquet file per base relation into `folder`; return the number of facts."""
    import duckdb

    with duckdb.connect() as db:
        db.execute(f"SET VARIABLE events = {story.events}; SET VARIABLE skew = {story.skew}")
        db.execute(MAKE.read_text("utf-8"))
        for relation in BASE:
            db.execute(f"COPY {relation} TO '{folder / relation}.parquet'")
        return sum(_count(db, relation) for relation in BASE)


def _count(db: Any, relation: str) -> int:
    [(count,)] = db.execute(f"SELECT count(*) FROM {relation}").fetchall()
    return int(count)


def read(folder: Path) -> dict[str, list[Row]]:
    """All base facts as Python rows; equal values are one object, as they would be after any real load."""
    import duckdb

    seen: dict[Value, Value] = {}
    with duckdb.connect() as db:
        return {name: list(_shared(db.execute(f"FROM '{folder / name}.parquet'"), seen)) for name in BASE}


def _shared(cursor: Any, seen: dict[Value, Value]) -> Iterable[Row]:
    while rows := cursor.fetchmany(CHUNK):
        for row in rows:
            yield tuple(seen.setdefault(value, value) for value in row)


def unit(story: Story, k: int) -> dict[str, list[Row]]:
    """The k-th unit (from 1) after the story: two events, twenty facts, the second deed always by c5."""
    chance = random.Random(f"{story.events}/{k}")
    facts: dict[str, list[Row]] = {name: [] for name in BASE}
    first = story.events + 2 * k - 1
    for tick, who in ((first, f"c{chance.randrange(story.characters)}"), (first + 1, "c5")):
        facts["event"].append((f"e{tick}", tick))
        facts["actor"].append((f"e{tick}", who))
        facts["member"].append((f"e{tick}", f"new{k}"))
        for nth in range(3):
            state = f"s{3 * (tick - 1) + nth}"
            subject, thing = chance.randrange(story.subjects), chance.randrange(story.things)
            facts["state"].append((state, f"subj{subject}", chance.choice(PREDICATES), f"o{thing}", tick))
            facts["access"].append((who, state, tick, "saw"))
    facts["member"].append((f"new{k}", f"pl{chance.randrange(story.plotlines)}"))
    facts["uses"].append((f"e{first + 1}", "c5", f"s{3 * first}"))
    return facts


# Two engines agree when their relations have the same digest: how many rows, and the sum of the rows' MD5,
# which no order can change. The same figure in Python and in SQL.


def digest(rows: Iterable[Row]) -> str:
    count = total = 0
    for row in rows:
        count += 1
        total += int.from_bytes(
            md5("\x1f".join(map(str, row)).encode(), usedforsecurity=False).digest()[:6], "big"
        )
    return f"{count}:{total:x}"


def digest_sql(relation: str, columns: Iterable[str]) -> str:
    """A query whose one row is (count, total) of `digest`."""
    line = f"concat_ws(chr(31), {', '.join(columns)})"
    number = f"('0x' || left(md5({line}), 12))::BIGINT"
    return f"SELECT count(*), coalesce(sum({number}), 0) FROM {relation}"
