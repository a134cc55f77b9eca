"""Mem0 with a local vector store: `python -m bench.peers.run_mem0 URL FOLDER faiss|qdrant SIZES…`, in an environment of its own."""

from __future__ import annotations

import importlib.metadata as versions
import os
import sys

from bench.peers.episodes import episode, question
from bench.peers.stopwatch import QUESTIONS, Stopwatch
from bench.peers.stub_model import SIZE

__all__ = ["main"]


def main(url: str, folder: str, store: str, sizes: list[int]) -> None:
    os.environ |= {"MEM0_TELEMETRY": "false", "MEM0_DIR": folder}
    from mem0 import Memory

    memory = Memory.from_config(_config(url, folder, store))
    watch = Stopwatch(
        f"Mem0 {versions.version('mem0ai')}, {store} {versions.version({'faiss': 'faiss-cpu', 'qdrant': 'qdrant-client'}[store])}"
    )
    done = 0
    for size in sizes:
        for number in range(done, size):
            with watch.episode():
                memory.add([{"role": "user", "content": episode(number).marked}], user_id="story")
        done, found = size, 0
        for number in range(QUESTIONS):
            with watch.question():
                found += len(memory.search(question(number, size), filters={"user_id": "story"})["results"])
        watch.reached(size, found=found)
    watch.tell()


def _config(url: str, folder: str, store: str) -> dict[str, object]:
    model = {"model": "stub", "api_key": "none", "openai_base_url": url}
    place = {"path": f"{folder}/{store}", "collection_name": "story", "embedding_model_dims": SIZE}
    return {
        "llm": {"provider": "openai", "config": model},
        "embedder": {"provider": "openai", "config": model | {"embedding_dims": SIZE}},
        "vector_store": {
            "provider": store,
            "config": place | ({"on_disk": True} if store == "qdrant" else {}),
        },
        "history_db_path": f"{folder}/history.db",
    }


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], [int(one) for one in sys.argv[4:]])
