"""The kernel under Spark: stories in a data frame in, base rows in Parquet out, and rules across them as Spark SQL.

`map_stories` is what a cluster runs: `frame.mapInArrow(map_stories, SCHEMA)`. A worker keeps one kernel, as a process of
`corpus read` does. One schema must hold every relation, so rows are tall: relation, story, then columns as text; `frames_of` gives
each relation its own columns back. With `rules.engines.spark_sql` the only door to PySpark, and the only one to PyArrow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from narraworld.corpus.kernel import Kernel
from narraworld.corpus.shared_rules import base_program, checking_setup
from narraworld.extract.sources import read_sources

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from narraworld.extract.sources import Piece

__all__ = ["SCHEMA", "frames_of", "map_stories", "stories_frame"]

WIDTH = 10  # columns of the widest base relation, the story aside
COLUMNS = ("relation", "story", *(f"c{place}" for place in range(WIDTH)))
SCHEMA = ", ".join(f"{name} string" for name in COLUMNS)


def stories_frame(spark: SparkSession, stories: Sequence[tuple[str, str]]) -> DataFrame:
    """Stories (name and text in Markdown) as the frame that `map_stories` reads; on a cluster, select these two columns."""
    return spark.createDataFrame(list(stories), schema="story string, text string")


def map_stories(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Runs in a worker: a batch of stories in, a batch of rows out for each story."""
    import pyarrow as pa

    schema = pa.schema([(name, pa.string()) for name in COLUMNS])
    for batch in batches:
        for story, text in zip(
            batch.column("story").to_pylist(), batch.column("text").to_pylist(), strict=True
        ):
            rows = list(_tall(story, text))
            columns = [pa.array([row[place] for row in rows], pa.string()) for place in range(len(COLUMNS))]
            yield pa.RecordBatch.from_arrays(columns, schema=schema)


def _tall(story: str, text: str) -> Iterator[tuple[str | None, ...]]:
    told = _kernel().read(_pieces(story, text))
    yield "story__", story, *[None] * WIDTH
    for relation, rows in told.rows.items():
        for row in rows:
            yield relation, story, *map(str, row), *[None] * (WIDTH - len(row))


def _pieces(story: str, text: str) -> list[Piece]:
    from io import StringIO

    return read_sources(["-"], stdin=StringIO(text), stdin_name=f"{story}.md")


@cache
def _kernel() -> Kernel:
    return Kernel(checking_setup())


def frames_of(tall: DataFrame) -> dict[str, DataFrame]:
    """Each base relation's own rows, typed as it declares them."""
    kinds: dict[str, str] = {"symbol": "string", "number": "bigint", "float": "double"}
    found: dict[str, Any] = {}
    for relation in base_program().relations.values():
        if relation.base and relation.columns and relation.columns[0].name.startswith("story"):
            first, *rest = relation.columns
            typed = [
                f"story AS `{first.name}`",
                *(f"CAST(c{n} AS {kinds[one.type]}) AS `{one.name}`" for n, one in enumerate(rest)),
            ]
            found[relation.name] = tall.where(tall["relation"] == relation.name).selectExpr(*typed)
    return found
