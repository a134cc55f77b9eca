"""Is everything in order? Looks at the installation and the store, changes nothing, says what to do."""

from __future__ import annotations

import os
import platform
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from narraworld.base.errors import NarraWorldError

__all__ = ["Check", "examine"]

LIBRARIES = ("pyDatalog", "rdflib", "pyshacl", "oxrdflib", "pyoxigraph", "duckdb", "lark", "typer")


@dataclass
class Check:
    """One thing looked at: state is ok, warn or fail; `fix` says what to do."""

    state: str
    what: str
    fix: str | None = None


def examine(folder: Path) -> list[Check]:
    """All checks, the installation first."""
    return [*_installation(), *_rules(folder), *_store(folder)]


def _installation() -> Iterator[Check]:
    yield Check("ok", f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}")
    for name in LIBRARIES:
        try:
            yield Check("ok", f"{name} {version(name)}")
        except PackageNotFoundError:
            yield Check("fail", f"{name} is not installed", f"pip install {name}")
    yield _pydatalog()
    yield _tokens()


def _pydatalog() -> Check:
    from narraworld.rules.engines.pydatalog.engine import PyDatalogEngine
    from narraworld.rules.language.ir import Program

    if PyDatalogEngine(Program({}, ())).compiled:
        return Check("ok", "pyDatalog's compiled engine is loaded")
    return Check(
        "warn", "pyDatalog runs in pure Python", "answers are the same and slower; install a wheel for speed"
    )


def _tokens() -> Check:
    from narraworld.query.memory.tokens import EXACT, counter

    if counter().name == EXACT:
        return Check("ok", f"tokens are counted exactly, with {EXACT}")
    return Check("warn", "tokens are estimated, on the safe side", "pip install tiktoken for exact budgets")


def _rules(folder: Path) -> Iterator[Check]:
    from narraworld.project.file import load_settings

    yield _attempt("the rule files are sound", lambda: _load_rules(folder))
    yield _attempt(
        "the settings are sound",
        lambda: str(len(load_settings(folder).rule_files)) + " rule files of your own",
    )


def _load_rules(folder: Path) -> str:
    from narraworld.project.file import load_settings
    from narraworld.rules.language.program import load_builtin

    program = load_builtin(load_settings(folder).rule_files)
    return f"{len(program.rules)} rules, {len(program.relations)} relations"


def _attempt(what: str, look: Callable[[], str]) -> Check:
    try:
        return Check("ok", f"{what}: {look()}")
    except NarraWorldError as error:
        return Check("fail", str(error).partition("\n")[0], error.fix)


def _store(folder: Path) -> Iterator[Check]:
    from narraworld.kb.journal.store import FOLDER, Store

    if not (folder / FOLDER).is_dir():
        yield Check(
            "warn", f"no world in {folder.resolve().name or folder}", "make one with: narraworld read FILE…"
        )
        return
    if not os.access(folder / FOLDER, os.W_OK):
        yield Check("warn", f"{FOLDER}/ cannot be written", "check the folder's permissions")
    try:
        store = Store.open(folder)
        damages = store.verify()
        sound = store.snapshot().sound()[0] if damages else store.snapshot().entries
    except NarraWorldError as error:
        yield Check("fail", str(error).partition("\n")[0], error.fix)
        return
    yield Check(
        "ok", f"{len(sound)} units, {len(store.branches())} branches, head r{store.snapshot().revision}"
    )
    for damage in damages:
        yield Check(
            "fail",
            str(damage),
            "restore the file from a copy, or read the unit again; other units are intact",
        )
