"""SPARQL over one snapshot: Oxigraph behind rdflib's API, kept in step with the journal, free to be deleted.

Where it lives is a matter of size. Measured, in CPU seconds, journal included:

    statements    load into memory    build on disk    reopen on disk    reopen, replace one unit
        20,000                0.13             0.26              0.02                        0.11
       100,000                0.65             1.52              0.02                        0.18

A novella is not worth a database that only one process can open; from about half a second on, it is. On disk,
`cache/<branch>/rdf/` has one owner at a time, and others use memory. A stamp in it says which snapshot it shows;
without one that the journal confirms, it is built anew.

Reads the journal, writes only the cache. A query can neither change anything nor reach out: updates and SERVICE are refused.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from narraworld.base.atomic_files import make_folder
from narraworld.base.settings import IndexOptions
from narraworld.kb import quads as rdf
from narraworld.kb.errors import KbError, QueryRefused, StoreLocked
from narraworld.kb.journal.lock import Lock
from narraworld.kb.journal.store import Diff, Snapshot, Store
from narraworld.kb.units import MAIN

if TYPE_CHECKING:
    import pyoxigraph as ox
    import rdflib

__all__ = ["Index", "IndexOptions", "SparqlAnswer"]

_UPDATE = re.compile(r"\b(INSERT|DELETE|LOAD|CLEAR|CREATE|DROP|COPY|MOVE|ADD|WITH)\b", re.IGNORECASE)

_FORGET = """
    DELETE { ?s ?p ?o } WHERE {
        GRAPH $unit { ?s ?p ?o }
        FILTER NOT EXISTS { GRAPH ?other { ?s ?p ?o } FILTER (?other != $unit) }
    };
    DROP SILENT GRAPH $unit
"""


@dataclass(frozen=True, slots=True)
class SparqlAnswer:
    """Rows of rdflib terms, None where unbound. CONSTRUCT and DESCRIBE give triples; ASK gives `truth` and no rows."""

    variables: tuple[str, ...] = ()
    rows: tuple[tuple[rdflib.term.Node | None, ...], ...] = ()
    truth: bool | None = None


class Index:
    """The index of one branch, made when first asked. Close it, or use it in a `with`, to let others have the disk."""

    def __init__(self, store: Store, branch: str = MAIN, options: IndexOptions | None = None) -> None:
        self._store, self._branch, self._options = store, branch, options or IndexOptions()
        self._cache = _Cache(store, branch)
        self._quads: ox.Store | None = None
        self._shows: Snapshot | None = None

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._quads = self._shows = None
        self._cache.close()

    def sparql(self, query: str, snapshot: Snapshot | None = None) -> SparqlAnswer:
        """Answer a SELECT, ASK, CONSTRUCT or DESCRIBE over all units of a snapshot, by default the newest.

        However long it takes: a query that is not one's own goes through `sparql_apart`.
        """
        if not query.strip():
            raise QueryRefused("the query is empty", fix="as in: SELECT ?who { ?who a nw:Character }")
        if any("\ud800" <= sign <= "\udfff" for sign in query):  # what bytes that are no text become
            raise QueryRefused("the query is not UTF-8 text")
        _refuse_service(query)
        try:
            return _answer(self._brought_to(snapshot).query(query, prefixes=rdf.PREFIXES))
        except SyntaxError as trouble:
            raise _refusal(query, trouble) from trouble

    def dataset(self, snapshot: Snapshot | None = None) -> rdflib.Dataset:
        """As an rdflib dataset, to be read: one named graph per unit, and all statements in the default graph."""
        from oxrdflib import OxigraphStore
        from rdflib import Dataset

        dataset = Dataset(store=OxigraphStore(store=self._brought_to(snapshot)))
        for prefix, namespace in rdf.PREFIXES.items():
            dataset.bind(prefix, namespace)
        return dataset

    def _brought_to(self, snapshot: Snapshot | None) -> ox.Store:
        wanted = self._store.snapshot(branch=self._branch) if snapshot is None else snapshot
        if self._quads is None:
            self._quads, self._shows = self._opened(wanted)
        quads = self._quads
        if self._shows is None or self._shows.stamp != wanted.stamp:
            try:
                self._cache.unstamp()
                self._update(quads, self._shows, wanted)
                self._cache.stamp(quads, wanted)
            except BaseException:
                self.close()  # half updated: begin anew next time
                raise
        self._shows = wanted
        return quads

    def _opened(self, wanted: Snapshot) -> tuple[ox.Store, Snapshot | None]:
        import pyoxigraph as ox

        if sum(entry.size for entry in wanted.entries) < self._options.disk_from:
            return ox.Store(), None
        return self._cache.open() or (ox.Store(), None)

    def _update(self, quads: ox.Store, shown: Snapshot | None, wanted: Snapshot) -> None:
        """Replace the graphs of the units that differ."""
        diff = Diff(added=tuple(wanted)) if shown is None else self._store.diff(shown, wanted)
        for unit in diff.removed + diff.changed:
            _forget(quads, unit)
        self._load(quads, wanted, diff.added + diff.changed)

    def _load(self, quads: ox.Store, snapshot: Snapshot, units: Iterable[str]) -> None:
        """Load units into their graphs, and once more into the default graph.

        Oxigraph's own union of graphs shows a statement as often as units make it, and so would miscount.
        """
        import pyoxigraph as ox

        left = iter(units)
        while batch := list(islice(left, self._options.batch)):
            bodies = {unit: self._store.body(snapshot[unit]) for unit in batch}
            ungraphed = (rdf.without_graph(body, unit) for unit, body in bodies.items())
            text = "".join([*bodies.values(), *ungraphed])
            quads.bulk_load(text.encode(), ox.RdfFormat.N_QUADS)


def _forget(quads: ox.Store, unit: str) -> None:
    """Remove a unit's graph, and from the default graph what no other unit says."""
    quads.update(_FORGET.replace("$unit", f"<{rdf.graph_name(unit)}>"))


