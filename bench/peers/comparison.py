"""Ours beside Mem0 and Graphiti on the same episodes: what one more costs, how that grows, and how quickly a question is answered.

Each system runs in a process and an environment of its own, one after the other, with the same model and embedder, which answer at
once (`stub_model`), so that the processor time is the system's. A system that cannot be installed or fails is one line with the
reason. Retrieval *quality* is not compared: the vectors are hashed words.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.frame import Figures, show
from bench.peers.environments import PEERS, cache_folder, interpreter
from bench.peers.stub_model import served

__all__ = ["PeerRun", "add_options", "figures", "run"]

SIZES = (100, 1_000)
OURS = ("records", "embedded", "model")


@dataclass(frozen=True, slots=True)
class PeerRun:
    """One system that ran, or why it did not. ``sizes`` are its figures by the number of episodes."""

    name: str
    system: str
    sizes: Mapping[str, Mapping[str, float]]
    why: str = ""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=list(SIZES), metavar="N", help="episodes to measure at"
    )
    parser.add_argument("--only", nargs="+", metavar="NAME", help="records, embedded, model, mem0, graphiti")
    parser.add_argument(
        "--most", nargs="*", default=[], metavar="NAME=N", help="a slow system at no more than N episodes"
    )
    parser.add_argument("--cache", type=Path, default=cache_folder(), help="where the environments are")


def run(options: argparse.Namespace) -> Figures:
    runs = list(_runs(options))
    show("the same episodes, processor time", _COLUMNS, (row for one in runs for row in _rows(one)))
    return figures(runs)


def _runs(options: argparse.Namespace) -> Iterator[PeerRun]:
    most = {name: int(number) for name, _, number in (word.partition("=") for word in options.most)}

    def sizes(name: str) -> list[str]:
        return [str(size) for size in options.sizes if size <= most.get(name, size)]

    with served() as url:
        for kind in OURS:
            if not options.only or kind in options.only:
                yield _run(kind, Path(sys.executable), "bench.peers.run_ours", url, kind, sizes(kind))
        for peer in PEERS:
            if options.only and peer.name not in options.only:
                continue
            python = interpreter(peer, options.cache)
            if isinstance(python, str):
                yield PeerRun(peer.name, peer.name, {}, python)
                continue
            for store in peer.stores:
                yield _run(f"{peer.name} {store}", python, peer.script, url, store, sizes(peer.name))


def _run(name: str, python: Path, script: str, url: str, kind: str, sizes: list[str]) -> PeerRun:
    """One system in a process of its own; the last line that it prints is what it measured."""
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2]), "OPENAI_API_KEY": "none"}
    with tempfile.TemporaryDirectory() as folder:
        command = [str(python), "-m", script, url, folder, kind, *sizes]
        done = subprocess.run(
            command, capture_output=True, text=True, env=environment, cwd=folder, check=False
        )
    if done.returncode:
        return PeerRun(name, name, {}, (done.stderr.strip().splitlines() or ["no word of why"])[-1])
    said: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return PeerRun(name, said.pop("system"), said)


# ---- telling

_COLUMNS = ("system", "episodes", "ingest ms", "search p50 ms", "p95 ms", "ask p50 ms", "p95 ms", "peak MB")
_KEYS = ("ingest_ms", "search_p50_ms", "search_p95_ms", "ask_p50_ms", "ask_p95_ms", "peak_mb")


def _rows(one: PeerRun) -> Iterator[list[str]]:
    if one.why:
        yield [one.system, "", one.why]
    for size, found in one.sizes.items():
        yield [one.system, f"{int(size):,}", *(f"{found[key]:.1f}" if key in found else "" for key in _KEYS)]


def figures(runs: list[PeerRun]) -> Figures:
    """Everything measured, and the ratios that were promised; null where a system they need did not run."""
    ours = {one.name: one for one in runs if one.name in OURS and one.sizes}
    peers = {one.name: one for one in runs if one.name not in OURS and one.sizes}
    mem0 = [one for name, one in peers.items() if name.startswith("mem0")]
    return {
        "systems": {one.system: one.sizes for one in (*ours.values(), *peers.values())},
        "missing": {one.name: one.why for one in runs if one.why},
        "ingest_growth": {name: _growth(one, "ingest_ms") for name, one in (ours | peers).items()},
        "search_growth": {name: _growth(one, "search_p50_ms") for name, one in (ours | peers).items()},
        "ask_over_search": {
            name: {
                peer: _against(one, "ask_p50_ms", [other], "search_p50_ms") for peer, other in peers.items()
            }
            for name, one in ours.items()
        },
        "context_over_mem0": {
            name: _against(one, "search_p50_ms", mem0, "search_p50_ms") for name, one in ours.items()
        },
        "ingest_over_cheapest": {
            name: _against(one, "ingest_ms", list(peers.values()), "ingest_ms") for name, one in ours.items()
        },
    }


def _against(one: PeerRun, key: str, others: list[PeerRun], their: str) -> float | None:
    """Our figure over the least of theirs, at the largest number of episodes that we and one of them have seen."""
    both = {size for other in others for size in other.sizes} & one.sizes.keys()
    if not both:
        return None
    size = max(both, key=int)
    return _over(
        one.sizes[size][key], min(other.sizes[size][their] for other in others if size in other.sizes)
    )


def _growth(one: PeerRun, key: str) -> float | None:
    """From the smallest size to the largest; unknown where there is but one."""
    first, last = min(one.sizes, key=int), max(one.sizes, key=int)
    return _over(one.sizes[last][key], one.sizes[first][key]) if first != last else None


def _over(one: float, other: float | None) -> float | None:
    return round(one / other, 2) if other else None
