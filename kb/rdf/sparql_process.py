"""SPARQL in a process of its own, so that a query that would never end can be ended.

Oxigraph answers in one call that nothing interrupts, not even Ctrl-C. The process opens the index of one branch, answers one
query and is gone; when its time is up it is killed, and the memory it filled is free again.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

from narraworld.kb.errors import KbError, QueryRefused
from narraworld.kb.journal.store import Store
from narraworld.kb.rdf.sparql import Index, SparqlAnswer
from narraworld.kb.units import MAIN

__all__ = ["sparql_apart"]

A_DAY = 86_400.0  # seconds; Python cannot wait for ever


def sparql_apart(
    store: Store, query: str, *, seconds: float, branch: str = MAIN, revision: int | None = None
) -> SparqlAnswer:
    """What `Index.sparql` answers, if it does so in time."""
    store.snapshot(revision, branch)  # an unknown branch or revision is refused here, with its own words
    question = pickle.dumps((str(store.root.parent), branch, revision, query))
    try:
        ran = subprocess.run(
            [sys.executable, "-m", __name__], input=question, capture_output=True, timeout=min(seconds, A_DAY)
        )
    except subprocess.TimeoutExpired as late:
        raise QueryRefused(
            f"the query was not answered within {seconds:g} seconds",
            fix="let its patterns share variables, or give it more time: --seconds 600",
        ) from late
    if ran.returncode:
        said = ran.stderr.decode(errors="replace").strip().splitlines()
        raise KbError(f"the process of the query ended with {ran.returncode}: {' '.join(said[-1:])}")
    said = pickle.loads(ran.stdout)
    if isinstance(said, SparqlAnswer):
        return said
    raise QueryRefused(said.what, where=said.where, fix=said.fix)


def _child() -> None:
    path, branch, revision, query = pickle.load(sys.stdin.buffer)
    store = Store.open(Path(path))
    try:
        with Index(store, branch) as index:
            said: SparqlAnswer | KbError = index.sparql(query, store.snapshot(revision, branch))
    except QueryRefused as refused:
        said = refused
    sys.stdout.buffer.write(pickle.dumps(said))


if __name__ == "__main__":
    _child()
