"""SQLite as an engine: a file that survives, says when it is stale, and is never half written."""

from __future__ import annotations

import multiprocessing
import sqlite3
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from rule_programs import program_of

from narraworld.base.settings import SqliteSettings
from narraworld.rules.engines import Limits
from narraworld.rules.engines.sqlite.engine import SqliteEngine
from narraworld.rules.engines.sqlite.fingerprint import fingerprint
from narraworld.rules.engines.sqlite.written_program import WrittenProgram, written
from narraworld.rules.errors import EngineError, LimitReached
from narraworld.rules.language.ir import Atom, Change, Const, Row, SourcePlace, Var

TEXT = """
.decl told(who:symbol, what:symbol)
.input told
.decl knows(who:symbol, what:symbol)
.decl both(one:symbol, other:symbol)
knows(W, P) :- told(W, P).
both(A, B) :- knows(A, P), knows(B, P), A != B.
"""
KNOWS = Atom("knows", (Var("W"), Var("P")))
BOTH = Atom("both", (Var("A"), Var("B")))
LEO: list[Row] = [("leo", "key")]
MARA = Change(added={"told": [("mara", "key")]})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file that already knows what Leo was told."""
    path = tmp_path / "world.db"
    engine = SqliteEngine(program_of(TEXT), path)
    engine.load({"told": LEO}, stamp="r1")
    engine.close()
    return path


def test_a_file_opened_again_needs_no_facts(file: Path) -> None:
    engine = SqliteEngine(program_of(TEXT), file)
    assert (engine.stale, engine.stamp) == (None, "r1")
    assert engine.ask(KNOWS) == LEO
    engine.close()


def test_a_change_and_its_stamp_survive(file: Path) -> None:
    engine = SqliteEngine(program_of(TEXT), file)
    engine.apply(MARA, stamp="r2")
    engine.close()
    engine = SqliteEngine(program_of(TEXT), file)
    assert engine.stamp == "r2"
    assert engine.ask(BOTH) == [("leo", "mara"), ("mara", "leo")]
    engine.close()


def test_a_new_file_has_the_pages_that_are_set_and_an_old_one_can_still_be_gone_on_from(
    file: Path, tmp_path: Path
) -> None:
    small = SqliteEngine(program_of(TEXT), tmp_path / "old.db", settings=SqliteSettings(page_bytes=4096))
    small.load({"told": LEO}, "r1")
    beyond = SqliteEngine(program_of(TEXT))
    beyond.begin_as(small)
    beyond.apply(MARA)
    sizes = [
        sqlite3.connect(path).execute("PRAGMA page_size").fetchone()[0]
        for path in (file, tmp_path / "old.db")
    ]
    assert sizes == [SqliteSettings().page_bytes, 4096]
    assert beyond.ask(KNOWS) == [("leo", "key"), ("mara", "key")]


def test_a_new_file_waits_for_facts(tmp_path: Path) -> None:
    engine = SqliteEngine(program_of(TEXT), tmp_path / "new.db")
    assert engine.stale == "nothing has been loaded yet"
    with pytest.raises(EngineError, match="nothing has been loaded"):
        engine.ask(KNOWS)
    engine.load({"told": LEO})
    assert (engine.stale, engine.ask(KNOWS)) == (None, LEO)
    engine.close()


def test_tables_of_another_program_are_stale(file: Path) -> None:
    engine = SqliteEngine(program_of(TEXT + 'knows(W, "sky") :- told(W, _).'), file)
    assert engine.stale == "the tables were derived by another program"
    with pytest.raises(EngineError, match="another program"):
        engine.apply(MARA)
    engine.load({"told": LEO})
    assert engine.ask(KNOWS) == [("leo", "key"), ("leo", "sky")]
    engine.close()


def test_comments_and_line_numbers_do_not_make_another_program() -> None:
    moved = [
        replace(rule, place=SourcePlace("b.dl", 9, 9), sentence="so it is") for rule in program_of(TEXT).rules
    ]
    same = replace(program_of(TEXT), rules=tuple(moved), _by_head={})
    assert (
        fingerprint(same)
        == fingerprint(program_of(TEXT))
        != fingerprint(program_of(TEXT + "both(A, A) :- told(A, _)."))
    )


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda data: b"Once upon a time", id="no database"),
        pytest.param(lambda data: data[:100] + b"\xff" * (len(data) - 100), id="overwritten"),
        pytest.param(lambda data: data[: len(data) // 3], id="cut short"),
    ],
)
def test_a_damaged_file_is_put_aside_and_built_anew(file: Path, spoil) -> None:  # type: ignore[no-untyped-def]
    spoilt = spoil(file.read_bytes())
    file.write_bytes(spoilt)
    engine = SqliteEngine(program_of(TEXT), file)
    assert engine.stale is not None and "damaged" in engine.stale
    engine.load({"told": LEO})
    assert (engine.stale, engine.ask(KNOWS)) == (None, LEO)
    assert Path(f"{file}.damaged").read_bytes() == spoilt
    engine.close()


def test_a_stranger_s_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "stranger.db"
    with sqlite3.connect(path) as stranger:
        stranger.execute("CREATE TABLE diary (entry TEXT)")
    stranger.close()
    engine = SqliteEngine(program_of(TEXT), path)
    with pytest.raises(EngineError, match="not one of ours"):
        engine.load({"told": LEO})
    engine.close()
    with sqlite3.connect(path) as stranger:
        assert stranger.execute("SELECT count(*) FROM diary").fetchone() == (0,)
    stranger.close()


def test_a_limit_leaves_the_state_before(file: Path) -> None:
    engine = SqliteEngine(program_of(TEXT), file, limits=Limits(facts=5))
    crowd = [(f"p{i}", "key") for i in range(9)]
    with pytest.raises(LimitReached, match="made more than 5"):
        engine.apply(Change(added={"told": crowd}), stamp="r2")
    with pytest.raises(LimitReached, match="made more than 5"):
        engine.load({"told": crowd}, stamp="r3")
    assert (engine.stamp, engine.ask(KNOWS)) == ("r1", LEO)
    assert set(engine.apply(MARA).added) == {"told", "knows", "both"}
    engine.close()


def test_time_is_limited_inside_a_change_too() -> None:
    slow = ".decl n(i:number)\n.input n\n.decl far(i:number)\nfar(0) :- n(A), n(B), n(C), n(D), A + B + C + D < 0."
    engine = SqliteEngine(program_of(slow))
    engine.limits = Limits(seconds=0.3)
    with pytest.raises(LimitReached, match="took longer"):
        engine.apply(Change(added={"n": [(i,) for i in range(500)]}))
    engine.limits = Limits()
    assert engine.ask(Atom("n", (Var("I"),))) == []
    engine.close()


def test_reading_stays_on_one_state_while_another_writes(file: Path) -> None:
    reader, writer = SqliteEngine(program_of(TEXT), file), SqliteEngine(program_of(TEXT), file)
    with reader.reading() as stamp:
        assert (stamp, reader.ask(KNOWS)) == ("r1", LEO)
        writer.apply(MARA, stamp="r2")
        assert reader.ask(KNOWS) == LEO
    assert (reader.stamp, len(reader.ask(KNOWS))) == ("r2", 2)
    reader.close()
    writer.close()


def _count(path: str, results: multiprocessing.Queue[int]) -> None:
    engine = SqliteEngine(program_of(TEXT), path)
    results.put(len(engine.ask(KNOWS)))
    engine.close()


def test_other_processes_read_while_one_writes(file: Path) -> None:
    engine = SqliteEngine(program_of(TEXT), file)
    context = multiprocessing.get_context("spawn")
    results: multiprocessing.Queue[int] = context.Queue()
    readers = [context.Process(target=_count, args=(str(file), results)) for _ in range(2)]
    for reader in readers:
        reader.start()
    for i in range(20):
        engine.apply(Change(added={"told": [(f"p{i}", "map")]}))
    for reader in readers:
        reader.join()
    assert [reader.exitcode for reader in readers] == [0, 0]
    counted = [results.get(timeout=60) for _ in readers]  # they are there
    assert all(1 <= count <= 21 for count in counted)
    engine.close()


def test_threads_take_turns() -> None:
    engine = SqliteEngine(program_of(TEXT))
    seen: list[int] = []

    def ask() -> None:
        seen.extend(len(engine.ask(Atom("knows", (Const("leo"), Var("P"))))) for _ in range(50))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for i in range(50):
        engine.apply(Change(added={"told": [("leo", f"fact{i}")]}))
    for thread in threads:
        thread.join()
    assert len(seen) == 200 and len(engine.ask(Atom("knows", (Const("leo"), Var("P"))))) == 50
    engine.close()
    engine.close()
    with pytest.raises(EngineError, match="closed"):
        engine.ask(KNOWS)


def test_tables_of_one_program_share_its_statements_and_answer_for_themselves() -> None:
    one, other = SqliteEngine(program_of(TEXT)), SqliteEngine(program_of(f"// the same again\n{TEXT}"))
    one.load({"told": [*LEO, ("mara", "key")]})
    other.load({"told": LEO})
    assert one._plans is other._plans
    assert one.ask(BOTH) == [("leo", "mara"), ("mara", "leo")]
    assert other.ask(BOTH) == []
    other.apply(MARA)
    assert other.ask(BOTH) == one.ask(BOTH)


def test_only_the_programs_used_last_stay_written() -> None:
    def number(n: int) -> WrittenProgram:
        return written(program_of(f".decl p{n}(a:symbol)\n.input p{n}\n"))

    most = SqliteSettings().programs
    first = number(0)
    assert [number(n) for n in range(1, most)]
    assert number(0) is first
    assert [number(n) for n in range(most, 2 * most)]
    assert number(0) is not first


def test_large_tables_are_looked_at_while_filling_and_no_note_of_it_stays(file: Path) -> None:
    many = [(f"guest {n}", "key") for n in range(40)] + [(f"guest {n}", f"song {n}") for n in range(1500)]
    engine = SqliteEngine(program_of(TEXT), file)
    for _ in range(2):  # the second time over tables that were looked at before
        engine.load({"told": many})
        assert len(engine.ask(BOTH)) == 40 * 39
    engine.close()
    with sqlite3.connect(file) as kept:
        assert not kept.execute("SELECT name FROM sqlite_master WHERE name LIKE 'sqlite_stat%'").fetchall()


def test_what_a_look_at_large_tables_told_is_forgotten_by_the_connection_too(file: Path) -> None:
    text = """
    .decl told(who:symbol, sign:symbol, tick:number)
    .input told
    .decl meets(a:symbol, b:symbol)
    meets(A, B) :- told(A, S, T), told(B, S, T), A != B.
    """
    engine = SqliteEngine(program_of(text), file)
    engine.load({"told": [(f"guest {n}", "yes", n) for n in range(1500)]})
    question = "EXPLAIN QUERY PLAN SELECT * FROM told WHERE tick = 1"
    with sqlite3.connect(file) as fresh:
        assert [how[3] for how in engine._connected().execute(question)] == [
            how[3] for how in fresh.execute(question)
        ]
    engine.close()
