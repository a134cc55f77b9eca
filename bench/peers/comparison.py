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
from bench.instant_model import served
from bench.peers.environments import PEERS, Peer, cache_folder, interpreter
from bench.peers.stub_model import says

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

    def wanted(name: str) -> bool:
        return not options.only or name in options.only

    with served(says) as url:
        for kind in filter(wanted, OURS):
            yield _run(kind, Path(sys.executable), "bench.peers.run_ours", url, kind, sizes(kind))
        for peer in (one for one in PEERS if wanted(one.name)):
            yield from _of_peer(peer, options.cache, url, sizes(peer.name))


def _of_peer(peer: Peer, cache: Path, url: str, sizes: list[str]) -> Iterator[PeerRun]:
    """One run for each of its stores, or the reason why there is none."""
    python = interpreter(peer, cache)
    if isinstance(python, str):
        yield PeerRun(peer.name, peer.name, {}, python)
        return
    for store in peer.stores:
        yield _run(f"{peer.name} {store}", python, peer.script, url, store, sizes)


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
    there = [one for one in runs if one.sizes]
    return {
        "systems": {one.system: one.sizes for one in there},
        "missing": {one.name: one.why for one in runs if one.why},
        "ingest_growth": {one.name: _growth(one, "ingest_ms") for one in there},
        "search_growth": {one.name: _growth(one, "search_p50_ms") for one in there},
        **_ratios([one for one in there if one.name in OURS], [one for one in there if one.name not in OURS]),
    }


def _ratios(ours: list[PeerRun], peers: list[PeerRun]) -> Figures:
    mem0 = [one for one in peers if one.name.startswith("mem0")]
    return {
        "ask_over_search": {one.name: _ask_over(one, peers) for one in ours},
        "context_over_mem0": {
            one.name: _against(one, "search_p50_ms", mem0, "search_p50_ms") for one in ours
        },
        "ingest_over_cheapest": {one.name: _against(one, "ingest_ms", peers, "ingest_ms") for one in ours},
    }


def _ask_over(one: PeerRun, peers: list[PeerRun]) -> dict[str, float | None]:
    return {peer.name: _against(one, "ask_p50_ms", [peer], "search_p50_ms") for peer in peers}


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
