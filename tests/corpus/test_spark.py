"""The same corpus by Spark: the kernel under `mapInArrow`, lifted rules and rules across stories as Spark SQL, equal to DuckDB's.

Runs where PySpark and Java are installed (`make test-spark` brings PySpark); elsewhere it is skipped, and says why.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from narraworld.corpus.shared_rules import corpus_setup
from narraworld.rules.engines.duckdb import DuckEngine
from narraworld.rules.language.dependencies import needed
from narraworld.rules.language.ir import Program, Row
from narraworld.rules.language.lifting import declarations, lift, with_rules_across
from narraworld.rules.language.program import load_program
from narraworld.rules.language.surface.syntax import parse
from narraworld.rules.living.cut import every_row, same_for_all

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pyspark = pytest.importorskip("pyspark", reason="PySpark is not installed: make test-spark brings it")
if shutil.which("java") is None and not os.environ.get("JAVA_HOME"):
    pytest.skip("there is no Java: apt-get install openjdk-17-jre-headless", allow_module_level=True)

TALES = {
    "one": "# One\n\nMara entered the den. Mara took the key. Leo entered the den. Leo saw Mara.\n",
    "two": "# Two\n\nTom entered the mill. Tom took the rope. Ida said that the mill was empty.\n",
    "three": "# Three\n\nIda slept. Nobody came.\n",
}
ACROSS = """
.decl deed(story:symbol, kind:symbol)
deed(S, K) :- event(S, _, K, _).
.decl tales_with(kind:symbol, n:number)
tales_with(K, N) :- deed(_, K), N = count : { deed(_, K) }.
.decl near(one:symbol, other:symbol)
near(S, T) :- deed(S, K), deed(T, K), S != T.
.decl akin_tale(one:symbol, other:symbol)
akin_tale(S, T) :- near(S, T).
akin_tale(S, U) :- akin_tale(S, T), near(T, U).
.decl loner(story:symbol)
loner(S) :- deed(S, _), !akin_tale(S, _).
.decl even(a:symbol, b:symbol)
.decl odd(a:symbol, b:symbol)
odd(S, T) :- near(S, T).
odd(S, U) :- even(S, T), near(T, U).
even(S, U) :- odd(S, T), near(T, U).
"""


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    from pyspark.sql import SparkSession

    from narraworld.rules.engines.spark_sql import SETTINGS

    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    here = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1", "spark.ui.enabled": "false",
            "spark.sql.shuffle.partitions": "2", "spark.sql.execution.arrow.maxRecordsPerBatch": "50"}  # fmt: skip
    builder: Any = SparkSession.builder.master("local[2]")
    for key, value in {**SETTINGS, **here}.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def program() -> Program:
    """The lifted rules and those across, as far as a handful of relations rest on them: each costs Spark a second."""
    setup = corpus_setup()
    lifted = lift(setup.program, same_for_all(setup.program))
    across = load_program([parse(declarations(lifted)), parse(ACROSS, "across.dl")])
    own = [name for name, one in across.relations.items() if not one.base]
    return needed(with_rules_across(lifted, across), [*own, "happened", "current"])


def test_every_relation_is_that_of_duckdb(spark: SparkSession, program: Program) -> None:
    from narraworld.corpus.spark import SCHEMA, frames_of, map_stories, stories_frame
    from narraworld.rules.engines.spark_sql import SparkTables

    tall = (
        stories_frame(spark, list(TALES.items())).mapInArrow(map_stories, SCHEMA).localCheckpoint(eager=True)
    )
    frames = {name: frame for name, frame in frames_of(tall).items() if name in program.relations}
    given: dict[str, list[Row]] = {
        name: sorted(rows) for name, rows in corpus_setup().settings_rows.items() if name in program.relations
    }
    tables = SparkTables(spark, program)
    tables.look_at(frames, given)
    tables.derive()
    facts = {name: [tuple(row) for row in frame.collect()] for name, frame in frames.items()}
    with closing(DuckEngine(program)) as engine:
        engine.load({**facts, **given})
        derived = [name for name, one in program.relations.items() if not one.base]
        assert {name: tables.rows(name) for name in derived} == {
            name: every_row(engine, name) for name in derived
        }

    assert {row[0] for row in facts["event"]} == {"one", "two", "three"}
    assert tables.rows("loner") == [("three",)] and ("one", "one") in tables.rows("akin_tale")
    assert tables.rows("even") and tables.rows("odd")


def test_the_map_gives_the_rows_of_the_kernel(spark: SparkSession) -> None:
    from narraworld.corpus.kernel import Kernel
    from narraworld.corpus.shared_rules import checking_setup
    from narraworld.corpus.spark import SCHEMA, _pieces, frames_of, map_stories, stories_frame

    tall = (
        stories_frame(spark, list(TALES.items())).mapInArrow(map_stories, SCHEMA).localCheckpoint(eager=True)
    )
    kernel = Kernel(checking_setup())
    own: dict[str, set[Row]] = {}
    for story, text in TALES.items():
        for name, rows in kernel.read(_pieces(story, text)).rows.items():
            own.setdefault(name, set()).update((story, *row) for row in rows)
    found = frames_of(tall)

    wanted = ("event", "named", "evidence", "at", "normal")
    assert {name: {tuple(row) for row in found[name].collect()} for name in wanted} == {
        name: own[name] for name in wanted
    }
