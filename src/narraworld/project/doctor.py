"""Is everything in order? Looks at the installation and the store, derives it once, changes nothing, says what to do."""

from __future__ import annotations

import os
import platform
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from narraworld.base.errors import NarraWorldError
from narraworld.kb.errors import NotDerivable
from narraworld.kb.units import MAIN

if TYPE_CHECKING:
    from narraworld.kb.journal.store import Store
    from narraworld.rules.living.living_world import WorldSetup

__all__ = ["Ailment", "examine"]

LIBRARIES = ("pyDatalog", "rdflib", "pyshacl", "oxrdflib", "pyoxigraph", "duckdb", "lark", "typer")


@dataclass
class Ailment:
    """One thing looked at: state is ok, warn or fail; `fix` says what to do."""

    state: str
    what: str
    fix: str | None = None


def examine(folder: Path) -> list[Ailment]:
    """All checks, the installation first."""
    return [*_installation(), *_rules(folder), *_store(folder)]


def _installation() -> Iterator[Ailment]:
    yield Ailment("ok", f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}")
    for name in LIBRARIES:
        try:
            yield Ailment("ok", f"{name} {version(name)}")
        except PackageNotFoundError:
            yield Ailment("fail", f"{name} is not installed", f"pip install {name}")
    yield _pydatalog()
    yield _tokens()


def _pydatalog() -> Ailment:
    from narraworld.rules.engines.pydatalog.engine import PyDatalogEngine
    from narraworld.rules.language.ir import Program

    if PyDatalogEngine(Program({}, ())).compiled:
        return Ailment("ok", "pyDatalog's compiled engine is loaded")
    return Ailment(
        "warn", "pyDatalog runs in pure Python", "answers are the same and slower; install a wheel for speed"
    )


def _tokens() -> Ailment:
    from narraworld.query.memory.tokens import EXACT, counter

    if counter().name == EXACT:
        return Ailment("ok", f"tokens are counted exactly, with {EXACT}")
    return Ailment("warn", "tokens are estimated, on the safe side", "pip install tiktoken for exact budgets")


def _rules(folder: Path) -> Iterator[Ailment]:
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


def _attempt(what: str, look: Callable[[], str]) -> Ailment:
    try:
        return Ailment("ok", f"{what}: {look()}")
    except NarraWorldError as error:
        return Ailment("fail", str(error).partition("\n")[0], error.fix)


def _store(folder: Path) -> Iterator[Ailment]:
    from narraworld.kb.journal.store import FOLDER, Store

    if not (folder / FOLDER).is_dir():
        yield Ailment(
            "warn", f"no world in {folder.resolve().name or folder}", "make one with: narraworld read FILE…"
        )
        return
    if not os.access(folder / FOLDER, os.W_OK):
        yield Ailment("warn", f"{FOLDER}/ cannot be written", "check the folder's permissions")
    try:
        store = Store.open(folder)
        damages = store.verify()
        sound = store.snapshot().sound()[0] if damages else store.snapshot().entries
    except NarraWorldError as error:
        yield Ailment("fail", str(error).partition("\n")[0], error.fix)
        return
    yield Ailment(
        "ok", f"{len(sound)} units, {len(store.branches())} branches, head r{store.snapshot().revision}"
    )
    yield from _derivation(folder, store)
    for damage in damages:
        yield Ailment(
            "fail",
            str(damage),
            "restore the file from a copy, or read the unit again; other units are intact",
        )


def _derivation(folder: Path, store: Store) -> Iterator[Ailment]:
    """Whether every branch can really be derived; in memory, so that nothing beside the manuscript changes."""
    from narraworld.project.file import load_settings
    from narraworld.project.setup import frame_of

    try:
        frame = frame_of(load_settings(folder))
        for branch in (MAIN, *(one.name for one in store.branches())):
            yield from _derived(store, frame, branch)
    except NarraWorldError as error:
        yield Ailment("fail", str(error).partition("\n")[0], error.fix)


def _derived(store: Store, frame: WorldSetup, branch: str) -> Iterator[Ailment]:
    from narraworld.rules.living.living_world import LivingWorld

    with closing(LivingWorld(store, frame, branch=branch)) as living:
        living.refresh()
        odd = [one for one in living.damage if isinstance(one, NotDerivable)]
        yield from (Ailment("fail", str(one).partition("\n")[0], one.fix) for one in odd)
        if not odd:
            yield Ailment("ok", f"everything that is sound on {branch} can be derived")
