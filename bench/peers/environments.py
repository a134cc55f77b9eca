"""An environment of its own for each system, made once in a cache folder outside the project; or the reason why there is none.

Versions are those the scripts were written for. Never touches the environment the bench itself runs in.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

__all__ = ["PEERS", "Peer", "cache_folder", "interpreter"]

MINUTES = 5  # an installation may take; longer is given up


@dataclass(frozen=True, slots=True)
class Peer:
    """A system: what is installed for it, the script that runs it, and with which stores."""

    name: str
    needs: tuple[str, ...]
    script: str
    stores: tuple[str, ...]


PEERS = (
    Peer("mem0", ("mem0ai==2.2.1", "faiss-cpu==1.15.1", "qdrant-client==1.20.0"), "bench.peers.run_mem0", ("faiss", "qdrant")),
    # httpx is imported, and not asked for, by 0.31.1
    Peer("graphiti", ("graphiti-core[kuzu]==0.31.1", "kuzu==0.11.3", "httpx"), "bench.peers.run_graphiti", ("kuzu",)),
)  # fmt: skip


def cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "narraworld-bench" / "peers"


def interpreter(peer: Peer, folder: Path) -> Path | str:
    """The Python that has the system; or, in one line, why it could not be installed."""
    home = folder / peer.name
    python, ready = home / "bin" / "python", home / "installed.txt"
    wanted = "\n".join(peer.needs)
    if ready.is_file() and ready.read_text("utf-8") == wanted:
        return python
    why = _done([sys.executable, "-m", "venv", "--clear", str(home)])
    why = why or _done(
        [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *peer.needs]
    )
    if why:
        return why
    ready.write_text(wanted, "utf-8")
    return python


def _done(command: list[str]) -> str | None:
    """Nothing when the command went well, else the last thing it complained of."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60 * MINUTES, check=False)
    except subprocess.TimeoutExpired:
        return f"not installed within {MINUTES} minutes"
    return (
        (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        if done.returncode
        else None
    )