class _Cache:
    """The index on disk: opened by one at a time, believed only with a stamp that the journal confirms."""

    def __init__(self, store: Store, branch: str) -> None:
        self._store, self._branch = store, branch
        self._folder = store.cache(branch) / "rdf"
        self._stamp = self._folder / "stamp.json"
        self._database = self._folder / "oxigraph"
        self._lock = Lock(store.cache(branch) / "rdf.lock")

    def open(self) -> tuple[ox.Store, Snapshot | None] | None:
        """The stored index and what it shows; empty if it had to be dropped, None if we cannot have it."""
        import pyoxigraph as ox

        try:
            make_folder(self._folder.parent)
            self._lock.take()
        except (StoreLocked, OSError):  # in use, or a place we may not write to: memory will do
            return None
        shows = self._recognise()
        if shows is not None:
            try:
                return ox.Store(str(self._database)), shows
            except (OSError, RuntimeError):  # damaged: nothing is lost but time
                pass
        shutil.rmtree(self._folder, ignore_errors=True)
        make_folder(self._folder)
        return ox.Store(str(self._database)), None

    def close(self) -> None:
        self._lock.release()

    def unstamp(self) -> None:
        if self._lock.held:
            self._stamp.unlink(missing_ok=True)

    def stamp(self, quads: ox.Store, snapshot: Snapshot) -> None:
        if self._lock.held:
            quads.flush()
            self._stamp.write_text(json.dumps(snapshot.stamp), encoding="utf-8")

    def _recognise(self) -> Snapshot | None:
        """The snapshot that the stamp names, if the journal still has it."""
        try:
            said = json.loads(self._stamp.read_text(encoding="utf-8"))
            snapshot = self._store.snapshot(said[0][1], self._branch)
            same = [list(layer) for layer in snapshot.stamp] == said
            return snapshot if same and (self._database / "CURRENT").is_file() else None
        except (OSError, ValueError, LookupError, TypeError, KbError):
            return None


def _answer(result: ox.QueryBoolean | ox.QuerySolutions | ox.QueryTriples) -> SparqlAnswer:
    import pyoxigraph as ox

    if isinstance(result, ox.QueryBoolean):
        return SparqlAnswer(truth=bool(result))
    if isinstance(result, ox.QuerySolutions):
        names = tuple(variable.value for variable in result.variables)
        return SparqlAnswer(
            names, tuple(tuple(term and rdf.to_rdflib(term) for term in row) for row in result)
        )
    triples = sorted(result, key=str)
    return SparqlAnswer(
        ("subject", "predicate", "object"),
        tuple(tuple(rdf.to_rdflib(term) for term in triple) for triple in triples),
    )


def _refuse_service(query: str) -> None:
    """SERVICE is the one way a query could reach the network; a text without the word cannot have it.

    Where the word occurs, perhaps within a quote, rdflib's parser decides. It expands escapes where Oxigraph does not, so
    the two could disagree about escaped text: that is refused. Looking at the printed tree can only refuse too much.
    """
    if "service" not in query.lower():
        return
    from pyparsing import ParseException
    from rdflib.plugins.sparql.parser import parseQuery

    fix = "ask about what is in this store; nothing here reaches the network"
    if "\\u" in query.lower():
        raise QueryRefused(
            "the word SERVICE together with \\u escapes", fix="write the characters themselves"
        )
    try:
        tree = str(parseQuery(query))
    except ParseException as trouble:
        raise QueryRefused(f"not a query, or one with SERVICE: {trouble}", fix=fix) from trouble
    if "ServiceGraphPattern" in tree:
        raise QueryRefused("SERVICE would ask another server", fix=fix)


def _refusal(query: str, trouble: SyntaxError) -> QueryRefused:
    update = _UPDATE.search(re.sub(r"<[^>]*>|#.*", " ", query))
    if update:
        fix = "only SELECT, ASK, CONSTRUCT and DESCRIBE; the store changes by commits alone"
        return QueryRefused(f"{update[0].upper()} would change the data", fix=fix)
    return QueryRefused(f"not a SPARQL query: {str(trouble).splitlines()[0][:160]}")
